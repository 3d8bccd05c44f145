"""The end of a class: what goes with it, what stays with its students, and who goes on into the next term."""

from datetime import datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import delete, text

from app.records.accounts.tables import Account
from app.records.accounts.values import Caller
from app.records.assignments import audit, deadlines, drafts
from app.records.classes import (
    class_members,
    classrooms,
    joining,
    password_slips,
    roster_imports,
    student_numbers,
)
from app.records.classes.roster_files import RosterEntry
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.grading import comments, extra_columns, gradebook, mark_overrides
from app.records.grading.totals import total_rules
from app.records.grading.totals.weighted_marks import TotalRules
from app.records.grading.values import CellKey
from app.records.people import class_ends, class_staff
from app.records.people.class_ends import ClassContents, NextSemester
from tests.records.all_sums import rebuild_all_sums
from tests.records.assigned import COLLEAGUE, DCG, TANG, TEACHER, Class, account
from tests.records.cast import NOW, Desk

LATER = NOW + timedelta(days=100)
ACCOUNT = table(Account)
DELETION = delete(ACCOUNT).where(ACCOUNT.c.login == "小糖")


@pytest.fixture
def room(desk: Desk) -> Class:
    """高一3班 with work, marks, a comment, a column, rules and a log; 小序 has left."""
    account(desk, "王", "teacher", teacher=True)
    account(desk, "李", "colleague", teacher=True)
    room = Class(desk, desk.write(classrooms.create_class, TEACHER, "高一3班", NOW))
    tang, xu = room.join("小糖", "tang"), room.join("小序", "xu")
    assignment = room.assign(DCG)
    room.begin(TANG, assignment)
    room.save(TANG, assignment, 1, "4")
    room.hand_in(TANG, assignment)
    where = (TEACHER, CellKey(room.classroom, assignment, tang.id))
    desk.write(mark_overrides.override_mark, *where, "1", "口头补答", NOW)
    desk.write(comments.set_comment, *where, "写得清楚。", NOW)
    column = desk.write(extra_columns.add_column, TEACHER, room.classroom, "期中", "100", NOW)
    desk.write(extra_columns.set_extra_marks, TEACHER, room.classroom, column, {tang.id: "88"}, NOW)
    rules = TotalRules("categories", "zero", {"平时": 40.0, "期末": 60.0}, {"平时": 1})
    desk.write(total_rules.set_total_rules, TEACHER, room.classroom, rules, {}, NOW)
    desk.write(
        student_numbers.set_student_details, TEACHER, room.classroom, tang.id, "小糖", "2026001", "7", NOW
    )
    desk.write(class_members.remove_student, TEACHER, room.classroom, xu.id, NOW)
    return room


def remove(desk: Desk, room: Class, name: str) -> ClassContents | None:
    return desk.write(class_ends.remove_class, TEACHER, room.classroom, name)


def test_a_class_goes_for_good_and_answers_stay_with_whom_they_are(desk: Desk, room: Class) -> None:
    with pytest.raises(Refused, match="先归档"):
        remove(desk, room, "高一3班")
    desk.write(classrooms.archive_class, TEACHER, room.classroom, NOW)
    with pytest.raises(Refused, match="照着写一遍"):
        remove(desk, room, "高一4班")
    with pytest.raises(NotFound):
        desk.write(class_ends.remove_class, COLLEAGUE, room.classroom, "高一3班")
    contents = remove(desk, room, " 高一 3班 ")
    assert contents
    assert contents[1:] == (2, 1, 1, 1, 1, 0)
    for name in ("classroom", "enrolment", "assignment", "submission", "mark_override", "work_comment"):
        assert desk.count(name) == 0, name
    for name in ("extra_column", "extra_mark", "total_scheme", "total_category", "audit"):
        assert desk.count(name) == 0, name
    assert desk.count("account") == 4
    assert desk.rows("SELECT value FROM response") == [("4",)]
    assert remove(desk, room, "高一3班") is None, "a second click"


def other_class(desk: Desk, teacher: Caller, name: str, now: datetime) -> Class:
    """Another class, of which 小糖 is a member too."""
    classroom = desk.write(classrooms.create_class, teacher, name, now)
    join_code = desk.read(classrooms.taught_class, teacher, classroom).code
    desk.write(joining.join_class, TANG, join_code, "小糖", "here", now)
    return Class(desk, classroom)


