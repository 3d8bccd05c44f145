"""重新评分: looked at before it is done, up and down, and the work of then stays as it was."""

from collections.abc import Sequence
from typing import Any

import pytest

from app.course.assignments.question_sets import AssignedQuestion
from app.course.items.marks import Mark, Unreadable, wrong_mark
from app.records.accounts.values import Caller
from app.records.assignments import attempt_seeds, audit, lifecycle, lookup
from app.records.assignments import parts as parts_verbs
from app.records.assignments.values import NewPart
from app.records.classes.values import Student
from app.records.db.errors import NotFound, Refused
from app.records.grading import collecting, gradebook, mark_overrides, regraded_marks
from app.records.grading.regrades import regrading
from app.records.grading.regrades.regrade_plans import RegradePlan
from app.records.grading.values import CellKey, QuestionKey, RegradeOrder, RegradeWay
from app.records.marking import question_marks
from app.records.people import my_data
from tests.records.assigned import (
    COLLEAGUE,
    COURSES,
    DAY,
    DCG,
    HOUR,
    PRACTICE,
    TANG,
    TEACHER,
    XU,
    Class,
    Figures,
)
from tests.records.grading.regraded import TODAY, Corrected, done, part, planned


class Unclear(Figures):
    def mark(self, *_: object) -> Mark:
        raise Unreadable("写一个分数。")


class Explained(Corrected):
    """The same, and it says what made a 4."""

    def mark(
        self, item: str, seed: int, raw: Sequence[str], tries: int = 1, before: Sequence[str] | None = None
    ) -> Mark:
        if raw[0] == "4":
            return wrong_mark(raw[0], misconception_code="natural_log")
        return super().mark(item, seed, raw, tries, before)


@pytest.fixture
def both(room: Class) -> tuple[Student, Student]:
    """小糖 wrote 4, which was right; 小序 wrote 5, which was not."""
    return room.join("小糖", "tang"), room.join("小序", "xu")


def hand_in_texts(room: Class, assignment_id: int, **texts: str) -> None:
    for token, text in texts.items():
        caller = Caller(token)
        sitting = room.begin(caller, assignment_id)
        if text:
            room.save(caller, assignment_id, 1, text, sitting)
        room.hand_in(caller, assignment_id, sitting)


def marks_of(room: Class) -> dict[str, float | None]:
    book = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now)
    return {row.student.name: row.cells[0].points for row in book.rows}


def test_a_student_sees_the_corrected_item_and_what_counts_for_all(
    room: Class, both: tuple[Student, ...]
) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="6")
    done(room, assignment_id, "again")
    work = room.work(TANG, assignment_id)
    [response] = work.responses
    assert work.body_json_by_version_hash[response.item_version_hash] == '{"answer": 5}', both[0].name
    assert work.earned_share("content:dcg#1") == 0.0
    done(room, assignment_id, "full")
    assert room.work(TANG, assignment_id).earned_share("content:dcg#1") == 1.0
    assert room.work(XU, assignment_id).earned_share("content:dcg#1") == 1.0


def test_the_reason_of_the_last_marking_is_told_whatever_came_before_it(
    room: Class, both: tuple[Student, ...]
) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="5")
    done(room, assignment_id, "full")
    assert room.work(TANG, assignment_id).reason_by_question_ref == {"content:dcg#1": "答案录错了"}
    done(room, assignment_id, "back")
    assert room.work(TANG, assignment_id).reason_by_question_ref == {}, both[0].name
    done(room, assignment_id, "again")
    assert room.work(TANG, assignment_id).reason_by_question_ref == {"content:dcg#1": "答案录错了"}


def test_a_regrading_is_told_at_its_own_assignment_and_changes_no_other(
    room: Class, both: tuple[Student, ...]
) -> None:
    assignment_id, other_id, marked_id = (room.assign(DCG) for _ in range(3))
    for handed_in_id in (assignment_id, other_id, marked_id):
        hand_in_texts(room, handed_in_id, tang="4", xu="5")
    done(room, other_id, "full")
    plan = done(room, assignment_id, "again")
    assert [change.student.name for change in plan.mark_changes] == ["小糖", "小序"]
    cell_key = CellKey(room.classroom, marked_id, both[0].id, QuestionKey(1, 1))
    room.desk.write(question_marks.mark_question, TEACHER, cell_key, "0.5", "过程对", COURSES, room.now)

    def result_of(caller: Caller, handed_in_id: int) -> tuple[float, str | None]:
        work = room.work(caller, handed_in_id)
        return work.earned_share("content:dcg#1"), work.reason_by_question_ref.get("content:dcg#1")

    reason = "答案录错了"
    assert [result_of(TANG, handed_in_id) for handed_in_id in (assignment_id, other_id, marked_id)] == [
        (0.0, reason),
        (1.0, reason),
        (0.5, "过程对"),
    ]
    assert [result_of(XU, handed_in_id) for handed_in_id in (assignment_id, other_id, marked_id)] == [
        (1.0, reason),
        (1.0, reason),
        (0.0, None),
    ]


