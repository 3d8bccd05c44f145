"""Reviewing: one card at a time, rated, taken back; what is computed is marked and rates itself."""

from collections.abc import Mapping
from urllib.parse import urlencode

from fastapi import Request
from starlette.responses import Response
from starlette.routing import Route

from app.course import Course
from app.course.cards.decks import Drill
from app.course.text.typed import whole_number
from app.records.accounts.values import Caller
from app.records.cards import reviews
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating, ReviewData, ReviewRow
from app.records.db.errors import NotFound
from app.records.db.row_ids import row_id
from app.web.cards.card_views import CardExercise, name_of, ref_of
from app.web.cards.review_views import (
    CardFlash,
    Notice,
    ReviewView,
    flash_html,
    notice_named,
    notice_of_absence,
    review_view_of,
    slip_view,
    view_of_day,
    view_with_exercise,
)
from app.web.site import clock, slots
from app.web.site.posted_forms import PostedForm, read_shown_second, seconds_spent
from app.web.site.requests import CallerRequest, caller_of, read_request
from app.web.site.responses import fragment, page, redirect, wants_fragment
from app.web.site.site import site_of

LONGEST_ANSWER = 200
"""Characters of a number that was typed."""
REVIEW_URL = "/cards/review"
DOUBLE_TAP_SECONDS = 0.8
"""Nobody has seen which card came back, and wants another one back, within so short a time."""


async def show(http: Request) -> Response:
    """The card that comes; with `card` and `number` that one, if its review is still to come."""
    site = site_of(http)
    caller = caller_of(http)
    address_fields = http.query_params
    if review_id := row_id(address_fields.get("slip", "")):
        return await show_slip(http, caller, review_id)
    card_ref = None
    card_name = address_fields.get("card")
    if card_name:
        card_ref = ref_of(site.course, card_name)
    review_number = whole_number(address_fields.get("number", ""))
    now = clock.now()
    review_data = await site.db.read(reviews.load_review, caller, now, card_ref, review_number)
    notice = notice_named(address_fields.get("said", ""))
    typed_text = ""
    first_shown_second = None
    if review_data.card and review_data.card.card_ref == card_ref:
        typed_text = address_fields.get("answer", "")[:LONGEST_ANSWER]
        first_shown_second = read_shown_second(address_fields.get("shown", "")[:LONGEST_ANSWER])
    elif review_number and notice is None:  # the address asks for a review that is over
        notice = notice_of_absence(review_data)
    review_view = review_view_of(site.course, review_data, now, notice, typed_text, first_shown_second)
    return review_response(http, review_view)


async def rate_card(http: Request) -> Response:
    """忘了 or 记得. A double click or a stale page changes nothing, and says so."""
    request = await read_request(http)
    form = request.form
    card_ref = ref_of(request.course, http.path_params["card"])
    typed_text = form.text("answer")[:LONGEST_ANSWER] or None
    review_number, rating = form.number("number", 1), rating_of(form)
    card_rating = CardRating(card_ref, review_number, rating, seconds_spent(form), typed_text)
    try:
        review_result = await request.write(reviews.review_card, card_rating, request.now)
    except NotFound:
        return await response_with_next_card(http, request.caller.token or "", "removed")
    notice: Notice | None = "stale"
    if review_result.is_accepted:
        notice = notice_named(review_result.new_status)
    return await response_with_next_card(http, review_result.token, notice)


async def answer_card(http: Request) -> Response:
    """What was typed into a card that computes: a slip rates itself, a right answer waits for its rating."""
    request = await read_request(http)
    form, now = request.form, request.now
    card_ref = ref_of(request.course, http.path_params["card"])
    drill = known_drill(request.course, card_ref)
    review_number = form.number("number", 1)
    slip_text = slip_text_of(form)
    review_data = await request.read(reviews.load_review, now, card_ref, review_number)
    if review_data.card is None or review_data.card.card_ref != card_ref:
        return await response_to_past_answer(request, review_data, slip_text)
    misconception_code = None
    if "show" not in form.texts_by_field:
        card_exercise = CardExercise(
            request.course, drill, review_data.card.memory.review_count, slip_text or None
        )
        if card_exercise.mark is None or card_exercise.is_right:
            shown_second_text = form.text("shown")
            day_view = view_of_day(review_data, now, first_shown_second=read_shown_second(shown_second_text))
            review_view = view_with_exercise(day_view, review_data.card, card_exercise, now)
            return response_with_same_card(
                http, review_view, {"answer": slip_text, "shown": shown_second_text}
            )
        misconception_code = card_exercise.mark.misconception_code
    card_rating = CardRating(
        card_ref, review_number, Rating.AGAIN, seconds_spent(form), slip_text, misconception_code
    )
    review_result = await request.write(reviews.review_card, card_rating, now)
    if review_result.review_id is None:
        review_data = await request.read(reviews.load_review, now, card_ref, review_number)
        return await response_to_past_answer(request, review_data, slip_text)
    return await response_with_slip(http, review_result.token, review_result.review_id)


async def undo_review(http: Request) -> Response:
    """U: the last review never was. What comes within a moment of another undo is the second half of a double
    tap, which has met the button for the review before."""
    request = await read_request(http)
    form = request.form
    undone_second = read_shown_second(form.text("undone"))
    if undone_second is not None and request.now.timestamp() - undone_second < DOUBLE_TAP_SECONDS:
        card_ref = ref_of(request.course, form.text("card"))
        return await response_with_next_card(http, request.caller.token or "", "undone-once", card_ref)
    review_result = await request.write(reviews.undo_review, form.id("review"), request.now)
    notice: Notice = "not-undone"
    if review_result.is_accepted:
        notice = "undone" if review_result.new_status == "active" else "undone-aside"
    return await response_with_next_card(http, review_result.token, notice, review_result.card_ref)


