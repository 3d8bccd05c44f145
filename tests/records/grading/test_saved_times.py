"""What was saved and is marked later counts as written when it was saved, whoever handed it in."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest

from app.records.activity import learning_days as activity_days
from app.records.classes.values import Student
from app.records.db.stored_times import time_of
from app.records.grading import collecting
from app.records.grading.regrades import regrading
from app.records.grading.values import RegradeOrder
from app.records.insight import class_progress, today
from app.records.insight.class_activity import ClassActivity
from bench.classes import counted_statements
from tests.records.all_sums import rebuild_all_sums
from tests.records.assigned import COURSES, DAY, DCG, HOUR, TANG, TEACHER, Class, Figures
from tests.records.cast import NOW

LEARNING_DAYS = "SELECT day, days, run FROM learning_day ORDER BY day"
MINUTE = timedelta(minutes=1)


def response_times(room: Class) -> list[datetime]:
    return [
        time_of(created_at) for (created_at,) in room.desk.rows("SELECT created_at FROM response ORDER BY id")
    ]


def learning_days(room: Class) -> list[tuple[date, int, int]]:
    rows: Any = room.desk.rows(LEARNING_DAYS)
    return [(date.fromisoformat(str(day)), count, run) for day, count, run in rows]


def activity(room: Class) -> ClassActivity:
    return room.desk.read(today.load_today, TEACHER, room.classroom, room.now).activity


def sweep(room: Class) -> None:
    for attempt_id in room.desk.read(collecting.load_part_refs_of_overdue_attempts, room.now):
        assert room.desk.write(collecting.hand_in_at_time_up, attempt_id, COURSES, room.now)


def end_it(room: Class, way: str, assignment_id: int) -> None:
    if way == "collected":
        room.collect(assignment_id)
    elif way == "swept":
        sweep(room)
    else:
        room.hand_in(TANG, assignment_id)
    assert room.given(TANG, assignment_id).attempts[0].handed_in_at


@pytest.mark.parametrize("way", ["collected", "swept", "pressed"])
def test_saved_answers_are_of_the_day_on_which_they_were_saved(room: Class, tang: Student, way: str) -> None:
    """The later one of two is the later one, in whatever order the questions stand."""
    assignment_id = room.assign(DCG, DCG, minutes=20 if way == "swept" else 0)
    room.begin(TANG, assignment_id)
    room.now = NOW + 2 * MINUTE
    room.save(TANG, assignment_id, 2, "4")
    room.now = NOW + 5 * MINUTE
    room.save(TANG, assignment_id, 1, "4")
    room.now = NOW + 2 * DAY
    end_it(room, way, assignment_id)
    assert room.given(TANG, assignment_id).attempts[0].points == 2.0, tang.name
    assert response_times(room) == [NOW + 2 * MINUTE, NOW + 5 * MINUTE]
    assert learning_days(room) == [(NOW.date(), 1, 1)]
    assert room.desk.write(rebuild_all_sums) == 0


def test_a_day_of_saving_between_two_of_handing_in_keeps_the_streak(room: Class, tang: Student) -> None:
    """The saved answer comes into the log behind a later one, and the days are as if it had come in turn."""
    first_id, second_id = room.assign(), room.assign()
    room.begin(TANG, first_id)
    room.begin(TANG, second_id)
    room.save(TANG, first_id, 1, "4")
    room.hand_in(TANG, first_id)
    room.now = NOW + DAY
    room.save(TANG, second_id, 1, "5")
    third_id = room.assign(answers="at_once")
    room.now = NOW + 2 * DAY
    room.begin(TANG, third_id)
    room.answer(TANG, third_id, 1, "4")
    assert [run for _, _, run in learning_days(room)] == [1, 1], tang.name
    room.now = NOW + 3 * DAY
    room.collect(second_id)
    assert response_times(room) == [NOW, NOW + 2 * DAY, NOW + DAY]
    expected_days = [(NOW.date() + days * DAY, days + 1, days + 1) for days in range(3)]
    assert learning_days(room) == expected_days
    assert room.desk.write(rebuild_all_sums) == 0


@pytest.mark.parametrize(("way", "is_present"), [("collected", False), ("swept", False), ("pressed", True)])
def test_who_is_handed_in_by_others_is_not_at_work(
    room: Class, tang: Student, way: str, is_present: bool
) -> None:
    """The program hands in as the time is up; who presses the button is there, without writing a word."""
    assignment_id = room.assign(minutes=20 if way == "swept" else 0)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    room.now = NOW + 20 * MINUTE + timedelta(seconds=20)
    assert not activity(room).is_present(tang.id)
    end_it(room, way, assignment_id)
    assert activity(room).is_present(tang.id) == is_present
    last_active_at = room.now if is_present else NOW
    assert activity(room).last_active_time_by_enrolment_id == {tang.id: last_active_at}
    class_page = room.desk.read(class_progress.load_class, TEACHER, room.classroom)
    assert class_page.last_active_time_by_learner_id == {tang.learner_id: last_active_at}


@pytest.mark.parametrize(("saved_after", "late_factor"), [(HOUR, 1.0), (3 * HOUR, 0.5)])
def test_what_lateness_costs_is_the_same(
    room: Class, tang: Student, saved_after: timedelta, late_factor: float
) -> None:
    """It goes by the moment of the saving, which is kept with what was handed in."""
    assignment_id = room.assign(due_at=NOW + 2 * HOUR, late_until=NOW + DAY, late_factor=0.5)
    room.begin(TANG, assignment_id)
    room.now = NOW + saved_after
    room.save(TANG, assignment_id, 1, "4")
    room.now = NOW + 2 * DAY
    room.collect(assignment_id)
    [attempt] = room.given(TANG, assignment_id).attempts
    assert (attempt.points, attempt.late_factor, attempt.handed_in_at) == (1.0, late_factor, room.now)
    assert attempt.last_work_at == NOW + saved_after, tang.name


class ReadableByNow(Figures):
    """What could not be read at the hand-in can be read."""

    def mark(self, item: str, seed: int, raw: Any, *rest: Any) -> Any:
        return super().mark(item, seed, ["4"] if raw[0] == "四" else raw, *rest)


def read_anew(room: Class, assignment_id: int) -> None:
    courses: Any = {"content": ReadableByNow()}
    [part] = room.given(TANG, assignment_id).parts
    order = RegradeOrder(part.id, "again", "现在读得懂了")
    plan = room.desk.read(regrading.preview_regrade, TEACHER, room.key(assignment_id), order, courses).plan
    assert plan
    regrade_arguments = (TEACHER, room.key(assignment_id), order._replace(digest=plan.digest), courses)
    room.desk.write(regrading.regrade_part, *regrade_arguments, room.now)


def test_what_is_read_in_a_regrade_is_of_the_day_on_which_it_was_saved(room: Class, tang: Student) -> None:
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "四")
    room.now = NOW + DAY
    room.hand_in(TANG, assignment_id)
    assert response_times(room) == [], tang.name
    room.now = NOW + 2 * DAY
    read_anew(room, assignment_id)
    assert room.given(TANG, assignment_id).attempts[0].points == 1.0
    assert response_times(room) == [NOW]
    assert learning_days(room) == [(NOW.date(), 1, 1)]


def test_a_question_was_first_right_when_the_earliest_of_its_right_answers_was_saved(
    room: Class, tang: Student
) -> None:
    """The answer of a first attempt that a regrade reads comes into the log behind that of the second."""
    assignment_id = room.assign(passes=2)
    for attempt_number, typed_text in ((1, "四"), (2, "4")):
        room.begin(TANG, assignment_id)
        room.save(TANG, assignment_id, 1, typed_text, attempt_number)
        room.hand_in(TANG, assignment_id, attempt_number)
        room.now += DAY
    assert first_right_times(room) == [NOW + DAY], tang.name
    read_anew(room, assignment_id)
    assert response_times(room) == [NOW + DAY, NOW]
    assert first_right_times(room) == [NOW]
    assert room.desk.write(rebuild_all_sums) == 0
    assert first_right_times(room) == [NOW]


def first_right_times(room: Class) -> list[datetime]:
    return [time_of(first_at) for (first_at,) in room.desk.rows("SELECT first_clean_at FROM item_sum")]


@pytest.mark.usefixtures("tang")
def test_the_days_since_the_saving_are_made_again_once_for_all_answers(room: Class) -> None:
    """Of twenty answers each would make all of them again, for every student that is collected."""
    rewritings = []
    for question_count in (1, 10):
        assignment_id = room.assign(*[DCG] * question_count)
        room.begin(TANG, assignment_id)
        for question_number in range(1, question_count + 1):
            room.save(TANG, assignment_id, question_number, "4")
        for _ in range(3):
            room.now += DAY
            earlier_id = room.assign()
            room.begin(TANG, earlier_id)
            room.save(TANG, earlier_id, 1, "4")
            room.hand_in(TANG, earlier_id)
        with counted_statements() as statements:
            room.collect(assignment_id)
        rewritings.append(statements.count(activity_days.REMOVE_SINCE))
    assert rewritings[0] == rewritings[1] > 0
    assert room.desk.write(rebuild_all_sums) == 0
