"""The clock of the site: the present moment, and times as pages and forms write them."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from app.records.db.errors import Refused


def system_time() -> datetime:
    return datetime.now(UTC)


time_source: Callable[[], datetime] = system_time
"""Where the time comes from; tests put their own moments here."""


def now() -> datetime:
    """The present moment, aware, in UTC: every moment that a page or a verb goes by is read here."""
    return time_source()


FORMAT_BY_FILTER = {
    "day": "%Y-%m-%d",
    "minute": "%Y-%m-%d %H:%M",
    "lately": "%m-%d %H:%M",
    "local": "%Y-%m-%dT%H:%M",
}
"""How templates write a time, by the name of the filter; `local` is for inputs of type datetime-local."""


def moment_text(time_format: str, zone: ZoneInfo, moment: datetime) -> str:
    """A moment as the clock of the place shows it.

    >>> moment_text("%Y-%m-%d %H:%M", ZoneInfo("Asia/Shanghai"), datetime(2026, 9, 1, 17, tzinfo=UTC))
    '2026-09-02 01:00'
    """
    return moment.astimezone(zone).strftime(time_format)


def days_ago(event_at: datetime, now: datetime) -> int:
    """How many midnights lie between a moment and `now`, by the clock of `now`.

    >>> from zoneinfo import ZoneInfo
    >>> now = datetime(2026, 9, 2, 8, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
    >>> days_ago(now.replace(hour=0), now), days_ago(now.replace(day=1, hour=23), now)
    (0, 1)
    """
    return (now.date() - event_at.astimezone(now.tzinfo).date()).days


NAME_BY_DAYS_AGO = {1: "昨天", 0: "今天", -1: "明天", -2: "后天"}


def near_moment_text(zone: ZoneInfo, moment: datetime, present_moment: datetime) -> str:
    """A moment as people say it whom it concerns: days beside the present one by their name.

    >>> zone, noon = ZoneInfo("Asia/Shanghai"), datetime(2026, 9, 1, 4, tzinfo=UTC)
    >>> near_moment_text(zone, datetime(2026, 9, 2, 4, 42, tzinfo=UTC), noon)
    '明天12:42'
    >>> near_moment_text(zone, datetime(2026, 9, 4, 4, 42, tzinfo=UTC), noon)
    '09-04 12:42'
    """
    local_moment = moment.astimezone(zone)
    day_difference = days_ago(moment, present_moment.astimezone(zone))
    if day_difference not in NAME_BY_DAYS_AGO:
        return moment_text(FORMAT_BY_FILTER["lately"], zone, moment)
    return f"{NAME_BY_DAYS_AGO[day_difference]}{local_moment:%H:%M}"


def clock_text(zone: ZoneInfo, moment: datetime, present_moment: datetime) -> str:
    """A moment of today by the clock alone, of any other day with its date.

    >>> zone, noon = ZoneInfo("Asia/Shanghai"), datetime(2026, 9, 1, 4, tzinfo=UTC)
    >>> [clock_text(zone, datetime(2026, 9, 1, hour, 42, tzinfo=UTC), noon) for hour in (15, 16)]
    ['23:42', '09-02 00:42']
    """
    if days_ago(moment, present_moment.astimezone(zone)) == 0:
        return moment_text("%H:%M", zone, moment)
    return moment_text(FORMAT_BY_FILTER["lately"], zone, moment)


def dated_moment_text(zone: ZoneInfo, moment: datetime) -> str:
    """A moment as a message says it that may be read on another day.

    >>> dated_moment_text(ZoneInfo("Asia/Shanghai"), datetime(2026, 9, 2, 4, 42, tzinfo=UTC))
    '9月2日周三12:42'
    """
    local_moment = moment.astimezone(zone)
    weekday_name = "一二三四五六日"[local_moment.weekday()]
    return f"{local_moment.month}月{local_moment.day}日周{weekday_name}{local_moment:%H:%M}"


def day_words(day: date) -> str:
    """A day of a history that may be years long, as people say it.

    >>> day_words(date(2026, 9, 1))
    '2026年9月1日'
    """
    return f"{day.year}年{day.month}月{day.day}日"


def read_moment(typed_text: str, time_zone: str) -> datetime | None:
    """The time in a field, in UTC; None for an empty field. Refused for anything else, also for a day alone:
    whoever types one hardly means its first minute.

    `<input type="datetime-local">` speaks the clock of the place.

    >>> read_moment("2026-09-01T23:59", "Asia/Shanghai")
    datetime.datetime(2026, 9, 1, 15, 59, tzinfo=datetime.timezone.utc)
    >>> read_moment(" ", "Asia/Shanghai") is None
    True
    """
    plain_text = typed_text.strip().replace(" ", "T")
    if not plain_text:
        return None
    day_text, _, time_text = plain_text[:40].partition("T")
    try:
        typed_moment = datetime.combine(date.fromisoformat(day_text), time.fromisoformat(time_text))
    except ValueError:
        raise Refused("时间没看懂，写成这样：2026-09-01 23:59。") from None
    if typed_moment.tzinfo is None:
        typed_moment = typed_moment.replace(tzinfo=ZoneInfo(time_zone))
    if not 2000 <= typed_moment.year <= 2200:
        raise Refused("这个年份不对，再看看时间。")
    return typed_moment.astimezone(UTC)
