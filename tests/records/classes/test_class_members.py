"""Who leaves a class, comes back or moves: what the log says, whose name is free, and who may do it."""

import pytest

from app.records.accounts.values import Caller
from app.records.assignments import audit, time_limits
from app.records.classes import class_members, classrooms, joining, roster_imports, student_numbers
from app.records.classes.roster_files import RosterEntry
from app.records.classes.values import NamedStudent, Student
from app.records.db.errors import NotPermitted, Refused
from app.records.grading import gradebook, mark_overrides, student_assignments
from app.records.grading.values import CellKey
from app.records.people import class_staff
from tests.records.assigned import COLLEAGUE, DAY, DCG, TANG, TEACHER, Class, account
from tests.records.cast import NOW


@pytest.fixture
def other_class(room: Class) -> int:
    return room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)


def remove(room: Class, student: Student) -> None:
    room.desk.write(class_members.remove_student, TEACHER, room.classroom, student.id, NOW)


def put_back(room: Class, student: Student) -> None:
    room.desk.write(class_members.put_back_into_class, TEACHER, room.classroom, student.id, NOW)


def move(room: Class, student: Student, target: int) -> None:
    room.desk.write(class_members.move_student, TEACHER, room.classroom, student.id, target, NOW)


def give_student_number(room: Class, student: Student, number: str) -> None:
    with room.desk.other_program() as connection:
        connection.execute("UPDATE enrolment SET number = ? WHERE id = ?", (number, student.id))


def test_a_second_click_moves_nobody(room: Class, tang: Student, xu: Student, other_class: int) -> None:
    """Into a class for the first time, and into one of before; who was only taken out is not moved."""
    other_room = Class(room.desk, other_class)
    for _ in range(2):
        move(room, tang, other_class)
        assert [student.name for student in other_room.students()] == ["小糖"]
    room.desk.write(joining.enrol_learner, room.classroom, tang.learner_id, "小糖", "", NOW)
    [back] = [student for student in room.students() if student.name == "小糖"]
    there_no_more = other_room.students()[0]
    remove(other_room, there_no_more)
    for _ in range(2):
        move(room, back, other_class)
        assert [student.id for student in other_room.students()] == [there_no_more.id]
    moves = room.desk.rows("SELECT count(*) FROM audit WHERE action = 'student-moved'")
    assert moves == [(2,)]
    remove(room, xu)
    move(room, xu, other_class)
    assert {student.name for student in other_room.students()} == {"小糖", "小序"}


def test_the_log_says_who_left_came_back_and_moved_once(
    room: Class, tang: Student, xu: Student, other_class: int
) -> None:
    for change in (remove, remove, put_back):
        change(room, tang)
    put_back(room, xu)
    move(room, tang, other_class)
    assert [student.name for student in room.students()] == ["小序"]
    lines = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert [(line.action, line.enrolment_id, line.detail) for line in lines] == [
        ("student-moved", tang.id, {"class": "高一4班"}),
        ("student-back", tang.id, {}),
        ("student-out", tang.id, {}),
    ]


def test_who_moves_into_a_class_of_before_is_in_the_log_of_the_one_that_they_leave(
    room: Class, tang: Student, other_class: int
) -> None:
    """And has the longer time there."""
    first_class = room.classroom
    remove(room, tang)
    room.classroom = other_class
    room.desk.write(joining.join_class, TANG, room.code(), "小糖", "here", NOW)
    [newcomer] = room.students()
    room.desk.write(time_limits.set_time_factor, TEACHER, other_class, newcomer.id, 1.5, NOW)
    move(room, newcomer, first_class)
    [line, _] = room.desk.read(audit.load_audit, TEACHER, other_class).lines
    assert (line.action, line.enrolment_id) == ("student-moved", newcomer.id)
    room.classroom = first_class
    assert [(student.id, student.time_factor) for student in room.students()] == [(tang.id, 1.5)]


def test_nobody_comes_back_while_another_has_their_name(room: Class, tang: Student, other_class: int) -> None:
    """Unless both have a 学号; of one 学号 there is one student. A name of another class is free."""
    remove(room, tang)
    namesake = room.join("小糖", "namesake")
    with pytest.raises(Refused, match="班里已经有一位“小糖”了"):
        put_back(room, tang)
    give_student_number(room, tang, "01")
    give_student_number(room, namesake, "01")
    with pytest.raises(Refused, match="学号“01”在班里是小糖"):
        put_back(room, tang)
    give_student_number(room, namesake, "02")
    put_back(room, tang)
    move(room, namesake, other_class)
    assert [student.student_number for student in room.students()] == ["01"]


