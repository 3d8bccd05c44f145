"""改单题的分: over what the program gave, told to its student, kept through a 重新评分, and taken back."""

from typing import Any

import pytest

from app.records.accounts.values import Caller
from app.records.assignments import audit
from app.records.assignments.attempt_seeds import question_set_of
from app.records.assignments.values import NewPart
from app.records.classes.values import Student
from app.records.db.errors import NotFound, Refused
from app.records.grading import gradebook
from app.records.grading.regrades import regrading
from app.records.grading.values import CellKey, QuestionKey, RegradeOrder, RegradeWay
from app.records.insight import misconceptions
from app.records.marking import question_marks
from app.records.people import class_staff
from tests.records.assigned import COLLEAGUE, COURSES, DAY, DCG, PRACTICE, TANG, TEACHER, XU, Class
from tests.records.cast import NOW
from tests.records.grading.regraded import Corrected
from tests.records.grading.regraded import done as regrade

FIRST = QuestionKey(1, 1)
REASON = "过程对，抄错了"


@pytest.fixture
def work(room: Class, tang: Student) -> int:
    """Two questions of a point each: the first with a mistake that is known, the second right."""
    assignment_id = room.assign(DCG, DCG)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "6")
    room.save(TANG, assignment_id, 2, "4")
    room.hand_in(TANG, assignment_id)
    assert points(room) == 1.0, tang.name
    return assignment_id


def points(room: Class) -> float | None:
    [row] = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now).rows
    return row.cells[0].points


def set_points(
    room: Class, work: int, typed: str, key: QuestionKey = FIRST, caller: Caller = TEACHER, **wishes: Any
) -> None:
    cell = CellKey(room.classroom, work, wishes.get("student", room.students()[0].id), key)
    reason = wishes.get("reason", REASON)
    seen = wishes.get("seen")
    room.desk.write(question_marks.mark_question, caller, cell, typed, reason, COURSES, room.now, seen)


def take_back(room: Class, work: int) -> None:
    cell = CellKey(room.classroom, work, room.students()[0].id, FIRST)
    room.desk.write(question_marks.withdraw_question_mark, TEACHER, cell, COURSES, room.now)


def test_it_counts_and_is_told_with_its_reason(room: Class, work: int) -> None:
    set_points(room, work, "0.5")
    assert points(room) == 1.5
    seen_work = room.work(TANG, work)
    assert (seen_work.earned_share("content:dcg#1"), seen_work.earned_share("content:dcg#2")) == (0.5, 1.0)
    assert (seen_work.hand_marked_refs, seen_work.reason_by_question_ref) == (
        {"content:dcg#1"},
        {"content:dcg#1": REASON},
    )
    assert seen_work.ticks_by_question_ref == {}
    [line, *_] = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert (line.action, line.detail) == (
        "question-mark",
        {"attempt": 1, "question": 1, "points": [0.0, 0.5], "reason": REASON},
    )


def test_a_second_click_writes_nothing_and_another_word_replaces_the_first(room: Class, work: int) -> None:
    for typed in ("0.5", "0.5", "0.25"):
        set_points(room, work, typed)
    assert points(room) == 1.25
    assert room.desk.count("re_mark") == 1
    assert room.desk.rows("SELECT count(*) FROM audit WHERE action = 'question-mark'") == [(2,)]


def test_points_that_a_colleague_gave_are_not_replaced_unseen(room: Class, work: int) -> None:
    """But for a second click, and for a form that was made before it said what it showed."""
    refusal_words = r"这道题的分刚才变成了0\.52/1（老师改过），你填的还在；要照你的，再存一次。"
    set_points(room, work, "0.52", seen="0/1")
    with pytest.raises(Refused, match=refusal_words):
        set_points(room, work, "0.25", seen="0/1")
    with pytest.raises(Refused, match=refusal_words):
        set_points(room, work, "0.25", seen="0.54/1（老师改过）")
    set_points(room, work, "0.52", seen="0/1")
    assert points(room) == 1.52
    set_points(room, work, "0.25", seen="0.52/1（老师改过）")
    assert points(room) == 1.25
    set_points(room, work, "0.75")
    assert points(room) == 1.75


def test_points_that_a_colleague_confirmed_by_hand_are_not_replaced_unseen(room: Class, work: int) -> None:
    set_points(room, work, "0", seen="0/1")
    with pytest.raises(Refused, match="刚才变成了0/1（老师改过）"):
        set_points(room, work, "0.25", seen="0/1")


