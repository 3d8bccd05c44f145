"""The end of a class: what goes with it, what stays with its students, and who goes on into the next term."""

from datetime import timedelta

import pytest
from sqlalchemy import delete

from app.records.accounts.tables import Account
from app.records.classes import class_members, classrooms, password_slips, student_numbers
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.grading import comments, extra_columns, gradebook, mark_overrides, total_rules
from app.records.grading.totals import TotalRules
from app.records.people import class_ends
from app.records.people.class_ends import ClassContents
from tests.records.assigned import COLLEAGUE, DCG, TANG, TEACHER, Class, account
from tests.records.cast import NOW, Desk

LATER = NOW + timedelta(days=100)
ACCOUNT = table(Account)
GONE = delete(ACCOUNT).where(ACCOUNT.c.login == "小糖")


@pytest.fixture
def room(desk: Desk) -> Class:
    """高一3班 with work, marks, a comment, a column, rules and a log; 小序 has left."""
    account(desk, "王", "teacher", teacher=True)
    account(desk, "李", "colleague", teacher=True)
    room = Class(desk, desk.write(classrooms.create, TEACHER, "高一3班", NOW))
    tang, xu = room.join("小糖", "tang"), room.join("小序", "xu")
    which = room.assign(DCG)
    room.begin(TANG, which)
    room.save(TANG, which, 1, "4")
    room.hand_in(TANG, which)
    where = (TEACHER, room.classroom, which, tang.id)
    desk.write(mark_overrides.override_mark, *where, "1", "口头补答", NOW)
    desk.write(comments.set_comment, *where, 0, 0, "写得清楚。", NOW)
    column = desk.write(extra_columns.add_column, TEACHER, room.classroom, "期中", "100", NOW)
    desk.write(extra_columns.set_marks, TEACHER, room.classroom, column, {tang.id: "88"}, NOW)
    rules = TotalRules("categories", "zero", {"平时": 40.0, "期末": 60.0}, {"平时": 1})
    desk.write(total_rules.set_rules, TEACHER, room.classroom, rules, {}, NOW)
    desk.write(student_numbers.set_details, TEACHER, room.classroom, tang.id, "小糖", "2026001", "7")
    desk.write(class_members.remove, TEACHER, room.classroom, xu.id, NOW)
    return room


def remove(desk: Desk, room: Class, name: str) -> ClassContents:
    return desk.write(class_ends.remove_class, TEACHER, room.classroom, name)


def test_a_class_goes_for_good_and_answers_stay_with_whom_they_are(desk: Desk, room: Class) -> None:
    with pytest.raises(Refused, match="先归档"):
        remove(desk, room, "高一3班")
    desk.write(classrooms.archive, TEACHER, room.classroom, NOW)
    with pytest.raises(Refused, match="照着写一遍"):
        remove(desk, room, "高一4班")
    with pytest.raises(NotFound):
        desk.write(class_ends.remove_class, COLLEAGUE, room.classroom, "高一3班")
    contents = remove(desk, room, " 高一 3班 ")
    assert contents[1:] == (2, 1, 1, 1)
    for name in ("classroom", "enrolment", "assignment", "submission", "mark_override", "work_comment"):
        assert desk.count(name) == 0, name
    for name in ("extra_column", "extra_mark", "total_scheme", "total_category", "audit"):
        assert desk.count(name) == 0, name
    assert desk.count("account") == 4
    assert desk.rows("SELECT value FROM response") == [("4",)]
    with pytest.raises(NotFound):
        remove(desk, room, "高一3班")


def carry_over(desk: Desk, room: Class, name: str, drafts: bool = False, archives: bool = False) -> int:
    where = (TEACHER, room.classroom, name, drafts, archives)
    return desk.write(class_ends.carry_over, *where, LATER)


def test_the_students_go_on_and_marks_begin_anew(desk: Desk, room: Class) -> None:
    target = carry_over(desk, room, "高二3班", archives=True)
    [student] = desk.read(classrooms.members, target)
    assert (student.name, student.number, student.seat, student.joined_at) == ("小糖", "2026001", 7, LATER)
    book = desk.read(gradebook.gradebook, TEACHER, target, LATER)
    assert [(column.title, column.full_marks, column.sum.marked) for column in book.columns] == [
        ("期中", 100.0, 0)
    ]
    assert book.rules == TotalRules("categories", "zero", {"平时": 40.0, "期末": 60.0}, {"平时": 1})
    old, new = (desk.read(classrooms.taught_class, TEACHER, key) for key in (room.classroom, target))
    assert (old.archived_at, new.archived_at, new.is_open(LATER)) == (LATER, None, False)
    assert desk.read(gradebook.gradebook, TEACHER, room.classroom, LATER).rows[0].cells[0].points == 1.0
    assert desk.read(password_slips.students_with_password, TEACHER, target) == [student.id]
    with pytest.raises(Refused, match="归档"):
        carry_over(desk, room, "高三3班")


def test_assignments_come_along_as_drafts_where_that_is_wanted(desk: Desk, room: Class) -> None:
    target = carry_over(desk, room, "高二3班", drafts=True)
    drafts = desk.rows("SELECT title, published_at, due_at FROM assignment WHERE classroom_id = ?", target)
    assert drafts == [("第一周", None, None)]
    assert desk.read(classrooms.taught_class, TEACHER, room.classroom).archived_at is None
    assert carry_over(desk, room, "高二3班", drafts=True) == target, "a second click"
    assert desk.count("classroom") == 2


def test_whoever_deleted_their_account_stays_behind(desk: Desk, room: Class) -> None:
    desk.write(lambda session: session.execute(GONE).rowcount)
    assert desk.read(classrooms.members, carry_over(desk, room, "高二3班")) == ()


@pytest.mark.parametrize(("name", "words"), [("高一 3班", "另起一个名字"), ("", "起个名字")])
def test_names_that_cannot_be(desk: Desk, room: Class, name: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        carry_over(desk, room, name)
    with pytest.raises(NotFound):
        desk.write(class_ends.carry_over, COLLEAGUE, room.classroom, "高二3班", False, False, LATER)
    assert desk.count("classroom") == 1
