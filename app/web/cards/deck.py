"""闪卡: today at a glance, the sets to collect, all cards, and one of them."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import Path
from starlette.responses import Response

from app.records.accounts.values import Caller
from app.records.cards import deck_pages, decks, reviews
from app.records.cards.values import CollectResult, Status
from app.records.db.errors import NotFound
from app.web.cards.card_list_views import (
    CardFilter,
    card_list_context,
    card_sets,
    past_review_views_of,
    title_by_stage_id,
)
from app.web.cards.card_views import (
    NAME_BY_STATE,
    CardExercise,
    card_state_of,
    deck_ref_of,
    due_time_words,
    face_of,
    ref_and_family_of,
    ref_of,
    review_count_of,
    stage_of,
)
from app.web.cards.review_views import backlog_plan
from app.web.site.requests import RequestDep, small_number_of_text
from app.web.site.routing import LazyRouter

router = LazyRouter()
MOST_COLLECTED_CARDS = 60
FEWEST_CARDS_TO_HALVE = 4
"""Fewer are done before the question whether to do less."""
CardName = Annotated[str, Path(max_length=100)]


@router.get("/cards")
async def show_deck_home(request: RequestDep) -> Response:
    """What today holds, and what can be collected."""
    review_data, collected_refs = await request.read(reviews.load_day_and_deck_refs, request.now)
    halved_day = review_data.settings.less_on
    is_halved = halved_day is not None and halved_day == review_data.day
    plan_of_backlog = backlog_plan(review_data)
    sets_of_stages = card_sets(request.course, collected_refs)
    return request.page(
        "cards/deck",
        is_signed_in=review_data.learner_id is not None,
        page="cards",
        title="闪卡",
        counts=review_data.counts,
        new_a_day=review_data.settings.new_cards_a_day,
        plan=plan_of_backlog,
        is_less=is_halved,
        may_halve=review_data.counts.remaining_count >= FEWEST_CARDS_TO_HALVE,
        card_sets=sets_of_stages,
    )


@router.post("/cards/collected")
async def collect_cards(request: RequestDep) -> Response:
    """Put cards into the deck; those that are there stay as they are."""
    card_ids = dict.fromkeys(request.form.texts("card")[:MOST_COLLECTED_CARDS])
    refs_and_families = [ref_and_family_of(request.course, card_id) for card_id in card_ids]
    collect_result = await request.write(decks.collect_cards, refs_and_families, request.now)
    if not request.wants_fragment:
        return request.redirect(request.form.next_path("/cards"), token=collect_result.token)
    caller = Caller(collect_result.token)
    day_counts = await request.site.db.read(reviews.load_day_counts, caller, request.now)
    ready_count = day_counts.new_count
    collected_html = request.site.render(
        "cards/_collected.html",
        words=collected_sentence(collect_result, ready_count),
        ready_count=ready_count,
    )
    return request.fragment(collected_html, token=collect_result.token)


def collected_sentence(collect_result: CollectResult, ready_count: int) -> str:
    """What happened to the cards; `ready_count`: so many new ones may be learnt now."""
    if collect_result.added_count and ready_count:
        return f"收好了{collect_result.added_count}张。"
    if collect_result.added_count:
        return f"收好了{collect_result.added_count}张，轮到了就会来找你。"
    if collect_result.returned_count:
        return "毕业了的那张，它又回来了：再连对三次。"
    return "已经在你的闪卡里了。"


@router.post("/cards/less")
async def halve_today(request: RequestDep) -> Response:
    """今天少一点, or the whole again."""
    is_halved = request.form.text("less") == "yes"
    known_learner = await request.write(decks.halve_today, is_halved, request.now)
    return request.redirect(request.form.next_path("/cards"), token=known_learner.token)


@router.get("/cards/all")
async def index(request: RequestDep) -> Response:
    """All cards, by stage and state, searchable."""
    card_filter = filter_of(request.query)
    deck_data = await request.read(deck_pages.load_deck)
    stage_title_by_id = title_by_stage_id(request.course)
    list_context = card_list_context(request.course, deck_data, card_filter, request.now)
    return request.page(
        "cards/index",
        is_signed_in=deck_data.learner_id is not None,
        page="cards",
        title="全部卡片",
        card_filter=card_filter,
        stage_names=stage_title_by_id,
        state_names=NAME_BY_STATE,
        added_count=small_number_of_text(request.query.get("kept", ""), 4),
        **list_context,
    )


def filter_of(query: Mapping[str, str]) -> CardFilter:
    """The filter of an address; its first page where none is named."""
    page_number = small_number_of_text(query.get("page", ""), 5)
    if page_number is None:
        page_number = 1
    search_text = query.get("q", "")[:100]
    return CardFilter(query.get("stage", ""), query.get("state", ""), search_text, page_number)


@router.post("/cards/{name}/status")
async def set_status(request: RequestDep, name: CardName) -> Response:
    """Put a card aside, take it back, or take it out of the deck."""
    card_ref = deck_ref_of(request.course, name)
    wanted_status = request.form.text("status")
    card_status: Status = "active"
    if wanted_status == "suspended":
        card_status = "suspended"
    if wanted_status == "out":
        known_learner = await request.write(decks.remove_card, card_ref, request.now)
    else:
        known_learner = await request.write(decks.set_status, card_ref, card_status, request.now)
    return request.redirect(request.form.next_path(f"/cards/{name}"), token=known_learner.token)


@router.get("/cards/{name}")
async def show(request: RequestDep, name: CardName) -> Response:
    """A card: both sides, where it stands, what was answered."""
    course = request.course
    card_ref = ref_of(course, name)
    card_data = await request.read(deck_pages.load_card, card_ref)
    card_row = card_data.card
    review_count = review_count_of(card_row)
    card_exercise = None
    if name in course.drill_by_id:
        card_exercise = CardExercise(course, course.drill_by_id[name], review_count)
    card_face = face_of(course, card_ref, card_data.own_card, review_count)
    if card_face is None:
        raise NotFound("没有这张卡片，也许它已经换掉了。")
    due_words = due_time_words(card_row, request.now, card_data.time_zone)
    past_review_views = past_review_views_of(card_data)
    stage = stage_of(course, name)
    return request.page(
        "cards/show",
        is_signed_in=card_data.learner_id is not None,
        page="cards",
        title="一张卡片",
        card=card_face,
        exercise=card_exercise,
        own_card_row=card_data.own_card,
        card_row=card_row,
        miss_count=card_data.miss_count,
        state=card_state_of(card_row),
        due_words=due_words,
        past_reviews=past_review_views,
        stage=stage,
    )
