"""The numbers of an attempt: drawn when it begins, the same from then on for everybody who looks at it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from app.course.assignments.question_seeds import (
    drawn_seed_by_question_number_of,
    seed_by_drilled_question_number,
)
from app.course.assignments.question_sets import question_seed
from app.records.assignments import attempt_seeds
from app.records.assignments.values import FIRST_EVENLY_DRAWN_VERSION, AssignmentRow, NewPart, PartRow
from app.records.classes.values import Student
from app.records.grading import submissions
from app.records.grading.regrades import regrading
from app.records.grading.values import RegradeOrder
from tests.course.assignments.drills import COURSES as DRILLS
from tests.records.assigned import COURSES, DCG, PRACTICE, TANG, TEACHER, XU, Class


@pytest.mark.usefixtures("tang")
def test_what_was_drawn_at_the_beginning_holds_to_the_end(room: Class) -> None:
    """For marks, for 重新评分, and for those who have only the log."""
    assignment_id = room.assign(PRACTICE)
    room.begin(TANG, assignment_id)
    with room.desk.other_program() as connection:
        connection.execute("UPDATE submission SET seeds = ?", (json.dumps({"1": 123, "2": 45}),))
    room.save(TANG, assignment_id, 1, "123")
    room.save(TANG, assignment_id, 2, "45")
    assert room.hand_in(TANG, assignment_id).points == 2.0
    attempt_id = room.work(TANG, assignment_id).attempt.attempt_id
    assert room.desk.read(attempt_seeds.load_variant_seed, attempt_id, "content:practice-term-1#2") == 45
    [part] = room.given(TANG, assignment_id).parts
    order = RegradeOrder(part.id, "again")
    plan = room.desk.read(regrading.preview_regrade, TEACHER, room.key(assignment_id), order, COURSES).plan
    assert plan is not None
    assert plan.mark_changes == []


@pytest.mark.usefixtures("tang")
def test_who_has_only_the_log_knows_the_numbers_of_each_attempt(room: Class) -> None:
    """Also of a fixed item, whose seed is never drawn; a question that is gone has that of its assignment."""
    room.join("小序", "xu")
    _, assignment_id, _ = (room.assign(DCG, passes=2) for _ in range(3))
    for caller, number in ((TANG, 1), (XU, 1), (XU, 2)):
        room.begin(caller, assignment_id)
        room.hand_in(caller, assignment_id, number)
    seeds = set()
    for caller, number in ((TANG, 1), (XU, 1), (XU, 2)):
        work = room.work(caller, assignment_id, number)
        assignment = work.student_assignment.assignment
        owner = (work.student_assignment.enrolment_id, number)
        attempt_id = work.attempt.attempt_id
        seed = room.desk.read(attempt_seeds.load_variant_seed, attempt_id, "content:dcg#1")
        assert seed == question_seed(assignment.seed, *owner, question_number=1, hmac_key=assignment.hmac_key)
        seeds.add(seed)
        gone = room.desk.read(attempt_seeds.load_variant_seed, attempt_id, "content:gone#9")
        assert gone == assignment.seed
    assert len(seeds) == 3
    assert room.desk.read(attempt_seeds.load_variant_seed, 999, "content:dcg#1") is None


@pytest.mark.usefixtures("tang")
def test_what_was_drawn_ahead_is_found_when_the_attempt_begins(room: Class) -> None:
    """The writer draws nothing then."""
    assignment_id = room.assign(NewPart("practice", "content:dcg-at-k", level=3, count=4))
    courses: Any = DRILLS
    seed_by_drilled_question_number.cache_clear()
    room.desk.read(submissions.remember_next_draw, TANG, assignment_id, courses)
    misses = seed_by_drilled_question_number.cache_info().misses
    room.desk.write(submissions.begin_or_resume_attempt, TANG, assignment_id, courses, room.now)
    assert seed_by_drilled_question_number.cache_info().misses == misses
    [(seeds,)] = room.desk.rows("SELECT seeds FROM submission")
    assert set(json.loads(seeds)) == {"1", "2", "3", "4"}


def test_each_student_draws_their_own_numbers(room: Class, tang: Student, xu: Student) -> None:
    assignment_id = room.assign(NewPart("practice", "content:dcg-at-k", level=3, count=4))
    courses: Any = DRILLS
    for caller in (TANG, XU):
        room.desk.write(submissions.begin_or_resume_attempt, caller, assignment_id, courses, room.now)
    [first_seeds, second_seeds] = room.desk.rows("SELECT seeds FROM submission")
    assert first_seeds != second_seeds, (tang.name, xu.name)


@pytest.mark.parametrize(
    ("version", "is_drawn"), [(FIRST_EVENLY_DRAWN_VERSION, True), (FIRST_EVENLY_DRAWN_VERSION - 1, False)]
)
def test_an_assignment_from_before_the_draw_keeps_its_numbers(version: int, is_drawn: bool) -> None:
    assignment = assignment_of(version)
    parts = [replace(PartRow("practice", "content:dcg-at-k", 3, 4), id=11)]
    courses: Any = DRILLS
    question_set = attempt_seeds.fresh_question_set(courses, parts, assignment, 31)
    plain_set = replace(question_set, drawn_seed_by_question_number={})
    assert (
        question_set.drawn_seed_by_question_number == drawn_seed_by_question_number_of(plain_set)
    ) is is_drawn
    assert bool(question_set.drawn_seed_by_question_number) is is_drawn


def test_what_a_teacher_tries_is_the_first_attempt_of_nobody() -> None:
    question_set = attempt_seeds.fresh_question_set(COURSES, [], assignment_of(FIRST_EVENLY_DRAWN_VERSION))
    assert (question_set.enrolment_id, question_set.attempt_number) == (0, 1)


def assignment_of(version: int) -> AssignmentRow:
    return AssignmentRow(id=12, seed=7, version=version, secret="5e" * 32)
