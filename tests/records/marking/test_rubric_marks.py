"""Answers in words: what a teacher's ticks earn, before and after the hand-in, and what no program undoes."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest

from app.course.items.kinds import Rubric, RubricLine
from app.course.items.marks import ItemGone, Mark
from app.records.accounts.values import Caller
from app.records.assignments import attempt_seeds, audit, lookup
from app.records.assignments.values import NewPart
from app.records.classes.values import Student
from app.records.db.errors import NotFound, NotPermitted, Refused
from app.records.grading import (
    answering,
    gradebook,
    mark_overrides,
    student_assignments,
    submissions,
)
from app.records.grading.regrades import regrading, unmarked_answers
from app.records.grading.regrades.regrade_plans import RegradePlan
from app.records.grading.values import (
    CellKey,
    GradebookCell,
    QuestionKey,
    RegradeOrder,
    RegradeWay,
    SentAnswer,
)
from app.records.insight import today
from app.records.marking import rubric_marks
from app.records.marking.rubric_marks import MarkingPage, RubricQuestion, SeenMark, TickedAnswer
from app.records.people import class_staff, my_data
from bench.classes import counted_statements
from tests.records.assigned import COLLEAGUE, DAY, DCG, TANG, TEACHER, XU, Class, Figures
from tests.records.cast import NOW
from tests.tables import each

WHY = NewPart("item", "content:why", points=3)
LINES = [RubricLine(text="一屏几条", points=2), RubricLine(text="没人翻", points=1)]


class Words(Figures):
    """Besides figures it asks `why`, which a teacher marks."""

    lines: Rubric = LINES

    def mark(
        self, item: str, seed: int, raw: Sequence[str], tries: int = 1, before: Sequence[str] | None = None
    ) -> Mark:
        if "why" in item:
            return Mark("right", raw[0])
        return super().mark(item, seed, raw, tries, before)

    def rubric(self, item: str) -> Rubric:
        return self.lines if "why" in item else ()

    def version_hash_and_body(self, item: str, seed: int = 0) -> tuple[str, str]:
        name, _ = super().version_hash_and_body(item, seed)
        lines = [line.model_dump() for line in self.lines]
        return f"{name}-{lines[0]['text']}-{len(lines)}", json.dumps({"seed": seed, "rubric": lines})


class OneGone(Words):
    """One of its items is no longer there."""

    def rubric(self, item: str) -> Rubric:
        if "gone" in item:
            raise ItemGone(item)
        return super().rubric(item)


class Shortened(Words):
    lines = LINES[:1]


class Turned(Words):
    lines = LINES[::-1]


COURSES: Any = {"content": Words()}


def write_answers(room: Class, caller: Caller, assignment_id: int, hand_in: bool = True) -> None:
    """Somebody writes why, and 4, which is right."""
    room.begin(caller, assignment_id)
    room.save(caller, assignment_id, 1, "一屏只看得见几条")
    room.save(caller, assignment_id, 2, "4")
    if hand_in:
        room.desk.write(submissions.hand_in_attempt, caller, assignment_id, 1, COURSES, room.now)


def page(room: Class, assignment_id: int, courses: Any = COURSES) -> MarkingPage:
    return room.desk.read(rubric_marks.load_marking, TEACHER, room.key(assignment_id), courses)


def mark(
    room: Class,
    assignment_id: int,
    answer: int,
    *ticks: int,
    comment: str | None = "",
    teacher: Caller = TEACHER,
    courses: Any = COURSES,
    rubric_digest: str = "",
) -> None:
    ticked = TickedAnswer(1, answer, ticks, comment, rubric_digest)
    room.desk.write(rubric_marks.mark_answer, teacher, room.key(assignment_id), ticked, courses, room.now)


def points(room: Class, caller: Caller, assignment_id: int) -> float | None:
    return room.work(caller, assignment_id, 1).attempt.points


@pytest.mark.usefixtures("tang")
def test_words_wait_for_their_teacher_and_earn_what_is_ticked(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    [rubric_question] = page(room, assignment_id).questions
    [answer] = rubric_question.unmarked_answers
    assert (answer.student.name, answer.text, answer.ticks) == ("小糖", "一屏只看得见几条", None)
    assert points(room, TANG, assignment_id) == 1, "nothing is earned before somebody has read it"
    mark(room, assignment_id, answer.id, 0, comment="第一点说清楚了。")
    assert points(room, TANG, assignment_id) == 3
    work = room.work(TANG, assignment_id, 1)
    assert work.ticks_by_question_ref == {"content:why#1": (0,)}
    assert work.earned_share("content:why#1") == pytest.approx(2 / 3)
    assert work.comment_by_place[1, "content:why#1"] == "第一点说清楚了。"
    mark(room, assignment_id, answer.id, 0, 1, comment="第一点说清楚了。")
    assert points(room, TANG, assignment_id) == 4
    mark(room, assignment_id, answer.id)
    assert points(room, TANG, assignment_id) == 1, "none of the lines is a mark, too"
    assert page(room, assignment_id).questions[0].answers[0].ticks == ()


@pytest.mark.usefixtures("tang")
def test_a_second_click_writes_nothing(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    answer = page(room, assignment_id).questions[0].answers[0].id
    mark(room, assignment_id, answer, 1)
    mark(room, assignment_id, answer, 1)
    log = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    [line] = [entry for entry in log if entry.action == "rubric"]
    assert line.detail == {"question": 1, "points": [None, 1.0]}


@pytest.mark.usefixtures("tang")
def test_what_is_marked_before_the_hand_in_counts_at_it(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG, answers="at_once")
    room.begin(TANG, assignment_id)
    sent_answer = SentAnswer(("没人翻",))
    room.desk.write(
        answering.answer_at_once, TANG, assignment_id, QuestionKey(1, 1), sent_answer, COURSES, room.now
    )
    mark(room, assignment_id, page(room, assignment_id).questions[0].answers[0].id, 1)
    submission = room.desk.write(submissions.hand_in_attempt, TANG, assignment_id, 1, COURSES, room.now)
    assert submission.points == 1


@pytest.mark.usefixtures("tang")
def test_no_regrading_undoes_what_a_teacher_marked(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    mark(room, assignment_id, page(room, assignment_id).questions[0].answers[0].id, 0, 1)
    part = room.work(TANG, assignment_id, 1).student_assignment.parts[0].id
    preview = room.desk.read(
        regrading.preview_regrade, TEACHER, room.key(assignment_id), RegradeOrder(part, "again"), COURSES
    )
    assert preview.plan is not None
    assert (preview.plan.mark_changes, preview.plan.responses_marked_anew) == ([], [])


@pytest.mark.usefixtures("tang")
def test_who_may_mark(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    answer = page(room, assignment_id).questions[0].answers[0].id
    for stranger in (COLLEAGUE, TANG, Caller()):
        with pytest.raises(NotFound):
            mark(room, assignment_id, answer, 0, teacher=stranger)
    with pytest.raises(NotFound, match=r"^没有这份回答，也许写它的人已经注销了。$"):
        mark(room, assignment_id, answer + 1, 0)
    other_question = TickedAnswer(2, answer, (0,))
    assignment_key = (TEACHER, room.key(assignment_id))
    with pytest.raises(NotFound, match="第2题不用老师批"):
        room.desk.write(rubric_marks.mark_answer, *assignment_key, other_question, COURSES, room.now)
    assert points(room, TANG, assignment_id) == 1


@pytest.mark.usefixtures("tang")
@pytest.mark.parametrize(("role", "may_mark"), [("assistant", True), ("reader", False)])
def test_who_helps_with_marks_may_tick(room: Class, role: str, may_mark: bool) -> None:
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    [answer] = page(room, assignment_id).questions[0].answers
    token = room.desk.write(class_staff.create_role_token, TEACHER, room.classroom, role, NOW)
    room.desk.write(class_staff.accept_role, COLLEAGUE, token, NOW)
    if may_mark:
        mark(room, assignment_id, answer.id, 0, teacher=COLLEAGUE)
    else:
        with pytest.raises(NotPermitted, match="请找王"):
            mark(room, assignment_id, answer.id, 0, teacher=COLLEAGUE)
    assert points(room, TANG, assignment_id) == (3 if may_mark else 1)


@pytest.mark.usefixtures("tang")
def test_the_log_says_what_an_answer_earned_before_and_after(room: Class) -> None:
    assignment_id = room.assign(NewPart("item", "content:why"), DCG)
    write_answers(room, TANG, assignment_id)
    [answer] = page(room, assignment_id).questions[0].answers
    for ticks in ((1,), (0,), (0, 1)):
        mark(room, assignment_id, answer.id, *ticks)
    log = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert [(line.student_name, line.detail["points"]) for line in log if line.action == "rubric"] == [
        ("小糖", [0.6667, 1.0]),
        ("小糖", [0.3333, 0.6667]),
        ("小糖", [None, 0.3333]),
    ]


@pytest.mark.usefixtures("tang")
def test_a_line_that_is_gone_is_not_ticked(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    answer = page(room, assignment_id).questions[0].answers[0].id
    with pytest.raises(Refused, match=r"^这道题的要点刚才改过了，和你看到的不一样。照新的再勾一遍。$"):
        mark(room, assignment_id, answer, 0, 1, courses={"content": Shortened()})
    assert points(room, TANG, assignment_id) == 1


@pytest.mark.usefixtures("tang")
def test_ticks_of_one_rubric_are_none_of_another(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    [rubric_question] = page(room, assignment_id).questions
    mark(room, assignment_id, rubric_question.answers[0].id, 0, rubric_digest=rubric_question.rubric_digest)
    assert points(room, TANG, assignment_id) == 3
    turned: Any = {"content": Turned()}
    with pytest.raises(Refused, match="刚才改过"):
        mark(
            room,
            assignment_id,
            rubric_question.answers[0].id,
            0,
            courses=turned,
            rubric_digest=rubric_question.rubric_digest,
        )
    [turned_question] = page(room, assignment_id, turned).questions
    mark(
        room,
        assignment_id,
        rubric_question.answers[0].id,
        0,
        courses=turned,
        rubric_digest=turned_question.rubric_digest,
    )
    assert points(room, TANG, assignment_id) == 2, "the same ticks of other lines earn what these earn"


@pytest.mark.usefixtures("tang")
def test_ticks_follow_their_line_when_the_rubric_changes(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    [answer] = page(room, assignment_id).questions[0].answers
    mark(room, assignment_id, answer.id, 1)
    ticks = []
    for courses in (Words(), Turned(), Shortened()):
        [answer] = page(room, assignment_id, {"content": courses}).questions[0].answers
        ticks.append((answer.ticks, answer.is_marked_by_former_lines, round(answer.earned_share, 2)))
    assert ticks == [((1,), False, 0.33), ((0,), True, 0.33), ((), True, 0.33)]


@pytest.mark.usefixtures("tang")
def test_everybody_has_their_own_and_who_has_gone_is_left_out(room: Class) -> None:
    room.join("小序", "xu")
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    write_answers(room, XU, assignment_id)
    [rubric_question] = page(room, assignment_id).questions
    mark(room, assignment_id, rubric_question.answers[1].id, 0)
    assert [points(room, caller, assignment_id) for caller in (TANG, XU)] == [1, 3]
    room.desk.write(my_data.delete_me, XU, "hash", NOW)
    assert [answer.student.name for answer in page(room, assignment_id).questions[0].answers] == ["小糖"]


def test_words_of_a_deleted_account_wait_for_nobody(room: Class, tang: Student) -> None:
    """There is nothing to read any more; what was right stays."""
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    assert cell_of(room).waiting_count == 1, tang.name
    room.desk.write(my_data.delete_me, TANG, "hash", NOW)
    assert (cell_of(room).waiting_count, cell_of(room).points) == (0, 1.0)
    assert room.desk.rows("SELECT open_points FROM submission") == [(0.0,)]


@pytest.mark.usefixtures("tang")
def test_ticks_leave_with_the_results(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG, answers="due", due_at=NOW + DAY)
    write_answers(room, TANG, assignment_id)
    mark(room, assignment_id, page(room, assignment_id).questions[0].answers[0].id, 1)
    assert "ticks" not in room.desk.read(my_data.load_my_data, TANG, NOW)["re_mark"][0]
    [exported] = room.desk.read(my_data.load_my_data, TANG, NOW + 2 * DAY)["re_mark"]
    assert exported["ticks"] == "[1]"


def cell_of(room: Class) -> GradebookCell:
    [row] = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now).rows
    return row.cells[0]


def test_what_waits_for_its_teacher_is_no_mark_yet(room: Class, tang: Student) -> None:
    """Neither in the gradebook, nor in 总评, nor for who has not passed."""
    assignment_id = room.assign(WHY, DCG, counts="last", passes=2, due_at=NOW + DAY)
    write_answers(room, TANG, assignment_id)
    cell = cell_of(room)
    assert (cell.points, cell.waiting_count, cell.points_so_far, cell.is_absent) == (None, 1, 1.0, False)
    book = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now)
    assert (
        book.rows[0].total_of_hundred,
        book.rows[0].mark_sum.marked_count,
        book.columns[0].mark_sum.mean,
    ) == (
        None,
        0,
        None,
    )
    data = room.desk.read(today.load_today, TEACHER, room.classroom, room.now)
    assert data.open_assignments[0].status_by_enrolment_id[tang.id].state == "done"
    [answer] = page(room, assignment_id).questions[0].answers
    mark(room, assignment_id, answer.id)
    cell = cell_of(room)
    assert (cell.points, cell.waiting_count) == (1.0, 0)
    data = room.desk.read(today.load_today, TEACHER, room.classroom, room.now)
    assert data.open_assignments[0].status_by_enrolment_id[tang.id].state == "failed"
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 2, "4", 2)
    room.desk.write(submissions.hand_in_attempt, TANG, assignment_id, 2, COURSES, room.now)
    assert cell_of(room).points == 1.0, "nothing was written: nothing waits"


def test_what_the_teacher_decides_otherwise_waits_for_nothing(room: Class, tang: Student) -> None:
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    override = (TEACHER, CellKey(room.classroom, assignment_id, tang.id))
    room.desk.write(mark_overrides.override_mark, *override, "2", "口头补的", room.now)
    assert (cell_of(room).points, cell_of(room).waiting_count) == (2.0, 0)
    room.desk.write(mark_overrides.take_back_override, *override, room.now)
    assert cell_of(room).waiting_count == 1
    regrade(room, assignment_id, "full", "题目有歧义")
    assert (cell_of(room).points, cell_of(room).waiting_count) == (4.0, 0)


def regrade(room: Class, assignment_id: int, way: RegradeWay, reason: str) -> RegradePlan:
    part = room.desk.read(regrading.load_regrade_page, TEACHER, room.key(assignment_id)).parts[0].id
    assignment_key = (TEACHER, room.key(assignment_id))
    order = RegradeOrder(part, way, reason)
    plan = room.desk.read(regrading.preview_regrade, *assignment_key, order, COURSES).plan
    assert plan
    order = order._replace(digest=plan.digest)
    room.desk.write(regrading.regrade_part, *assignment_key, order, COURSES, room.now)
    return plan


def mark_again(room: Class, assignment_id: int) -> None:
    plan = regrade(room, assignment_id, "again", "题目回来了")
    assert plan.points_by_part_id_by_attempt_id == {}, "words earn nothing before somebody has read them"


@pytest.mark.usefixtures("tang")
def test_words_that_no_program_could_take_at_the_hand_in_wait_once_they_are_taken(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id, hand_in=False)
    room.desk.write(submissions.hand_in_attempt, TANG, assignment_id, 1, {}, room.now)
    assert cell_of(room).waiting_count == 0
    mark_again(room, assignment_id)
    assert (cell_of(room).waiting_count, cell_of(room).points) == (1, None)


@pytest.mark.usefixtures("tang")
def test_words_that_a_program_once_marked_wait_for_their_teacher(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "7")
    room.desk.write(submissions.hand_in_attempt, TANG, assignment_id, 1, {"content": Figures()}, room.now)
    assert (cell_of(room).waiting_count, cell_of(room).points) == (0, 0.0)
    mark_again(room, assignment_id)
    assert (cell_of(room).waiting_count, cell_of(room).points) == (1, None)


def test_a_regrading_counts_anew_what_waits_in_as_many_statements_for_ten_as_for_one(room: Class) -> None:
    assignment_id = room.assign(DCG, WHY)
    statement_counts = []
    for number in range(10):
        room.join(f"同学{number}", f"pupil{number}")
        pupil = Caller(f"pupil{number}")
        room.begin(pupil, assignment_id)
        for question_number in (1, 2):
            room.save(pupil, assignment_id, question_number, "4")
        room.desk.write(submissions.hand_in_attempt, pupil, assignment_id, 1, COURSES, room.now)
        if number in (0, 9):
            with counted_statements() as statements:
                regrade(room, assignment_id, "again", f"核对到第{number + 1}位")
            statement_counts.append(len(statements))
    assert statement_counts[0] == statement_counts[1]
    assert room.desk.rows("SELECT DISTINCT waiting FROM submission") == [(1,)]


@pytest.mark.usefixtures("tang")
def test_words_that_are_worth_nothing_hold_no_mark_back(room: Class) -> None:
    """They can still be read and ticked."""
    assignment_id = room.assign(replace(WHY, points=0.0), DCG)
    write_answers(room, TANG, assignment_id)
    assert (cell_of(room).waiting_count, cell_of(room).points) == (0, 1.0)
    [answer] = page(room, assignment_id).questions[0].unmarked_answers
    mark(room, assignment_id, answer.id, 0)
    assert (cell_of(room).waiting_count, cell_of(room).points) == (0, 1.0)


@pytest.mark.usefixtures("tang")
def test_full_marks_for_all_end_the_waiting_whatever_they_are_worth(room: Class) -> None:
    """Also that of an attempt from a time when words without points were waited for."""
    assignment_id = room.assign(replace(WHY, points=0.0), DCG)
    write_answers(room, TANG, assignment_id)
    with room.desk.other_program() as connection:
        connection.execute("UPDATE submission SET waiting = 1")
    assert cell_of(room).points is None
    part_id = room.desk.read(lookup.parts_of, assignment_id)[0].id
    order = RegradeOrder(part_id, "full", "题目有歧义")
    key = room.key(assignment_id)
    plan = room.desk.read(regrading.preview_regrade, TEACHER, key, order, COURSES).plan
    assert plan is not None
    order = order._replace(digest=plan.digest)
    room.desk.write(regrading.regrade_part, TEACHER, key, order, COURSES, room.now)
    assert (cell_of(room).waiting_count, cell_of(room).points) == (0, 1.0)


@pytest.mark.usefixtures("tang")
def test_each_question_waits_by_itself_and_an_empty_one_never(room: Class) -> None:
    why, why_not = NewPart("item", "content:why", points=0.1), NewPart("item", "content:why-not", points=0.2)
    assignment_id = room.assign(why, why_not, NewPart("item", "content:why-so"), DCG)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "一屏只看得见几条")
    room.save(TANG, assignment_id, 2, "没人翻")
    key = QuestionKey(1, 3)
    room.desk.write(answering.save_answer, TANG, assignment_id, key, SentAnswer((" ",)), room.now)
    room.desk.write(submissions.hand_in_attempt, TANG, assignment_id, 1, COURSES, room.now)
    assert cell_of(room).waiting_count == 2
    assert room.desk.rows("SELECT open_points FROM submission") == [(0.3,)], (
        "0.1 and 0.2 are not 0.3 to a float"
    )
    [answer] = page(room, assignment_id).questions[0].answers
    mark(room, assignment_id, answer.id)
    assert cell_of(room).waiting_count == 1
    assert room.desk.rows("SELECT open_points FROM submission") == [(0.2,)]


@pytest.mark.usefixtures("tang")
def test_an_item_that_is_gone_waits_for_nothing(room: Class) -> None:
    """Though it was answered while it was there."""
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    work = room.work(TANG, assignment_id, 1)
    assignment = work.student_assignment
    question_set = attempt_seeds.question_set_of({}, assignment.parts, assignment.assignment, work.attempt)
    attempt_id = work.attempt.attempt_id
    unmarked_answers_by_attempt_id = room.desk.read(
        unmarked_answers.unmarked_sum_by_attempt_id_of, assignment_id, {attempt_id: question_set}, ()
    )
    assert unmarked_answers_by_attempt_id == {attempt_id: (0, 0.0)}


def second_attempt(room: Class, assignment_id: int, figure: str) -> None:
    """Once more, with words that nobody has read yet."""
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "没人翻到后面", 2)
    room.save(TANG, assignment_id, 2, figure, 2)
    room.desk.write(submissions.hand_in_attempt, TANG, assignment_id, 2, COURSES, room.now)


def test_of_the_best_attempt_words_wait_while_they_can_still_make_another_one_the_best(
    room: Class, tang: Student
) -> None:
    assignment_id = room.assign(WHY, DCG, counts="best", passes=2, due_at=NOW + DAY)
    write_answers(room, TANG, assignment_id)
    mark(room, assignment_id, page(room, assignment_id).questions[0].answers[0].id, 0)
    assert (cell_of(room).points, cell_of(room).waiting_count) == (3.0, 0)
    second_attempt(room, assignment_id, "4")
    cell = cell_of(room)
    assert (cell.points, cell.waiting_count, cell.points_so_far) == (None, 1, 3.0), (
        "1 so far, but 4 can be reached"
    )
    cell_data = room.desk.read(
        mark_overrides.load_cell, TEACHER, CellKey(room.classroom, assignment_id, tang.id), room.now
    )
    assert cell_data.cell == cell
    answers = page(room, assignment_id).questions[0].answers
    mark(room, assignment_id, answers[1].id, 1)
    assert (cell_of(room).points, cell_of(room).waiting_count) == (3.0, 0)


@pytest.mark.usefixtures("tang")
def test_a_best_attempt_that_no_unread_words_can_reach_is_final(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG, counts="best", passes=2, due_at=NOW + DAY)
    write_answers(room, TANG, assignment_id)
    mark(room, assignment_id, page(room, assignment_id).questions[0].answers[0].id, 0)
    second_attempt(room, assignment_id, "6")
    assert (cell_of(room).points, cell_of(room).waiting_count) == (3.0, 0), "3 can be reached, and 3 it is"


class Lost(Words):
    """Both rubrics of an assignment were there at the hand-in; one was taken out since."""

    def rubric(self, item: str) -> Rubric:
        return self.lines if "why-not" in item else ()


def test_answers_whose_rubric_is_gone_are_counted_as_the_gradebook_counts_what_waits(
    room: Class, tang: Student
) -> None:
    """Beside another question that still waits; of the attempt that counts, and of nobody marked by hand."""
    why_not = NewPart("item", "content:why-not", points=1)
    assignment_id = room.assign(WHY, why_not, counts="last", passes=2, due_at=NOW + DAY)
    for attempt_number in (1, 2):
        room.begin(TANG, assignment_id)
        room.save(TANG, assignment_id, 1, "一屏只看得见几条", attempt_number)
        room.save(TANG, assignment_id, 2, "没人翻", attempt_number)
        hand_in = (TANG, assignment_id, attempt_number, COURSES, room.now)
        room.desk.write(submissions.hand_in_attempt, *hand_in)
    assert (cell_of(room).waiting_count, page(room, assignment_id).unmarkable_count) == (2, 0)
    marking_page = page(room, assignment_id, {"content": Lost()})
    assert (marking_page.unmarkable_count, len(marking_page.questions[0].unmarked_answers)) == (1, 2)
    cell_key = CellKey(room.classroom, assignment_id, tang.id)
    room.desk.write(mark_overrides.override_mark, TEACHER, cell_key, "2", "口头补的", room.now)
    assert page(room, assignment_id, {"content": Lost()}).unmarkable_count == 0


def test_nobody_has_failed_whose_unread_words_can_still_reach_the_pass_line(
    room: Class, tang: Student
) -> None:
    assignment_id = room.assign(WHY, DCG, counts="best", passes=2, due_at=NOW + DAY)
    write_answers(room, TANG, assignment_id)
    mark(room, assignment_id, page(room, assignment_id).questions[0].answers[0].id, 1)
    data = room.desk.read(today.load_today, TEACHER, room.classroom, room.now)
    assert data.open_assignments[0].status_by_enrolment_id[tang.id].state == "failed"
    second_attempt(room, assignment_id, "4")
    data = room.desk.read(today.load_today, TEACHER, room.classroom, room.now)
    assert data.open_assignments[0].status_by_enrolment_id[tang.id].state == "done"


@pytest.mark.usefixtures("tang")
def test_each_answer_has_the_comment_that_was_written_beside_it(room: Class) -> None:
    room.join("小序", "xu")
    assignment_id = room.assign(WHY, DCG, passes=2)
    write_answers(room, XU, assignment_id)
    write_answers(room, TANG, assignment_id)
    second_attempt(room, assignment_id, "4")
    [rubric_question] = page(room, assignment_id).questions
    [answer] = [answer for answer in rubric_question.answers if answer.attempt_number == 2]
    mark(room, assignment_id, answer.id, 0, comment="第一点说清楚了。")
    mark(room, assignment_id, answer.id, 1, comment=None)
    [rubric_question] = page(room, assignment_id).questions
    comments = {
        (answer.student.name, answer.attempt_number): answer.comment for answer in rubric_question.answers
    }
    assert comments == {("小糖", 1): "", ("小糖", 2): "第一点说清楚了。", ("小序", 1): ""}


def test_a_draft_has_nothing_to_mark(room: Class) -> None:
    draft_id = room.assign(WHY, publish=False)
    with pytest.raises(NotFound, match=r"^这份作业还没有发布，没有可以批改的。$"):
        page(room, draft_id)


@pytest.mark.usefixtures("tang")
def test_an_item_that_is_gone_hides_no_question_after_it(room: Class) -> None:
    assignment_id = room.assign(NewPart("item", "content:why-gone"), WHY)
    [rubric_question] = page(room, assignment_id, {"content": OneGone()}).questions
    assert (rubric_question.assigned_question.number, rubric_question.answers) == (2, [])


@pytest.mark.usefixtures("tang")
def test_whoever_only_opened_the_work_has_nothing_to_mark(room: Class) -> None:
    room.join("小序", "xu")
    assignment_id = room.assign(WHY, DCG)
    room.begin(XU, assignment_id)
    write_answers(room, TANG, assignment_id)
    [answer] = page(room, assignment_id).questions[0].answers
    mark(room, assignment_id, answer.id, 0)
    assert (answer.student.name, points(room, TANG, assignment_id)) == ("小糖", 3)


@pytest.mark.usefixtures("tang")
def test_full_points_that_all_were_given_stay_whatever_is_ticked(room: Class) -> None:
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    regrade(room, assignment_id, "full", "题目有歧义")
    [answer] = page(room, assignment_id).questions[0].answers
    mark(room, assignment_id, answer.id, 1)
    assert points(room, TANG, assignment_id) == 4


def test_words_with_full_points_gain_nothing_by_a_grant_to_all(room: Class, tang: Student) -> None:
    """What a teacher ticked was no change of a mark, nor is what gives as much to everybody."""
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    room.now += DAY
    [answer] = page(room, assignment_id).questions[0].answers
    mark(room, assignment_id, answer.id, 0, 1)
    room.now += DAY
    regrade(room, assignment_id, "full", "题目有歧义")
    [own] = room.desk.read(student_assignments.load_own_assignments, TANG)
    assert not own.is_mark_changed, tang.name


UNMARKED, SEEN_TICKS = SeenMark("null", ""), SeenMark("[0]", "好")
"""What a teacher saw beside an answer."""


@pytest.fixture
def read_question(room: Class, tang: Student) -> RubricQuestion:
    """A question with the one answer to it, as its teacher read it."""
    assignment_id = room.assign(WHY, DCG)
    write_answers(room, TANG, assignment_id)
    return page(room, assignment_id).questions[0]


@each(
    ("seen_mark", "left_mark", "sent_mark", "refusal"),
    [
        (UNMARKED, ((0,), ""), ((1,), ""), "刚才有人批过：2分。"),
        (UNMARKED, ((0,), "好"), ((1,), ""), "刚才有人批过：2分，评语“好”。"),
        (UNMARKED, (None, "好"), ((), ""), "刚才有人写了评语“好”。"),
        (SEEN_TICKS, (None, ""), ((1,), "好"), "刚才有人撤回了原来的分。"),
        (UNMARKED, ((0,), ""), ((0,), ""), None),
        (SEEN_TICKS, ((0,), "好"), ((1,), "不好"), None),
        (SEEN_TICKS, ((0,), "很好"), ((0,), "好"), "刚才有人批过：2分，评语“很好”。"),
        (SEEN_TICKS, ((0,), "很好"), ((0,), None), None),
        (SEEN_TICKS, ((1,), "好"), ((0, 1), "好"), "刚才有人批过：1分，评语“好”。"),
        (None, ((0,), "好"), ((1,), ""), None),
    ],
)
def test_what_a_colleague_left_meanwhile_is_replaced_by_nobody_who_has_not_seen_it(
    read_question: RubricQuestion,
    seen_mark: SeenMark | None,
    left_mark: tuple[tuple[int, ...] | None, str],
    sent_mark: tuple[tuple[int, ...], str | None],
    refusal: str | None,
) -> None:
    """`left_mark`: the ticks and words of the colleague; `sent_mark`: those that come now."""
    left_ticks, left_comment = left_mark
    earned_share = sum(LINES[tick].points for tick in left_ticks or ()) / 3
    worded_answer = read_question.answers[0]._replace(
        ticks=left_ticks, comment=left_comment, earned_share=earned_share
    )
    ticked_answer = TickedAnswer(1, worded_answer.id, *sent_mark, seen_mark=seen_mark)
    expectation = pytest.raises(Refused, match=refusal) if refusal else nullcontext()
    with expectation:
        rubric_marks.expect_seen_mark(read_question, worded_answer, ticked_answer)
