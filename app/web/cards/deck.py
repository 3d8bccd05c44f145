"""闪卡: today at a glance, the sets to collect, all cards, one card, how to review."""

from typing import Annotated, Any
from zoneinfo import available_timezones

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from app.course import Course
from app.records.accounts import learners
from app.records.cards import deck_pages, decks, review_queue
from app.records.cards.scheduling import HIGHEST, LOWEST
from app.records.cards.values import CollectedCards, DeckRow, Status
from app.records.db.errors import NotFound
from app.web.cards.card_list_views import CardFilter, browse, history, sets
from app.web.cards.card_views import (
    CardExercise,
    about,
    due_words,
    face,
    family_of,
    ref_of,
    stage_of,
    state_of,
)
from app.web.cards.review_views import plan
from app.web.site.clock import now
from app.web.site.requests import PostedForm, caller_of, guest_again, read_form, whole
from app.web.site.responses import fragment, page, see, wants_fragment
from app.web.site.site import site_of

router = APIRouter()
MOST_COLLECTED = 60
ZONE = "Asia/Shanghai"
ZONES = {
    "Asia/Shanghai": "北京", "Asia/Urumqi": "乌鲁木齐", "Asia/Hong_Kong": "香港", "Asia/Taipei": "台北",
    "Asia/Singapore": "新加坡", "Asia/Tokyo": "东京", "Australia/Sydney": "悉尼", "Europe/London": "伦敦",
    "Europe/Berlin": "柏林、巴黎", "America/New_York": "纽约", "America/Chicago": "芝加哥",
    "America/Los_Angeles": "洛杉矶",
}  # fmt: skip
Name = Annotated[str, Path(max_length=100)]


@router.get("/cards")
async def home(request: Request) -> Response:
    """What today holds, and what can be collected."""
    site = site_of(request)
    look, collected = await site.db.read(review_queue.load_home, caller_of(request), now())
    return page(
        request,
        "cards/deck",
        known=look.learner_id is not None,
        page="cards",
        title="闪卡",
        look=look,
        counts=look.counts,
        plan=plan(look),
        less=look.deck.less_on is not None and look.deck.less_on == look.day,
        sets=sets(site.course, collected),
    )


@router.post("/cards/collected")
async def collect(request: Request) -> Response:
    """Put cards into the deck; those that are there stay as they are."""
    site, form = site_of(request), await read_form(request)
    names = dict.fromkeys(form.all("card")[:MOST_COLLECTED])
    cards = [(ref_of(site.course, name), family_of(site.course, name)) for name in names]
    if any(card.startswith("own:") for card, _ in cards):
        raise NotFound("自己写的卡片一写好就在闪卡里了。")
    done = await site.db.write(decks.collect, caller_of(request, form), cards, now())
    if not wants_fragment(request):
        return see(request, form.next("/cards"), token=done.token)
    return fragment(
        request, site.render("cards/_collected.html", words=collected_words(done)), token=done.token
    )


def collected_words(done: CollectedCards) -> str:
    """What happened to the cards."""
    if done.added:
        return f"收好了{done.added}张，今天就能复习。"
    return "毕业了的那张，它又回来了：再连对三次。" if done.returned else "已经在你的闪卡里了。"


@router.post("/cards/less")
async def less(request: Request) -> Response:
    """今天少一点, or the whole again."""
    form = await read_form(request)
    arrival = await site_of(request).db.write(
        decks.less_today, caller_of(request, form), form.one("less") == "yes", now()
    )
    return see(request, form.next("/cards"), token=arrival.token)


@router.get("/cards/settings")
async def settings(request: Request) -> Response:
    """How to review."""
    look = await site_of(request).db.read(deck_pages.load_deck, caller_of(request))
    return settings_page(request, look.deck, look.time_zone, known=look.learner_id is not None)