def test_who_shares_a_name_with_a_former_student_alone_is_no_namesake(room: Class, tang: Student) -> None:
    remove(room, tang)
    newcomer = room.join("小糖", "namesake")
    present_students = room.desk.read(classrooms.load_present_students, room.classroom)
    for students in (present_students, room.students()):
        assert [(student.id, student.has_namesake) for student in students] == [(newcomer.id, False)]
    everybody = room.desk.read(classrooms.load_present_and_former_students, room.classroom)
    assert [student.has_namesake for student in everybody] == [True, True], "side by side they are two"
    assert namesakes_alone(room, newcomer) == [False, False]
    give_student_number(room, tang, "01")
    give_student_number(room, newcomer, "02")
    put_back(room, tang)
    assert [student.has_namesake for student in room.students()] == [True, True]
    assert namesakes_alone(room, newcomer) == [True, True]


def namesakes_alone(room: Class, student: Student) -> list[bool]:
    """Whether a student reads as one with a namesake who is read without the others."""
    assignment_id = room.assign()
    cell_key = CellKey(room.classroom, assignment_id, student.id)
    lone_students: list[NamedStudent] = [
        room.desk.read(classrooms.student_of_class, room.classroom, student.id),
        room.desk.read(mark_overrides.load_cell, TEACHER, cell_key, room.now).student,
    ]
    return [lone_student.has_namesake for lone_student in lone_students]


def test_the_number_of_who_left_is_free(room: Class, tang: Student, xu: Student) -> None:
    give_student_number(room, tang, "01")
    details = (TEACHER, room.classroom, xu.id, "小序", "01", "", NOW)
    with pytest.raises(Refused, match="学号“01”在班里是小糖"):
        room.desk.write(student_numbers.set_student_details, *details)
    remove(room, tang)
    room.desk.write(student_numbers.set_student_details, *details)
    assert [student.student_number for student in room.students()] == ["01"]


def test_names_that_look_alike_are_namesakes(room: Class, tang: Student) -> None:
    """A joiner between two letters is not seen."""
    remove(room, tang)
    newcomer = room.join("小\u200d糖", "namesake")
    give_student_number(room, tang, "01")
    give_student_number(room, newcomer, "02")
    put_back(room, tang)
    assert [student.has_namesake for student in room.students()] == [True, True]


def test_nobody_moves_into_a_class_of_before_while_another_has_their_name(
    room: Class, tang: Student, other_class: int
) -> None:
    first_class = room.classroom
    remove(room, tang)
    room.join("小糖", "namesake")
    room.classroom = other_class
    room.desk.write(joining.join_class, TANG, room.code(), "小糖", "here", NOW)
    [newcomer] = room.students()
    with pytest.raises(Refused, match=r"^高一3班里已经有一位“小糖”了"):
        move(room, newcomer, first_class)


def test_nobody_moves_into_a_class_where_another_has_their_name_or_number(
    room: Class, tang: Student, other_class: int
) -> None:
    first_class = room.classroom
    room.classroom = other_class
    namesake = room.join("小糖", "namesake")
    room.classroom = first_class
    with pytest.raises(Refused, match=r"^高一4班里已经有一位“小糖”了"):
        move(room, tang, other_class)
    give_student_number(room, tang, "01")
    give_student_number(room, namesake, "01")
    with pytest.raises(Refused, match=r"^学号“01”在高一4班里是小糖"):
        move(room, tang, other_class)
    give_student_number(room, namesake, "02")
    move(room, tang, other_class)
    assert room.students() == ()


def test_only_the_teacher_of_both_classes_moves_their_students(room: Class) -> None:
    token = room.desk.write(class_staff.create_role_token, TEACHER, room.classroom, "co-teacher", NOW)
    room.desk.write(class_staff.accept_role, COLLEAGUE, token, NOW)
    own_class = room.desk.write(classrooms.create_class, COLLEAGUE, "高一5班", NOW)
    for source, target in ((room.classroom, own_class), (own_class, room.classroom)):
        with pytest.raises(NotPermitted):
            room.desk.write(class_members.move_student, COLLEAGUE, source, 0, target, NOW)