def test_what_was_misunderstood_is_said_by_the_item_of_today(room: Class, both: tuple[Student, ...]) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="5")
    done(room, assignment_id, "again", {"content": Explained()})
    [response] = room.work(TANG, assignment_id).responses
    assert (response.verdict, response.misconception_code) == ("wrong", "natural_log"), both[0].name


@pytest.mark.usefixtures("both")
def test_who_changes_is_seen_before_anything_is_written(room: Class) -> None:
    assignment_id = room.assign(DCG, PRACTICE)
    hand_in_texts(room, assignment_id, tang="4", xu="5")
    before = [room.desk.rows(f"SELECT * FROM {name}") for name in ("submission", "re_mark", "audit")]
    plan = planned(room, assignment_id, "again")
    assert [
        (change.student.name, change.points_before_and_after, change.mark_before_and_after)
        for change in plan.mark_changes
    ] == [
        ("小糖", (1.0, 0.0), (1.0, 0.0)),
        ("小序", (0.0, 1.0), (0.0, 1.0)),
    ]
    assert before == [room.desk.rows(f"SELECT * FROM {name}") for name in ("submission", "re_mark", "audit")]


def test_answers_to_other_questions_stand_between_and_hide_none(
    room: Class, both: tuple[Student, ...]
) -> None:
    items = (NewPart("item", "content:term"), DCG, NewPart("item", "content:dcg-2"))
    assignment_id = room.assign(*items, answers="at_once")
    for caller in (TANG, XU):
        room.begin(caller, assignment_id)
        for number in (1, 2, 3):
            room.answer(caller, assignment_id, number, "5")
        room.hand_in(caller, assignment_id)
    parts = room.desk.read(regrading.load_regrade_page, TEACHER, room.key(assignment_id)).parts
    order = RegradeOrder(parts[1].id, "again")
    plan = room.desk.read(regrading.preview_regrade, TEACHER, room.key(assignment_id), order, TODAY).plan
    assert plan
    changes = [(change.student.name, change.points_before_and_after) for change in plan.mark_changes]
    assert changes == [("小糖", (0.0, 1.0)), ("小序", (0.0, 1.0))], both
    order = order._replace(reason="答案录错了", digest=plan.digest)
    assignment_key = (TEACHER, room.key(assignment_id))
    room.desk.write(regrading.regrade_part, *assignment_key, order, TODAY, room.now)
    scores = {response.item_ref: response.score for response in room.work(TANG, assignment_id).responses}
    assert (scores["content:dcg#2"], scores["content:dcg-2#3"]) == (1.0, 0.0)


def test_up_and_down_while_the_work_of_then_stays(room: Class, both: tuple[Student, ...]) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="5")
    before = room.desk.rows("SELECT * FROM response")
    done(room, assignment_id, "again")
    assert marks_of(room) == {"小糖": 0.0, "小序": 1.0}
    assert room.desk.rows("SELECT * FROM response") == before
    cell_data = room.desk.read(
        mark_overrides.load_cell, TEACHER, CellKey(room.classroom, assignment_id, both[0].id), room.now
    )
    [attempt] = cell_data.attempts
    assert [row.verdict for row in attempt.attempt_data.responses] == ["right"]
    assert attempt.second_mark_by_try["content:dcg#1", 1].verdict == "wrong"
    [line, _] = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert (line.action, line.detail["questions"], line.detail["reason"]) == ("regrade", [1], "答案录错了")
    assert line.detail["students"] == [[both[0].id, 1.0, 0.0], [both[1].id, 0.0, 1.0]]


@pytest.mark.usefixtures("both")
def test_marks_may_only_rise(room: Class) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="5")
    assert planned(room, assignment_id, "again").falling_attempt_count == 1
    plan = done(room, assignment_id, "up")
    assert [(change.student.name, change.points_before_and_after) for change in plan.mark_changes] == [
        ("小序", (0.0, 1.0))
    ]
    assert plan.falling_attempt_count == 0
    assert marks_of(room) == {"小糖": 1.0, "小序": 1.0}
    assert planned(room, assignment_id, "up") == RegradePlan(points_by_part_id_by_attempt_id={})
    assert room.work(XU, assignment_id).reason_by_question_ref == {"content:dcg#1": "答案录错了"}
    assert room.work(TANG, assignment_id).new_share_by_question_ref == {}


