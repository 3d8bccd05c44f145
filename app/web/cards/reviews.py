"""Reviewing: one card at a time, rated, taken back; what is computed is marked and rates itself."""

from collections.abc import Mapping
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
from app.web.cards.card_views import name_of, ref_of
from app.web.cards.review_views import MESSAGES, ReviewView, review_view, slip_view
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
    site = site_of(request)
    caller = caller_of(request)
    query = request.query_params
    if log_id := row_id(query.get("slip", "")):
        return await show_slip(request, caller, log_id)
    moment = now()
    card = None
    if name := query.get("card"):
        card = ref_of(site.course, name)
    number = whole(query.get("number", ""))
    queue = await site.db.read(review_queue.load_review, caller, moment, card, number)
    message = query.get("said", "")
    typed = ""
    since = None
    if queue.card and queue.card.card == card:
        typed = query.get("answer", "")[:LONGEST]
        since = shown_at(query.get("shown", "")[:LONGEST])
    elif card:
        message = query.get("said", "stale")
    view = review_view(site.course, queue, moment, message, typed, since)
    return answered(request, view, queue)


async def rate(request: Request) -> Response:
    """忘了 or 记得. A double click or a stale page changes nothing, and says so."""
    site = site_of(request)
    form = await read_form(request)
    card = ref_of(site.course, request.path_params["card"])
    typed = form.one("answer")[:LONGEST] or None
    rated = CardRating(card, form.number("number"), rating_of(form), spent(form), typed)
    review = await site.db.write(reviews.review, caller_of(request, form), rated, now())
    if not review.accepted:
        return await go_on(request, review, "stale")
    if review.became in MESSAGES:
        return await go_on(request, review, review.became)
    return await go_on(request, review, "")


async def answer(request: Request) -> Response:
    """What was typed into a card that computes: a slip rates itself, a right answer waits for its rating."""
    site = site_of(request)
    form = await read_form(request)
    caller = caller_of(request, form)
    card = ref_of(site.course, request.path_params["card"])
    find_drill(site.course, card)
    number = form.number("number")
    queue = await site.db.read(review_queue.load_review, caller, now(), card, number)
    if queue.card is None or queue.card.card != card:
        refused = ReviewResult(caller.token or "", accepted=False)
        return await go_on(request, refused, "stale")
    rated = CardRating(card, number, Rating.AGAIN, spent(form), "")
    if "show" not in form.fields:
        typed = form.one("answer").strip()[:LONGEST]
        shown = form.one("shown")
        view = review_view(site.course, queue, now(), typed=typed, since=shown_at(shown))
        if view.mark is None or view.mark.verdict == "right":
            return same_card(request, queue, view, {"answer": typed, "shown": shown})
        rated = rated._replace(raw=typed, misconception=view.mark.misconception)
    review = await site.db.write(reviews.review, caller, rated, now())
    return await after_slip(request, review)


async def undo(request: Request) -> Response:
    """U: the last review never was."""
    form = await read_form(request)
    caller = caller_of(request, form)
    log_id = row_id(form.one("review")) or 0
    review = await site_of(request).db.write(reviews.undo, caller, log_id, now())
    if review.accepted:
        return await go_on(request, review, "undone", review.card)
    return await go_on(request, review, "not-undone", review.card)


HOT = (
    Route("/cards/review", show),
    Route("/cards/{card}/reviews", rate, methods=["POST"]),
    Route("/cards/{card}/answers", answer, methods=["POST"]),
    Route("/cards/undone", undo, methods=["POST"]),
)
"""What one does card after card: matched first, without FastAPI's parameters."""


async def go_on(request: Request, review: ReviewResult, message: str, card: str = "") -> Response:
    """The card that comes next, or a certain one, with a message of `MESSAGES`."""
    site = site_of(request)
    if not wants_fragment(request):
        query = {}
        if card:
            query["card"] = name_of(site.course, card)
        if message:
            query["said"] = message
        return see(request, f"{URL}?{urlencode(query)}".rstrip("?"), token=review.token)
    caller = Caller(review.token)
    queue = await site.db.read(review_queue.load_review, caller, now(), card or None)
    view = review_view(site.course, queue, now(), message)
    return answered(request, view, queue, token=review.token)


async def after_slip(request: Request, review: ReviewResult) -> Response:
    """What the card says to a slip, or that it was reviewed before."""
    if not review.accepted or review.log_id is None:
        return await go_on(request, review, "stale")
    if not wants_fragment(request):
        return see(request, f"{URL}?slip={review.log_id}", token=review.token)
    return await show_slip(request, Caller(review.token), review.log_id)


async def show_slip(request: Request, caller: Caller, log_id: int) -> Response:
    """What happened in a card that was computed wrongly."""
    site = site_of(request)
    queue, row = await site.db.read(review_queue.load_result, caller, now(), log_id)
    drill = find_drill(site.course, row.card)
    view = slip_view(site.course, drill, queue, row, now())
    return answered(request, view, queue, token=caller.token or "")


def same_card(request: Request, queue: ReviewData, view: ReviewView, fields: Mapping[str, str]) -> Response:
    """The same card, nothing written: the answer is right and waits for its rating, or cannot be read.

    `fields`: what was typed, and when the card was shown first: thinking began then.
    """
    if not wants_fragment(request):
        card = {"card": request.path_params["card"], "number": view.number}
        return see(request, f"{URL}?{urlencode({**card, **fields})}")
    if view.exercise and view.exercise.error:
        return answered(request, view, queue, status=422)
    return answered(request, view, queue)


def answered(
    request: Request, view: ReviewView, queue: ReviewData, *, token: str = "", status: int = 200
) -> Response:
    """The card as a fragment, or the page around it."""
    if wants_fragment(request):
        html = site_of(request).render("cards/_review.html", review=view)
        return fragment(request, html, token=token, status=status)
    return page(
        request,
        "cards/review",
        known=queue.learner_id is not None,
        page="cards",
        title="复习",
        review=view,
    )


def find_drill(course: Course, card: str) -> Drill:
    """The drill that a card is; NotFound for a card that is not computed."""
    drill = course.drills.get(course.bare(card))
    if drill is None:
        raise NotFound("这张卡片不用算。")
    return drill


def rating_of(form: PostedForm) -> Rating:
    """The rating that was pressed; NotFound for a form that is not ours."""
    rating = form.one("rating")
    if rating not in {"1", "2", "3", "4"}:
        raise NotFound("没有这种评分。")
    return Rating(int(rating))
