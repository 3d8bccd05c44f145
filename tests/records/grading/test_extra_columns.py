"""Columns that a teacher types: what a cell takes, what the gradebook makes of it, and who may."""

from collections.abc import Sequence
from typing import Any

import pytest

from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.assignments import audit
from app.records.classes import class_members, classrooms
from app.records.db.errors import NotFound, NotPermitted, Refused
from app.records.grading import extra_columns
from app.records.grading.extra_marks import ExtraMarkValue, checked_mark
from app.records.grading.totals import total_rules
from app.records.grading.totals.weighted_marks import TotalRules
from app.records.grading.values import ExtraColumnRow
from app.records.people import class_staff, my_data
from tests.records import gradebook_term as term
from tests.records.cast import NOW, Desk, newcomer
from tests.records.grading.graded_class import TEACHER, Class


def add_column(three: Class, title: str = "期中", total: str = "100") -> int:
    return three.desk.write(extra_columns.add_column, TEACHER, three.id, title, total, NOW)


def set_marks(three: Class, column: int, texts: dict[int, str]) -> int:
    return three.desk.write(extra_columns.set_extra_marks, TEACHER, three.id, column, texts, NOW)


def set_rules(three: Class, rules: TotalRules, *extras: ExtraColumnRow) -> None:
    three.desk.write(total_rules.set_total_rules, TEACHER, three.id, rules, {}, NOW, extras)


def test_marks_enter_the_gradebook_and_the_total(desk: Desk, three: Class) -> None:
    week = three.assignment()
    places = {name: three.student(name) for name in ("小糖", "小序", "小方", "小圆")}
    desk.write(term.worth, week, places["小糖"], 5.0, NOW)
    column = add_column(three, total="30")
    texts = {places["小糖"]: "30", places["小序"]: "免", places["小方"]: "缺", places["小圆"]: ""}
    assert set_marks(three, column, texts) == 3
    book = three.book()
    assert [shown_column.title for shown_column in book.columns] == ["第一周", "期中"]
    assert [row.cells[1].state for row in book.rows] == ["done", "exempt", "absent", "blank"]
    assert book.columns[1].mark_sum.mean == 30.0
    assert {row.student.name: row.total_of_hundred for row in book.rows} == {
        "小糖": 87.5,
        "小序": None,
        "小方": None,
        "小圆": None,
    }
    set_rules(three, TotalRules(missing="zero"))
    assert {row.student.name: row.total_of_hundred for row in three.book().rows} == {
        "小糖": 87.5,
        "小序": 0.0,
        "小方": 0.0,
        "小圆": 0.0,
    }, "缺交 of the week counts for all three; 免 and an empty cell do not"
    set_rules(three, TotalRules(missing="zero"), ExtraColumnRow(column, "", 0, counted=False))
    assert three.book().rows[0].total_of_hundred == 50.0


def test_what_is_typed_again_changes_nothing_and_an_empty_cell_takes_it_away(three: Class) -> None:
    tang, column = three.student("小糖"), add_column(three)
    assert set_marks(three, column, {tang: "88"}) == 1
    assert set_marks(three, column, {tang: " ８８分 "}) == 0
    assert set_marks(three, column, {tang: "", 999: "5"}) == 1, "nobody has the number 999"
    assert three.desk.count("extra_mark") == 0
    log = three.desk.read(audit.load_audit, TEACHER, three.id).lines
    assert [line.detail.get("students") for line in log] == [[[tang, "88", ""]], [[tang, "", "88"]], None]


def test_one_bad_cell_holds_all(three: Class) -> None:
    tang, xu, column = three.student("小糖"), three.student("小序"), add_column(three)
    with pytest.raises(Refused, match="小序：写的是101，满分100"):
        set_marks(three, column, {tang: "88", xu: "101"})
    assert three.desk.count("extra_mark") == 0


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("0", ExtraMarkValue(0.0)),
        ("９.5", ExtraMarkValue(9.5)),
        ("10分", ExtraMarkValue(10.0)),
        ("免考", ExtraMarkValue(excused=True)),
        ("缺考", ExtraMarkValue()),
        ("  ", None),
        ("-1", "0到10之间"),
        ("10.01", "0到10之间"),
        ("85%", "不是分数"),
        ("8/10", "不是分数"),
        ("3+4", "不是分数"),
        ("8½", "不是分数"),
        ("log2(8)", "不是分数"),
        (f"8{' ' * 80}/10", "不是分数"),
        ("９。5 分", ExtraMarkValue(9.5)),
        ("优", "不是分数"),
    ],
)
def test_what_a_cell_takes(text: str, mark: ExtraMarkValue | str | None) -> None:
    if isinstance(mark, str):
        with pytest.raises(Refused, match=mark):
            checked_mark(text, "小糖", 10.0)
    else:
        assert checked_mark(text, "小糖", 10.0) == mark