def test_another_class_neither_counts_nor_holds_nor_goes(desk: Desk, room: Class) -> None:
    """小糖 is in both, with marks in the columns of both; in the other one the work is not handed in yet."""
    second_room = other_class(desk, TEACHER, "高一4班", NOW)
    second_room.begin(TANG, second_room.assign(DCG))
    [student] = desk.read(classrooms.load_present_students, second_room.classroom)
    column = desk.write(extra_columns.add_column, TEACHER, second_room.classroom, "期末", "100", NOW)
    desk.write(extra_columns.set_extra_marks, TEACHER, second_room.classroom, column, {student.id: "99"}, NOW)
    token = desk.write(class_staff.create_role_token, TEACHER, second_room.classroom, "assistant", NOW)
    desk.write(class_staff.accept_role, COLLEAGUE, token, NOW)
    contents = [
        desk.read(class_ends.load_class_contents, TEACHER, entered.classroom)[1:]
        for entered in (room, second_room)
    ]
    assert contents == [(2, 1, 1, 1, 1, 0), (1, 1, 1, 1, 0, 1)]
    desk.write(classrooms.archive_class, TEACHER, second_room.classroom, NOW)
    remove(desk, second_room, "高一4班")
    assert desk.read(class_ends.load_class_contents, TEACHER, room.classroom)[1:] == (2, 1, 1, 1, 1, 0)
    assert desk.rows("SELECT points FROM extra_mark") == [(88.0,)]


def test_an_account_stays_made_for_its_teacher_when_its_first_class_is_gone(desk: Desk, room: Class) -> None:
    """小糖 came into 高一4班 with a list, and 忘了密码 there said: 用的是自己的账号."""
    foreign_room = other_class(desk, COLLEAGUE, "社团", NOW)
    second_class = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    entries = (RosterEntry(2, "小糖", "2026001"),)
    desk.write(roster_imports.import_entries, TEACHER, second_class, entries, ("hash",), NOW)
    account(desk, "小圆", "yuan")
    second_room = Class(desk, second_class)
    desk.write(joining.join_class, Caller("yuan"), second_room.code(), "小圆", "here", NOW)
    [tang, _] = desk.read(classrooms.load_present_students, second_class)
    assert desk.read(password_slips.resettable_enrolment_ids, TEACHER, second_class) == [tang.id]
    desk.write(classrooms.archive_class, TEACHER, room.classroom, NOW)
    remove(desk, room, "高一3班")
    assert desk.read(password_slips.resettable_enrolment_ids, TEACHER, second_class) == [tang.id]
    assert desk.read(password_slips.resettable_enrolment_ids, COLLEAGUE, foreign_room.classroom) == []


def moved_away(desk: Desk, room: Class, enrolment: int) -> int:
    """高一4班, into which a student of 高一3班 was moved; then it was put away."""
    target = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    desk.write(class_members.move_student, TEACHER, room.classroom, enrolment, target, LATER)
    desk.write(classrooms.archive_class, TEACHER, target, LATER)
    return target


WORK = ("submission", "mark_override", "work_comment", "extra_mark")


def clear(name: str, session: VerbSession) -> None:
    session.execute(text(f"DELETE FROM {name}"))


@pytest.mark.parametrize("left", WORK)
def test_marks_left_in_another_class_outlive_the_class_that_goes(desk: Desk, room: Class, left: str) -> None:
    for name in WORK:
        if name != left:
            desk.write(partial(clear, name))
    desk.write(rebuild_all_sums)
    tang = room.students()[0]
    target = moved_away(desk, room, tang.id)
    desk.write(class_ends.remove_class, TEACHER, target, "高一4班")
    assert desk.count(left) == 1
    student = desk.read(classrooms.student_of_class, room.classroom, tang.id)
    assert (student.name, student.removed_at) == ("小糖", LATER), "out of it since the move"
    assert student.joined_at == tang.joined_at, "in it since before"


