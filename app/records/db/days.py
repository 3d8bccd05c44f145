"""A learner's day: it ends at four in the morning, wherever the learner's clock hangs."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from app.records.db.stored_times import stored_time

DayOf = Callable[[datetime | str], date]
"""The learner's day of a moment in UTC; a moment may be left as SQLite keeps it."""

STORED_SECOND_FORMAT, HOUR_LENGTH, DATE_LENGTH = "%Y-%m-%d %H:%M:%S", 13, 10
"""A moment as SQLite keeps it, up to its second, and how long its hour and its date are."""
DAY_BEGINS_AT = time(4)
ONE_DAY = timedelta(days=1)
FARTHEST_ZONES_APART = 2 * ONE_DAY
"""26 hours lie between the farthest zones: so many days at most between the dates of one moment in two."""
SHORTEST_DAY = timedelta(hours=20)
"""No change of clocks takes more away."""


def day_of(moment: datetime, time_zone: str) -> date:
    """The day that a moment belongs to.

    >>> day_of(datetime(2026, 9, 1, 19, 59, tzinfo=UTC), "Asia/Shanghai")
    datetime.date(2026, 9, 1)
    >>> day_of(datetime(2026, 9, 1, 20, 0, tzinfo=UTC), "Asia/Shanghai")
    datetime.date(2026, 9, 2)
    """
    local_moment = moment.astimezone(ZoneInfo(time_zone))
    if local_moment.time() >= DAY_BEGINS_AT:
        return local_moment.date()
    return local_moment.date() - ONE_DAY


def beginning_of(day: date, time_zone: str) -> datetime:
    """When a day begins, in UTC.

    >>> beginning_of(date(2026, 9, 2), "Asia/Shanghai")
    datetime.datetime(2026, 9, 1, 20, 0, tzinfo=datetime.timezone.utc)
    """
    return datetime.combine(day, DAY_BEGINS_AT, ZoneInfo(time_zone)).astimezone(UTC)


def end_of(day: date, time_zone: str) -> datetime:
    """When a day ends: when the next one begins."""
    return beginning_of(day + ONE_DAY, time_zone)


def _ends_and_days_of(utc_date: date, time_zone: str) -> Iterator[tuple[str, date]]:
    """The learner's days that lie in a date of UTC, each with its end as SQLite keeps it."""
    utc_midnight = datetime.combine(utc_date, time(), UTC)
    day = day_of(utc_midnight, time_zone)
    day_ends_at = end_of(day, time_zone)
    yield day_ends_at.strftime(STORED_SECOND_FORMAT), day
    while day_ends_at < utc_midnight + ONE_DAY:
        day += ONE_DAY
        day_ends_at = end_of(day, time_zone)
        yield day_ends_at.strftime(STORED_SECOND_FORMAT), day


class _StoredDays:
    """The learner's days of moments as SQLite keeps them; most hours lie in one day, which is remembered."""

    def __init__(self, time_zone: str) -> None:
        self._time_zone = time_zone
        self._ends_and_days_by_date: dict[str, list[tuple[str, date]]] = {}
        self.day_by_hour: dict[str, date] = {}

    def day_of(self, stored_moment: str) -> date:
        hour_text = stored_moment[:HOUR_LENGTH]
        date_text = stored_moment[:DATE_LENGTH]
        if date_text not in self._ends_and_days_by_date:
            ends_and_days = _ends_and_days_of(date.fromisoformat(date_text), self._time_zone)
            self._ends_and_days_by_date[date_text] = list(ends_and_days)
        ends_and_days_of_date = self._ends_and_days_by_date[date_text]
        day = next(day for stored_day_end, day in ends_and_days_of_date if stored_moment < stored_day_end)
        if not any(stored_day_end.startswith(hour_text) for stored_day_end, _ in ends_and_days_of_date):
            self.day_by_hour[hour_text] = day
        return day