FREQUENT_ROUTES = (
    Route("/cards/review", show),
    Route("/cards/{card}/reviews", rate_card, methods=["POST"]),
    Route("/cards/{card}/answers", answer_card, methods=["POST"]),
    Route("/cards/undone", undo_review, methods=["POST"]),
)
"""What one does card after card: matched first, without FastAPI's parameters."""


async def response_with_next_card(
    http: Request, token: str, notice: Notice | None, card_ref: str = ""
) -> Response:
    """The card that comes next, or a certain one, with what there is to say."""
    site = site_of(http)
    if not wants_fragment(http):
        address_fields: dict[str, str] = {}
        if card_ref:
            address_fields["card"] = name_of(site.course, card_ref)
        if notice:
            address_fields["said"] = notice
        next_url = f"{REVIEW_URL}?{urlencode(address_fields)}".rstrip("?")
        return redirect(http, next_url, token=token)
    caller = Caller(token)
    now = clock.now()
    review_data = await site.db.read(reviews.load_review, caller, now, card_ref or None)
    review_view = review_view_of(site.course, review_data, now, notice)
    return review_response(http, review_view, token)


async def response_to_past_answer(
    request: CallerRequest, review_data: ReviewData, slip_text: str
) -> Response:
    """An answer that makes no review any more. One that was sent again, for nothing came back, gets what the
    card said to it; after any other the next card comes."""
    token = request.caller.token or ""
    past_review = review_data.past_review
    if past_review and is_slip(past_review, slip_text):
        return await response_with_slip(request.http, token, past_review.id)
    return await response_with_next_card(request.http, token, notice_of_absence(review_data))


def is_slip(past_review: ReviewRow, slip_text: str) -> bool:
    """Whether a review was made by this answer, which was wrong."""
    is_in_force = past_review.undone_at is None
    return is_in_force and past_review.rating == Rating.AGAIN and past_review.raw == slip_text


def slip_text_of(form: PostedForm) -> str:
    """What was typed into a card that computes; empty for 忘了，给我看."""
    if "show" in form.texts_by_field:
        return ""
    return form.text("answer").strip()[:LONGEST_ANSWER]


async def response_with_slip(http: Request, token: str, review_id: int) -> Response:
    """What the card says to a slip."""
    if not wants_fragment(http):
        return redirect(http, f"{REVIEW_URL}?slip={review_id}#flash-said", token=token)
    return await show_slip(http, Caller(token), review_id)


async def show_slip(http: Request, caller: Caller, review_id: int) -> Response:
    """What happened in a card that was computed wrongly; of a slip that was taken back nothing is told."""
    site = site_of(http)
    now = clock.now()
    review_data, review = await site.db.read(reviews.load_day_and_review, caller, now, review_id)
    if review.undone_at:
        return await response_with_next_card(http, caller.token or "", None)
    drill = known_drill(site.course, review.card_ref)
    review_view = slip_view(site.course, drill, review_data, review, now)
    return review_response(http, review_view, caller.token or "")


def response_with_same_card(
    http: Request, review_view: ReviewView, typed_fields: Mapping[str, str]
) -> Response:
    """The card as it was, nothing written: the answer is right and waits for its rating, or cannot be read.

    `typed_fields`: what was typed, and when the card was shown first: thinking began then.
    """
    if not wants_fragment(http):
        address_fields = {"card": http.path_params["card"], "number": review_view.review_number}
        anchor = "flash-said"
        if review_view.exercise and review_view.exercise.error_sentence:
            anchor = f"{review_view.exercise.dom_id}-error"
        return redirect(http, f"{REVIEW_URL}?{urlencode({**address_fields, **typed_fields})}#{anchor}")
    status = 200
    if review_view.exercise and review_view.exercise.error_sentence:
        status = 422
    return review_response(http, review_view, status=status)


def review_response(http: Request, review_view: ReviewView, token: str = "", status: int = 200) -> Response:
    """The card as a fragment, or the page around it."""
    site = site_of(http)
    card_html = slots.NOTHING
    if review_view.card and review_view.state == "front":
        card_flash = CardFlash(review_view.card, tuple(review_view.rating_buttons), review_view.is_first)
        card_html = flash_html(site, card_flash, review_view.review_number, review_view.shown_text)
    if wants_fragment(http):
        review_html = site.render(
            "cards/_review.html", review=review_view, flash=card_html, sender_field=slots.SENDER
        )
        return fragment(http, review_html, token=token, status=status)
    is_signed_in = review_view.review_data.learner_id is not None
    return page(
        http,
        "cards/review",
        is_signed_in=is_signed_in,
        page="cards",
        title="复习",
        review=review_view,
        flash=card_html,
    )


def known_drill(course: Course, card_ref: str) -> Drill:
    """The drill that a card is; NotFound for a card that is not computed."""
    drill = course.drill_by_id.get(course.bare_id(card_ref))
    if drill is None:
        raise NotFound("这张卡片不用算。")
    return drill


def rating_of(form: PostedForm) -> Rating:
    """The rating that was pressed; NotFound for a form that is not ours."""
    rating_text = form.text("rating")
    if rating_text not in {"1", "2", "3", "4"}:
        raise NotFound("没有这种评分。")
    return Rating(int(rating_text))
