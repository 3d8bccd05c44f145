"""What a teacher writes to a student: where it stands, who may write it, and when it is read."""

from datetime import datetime
from typing import Any

import pytest

from app.records.classes import class_members, classrooms
from app.records.classes.values import Student
from app.records.db.errors import NotFound, Refused
from app.records.grading import comments, mark_overrides, student_work
from app.records.grading.comments import CommentPlace
from app.records.grading.values import CellKey, QuestionKey
from app.records.insight import work_signs
from app.records.people import my_data
from app.web.assignments.student_views import comment_words
from tests.records.assigned import COLLEAGUE, COURSES, DAY, DCG, TANG, TEACHER, XU, Class
from tests.records.cast import NOW

FIRST = (1, "content:dcg#1")


def done(room: Class, **wishes: Any) -> int:
    """An assignment that 小糖 has handed in."""
    assignment_id = room.assign(DCG, **wishes)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    room.hand_in(TANG, assignment_id)
    return assignment_id


def write(
    room: Class, assignment_id: int, place: int, text: str, attempt: int = 0, question: int = 0
) -> None:
    cell = CellKey(room.classroom, assignment_id, place, QuestionKey(attempt, question))
    room.desk.write(comments.set_comment, TEACHER, cell, text, room.now)


def test_a_comment_stands_beside_the_answer_and_about_the_whole(room: Class, tang: Student) -> None:
    assignment_id = done(room)
    write(room, assignment_id, tang.id, "算得对。", 1, 1)
    write(room, assignment_id, tang.id, "写得清楚。\r\n\r\n\r\n下次写上单位。")
    work = room.work(TANG, assignment_id, 1)
    assert work.comment_by_place == {
        FIRST: "算得对。",
        comments.WHOLE_WORK_PLACE: "写得清楚。\n\n下次写上单位。",
    }
    assert work.student_assignment.comment == "写得清楚。\n\n下次写上单位。"
    work_at_hand = room.desk.read(student_work.load_assignment_work, TANG, assignment_id, COURSES, NOW)
    assert work_at_hand.student_assignment.comment == work.student_assignment.comment
    write(room, assignment_id, tang.id, "算得对，也快。", 1, 1)
    write(room, assignment_id, tang.id, "")
    assert room.work(TANG, assignment_id, 1).comment_by_place == {FIRST: "算得对，也快。"}


@pytest.mark.parametrize(
    ("other_text", "words"),
    [
        ("先看单位。", "这里刚才有人写了“先看单位。”，你写的还在"),
        ("", "这里的评语刚才有人收回了，你写的还在"),
    ],
)
def test_words_of_somebody_else_are_not_replaced_unseen(
    room: Class, tang: Student, other_text: str, words: str
) -> None:
    """No log keeps them. Who sends the same, or has seen them, is not held up."""
    assignment_id = done(room)
    write(room, assignment_id, tang.id, "写得清楚。\n再看一遍。")
    write(room, assignment_id, tang.id, other_text)
    cell = CellKey(room.classroom, assignment_id, tang.id)
    comment_key = (TEACHER, cell)
    with pytest.raises(Refused, match=words):
        room.desk.write(comments.set_comment, *comment_key, "算得快。", room.now, "写得清楚。\r\n再看一遍。")
    room.desk.write(comments.set_comment, *comment_key, other_text, room.now, "写得清楚。\r\n再看一遍。")
    assert room.work(TANG, assignment_id, 1).student_assignment.comment == other_text
    room.desk.write(comments.set_comment, *comment_key, "算得快。", room.now, other_text)
    assert room.work(TANG, assignment_id, 1).student_assignment.comment == "算得快。"


def test_a_comment_stands_at_its_own_place_of_one_student_at_one_assignment(
    room: Class, tang: Student, xu: Student
) -> None:
    """And goes alone; a second attempt of somebody else, or at another assignment, has no place for one."""
    assignment_ids = [room.assign(DCG, DCG, passes=2) for _ in range(2)]
    places = [(0, 0), (1, 1), (1, 2)]
    expected_comments: dict[tuple[int, int], dict[CommentPlace, str]] = {}
    for assignment_id in assignment_ids:
        for caller, student in ((TANG, tang), (XU, xu)):
            room.begin(caller, assignment_id)
            for attempt, question in places:
                text = f"{assignment_id}-{student.id}-{attempt}-{question}"
                write(room, assignment_id, student.id, text, attempt, question)
                ref = f"content:dcg#{question}" if question else ""
                expected_comments.setdefault((assignment_id, student.id), {})[attempt, ref] = text

    def comments_of(assignment_id: int, enrolment_id: int) -> comments.CommentByPlace:
        return room.desk.read(comments.comment_by_place_of, assignment_id, enrolment_id)

    assert {cell: comments_of(*cell) for cell in expected_comments} == expected_comments
    write(room, assignment_ids[0], tang.id, "", 1, 1)
    del expected_comments[assignment_ids[0], tang.id][FIRST]
    assert {cell: comments_of(*cell) for cell in expected_comments} == expected_comments
    for caller, assignment_id in ((TANG, assignment_ids[1]), (XU, assignment_ids[0])):
        room.hand_in(caller, assignment_id)
        room.begin(caller, assignment_id)
    with pytest.raises(NotFound, match="没有这一遍"):
        write(room, assignment_ids[0], tang.id, "？", 2, 1)
    write(room, assignment_ids[1], tang.id, "第二遍好多了。", 2, 1)
    expected_comments[assignment_ids[1], tang.id][2, "content:dcg#1"] = "第二遍好多了。"
    assert {cell: comments_of(*cell) for cell in expected_comments} == expected_comments


