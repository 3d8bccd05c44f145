"""Times as the database keeps them: SQLite as text, PostgreSQL as times, and sums as text on both."""

from datetime import UTC, datetime


def time_of(driver_time: str | datetime) -> datetime:
    """A time that was left as the driver gives it; the same as SQLAlchemy reads, in a tenth of the time.

    >>> time_of("2026-11-21 07:44:35.684497")
    datetime.datetime(2026, 11, 21, 7, 44, 35, 684497, tzinfo=datetime.timezone.utc)
    """
    if isinstance(driver_time, datetime):
        return driver_time
    return datetime.fromisoformat(driver_time + "+00:00")


def stored_time(moment: datetime) -> str:
    """A time as the database keeps it; `time_of` reads it.

    >>> stored_time(datetime.fromisoformat("2026-11-21T15:44:35+08:00"))
    '2026-11-21 07:44:35.000000'
    """
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
