"""闪卡: today at a glance, the sets to collect, all cards, one card, how to review."""

import re
from collections.abc import Mapping
from typing import Annotated, Any
from zoneinfo import available_timezones

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from app.course.text.typed import whole
from app.records.accounts import learners
from app.records.cards import deck_pages, decks, reviews
from app.records.cards.scheduling import HIGHEST, LOWEST
from app.records.cards.values import USUAL_DECK, CollectedCards, DeckRow, Status
from app.records.db.errors import NotFound
from app.web.cards.card_list_views import CardFilter, browse, card_sets, history, stage_names
from app.web.cards.card_views import (
    STATES,
    CardExercise,
    course_card,
    due_words,
    face,
    ref_of,
    reps_of,
    stage_of,
    state_of,
)
from app.web.cards.reviews import backlog_plan
from app.web.site.requests import CallerDep, FormDep, Now, SiteDep, guest_again
from app.web.site.responses import fragment, page, see, wants_fragment

router = APIRouter()
MOST_COLLECTED = 60
ZONES = {
    "Asia/Shanghai": "北京", "Asia/Urumqi": "乌鲁木齐", "Asia/Hong_Kong": "香港", "Asia/Taipei": "台北",
    "Asia/Singapore": "新加坡", "Asia/Tokyo": "东京", "Australia/Sydney": "悉尼", "Europe/London": "伦敦",
    "Europe/Berlin": "柏林、巴黎", "America/New_York": "纽约", "America/Chicago": "芝加哥",
    "America/Los_Angeles": "洛杉矶",
}  # fmt: skip
UNREADABLE = (
    f"每天新卡写0到{decks.MOST_A_DAY}的整数，每天复习写1到{decks.MOST_A_DAY}的整数。还没有改，改好再按一次。"
)
Name = Annotated[str, Path(max_length=100)]