def test_a_second_click_writes_the_same_comment_once(room: Class, tang: Student) -> None:
    assignment_id = done(room)
    for text in ("写得清楚。", "写得清楚。 ", "", ""):
        write(room, assignment_id, tang.id, text)
    assert room.desk.rows("SELECT count(*) FROM audit WHERE action = 'comment'") == [(2,)]


def test_a_comment_for_who_never_began(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG)
    write(room, assignment_id, tang.id, "来找我一下。")
    work_at_hand = room.desk.read(student_work.load_assignment_work, TANG, assignment_id, COURSES, NOW)
    assert comment_words(work_at_hand.student_assignment, NOW) == "来找我一下。"


@pytest.mark.parametrize("left_work", ["an attempt", "a mark by hand", "nothing"])
def test_who_moved_away_is_written_to_where_they_left_work_or_a_mark(
    room: Class, tang: Student, left_work: str
) -> None:
    """Their cell stands in the gradebook, and has the form."""
    assignment_id = room.assign(DCG)
    if left_work == "an attempt":
        room.begin(TANG, assignment_id)
    elif left_work == "a mark by hand":
        cell_key = CellKey(room.classroom, assignment_id, tang.id)
        room.desk.write(mark_overrides.override_mark, TEACHER, cell_key, "1", "口头补答", NOW)
    other_class = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    room.desk.write(class_members.move_student, TEACHER, room.classroom, tang.id, other_class, NOW)
    if left_work == "nothing":
        with pytest.raises(NotFound):
            write(room, assignment_id, tang.id, "来找我一下。")
    else:
        write(room, assignment_id, tang.id, "来找我一下。")
        assert room.desk.rows("SELECT enrolment_id FROM work_comment") == [(tang.id,)]


@pytest.mark.parametrize(
    ("answers", "moment", "words"),
    [
        ("handed_in", NOW, "算得对。"),
        ("due", NOW, ""),
        ("due", NOW + 2 * DAY, "算得对。"),
        ("never", NOW, ""),
        ("never", NOW + 2 * DAY, "算得对。"),
    ],
)
def test_it_is_read_with_the_result(
    room: Class, tang: Student, answers: str, moment: datetime, words: str
) -> None:
    """Where results are told in class there is no result: then when time is up."""
    assignment_id = done(room, answers=answers, due_at=NOW + DAY)
    write(room, assignment_id, tang.id, "算得对。")
    assert comment_words(room.work(TANG, assignment_id, 1).student_assignment, moment) == words


def test_who_may_write_and_where(room: Class, tang: Student) -> None:
    assignment_id = done(room)
    for attempt, question in ((2, 1), (1, 9)):
        with pytest.raises(NotFound):
            write(room, assignment_id, tang.id, "？", attempt, question)
    with pytest.raises(NotFound):
        write(room, assignment_id, 999, "？")
    with pytest.raises(Refused, match="最多500个字，这里有501个"):
        write(room, assignment_id, tang.id, "好" * 501)
    cell = CellKey(room.classroom, assignment_id, tang.id)
    with pytest.raises(NotFound):
        room.desk.write(comments.set_comment, COLLEAGUE, cell, "？", NOW)
    with pytest.raises(NotFound):
        room.desk.read(work_signs.load_cell_page, COLLEAGUE, cell, NOW)
    room.desk.write(classrooms.archive_class, TEACHER, room.classroom, NOW)
    with pytest.raises(Refused, match="归档"):
        write(room, assignment_id, tang.id, "？")
    assert room.desk.count("work_comment") == 0


def test_it_is_taken_along_once_results_are_out(room: Class, tang: Student) -> None:
    assignment_id = done(room, answers="due", due_at=NOW + DAY)
    write(room, assignment_id, tang.id, "算得对。", 1, 1)
    before, after = (room.desk.read(my_data.load_my_data, TANG, moment) for moment in (NOW, NOW + 2 * DAY))
    assert "算得对" not in str(before)
    assert after["work_comment"][0]["text"] == "算得对。"
