"""记得怎样: what comes, what was remembered, when, how long it took. Each picture has its table."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from app.course.insight.intervals import wilson_interval
from app.course.learning.figures.svg import WIDTH, drawing, fitting_x, tag, text
from app.records.cards.stats import (
    RETENTION_DAYS,
    WEEK_COUNT,
    DeckStatsData,
    RememberedCounts,
    ReviewDayRow,
    load_stats,
)
from app.web.cards.card_views import NAME_BY_STATE
from app.web.site.rendering import markup
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()
ENOUGH_REVIEWS = 20
"""Below so many reviews a share says nothing."""
LEAST_REVIEWS_OF_SHADES = (1, 10, 25, 50)
"""From so many reviews a day on, a shade darker."""
DRAWING_HEIGHT, TOP_Y, FLOOR_Y, LEFT_X = 160, 22, 128, 8
NAME_BY_AGE = {"young": "刚学不久的", "mature": "学了三周以上的"}


@router.get("/cards/stats")
async def show(request: RequestDep) -> Response:
    """Every picture with its table."""
    deck_stats = await request.read(load_stats, request.now)
    practised_day_rows = [
        review_day_row
        for review_day_row in deck_stats.day_rows
        if (deck_stats.today - review_day_row.day).days < RETENTION_DAYS
    ]
    practised_seconds = sum(review_day_row.review_seconds for review_day_row in practised_day_rows)
    retention_views = [
        retention_view(age_class, deck_stats.remembered_counts_by_age.get(age_class, RememberedCounts()))
        for age_class in NAME_BY_AGE
    ]
    return request.page(
        "cards/stats",
        is_signed_in=deck_stats.learner_id is not None,
        page="cards",
        title="记得怎样",
        deck_stats=deck_stats,
        forecast=forecast_chart_and_bars(deck_stats),
        minutes=minutes_chart_and_bars(deck_stats),
        spent_words=minute_words(practised_seconds / 60),
        practised_day_count=len(practised_day_rows),
        day_cells_by_weekday=day_cells_by_weekday(deck_stats),
        months_with_week_counts=months_with_week_counts(deck_stats),
        day_rows=day_table_rows(deck_stats.day_rows),
        retention_views=retention_views,
        aimed_retention=f"{deck_stats.retention:.0%}",
        card_count_by_state=card_count_by_state_word(deck_stats),
    )


class DayBar(NamedTuple):
    """A bar: its day, how much, and how the table says that."""

    label: str
    amount: float
    amount_words: str
    css_class: str = "bar-own"


def forecast_chart_and_bars(deck_stats: DeckStatsData) -> tuple[Markup, Sequence[DayBar]]:
    """What comes each day; the backlog stands first and apart."""
    day_bars = []
    if deck_stats.overdue_count:
        day_bars.append(
            DayBar("积下的", deck_stats.overdue_count, f"{deck_stats.overdue_count}张", "bar-late")
        )
    for days_ahead, due_count in enumerate(deck_stats.due_counts):
        bar_label = short_day_words(deck_stats.today + timedelta(days=days_ahead))
        if days_ahead < 2:
            bar_label = ("今天", "明天")[days_ahead]
        day_bars.append(DayBar(bar_label, due_count, f"{due_count}张"))
    return bar_drawing("due", "接下来30天要复习的", day_bars), day_bars


def minutes_chart_and_bars(deck_stats: DeckStatsData) -> tuple[Markup, Sequence[DayBar]]:
    """How long was spent on each of the last 30 days."""
    minutes_by_day = {day_row.day: day_row.review_seconds / 60 for day_row in deck_stats.day_rows}
    day_bars = []
    for days_back in range(RETENTION_DAYS - 1, -1, -1):
        day = deck_stats.today - timedelta(days=days_back)
        day_minutes = minutes_by_day.get(day, 0.0)
        day_bars.append(DayBar(short_day_words(day), day_minutes, minute_words(day_minutes)))
    return bar_drawing("minutes", "最近30天每天用的时间", day_bars), day_bars


def bar_drawing(drawing_id: str, title: str, day_bars: Sequence[DayBar]) -> Markup:
    """A drawing with one bar for each column; every tenth is labelled, and the highest has its figure."""
    column_width = (WIDTH - 2 * LEFT_X) / max(1, len(day_bars))
    filled_bars = [day_bar for day_bar in day_bars if day_bar.amount]
    highest_amount = max([1.0, *(day_bar.amount for day_bar in filled_bars)])
    svg_shapes = [tag("line", class_="axis", x1=LEFT_X, x2=WIDTH - LEFT_X, y1=FLOOR_Y, y2=FLOOR_Y)]
    for bar_index, day_bar in enumerate(day_bars):
        x = LEFT_X + bar_index * column_width
        if day_bar.amount:
            width = max(2.0, column_width - 2)
            height = day_bar.amount / highest_amount * (FLOOR_Y - TOP_Y)
            svg_shapes.append(bar_svg(day_bar.css_class, x + 1, width, height))
        if bar_index % 10 == 0:
            middle_x = fitting_x(day_bar.label, x + column_width / 2)
            svg_shapes.append(text(day_bar.label, middle_x, FLOOR_Y + 18))
    if filled_bars:
        highest_bar = max(filled_bars, key=lambda day_bar: day_bar.amount)
        bar_index = day_bars.index(highest_bar)
        middle_x = fitting_x(highest_bar.amount_words, LEFT_X + (bar_index + 0.5) * column_width)
        svg_shapes.append(text(highest_bar.amount_words, middle_x, TOP_Y - 6, "value"))
    description = "；".join(f"{day_bar.label}{day_bar.amount_words}" for day_bar in filled_bars)
    chart_svg = drawing(drawing_id, DRAWING_HEIGHT, title, description or "都是0", *svg_shapes)
    return markup(chart_svg)


def bar_svg(css_class: str, x: float, width: float, height: float) -> str:
    """A bar that stands on the floor of the drawing."""
    return tag("rect", class_=css_class, x=x, y=FLOOR_Y - height, width=width, height=height, rx=2)


class DayCell(NamedTuple):
    """A day of the heat map; `shade` 0 is nothing."""

    text: str
    shade: int
    is_today: bool


def day_cells_by_weekday(deck_stats: DeckStatsData) -> Mapping[str, Sequence[DayCell | None]]:
    """Weekday by weekday, the weeks from left to right: reviews per day. None for days to come."""
    review_count_by_day = {day_row.day: day_row.review_count for day_row in deck_stats.day_rows}
    cells_by_weekday: dict[str, list[DayCell | None]] = {
        weekday_name: [] for weekday_name in "一二三四五六日"
    }
    for monday in mondays(deck_stats.today):
        for weekday, day_cells in enumerate(cells_by_weekday.values()):
            day = monday + timedelta(days=weekday)
            if day > deck_stats.today:
                day_cells.append(None)
            else:
                day_cells.append(day_cell(day, review_count_by_day.get(day, 0), deck_stats.today))
    return cells_by_weekday


def mondays(today: date) -> Sequence[date]:
    """When the weeks of the heat map begin; the present week is the last."""
    this_monday = today - timedelta(days=today.weekday())
    return [this_monday - timedelta(weeks=weeks_back) for weeks_back in range(WEEK_COUNT - 1, -1, -1)]


def day_cell(day: date, review_count: int, today: date) -> DayCell:
    """A day with so many reviews."""
    count_words = "没有"
    if review_count:
        count_words = f"{review_count}次"
    shade = sum(review_count >= least_review_count for least_review_count in LEAST_REVIEWS_OF_SHADES)
    return DayCell(f"{short_day_words(day)}：{count_words}", shade, day == today)


def months_with_week_counts(deck_stats: DeckStatsData) -> Sequence[tuple[str, int]]:
    """The heads of the weeks: each month over the weeks that begin in it."""
    months_and_mondays = groupby(mondays(deck_stats.today), key=lambda monday: monday.month)
    return [(f"{month}月", len(list(mondays_of_month))) for month, mondays_of_month in months_and_mondays]


def day_table_rows(review_day_rows: Sequence[ReviewDayRow]) -> Sequence[Mapping[str, object]]:
    """The heat map as rows, the latest day first."""
    table_rows = []
    for review_day_row in reversed(review_day_rows):
        spent_words = minute_words(review_day_row.review_seconds / 60)
        table_rows.append(
            {**review_day_row._asdict(), "day": short_day_words(review_day_row.day), "spent": spent_words}
        )
    return table_rows


class RetentionView(NamedTuple):
    """How much of some cards was remembered when they came back, and how sure that is."""

    name: str
    share_words: str
    note: str = ""


def retention_view(age_class: str, remembered_counts: RememberedCounts) -> RetentionView:
    """The share in words; too few reviews allow no conclusion."""
    age_name = NAME_BY_AGE[age_class]
    if not remembered_counts.review_count:
        return RetentionView(age_name, "还没有")
    percent_text = f"{100 * remembered_counts.remembered_count / remembered_counts.review_count:.0f}%"
    if remembered_counts.review_count < ENOUGH_REVIEWS:
        return RetentionView(age_name, percent_text, f"才{remembered_counts.review_count}次，先不下结论")
    share_interval = wilson_interval(remembered_counts.remembered_count, remembered_counts.review_count)
    range_words = f"{share_interval.lower:.0%}到{share_interval.upper:.0%}"
    count_words = f"{remembered_counts.review_count}次里记得{remembered_counts.remembered_count}次"
    retention_words = f"{count_words}，大致在{range_words}之间"
    return RetentionView(age_name, percent_text, retention_words)


def card_count_by_state_word(deck_stats: DeckStatsData) -> Mapping[str, int]:
    """How many cards are in which state, in words."""
    card_count_by_word = dict.fromkeys(NAME_BY_STATE.values(), 0)
    for state_row in deck_stats.state_rows:
        card_status: str = state_row.status
        if card_status == "active":
            card_status = state_row.state
        card_count_by_word[NAME_BY_STATE[card_status]] += state_row.card_count
    return {state_word: card_count for state_word, card_count in card_count_by_word.items() if card_count}


def minute_words(minutes: float) -> str:
    """A length of time in minutes, as people say it.

    >>> minute_words(0), minute_words(0.4), minute_words(12.6)
    ('0分钟', '不到1分钟', '13分钟')
    """
    if 0 < minutes < 1:
        return "不到1分钟"
    return f"{minutes:.0f}分钟"


def short_day_words(day: date) -> str:
    """Month and day, without the year."""
    return f"{day.month}月{day.day}日"
