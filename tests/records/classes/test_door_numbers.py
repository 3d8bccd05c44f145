"""学号 at the door: asked for where the teacher wants it, and held against those of the class."""

import pytest

from app.records.accounts.values import Caller
from app.records.classes import classrooms, joining, roster_imports, student_numbers
from app.records.classes.roster_files import RosterEntry
from app.records.classes.values import Student
from app.records.db.errors import NotFound, Refused
from tests.records.assigned import account
from tests.records.cast import NOW, Desk, newcomer
from tests.records.classes.classroom import TEACHER, code, students


@pytest.fixture
def asking(desk: Desk, classroom: int) -> int:
    """A class that asks, with 陈一诺 of the list in it."""
    desk.write(student_numbers.set_number_at_door, TEACHER, classroom, True, NOW)
    entries = (RosterEntry(2, "陈一诺", "2026001"),)
    desk.write(roster_imports.import_entries, TEACHER, classroom, entries, ("hash",), NOW)
    return classroom


def come_in(desk: Desk, classroom: int, name: str, number: str) -> Student:
    entry = newcomer(name, f"new {name}")
    _, _, joined_id = desk.write(
        joining.join_with_new_account, Caller(), code(desk, classroom), *entry, NOW, number
    )
    return next(student for student in students(desk, joined_id) if student.name == name)


def test_whoever_joins_brings_a_number(desk: Desk, asking: int) -> None:
    assert come_in(desk, asking, "李四", " ２０２６００２ ").student_number == "2026002"
    assert come_in(desk, asking, "陈 一诺2", "2026003").student_number == "2026003"
    # Two of one name are told apart by their numbers.
    account(desk, "李四之二", "si")
    desk.write(joining.join_class, Caller("si"), code(desk, asking), "李四", "here", NOW, "2026004")
    assert [student.student_number for student in students(desk, asking) if student.name == "李四"] == [
        "2026002",
        "2026004",
    ]


@pytest.mark.parametrize(
    ("name", "number", "words"),
    [
        ("小糖", "", "写上学号"),
        ("小糖", "学" * 33, "最多32个字"),
        ("陈一诺", "2026001", "已经有学号2026001的陈一诺了。如果就是你，请登录"),
        ("小糖", "２０２６００１", "登记的是另一个名字"),
    ],
)
def test_what_does_not_match_stays_outside(
    desk: Desk, asking: int, name: str, number: str, words: str
) -> None:
    with pytest.raises(Refused, match=words) as refused:
        come_in(desk, asking, name, number)
    if name == "小糖":
        assert "陈一诺" not in str(refused.value), "whose number it is, is nobody's business"
    assert len(students(desk, asking)) == 1
    assert desk.rows("SELECT count(*) FROM account WHERE login = '小糖'") == [(0,)]


def test_a_class_that_does_not_ask_takes_none(desk: Desk, classroom: int) -> None:
    assert come_in(desk, classroom, "小糖", "2026009").student_number == ""


def test_whoever_was_there_before_brings_it_later_once(desk: Desk, classroom: int) -> None:
    account(desk, "小糖", "tang")
    for asks, number, stored in (
        (False, "1", ""),
        (True, "2026007", "2026007"),
        (True, "2026008", "2026007"),
    ):
        desk.write(student_numbers.set_number_at_door, TEACHER, classroom, asks, NOW)
        desk.write(joining.join_class, Caller("tang"), code(desk, classroom), "小糖", "here", NOW, number)
        assert [student.student_number for student in students(desk, classroom)] == [stored]


def test_an_own_number_is_held_against_the_class_too(desk: Desk, classroom: int) -> None:
    account(desk, "小糖", "tang")
    desk.write(joining.join_class, Caller("tang"), code(desk, classroom), "小糖", "here", NOW)
    desk.write(student_numbers.set_number_at_door, TEACHER, classroom, True, NOW)
    come_in(desk, classroom, "小序", "2026002")
    for number, words in (("2026002", "另一个名字"), ("", "写上学号")):
        with pytest.raises(Refused, match=words):
            desk.write(joining.join_class, Caller("tang"), code(desk, classroom), "小糖", "here", NOW, number)


def test_only_the_teacher_of_a_running_class_asks(desk: Desk, classroom: int) -> None:
    with pytest.raises(NotFound):
        desk.write(student_numbers.set_number_at_door, Caller("colleague"), classroom, True, NOW)
    desk.write(classrooms.archive_class, TEACHER, classroom, NOW)
    with pytest.raises(Refused, match="归档"):
        desk.write(student_numbers.set_number_at_door, TEACHER, classroom, True, NOW)
