"""Late is who did something after the due time, whoever hands it in: student, teacher or clock."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from app.records.assignments.time_limits import HAND_IN_GRACE
from app.records.assignments.values import NewPart
from app.records.classes.values import Student
from app.records.grading import collecting, gradebook, mark_overrides, student_work
from app.records.grading.values import CellKey, GradebookCell
from bench.classes import counted_statements
from tests.records.assigned import COURSES, DAY, DCG, HOUR, TANG, TEACHER, Class
from tests.records.assignments.outside_work import SECTION
from tests.records.cast import NOW
from tests.records.grading.done_elsewhere import play

MINUTE = timedelta(minutes=1)
CARDS = NewPart("cards", "content:concepts", count=1)
GAME = NewPart("game", "monster", level=1, points=1.0)
DUE = NOW + 10 * MINUTE
LATE: dict[str, Any] = {"due_at": DUE, "late_until": NOW + DAY, "late_factor": 0.5}


def hand_in(room: Class, assignment_id: int, way: str) -> None:
    """In time enough, or after the end of everything."""
    room.now = NOW + 15 * MINUTE
    if way == "pressed":
        room.hand_in(TANG, assignment_id)
        return
    room.now = NOW + 2 * DAY
    if way == "collected":
        room.collect(assignment_id)
        return
    room.now = NOW + HOUR + HAND_IN_GRACE
    [attempt_id] = room.desk.read(collecting.load_part_refs_of_overdue_attempts, room.now)
    assert room.desk.write(collecting.hand_in_at_time_up, attempt_id, COURSES, room.now)


def only_cell(room: Class) -> GradebookCell:
    [row] = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now).rows
    [cell] = row.cells
    return cell


def opened_cell(room: Class, assignment_id: int, student: Student) -> GradebookCell:
    key = CellKey(room.classroom, assignment_id, student.id)
    return room.desk.read(mark_overrides.load_cell, TEACHER, key, room.now).cell


def last_work_time(room: Class, assignment_id: int) -> datetime | None:
    """As the page says it from which one hands in."""
    work = room.desk.read(student_work.load_assignment_work, TANG, assignment_id, COURSES, room.now)
    assert work.attempt_work
    return work.attempt_work.attempt.last_work_at


@pytest.mark.parametrize("way", ["pressed", "collected", "swept"])
@pytest.mark.parametrize("answers", ["handed_in", "at_once"])
@pytest.mark.parametrize(
    ("written_after", "factor", "state"),
    [(timedelta(minutes=10, seconds=59), 1.0, "done"), (11 * MINUTE, 0.5, "late")],
)
def test_late_is_who_wrote_after_the_due_time(
    room: Class, tang: Student, way: str, answers: str, written_after: timedelta, factor: float, state: str
) -> None:
    """A due time that is set right gives back what being late cost, and only what was done before it."""
    assignment_id = room.assign(answers=answers, minutes=60, **LATE)
    room.begin(TANG, assignment_id)
    room.now = NOW + written_after
    if answers == "at_once":
        room.answer(TANG, assignment_id, 1, "4")
    else:
        room.save(TANG, assignment_id, 1, "4")
    assert last_work_time(room, assignment_id) == room.now
    hand_in(room, assignment_id, way)
    [attempt] = room.given(TANG, assignment_id).attempts
    assert (attempt.last_work_at, attempt.late_factor) == (NOW + written_after, factor), tang.name
    assert (only_cell(room).state, only_cell(room).points) == (state, factor)
    room.set_up(assignment_id, due_at=DUE - MINUTE)
    assert (only_cell(room).state, only_cell(room).points) == ("late", factor), (
        "nobody pays more than was said"
    )
    room.set_up(assignment_id, due_at=DUE + MINUTE)
    assert (only_cell(room).state, only_cell(room).points) == ("done", 1.0)


@pytest.mark.parametrize("way", ["pressed", "collected"])
@pytest.mark.parametrize(("written_after", "state"), [(10 * MINUTE, "done"), (11 * MINUTE, "late")])
def test_a_cell_says_late_as_its_gradebook_does_where_that_costs_nothing(
    room: Class, tang: Student, way: str, written_after: timedelta, state: str
) -> None:
    assignment_id = room.assign(minutes=60, **LATE | {"late_factor": 1.0})
    room.begin(TANG, assignment_id)
    room.now = NOW + written_after
    room.save(TANG, assignment_id, 1, "4")
    hand_in(room, assignment_id, way)
    assert only_cell(room).state == state
    assert opened_cell(room, assignment_id, tang).state == state


@pytest.mark.usefixtures("tang")
@pytest.mark.parametrize("way", ["pressed", "collected"])
def test_who_wrote_nothing_is_not_late(room: Class, way: str) -> None:
    assignment_id = room.assign(**LATE)
    room.begin(TANG, assignment_id)
    room.now = NOW + 12 * MINUTE
    assert last_work_time(room, assignment_id) is None
    hand_in(room, assignment_id, way)
    assert (only_cell(room).state, only_cell(room).points) == ("done", 0.0)
    [attempt] = room.given(TANG, assignment_id).attempts
    assert (attempt.last_work_at, attempt.late_factor) == (None, 1.0)


@pytest.mark.parametrize("way", ["pressed", "collected"])
@pytest.mark.parametrize(
    ("due_after", "game_points", "factor"), [(10, 1.0, 0.5), (10, 0.0, 1.0), (61, 1.0, 1.0)]
)
def test_a_game_that_earns_points_is_late_by_when_it_was_played(
    room: Class, tang: Student, way: str, due_after: int, game_points: float, factor: float
) -> None:
    """An hour after it was given; one that earns nothing is no work."""
    due = NOW + due_after * MINUTE
    game = NewPart("game", "monster", level=1, points=game_points)
    assignment_id = room.assign(DCG, game, due_at=due, late_until=NOW + DAY, late_factor=0.5)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    play(room.desk, tang.learner_id, 1, "won")
    room.now = NOW + 2 * HOUR
    if way == "pressed":
        room.hand_in(TANG, assignment_id)
    else:
        room.now = NOW + 2 * DAY
        room.collect(assignment_id)
    [attempt] = room.given(TANG, assignment_id).attempts
    assert attempt.late_factor == factor
    assert attempt.last_work_at == (NOW + HOUR if game_points else NOW)


@pytest.mark.parametrize("way", ["pressed", "collected"])
@pytest.mark.parametrize(("due_after", "factor"), [(HOUR - MINUTE, 0.5), (HOUR, 1.0)])
def test_a_later_due_time_forgives_a_late_game_only_from_when_it_was_played(
    room: Class, tang: Student, way: str, due_after: timedelta, factor: float
) -> None:
    assignment_id = room.assign(DCG, GAME, **LATE)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    play(room.desk, tang.learner_id, 1, "won")
    hand_in_after = 2 * HOUR if way == "pressed" else 2 * DAY
    room.now = NOW + hand_in_after
    if way == "pressed":
        room.hand_in(TANG, assignment_id)
    else:
        room.collect(assignment_id)
    room.set_up(assignment_id, due_at=NOW + due_after)
    [attempt] = room.given(TANG, assignment_id).attempts
    assert attempt.late_factor == factor


def test_no_page_of_late_work_asks_the_same_twice(room: Class, tang: Student) -> None:
    """Of a section, cards and a game, worked at after the due time."""
    assignment_id = room.assign(DCG, SECTION, CARDS, GAME, **LATE)
    room.begin(TANG, assignment_id)
    room.now = NOW + 12 * MINUTE
    room.save(TANG, assignment_id, 1, "4")
    play(room.desk, tang.learner_id, 1, "won")
    with counted_statements() as statements:
        room.desk.read(student_work.load_assignment_work, TANG, assignment_id, COURSES, room.now)
    assert len(statements) == len(set(statements))


@pytest.mark.usefixtures("tang")
def test_what_was_written_in_the_last_seconds_counts_until_its_own_time_was_up(room: Class) -> None:
    """They arrive when the due time has passed."""
    assignment_id = room.assign(minutes=10, **LATE | {"due_at": NOW + 9 * MINUTE})
    room.begin(TANG, assignment_id)
    room.now = NOW + 10 * MINUTE + timedelta(seconds=5)
    room.save(TANG, assignment_id, 1, "4")
    assert last_work_time(room, assignment_id) == NOW + 10 * MINUTE
    assert room.hand_in(TANG, assignment_id).late_factor == 0.5
    other_id = room.assign(minutes=10, **LATE | {"due_at": room.now + 10 * MINUTE})
    room.begin(TANG, other_id)
    room.now += 10 * MINUTE + timedelta(seconds=5)
    room.save(TANG, other_id, 1, "4")
    assert room.hand_in(TANG, other_id).late_factor == 1.0