@pytest.mark.parametrize(
    ("title", "total", "words"),
    [
        ("", "10", "这一栏叫什么"),
        ("长" * 21, "10", "1到20个字"),
        ("期中", "十", "满分写一个数"),
        ("期中", "100%", "满分写一个数"),
        ("期中", "0", "满分要大于0"),
        ("期中", "1001", "最多1000"),
    ],
)
def test_columns_that_cannot_be(three: Class, title: str, total: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        add_column(three, title, total)
    assert three.desk.count("extra_column") == 0


def test_a_second_click_finds_the_first_and_there_is_an_end(three: Class) -> None:
    assert add_column(three) == add_column(three)
    for number in range(19):
        add_column(three, f"第{number}次")
    with pytest.raises(Refused, match="最多另加20栏"):
        add_column(three, "又一次")


def test_a_title_that_is_there_with_other_full_marks_is_refused(three: Class) -> None:
    column = add_column(three, total="12.25")
    with pytest.raises(Refused, match=r"已经有一栏叫“期中”了，满分12\.25。"):
        add_column(three, total="100")
    assert add_column(three, " 期中 ", "１２.25分") == column


def test_full_marks_are_told_as_they_are_kept(three: Class) -> None:
    tang, column = three.student("小糖"), add_column(three, total="12.25")
    with pytest.raises(Refused, match=r"满分12\.25，分数要在0到12\.25之间"):
        set_marks(three, column, {tang: "12.26"})
    set_marks(three, column, {tang: "12.25"})
    with pytest.raises(Refused, match=r"有人得了12\.25分"):
        three.desk.write(extra_columns.set_column, TEACHER, three.id, column, "期中", "12.2", NOW)


def test_settings_never_cut_off_a_mark(three: Class) -> None:
    tang, column = three.student("小糖"), add_column(three)
    add_column(three, "期末")
    set_marks(three, column, {tang: "88"})
    where = (TEACHER, three.id, column)
    with pytest.raises(Refused, match="有人得了88分"):
        three.desk.write(extra_columns.set_column, *where, "期中", "80", NOW)
    with pytest.raises(Refused, match="已经有一栏叫“期末”"):
        three.desk.write(extra_columns.set_column, *where, "期末", "100", NOW)
    three.desk.write(extra_columns.set_column, *where, "半期", "88", NOW)
    assert [(shown_column.title, shown_column.full_marks) for shown_column in three.book().columns] == [
        ("半期", 88.0),
        ("期末", 100.0),
    ]
    for _ in range(2):
        three.desk.write(extra_columns.remove_column, *where, NOW)
    assert three.desk.count("extra_mark") == 0
    assert [shown_column.title for shown_column in three.book().columns] == ["期末"]


def test_whoever_left_keeps_a_row_with_a_mark(three: Class) -> None:
    tang, xu, column = three.student("小糖"), three.student("小序"), add_column(three)
    set_marks(three, column, {tang: "88"})
    for student in (tang, xu):
        three.desk.write(class_members.remove_student, TEACHER, three.id, student, NOW)
    [row] = three.book().rows
    assert (row.student.name, row.student.membership) == ("小糖", "removed")
    assert three.book().columns[0].mark_sum.marked_count == 0


def test_the_mark_of_who_moved_can_be_changed_and_taken_away(three: Class) -> None:
    """Its row led to no field, and full marks could not go below it."""
    tang = three.student("小糖")
    column = add_column(three)
    set_marks(three, column, {tang: "95"})
    four = three.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    three.desk.write(class_members.move_student, TEACHER, three.id, tang, four, NOW)
    column_data = three.desk.read(extra_columns.load_column, TEACHER, three.id, column)
    assert [student.name for student in column_data.moved_students] == ["小糖"]
    assert set_marks(three, column, {tang: "59"}) == 1
    three.desk.write(extra_columns.set_column, TEACHER, three.id, column, "期中", "60", NOW)
    assert three.book().rows[0].cells[0].points == 59.0
    assert set_marks(three, column, {tang: ""}) == 1
    assert set_marks(three, column, {tang: "5"}) == 0, "nothing of them is left here"


def test_only_the_teacher_of_a_running_class(desk: Desk, three: Class) -> None:
    column = add_column(three)
    desk.write(accounts.create_account, Caller(), *newcomer("李", "colleague"), NOW, True)
    elsewhere = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    for teacher, where in ((Caller("colleague"), three.id), (TEACHER, elsewhere)):
        with pytest.raises(NotFound):
            desk.read(extra_columns.load_column, teacher, where, column)
        with pytest.raises(NotFound):
            desk.write(extra_columns.set_extra_marks, teacher, where, column, {}, NOW)
        with pytest.raises(NotFound):
            desk.write(extra_columns.remove_column, teacher, where, column, NOW)
    desk.write(classrooms.archive_class, TEACHER, three.id, NOW)
    with pytest.raises(Refused, match="归档"):
        set_marks(three, column, {})


def test_a_mark_is_taken_along_by_whom_it_is_about(three: Class) -> None:
    tang, xu, column = three.student("小糖"), three.student("小序"), add_column(three)
    set_marks(three, column, {tang: "88", xu: "60"})
    exported = three.desk.read(my_data.load_my_data, Caller("小糖"), NOW)
    assert [line["points"] for line in exported["extra_mark"]] == [88.0]


def test_columns_marks_and_rules_of_a_class_are_its_own(desk: Desk, three: Class) -> None:
    tang, xu, first_class_id = three.student("小糖"), three.student("小序"), three.id
    midterm, final = add_column(three), add_column(three, "期末")
    set_marks(three, midterm, {tang: "88", xu: "60"})
    set_marks(three, final, {tang: "90", xu: "70"})
    three.id = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    fang, elsewhere = three.student("小方"), add_column(three, "口试")
    set_marks(three, elsewhere, {fang: "77"})
    other_class_id, three.id = three.id, first_class_id
    set_marks(three, midterm, {tang: ""})
    uncounted = (ExtraColumnRow(column, "", 0, counted=False) for column in (midterm, elsewhere))
    set_rules(three, TotalRules(), *uncounted)
    loaded_columns = [
        desk.read(extra_columns.load_column, TEACHER, class_id, column)
        for class_id, column in ((three.id, midterm), (three.id, final), (other_class_id, elsewhere))
    ]
    assert [
        (loaded.column.title, loaded.column.counted, loaded.mark_by_enrolment_id) for loaded in loaded_columns
    ] == [
        ("期中", False, {xu: ExtraMarkValue(60.0)}),
        ("期末", True, {tang: ExtraMarkValue(90.0), xu: ExtraMarkValue(70.0)}),
        ("口试", True, {fang: ExtraMarkValue(77.0)}),
    ]
    book = three.book()
    assert [column.title for column in book.columns] == ["期中", "期末"]
    assert [row.student.name for row in book.rows] == ["小糖", "小序"]


@pytest.mark.parametrize(
    ("role", "may_mark", "may_set"),
    [("reader", False, False), ("assistant", True, False), ("co-teacher", True, True)],
)
def test_who_helps_types_marks_or_sets_the_column_too(
    desk: Desk, three: Class, role: str, may_mark: bool, may_set: bool
) -> None:
    tang, column, colleague = three.student("小糖"), add_column(three), Caller("colleague")
    desk.write(accounts.create_account, Caller(), *newcomer("李", "colleague"), NOW, True)
    token = desk.write(class_staff.create_role_token, TEACHER, three.id, role, NOW)
    desk.write(class_staff.accept_role, colleague, token, NOW)
    verbs: Sequence[tuple[bool, Any, tuple[Any, ...]]] = (
        (may_mark, extra_columns.set_extra_marks, ({tang: "88"}, NOW)),
        (may_set, extra_columns.set_column, ("期中", "100", NOW)),
    )
    for may_do, verb, arguments in verbs:
        if may_do:
            desk.write(verb, colleague, three.id, column, *arguments)
        else:
            with pytest.raises(NotPermitted):
                desk.write(verb, colleague, three.id, column, *arguments)
