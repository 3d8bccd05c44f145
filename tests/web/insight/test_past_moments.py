"""How long ago something was, where clocks are changed in between."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from app.web.insight.past_moments import time_ago_words
from tests.tables import each

NEW_YORK = ZoneInfo("America/New_York")


@each(
    ("event_at", "now", "words"),
    [
        # The clocks go back on November 1: the day has 25 hours.
        (datetime(2026, 11, 1, 4, 0, tzinfo=UTC), datetime(2026, 11, 1, 23, 30, tzinfo=NEW_YORK), "24小时前"),
        (datetime(2026, 11, 1, 5, 0, tzinfo=UTC), datetime(2026, 11, 1, 23, 30, tzinfo=NEW_YORK), "23小时前"),
        (datetime(2026, 11, 1, 3, 59, tzinfo=UTC), datetime(2026, 11, 1, 23, 30, tzinfo=NEW_YORK), "1天前"),
        # They go forward on March 8: it has 23.
        (datetime(2026, 3, 8, 4, 30, tzinfo=UTC), datetime(2026, 3, 9, 0, 10, tzinfo=NEW_YORK), "23小时前"),
        (datetime(2026, 3, 8, 4, 30, tzinfo=UTC), datetime(2026, 3, 9, 0, 30, tzinfo=NEW_YORK), "2天前"),
    ],
)
def test_days_are_counted_as_a_calendar_has_them(event_at: datetime, now: datetime, words: str) -> None:
    assert time_ago_words(event_at, now) == words
