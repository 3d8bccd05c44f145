"""Reviewing: one card at a time, rated, taken back; what is computed is marked and rates itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil
from typing import Literal
from urllib.parse import urlencode

from fastapi import Request
from starlette.responses import Response
from starlette.routing import Route

from app.course import Course
from app.course.cards.decks import Drill
from app.course.items.marks import Mark
from app.course.text.typed import whole_number
from app.records.accounts.values import Caller
from app.records.cards import reviews
from app.records.cards.scheduling import Memory, Rating, unpack_memory
from app.records.cards.values import CardRating, LogRow, ReviewData, ReviewResult
from app.records.db.days import day_of
from app.records.db.errors import NotFound
from app.records.db.row_ids import row_id
from app.web.cards.card_views import Button, CardExercise, Face, buttons, face, name_of, ref_of, return_text
from app.web.cards.kept_flashes import Flash, flash_html
from app.web.site import clock, slots
from app.web.site.posted_forms import PostedForm, read_form, seconds_spent, shown_at
from app.web.site.requests import caller_of
from app.web.site.responses import fragment, page, see, wants_fragment
from app.web.site.site import site_of

LONGEST_ANSWER = 200
"""Characters of a number that was typed."""
URL = "/cards/review"
ReviewState = Literal["empty", "done", "front", "asked", "answered", "told"]
"""What the page shows: no deck yet; nothing left today; a card to turn, or one to compute; the latter with a
right answer that waits for its rating; or with what the tutor says to a wrong one."""
MESSAGES = {
    "stale": "这张刚才已经复习过了，多点的那一下没有算。",
    "undone": "收回了，这张重新来。",
    "not-undone": "没什么可撤的了。",
    "leech": "刚才那张忘了好几次，先放到一边：换个说法，或者回课文看看。",
    "retired": "刚才那个错，你连着三次没再犯，错题卡毕业了。",
}


async def show(http: Request) -> Response:
    """The card that comes; with `card` and `number` that one, if its review is still to come."""
    site = site_of(http)
    caller = caller_of(http)
    query = http.query_params
    if log_id := row_id(query.get("slip", "")):
        return await show_slip(http, caller, log_id)
    card_ref = None
    card_name = query.get("card")
    if card_name:
        card_ref = ref_of(site.course, card_name)
    review_number = whole_number(query.get("number", ""))
    moment = clock.now()
    queue = await site.db.read(reviews.load_review, caller, moment, card_ref, review_number)
    message = query.get("said", "")
    typed_text = ""
    since = None
    if queue.card and queue.card.card == card_ref:
        typed_text = query.get("answer", "")[:LONGEST_ANSWER]
        since = shown_at(query.get("shown", "")[:LONGEST_ANSWER])
    elif card_ref:  # the address asks for a review that is over
        message = query.get("said", "stale")
    view = review_view(site.course, queue, moment, message, typed_text, since)
    return review_response(http, view)


async def rate(http: Request) -> Response:
    """忘了 or 记得. A double click or a stale page changes nothing, and says so."""
    site = site_of(http)
    form = await read_form(http)
    card_ref = ref_of(site.course, http.path_params["card"])
    typed_text = form.text("answer")[:LONGEST_ANSWER] or None
    review_number, rating = form.number("number"), rating_of(form)
    card_rating = CardRating(card_ref, review_number, rating, seconds_spent(form), typed_text)
    caller = caller_of(http, form)
    review = await site.db.write(reviews.review, caller, card_rating, clock.now())
    message = "stale"
    if review.accepted:
        message = review.new_status
    return await go_on(http, review, message)


async def answer(http: Request) -> Response:
    """What was typed into a card that computes: a slip rates itself, a right answer waits for its rating."""
    site = site_of(http)
    form = await read_form(http)
    caller = caller_of(http, form)
    card_ref = ref_of(site.course, http.path_params["card"])
    find_drill(site.course, card_ref)
    review_number = form.number("number")
    moment = clock.now()
    queue = await site.db.read(reviews.load_review, caller, moment, card_ref, review_number)
    if queue.card is None or queue.card.card != card_ref:
        refused_result = ReviewResult(caller.token or "", accepted=False)
        return await go_on(http, refused_result, "stale")
    card_rating = CardRating(card_ref, review_number, Rating.AGAIN, seconds_spent(form), "")
    if "show" not in form.fields:
        typed_text = form.text("answer").strip()[:LONGEST_ANSWER]
        shown = form.text("shown")
        view = review_view(site.course, queue, moment, typed_text=typed_text, since=shown_at(shown))
        if view.mark is None or view.mark.verdict == "right":
            return same_card(http, view, {"answer": typed_text, "shown": shown})
        card_rating = card_rating._replace(raw=typed_text, misconception=view.mark.misconception)
    review = await site.db.write(reviews.review, caller, card_rating, moment)
    return await after_slip(http, review)


async def undo(http: Request) -> Response:
    """U: the last review never was."""
    form = await read_form(http)
    caller = caller_of(http, form)
    log_id = row_id(form.text("review")) or 0
    site = site_of(http)
    review = await site.db.write(reviews.undo, caller, log_id, clock.now())
    message = "not-undone"
    if review.accepted:
        message = "undone"
    return await go_on(http, review, message, review.card)


HOT = (
    Route("/cards/review", show),
    Route("/cards/{card}/reviews", rate, methods=["POST"]),
    Route("/cards/{card}/answers", answer, methods=["POST"]),
    Route("/cards/undone", undo, methods=["POST"]),
)
"""What one does card after card: matched first, without FastAPI's parameters."""


