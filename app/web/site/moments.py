"""Times in forms: `<input type="datetime-local">` speaks the clock of the place."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from app.records.db.errors import Refused


def read_moment(text: str, zone: str) -> datetime | None:
    """The time in a field, in UTC; None for an empty field. Refused for anything else.

    >>> read_moment("2026-09-01T23:59", "Asia/Shanghai")
    datetime.datetime(2026, 9, 1, 15, 59, tzinfo=datetime.timezone.utc)
    >>> read_moment(" ", "Asia/Shanghai") is None
    True
    """
    plain = text.strip().replace(" ", "T")
    if not plain:
        return None
    try:
        moment = datetime.fromisoformat(plain[:40])
    except ValueError:
        raise Refused("时间没看懂，写成这样：2026-09-01 23:59。") from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=ZoneInfo(zone))
    if not 2000 <= moment.year <= 2200:
        raise Refused("这个年份不对，再看看时间。")
    return moment.astimezone(UTC)
