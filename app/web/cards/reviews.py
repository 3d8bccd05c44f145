"""Reviewing: one card at a time, rated, taken back; what is computed is marked and rates itself."""

from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response
from starlette.routing import Route

from app.course import Course
from app.course.cards.decks import Drill
from app.records.accounts.values import Caller
from app.records.cards import review_queue, reviews
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating, ReviewData, ReviewResult
from app.records.db.errors import NotFound
from app.records.db.row_ids import row_id
from app.web.cards.card_views import CardExercise, name_of, ref_of
from app.web.cards.review_views import SAID, ReviewView, review_view, slip_view
from app.web.site.clock import now
from app.web.site.requests import PostedForm, caller_of, read_form, shown_at, spent, whole
from app.web.site.responses import fragment, page, see, wants_fragment
from app.web.site.site import site_of

router = APIRouter()
LONGEST = 200
"""Characters of a number that was typed."""
URL = "/cards/review"


async def show(request: Request) -> Response:
    """The card that comes; with `card` and `number` that one, if its review is still to come."""
    site, query = site_of(request), request.query_params
    if slip := row_id(query.get("slip", "")):
        look, row = await site.db.read(review_queue.load_result, caller_of(request), now(), slip)
        find_drill(site.course, row.card)
        return answered(request, slip_view(site.course, look, row, now()), known=True)
    card = ref_of(site.course, query["card"]) if query.get("card") else None
    number = whole(query.get("number", ""))
    look = await site.db.read(review_queue.load_review, caller_of(request), now(), card, number)
    same = look.card is not None and look.card.card == card
    said = query.get("said", "" if same or not card else "stale")
    typed, shown = (query.get(name, "")[:LONGEST] if same else "" for name in ("answer", "shown"))
    view = review_view(site.course, look, now(), typed, said, shown_at(shown))
    return answered(request, view, known=look.learner_id is not None)


async def rate(request: Request) -> Response:
    """忘了 or 记得. A double click or a stale page changes nothing, and says so."""
    site, form = site_of(request), await read_form(request)
    card = ref_of(site.course, request.path_params["card"])
    typed = form.one("answer")[:LONGEST] or None
    rated = CardRating(card, form.number("number"), rating_of(form), spent(form), typed)
    done = await site.db.write(reviews.review, caller_of(request, form), rated, now())
    return await go_on(request, done, said_of(done))


async def answer(request: Request) -> Response:
    """What was typed into a card that computes: a slip rates itself, a right answer waits for its rating."""
    site, form = site_of(request), await read_form(request)
    card, person = ref_of(site.course, request.path_params["card"]), caller_of(request, form)
    drill, number = find_drill(site.course, card), form.number("number")
    look = await site.db.read(review_queue.load_review, person, now(), card, number)
    if look.card is None or look.card.card != card:
        return await go_on(request, ReviewResult(person.token or "", accepted=False), "stale")
    given_up, typed = "show" in form.fields, form.one("answer").strip()[:LONGEST]
    exercise = CardExercise(site.course, drill, look.card.memory.reps, typed)
    if not given_up and (exercise.mark is None or exercise.mark.verdict == "right"):
        return same_card(request, look, typed, form.one("shown"))
    mistake = exercise.mark.misconception if exercise.mark and not given_up else None
    rated = CardRating(card, number, Rating.AGAIN, spent(form), "" if given_up else typed, mistake)
    return await after_slip(request, await site.db.write(reviews.review, person, rated, now()))


async def undo(request: Request) -> Response:
    """U: the last review never was."""
    site, form = site_of(request), await read_form(request)
    number = row_id(form.one("review")) or 0
    done = await site.db.write(reviews.undo, caller_of(request, form), number, now())
    return await go_on(request, done, "undone" if done.accepted else "not-undone", again=done.card)


HOT = (
    Route("/cards/review", show),
    Route("/cards/{card}/reviews", rate, methods=["POST"]),
    Route("/cards/{card}/answers", answer, methods=["POST"]),
    Route("/cards/undone", undo, methods=["POST"]),
)
"""What one does card after card: matched first, without FastAPI's parameters."""


async def go_on(request: Request, done: ReviewResult, said: str, again: str = "") -> Response:
    """The next card; or the one that was taken back."""
    course = site_of(request).course
    if not wants_fragment(request):
        asked = [f"card={name_of(course, again)}"] if again else []
        query = "&".join([*asked, *([f"said={said}"] if said else [])])
        return see(request, f"{URL}?{query}" if query else URL, token=done.token)
    look = await site_of(request).db.read(review_queue.load_review, Caller(done.token), now(), again or None)
    return answered(request, review_view(course, look, now(), "", said), token=done.token)


async def after_slip(request: Request, done: ReviewResult) -> Response:
    """What happened in a card that was computed wrongly."""
    site = site_of(request)
    if not done.accepted or done.log_id is None:
        return await go_on(request, done, "stale")
    if not wants_fragment(request):
        return see(request, f"{URL}?slip={done.log_id}", token=done.token)
    look, row = await site.db.read(review_queue.load_result, Caller(done.token), now(), done.log_id)
    return answered(request, slip_view(site.course, look, row, now()), token=done.token)


def same_card(request: Request, look: ReviewData, typed: str, shown: str) -> Response:
    """The same card, nothing written: the answer is right and waits for its rating, or cannot be read.

    Thinking began when the card was `shown` first.
    """
    course = site_of(request).course
    view = review_view(course, look, now(), typed, "", shown_at(shown))
    if not wants_fragment(request):
        card = {"card": request.path_params["card"], "number": look.number}
        return see(request, f"{URL}?{urlencode(card | {'answer': typed, 'shown': shown})}")
    return answered(request, view, status=422 if view.drill and view.drill.error else 200)


def answered(
    request: Request, view: ReviewView, *, known: bool = True, token: str = "", status: int = 200
) -> Response:
    """The card as a fragment, or the page around it."""
    if wants_fragment(request):
        html = site_of(request).render("cards/_review.html", review=view)
        return fragment(request, html, token=token, status=status)
    return page(request, "cards/review", known=known, page="cards", title="复习", review=view)


def find_drill(course: Course, card: str) -> Drill:
    drill = course.drills.get(course.bare(card))
    if drill is None:
        raise NotFound("这张卡片不用算。")
    return drill


def rating_of(form: PostedForm) -> Rating:
    """What was pressed; a form without a rating came from nowhere."""
    if form.one("rating") not in {"1", "2", "3", "4"}:
        raise NotFound("没有这种评分。")
    return Rating(int(form.one("rating")))


def said_of(done: ReviewResult) -> str:
    """What there is to say about a review, before the next card."""
    if not done.accepted:
        return "stale"
    return done.became if done.became in SAID else ""
