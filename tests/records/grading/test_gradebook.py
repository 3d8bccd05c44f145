"""The gradebook: every history that a mark can have, in a fixed number of queries."""

from datetime import timedelta

import pytest

from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.assignments.rows import UNSENT_PREFIX
from app.records.assignments.tables import Extension, MarkOverride
from app.records.classes import class_members, classrooms, groups
from app.records.classes.values import Student
from app.records.db.errors import NotFound
from app.records.grading import gradebook, marks
from app.records.grading.values import GradebookCell
from bench.classes import counted_statements
from tests.records import assigned
from tests.records import gradebook_term as term
from tests.records.cast import NOW, Desk, newcomer
from tests.records.grading.graded_class import DAY, LATER, TEACHER, Class


def test_a_cell_says_where_somebody_stands(desk: Desk, three: Class) -> None:
    tang, xu = three.student("小糖"), three.student("小序")
    assignment = three.assignment(opens_at=NOW + timedelta(hours=1))
    assert three.cell("小糖", NOW).state == "soon"
    assert three.cell("小糖", NOW + timedelta(hours=2)).state == "new"
    assert three.cell("小糖").state == "missing"
    attempt = desk.write(term.begin, assignment, tang, NOW)
    assert three.cell("小糖", NOW) == GradebookCell("begun", None, 0)
    desk.write(term.save, attempt, "content:dcg-at-3#1", ["4.26"], NOW)
    assert three.cell("小糖", NOW) == GradebookCell("begun", None, 1)
    assert three.book().rows[0].mark_sum.missing_count == 1, "begun and never handed in"
    desk.write(term.hand_in, attempt, NOW, points=7.5)
    assert three.cell("小糖") == GradebookCell("done", 7.5)
    desk.write(term.worth, assignment, xu, 10.0, NOW + DAY + timedelta(minutes=2), factor=0.5)
    assert three.cell("小序") == GradebookCell("late", 5.0)
    [column] = three.book().columns
    assert (column.full_marks, column.question_count) == (10.0, 4)
    assert (column.mark_sum.mean, column.mark_sum.marked_count, column.mark_sum.missing_count) == (6.25, 2, 0)


def test_a_draft_is_no_column(desk: Desk, three: Class) -> None:
    three.assignment(published_at=None)
    assert three.book().columns == ()


@pytest.mark.parametrize(("counts", "points"), [("best", 8.0), ("last", 3.0), ("first", 6.0)])
def test_which_pass_counts(desk: Desk, three: Class, counts: str, points: float) -> None:
    tang, assignment = three.student("小糖"), three.assignment(counts=counts)
    for number, earned in enumerate((6.0, 8.0, 3.0), 1):
        desk.write(term.worth, assignment, tang, earned, NOW, number=number)
    assert three.cell("小糖").points == points


def test_of_passes_the_late_factor_decides_too(desk: Desk, three: Class) -> None:
    tang, assignment = three.student("小糖"), three.assignment(late_until=NOW + 3 * DAY, late_factor=0.5)
    desk.write(term.worth, assignment, tang, 6.0, NOW)
    desk.write(term.worth, assignment, tang, 10.0, NOW + 2 * DAY, number=2, factor=0.5)
    assert three.cell("小糖") == GradebookCell("done", 6.0)


def test_an_extension_moves_what_is_late_and_what_is_missing(desk: Desk, three: Class) -> None:
    tang, assignment = three.student("小糖"), three.assignment()
    extend = {"assignment_id": assignment, "enrolment_id": tang, "note": "病假", "created_at": NOW}
    desk.write(term.add, Extension, due_at=NOW + 3 * DAY, **extend)
    assert three.cell("小糖", NOW + 2 * DAY).state == "new"
    assert three.cell("小糖", NOW + 4 * DAY).state == "missing"
    desk.write(term.worth, assignment, tang, 9.0, NOW + 2 * DAY)
    assert three.cell("小糖").state == "done"
    desk.write(term.add, Extension, due_at=None, **extend)
    assert three.cell("小糖").state == "done", "no late work is taken: it was in time when it was done"
    three.assignment("第二周", late_until=NOW + 3 * DAY)
    desk.write(term.worth, assignment + 1, tang, 9.0, NOW + 2 * DAY)
    assert three.cell("小糖", column=1).state == "late"


