"""Who moves into another class takes marks along: those that stand in both, nothing over what is there."""

from datetime import timedelta

import pytest

from app.records.accounts.values import Caller
from app.records.assignments import audit
from app.records.classes import classrooms
from app.records.db.errors import Refused
from app.records.grading import carried_marks, extra_columns, gradebook, mark_overrides, student_assignments
from app.records.grading.values import CellKey, GradebookRow
from tests.records import gradebook_term as term
from tests.records.cast import NOW, Desk
from tests.records.grading.graded_class import DAY, PARTS, TEACHER, Class


@pytest.fixture
def four(desk: Desk, three: Class) -> int:
    return desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)


def set_up(desk: Desk, classroom: int, title: str, points: float = 4.0, **fields: object) -> int:
    parts = [("item", "content:dcg-at-3", points)]
    return desk.write(term.set_up, classroom, title, parts, NOW, **{"due_at": NOW + DAY} | fields)


def move(desk: Desk, three: Class, place: int, target: int) -> int | None:
    return desk.write(carried_marks.move_with_marks, TEACHER, three.id, place, target, NOW + 2 * DAY)


def row_of(desk: Desk, classroom: int) -> GradebookRow:
    [row] = desk.read(gradebook.load_gradebook, TEACHER, classroom, NOW + 3 * DAY).rows
    return row


def test_what_stands_in_both_classes_comes_along(desk: Desk, three: Class, four: int) -> None:
    """By title and full marks; 免 too. Drafts, other full marks and what was not done stay behind."""
    tang = three.student("小糖")
    for title, points in (("第一周", 3.0), ("第二周", 2.0), ("第三周", 1.0)):
        desk.write(term.worth, set_up(desk, three.id, title), tang, points, NOW)
    excused = set_up(desk, three.id, "第四周")
    desk.write(mark_overrides.excuse_student, TEACHER, CellKey(three.id, excused, tang), "病假", NOW)
    set_up(desk, three.id, "第五周")
    for title in ("第一周", "第四周", "第五周", "别的"):
        set_up(desk, four, title)
    set_up(desk, four, "第二周", 8.0)
    set_up(desk, four, "第三周", published_at=None)
    for classroom in (three.id, four):
        column = desk.write(extra_columns.add_column, TEACHER, classroom, "期中", "100", NOW)
    [(column,)] = desk.rows("SELECT id FROM extra_column WHERE classroom_id = ?", three.id)
    desk.write(extra_columns.set_extra_marks, TEACHER, three.id, column, {tang: "88"}, NOW)
    assert move(desk, three, tang, four) == 3
    row = row_of(desk, four)
    titles = [
        table_column.title
        for table_column in desk.read(gradebook.load_gradebook, TEACHER, four, NOW + 3 * DAY).columns
    ]
    cells = {title: (cell.state, cell.points) for title, cell in zip(titles, row.cells, strict=True)}
    assert cells == {
        "第一周": ("exempt", 3.0),
        "第四周": ("exempt", None),
        "第五周": ("exempt", None),
        "别的": ("exempt", None),
        "第二周": ("exempt", None),
        "期中": ("done", 88.0),
    }
    assert [cell.is_by_hand for cell in row.cells] == [True, True, False, False, False, False]
    old_row = row_of(desk, three.id)
    assert (old_row.student.membership, [cell.points for cell in old_row.cells[:3]]) == (
        "moved",
        [3.0, 2.0, 1.0],
    )
    log = desk.read(audit.load_audit, TEACHER, four).lines
    carried = [(line.assignment_title, line.detail["reason"]) for line in log if line.action == "carried"]
    assert sorted(carried) == [("第一周", "从高一3班带来"), ("第四周", "从高一3班带来")]
    [extra_line] = [line for line in log if line.action == "extra-carried"]
    assert (extra_line.student_name, extra_line.detail) == (
        "小糖",
        {"column": "期中", "mark": "88", "reason": "从高一3班带来"},
    )


