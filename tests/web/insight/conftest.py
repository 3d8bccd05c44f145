"""What all tests of a class's pages share: the middle of a day, whatever the clock on the wall says."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from app.web.site import clock


@pytest.fixture(autouse=True)
def midday(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """What happened minutes ago happened today."""
    noon = datetime.now(ZoneInfo("Asia/Shanghai")).replace(hour=12, minute=0, second=0, microsecond=0)
    moment = noon.astimezone(UTC)
    monkeypatch.setattr(clock, "time_source", lambda: moment)
    return moment