def test_by_an_extension_beyond_an_early_closing_nothing_is_late(desk: Desk, three: Class) -> None:
    """No late work is taken after it: what was done was in time when it was done."""
    tang, xu = three.student("小糖"), three.student("小序")
    assignment = three.assignment(due_at=NOW + 9 * DAY, closed_at=NOW + DAY)
    for enrolment in (tang, xu):
        extend = {"assignment_id": assignment, "enrolment_id": enrolment, "note": "病假", "created_at": NOW}
        desk.write(term.add, Extension, due_at=NOW + 2 * DAY, **extend)
    desk.write(term.worth, assignment, tang, 9.0, NOW + 2 * DAY)
    desk.write(term.worth, assignment, xu, 9.0, NOW + 3 * DAY)
    assert (three.cell("小糖").state, three.cell("小序").state) == ("done", "done")


def test_an_override_counts_before_all_and_can_be_taken_back(desk: Desk, three: Class) -> None:
    tang, xu = three.student("小糖"), three.student("小序")
    assignment = three.assignment()
    desk.write(term.worth, assignment, tang, 6.0, NOW)
    for points in (8.0, 9.0):
        desk.write(
            term.add,
            MarkOverride,
            assignment_id=assignment,
            enrolment_id=tang,
            points=points,
            reason="口头补答",
            created_at=NOW,
        )
    desk.write(
        term.add,
        MarkOverride,
        assignment_id=assignment,
        enrolment_id=xu,
        points=7.0,
        reason="纸上交的",
        created_at=NOW,
    )
    assert three.cell("小糖") == GradebookCell("done", 9.0, is_by_hand=True)
    assert three.cell("小序") == GradebookCell("missing", 7.0, is_by_hand=True, is_absent=True)
    assert three.book().columns[0].mark_sum.missing_count == 0, "a mark is there"
    desk.write(term.add, MarkOverride, assignment_id=assignment, enrolment_id=tang, points=None, reason="",
               created_at=NOW)  # fmt: skip
    assert three.cell("小糖") == GradebookCell("done", 6.0)


def test_only_those_who_are_named(desk: Desk, three: Class) -> None:
    tang, _ = three.student("小糖"), three.student("小序")
    assignment = three.assignment(everyone=False)
    desk.write(term.name_for, assignment, tang)
    assert (three.cell("小糖").state, three.cell("小序").state) == ("missing", "exempt")


def test_whoever_came_late_owes_nothing_of_before(desk: Desk, three: Class) -> None:
    three.assignment()
    three.assignment("第二周", due_at=NOW + 20 * DAY)
    three.student("小糖", NOW + 5 * DAY)
    assert [cell.state for cell in three.book().rows[0].cells] == ["exempt", "missing"]


def test_whoever_left_stays_with_work_and_out_of_the_averages(desk: Desk, three: Class) -> None:
    tang, xu, fang = (three.student(name) for name in ("小糖", "小序", "小方"))
    assignment = three.assignment()
    three.assignment("第二周", due_at=LATER + DAY)
    desk.write(term.worth, assignment, tang, 2.0, NOW)
    desk.write(term.worth, assignment, xu, 8.0, NOW)
    for student in (tang, fang):
        desk.write(class_members.remove_student, TEACHER, three.id, student, NOW)
    book = three.book()
    assert [(row.student.name, row.student.membership) for row in book.rows] == [
        ("小糖", "removed"),
        ("小序", "here"),
    ]
    assert book.columns[0].mark_sum.mean == 8.0
    assert (book.rows[0].mark_sum.points, book.rows[0].mark_sum.full_marks) == (2.0, 10.0)
    assert [row.cells[1].state for row in book.rows] == ["gone", "new"], "what is still open is not 免"


def test_whoever_moved_keeps_the_work_of_the_old_class_there(desk: Desk, three: Class) -> None:
    tang, assignment = three.student("小糖"), three.assignment()
    desk.write(term.worth, assignment, tang, 8.0, NOW)
    other_class = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    desk.write(class_members.move_student, TEACHER, three.id, tang, other_class, NOW)
    [row] = three.book().rows
    assert (row.student.membership, row.cells[0].points) == ("moved", 8.0)
    other_book = desk.read(gradebook.load_gradebook, TEACHER, other_class, LATER)
    assert [(book_row.student.name, book_row.cells) for book_row in other_book.rows] == [("小糖", ())]


def test_an_assignment_without_points_has_no_part_in_sums(desk: Desk, three: Class) -> None:
    tang, assignment = three.student("小糖"), three.assignment(parts=[("item", "content:dcg-at-3", 0.0)])
    desk.write(term.worth, assignment, tang, 0.0, NOW)
    book = three.book()
    assert book.rows[0].cells[0] == GradebookCell("done", 0.0)
    assert (
        book.columns[0].mark_sum.mean,
        book.columns[0].full_marks,
        book.rows[0].mark_sum.earned_share,
    ) == (
        None,
        0.0,
        None,
    )