@router.get("/cards")
async def home(request: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """What today holds, and what can be collected."""
    queue, collected = await site.db.read(reviews.load_home, caller, now)
    less_on = queue.deck.less_on
    return page(
        request,
        "cards/deck",
        signed_in=queue.learner_id is not None,
        page="cards",
        title="闪卡",
        counts=queue.counts,
        plan=backlog_plan(queue),
        less=less_on is not None and less_on == queue.day,
        sets=card_sets(site.course, collected),
    )


@router.post("/cards/collected")
async def collect(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """Put cards into the deck; those that are there stay as they are."""
    names = dict.fromkeys(form.all("card")[:MOST_COLLECTED])
    cards = [course_card(site.course, name) for name in names]
    collected = await site.db.write(decks.collect, caller, cards, now)
    if not wants_fragment(request):
        return see(request, form.next("/cards"), token=collected.token)
    html = site.render("cards/_collected.html", words=collected_words(collected))
    return fragment(request, html, token=collected.token)


def collected_words(collected: CollectedCards) -> str:
    """What happened to the cards."""
    if collected.added:
        return f"收好了{collected.added}张，今天就能复习。"
    if collected.returned:
        return "毕业了的那张，它又回来了：再连对三次。"
    return "已经在你的闪卡里了。"


@router.post("/cards/less")
async def less(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """今天少一点, or the whole again."""
    arrival = await site.db.write(decks.less_today, caller, form.text("less") == "yes", now)
    return see(request, form.next("/cards"), token=arrival.token)


@router.get("/cards/settings")
async def settings(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """How to review."""
    deck = await site.db.read(deck_pages.load_deck, caller)
    return settings_page(request, deck.learner_id, deck.deck, deck.time_zone)


@router.post("/cards/settings")
async def adjust(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """Keep how to review from now on; what is already planned stays planned. Nothing is kept by half."""
    percent = form.number("retention", round(100 * USUAL_DECK.retention))
    buttons = form.number("buttons", USUAL_DECK.buttons)
    deck = USUAL_DECK._replace(retention=percent / 100, buttons=buttons)
    time_zone = form.text("time_zone")
    if time_zone not in available_timezones():
        time_zone = ""
    typed = {"new_a_day": form.text("new_a_day"), "due_a_day": form.text("due_a_day")}
    new_a_day = cards_a_day(typed["new_a_day"], 0)
    due_a_day = cards_a_day(typed["due_a_day"], 1)
    if new_a_day is None or due_a_day is None:
        learner_id = await site.db.read(learners.load_visitor, caller)
        zone = time_zone or learners.USUAL_ZONE
        refusal = {"status": 422, "typed": typed, "error": UNREADABLE, "again": guest_again(form)}
        return settings_page(request, learner_id, deck, zone, **refusal)
    deck = deck._replace(new_a_day=new_a_day, due_a_day=due_a_day)
    arrival = await site.db.write(decks.adjust, caller, deck, time_zone, now)
    return see(request, "/cards/settings?kept=1", token=arrival.token)


def cards_a_day(text: str, least: int) -> int | None:
    """A number of cards a day as somebody typed it; None where it cannot be read or cannot be.

    >>> cards_a_day(" ５", 0), cards_a_day("0", 1), cards_a_day("二十", 0), cards_a_day("9999", 0)
    (5, None, None, None)
    """
    number = whole(text)
    if number is None or not least <= number <= decks.MOST_A_DAY:
        return None
    return number


def settings_page(
    request: Request, learner_id: int | None, deck: DeckRow, zone: str, **refusal: Any
) -> Response:
    """The settings; after a refusal as they were typed, and why."""
    return page(
        request,
        "cards/settings",
        signed_in=learner_id is not None,
        page="cards",
        title="闪卡设置",
        deck=deck,
        time_zone=zone,
        zones=ZONES | {zone: ZONES.get(zone, zone)},
        lowest=round(100 * LOWEST),
        highest=round(100 * HIGHEST),
        saved="kept" in request.query_params,
        **{"typed": deck, "error": "", "again": None, **refusal},
    )


@router.get("/cards/all")
async def index(request: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """All cards, by stage and state, searchable."""
    card_filter = filter_of(request.query_params)
    deck = await site.db.read(deck_pages.load_deck, caller)
    return page(
        request,
        "cards/index",
        signed_in=deck.learner_id is not None,
        page="cards",
        title="全部卡片",
        card_filter=card_filter,
        stages=stage_names(site.course),
        states=STATES,
        **browse(site.course, deck, card_filter, now),
    )


def filter_of(query: Mapping[str, str]) -> CardFilter:
    """The filter of an address; its first page where none is named."""
    page_number = 1
    if number := re.fullmatch("[0-9]{1,5}", query.get("page", "")):
        page_number = int(number[0])
    words = query.get("q", "")[:100]
    return CardFilter(query.get("stage", ""), query.get("state", ""), words, page_number)


@router.post("/cards/{name}/status")
async def set_status(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, name: Name
) -> Response:
    """Put a card aside, take it back, or take it out of the deck."""
    card = ref_of(site.course, name)
    wish = form.text("status")
    status: Status = "active"
    if wish == "suspended":
        status = "suspended"
    if wish == "out":
        arrival = await site.db.write(decks.remove, caller, card, now)
    else:
        arrival = await site.db.write(decks.set_status, caller, card, status, now)
    return see(request, form.next(f"/cards/{name}"), token=arrival.token)


@router.get("/cards/{name}")
async def show(request: Request, site: SiteDep, caller: CallerDep, now: Now, name: Name) -> Response:
    """A card: both sides, where it stands, what was answered."""
    course = site.course
    ref = ref_of(course, name)
    card = await site.db.read(deck_pages.load_card, caller, ref)
    reps = reps_of(card.row)
    exercise = None
    if name in course.drills:
        exercise = CardExercise(course, course.drills[name], reps)
    card_face = face(course, ref, card.own, reps)
    if card_face is None:
        raise NotFound("没有这张卡片，也许它已经换掉了。")
    return page(
        request,
        "cards/show",
        signed_in=card.learner_id is not None,
        page="cards",
        title="一张卡片",
        card=card_face,
        exercise=exercise,
        own=card.own,
        row=card.row,
        state=state_of(card.row),
        due=due_words(card.row, now, card.time_zone),
        history=history(card),
        stage=stage_of(course, name),
    )
