"""The assignments of the start page: those that are not over, whatever lies behind their student."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.records.accounts.values import Caller
from app.records.assignments import audience
from app.records.assignments.deadlines import MINUTE, schedule_of
from app.records.assignments.values import Audience
from app.records.classes import classrooms, joining
from app.records.classes.values import Student
from app.records.grading import student_assignments
from app.records.grading.student_assignments import load_open_own_assignments
from app.records.insight import attended_class
from tests.records.assigned import DAY, HOUR, TANG, TEACHER, XU, Class
from tests.records.long_histories import counted

SECOND = timedelta(seconds=1)


def taking_work(room: Class, caller: Caller, now: datetime) -> list[int]:
    """What takes work of somebody at a moment, from everything that they ever had."""
    own_assignments = room.desk.read(student_assignments.load_own_assignments, caller)
    return [own.assignment.id for own in own_assignments if schedule_of(own, now).takes_work]


@pytest.fixture
def terms(room: Class, tang: Student, xu: Student) -> Class:
    """A class with an assignment for every rule of time; 小序 has an extension where there can be one."""
    due_at = room.now + HOUR
    room.assign()
    room.assign(opens_at=room.now + HOUR)
    extended = [room.assign(due_at=due_at) for _ in range(2)]
    extended.append(room.assign(due_at=due_at, late_until=due_at + HOUR))
    closed = [room.assign(), room.assign(due_at=due_at)]
    for assignment_id in (extended[0], extended[2], *closed):
        room.extend(assignment_id, xu, room.now + 3 * HOUR)
    room.now += 2 * SECOND
    for assignment_id in closed:
        room.close(assignment_id)
    chosen_only = room.assign()
    room.desk.write(
        audience.change_audience, TEACHER, room.key(chosen_only), Audience(False, [xu.id]), room.now
    )
    return room


@pytest.mark.parametrize("caller", [TANG, XU])
def test_all_that_takes_work_is_there_and_nothing_that_is_over(terms: Class, caller: Caller) -> None:
    begin = terms.now
    taken_counts = set()
    for moment in (0 * HOUR, HOUR, HOUR + MINUTE, 2 * HOUR + MINUTE, 3 * HOUR, 3 * HOUR + MINUTE, DAY):
        for seconds in (-3, -2, -1, 0, 1):
            now = begin + moment + seconds * SECOND
            open_assignments = terms.desk.read(load_open_own_assignments, caller, now)
            states = {own.assignment.id: schedule_of(own, now) for own in open_assignments}
            taken_ids = [number for number, times in states.items() if times.takes_work]
            assert taken_ids == taking_work(terms, caller, now)
            assert {times.state for times in states.values()} <= {"soon", "open", "late"}
            taken_counts.add(len(taken_ids))
    assert len(taken_counts) > 2, "they end one after the other"


@pytest.mark.usefixtures("tang")
def test_who_comes_in_the_last_minute_finds_it(room: Class) -> None:
    due_at = room.now + HOUR
    room.assign(due_at=due_at)
    room.now = due_at + 30 * SECOND
    room.desk.write(classrooms.open_join_code, TEACHER, room.classroom, room.now)
    room.join("小序", "xu")
    assert len(room.desk.read(load_open_own_assignments, XU, room.now)) == 1, (
        "what is due at 23:59 may be later"
    )
    assert len(room.desk.read(load_open_own_assignments, TANG, room.now)) == 1
    room.now = due_at + 60 * SECOND
    assert room.desk.read(load_open_own_assignments, XU, room.now) == ()


@pytest.mark.usefixtures("tang")
def test_what_was_done_in_it_is_known(room: Class) -> None:
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    assert room.desk.read(load_open_own_assignments, TANG, room.now) == (room.given(TANG, assignment_id),)
    assert room.desk.read(load_open_own_assignments, Caller(), room.now) == ()


@pytest.mark.usefixtures("tang")
def test_a_year_of_assignments_is_not_read(room: Class) -> None:
    open_id = room.assign()
    reads = []
    for _ in range(2):
        with counted() as reads_now:
            [own] = room.desk.read(load_open_own_assignments, TANG, room.now)
        assert own.assignment.id == open_id
        reads.append(reads_now)
        for _ in range(10):
            past_id = room.assign()
            room.begin(TANG, past_id)
            room.close(past_id)
    assert reads[0] == reads[1]


def test_of_one_class_only_its_own_are_read(room: Class, tang: Student) -> None:
    """The page of a class does not read what there is to do in the others."""
    own_id = room.assign()
    reads = []
    for _ in range(2):
        with counted() as reads_now:
            own_class = room.desk.read(
                attended_class.load_class_with_work_to_do, TANG, room.classroom, room.now
            )
        assert [row[0].assignment.id for row in own_class.assignments_with_schedule] == [own_id]
        reads.append(reads_now)
        other_class = room.desk.write(classrooms.create_class, TEACHER, "高一4班", room.now)
        other_room = replace(room, classroom=other_class)
        room.desk.write(joining.join_class, TANG, other_room.code(), tang.name, "", room.now)
        other_id = other_room.assign()
    assert reads[0] == reads[1]
    open_assignments = room.desk.read(load_open_own_assignments, TANG, room.now)
    assert {own.assignment.id for own in open_assignments} >= {own_id, other_id}
    [own] = room.desk.read(load_open_own_assignments, TANG, room.now, other_class)
    assert own.assignment.id == other_id