@pytest.mark.usefixtures("both")
def test_once_more_changes_nothing_and_the_old_item_brings_the_old_marks(room: Class) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="5")
    done(room, assignment_id, "again")
    assert planned(room, assignment_id, "again") == RegradePlan(points_by_part_id_by_attempt_id={})
    assert [
        change.points_before_and_after for change in done(room, assignment_id, "again", COURSES).mark_changes
    ] == [
        (0.0, 1.0),
        (1.0, 0.0),
    ]
    assert marks_of(room) == {"小糖": 1.0, "小序": 0.0}
    assert room.desk.count("re_mark") == 4, "every judgement stays in the log"


@pytest.mark.usefixtures("both")
def test_a_change_of_the_content_alone_changes_no_mark(room: Class) -> None:
    """Nothing that reads marks asks the course of today."""
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="7")
    assert marks_of(room) == {"小糖": 1.0, "小序": 0.0}
    planned(room, assignment_id, "again", TODAY)
    assert marks_of(room) == {"小糖": 1.0, "小序": 0.0}


@pytest.mark.usefixtures("both")
def test_partial_points_come_with_the_item(room: Class) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="7")
    done(room, assignment_id, "again")
    assert marks_of(room) == {"小糖": 0.0, "小序": 0.5}


@pytest.mark.usefixtures("both")
def test_full_points_for_everybody_also_for_blanks_and_for_who_comes_later(room: Class) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="")
    assert [change.points_before_and_after for change in done(room, assignment_id, "full").mark_changes] == [
        (0.0, 1.0)
    ]
    hand_in_texts(room, assignment_id, xu="6")
    assert marks_of(room) == {"小糖": 1.0, "小序": 1.0}
    assert room.desk.count("re_mark") == 0
    assert [change.points_before_and_after for change in done(room, assignment_id, "back").mark_changes] == [
        (1.0, 0.0),
        (1.0, 0.0),
    ]
    assert marks_of(room) == {"小糖": 0.0, "小序": 0.0}
    assert room.desk.read(regraded_marks.standing_grant_by_part_id, assignment_id) == {}


def test_another_reason_for_full_points_takes_the_place_of_the_first(
    room: Class, both: tuple[Student, ...]
) -> None:
    """Whoever wrote it before they knew of the first is told that; a second click is none."""
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="6")
    order = RegradeOrder(
        part(room, assignment_id), "full", "印错了", planned(room, assignment_id, "full").digest
    )
    done(room, assignment_id, "full")
    assignment_key = (TEACHER, room.key(assignment_id))
    with pytest.raises(
        Refused, match=r"^这道题刚才已经全员给了满分，理由是“答案录错了”。要换成你写的理由，再点一次。$"
    ):
        room.desk.write(regrading.regrade_part, *assignment_key, order, TODAY, room.now)
    order = order._replace(digest=planned(room, assignment_id, "full").digest)
    for _ in range(2):
        room.desk.write(regrading.regrade_part, *assignment_key, order, TODAY, room.now)
    assert room.work(TANG, assignment_id).reason_by_question_ref == {"content:dcg#1": "印错了"}, both[0].name
    assert marks_of(room)["小糖"] == 1.0
    assert room.desk.rows("SELECT count(*) FROM audit WHERE action = 'regrade'") == [(2,)]


@pytest.mark.usefixtures("both")
def test_a_question_that_may_still_be_replaced_is_granted_to_nobody(room: Class) -> None:
    assignment_id = room.assign(DCG)
    with pytest.raises(Refused, match="还没有人开始做"):
        done(room, assignment_id, "full")
    [dcg_part] = room.desk.read(lookup.parts_of, assignment_id)
    new_ref_by_part_id: Any = {dcg_part.id: {"ref": "content:dcg-other"}}
    room.desk.write(parts_verbs.set_parts, TEACHER, room.key(assignment_id), new_ref_by_part_id, room.now)
    hand_in_texts(room, assignment_id, tang="6", xu="")
    assert marks_of(room) == {"小糖": 0, "小序": 0}