def test_what_was_collected_was_not_late(desk: Desk, three: Class) -> None:
    tang, assignment = three.student("小糖"), three.assignment()
    desk.write(term.worth, assignment, tang, 4.0, NOW + 2 * DAY, is_collected=True)
    assert three.cell("小糖") == GradebookCell("done", 4.0, is_collected=True)


def test_what_was_collected_was_late_where_that_costs(desk: Desk, three: Class) -> None:
    """小糖 went on after the due time: its page says so, and so does the gradebook."""
    tang, assignment = three.student("小糖"), three.assignment(late_until=NOW + 3 * DAY, late_factor=0.5)
    desk.write(term.worth, assignment, tang, 4.0, NOW + 2 * DAY, is_collected=True, factor=0.5)
    assert three.cell("小糖") == GradebookCell("late", 2.0, is_collected=True)


def test_the_number_of_queries_is_fixed(desk: Desk, three: Class) -> None:
    counts = set()
    for number in range(1, 4):
        tang, assignment = three.student(f"同学{number}"), three.assignment(f"第{number}周")
        desk.write(term.worth, assignment, tang, 4.0, NOW)
        with counted_statements() as statements:
            three.book()
        counts.add(len(statements))
    assert counts == {15}


def test_nothing_of_another_class_is_in_it(desk: Desk, three: Class) -> None:
    tang, week, first_class_id = three.student("小糖"), three.assignment(), three.id
    three.student("小序")
    desk.write(term.worth, week, tang, 6.0, NOW)
    desk.write(groups.add_group, TEACHER, three.id, "第一组", NOW)
    [group] = desk.read(groups.groups_of, three.id)
    desk.write(groups.place_students, TEACHER, three.id, group.id, [tang], "", NOW)
    three.id = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    fang, elsewhere = three.student("小方"), three.assignment("别的")
    desk.write(term.worth, elsewhere, fang, 9.0, NOW)
    three.id = first_class_id
    book = three.book()
    assert [column.title for column in book.columns] == ["第一周"]
    assert [(row.student.name, row.student.group_id, row.cells[0].state) for row in book.rows] == [
        ("小糖", group.id, "done"),
        ("小序", None, "missing"),
    ]


def test_answers_of_an_open_pass_are_counted_each_question_once(
    room: assigned.Class, tang: Student, xu: Student
) -> None:
    """Marked or saved, of this pass alone; what was typed and not sent is no answer."""
    assignment_id = room.assign(*[assigned.DCG] * 4, answers="at_once", tries=2)
    refs = [f"content:dcg#{number}" for number in (1, 2, 3, 4)]
    for caller in (assigned.TANG, assigned.XU):
        room.begin(caller, assignment_id)
    for try_number in (1, 2):
        room.answer(assigned.TANG, assignment_id, 1, "6", try_number)
    room.answer(assigned.XU, assignment_id, 2, "6")
    for caller, saved_refs in (
        (assigned.TANG, [refs[0], refs[1], UNSENT_PREFIX + refs[2]]),
        (assigned.XU, refs[1:]),
    ):
        attempt_id = room.work(caller, assignment_id).attempt.attempt_id
        for ref in saved_refs:
            room.desk.write(term.save, attempt_id, ref, ["4"], NOW)
    book = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, NOW)
    answered_counts = {row.student.id: row.cells[0].answered_count for row in book.rows}
    assert answered_counts == {tang.id: 2, xu.id: 3}


def test_nobody_else_sees_it(desk: Desk, three: Class) -> None:
    desk.write(accounts.create_account, Caller(), *newcomer("李", "colleague"), NOW, True)
    for caller in (Caller("colleague"), Caller(), Caller("nobody")):
        with pytest.raises(NotFound):
            desk.read(gradebook.load_gradebook, caller, three.id, NOW)


def test_a_pass_that_is_worth_as_much_leaves_the_earlier_one_counting() -> None:
    passes = [marks.HandedInAttempt(1, 8.0), marks.HandedInAttempt(2, 8.0)]
    assert marks.counting_attempt("best", passes) == passes[0]
    assert marks.mark_of("best", []) is None
    assert marks.mark_of("best", [], 0.0) == 0.0, "nought is a mark"
