"""闪卡设置: how many cards a day, how firmly they shall be known, how many buttons, in which time zone."""

from collections.abc import Sequence
from zoneinfo import available_timezones

from starlette.responses import Response

from app.course.text.typed import whole_number
from app.records.accounts import learners
from app.records.cards import deck_pages, decks
from app.records.cards.scheduling import HIGHEST_RETENTION, LOWEST_RETENTION
from app.records.cards.values import USUAL_SETTINGS, DeckSettings
from app.web.site.posted_forms import sender_field_again
from app.web.site.requests import CallerRequest, RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()
NAME_BY_ZONE = {
    "Asia/Shanghai": "北京", "Asia/Urumqi": "乌鲁木齐", "Asia/Hong_Kong": "香港", "Asia/Taipei": "台北",
    "Asia/Singapore": "新加坡", "Asia/Tokyo": "东京", "Australia/Sydney": "悉尼", "Europe/London": "伦敦",
    "Europe/Berlin": "柏林、巴黎", "America/New_York": "纽约", "America/Chicago": "芝加哥",
    "America/Los_Angeles": "洛杉矶",
}  # fmt: skip
UNREADABLE_LIMITS_SENTENCE = (
    f"每天新卡写0到{decks.MOST_CARDS_A_DAY}的整数，每天复习写1到{decks.MOST_CARDS_A_DAY}的整数。"
    "还没有改，改好再按一次。"
)


@router.get("/cards/settings")
async def show_deck_settings(request: RequestDep) -> Response:
    """How to review."""
    deck_data = await request.read(deck_pages.load_deck)
    return settings_page(request, deck_data.learner_id is not None, deck_data.settings, deck_data.time_zone)


@router.post("/cards/settings")
async def set_deck_settings(request: RequestDep) -> Response:
    """Keep how to review from now on; what is already planned stays planned. Nothing is kept by half."""
    form = request.form
    retention_percent = form.number("retention", round(100 * USUAL_SETTINGS.retention))
    button_count = form.number("buttons", USUAL_SETTINGS.button_count)
    deck_settings = USUAL_SETTINGS._replace(retention=retention_percent / 100, button_count=button_count)
    time_zone = form.text("time_zone")
    if time_zone not in available_timezones():
        time_zone = ""
    new_cards_a_day = read_cards_a_day(form.text("new_a_day"), 0)
    due_cards_a_day = read_cards_a_day(form.text("due_a_day"), 1)
    if new_cards_a_day is None or due_cards_a_day is None:
        limit_by_field = {"new_a_day": new_cards_a_day, "due_a_day": due_cards_a_day}
        refused_fields = [field_name for field_name, limit in limit_by_field.items() if limit is None]
        shown_time_zone = time_zone or learners.DEFAULT_TIME_ZONE
        return settings_page(
            request, await request.is_signed_in(), deck_settings, shown_time_zone, refused_fields
        )
    deck_settings = deck_settings._replace(new_cards_a_day=new_cards_a_day, due_cards_a_day=due_cards_a_day)
    known_learner = await request.write(decks.change_deck_settings, deck_settings, time_zone, request.now)
    return request.redirect("/cards/settings?kept=1", token=known_learner.token)


def read_cards_a_day(typed_limit_text: str, fewest_cards: int) -> int | None:
    """A number of cards a day as somebody typed it; None where it cannot be read or cannot be.

    >>> [read_cards_a_day(typed_limit_text, 1) for typed_limit_text in (" ５", "0", "二十", "9999")]
    [5, None, None, None]
    """
    typed_number = whole_number(typed_limit_text)
    if typed_number is None or not fewest_cards <= typed_number <= decks.MOST_CARDS_A_DAY:
        return None
    return typed_number


def settings_page(
    request: CallerRequest,
    is_signed_in: bool,
    deck_settings: DeckSettings,
    time_zone: str,
    refused_fields: Sequence[str] = (),
) -> Response:
    """The settings; with `refused_fields` fields as they were typed, and why."""
    name_by_zone = NAME_BY_ZONE | {time_zone: NAME_BY_ZONE.get(time_zone, time_zone)}
    typed_text_by_field = {
        "new_a_day": f"{deck_settings.new_cards_a_day}",
        "due_a_day": f"{deck_settings.due_cards_a_day}",
    }
    sender_field = None
    error_sentence = ""
    if refused_fields:
        error_sentence = UNREADABLE_LIMITS_SENTENCE
        form = request.form
        typed_text_by_field = {"new_a_day": form.text("new_a_day"), "due_a_day": form.text("due_a_day")}
        sender_field = sender_field_again(form)
    return request.page(
        "cards/settings",
        is_signed_in=is_signed_in,
        page="cards",
        title="闪卡设置",
        deck=deck_settings,
        typed_limits=typed_text_by_field,
        time_zone=time_zone,
        zone_names=name_by_zone,
        lowest_percent=round(100 * LOWEST_RETENTION),
        highest_percent=round(100 * HIGHEST_RETENTION),
        is_saved="kept" in request.query,
        error_sentence=error_sentence,
        refused_fields=refused_fields,
        sender_field_again=sender_field,
    )