@pytest.mark.usefixtures("both")
def test_an_emptied_line_of_the_log_costs_the_reason_and_nothing_else(room: Class) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="5")
    done(room, assignment_id, "again")
    assert room.work(TANG, assignment_id, 1).reason_by_question_ref == {"content:dcg#1": "答案录错了"}
    with room.desk.other_program() as connection:
        connection.execute("UPDATE audit SET detail = '{}'")
    work = room.work(TANG, assignment_id, 1)
    assert (work.new_share_by_question_ref, work.reason_by_question_ref) == ({"content:dcg#1": 1.0}, {})


@pytest.mark.usefixtures("both")
def test_a_pass_that_is_still_open_is_judged_anew_too(room: Class) -> None:
    assignment_id = room.assign(DCG, answers="at_once", tries=2)
    room.begin(TANG, assignment_id)
    room.answer(TANG, assignment_id, 1, "5")
    assert done(room, assignment_id, "again").mark_changes == []
    room.hand_in(TANG, assignment_id)
    assert marks_of(room)["小糖"] == 1.0


def test_full_points_judge_no_answer_and_stand_whatever_is_marked_anew(
    room: Class, both: tuple[Student, ...]
) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="5", xu="6")
    done(room, assignment_id, "full")
    assert room.desk.count("re_mark") == 0, both[0].name
    done(room, assignment_id, "again")
    assert marks_of(room) == {"小糖": 1.0, "小序": 1.0}
    done(room, assignment_id, "back")
    assert marks_of(room) == {"小糖": 1.0, "小序": 0.0}


def test_an_open_attempt_gets_no_points_and_what_is_only_saved_no_mark(
    room: Class, both: tuple[Student, ...]
) -> None:
    at_once_id, saved_id = room.assign(DCG, answers="at_once"), room.assign(DCG)
    for assignment_id in (at_once_id, saved_id):
        room.begin(TANG, assignment_id)
    room.answer(TANG, at_once_id, 1, "5")
    room.save(TANG, saved_id, 1, "5")
    for assignment_id, response_count in ((at_once_id, 1), (saved_id, 0)):
        plan = planned(room, assignment_id, "again")
        assert len(plan.responses_marked_anew) == response_count, both[0].name
        assert (plan.answers_marked_at_last, plan.points_by_part_id_by_attempt_id) == ([], {})
        assert plan.unmarkable_students == []


def test_which_pass_counts_and_what_is_set_by_hand_decide_about_the_mark(
    room: Class, both: tuple[Student, ...]
) -> None:
    assignment_id = room.assign(DCG, passes=0, counts="best")
    hand_in_texts(room, assignment_id, tang="4", xu="5")
    hand_in_texts(room, assignment_id, tang="5")
    who_and_cell = (TEACHER, CellKey(room.classroom, assignment_id, both[1].id))
    room.desk.write(mark_overrides.override_mark, *who_and_cell, "0.5", "口头补答", room.now)
    changes = planned(room, assignment_id, "again").mark_changes
    assert [
        (
            change.student.name,
            change.attempt_number,
            change.points_before_and_after,
            change.mark_before_and_after,
            change.hand_mark.is_set,
        )
        for change in changes
    ] == [
        ("小糖", 1, (1.0, 0.0), (1.0, 1.0), False),
        ("小糖", 2, (0.0, 1.0), (1.0, 1.0), False),
        ("小序", 1, (0.0, 1.0), (0.5, 0.5), True),
    ]


def test_whoever_is_excused_is_shown_as_excused(room: Class, both: tuple[Student, ...]) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="5")
    who_and_cell = (TEACHER, CellKey(room.classroom, assignment_id, both[0].id))
    room.desk.write(mark_overrides.excuse_student, *who_and_cell, "病假", room.now)
    changes = planned(room, assignment_id, "again").mark_changes
    assert [(change.student.name, change.hand_mark.excused) for change in changes] == [
        ("小糖", True),
        ("小序", False),
    ]


def test_a_paper_that_was_collected_does_not_count_as_the_first(
    room: Class, both: tuple[Student, ...]
) -> None:
    """小糖 had more time after 收卷: of what the preview shows, the mark is that of the gradebook."""
    assignment_id = room.assign(DCG, counts="first")
    room.begin(TANG, assignment_id)
    assignment_key = (TEACHER, room.key(assignment_id))
    room.desk.write(collecting.collect_work, *assignment_key, COURSES, room.now)
    room.now += HOUR
    room.desk.write(
        lifecycle.extend_due_times, *assignment_key, [both[0].id], room.now + DAY, "病了", room.now
    )
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4", sitting=2)
    room.hand_in(TANG, assignment_id, 2)
    assert marks_of(room)["小糖"] == 1.0
    [change] = planned(room, assignment_id, "full").mark_changes
    assert (change.attempt_number, change.points_before_and_after, change.mark_before_and_after) == (
        1,
        (0.0, 1.0),
        (1.0, 1.0),
    )