@lru_cache(16)
def calendar(time_zone: str) -> DayOf:
    """`day_of` for thousands of moments (in UTC): the zone is asked once for each date, whoever calls.

    A moment that SQLite keeps stays a text, and is asked for by its hour: a tenth of the time of reading one.

    >>> day_in_shanghai = calendar("Asia/Shanghai")
    >>> day_in_shanghai(datetime(2026, 9, 1, 20, 0, tzinfo=UTC))
    datetime.date(2026, 9, 2)
    >>> day_in_shanghai("2026-09-01 19:59:59.999999")
    datetime.date(2026, 9, 1)
    """
    # For each date in UTC: the learner's day at its midnight, and when that day ends.
    day_and_end_by_utc_date: dict[date, tuple[date, datetime]] = {}
    stored_days = _StoredDays(time_zone)
    day_by_hour = stored_days.day_by_hour

    def day_in_zone(moment: datetime | str) -> date:
        if isinstance(moment, str):
            return day_by_hour.get(moment[:HOUR_LENGTH]) or stored_days.day_of(moment)
        utc_date = moment.date()
        if utc_date not in day_and_end_by_utc_date:
            day = day_of(datetime.combine(utc_date, time(), UTC), time_zone)
            day_and_end_by_utc_date[utc_date] = day, end_of(day, time_zone)
        day, day_ends_at = day_and_end_by_utc_date[utc_date]
        if moment < day_ends_at:
            return day
        if moment < day_ends_at + SHORTEST_DAY:
            return day + ONE_DAY
        return day_of(moment, time_zone)

    return day_in_zone


class TimeZones(NamedTuple):
    """Where a learner's clock hangs; and where it hung before: `<until> <zone>`, with commas between."""

    present_zone: str
    past_zones: str | None = None

    @property
    def day_of_moment(self) -> DayOf:
        """The day of a moment in the zone of then: what counted for a day goes on counting for it."""
        return _calendar_of_zones(self)

    def zone_at(self, moment: datetime) -> str:
        """The zone in which a moment lies: that of then.

        >>> zones = TimeZones("UTC", "2026-09-01 20:00:00.000000 Asia/Shanghai")
        >>> [zones.zone_at(datetime(2026, 9, 1, hour, tzinfo=UTC)) for hour in (20, 21)]
        ['Asia/Shanghai', 'UTC']
        """
        if self.past_zones is not None:
            for stored_zone_end, past_zone in _ends_and_past_zones(self.past_zones):
                if stored_time(moment) <= stored_zone_end:
                    return past_zone
        return self.present_zone

    def changed_to(self, time_zone: str, until: datetime | None) -> "TimeZones":
        """Another zone from here on. `until`: the last moment of the present one, None if it had none.

        >>> zones = TimeZones("Asia/Shanghai").changed_to("UTC", datetime(2026, 9, 1, 20, tzinfo=UTC))
        >>> zones
        TimeZones(present_zone='UTC', past_zones='2026-09-01 20:00:00.000000 Asia/Shanghai')
        >>> [zones.day_of_moment(datetime(2026, 9, 1, hour, tzinfo=UTC)).day for hour in (19, 20, 21)]
        [1, 2, 1]
        """
        if until is None:
            return TimeZones(time_zone, self.past_zones)
        past_zone_text = f"{stored_time(until)} {self.present_zone}"
        if self.past_zones is None:
            return TimeZones(time_zone, past_zone_text)
        return TimeZones(time_zone, f"{self.past_zones},{past_zone_text}")

    @property
    def stored_last_change(self) -> str:
        """Until when the zone before the present one held, as the database keeps it; empty if none did."""
        if self.past_zones is None:
            return ""
        return _ends_and_past_zones(self.past_zones)[-1][0]


def _ends_and_past_zones(past_zones: str) -> list[tuple[str, str]]:
    """Until when, and which zone; in order."""
    ends_and_zones = []
    for past_zone_text in past_zones.split(","):
        stored_zone_end, _, time_zone = past_zone_text.rpartition(" ")
        ends_and_zones.append((stored_zone_end, time_zone))
    return ends_and_zones


@lru_cache(64)
def _calendar_of_zones(time_zones: TimeZones) -> DayOf:
    present_day_of = calendar(time_zones.present_zone)
    if time_zones.past_zones is None:
        return present_day_of
    ends_and_calendars = [
        (stored_zone_end, calendar(time_zone))
        for stored_zone_end, time_zone in _ends_and_past_zones(time_zones.past_zones)
    ]

    def day_in_zone_of_then(moment: datetime | str) -> date:
        stored_moment = moment
        if isinstance(stored_moment, datetime):
            stored_moment = stored_time(stored_moment)
        for stored_zone_end, past_day_of in ends_and_calendars:
            if stored_moment <= stored_zone_end:
                return past_day_of(moment)
        return present_day_of(moment)

    return day_in_zone_of_then
