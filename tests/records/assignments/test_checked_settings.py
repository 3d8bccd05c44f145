"""What a teacher may set for an assignment: each limit just within it and just beyond."""

from datetime import UTC, datetime, timedelta

import pytest

from app.records.assignments import checked_settings
from app.records.assignments.values import AssignmentRow, AssignmentRules
from app.records.db.errors import Refused
from tests.tables import each

SECOND, MINUTE, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(days=1)
OPENS = datetime(2026, 9, 1, 8, 0, tzinfo=UTC)
DUE = datetime(2026, 9, 3, 23, 59, tzinfo=UTC)
LATE_UNTIL = datetime(2026, 9, 5, 23, 59, tzinfo=UTC)
PLAIN = AssignmentRow(title="第一周", published_at=OPENS - DAY)
LATE = PLAIN._replace(opens_at=OPENS, due_at=DUE, late_until=LATE_UNTIL, late_factor=0.5)


@each(
    ("due_at", "late_until", "refused"),
    [
        (None, None, False),
        (DUE, None, True),
        (DUE + SECOND, None, False),
        (DUE - DAY, DUE, True),
        (DUE - DAY, DUE + SECOND, False),
    ],
)
def test_what_nobody_could_begin_is_not_published(
    due_at: datetime | None, late_until: datetime | None, refused: bool
) -> None:
    assignment, now = PLAIN._replace(due_at=due_at, late_until=late_until), DUE + MINUTE
    if not refused:
        checked_settings.expect_time_left(assignment, now)
        return
    sentence = "^截止时间已经过去了，发布了谁也做不了。写一个以后的时间；不想截止，就空着。$"
    with pytest.raises(Refused, match=sentence):
        checked_settings.expect_time_left(assignment, now)


def test_another_due_time_is_to_come() -> None:
    checked_settings.expect_future_time(None, DUE)
    checked_settings.expect_future_time(DUE + SECOND, DUE)
    for past in (DUE, DUE - SECOND):
        sentence = "^这个时间已经过去了，没有改。写一个以后的时间；要现在就结束，用“收卷”。$"
        with pytest.raises(Refused, match=sentence) as refusal:
            checked_settings.expect_future_time(past, DUE)
        assert refusal.value.field == "due"


DUE_AFTER_OPENING = "截止时间要在开始时间之后。"
NO_DUE_TIME = "没有截止时间，就没有迟交。先写截止时间。"
LATE_AFTER_DUE = "迟交收到的时间要在截止时间之后。"
MINUTES = "做题时间写1到600分钟；空着就不限。"
PERCENT = "迟交按几成算，写0到100之间的整数，比如80。"


def ruled(**changes: object) -> AssignmentRules:
    return LATE.rules._replace(**changes)  # type: ignore[arg-type]


def refusal_of_rules(rules: AssignmentRules) -> str:
    try:
        checked_settings.checked_rules(rules)
    except Refused as refused:
        return str(refused)
    return ""


@each(
    ("rules", "sentence"),
    [
        (ruled(), ""),
        (ruled(opens_at=None), ""),
        (ruled(opens_at=None, due_at=None, late_until=None), ""),
        (ruled(due_at=None, late_until=None), ""),
        (ruled(late_until=None), ""),
        (ruled(opens_at=DUE), DUE_AFTER_OPENING),
        (ruled(opens_at=DUE + SECOND), DUE_AFTER_OPENING),
        (ruled(opens_at=DUE - SECOND), ""),
        (ruled(due_at=None), NO_DUE_TIME),
        (ruled(late_until=DUE), LATE_AFTER_DUE),
        (ruled(late_until=DUE - SECOND), LATE_AFTER_DUE),
        (ruled(late_until=DUE + SECOND), ""),
        (ruled(late_factor=0.0), ""),
        (ruled(late_factor=1.0), ""),
        (ruled(late_factor=-0.01), PERCENT),
        (ruled(late_factor=1.01), PERCENT),
        (ruled(minutes=0), ""),
        (ruled(minutes=600), ""),
        (ruled(minutes=601), MINUTES),
        (ruled(minutes=-1), MINUTES),
    ],
)
def test_times_hold_together(rules: AssignmentRules, sentence: str) -> None:
    assert refusal_of_rules(rules) == sentence


def test_an_extension_ends_later_than_the_due_time_for_all() -> None:
    for due_at in (None, DUE + SECOND):
        checked_settings.expect_later_than_due(LATE, due_at)
    checked_settings.expect_later_than_due(PLAIN, DUE)
    checked_settings.expect_later_than_due(LATE._replace(closed_at=DUE - DAY), DUE - SECOND)
    for due_at in (DUE, DUE - SECOND):
        with pytest.raises(Refused, match=r"^延到的时间要比原来的截止时间晚。$") as refusal:
            checked_settings.expect_later_than_due(LATE, due_at)
        assert refusal.value.field == "due"