@pytest.mark.usefixtures("both")
def test_what_has_changed_since_the_preview_is_looked_at_again(room: Class) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4")
    plan = planned(room, assignment_id, "again")
    hand_in_texts(room, assignment_id, xu="5")
    order = RegradeOrder(part(room, assignment_id), "again", "答案录错了", plan.digest)
    assignment_key = (TEACHER, room.key(assignment_id))
    with pytest.raises(Refused, match="再核对一遍"):
        room.desk.write(regrading.regrade_part, *assignment_key, order, TODAY, room.now)
    assert room.desk.count("re_mark") == 0


@pytest.mark.parametrize("way", ["again", "up"])
def test_a_second_click_is_no_other_regrading(
    room: Class, both: tuple[Student, ...], way: RegradeWay
) -> None:
    """Who has another reason looks once more; and what was undone since is done again."""
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="5")
    plan = done(room, assignment_id, way)
    order = RegradeOrder(part(room, assignment_id), way, "答案录错了", plan.digest)
    assignment_key = (TEACHER, room.key(assignment_id))
    room.desk.write(regrading.regrade_part, *assignment_key, order, TODAY, room.now)
    assert room.desk.rows("SELECT count(*) FROM audit WHERE action = 'regrade'") == [(1,)]
    assert marks_of(room)["小序"] == 1.0, both[1].name
    other_order = order._replace(reason="别的")
    with pytest.raises(Refused, match="再核对一遍"):
        room.desk.write(regrading.regrade_part, *assignment_key, other_order, TODAY, room.now)
    done(room, assignment_id, "again", COURSES)
    assert marks_of(room)["小序"] == 0.0
    room.desk.write(regrading.regrade_part, *assignment_key, order, TODAY, room.now)
    assert marks_of(room)["小序"] == 1.0


def test_a_first_regrading_that_changes_nothing_is_told_of_once(
    room: Class, both: tuple[Student, ...]
) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="6")
    for _ in range(2):
        done(room, assignment_id, "again", COURSES)
    lines = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    [detail] = [line.detail for line in lines if line.action == "regrade"]
    assert (detail["students"], "left" in detail) == ([], False), both[0].name


def test_a_late_second_click_grants_nothing_twice(room: Class, both: tuple[Student, ...]) -> None:
    """Somebody else has marked another question anew meanwhile."""
    assignment_id = room.assign(DCG, DCG)
    hand_in_texts(room, assignment_id, tang="5", xu="6")
    plan = done(room, assignment_id, "full")
    order = RegradeOrder(part(room, assignment_id), "full", "答案录错了", plan.digest)
    assignment_key = (TEACHER, room.key(assignment_id))
    other_part = room.desk.read(regrading.load_regrade_page, *assignment_key).parts[1]
    other_order = RegradeOrder(other_part.id, "full", "也录错了")
    other_plan = room.desk.read(regrading.preview_regrade, *assignment_key, other_order, TODAY).plan
    assert other_plan, both[0].name
    for sent_order in (other_order._replace(digest=other_plan.digest), order):
        room.desk.write(regrading.regrade_part, *assignment_key, sent_order, TODAY, room.now)
    assert room.desk.count("part_grant") == 2
    assert room.desk.rows("SELECT count(*) FROM audit WHERE action = 'regrade'") == [(2,)]


def test_a_plan_that_says_something_else_of_an_answer_is_another_one(
    room: Class, both: tuple[Student, ...]
) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="5")
    plan = planned(room, assignment_id, "again")
    order = RegradeOrder(part(room, assignment_id), "again", "答案录错了", plan.digest)
    courses_of_today = {"content": Explained()}
    plan_of_today = planned(room, assignment_id, "again", courses_of_today)
    assert plan_of_today.mark_changes == plan.mark_changes
    assert len(plan_of_today.responses_marked_anew) == len(plan.responses_marked_anew)
    with pytest.raises(Refused, match="再核对一遍"):
        room.desk.write(
            regrading.regrade_part, TEACHER, room.key(assignment_id), order, courses_of_today, room.now
        )
    assert room.desk.count("re_mark") == 0, both[0].name