def test_who_helps_in_a_class_does_not_become_its_student(room: Class, other_class: int) -> None:
    room.desk.write(joining.join_class, COLLEAGUE, room.code(), "小李", "here", NOW)
    token = room.desk.write(class_staff.create_role_token, TEACHER, other_class, "assistant", NOW)
    room.desk.write(class_staff.accept_role, COLLEAGUE, token, NOW)
    [helper] = room.students()
    with pytest.raises(Refused, match=r"^在这个班帮着教的人，不能再当它的同学。$"):
        move(room, helper, other_class)


def test_a_teacher_is_no_student_of_their_own_class(room: Class) -> None:
    """Who tried the code on the projector under another name stood in every list and in every mean."""
    with pytest.raises(Refused, match=r"^你就是这个班的老师。加入码留给同学。$"):
        room.desk.write(joining.join_class, TEACHER, room.code(), "小王", "here", NOW)
    assert room.students() == ()
    room.desk.write(joining.join_class, COLLEAGUE, room.code(), "小李", "here", NOW)
    assert [student.name for student in room.students()] == ["小李"], "who teaches elsewhere may"


def test_nobody_comes_in_by_the_code_under_a_name_of_who_teaches_the_class(room: Class) -> None:
    """小糖 wrote 王老师, and stood in every list as that."""
    token = room.desk.write(class_staff.create_role_token, TEACHER, room.classroom, "co-teacher", NOW)
    room.desk.write(class_staff.accept_role, COLLEAGUE, token, NOW)
    for typed_name in ("王", " 王 老师", "李", "李老师"):
        with pytest.raises(Refused, match=r"^这是老师的名字，写自己的；真的同名，加个字区分。$") as refusal:
            room.join(typed_name, typed_name)
        assert refusal.value.field == "name"
    room.join("王小糖", "other")
    account(room.desk, "老赵", "reader")
    with pytest.raises(Refused, match="这是老师的名字"):
        room.desk.write(joining.join_class, Caller("reader"), room.code(), "王老师", "here", NOW)
    room.desk.write(joining.join_class, Caller("reader"), room.code(), "老赵", "here", NOW)


@pytest.mark.parametrize("way", ["put back", "by a list", "by a move"])
def test_what_ended_while_somebody_was_out_of_the_class_is_not_theirs(
    room: Class, tang: Student, other_class: int, way: str
) -> None:
    """It was 缺交, and 0 where that counts. What ended before they went, or when they are back, is."""
    room.desk.write(joining.enrol_learner, other_class, tang.learner_id, "小糖", "", NOW)
    due_days = (1, 3, 6, 8, 12)
    assignment_ids = [room.assign(DCG, due_at=NOW + days * DAY) for days in due_days]
    for out_day, back_day in ((2, 4), (5, 7)):
        out_at, back_at = NOW + out_day * DAY, NOW + back_day * DAY
        room.desk.write(class_members.remove_student, TEACHER, room.classroom, tang.id, out_at)
        if way == "put back":
            room.desk.write(class_members.put_back_into_class, TEACHER, room.classroom, tang.id, back_at)
        elif way == "by a list":
            entries, hashes = (RosterEntry(2, "小糖"),), ("hash",)
            room.desk.write(roster_imports.import_entries, TEACHER, room.classroom, entries, hashes, back_at)
        else:
            there = room.desk.read(classrooms.student_of_learner, other_class, tang.learner_id)
            assert there
            if there.removed_at is not None:
                room.desk.write(class_members.put_back_into_class, TEACHER, other_class, there.id, out_at)
            room.desk.write(
                class_members.move_student, TEACHER, other_class, there.id, room.classroom, back_at
            )
    now = NOW + 9 * DAY
    [row] = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, now).rows
    assert [cell.state for cell in row.cells] == ["missing", "exempt", "exempt", "missing", "new"]
    own_assignments = room.desk.read(student_assignments.load_own_assignments, TANG)
    theirs = {own_assignment.assignment.id for own_assignment in own_assignments}
    assert theirs.intersection(assignment_ids) == {assignment_ids[index] for index in (0, 3, 4)}


def cell_states(room: Class) -> list[str]:
    """Of the only student, at the assignments of the class in the order in which they were made."""
    [row] = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now).rows
    return [cell.state for cell in row.cells]


