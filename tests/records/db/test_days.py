"""A learner's day of a moment, however the moment comes."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.records.db.days import calendar, day_of
from app.records.db.stored_times import stored_time
from tests.tables import each

ZONES = ["Asia/Shanghai", "UTC", "America/Los_Angeles", "Asia/Kathmandu", "Africa/Cairo"]
SECONDS = st.floats(1_577_836_800, 1_893_456_000)  # from 2020 to 2030
MOMENTS = st.builds(datetime.fromtimestamp, SECONDS, st.just(UTC))


@given(MOMENTS, st.sampled_from(ZONES))
def test_the_calendar_gives_the_day_of_the_zone(moment: datetime, time_zone: str) -> None:
    expected = day_of(moment, time_zone)
    assert calendar(time_zone)(moment) == expected
    assert calendar(time_zone)(stored_time(moment)) == expected


@each("time_zone", ZONES)
def test_every_minute_of_two_days_belongs_to_the_day_of_the_zone(time_zone: str) -> None:
    """One after another: what is remembered of an hour holds to its end, also where the day ends in it."""
    midnight = datetime(2026, 3, 8, tzinfo=UTC)
    for minute in range(2 * 24 * 60):
        moment = midnight + timedelta(minutes=minute)
        assert calendar(time_zone)(stored_time(moment)) == day_of(moment, time_zone), moment
