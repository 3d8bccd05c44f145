"""记一张: a learner's own cards, from a paragraph, an example or an item, or from nothing."""

from collections.abc import Collection, Sequence
from typing import Annotated

from fastapi import Path
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.course.items.marks import answer_state
from app.course.text import card_markdown
from app.course.text.card_markdown import NO_FAULT, CardFault
from app.records.cards import deck_pages, own_cards
from app.records.cards.values import CardData
from app.records.db.errors import Refused
from app.records.learning import attempts
from app.records.learning.values import ResponseRow
from app.web.cards.card_drafts import (
    CardDraft,
    draft_of,
    draft_of_item,
    tidy_tags,
)
from app.web.cards.card_views import CardExercise, ref_of, review_count_of
from app.web.items.item_views import seen_answers
from app.web.site.posted_forms import PostedForm, sender_field_again
from app.web.site.rendering import markup
from app.web.site.requests import CallerRequest, RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()
OwnCardName = Annotated[str, Path(pattern="^own-[0-9]{1,15}$")]


@router.get("/cards/new")
async def show_new_card(request: RequestDep) -> Response:
    """An empty card, or one that begins with what the address names; an open question has no answer yet."""
    course = request.course
    is_signed_in = await request.is_signed_in()
    drill = course.drill_by_id.get(request.query.get("card", ""))
    if drill:
        card_data = await request.read(deck_pages.load_card, course.ref(drill.id))
        card_exercise = CardExercise(course, drill, review_count_of(card_data.card))
        card_draft = draft_of_item(course, card_exercise.item)
        return draft_page(request, card_draft, is_signed_in)
    card_draft = draft_of(course, request.query)
    if await is_back_secret(request, card_draft):
        return draft_page(request, card_draft._replace(back=""), is_signed_in, withholds_back=True)
    return draft_page(request, card_draft, is_signed_in)


async def is_back_secret(request: CallerRequest, card_draft: CardDraft) -> bool:
    """Whether the back answers a question that this learner has not answered yet, by their log."""
    if card_draft.answered_item_and_seed is None:
        return False
    course = request.course
    item_id, seed = card_draft.answered_item_and_seed
    responses_by_attempt_ref = await request.read(
        attempts.load_responses_by_attempt_ref, course.ref(item_id), seed
    )
    return not is_answered(course, item_id, seed, responses_by_attempt_ref.values())


def is_answered(
    course: Course, item_id: str, seed: int, responses_of_attempts: Collection[Sequence[ResponseRow]]
) -> bool:
    """Whether a learner solved an item or saw its solution, in one of several attempts at it."""
    item = course.variant(item_id, seed)
    return any(answer_state(item, seen_answers(responses)) != "open" for responses in responses_of_attempts)


@router.post("/cards/own")
async def create_card(request: RequestDep) -> Response:
    """Keep a new card, or show how it would look."""
    card_draft = read_draft(request.form)
    card_fault = await fault_of(request, card_draft)
    if card_fault.sentence or "look" in request.form.texts_by_field:
        return await draft_response(request, card_draft, card_fault)
    try:
        collect_result = await request.write(own_cards.write_cards, [card_draft.typed_card], request.now)
    except Refused as refusal:
        return await draft_response(request, card_draft, CardFault(str(refusal), ""))
    card_name = collect_result.last_card_ref.replace(":", "-")
    return request.redirect(f"/cards/{card_name}", token=collect_result.token)


async def draft_response(request: CallerRequest, card_draft: CardDraft, card_fault: CardFault) -> Response:
    """A new card that is not kept yet, how it would look, and what is wrong with it."""
    is_signed_in = await request.is_signed_in()
    side_htmls = await front_and_back_of_draft(request, card_draft, card_fault)
    return draft_page(request, card_draft, is_signed_in, card_fault=card_fault, side_htmls=side_htmls)


@router.get("/cards/{name}/edit")
async def open_card(request: RequestDep, name: OwnCardName) -> Response:
    """An own card as it is now, to be changed."""
    card_ref = ref_of(request.course, name)
    card_data = await request.read(deck_pages.load_card, card_ref)
    card_draft = stored_draft(card_data)
    seen_digest = own_cards.words_digest(card_draft.front_back_and_tags)
    return draft_page(request, card_draft, card_data.learner_id is not None, name, seen_digest=seen_digest)


def stored_draft(card_data: CardData) -> CardDraft:
    """An own card as it is kept."""
    own_card_row = card_data.own_card
    if own_card_row is None:
        return CardDraft()
    return CardDraft(own_card_row.front, own_card_row.back, own_card_row.tags, own_card_row.source)


