"""改过分: said of a mark that is another than when it was handed in, and of no other."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from app.course.assignments.question_sets import AssignedQuestion
from app.course.items.marks import Mark, wrong_mark
from app.records.assignments import attempt_seeds, lifecycle, lookup
from app.records.assignments import parts as parts_verbs
from app.records.assignments.values import NewPart
from app.records.classes.values import Student
from app.records.grading import collecting, gradebook, mark_overrides, student_assignments
from app.records.grading.regrades import regrading
from app.records.grading.values import CellKey, QuestionKey, RegradeOrder, RegradeWay
from app.records.marking import question_marks
from tests.records.assigned import COURSES, DCG, PRACTICE, TANG, TEACHER, XU, Class, Figures
from tests.records.cast import NOW
from tests.records.grading.regraded import TODAY, done

SECOND = timedelta(seconds=1)


class HalfRight(Figures):
    """Whoever wrote 7 gets half."""

    def mark(self, item: str, seed: int, raw: Sequence[str], *rest: Any) -> Mark:
        if raw[0] == "7":
            return wrong_mark(raw[0], score=0.5)
        return super().mark(item, seed, raw, *rest)


def is_mark_changed(room: Class) -> bool:
    """As 小糖 sees it, and the teacher in the gradebook; who set the mark by hand knows."""
    [own_assignment] = room.desk.read(student_assignments.load_own_assignments, TANG)
    [row, *_] = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now).rows
    [cell] = row.cells
    if not cell.is_by_hand:
        assert cell.is_regraded == own_assignment.is_mark_changed
    cell_key = CellKey(room.classroom, own_assignment.assignment.id, row.student.id)
    assert room.desk.read(mark_overrides.load_cell, TEACHER, cell_key, room.now).cell == cell
    return own_assignment.is_mark_changed


def grant(room: Class, assignment_id: int, part_id: int, way: RegradeWay = "full") -> None:
    """全员给分 for a part, or taken back."""
    assignment_key = (TEACHER, room.key(assignment_id))
    order = RegradeOrder(part_id, way, "题错了")
    plan = room.desk.read(regrading.preview_regrade, *assignment_key, order, COURSES).plan
    assert plan
    order = order._replace(digest=plan.digest)
    room.desk.write(regrading.regrade_part, *assignment_key, order, COURSES, room.now)


def part_ids(room: Class, assignment_id: int) -> list[int]:
    return [part.id for part in room.desk.read(lookup.parts_of, assignment_id)]


def questions_of_tang(room: Class, assignment_id: int) -> Sequence[AssignedQuestion]:
    work = room.work(TANG, assignment_id)
    assignment = work.student_assignment
    return attempt_seeds.question_set_of({}, assignment.parts, assignment.assignment, work.attempt).questions


def seeds_of_tang(room: Class, assignment_id: int) -> list[int]:
    """The right answers to the drilled questions of the open attempt."""
    work = room.work(TANG, assignment_id)
    assignment = work.student_assignment
    question_set = attempt_seeds.question_set_of(
        COURSES, assignment.parts, assignment.assignment, work.attempt
    )
    return [question_set.variant_seed_of(assigned_question) for assigned_question in question_set.questions]


def hand_in(room: Class, assignment_id: int, *texts: str, number: int = 1) -> None:
    for question_number, text in enumerate(texts, 1):
        room.save(TANG, assignment_id, question_number, text, number)
    room.hand_in(TANG, assignment_id, number)
    room.now += SECOND


@pytest.mark.parametrize(("right_count", "is_changed"), [(0, True), (1, True), (2, False)])
def test_a_grant_for_drilled_questions(
    room: Class, tang: Student, right_count: int, is_changed: bool
) -> None:
    """Two questions of one part: who had both right has what they had, who had one right has more."""
    assignment_id = room.assign(PRACTICE)
    room.begin(TANG, assignment_id)
    right_texts = [str(seed) for seed in seeds_of_tang(room, assignment_id)]
    hand_in(room, assignment_id, *right_texts[:right_count], *["0"] * (2 - right_count))
    [part_id] = part_ids(room, assignment_id)
    grant(room, assignment_id, part_id)
    assert is_mark_changed(room) == is_changed, tang.name


def test_a_grant_for_a_question_that_was_not_drawn(room: Class, tang: Student) -> None:
    items = [NewPart("item", f"content:dcg-{letter}") for letter in "abcdef"]
    assignment_id = room.assign(*items, publish=False)
    ids = part_ids(room, assignment_id)
    room.desk.write(parts_verbs.make_bank, TEACHER, room.key(assignment_id), ids, 3, {}, room.now)
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(assignment_id), room.now)
    room.begin(TANG, assignment_id)
    drawn_ids = [question.part_id for question in questions_of_tang(room, assignment_id)]
    granted_before_id, *granted_later_ids = set(ids).difference(drawn_ids)
    grant(room, assignment_id, granted_before_id)
    hand_in(room, assignment_id, "5", "5", "5")
    for part_id in granted_later_ids:
        grant(room, assignment_id, part_id)
    assert not is_mark_changed(room), tang.name
    grant(room, assignment_id, drawn_ids[0])
    assert is_mark_changed(room)


def test_a_worse_try_that_is_judged_otherwise(room: Class, tang: Student) -> None:
    """Of several tries the best counts: points for the first, below it, change nothing."""
    assignment_id = room.assign(answers="at_once", tries=2)
    room.begin(TANG, assignment_id)
    room.answer(TANG, assignment_id, 1, "7")
    room.answer(TANG, assignment_id, 1, "4", 2)
    hand_in(room, assignment_id)
    done(room, assignment_id, "again", {"content": HalfRight()})
    assert room.desk.count("re_mark") == 1, tang.name
    assert not is_mark_changed(room)
    done(room, assignment_id, "again", TODAY)
    assert is_mark_changed(room)


@pytest.mark.parametrize(("counts", "is_changed"), [("best", False), ("first", True), ("last", False)])
def test_an_attempt_that_does_not_count(room: Class, tang: Student, counts: str, is_changed: bool) -> None:
    assignment_id = room.assign(passes=2, counts=counts)
    room.begin(TANG, assignment_id)
    hand_in(room, assignment_id, "6")
    room.begin(TANG, assignment_id)
    hand_in(room, assignment_id, "4", number=2)
    cell_key = CellKey(room.classroom, assignment_id, tang.id, QuestionKey(1, 1))
    room.desk.write(question_marks.mark_question, TEACHER, cell_key, "0.5", "过程对", COURSES, room.now)
    assert is_mark_changed(room) == is_changed


@pytest.mark.parametrize(("typed", "is_changed"), [("1", False), ("0.5", True)])
def test_a_mark_by_hand(room: Class, tang: Student, typed: str, is_changed: bool) -> None:
    """The same mark with a reason is none that was changed."""
    assignment_id = room.assign(DCG)
    room.begin(TANG, assignment_id)
    hand_in(room, assignment_id, "4")
    cell_key = CellKey(room.classroom, assignment_id, tang.id)
    room.desk.write(mark_overrides.override_mark, TEACHER, cell_key, typed, "看过了", room.now)
    assert is_mark_changed(room) == is_changed


@pytest.mark.parametrize("seconds", [0, 1])
def test_full_points_that_counted_at_the_hand_in(room: Class, tang: Student, seconds: int) -> None:
    """They change nothing while they stand, and a mark where they are taken back."""
    room.join("小序", "xu")
    assignment_id = room.assign(DCG, DCG)
    part_id, _ = part_ids(room, assignment_id)
    room.begin(XU, assignment_id)
    grant(room, assignment_id, part_id)
    room.now += seconds * SECOND
    room.begin(TANG, assignment_id)
    hand_in(room, assignment_id, "6", "4")
    assert not is_mark_changed(room), tang.name
    grant(room, assignment_id, part_id, "back")
    assert is_mark_changed(room)
    grant(room, assignment_id, part_id)
    assert not is_mark_changed(room)


def test_full_points_that_were_taken_back_before_the_hand_in(room: Class, tang: Student) -> None:
    room.join("小序", "xu")
    assignment_id = room.assign()
    [part_id] = part_ids(room, assignment_id)
    room.begin(XU, assignment_id)
    grant(room, assignment_id, part_id)
    grant(room, assignment_id, part_id, "back")
    room.begin(TANG, assignment_id)
    hand_in(room, assignment_id, "6")
    grant(room, assignment_id, part_id)
    assert is_mark_changed(room), tang.name
    grant(room, assignment_id, part_id, "back")
    assert not is_mark_changed(room)


def test_what_was_marked_anew_before_the_hand_in_is_no_change(room: Class, tang: Student) -> None:
    """Where answers are marked at once, a 重新评分 comes to open attempts, too; one after it is one."""
    assignment_id = room.assign(answers="at_once")
    room.begin(TANG, assignment_id)
    room.answer(TANG, assignment_id, 1, "5")
    done(room, assignment_id, "again", TODAY)
    hand_in(room, assignment_id)
    assert room.given(TANG, assignment_id).attempts[0].points == 1.0, tang.name
    assert not is_mark_changed(room)
    done(room, assignment_id, "again", COURSES)
    assert is_mark_changed(room)


class Readable(Figures):
    """What could not be read at the hand-in is wrong by now."""

    def mark(self, item: str, seed: int, raw: Sequence[str], *rest: Any) -> Mark:
        if raw[0] == "四":
            return wrong_mark(raw[0])
        return super().mark(item, seed, raw, *rest)


def test_an_answer_that_was_read_later_hides_no_earlier_change(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG, DCG)
    granted_part_id, unread_part_id = part_ids(room, assignment_id)
    room.begin(TANG, assignment_id)
    hand_in(room, assignment_id, "6", "四")
    grant(room, assignment_id, granted_part_id)
    assert is_mark_changed(room), tang.name
    room.now += SECOND
    regrade_arguments = (TEACHER, room.key(assignment_id))
    courses: Any = {"content": Readable()}
    order = RegradeOrder(unread_part_id, "again", "现在读得懂了")
    plan = room.desk.read(regrading.preview_regrade, *regrade_arguments, order, courses).plan
    assert plan
    order = order._replace(digest=plan.digest)
    room.desk.write(regrading.regrade_part, *regrade_arguments, order, courses, room.now)
    assert [response.raw for response in room.work(TANG, assignment_id, 1).responses] == [("6",), ("四",)]
    assert is_mark_changed(room)


def test_a_grant_between_the_end_of_the_time_and_the_marking_is_no_change(room: Class, tang: Student) -> None:
    """The first mark that there was is with it; taken back, it is another."""
    assignment_id = room.assign(minutes=20)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "6")
    room.now = NOW + timedelta(minutes=20, seconds=5)
    [part_id] = part_ids(room, assignment_id)
    grant(room, assignment_id, part_id)
    room.now += timedelta(seconds=20)
    [attempt_id] = room.desk.read(collecting.load_part_refs_of_overdue_attempts, room.now)
    assert room.desk.write(collecting.hand_in_at_time_up, attempt_id, COURSES, room.now)
    [attempt] = room.given(TANG, assignment_id).attempts
    assert (attempt.points, attempt.handed_in_at) == (1.0, NOW + timedelta(minutes=20)), tang.name
    assert not is_mark_changed(room)
    room.now += SECOND
    grant(room, assignment_id, part_id, "back")
    assert is_mark_changed(room)
