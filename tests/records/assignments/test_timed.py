"""A time from the beginning of an attempt: until when answers are taken, of whom, and what changes it."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from app.records.assignments import audit, time_limits
from app.records.classes import class_members, classrooms, joining
from app.records.classes.values import Student
from app.records.db.errors import Refused
from app.records.grading import collecting, gradebook
from app.records.people import class_ends
from tests.records.assigned import COURSES, DAY, DCG, HOUR, TANG, TEACHER, XU, Class
from tests.records.assignments.outside_work import MINUTE, SECTION, learn
from tests.records.cast import NOW

HAND_IN_GRACE = timedelta(seconds=15)
"""What was written in time may take so long to arrive."""


def give_time(room: Class, student: Student, factor: float) -> None:
    arguments = (TEACHER, room.classroom, student.id, factor, room.now)
    room.desk.write(time_limits.set_time_factor, *arguments)


@pytest.mark.usefixtures("tang")
@pytest.mark.parametrize("answers", ["handed_in", "at_once"])
def test_nothing_is_taken_after_the_time_but_what_was_saved_is_handed_in(room: Class, answers: str) -> None:
    """From the beginning of each attempt, by the clock of the server."""
    assignment_id = room.assign(minutes=30, passes=2, answers=answers, due_at=NOW + DAY)
    send: Any = room.save
    if answers == "at_once":
        send = room.answer
    room.now = NOW + HOUR
    room.begin(TANG, assignment_id)
    room.now += 30 * MINUTE + HAND_IN_GRACE - timedelta(seconds=1)
    send(TANG, assignment_id, 1, "4")
    room.now += timedelta(seconds=1)
    with pytest.raises(Refused, match="30分钟到了"):
        send(TANG, assignment_id, 1, "5")
    assert room.hand_in(TANG, assignment_id).points == 1.0
    room.begin(TANG, assignment_id)
    room.hand_in(TANG, assignment_id, 2)


def test_who_has_more_time_has_it_in_every_assignment(room: Class, tang: Student, xu: Student) -> None:
    assignment_id = room.assign(minutes=20)
    for caller in (TANG, XU):
        room.begin(caller, assignment_id)
    give_time(room, tang, 1.5)
    room.now = NOW + 29 * MINUTE
    room.save(TANG, assignment_id, 1, "4")
    with pytest.raises(Refused, match="20分钟到了"):
        room.save(XU, assignment_id, 1, "4")
    room.now = NOW + 31 * MINUTE
    with pytest.raises(Refused, match="30分钟到了"):
        room.save(TANG, assignment_id, 1, "5")
    with pytest.raises(Refused, match=r"^做题时间是别人的几倍？从列出来的里面选一个。$"):
        give_time(room, xu, 10.0)
    next_semester = class_ends.NextSemester("高一3班（下）")
    target = room.desk.write(class_ends.carry_class_over, TEACHER, room.classroom, next_semester, room.now)
    sql = "SELECT time_factor FROM enrolment WHERE classroom_id = ? ORDER BY name"
    factors = [factor for (factor,) in room.desk.rows(sql, target)]
    assert sorted(factors) == [1.0, 1.5]


def test_nobody_loses_time_in_an_attempt_that_runs(room: Class, tang: Student, xu: Student) -> None:
    """More of it can be given; less only when the attempt is handed in, by whomever."""
    assignment_id, untimed = room.assign(minutes=30), room.assign()
    give_time(room, tang, 1.5)
    give_time(room, tang, 1.25)
    give_time(room, xu, 2.0)
    room.begin(TANG, assignment_id)
    room.begin(XU, untimed)
    room.now = NOW + 35 * MINUTE
    with pytest.raises(
        Refused,
        match=r"^小糖正在做“第一周”，时间已经给了别人的1\.25倍，中途不能改短。等这份交上来，或者先收卷，再改。$",
    ):
        give_time(room, tang, 1.0)
    room.save(TANG, assignment_id, 1, "4")
    give_time(room, xu, 1.0)
    give_time(room, tang, 3.0)
    room.collect(assignment_id)
    give_time(room, tang, 1.0)
    assert [student.time_factor for student in room.students()] == [1.0, 1.0]


def test_an_attempt_that_runs_in_a_class_of_before_holds_no_time(room: Class, tang: Student) -> None:
    give_time(room, tang, 1.5)
    room.begin(TANG, room.assign(minutes=30))
    other_class_id = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    room.desk.write(class_members.move_student, TEACHER, room.classroom, tang.id, other_class_id, NOW)
    room.classroom = other_class_id
    give_time(room, tang, 1.0)
    assert [student.time_factor for student in room.students()] == [1.0]


@pytest.mark.parametrize(("former_factor", "time_factor"), [(1.0, 1.5), (2.0, 2.0)])
def test_more_time_comes_along_into_a_class_of_before(
    room: Class, tang: Student, former_factor: float, time_factor: float
) -> None:
    """The old enrolment there is taken again, with the longer time: an attempt may be running there."""
    first = room.classroom
    give_time(room, tang, 1.5)
    room.classroom = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    room.desk.write(joining.join_class, TANG, room.code(), "小糖", "here", NOW)
    [former] = room.students()
    give_time(room, former, former_factor)
    room.desk.write(class_members.remove_student, TEACHER, room.classroom, former.id, NOW)
    room.desk.write(class_members.move_student, TEACHER, first, tang.id, room.classroom, NOW)
    [moved] = room.students()
    assert (moved.id, moved.time_factor) == (former.id, time_factor)


def test_the_log_says_who_has_how_much_more_time(room: Class, tang: Student) -> None:
    for factor in (1.5, 1.5, 1.25):
        give_time(room, tang, factor)
    lines = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert [(line.action, line.student_name, line.detail) for line in lines] == [
        ("time-factor", "小糖", {"factor": [1.5, 1.25]}),
        ("time-factor", "小糖", {"factor": [1.0, 1.5]}),
    ]


def test_what_was_learnt_in_the_time_that_a_student_has_more_is_collected(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG, SECTION, minutes=20)
    give_time(room, tang, 2.0)
    room.begin(TANG, assignment_id)
    learn(room, TANG, NOW + 30 * MINUTE)
    room.now = NOW + 35 * MINUTE
    assert room.collect(assignment_id) == 1
    assert room.desk.rows("SELECT points FROM submission") == [(1.0,)]


@pytest.mark.usefixtures("tang")
def test_an_assignment_that_ends_earlier_ends_it(room: Class) -> None:
    assignment_id = room.assign(minutes=60, due_at=NOW + 10 * MINUTE)
    room.begin(TANG, assignment_id)
    room.now = NOW + 12 * MINUTE
    with pytest.raises(Refused, match="已经截止"):
        room.save(TANG, assignment_id, 1, "4")


@pytest.mark.usefixtures("tang")
def test_who_has_begun_keeps_the_time_they_were_told(room: Class) -> None:
    assignment_id = room.assign(minutes=30)
    room.set_up(assignment_id, minutes=20)
    room.begin(TANG, assignment_id)
    room.set_up(assignment_id, minutes=20)
    for minutes in (40, 0):
        with pytest.raises(Refused, match=r"^已经有人开始做了，做题时间只能加长，或者改成不限。$") as refusal:
            room.set_up(assignment_id, minutes=1)
        assert refusal.value.field == "minutes"
        room.set_up(assignment_id, minutes=minutes)
    with pytest.raises(Refused, match="只能加长"):
        room.set_up(assignment_id, minutes=600)
    with pytest.raises(Refused, match="1到600分钟"):
        room.set_up(room.assign(), minutes=601)


@pytest.mark.usefixtures("tang")
@pytest.mark.parametrize(("minutes", "points"), [(29, 2.0), (31, 1.0)])
def test_a_section_that_is_learnt_after_the_time_does_not_count(
    room: Class, minutes: int, points: float
) -> None:
    """Handed in long after it: what was saved counts, what was done elsewhere only until then."""
    assignment_id = room.assign(DCG, SECTION, minutes=30)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    learn(room, TANG, NOW + minutes * MINUTE)
    room.now = NOW + HOUR
    assert room.hand_in(TANG, assignment_id).points == points


@pytest.mark.usefixtures("tang")
@pytest.mark.parametrize("is_collected", [False, True])
def test_what_came_too_late_to_count_costs_nothing(room: Class, is_collected: bool) -> None:
    """All that counts was saved before the due time, whoever hands it in afterwards."""
    assignment_id = room.assign(
        DCG, SECTION, minutes=30, due_at=NOW + HOUR, late_factor=0.5, late_until=NOW + DAY
    )
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    learn(room, TANG, NOW + 2 * HOUR)
    room.now = NOW + 3 * HOUR
    if is_collected:
        room.collect(assignment_id)
        [row] = room.desk.rows("SELECT points, factor FROM submission")
    else:
        handed_in = room.hand_in(TANG, assignment_id)
        row = handed_in.points, handed_in.late_factor
    assert row == (1.0, 1.0)


@pytest.mark.usefixtures("tang")
def test_what_was_done_too_late_in_time_enough_costs(room: Class) -> None:
    assignment_id = room.assign(minutes=120, due_at=NOW + HOUR, late_factor=0.5, late_until=NOW + DAY)
    room.begin(TANG, assignment_id)
    room.now = NOW + HOUR + 10 * MINUTE
    room.save(TANG, assignment_id, 1, "4")
    assert room.hand_in(TANG, assignment_id).late_factor == 0.5


def sweep(room: Class) -> list[bool]:
    """What the site does every few seconds."""
    attempt_ids = room.desk.read(collecting.load_part_refs_of_overdue_attempts, room.now)
    verb = collecting.hand_in_at_time_up
    return [room.desk.write(verb, attempt_id, COURSES, room.now) for attempt_id in attempt_ids]


@pytest.mark.usefixtures("tang")
def test_what_was_saved_is_handed_in_when_time_is_up(room: Class, xu: Student) -> None:
    """At the time of each, once; it is an attempt like any other, and nobody begins it anew."""
    assignment_id, untimed = room.assign(minutes=20, due_at=NOW + DAY), room.assign()
    give_time(room, xu, 1.5)
    for caller in (TANG, XU):
        room.begin(caller, assignment_id)
        room.save(caller, assignment_id, 1, "4")
    room.begin(TANG, untimed)
    room.now = NOW + 20 * MINUTE + HAND_IN_GRACE - timedelta(seconds=1)
    assert sweep(room) == []
    room.now += timedelta(seconds=1)
    assert sweep(room) == [True]
    assert sweep(room) == []
    [submission] = room.given(TANG, assignment_id).attempts
    assert (submission.points, submission.late_factor, submission.is_collected) == (1.0, 1.0, False)
    with pytest.raises(Refused, match="你都交过了"):
        room.begin(TANG, assignment_id)
    room.now = NOW + 30 * MINUTE + HAND_IN_GRACE
    assert sweep(room) == [True]
    assert room.given(TANG, untimed).open_attempt


def test_time_that_was_given_meanwhile_holds_and_what_is_long_past_is_left(
    room: Class, tang: Student
) -> None:
    assignment_id = room.assign(minutes=20)
    room.begin(TANG, assignment_id)
    room.now = NOW + 21 * MINUTE
    [attempt_id] = room.desk.read(collecting.load_part_refs_of_overdue_attempts, room.now)
    give_time(room, tang, 2.0)
    assert room.desk.write(collecting.hand_in_at_time_up, attempt_id, COURSES, room.now) is False
    room.now = NOW + timedelta(days=3)
    assert sweep(room) == []
    assert room.desk.write(collecting.hand_in_at_time_up, attempt_id + 1, COURSES, room.now) is False


@pytest.mark.usefixtures("tang")
def test_what_is_over_is_handed_in_as_soon_as_the_site_works_again(room: Class) -> None:
    """After a long week-end as well."""
    assignment_id = room.assign(minutes=600)
    room.begin(TANG, assignment_id)
    room.now = NOW + timedelta(days=3) - timedelta(seconds=1)
    assert sweep(room) == [True]


@pytest.mark.usefixtures("tang")
@pytest.mark.parametrize(("saved_after", "factor"), [(9, 1.0), (15, 0.5)])
def test_late_is_who_worked_after_the_due_time(room: Class, saved_after: int, factor: float) -> None:
    due: dict[str, Any] = {"due_at": NOW + 10 * MINUTE, "late_until": NOW + DAY, "late_factor": 0.5}
    assignment_id = room.assign(minutes=20, **due)
    room.begin(TANG, assignment_id)
    room.now = NOW + saved_after * MINUTE
    room.save(TANG, assignment_id, 1, "4")
    room.now = NOW + HOUR
    assert sweep(room) == [True]
    assert room.given(TANG, assignment_id).attempts[0].late_factor == factor


@pytest.mark.usefixtures("tang")
@pytest.mark.parametrize(
    ("saved_after", "late_until", "state"),
    [(9, None, "done"), (9, NOW + DAY, "done"), (11, NOW + DAY, "late"), (15, NOW + DAY, "late")],
)
def test_nobody_is_late_who_only_did_not_press_the_button(
    room: Class, saved_after: int, late_until: datetime | None, state: str
) -> None:
    """The due time comes before the own time is up, and the site hands in some time after both."""
    assignment_id = room.assign(minutes=20, due_at=NOW + 10 * MINUTE, late_until=late_until)
    room.begin(TANG, assignment_id)
    room.now = NOW + saved_after * MINUTE
    room.save(TANG, assignment_id, 1, "4")
    room.now = NOW + HOUR
    assert sweep(room) == [True]
    [row] = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now).rows
    assert [(cell.state, cell.points) for cell in row.cells] == [(state, 1.0)]


@pytest.mark.usefixtures("tang")
def test_an_assignment_that_is_over_is_handed_in_before_the_own_time_is_up(room: Class, xu: Student) -> None:
    """At its due time, of those who have no more time than the others."""
    assignment_id = room.assign(minutes=120, due_at=NOW + 10 * MINUTE)
    room.extend(assignment_id, xu, NOW + HOUR)
    for caller in (TANG, XU):
        room.begin(caller, assignment_id)
        room.save(caller, assignment_id, 1, "4")
    room.now = NOW + 11 * MINUTE + HAND_IN_GRACE - timedelta(seconds=1)
    assert sweep(room) == []
    room.now += timedelta(seconds=1)
    assert sweep(room) == [True]
    [submission] = room.given(TANG, assignment_id).attempts
    assert (submission.handed_in_at, submission.points, submission.late_factor) == (
        NOW + 10 * MINUTE,
        1.0,
        1.0,
    )
    assert room.given(XU, assignment_id).open_attempt
    room.now = NOW + HOUR + MINUTE + HAND_IN_GRACE
    assert sweep(room) == [True]


@pytest.mark.usefixtures("xu")
def test_whoever_has_more_time_holds_up_nobody_who_began_later(room: Class, tang: Student) -> None:
    assignment_id = room.assign(minutes=120, due_at=NOW + 10 * MINUTE)
    room.extend(assignment_id, tang, NOW + 15 * MINUTE)
    for student in (TANG, XU):
        room.begin(student, assignment_id)
        room.save(student, assignment_id, 1, "4")
    room.now = NOW + 11 * MINUTE + HAND_IN_GRACE
    part_refs_by_attempt_id = room.desk.read(collecting.load_part_refs_of_overdue_attempts, room.now)
    [own] = room.given(XU, assignment_id).attempts
    assert part_refs_by_attempt_id == {own.attempt_id: ["content:dcg"]}
    assert sweep(room) == [True]
    room.now = NOW + HOUR
    assert sweep(room) == [True]
    [extended] = room.given(TANG, assignment_id).attempts
    assert extended.handed_in_at == NOW + 15 * MINUTE, "the due time that this student had"


@pytest.mark.parametrize("due_at", [None, NOW + DAY])
def test_work_ends_with_its_own_time_where_no_due_time_comes_first(
    room: Class, tang: Student, due_at: datetime | None
) -> None:
    assignment_id = room.assign(minutes=20, due_at=due_at)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    [attempt_id] = [own.attempt_id for own in room.given(TANG, assignment_id).attempts]
    room.now = NOW + 20 * MINUTE + HAND_IN_GRACE - timedelta(seconds=1)
    assert room.desk.write(collecting.hand_in_at_time_up, attempt_id, COURSES, room.now) is False
    room.now = NOW + HOUR
    assert sweep(room) == [True]
    [submission] = room.given(TANG, assignment_id).attempts
    assert submission.handed_in_at == NOW + 20 * MINUTE, tang.name


def test_an_attempt_that_was_handed_in_meanwhile_takes_no_other_along(room: Class, tang: Student) -> None:
    assignment_id = room.assign(minutes=20, passes=2)
    room.begin(TANG, assignment_id)
    [first_id] = [own.attempt_id for own in room.given(TANG, assignment_id).attempts]
    room.hand_in(TANG, assignment_id)
    room.begin(TANG, assignment_id)
    room.now = NOW + HOUR
    assert room.desk.write(collecting.hand_in_at_time_up, first_id, COURSES, room.now) is False
    assert room.given(TANG, assignment_id).open_attempt, tang.name


@pytest.mark.usefixtures("tang")
def test_late_work_is_taken_before_it_is_handed_in_by_the_clock(room: Class) -> None:
    late: dict[str, Any] = {"due_at": NOW + 10 * MINUTE, "late_until": NOW + 30 * MINUTE, "late_factor": 0.5}
    assignment_id = room.assign(minutes=120, **late)
    room.begin(TANG, assignment_id)
    room.now = NOW + 15 * MINUTE
    assert sweep(room) == []
    room.save(TANG, assignment_id, 1, "4")
    room.now = NOW + 31 * MINUTE + HAND_IN_GRACE
    assert sweep(room) == [True]
    [submission] = room.given(TANG, assignment_id).attempts
    assert (submission.handed_in_at, submission.late_factor) == (NOW + 30 * MINUTE, 0.5)