@router.post("/cards/{name}/edit")
async def edit_card(request: RequestDep, name: OwnCardName) -> Response:
    """Keep the new words; where another tab was quicker, show what it kept beside them."""
    card_draft = read_draft(request.form)
    seen_digest = request.form.text("seen_words")
    card_ref = ref_of(request.course, name)
    card_fault = await fault_of(request, card_draft)
    if card_fault.sentence or "look" in request.form.texts_by_field:
        card_data = await request.read(deck_pages.load_card, card_ref)  # NotFound for anybody else's
        side_htmls = await front_and_back_of_draft(request, card_draft, card_fault)
        return draft_page(
            request,
            card_draft,
            card_data.learner_id is not None,
            name,
            card_fault=card_fault,
            side_htmls=side_htmls,
            seen_digest=seen_digest,
        )
    try:
        known_learner = await request.write(
            own_cards.edit_card, card_ref, card_draft.typed_card, request.now, seen_digest
        )
    except Refused as refusal:
        return await card_editor_page(request, card_draft, name, str(refusal))
    return request.redirect(f"/cards/{name}", token=known_learner.token)


async def card_editor_page(
    request: CallerRequest, card_draft: CardDraft, card_name: str, error_sentence: str
) -> Response:
    """What was written, below what another tab has kept since; the next time it is kept."""
    card_data = await request.read(deck_pages.load_card, ref_of(request.course, card_name))
    stored_card = stored_draft(card_data)
    return draft_page(
        request,
        card_draft,
        card_data.learner_id is not None,
        card_name,
        card_fault=CardFault(error_sentence, ""),
        side_htmls=await front_and_back_of_draft(request, stored_card, NO_FAULT),
        seen_digest=own_cards.words_digest(stored_card.front_back_and_tags),
        stored_card=stored_card,
    )


@router.post("/cards/{name}/deletion")
async def delete_card(request: RequestDep, name: OwnCardName) -> Response:
    """The card is gone, its words too."""
    card_ref = ref_of(request.course, name)
    known_learner = await request.write(own_cards.delete_card, card_ref, request.now)
    return request.redirect("/cards/all?stage=own", token=known_learner.token)


async def fault_of(request: CallerRequest, card_draft: CardDraft) -> CardFault:
    """What is wrong with a card, looked for off the event loop."""
    return await request.site.off_loop.run(card_markdown.fault_of_sides, card_draft.front, card_draft.back)


async def front_and_back_of_draft(
    request: CallerRequest, card_draft: CardDraft, card_fault: CardFault
) -> tuple[Markup, Markup] | None:
    """How a card will look, drawn off the event loop; None while something is wrong with it."""
    if card_fault.sentence:
        return None
    return await request.site.off_loop.run(front_and_back_htmls, card_draft)


def front_and_back_htmls(card_draft: CardDraft) -> tuple[Markup, Markup]:
    """Front and back as they will look."""
    return markup(card_markdown.html(card_draft.front)), markup(card_markdown.html(card_draft.back))


def read_draft(form: PostedForm) -> CardDraft:
    """What was written, with spaces and the ends of lines put in order: browsers send two characters."""
    front = form.text("front").replace("\r\n", "\n").strip()
    back = form.text("back").replace("\r\n", "\n").strip()
    tags = tidy_tags(form.text("tags"))
    source_url = form.next_path("")[:200]
    return CardDraft(front, back, tags, source_url)


def draft_page(
    request: CallerRequest,
    card_draft: CardDraft,
    is_signed_in: bool,
    card_name: str = "",
    *,
    card_fault: CardFault = NO_FAULT,
    side_htmls: tuple[Markup, Markup] | None = None,
    withholds_back: bool = False,
    seen_digest: str = "",
    stored_card: CardDraft | None = None,
) -> Response:
    """The form, with what was written and, when it was asked for, both sides as they would look.

    `withholds_back`: the answer stands on no back before the question is answered; `seen_digest`: of the
    words that the form was opened with; `stored_card`: what `side_htmls` show instead, where it was
    refused for that.
    """
    title = "写一张卡片"
    if card_name:
        title = "改一张卡片"
    return request.page(
        "cards/own_card",
        is_signed_in=is_signed_in,
        page="cards",
        title=title,
        draft=card_draft,
        name=card_name,
        error_sentence=card_fault.sentence,
        refused_side=card_fault.side,
        withholds_back=withholds_back,
        sides=side_htmls,
        seen_digest=seen_digest,
        stored_card=stored_card,
        sender_field_again=sender_field_again(request.form),
    )