def test_other_words_with_the_same_points_are_what_its_student_reads(room: Class, work: int) -> None:
    """A reason that is put right is written, also after that of another question; a second click is not."""
    set_points(room, work, "0.5")
    set_points(room, work, "0.5", QuestionKey(1, 2), reason="也改了")
    for _ in range(2):
        set_points(room, work, "0.5", reason="抄错了，过程对")
    assert points(room) == 1.0
    reasons = {"content:dcg#1": "抄错了，过程对", "content:dcg#2": "也改了"}
    assert room.work(TANG, work).reason_by_question_ref == reasons
    assert room.desk.rows("SELECT count(*) FROM audit WHERE action = 'question-mark'") == [(3,)]
    [line, *_] = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert line.detail == {"attempt": 1, "question": 1, "points": [0.5, 0.5], "reason": "抄错了，过程对"}


def test_no_regrading_undoes_it_and_the_program_counts_again_when_it_is_taken_back(
    room: Class, work: int
) -> None:
    set_points(room, work, "0.5")
    part = room.desk.read(regrading.load_regrade_page, TEACHER, room.key(work)).parts[0].id
    order = RegradeOrder(part, "again")
    plan = room.desk.read(regrading.preview_regrade, TEACHER, room.key(work), order, COURSES).plan
    assert plan is not None
    assert (plan.mark_changes, plan.responses_marked_anew) == ([], [])
    take_back(room, work)
    take_back(room, work)
    assert points(room) == 1.0
    assert room.desk.count("re_mark") == 0
    assert room.work(TANG, work).reason_by_question_ref == {}
    assert room.desk.rows("SELECT count(*) FROM audit WHERE action = 'question-mark-back'") == [(1,)]
    [line, *_] = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert (line.action, line.student_name) == ("question-mark-back", "小糖")
    assert line.detail == {"attempt": 1, "question": 1, "points": [0.5, 0.0]}


def test_reasons_of_both_kinds_stand_side_by_side_and_no_comment_is_made_up(room: Class, work: int) -> None:
    set_points(room, work, "0.5")
    part_id = room.desk.read(regrading.load_regrade_page, TEACHER, room.key(work)).parts[1].id
    assignment_key = (TEACHER, room.key(work))
    order = RegradeOrder(part_id, "full", "题目有歧义")
    plan = room.desk.read(regrading.preview_regrade, *assignment_key, order, COURSES).plan
    assert plan is not None
    order = order._replace(digest=plan.digest)
    room.desk.write(regrading.regrade_part, *assignment_key, order, COURSES, room.now)
    seen_work = room.work(TANG, work)
    assert seen_work.reason_by_question_ref == {"content:dcg#1": REASON, "content:dcg#2": "题目有歧义"}
    assert seen_work.student_assignment.comment == ""
    order_of_unknown_part = RegradeOrder(part_id + 99, "full")
    with pytest.raises(NotFound, match=r"^这份作业里没有这道题。$"):
        room.desk.read(regrading.preview_regrade, *assignment_key, order_of_unknown_part, COURSES)


def test_points_and_their_reason_are_of_one_student_at_one_assignment(
    room: Class, work: int, xu: Student
) -> None:
    """And are taken back alone."""
    other_work = room.assign(DCG, DCG)
    tang = next(student for student in room.students() if student.id != xu.id)
    for caller, assignment_id in ((XU, work), (TANG, other_work), (XU, other_work)):
        room.begin(caller, assignment_id)
        room.save(caller, assignment_id, 1, "6")
        room.hand_in(caller, assignment_id)
    for student, assignment_id, typed, reason in (
        (tang, work, "0.1", "抄错了"),
        (xu, work, "0.2", "没写单位"),
        (tang, other_work, "0.3", "口头补答"),
    ):
        set_points(room, assignment_id, typed, student=student.id, reason=reason)

    def result_of(caller: Caller, assignment_id: int) -> tuple[float, str | None]:
        opened = room.work(caller, assignment_id, 1)
        ref = "content:dcg#1"
        return opened.earned_share(ref), opened.reason_by_question_ref.get(ref)

    assert (result_of(TANG, work), result_of(XU, work)) == ((0.1, "抄错了"), (0.2, "没写单位"))
    assert (result_of(TANG, other_work), result_of(XU, other_work)) == (
        (0.3, "口头补答"),
        (0.0, None),
    )
    cell = CellKey(room.classroom, work, xu.id, FIRST)
    room.desk.write(question_marks.withdraw_question_mark, TEACHER, cell, COURSES, room.now)
    assert (result_of(TANG, work), result_of(XU, work)) == ((0.1, "抄错了"), (0.0, None))