@router.post("/cards/settings")
async def adjust(request: Request) -> Response:
    """Keep how to review from now on; what is already planned stays planned. Nothing is kept by half."""
    site, form = site_of(request), await read_form(request)
    zone, person, usual = form.one("time_zone"), caller_of(request, form), DeckRow()
    new_a_day, due_a_day = a_day(form.one("new_a_day"), 0), a_day(form.one("due_a_day"), 1)
    wishes = DeckRow(
        retention=form.number("retention", round(100 * usual.retention)) / 100,
        buttons=form.number("buttons", usual.buttons),
    )
    known_zone = zone if zone in available_timezones() else ""
    if new_a_day is None or due_a_day is None:
        known = await site.db.read(learners.load_visitor, person) is not None
        return settings_page(request, wishes, known_zone or ZONE, known=known, form=form)
    wishes = wishes._replace(new_a_day=new_a_day, due_a_day=due_a_day)
    arrival = await site.db.write(decks.adjust, person, wishes, known_zone, now())
    return see(request, "/cards/settings?kept=1", token=arrival.token)


def a_day(text: str, least: int) -> int | None:
    """A number of cards a day as somebody typed it; None where it cannot be read or cannot be.

    >>> a_day(" ５", 0), a_day("0", 1), a_day("二十", 0), a_day("9999", 0)
    (5, None, None, None)
    """
    number = whole(text)
    return number if number is not None and least <= number <= decks.MOST_A_DAY else None


def settings_page(
    request: Request, deck: DeckRow, zone: str, *, known: bool, form: PostedForm | None = None
) -> Response:
    """The wishes; with a `form` that could not be read, as it was typed."""
    return page(
        request,
        "cards/settings",
        known=known,
        status=422 if form else 200,
        page="cards",
        title="闪卡设置",
        deck=deck,
        typed={name: form.one(name) if form else getattr(deck, name) for name in ("new_a_day", "due_a_day")},
        error=f"每天新卡写0到{decks.MOST_A_DAY}的整数，每天复习写1到{decks.MOST_A_DAY}的整数。还没有改，改好再按一次。"
        if form
        else "",
        again=guest_again(form) if form else None,
        time_zone=zone,
        zones=ZONES if zone in ZONES else ZONES | {zone: zone},
        lowest=round(100 * LOWEST),
        highest=round(100 * HIGHEST),
        kept="kept" in request.query_params,
    )


@router.get("/cards/all")
async def every(request: Request) -> Response:
    """All cards, by stage and state, searchable."""
    site, query = site_of(request), request.query_params
    look = await site.db.read(deck_pages.load_deck, caller_of(request))
    number = query.get("page", "")
    wanted = CardFilter(
        stage=query.get("stage", ""),
        state=query.get("state", ""),
        words=query.get("q", "")[:100],
        page=int(number) if number.isascii() and number.isdecimal() and len(number) < 6 else 1,
    )
    return page(
        request,
        "cards/index",
        known=look.learner_id is not None,
        page="cards",
        title="全部卡片",
        **browse(site.course, look, wanted, now()),
        wanted=wanted,
    )


@router.post("/cards/{name}/status")
async def set_status(request: Request, name: Name) -> Response:
    """Put a card aside, take it back, or take it out of the deck."""
    site, form = site_of(request), await read_form(request)
    card, person, wish = ref_of(site.course, name), caller_of(request, form), form.one("status")
    if wish == "out":
        arrival = await site.db.write(decks.remove, person, card, now())
    else:
        status: Status = "suspended" if wish == "suspended" else "active"
        arrival = await site.db.write(decks.set_status, person, card, status, now())
    return see(request, form.next(f"/cards/{name}"), token=arrival.token)


@router.get("/cards/{name}")
async def one(request: Request, name: Name) -> Response:
    """A card: both sides, where it stands, what was answered."""
    site = site_of(request)
    card = ref_of(site.course, name)
    look = await site.db.read(deck_pages.load_card, caller_of(request), card)
    reps = look.row.memory.reps if look.row else 0
    found, drill = face(site.course, card, look.own, reps), site.course.drills.get(name)
    if found is None:
        raise NotFound("没有这张卡片，也许它已经换掉了。")
    return page(
        request,
        "cards/show",
        known=look.learner_id is not None,
        page="cards",
        title="一张卡片",
        card=found,
        exercise=CardExercise(site.course, drill, reps) if drill else None,
        own=look.own,
        row=look.row,
        state=state_of(look.row),
        due=due_words(look.row, now(), look.time_zone) if look.row else "",
        history=history(look),
        **place_of(site.course, name),
    )


def place_of(course: Course, name: str) -> dict[str, Any]:
    """The stage and the knowledge point of a card."""
    stage, skill = stage_of(course, name), course.card_skill(name)
    return {"stage": stage, "skill": about(course, skill)[0] if skill else ""}
