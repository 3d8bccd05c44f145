"""Times as people type and read them."""

from datetime import UTC, datetime

import pytest

from app.records.db.errors import Refused
from app.web.site.clock import read_moment
from tests.tables import each


@each("typed_text", ["2026-09-01", " 2026-09-01 ", "20260901", "2026-W36-2", "明天", "2026-09-01T", "23:59"])
def test_a_time_without_its_day_or_a_day_without_its_time_is_refused(typed_text: str) -> None:
    """A day alone is not its first minute: who typed it means its evening."""
    with pytest.raises(Refused, match=r"^时间没看懂，写成这样：2026-09-01 23:59。$"):
        read_moment(typed_text, "Asia/Shanghai")


@each(
    "typed_text",
    ["2026-09-01T23:59", "2026-09-01 23:59", " 2026-09-01 23:59:00 ", "2026-09-01T15:59Z"],
)
def test_a_day_with_its_time_is_taken(typed_text: str) -> None:
    assert read_moment(typed_text, "Asia/Shanghai") == datetime(2026, 9, 1, 15, 59, tzinfo=UTC)