async def go_on(http: Request, review: ReviewResult, message: str, card_ref: str = "") -> Response:
    """The card that comes next, or a certain one, with a message of `MESSAGES` (any other says nothing)."""
    site = site_of(http)
    if not wants_fragment(http):
        query = {}
        if card_ref:
            query["card"] = name_of(site.course, card_ref)
        if message in MESSAGES:
            query["said"] = message
        url = f"{URL}?{urlencode(query)}".rstrip("?")
        return see(http, url, token=review.token)
    reader = Caller(review.token)
    moment = clock.now()
    queue = await site.db.read(reviews.load_review, reader, moment, card_ref or None)
    view = review_view(site.course, queue, moment, message)
    return review_response(http, view, review.token)


async def after_slip(http: Request, review: ReviewResult) -> Response:
    """What the card says to a slip, or that it was reviewed before."""
    if not review.accepted or review.log_id is None:
        return await go_on(http, review, "stale")
    if not wants_fragment(http):
        return see(http, f"{URL}?slip={review.log_id}", token=review.token)
    return await show_slip(http, Caller(review.token), review.log_id)


async def show_slip(http: Request, caller: Caller, log_id: int) -> Response:
    """What happened in a card that was computed wrongly."""
    site = site_of(http)
    moment = clock.now()
    queue, review_row = await site.db.read(reviews.load_result, caller, moment, log_id)
    drill = find_drill(site.course, review_row.card)
    view = slip_view(site.course, drill, queue, review_row, moment)
    return review_response(http, view, caller.token or "")


def same_card(http: Request, view: "ReviewView", fields: Mapping[str, str]) -> Response:
    """The card as it was, nothing written: the answer is right and waits for its rating, or cannot be read.

    `fields`: what was typed, and when the card was shown first: thinking began then.
    """
    if not wants_fragment(http):
        query = {"card": http.path_params["card"], "number": view.number}
        return see(http, f"{URL}?{urlencode({**query, **fields})}")
    status = 200
    if view.exercise and view.exercise.error:
        status = 422
    return review_response(http, view, status=status)


def review_response(http: Request, view: "ReviewView", token: str = "", status: int = 200) -> Response:
    """The card as a fragment, or the page around it."""
    site = site_of(http)
    flash = slots.NOTHING
    if view.card and view.state == "front":
        look = Flash(view.card, tuple(view.buttons), view.first)
        flash = flash_html(site, look, view.number, view.shown_text)
    if wants_fragment(http):
        html = site.render("cards/_review.html", review=view, flash=flash)
        return fragment(http, html, token=token, status=status)
    signed_in = view.queue.learner_id is not None
    return page(
        http, "cards/review", signed_in=signed_in, page="cards", title="复习", review=view, flash=flash
    )


def find_drill(course: Course, card_ref: str) -> Drill:
    """The drill that a card is; NotFound for a card that is not computed."""
    drill = course.drills.get(course.bare(card_ref))
    if drill is None:
        raise NotFound("这张卡片不用算。")
    return drill


def rating_of(form: PostedForm) -> Rating:
    """The rating that was pressed; NotFound for a form that is not ours."""
    rating = form.text("rating")
    if rating not in {"1", "2", "3", "4"}:
        raise NotFound("没有这种评分。")
    return Rating(int(rating))