def test_only_who_left_marks_behind_goes_back(desk: Desk, room: Class) -> None:
    tang = room.students()[0]
    yuan = room.join("小圆", "yuan")
    target = moved_away(desk, room, tang.id)
    desk.write(class_ends.restore_class, TEACHER, target, LATER)
    desk.write(class_members.move_student, TEACHER, room.classroom, yuan.id, target, LATER)
    desk.write(classrooms.archive_class, TEACHER, target, LATER)
    desk.write(class_ends.remove_class, TEACHER, target, "高一4班")
    enrolments = [
        student.name for student in desk.read(classrooms.load_present_and_former_students, room.classroom)
    ]
    assert sorted(enrolments) == ["小序", "小糖"]
    rows = desk.read(gradebook.load_gradebook, TEACHER, room.classroom, LATER).rows
    assert [(row.student.name, row.student.membership) for row in rows] == [("小糖", "removed")]


def test_a_class_stays_while_marks_of_another_hang_on_it(desk: Desk, room: Class) -> None:
    """小糖 was moved and came again with a list: two enrolments cannot be in one class."""
    tang = room.students()[0]
    target = moved_away(desk, room, tang.id)
    desk.write(joining.enrol_learner, room.classroom, tang.learner_id, "小糖", "", LATER)
    with pytest.raises(Refused, match="小糖（高一3班）"):
        desk.write(class_ends.remove_class, TEACHER, target, "高一4班")
    assert desk.count("submission") == 1
    assert desk.read(classrooms.student_of_class, target, tang.id).name == "小糖"


@pytest.mark.parametrize(("is_in_later_again", "class_index"), [(False, 1), (True, 0)])
def test_who_left_marks_in_two_classes_goes_back_to_the_later_one_that_has_room(
    desk: Desk, room: Class, is_in_later_again: bool, class_index: int
) -> None:
    tang = room.students()[0]
    class_ids = [room.classroom]
    for name in ("高一4班", "高一5班"):
        class_ids.append(desk.write(classrooms.create_class, TEACHER, name, NOW))
        desk.write(class_members.move_student, TEACHER, class_ids[-2], tang.id, class_ids[-1], LATER)
        column = desk.write(extra_columns.add_column, TEACHER, class_ids[-1], "期末", "100", NOW)
        desk.write(extra_columns.set_extra_marks, TEACHER, class_ids[-1], column, {tang.id: "99"}, LATER)
    if is_in_later_again:
        desk.write(joining.enrol_learner, class_ids[1], tang.learner_id, "小糖", "", LATER)
    desk.write(classrooms.archive_class, TEACHER, class_ids[2], LATER)
    desk.write(class_ends.remove_class, TEACHER, class_ids[2], "高一5班")
    student = desk.read(classrooms.student_of_class, class_ids[class_index], tang.id)
    assert (student.name, student.removed_at) == ("小糖", LATER)


def carry_over(desk: Desk, room: Class, name: str, copies: bool = False, archives: bool = False) -> int:
    next_semester = NextSemester(name, takes_drafts=copies, archives_old_class=archives)
    return desk.write(class_ends.carry_class_over, TEACHER, room.classroom, next_semester, LATER)


def test_the_students_go_on_and_marks_begin_anew(desk: Desk, room: Class) -> None:
    target = carry_over(desk, room, "高二3班", archives=True)
    [student] = desk.read(classrooms.load_present_students, target)
    assert (student.name, student.student_number, student.seat, student.joined_at) == (
        "小糖",
        "2026001",
        7,
        LATER,
    )
    book = desk.read(gradebook.load_gradebook, TEACHER, target, LATER)
    assert [(column.title, column.full_marks, column.mark_sum.marked_count) for column in book.columns] == [
        ("期中", 100.0, 0)
    ]
    assert book.total_rules == TotalRules("categories", "zero", {"平时": 40.0, "期末": 60.0}, {"平时": 1})
    assert desk.rows("SELECT id FROM assignment WHERE classroom_id = ?", target) == []
    old, new = (desk.read(classrooms.taught_class, TEACHER, key) for key in (room.classroom, target))
    assert (old.archived_at, new.archived_at, new.is_open(LATER)) == (LATER, None, False)
    assert desk.read(gradebook.load_gradebook, TEACHER, room.classroom, LATER).rows[0].cells[0].points == 1.0
    assert desk.read(password_slips.resettable_enrolment_ids, TEACHER, target) == [student.id]
    with pytest.raises(Refused, match="归档"):
        carry_over(desk, room, "高三3班")


