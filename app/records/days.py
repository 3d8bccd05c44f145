"""A learner's day: it ends at four in the morning, wherever the learner's clock hangs."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAY_BEGINS = time(4)


def day_of(moment: datetime, time_zone: str) -> date:
    """The day that a moment belongs to.

    >>> day_of(datetime(2026, 9, 1, 19, 59, tzinfo=UTC), "Asia/Shanghai")
    datetime.date(2026, 9, 1)
    >>> day_of(datetime(2026, 9, 1, 20, 0, tzinfo=UTC), "Asia/Shanghai")
    datetime.date(2026, 9, 2)
    """
    local = moment.astimezone(ZoneInfo(time_zone))
    return local.date() if local.time() >= DAY_BEGINS else local.date() - timedelta(days=1)


def beginning_of(day: date, time_zone: str) -> datetime:
    """When a day begins, in UTC.

    >>> beginning_of(date(2026, 9, 2), "Asia/Shanghai")
    datetime.datetime(2026, 9, 1, 20, 0, tzinfo=datetime.timezone.utc)
    """
    return datetime.combine(day, DAY_BEGINS, ZoneInfo(time_zone)).astimezone(UTC)


def end_of(day: date, time_zone: str) -> datetime:
    """When a day ends: when the next one begins."""
    return beginning_of(day + timedelta(days=1), time_zone)