def test_a_mark_that_is_there_stays(desk: Desk, three: Class, four: int) -> None:
    """Who was in the class before has work of their own there."""
    tang, new_assignment = three.student("小糖"), set_up(desk, four, "第一周")
    desk.write(term.worth, set_up(desk, three.id, "第一周"), tang, 3.0, NOW)
    move(desk, three, tang, four)
    assert row_of(desk, four).cells[0].points == 3.0
    desk.write(
        mark_overrides.override_mark,
        TEACHER,
        CellKey(four, new_assignment, tang),
        "1",
        "重做过",
        NOW + 3 * DAY,
    )
    desk.write(carried_marks.move_with_marks, TEACHER, four, tang, three.id, NOW + 3 * DAY)
    assert three.book().rows[0].cells[0].points == 3.0
    desk.write(carried_marks.move_with_marks, TEACHER, three.id, tang, four, NOW + 4 * DAY)
    assert row_of(desk, four).cells[0].points == 1.0


def test_work_that_waits_to_be_marked_is_there_too(desk: Desk, three: Class, four: int) -> None:
    """It has no mark yet, and will have one."""
    tang, new_assignment = three.student("小糖"), set_up(desk, four, "第一周")
    move(desk, three, tang, four)
    desk.write(term.worth, new_assignment, tang, 1.0, NOW, waiting_count=1, open_points=2.0)
    desk.write(carried_marks.move_with_marks, TEACHER, four, tang, three.id, NOW + 3 * DAY)
    desk.write(term.worth, set_up(desk, three.id, "第一周"), tang, 3.0, NOW)
    desk.write(carried_marks.move_with_marks, TEACHER, three.id, tang, four, NOW + 4 * DAY)
    [cell] = row_of(desk, four).cells
    assert (cell.points, cell.waiting_count, cell.is_by_hand) == (None, 1, False)


def test_without_a_place_to_go_nothing_is_done(desk: Desk, three: Class, four: int) -> None:
    tang = three.student("小糖")
    set_up(desk, four, "第一周")
    desk.write(term.worth, three.assignment("第一周", PARTS), tang, 3.0, NOW)
    with pytest.raises(Refused, match="已经在那个班里了"):
        desk.write(carried_marks.move_with_marks, TEACHER, three.id, tang, three.id, NOW)
    desk.write(classrooms.archive_class, TEACHER, four, NOW)
    with pytest.raises(Refused, match="归档"):
        move(desk, three, tang, four)
    assert desk.count("mark_override") == 0


@pytest.mark.parametrize(
    ("old", "new", "points"),
    [
        ({"answers": "never"}, {"answers": "at_once"}, None),
        ({"answers": "due", "due_at": NOW + 9 * DAY}, {}, None),
        ({"answers": "due"}, {}, 3.0),
        ({"answers": "due", "due_at": NOW + 2 * DAY - timedelta(minutes=1)}, {}, 3.0),
        ({"answers": "due", "due_at": NOW + 2 * DAY}, {}, None),
        ({}, {"everyone": False}, None),
    ],
)
def test_only_what_the_pupil_knows_goes_where_it_is_theirs(
    desk: Desk, three: Class, four: int, old: dict[str, object], new: dict[str, object], points: float | None
) -> None:
    """No sealed result comes to light by a move, and none stands where nothing was set."""
    tang = three.student("小糖")
    desk.write(term.worth, set_up(desk, three.id, "第一周", 4.0, **old), tang, 3.0, NOW)
    set_up(desk, four, "第一周", 4.0, **new)
    move(desk, three, tang, four)
    assert [cell.points for cell in row_of(desk, four).cells] == [points]


def test_drafts_and_work_of_others_between_hide_nothing(desk: Desk, three: Class, four: int) -> None:
    """Their pupil reads where a mark comes from."""
    tang = three.student("小糖")
    for title in ("第一周", "第二周", "第三周"):
        desk.write(term.worth, set_up(desk, three.id, title), tang, 2.0, NOW)
        set_up(desk, three.id, title, published_at=None)
    set_up(desk, four, "第一周")
    set_up(desk, four, "第二周", everyone=False)
    set_up(desk, four, "第二周", published_at=None)
    set_up(desk, four, "第三周")
    assert move(desk, three, tang, four) == 2
    own = desk.read(student_assignments.load_own_assignments, Caller("小糖"))
    hand_marks = [work.hand_mark for work in own if work.hand_mark.is_set]
    assert [(hand_mark.points, hand_mark.reason) for hand_mark in hand_marks] == [(2.0, "从高一3班带来")] * 2


