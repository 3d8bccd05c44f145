"""热热身: what was answered on the last day of learning before today, in the learner's own calendar."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app.records.accounts.values import Caller
from app.records.learning import lesson_progress, responding
from app.records.learning.values import Answer, AttemptKey
from app.records.practice import learner_pages, warm_ups
from tests.records.cast import COURSE, LESSON, STAGE, WHY, XIAOTANG, XIAOXU, Desk

LEARNER = Caller(XIAOTANG.proposed_token)
NAME = "content:warm-up"
MORNING = datetime(2026, 9, 1, 1, 0, tzinfo=UTC)  # nine o'clock in Shanghai
DAY = timedelta(days=1)


def answer(
    desk: Desk, item: str, raw: str, at: datetime, attempt_key: AttemptKey = LESSON, number: int = 1
) -> None:
    caller = Caller(XIAOTANG.proposed_token, XIAOTANG.proposed_token)
    desk.write(responding.respond, caller, attempt_key, Answer(f"content:{item}", number, (raw,)), COURSE, at)


def looked(desk: Desk, at: datetime, day: date | None = None) -> tuple[tuple[str, str], ...]:
    return desk.read(warm_ups.load_warm_up, LEARNER, NAME, at, day).refs_with_verdicts


def test_nobody_known_has_nothing_to_warm_up_with(desk: Desk) -> None:
    warm_up = desk.read(warm_ups.load_warm_up, Caller(), NAME, MORNING)
    assert (warm_up.learner_id, warm_up.refs_with_verdicts, warm_up.attempt) == (None, (), None)


def test_what_was_learnt_today_is_not_asked_again_today(desk: Desk) -> None:
    answer(desk, "a", "1", MORNING)
    assert looked(desk, MORNING + timedelta(hours=8)) == ()


def test_the_next_day_brings_the_answers_of_the_last_one(desk: Desk) -> None:
    answer(desk, "a", "1", MORNING)
    answer(desk, "a", "4.26", MORNING, number=2)
    answer(desk, "b", "4.26", MORNING)
    expected = (("content:a", "wrong"), ("content:a", "right"), ("content:b", "right"))
    assert looked(desk, MORNING + DAY) == expected


def test_only_the_last_day_counts_however_long_ago(desk: Desk) -> None:
    answer(desk, "a", "1", MORNING)
    answer(desk, "b", "1", MORNING + 2 * DAY)
    assert looked(desk, MORNING + 30 * DAY) == (("content:b", "wrong"),)


@pytest.mark.parametrize(
    ("answered_at", "asked_at", "is_offered"),
    [
        (datetime(2026, 9, 1, 19, 59, tzinfo=UTC), datetime(2026, 9, 1, 20, 1, tzinfo=UTC), True),
        (datetime(2026, 9, 1, 15, 59, tzinfo=UTC), datetime(2026, 9, 1, 16, 1, tzinfo=UTC), False),
        (datetime(2026, 9, 1, 20, 1, tzinfo=UTC), datetime(2026, 9, 2, 19, 59, tzinfo=UTC), False),
        (datetime(2026, 9, 1, 23, 59, tzinfo=UTC), datetime(2026, 9, 2, 0, 1, tzinfo=UTC), False),
    ],
)
def test_a_day_ends_at_four_in_the_morning_in_shanghai(
    desk: Desk, answered_at: datetime, asked_at: datetime, is_offered: bool
) -> None:
    answer(desk, "a", "1", answered_at)
    assert bool(looked(desk, asked_at)) is is_offered


def test_practice_and_the_warm_up_itself_are_no_lesson(desk: Desk) -> None:
    answer(desk, "a", "1", MORNING)
    tomorrow = MORNING + DAY
    warm_up = AttemptKey(source="practice", ref=f"{NAME}-2026-09-02", seed=3)
    answer(desk, "a", "4.26", tomorrow, warm_up)
    assert looked(desk, tomorrow + DAY) == (("content:a", "wrong"),)


def test_what_was_answered_in_the_warm_up_is_brought_along(desk: Desk) -> None:
    answer(desk, "a", "1", MORNING)
    answer(desk, "a", "4.26", MORNING + DAY, AttemptKey(source="practice", ref=f"{NAME}-2026-09-02", seed=3))
    warm_up = desk.read(warm_ups.load_warm_up, LEARNER, NAME, MORNING + DAY)
    assert [row.verdict for row in warm_up.responses] == ["right"]
    assert warm_up.attempt
    assert warm_up.attempt.seed == 3
    assert warm_up.day == date(2026, 9, 2)


def test_a_day_of_the_past_shows_what_it_showed_then(desk: Desk) -> None:
    answer(desk, "a", "1", MORNING)
    answer(desk, "b", "1", MORNING + DAY)
    assert looked(desk, MORNING + 5 * DAY, date(2026, 9, 2)) == (("content:a", "wrong"),)


def test_a_day_to_come_knows_no_more_than_today(desk: Desk) -> None:
    answer(desk, "a", "1", MORNING)
    assert looked(desk, MORNING, date(2027, 1, 1)) == ()


def test_somebody_else_s_answers_are_not_asked(desk: Desk) -> None:
    answer(desk, "a", "1", MORNING)
    desk.write(responding.respond, XIAOXU, LESSON, Answer("content:b", 1, ("1",)), COURSE, MORNING)
    assert looked(desk, MORNING + DAY) == (("content:a", "wrong"),)


def test_it_is_read_beside_what_a_page_needs_and_nothing_is_recorded(desk: Desk) -> None:
    answer(desk, "a", "1", MORNING)
    desk.write(lesson_progress.save_place, LEARNER, STAGE, WHY, 2, False, MORNING)
    lessons, warming = desk.read(learner_pages.load_places_and_warm_up, LEARNER, NAME, MORNING + DAY, None)
    assert lessons.learner_id == warming.learner_id
    assert [(place.stage_ref, place.section_id) for place in lessons.places] == [(STAGE, WHY.id)]
    assert desk.count("attempt") == 1