def test_assignments_come_along_as_drafts_where_that_is_wanted(desk: Desk, room: Class) -> None:
    target = carry_over(desk, room, "高二3班", copies=True)
    rows = desk.rows("SELECT title, published_at, due_at FROM assignment WHERE classroom_id = ?", target)
    assert rows == [("第一周", None, None)]
    assert desk.read(classrooms.taught_class, TEACHER, room.classroom).archived_at is None
    assert carry_over(desk, room, "高二3班", copies=True) == target, "a second click"
    assert desk.count("classroom") == 2


def test_assignments_that_are_alike_come_along_each(desk: Desk, room: Class) -> None:
    """每日一练: one title, the same rules and parts, twice. A copy of it was taken for that of another."""
    for days in (1, 2):
        room.now = NOW + timedelta(days=days)
        room.assign(DCG)
    target = carry_over(desk, room, "高二3班", copies=True)
    [(copy_count,)] = desk.rows("SELECT count(*) FROM assignment WHERE classroom_id = ?", target)
    assert copy_count == 3
    assert carry_over(desk, room, "高二3班", copies=True) == target, "a second click"
    assert desk.count("assignment") == 6


def test_drafts_come_along_too_as_the_page_counts_them(desk: Desk, room: Class) -> None:
    draft = desk.write(drafts.create_draft, TEACHER, room.classroom, "还没发的", NOW)
    contents = desk.read(class_ends.load_class_contents, TEACHER, room.classroom)
    target = carry_over(desk, room, "高二3班", copies=True)
    titles = desk.rows("SELECT title FROM assignment WHERE classroom_id = ? ORDER BY id", target)
    assert titles == [("第一周",), ("还没发的",)]
    assert (len(titles), draft > 0) == (contents.assignment_count, True)


@pytest.mark.parametrize("asks", [True, False])
def test_the_door_asks_for_numbers_as_before(desk: Desk, room: Class, asks: bool) -> None:
    desk.write(student_numbers.set_number_at_door, TEACHER, room.classroom, asks, NOW)
    target = carry_over(desk, room, "高二3班")
    assert desk.read(classrooms.taught_class, TEACHER, target).number_at_door is asks


def test_a_second_click_finds_the_class_although_the_first_was_put_away(desk: Desk, room: Class) -> None:
    target = carry_over(desk, room, "高二3班", archives=True)
    desk.write(classrooms.open_join_code, TEACHER, target, LATER)
    assert carry_over(desk, room, "高二3班", archives=True) == target
    assert desk.count("classroom") == 2


def test_no_other_class_with_the_same_students_is_a_first_click(desk: Desk, room: Class) -> None:
    """Not a colleague's of that name, not one of another name, not one of that name a term ago."""
    rooms = [
        other_class(desk, COLLEAGUE, "高二3班", LATER),
        other_class(desk, TEACHER, "社团", LATER),
        other_class(desk, TEACHER, "高二3班", NOW),
    ]
    rooms[1].assign(DCG)
    target = carry_over(desk, room, "高二3班", copies=True)
    assert target not in {room.classroom, *(with_tang.classroom for with_tang in rooms)}
    titles = desk.rows("SELECT title FROM assignment WHERE classroom_id = ?", target)
    assert titles == [("第一周",)], "none of another class"


def test_a_class_made_by_hand_is_no_first_click(desk: Desk, room: Class) -> None:
    by_hand = desk.write(classrooms.create_class, TEACHER, "高二3班", LATER)
    target = carry_over(desk, room, "高二3班")
    assert [student.name for student in desk.read(classrooms.load_present_students, target)] == ["小糖"]
    assert target == by_hand, "an empty class of that name is filled"


def test_a_class_without_students_is_carried_into_one_made_by_hand(desk: Desk, room: Class) -> None:
    """Nobody in it is no sign of a first click: its rules and assignments are still to come along."""
    [tang] = desk.read(classrooms.load_present_students, room.classroom)
    desk.write(class_members.remove_student, TEACHER, room.classroom, tang.id, NOW)
    by_hand = desk.write(classrooms.create_class, TEACHER, "高二3班", LATER)
    for _ in range(2):
        assert carry_over(desk, room, "高二3班", copies=True) == by_hand
        titles = desk.rows("SELECT title FROM assignment WHERE classroom_id = ?", by_hand)
        columns = desk.rows("SELECT title FROM extra_column WHERE classroom_id = ?", by_hand)
        assert (titles, columns) == ([("第一周",)], [("期中",)])


