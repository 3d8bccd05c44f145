"""A learner's day: it ends at four in the morning, wherever the learner's clock hangs."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

DayOf = Callable[[datetime], date]

DAY_BEGINS = time(4)
ONE_DAY = timedelta(days=1)
SHORTEST_DAY = timedelta(hours=20)
"""No change of clocks takes more away."""


def day_of(moment: datetime, time_zone: str) -> date:
    """The day that a moment belongs to.

    >>> day_of(datetime(2026, 9, 1, 19, 59, tzinfo=UTC), "Asia/Shanghai")
    datetime.date(2026, 9, 1)
    >>> day_of(datetime(2026, 9, 1, 20, 0, tzinfo=UTC), "Asia/Shanghai")
    datetime.date(2026, 9, 2)
    """
    local = moment.astimezone(ZoneInfo(time_zone))
    if local.time() >= DAY_BEGINS:
        return local.date()
    return local.date() - ONE_DAY


def beginning_of(day: date, time_zone: str) -> datetime:
    """When a day begins, in UTC.

    >>> beginning_of(date(2026, 9, 2), "Asia/Shanghai")
    datetime.datetime(2026, 9, 1, 20, 0, tzinfo=datetime.timezone.utc)
    """
    return datetime.combine(day, DAY_BEGINS, ZoneInfo(time_zone)).astimezone(UTC)


def end_of(day: date, time_zone: str) -> datetime:
    """When a day ends: when the next one begins."""
    return beginning_of(day + ONE_DAY, time_zone)


@lru_cache(16)
def calendar(time_zone: str) -> DayOf:
    """`day_of` for thousands of moments (in UTC): the zone is asked once for each date, whoever calls.

    >>> calendar("Asia/Shanghai")(datetime(2026, 9, 1, 20, 0, tzinfo=UTC))
    datetime.date(2026, 9, 2)
    """
    # For each date in UTC: the learner's day at its midnight, and when that day ends.
    day_by_utc_date: dict[date, tuple[date, datetime]] = {}

    def day_in_zone(moment: datetime) -> date:
        utc_date = moment.date()
        if utc_date not in day_by_utc_date:
            day = day_of(datetime.combine(utc_date, time(), UTC), time_zone)
            day_by_utc_date[utc_date] = day, end_of(day, time_zone)
        day, end = day_by_utc_date[utc_date]
        if moment < end:
            return day
        if moment < end + SHORTEST_DAY:
            return day + ONE_DAY
        return day_of(moment, time_zone)

    return day_in_zone