def test_a_mark_by_hand_goes_along_without_any_work(desk: Desk, three: Class, four: int) -> None:
    tang = three.student("小糖")
    for title, answers in (("第一周", "due"), ("第二周", "never")):
        week = set_up(desk, three.id, title, answers=answers, due_at=NOW + 9 * DAY)
        desk.write(mark_overrides.override_mark, TEACHER, CellKey(three.id, week, tang), "2", "口头", NOW)
        set_up(desk, four, title)
    assert move(desk, three, tang, four) == 1
    assert [cell.points for cell in row_of(desk, four).cells] == [2.0, None]


def test_a_carried_mark_stands_in_the_list_of_its_pupil(desk: Desk, three: Class, four: int) -> None:
    """Also of what was over before they came; without a mark that is not theirs."""
    tang = three.student("小糖")
    desk.write(term.worth, set_up(desk, three.id, "第一周"), tang, 3.0, NOW)
    new_assignment = set_up(desk, four, "第一周", closed_at=NOW + DAY)
    set_up(desk, four, "第二周", closed_at=NOW + DAY)
    move(desk, three, tang, four)
    own = desk.read(student_assignments.load_own_assignments, Caller("小糖"))
    assert new_assignment in [student_assignment.assignment.id for student_assignment in own]
    assert "第二周" not in [student_assignment.assignment.title for student_assignment in own]


def test_a_mark_that_was_left_behind_stands_in_the_list_of_its_pupil(
    desk: Desk, three: Class, four: int
) -> None:
    """A paper that was marked by hand, without an attempt: of its class only the mark says so."""
    tang = three.student("小糖")
    paper = three.assignment("期中卷子")
    three.assignment("没做的")
    cell_key = CellKey(three.id, paper, tang)
    desk.write(mark_overrides.override_mark, TEACHER, cell_key, "3", "纸上做的", NOW)
    move(desk, three, tang, four)
    own = desk.read(student_assignments.load_own_assignments, Caller("小糖"))
    assert [(work.assignment.id, work.hand_mark.points) for work in own] == [(paper, 3.0)]
    assert not own[0].is_still_given
    page = desk.read(student_assignments.load_own_assignment, Caller("小糖"), paper)
    assert page.hand_mark == own[0].hand_mark


def test_of_two_that_are_alike_none_comes_along(desk: Desk, three: Class, four: int) -> None:
    """The mark of the oldest stood in both. A 小测 of another full marks is not meant."""
    tang = three.student("小糖")
    for points in (1.0, 3.0):
        desk.write(term.worth, set_up(desk, three.id, "小测"), tang, points, NOW)
        set_up(desk, four, "小测")
    desk.write(term.worth, set_up(desk, three.id, "小测", 8.0), tang, 5.0, NOW)
    set_up(desk, four, "小测", 8.0)
    set_up(desk, three.id, "第一周")
    desk.write(term.worth, set_up(desk, three.id, "第一周"), tang, 2.0, NOW)
    set_up(desk, four, "第一周")
    assert move(desk, three, tang, four) == 1
    assert [cell.points for cell in row_of(desk, four).cells] == [None, None, 5.0, None]


def test_what_was_given_to_several_classes_is_known_by_that(desk: Desk, three: Class, four: int) -> None:
    """Whatever else has its title."""
    tang = three.student("小糖")
    for series, points in ((1, 1.0), (2, 3.0), (None, 2.0)):
        desk.write(term.worth, set_up(desk, three.id, "小测", series=series), tang, points, NOW)
    for series in (2, 1, None):
        set_up(desk, four, "小测", series=series)
    assert move(desk, three, tang, four) == 3
    assert [cell.points for cell in row_of(desk, four).cells] == [3.0, 1.0, 2.0]