@pytest.mark.parametrize("asks", [True, False])
def test_what_small_numbers_are_is_still_asked(desk: Desk, room: Class, asks: bool) -> None:
    kind_columns = {"classroom": room.classroom, "asks_number_kind": asks}
    desk.write(lambda session: session.run(student_numbers.SET_ASKS_NUMBER_KIND, **kind_columns))
    target = carry_over(desk, room, "高二3班")
    assert desk.read(classrooms.taught_class, TEACHER, target).asks_number_kind is asks


def test_a_class_of_that_name_with_others_in_it_stays_as_it_is(desk: Desk, room: Class) -> None:
    by_hand = desk.write(classrooms.create_class, TEACHER, "高二3班", LATER)
    code = desk.read(classrooms.taught_class, TEACHER, by_hand).code
    account(desk, "小圆", "yuan")
    desk.write(joining.join_class, Caller("yuan"), code, "小圆", "here", LATER)
    target = carry_over(desk, room, "高二3班")
    names = [
        [student.name for student in desk.read(classrooms.load_present_students, key)]
        for key in (by_hand, target)
    ]
    assert names == [["小圆"], ["小糖"]]


def test_no_number_of_a_class_that_is_gone_comes_again(desk: Desk, room: Class) -> None:
    """Attempts outlive their assignment and name it; details in logs name students."""
    [(old_id,)] = desk.rows("SELECT id FROM assignment")
    [(last_enrolment_id,)] = desk.rows("SELECT max(id) FROM enrolment")
    desk.write(classrooms.archive_class, TEACHER, room.classroom, NOW)
    remove(desk, room, "高一3班")
    classroom = desk.write(classrooms.create_class, TEACHER, "高二3班", NOW)
    next_room = Class(desk, classroom)
    desk.write(joining.join_class, TANG, next_room.code(), "小糖", "here", NOW)
    assignment_id = next_room.assign(DCG)
    assert next_room.begin(TANG, assignment_id) == 1
    refs = desk.rows("SELECT ref, round FROM attempt ORDER BY id")
    assert refs == [(f"assignment-{old_id}", 1), (f"assignment-{assignment_id}", 1)]
    [(enrolment_id,)] = desk.rows("SELECT id FROM enrolment")
    assert (assignment_id > old_id, enrolment_id > last_enrolment_id) == (True, True)


def test_whoever_deleted_their_account_stays_behind(desk: Desk, room: Class) -> None:
    assert desk.read(class_ends.load_class_contents, TEACHER, room.classroom).account_count == 1
    desk.write(lambda session: session.execute(DELETION).rowcount)
    assert desk.read(class_ends.load_class_contents, TEACHER, room.classroom).account_count == 0
    assert desk.read(classrooms.load_present_students, carry_over(desk, room, "高二3班")) == ()