def test_a_move_there_and_back_forgives_nothing(room: Class, tang: Student, other_class: int) -> None:
    """What was 缺交 before it became 免, and 总评 with it. What ended between the two moves is not theirs."""
    for days in (1, 3, 5, 7, 12):
        room.assign(DCG, due_at=NOW + days * DAY)
    other_room = Class(room.desk, other_class)
    other_room.assign(DCG, due_at=NOW + DAY)
    for away_day, back_day in ((2, 4), (6, 8)):
        room.desk.write(
            class_members.move_student,
            TEACHER,
            room.classroom,
            tang.id,
            other_class,
            NOW + away_day * DAY,
        )
        other_room.now = NOW + away_day * DAY
        assert cell_states(other_room) == ["exempt"], "it was over before they came"
        room.desk.write(
            class_members.move_student,
            TEACHER,
            other_class,
            tang.id,
            room.classroom,
            NOW + back_day * DAY,
        )
    room.now = NOW + 9 * DAY
    assert cell_states(room) == ["missing", "exempt", "missing", "exempt", "new"]


def test_absences_stay_in_the_class_where_they_were(room: Class, tang: Student, other_class: int) -> None:
    room.assign(DCG, due_at=NOW + 2 * DAY)
    other_room = Class(room.desk, other_class)
    other_room.assign(DCG, due_at=NOW + 2 * DAY)
    room.desk.write(class_members.remove_student, TEACHER, room.classroom, tang.id, NOW + DAY)
    room.desk.write(class_members.put_back_into_class, TEACHER, room.classroom, tang.id, NOW + 3 * DAY)
    for source, target, day in ((room, other_room, 4), (other_room, room, 5)):
        moment = NOW + day * DAY
        room.desk.write(
            class_members.move_student, TEACHER, source.classroom, tang.id, target.classroom, moment
        )
    room.now = NOW + 6 * DAY
    assert cell_states(room) == ["exempt"]


def test_who_was_taken_out_before_a_move_was_out_since_then(
    room: Class, tang: Student, other_class: int
) -> None:
    room.assign(DCG, due_at=NOW + 2 * DAY)
    room.desk.write(class_members.remove_student, TEACHER, room.classroom, tang.id, NOW + DAY)
    for source, target, day in ((room.classroom, other_class, 3), (other_class, room.classroom, 4)):
        room.desk.write(class_members.move_student, TEACHER, source, tang.id, target, NOW + day * DAY)
    room.now = NOW + 5 * DAY
    assert cell_states(room) == ["exempt"]


def test_who_was_moved_away_does_not_come_back_by_the_code(
    room: Class, tang: Student, other_class: int
) -> None:
    """They had fresh attempts at all that they had handed in, and two rows in the gradebook."""
    assignment_id = room.assign(DCG)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "5")
    room.hand_in(TANG, assignment_id)
    move(room, tang, other_class)
    with pytest.raises(Refused, match=r"^老师把你从这个班换到了别的班。要回来，请老师换你回来。$"):
        room.desk.write(joining.join_class, TANG, room.code(), "小糖", "here", NOW)
    assert room.students() == ()
    other_room = Class(room.desk, other_class)
    room.desk.write(joining.join_class, TANG, other_room.code(), "小糖", "here", NOW)
    assert [student.id for student in other_room.students()] == [tang.id], "in it already"
    room.desk.write(class_members.move_student, TEACHER, other_class, tang.id, room.classroom, NOW)
    room.desk.write(joining.join_class, TANG, room.code(), "小糖", "here", NOW)
    assert [student.id for student in room.students()] == [tang.id]


def test_a_class_with_the_number_of_one_that_is_gone_is_another(
    room: Class, tang: Student, other_class: int
) -> None:
    """SQLite gives the number of the newest class again: nobody was in the new one yet."""
    other_room = Class(room.desk, other_class, NOW + 4 * DAY)
    move(room, tang, other_class)
    room.desk.write(class_members.move_student, TEACHER, other_class, tang.id, room.classroom, NOW + DAY)
    with room.desk.other_program() as connection:
        made_at = (NOW + 2 * DAY).strftime("%Y-%m-%d %H:%M:%S.%f")
        connection.execute("UPDATE classroom SET created_at = ? WHERE id = ?", (made_at, other_class))
    other_room.assign(DCG, due_at=NOW + 5 * DAY)
    room.desk.write(class_members.move_student, TEACHER, room.classroom, tang.id, other_class, NOW + 6 * DAY)
    other_room.now = NOW + 7 * DAY
    assert cell_states(other_room) == ["exempt"]
