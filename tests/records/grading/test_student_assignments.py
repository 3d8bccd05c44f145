"""Assignments as their student has them: whose they are, and that nothing of others stands in them."""

import pytest

from app.records.accounts.values import Caller
from app.records.assignments import audience
from app.records.assignments.values import Audience
from app.records.classes import class_members, classrooms
from app.records.classes.values import Student
from app.records.db.errors import NotFound
from app.records.grading import mark_overrides, student_assignments
from app.records.grading.values import CellKey
from tests.records.assigned import DAY, DCG, TANG, TEACHER, XU, Class
from tests.records.cast import NOW


def set_mark(room: Class, assignment_id: int, student: Student, typed_points: str) -> None:
    cell_key = CellKey(room.classroom, assignment_id, student.id)
    room.desk.write(mark_overrides.override_mark, TEACHER, cell_key, typed_points, "口头补答", NOW)


def own_ids(room: Class, caller: Caller) -> list[int]:
    own_assignments = room.desk.read(student_assignments.load_own_assignments, caller)
    return [own.assignment.id for own in own_assignments]


def test_an_assignment_has_its_class_and_what_is_recorded_of_its_student_alone(room: Class) -> None:
    """By whichever way it is found: by its number, in the list, by an attempt."""
    room.classroom = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    students = {TANG: room.join("小糖", "tang"), XU: room.join("小序", "xu")}
    room.desk.write(classrooms.create_class, TEACHER, "高一5班", NOW)
    assignment_ids = [room.assign(DCG, passes=2, due_at=NOW + DAY) for _ in range(2)]
    expected_records = {}
    for number, assignment_id in enumerate(assignment_ids, 1):
        for caller, student in students.items():
            typed_points = f"0.{number}{student.id}"
            due_at = NOW + (number + 1) * DAY + student.id * DAY / 4
            room.begin(caller, assignment_id)
            room.extend(assignment_id, student, due_at)
            set_mark(room, assignment_id, student, typed_points)
            expected_records[caller, assignment_id] = (student.id, due_at, float(typed_points))
    room.hand_in(XU, assignment_ids[1])
    room.begin(XU, assignment_ids[1])
    for (caller, assignment_id), records in expected_records.items():
        own = room.given(caller, assignment_id)
        assert own.extension
        assert (own.enrolment_id, own.extension.due_at, own.hand_mark.points) == records
        assert {attempt.enrolment_id for attempt in own.attempts} == {own.enrolment_id}
        assert (own.class_name, own.assignment.id) == ("高一4班", assignment_id)
        listed = room.desk.read(student_assignments.load_own_assignments, caller)
        assert own._replace(parts=()) in [entry._replace(is_mark_changed=False) for entry in listed]
        attempt_id = own.attempts[-1].attempt_id
        assert room.desk.read(student_assignments.load_assignment_of_attempt, attempt_id) == own


def test_who_is_chosen_for_one_assignment_is_not_chosen_for_others(
    room: Class, tang: Student, xu: Student
) -> None:
    assignment_id, other_id = room.assign(), room.assign()
    for given_id, student in ((assignment_id, tang), (other_id, xu)):
        one_student = Audience(False, [student.id])
        room.desk.write(audience.change_audience, TEACHER, room.key(given_id), one_student, NOW)
    assert (own_ids(room, TANG), own_ids(room, XU)) == ([assignment_id], [other_id])
    with pytest.raises(NotFound):
        room.given(TANG, other_id)


def test_neither_work_nor_a_mark_of_others_opens_an_assignment_and_a_mark_of_ones_own_opens_that_alone(
    room: Class, tang: Student, xu: Student
) -> None:
    begun_id, marked_id, untouched_id = room.assign(), room.assign(), room.assign()
    room.begin(XU, begun_id)
    for student in (tang, xu):
        set_mark(room, marked_id, student, "0.5")
    other_class = Class(room.desk, room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW))
    other_class.join("小明", "ming")
    move = (room.classroom, tang.id, other_class.classroom, NOW)
    room.desk.write(class_members.move_student, TEACHER, *move)
    assert (own_ids(room, TANG), own_ids(room, Caller("ming"))) == ([marked_id], [])
    assert not room.given(TANG, marked_id).is_still_given
    for caller, assignment_id in (
        *((TANG, assignment_id) for assignment_id in (begun_id, untouched_id)),
        *((Caller("ming"), assignment_id) for assignment_id in (begun_id, marked_id, untouched_id)),
    ):
        with pytest.raises(NotFound):
            room.given(caller, assignment_id)