def test_points_are_points_of_the_question_and_the_mistake_stays_told(room: Class, tang: Student) -> None:
    """One point of four is a quarter; what was misunderstood is the same whatever it earns."""
    assignment = room.assign(NewPart("item", "content:dcg", points=4))
    room.begin(TANG, assignment)
    room.save(TANG, assignment, 1, "6")
    room.hand_in(TANG, assignment)
    set_points(room, assignment, "1")
    assert points(room) == 1.0, tang.name
    seen_work = room.work(TANG, assignment)
    assert seen_work.earned_share("content:dcg#1") == 0.25
    assert [response.misconception_code for response in seen_work.responses] == ["no_discount"]
    [line, *_] = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert line.detail["points"] == [0.0, 1.0]


def test_a_question_keeps_what_its_part_asks_besides(room: Class, tang: Student) -> None:
    """Two questions of one exercise: points for the first leave those of the second."""
    assignment = room.assign(PRACTICE)
    room.begin(TANG, assignment)
    work = room.work(TANG, assignment, 1)
    of_student = work.student_assignment
    questions = question_set_of(COURSES, of_student.parts, of_student.assignment, work.attempt)
    room.save(TANG, assignment, 1, "0")
    room.save(TANG, assignment, 2, str(questions.variant_seed_of(questions.questions[1])))
    room.hand_in(TANG, assignment)
    assert points(room) == 1.0, tang.name
    set_points(room, assignment, "0.5")
    assert points(room) == 1.5
    take_back(room, assignment)
    assert points(room) == 1.0


def test_of_several_tries_the_best_is_what_a_question_earned_before(room: Class, tang: Student) -> None:
    """Other points lie over all of them, and the log says what they replace."""
    assignment_id = room.assign(answers="at_once", tries=2)
    room.begin(TANG, assignment_id)
    room.answer(TANG, assignment_id, 1, "6")
    room.answer(TANG, assignment_id, 1, "4", 2)
    room.hand_in(TANG, assignment_id)
    earned = points(room)
    assert earned, tang.name
    set_points(room, assignment_id, "0.25")
    assert points(room) == 0.25
    take_back(room, assignment_id)
    assert points(room) == earned
    lines = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert [line.detail["points"] for line in lines[:2]] == [[0.25, earned], [earned, 0.25]]


def test_a_mark_of_a_regrading_is_none_that_a_teacher_gave_by_hand(room: Class, tang: Student) -> None:
    """There is nothing to take back, and the same points by hand have a reason of their own."""
    assignment_id = room.assign(DCG)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    room.hand_in(TANG, assignment_id)
    regrade(room, assignment_id, "again")
    assert points(room) == 0.0, tang.name
    take_back(room, assignment_id)
    assert room.desk.rows("SELECT count(*) FROM audit WHERE action = 'question-mark-back'") == [(0,)]
    set_points(room, assignment_id, "0")
    assert room.work(TANG, assignment_id).reason_by_question_ref == {"content:dcg#1": REASON}


def test_points_that_are_taken_back_leave_the_mark_of_a_regrading(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "5")
    room.hand_in(TANG, assignment_id)
    regrade(room, assignment_id, "again")
    assert points(room) == 1.0, tang.name
    set_points(room, assignment_id, "0.5")
    assert points(room) == 0.5
    take_back(room, assignment_id)
    assert points(room) == 1.0


@pytest.mark.parametrize(
    ("first", "way", "second", "left"),
    [("5", "again", None, 1.0), ("4", "again", None, 0.0), ("4", "up", None, 1.0), ("5", "up", "again", 1.0)],
)
def test_points_taken_back_after_a_regrading_leave_what_it_would_have_given(
    room: Class, tang: Student, first: str, way: RegradeWay, second: RegradeWay | None, left: float
) -> None:
    """By hand they stayed, and no answer of today is asked: it may have been changed once more."""
    assignment_id = room.assign(DCG)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, first)
    room.hand_in(TANG, assignment_id)
    set_points(room, assignment_id, "0.5")
    for regrade_way in (way, second):
        if regrade_way:
            assert regrade(room, assignment_id, regrade_way).mark_changes == []
    seen_work = room.work(TANG, assignment_id)
    assert (points(room), seen_work.reason_by_question_ref) == (0.5, {"content:dcg#1": REASON}), tang.name
    set_points(room, assignment_id, "0.25")
    take_back(room, assignment_id)
    assert points(room) == left
    assert room.work(TANG, assignment_id).hand_marked_refs == set()