@dataclass(frozen=True)
class ReviewView:
    """The context of `cards/_review.html`.

    `shown`: since when the card is looked at, in seconds since 1970. `undo`: the review that can be taken
    back. `exercise` is there when the card computes, `returns` after a slip: when the card comes back.
    """

    queue: ReviewData
    message: str
    shown: float
    undo: int | None
    state: ReviewState = "empty"
    card: Face | None = None
    number: int = 1
    exercise: CardExercise | None = None
    buttons: Sequence[Button] = ()
    returns: str = ""
    next_due: str = ""
    first: bool = False

    @property
    def shown_text(self) -> str:
        """`shown`, as a form carries it."""
        return f"{self.shown:.1f}"

    @property
    def mark(self) -> Mark | None:
        """The mark of what was typed; None for what cannot be read, and where nothing is computed."""
        if self.exercise is None:
            return None
        return self.exercise.mark

    @property
    def plan(self) -> Mapping[str, int] | None:
        return backlog_plan(self.queue)


def review_view(
    course: Course,
    queue: ReviewData,
    now: datetime,
    message: str = "",
    typed_text: str = "",
    since: float | None = None,
) -> ReviewView:
    """The card that comes, or how the day went.

    `typed_text`: into a card that computes; `since`: when the card was shown, if not now.
    """
    if since is None:
        since = now.timestamp()
    view = ReviewView(queue, MESSAGES.get(message, ""), since, undoable(queue))
    card_row = queue.card
    if card_row is None:
        return view_without_card(view, now)
    reps = card_row.memory.reps
    if drill := course.drills.get(course.bare(card_row.card)):
        exercise = CardExercise(course, drill, reps, typed_text or None)
        view = replace(view, state="asked", card=exercise.face, exercise=exercise)
    elif card := face(course, card_row.card, queue.own_row, reps):
        view = replace(view, state="front", card=card)
    else:
        return view_without_card(view, now)
    is_right = view.mark is not None and view.mark.verdict == "right"
    if is_right:
        view = replace(view, state="answered")
    ratings = buttons(card_row, queue.deck, queue.time_zone, now, is_right)
    is_new = card_row.memory.state == "new"
    return replace(view, number=queue.number, buttons=ratings, first=is_new)


def view_without_card(view: ReviewView, now: datetime) -> ReviewView:
    """How the day went, or that there is no deck yet."""
    if not view.queue.counts.deck.cards:
        return view
    return replace(view, state="done", next_due=next_due(view.queue, now))


def slip_view(course: Course, drill: Drill, queue: ReviewData, row: LogRow, now: datetime) -> ReviewView:
    """A card that was computed wrongly: it has rated itself 忘了."""
    memory_before, _ = unpack_memory(row.before)
    memory_after, status = unpack_memory(row.after)
    undo = undoable(queue)
    if undo != row.id:
        undo = None
    message = MESSAGES.get(status, "")
    view = ReviewView(queue, message, now.timestamp(), undo, state="told")
    exercise = CardExercise(course, drill, memory_before.reps, row.raw or None)
    return_words = return_text(memory_after, row.reviewed_at, queue.time_zone)
    return replace(view, card=exercise.face, exercise=exercise, returns=return_words)


def undoable(queue: ReviewData) -> int | None:
    """The review that U takes back: the last one, if it is of today."""
    last_log = queue.last
    if last_log and last_log.day == queue.day:
        return last_log.id
    return None


def backlog_plan(queue: ReviewData) -> Mapping[str, int] | None:
    """How a backlog beyond today's limit gets smaller: so many `waiting`, so many `a_day`, in `days`."""
    counts = queue.counts
    if not counts.waiting:
        return None
    a_day = max(1, queue.deck.due_a_day)
    days = ceil((counts.waiting + counts.due) / a_day)
    return {"waiting": counts.waiting, "a_day": a_day, "days": days}


def next_due(queue: ReviewData, now: datetime) -> str:
    """When there is something again: later today, tomorrow what the limits held back, or when it is due."""
    due_at = queue.next_due_at
    if due_at and day_of(due_at, queue.time_zone) <= day_of(now, queue.time_zone):
        if due_at - now >= timedelta(hours=1):
            return "今天晚些时候"
        return return_text(Memory(state="learning", due_at=due_at), now, queue.time_zone)
    if queue.counts.waiting or (queue.counts.deck.new and queue.deck.new_a_day):
        return "明天"
    if due_at is None:
        return ""
    return return_text(Memory(state="review", due_at=due_at), now, queue.time_zone)