@pytest.mark.parametrize(("name", "words"), [("高一 3班", "另起一个名字"), ("", "起个名字")])
def test_names_that_cannot_be(desk: Desk, room: Class, name: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        carry_over(desk, room, name)
    with pytest.raises(NotFound):
        desk.write(class_ends.carry_class_over, COLLEAGUE, room.classroom, NextSemester("高二3班"), LATER)
    assert desk.count("classroom") == 1


def test_what_ended_while_a_class_was_put_away_is_named_as_it_comes_back(desk: Desk, room: Class) -> None:
    """Its students could not see it: 没有这份作业. Both leave a line, a second click none."""
    days = (1, 3, 5)
    before, meanwhile, after = (room.assign(DCG, due_at=NOW + timedelta(days=day)) for day in days)
    closed = room.assign(DCG, due_at=NOW + timedelta(days=3))
    late_until = NOW + timedelta(days=5)
    room.assign(DCG, due_at=NOW + timedelta(days=3), late_until=late_until)
    room.assign(DCG, due_at=NOW + timedelta(days=3), publish=False)
    room.assign(DCG)
    room.close(closed)
    archived_at, restored_at = NOW + timedelta(days=2), NOW + timedelta(days=4)
    for _ in range(2):
        desk.write(classrooms.archive_class, TEACHER, room.classroom, archived_at)
    assert desk.write(class_ends.restore_class, TEACHER, room.classroom, restored_at) == [meanwhile]
    assert desk.write(class_ends.restore_class, TEACHER, room.classroom, restored_at) == []
    lines = desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert [line.action for line in lines[:3]] == ["restore", "archive", "close"]
    assert lines[0].detail == {"archived_at": archived_at.isoformat()}
    tasks = desk.read(
        class_ends.load_title_by_ended_assignment_id, TEACHER, room.classroom, [meanwhile, 10**9]
    )
    assert tasks == {meanwhile: "第一周"}
    assert before < meanwhile < after


@pytest.mark.parametrize(
    ("archived_seconds", "restored_seconds", "is_named"), [(-1, 0, True), (-2, -1, False), (0, 1, False)]
)
def test_an_end_is_meanwhile_from_its_own_moment_on(
    desk: Desk, room: Class, archived_seconds: int, restored_seconds: int, is_named: bool
) -> None:
    assignment_id = room.assign(DCG, due_at=NOW + timedelta(days=1))
    end = deadlines.ends_at(room.row(assignment_id), None)
    archived_at, restored_at = (end + timedelta(seconds=at) for at in (archived_seconds, restored_seconds))
    desk.write(classrooms.archive_class, TEACHER, room.classroom, archived_at)
    ended_ids = desk.write(class_ends.restore_class, TEACHER, room.classroom, restored_at)
    assert ended_ids == [assignment_id] * is_named


@pytest.mark.parametrize(
    ("extended_days", "has_left", "is_named"), [(3, False, True), (5, False, False), (3, True, False)]
)
def test_more_time_that_ended_while_a_class_was_put_away_is_named_too(
    desk: Desk, room: Class, extended_days: int, has_left: bool, is_named: bool
) -> None:
    """But not that of a student who has left."""
    assignment_id = room.assign(DCG, due_at=NOW + timedelta(days=1))
    yuan = room.join("小圆", "yuan")
    room.extend(assignment_id, yuan, NOW + timedelta(days=extended_days))
    if has_left:
        desk.write(class_members.remove_student, TEACHER, room.classroom, yuan.id, NOW)
    desk.write(classrooms.archive_class, TEACHER, room.classroom, NOW + timedelta(days=2))
    ended_ids = desk.write(class_ends.restore_class, TEACHER, room.classroom, NOW + timedelta(days=4))
    assert ended_ids == [assignment_id] * is_named


@pytest.mark.parametrize("is_handed_in", [True, False])
def test_more_time_of_who_is_done_or_excused_names_nothing(
    desk: Desk, room: Class, is_handed_in: bool
) -> None:
    assignment_id = room.assign(DCG, due_at=NOW + timedelta(days=1))
    yuan = room.join("小圆", "yuan")
    room.extend(assignment_id, yuan, NOW + timedelta(days=3))
    if is_handed_in:
        room.begin(Caller("yuan"), assignment_id)
        room.hand_in(Caller("yuan"), assignment_id)
    else:
        cell_key = CellKey(room.classroom, assignment_id, yuan.id)
        desk.write(mark_overrides.excuse_student, TEACHER, cell_key, "病假", NOW)
    desk.write(classrooms.archive_class, TEACHER, room.classroom, NOW + timedelta(days=2))
    assert desk.write(class_ends.restore_class, TEACHER, room.classroom, NOW + timedelta(days=4)) == []


def test_a_class_made_by_hand_with_rules_of_its_own_is_not_filled(desk: Desk, room: Class) -> None:
    """It was an error of the database, without a word."""
    by_hand = desk.write(classrooms.create_class, TEACHER, "高二3班", LATER)
    desk.write(total_rules.set_total_rules, TEACHER, by_hand, TotalRules(), {}, LATER)
    with pytest.raises(Refused, match=r"^刚才建的“高二3班”里已经定了总评"):
        carry_over(desk, room, "高二3班")
    assert desk.count("classroom") == 2
    assert desk.read(classrooms.load_present_students, by_hand) == ()
    desk.write(classrooms.rename_class, TEACHER, by_hand, "高二4班", LATER)
    assert carry_over(desk, room, "高二3班") != by_hand