def test_a_regrading_of_points_by_hand_is_done_once(room: Class, work: int) -> None:
    set_points(room, work, "0.5")
    for _ in range(2):
        regrade(room, work, "again")
    assert room.desk.count("re_mark") == 1, "6 is as wrong as before"
    set_points(room, work, "1", QuestionKey(1, 2))
    take_back(room, work)
    assert points(room) == 1.0


def test_a_reason_that_was_taken_back_is_told_no_more(room: Class, work: int) -> None:
    """The one of the 重新评分 below it is, while another question stands by hand."""
    regrade(room, work, "again", {"content": Corrected()})
    set_points(room, work, "0.5")
    set_points(room, work, "0.5", QuestionKey(1, 2))
    take_back(room, work)
    assert room.work(TANG, work).reason_by_question_ref == {
        "content:dcg#1": "答案录错了",
        "content:dcg#2": REASON,
    }


def test_the_class_still_sees_what_was_wrong(room: Class, work: int) -> None:
    def mistakes() -> int:
        page = room.desk.read(misconceptions.load_misconceptions, TEACHER, room.classroom, work)
        return len(page.misconceptions)

    before = mistakes()
    set_points(room, work, "0.5")
    assert mistakes() == before > 0


@pytest.mark.parametrize(("typed", "reason"), [("1.5", REASON), ("-1", REASON), ("半", REASON), ("1", " ")])
def test_points_and_reason_that_cannot_be(room: Class, work: int, typed: str, reason: str) -> None:
    with pytest.raises(Refused):
        set_points(room, work, typed, reason=reason)
    assert points(room) == 1.0


def test_only_what_was_answered_and_handed_in(room: Class, work: int) -> None:
    for key in (QuestionKey(2, 1), QuestionKey(1, 3), QuestionKey(0, 0)):
        with pytest.raises(NotFound):
            set_points(room, work, "1", key)
    with pytest.raises(NotFound, match=r"^没有这一遍。$"):
        set_points(room, work, "1", QuestionKey(2, 1))
    other_assignment = room.assign(DCG, DCG)
    room.begin(TANG, other_assignment)
    room.save(TANG, other_assignment, 1, "6")
    with pytest.raises(Refused, match=r"^这一遍还没有交，交了才能改单题的分。$"):
        set_points(room, other_assignment, "1")
    room.hand_in(TANG, other_assignment)
    with pytest.raises(Refused, match="没有批过的回答"):
        set_points(room, other_assignment, "1", QuestionKey(1, 2))
    part = room.desk.read(regrading.load_regrade_page, TEACHER, room.key(other_assignment)).parts[0].id
    assignment_key = (TEACHER, room.key(other_assignment))
    order = RegradeOrder(part, "full", REASON)
    plan = room.desk.read(regrading.preview_regrade, *assignment_key, order, COURSES).plan
    assert plan is not None
    order = order._replace(digest=plan.digest)
    room.desk.write(regrading.regrade_part, *assignment_key, order, COURSES, room.now)
    with pytest.raises(Refused, match="全员给了满分"):
        set_points(room, other_assignment, "1")


def test_points_that_the_program_gave_may_be_set_by_hand(room: Class, work: int) -> None:
    """Nothing changes but that no 重新评分 changes them."""
    set_points(room, work, "0")
    assert points(room) == 1.0
    assert room.work(TANG, work).hand_marked_refs == {"content:dcg#1"}


def test_an_assistant_may_set_and_take_back(room: Class, work: int) -> None:
    token = room.desk.write(class_staff.create_role_token, TEACHER, room.classroom, "assistant", NOW)
    room.desk.write(class_staff.accept_role, COLLEAGUE, token, NOW)
    set_points(room, work, "0.5", caller=COLLEAGUE)
    assert points(room) == 1.5


def test_the_log_says_when(room: Class, work: int) -> None:
    room.now = NOW + DAY
    set_points(room, work, "0.5")
    room.now = NOW + 2 * DAY
    take_back(room, work)
    lines = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert [line.noted_at for line in lines[:2]] == [NOW + 2 * DAY, NOW + DAY]


def test_only_who_may_mark(room: Class, work: int) -> None:
    for caller in (COLLEAGUE, TANG, Caller()):
        with pytest.raises(NotFound):
            set_points(room, work, "1", caller=caller, student=1)
    assert points(room) == 1.0