@pytest.mark.usefixtures("both")
def test_what_cannot_be_read_today_stays_as_it_was(room: Class) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4", xu="5")
    plan = planned(room, assignment_id, "again", {"content": Unclear()})
    assert (plan.mark_changes, plan.unreadable_count) == ([], 2)
    assert planned(room, assignment_id, "again", {}).unreadable_count == 2, "the item is gone"


@pytest.mark.usefixtures("both")
def test_whoever_deleted_the_account_keeps_the_mark(room: Class) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="4")
    room.desk.write(my_data.delete_me, TANG, "hash", room.now)
    assert planned(room, assignment_id, "again") == RegradePlan(points_by_part_id_by_attempt_id={})


@pytest.mark.usefixtures("both")
def test_only_the_teacher_and_only_parts_with_questions(room: Class) -> None:
    assignment_id = room.assign(DCG)
    for caller in (COLLEAGUE, TANG, XU, Caller()):
        with pytest.raises(NotFound):
            room.desk.read(regrading.load_regrade_page, caller, room.key(assignment_id))
        order = RegradeOrder(part(room, assignment_id), "full", "x", "x")
        with pytest.raises(NotFound):
            room.desk.write(regrading.regrade_part, caller, room.key(assignment_id), order, TODAY, room.now)
    assignment_key = (TEACHER, room.key(assignment_id))
    with pytest.raises(NotFound):
        room.desk.read(regrading.preview_regrade, *assignment_key, RegradeOrder(999, "full"), TODAY)
    draft_id = room.assign(DCG, publish=False)
    with pytest.raises(NotFound, match="还没有发布"):
        room.desk.read(regrading.load_regrade_page, TEACHER, room.key(draft_id))


@pytest.mark.usefixtures("both")
def test_of_a_bank_only_those_who_drew_a_question_get_its_points(room: Class) -> None:
    """By a grant while it is given, and by one that was given before somebody handed in."""
    items = [NewPart("item", f"content:dcg-{letter}") for letter in "abcdef"]
    assignment_id = room.assign(*items, publish=False)
    parts = room.desk.read(lookup.parts_of, assignment_id)
    ids = [row.id for row in parts]
    room.desk.write(parts_verbs.make_bank, TEACHER, room.key(assignment_id), ids, 3, {}, room.now)
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(assignment_id), room.now)
    hand_in_texts(room, assignment_id, tang="5")
    part_ids = {assigned_question.part_id for assigned_question in room_questions(room, assignment_id, TANG)}
    assert len(part_ids) == 3
    assignment_key = (TEACHER, room.key(assignment_id))
    for row in parts:
        order = RegradeOrder(row.id, "full", "题错了")
        plan = room.desk.read(regrading.preview_regrade, *assignment_key, order, TODAY).plan
        assert plan
        order = order._replace(digest=plan.digest)
        room.desk.write(regrading.regrade_part, *assignment_key, order, TODAY, room.now)
        assert bool(plan.points_by_part_id_by_attempt_id) == (row.id in part_ids)
    assert marks_of(room)["小糖"] == 3.0
    hand_in_texts(room, assignment_id, xu="5")
    assert marks_of(room)["小序"] == 3.0


def room_questions(room: Class, assignment_id: int, caller: Caller) -> Sequence[AssignedQuestion]:
    work = room.work(caller, assignment_id, 1)
    assignment = work.student_assignment
    return attempt_seeds.question_set_of({}, assignment.parts, assignment.assignment, work.attempt).questions


class Failing(Corrected):
    """Cannot judge a 6 any more."""

    def mark(self, item: str, seed: int, raw: Sequence[str], *rest: Any) -> Mark:
        if raw[0] == "6":
            raise ZeroDivisionError("the ideal is nought")
        return super().mark(item, seed, raw, *rest)


def test_work_that_cannot_be_judged_again_is_left_and_named_and_the_others_are(
    room: Class, both: tuple[Student, ...], caplog: pytest.LogCaptureFixture
) -> None:
    assignment_id = room.assign(DCG)
    hand_in_texts(room, assignment_id, tang="6", xu="5")
    plan = done(room, assignment_id, "again", {"content": Failing()})
    assert [student.name for student in plan.unmarkable_students] == ["小糖"]
    assert marks_of(room) == {"小糖": 0.0, "小序": 1.0}
    assert "ZeroDivisionError" in caplog.text
    [line, *_] = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert line.detail["left"] == [both[0].id]
    assert done(room, assignment_id, "again").unmarkable_students == [], "the next time it can"
