"""How a deck is remembered, drawn by the server; each picture has a table that says the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import sqrt

from markupsafe import Markup

from app.course.learning.figures.svg import WIDTH, drawing, inside, tag, text
from app.records.cards.stats import RETENTION_DAYS, WEEKS, DayRow, DeckStats, Share
from app.web.cards.card_views import STATES
from app.web.site.responses import markup

ENOUGH = 20
"""Below so many reviews a share says nothing."""
SHADES = (1, 10, 25, 50)
"""From so many reviews a day on, a shade darker."""
HEIGHT, TOP, FLOOR, LEFT = 160, 22, 128, 8


@dataclass(frozen=True)
class DayBar:
    """A bar: its day, how much, and how it is said in the table."""

    label: str
    value: float
    said: str
    class_: str = "bar-own"


def forecast(look: DeckStats) -> tuple[Markup, Sequence[DayBar]]:
    """What comes each day; the backlog stands first and apart."""
    columns = [
        DayBar(_day(look.today + timedelta(days=ahead), ahead), due, f"{due}张")
        for ahead, due in enumerate(look.due)
    ]
    if look.overdue:
        columns.insert(0, DayBar("积下的", look.overdue, f"{look.overdue}张", "bar-late"))
    return bars("due", "接下来30天要复习的", columns), columns


def minutes(look: DeckStats) -> tuple[Markup, Sequence[DayBar]]:
    """How long was spent on each of the last 30 days."""
    spent = {row.day: row.seconds / 60 for row in look.days}
    days = [look.today - timedelta(days=back) for back in range(RETENTION_DAYS - 1, -1, -1)]
    columns = [DayBar(_short(day), spent.get(day, 0.0), said_minutes(spent.get(day, 0.0))) for day in days]
    return bars("minutes", "最近30天每天用的时间", columns), columns


def bars(name: str, title: str, columns: Sequence[DayBar]) -> Markup:
    """A drawing with one bar for each column; every tenth is labelled, and the highest has its figure."""
    step = (WIDTH - 2 * LEFT) / max(1, len(columns))
    top = max(1.0, *(column.value for column in columns)) if columns else 1.0
    parts = [tag("line", class_="axis", x1=LEFT, x2=WIDTH - LEFT, y1=FLOOR, y2=FLOOR)]
    for place, column in enumerate(columns):
        x, height = LEFT + place * step, column.value / top * (FLOOR - TOP)
        if height:
            width, y = max(2.0, step - 2), FLOOR - height
            parts.append(tag("rect", class_=column.class_, x=x + 1, y=y, width=width, height=height, rx=2))
        if place % 10 == 0:
            parts.append(text(column.label, inside(column.label, x + step / 2), FLOOR + 18))
    highest = max(range(len(columns)), key=lambda place: columns[place].value, default=None)
    if highest is not None and columns[highest].value:
        middle = inside(columns[highest].said, LEFT + (highest + 0.5) * step)
        parts.append(text(columns[highest].said, middle, TOP - 6, "value"))
    described = "；".join(f"{column.label}{column.said}" for column in columns if column.value) or "都是0"
    return markup(drawing(name, HEIGHT, title, described, *parts))


@dataclass(frozen=True)
class DayCell:
    """A day of the heat map; `shade` 0 is nothing. None of it lies in the future."""

    said: str
    shade: int
    today: bool


def heat(look: DeckStats) -> Sequence[tuple[str, Sequence[DayCell | None]]]:
    """Weekday by weekday, the weeks from left to right: reviews per day."""
    done = {row.day: row.reviews for row in look.days}
    monday = look.today - timedelta(days=look.today.weekday(), weeks=WEEKS - 1)
    return [
        (
            name,
            [_cell(monday + timedelta(weeks=week, days=weekday), done, look.today) for week in range(WEEKS)],
        )
        for weekday, name in enumerate("一二三四五六日")
    ]


def months(look: DeckStats) -> Sequence[tuple[str, int]]:
    """The heads of the weeks: a month over the weeks that begin in it."""
    monday = look.today - timedelta(days=look.today.weekday(), weeks=WEEKS - 1)
    found: list[tuple[str, int]] = []
    for week in range(WEEKS):
        name = f"{(monday + timedelta(weeks=week)).month}月"
        if found and found[-1][0] == name:
            found[-1] = (name, found[-1][1] + 1)
        else:
            found.append((name, 1))
    return found


def _cell(day: date, done: Mapping[date, int], today: date) -> DayCell | None:
    if day > today:
        return None
    count = done.get(day, 0)
    shade = sum(count >= least for least in SHADES)
    return DayCell(f"{_short(day)}：{count}次" if count else f"{_short(day)}：没有", shade, day == today)


def per_day(days: Sequence[DayRow]) -> Sequence[Mapping[str, object]]:
    """The heat map as rows, the latest day first."""
    return [
        {
            "day": _short(row.day),
            "reviews": row.reviews,
            "known": row.remembered,
            "spent": said_minutes(row.seconds / 60),
        }
        for row in reversed(days)
    ]


def retained(name: str, share: Share) -> Mapping[str, str]:
    """How much was known when it came back, and how sure that is."""
    if not share.total:
        return {"name": name, "share": "还没有", "note": ""}
    percent = f"{100 * share.remembered / share.total:.0f}%"
    if share.total < ENOUGH:
        return {"name": name, "share": percent, "note": f"才{share.total}次，先不下结论"}
    low, high = interval(share)
    return {
        "name": name,
        "share": percent,
        "note": f"{share.total}次里记得{share.remembered}次，大致在{low:.0%}到{high:.0%}之间",
    }


def interval(share: Share) -> tuple[float, float]:
    """Wilson's interval, 95 %: where the true share lies.

    >>> [round(one, 2) for one in interval(Share(45, 50))]
    [0.79, 0.96]
    """
    z, n, p = 1.96, share.total, share.remembered / share.total
    middle, spread = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)


def standing(look: DeckStats) -> Mapping[str, int]:
    """How many cards are in which state, in words."""
    found = dict.fromkeys(list(STATES.values())[1:], 0)
    for status, state, count in look.cards:
        found[STATES[state if status == "active" else status]] += count
    return {word: count for word, count in found.items() if count}


def said_minutes(spent: float) -> str:
    """
    >>> said_minutes(0), said_minutes(0.4), said_minutes(12.6)
    ('0分钟', '不到1分钟', '13分钟')
    """
    return "不到1分钟" if 0 < spent < 1 else f"{spent:.0f}分钟"


def _day(day: date, ahead: int) -> str:
    return ("今天", "明天")[ahead] if ahead < 2 else _short(day)


def _short(day: date) -> str:
    return f"{day.month}月{day.day}日"
