"""Signs around the work of a student: each where it happened, and none just beside it."""

from datetime import timedelta
from typing import Any

import pytest

from app.records.assignments.values import NewPart
from app.records.db.errors import NotFound
from app.records.grading import mark_overrides
from app.records.grading.values import CellKey
from app.records.insight import work_signs
from app.records.insight.work_signs import SharedNumber, WorkSigns, WrittenAnswer
from app.records.learning import responding
from app.records.learning.values import Answer, AttemptKey
from tests.records.assigned import COLLEAGUE, COURSES, DCG, TANG, TEACHER, XU, Class
from tests.records.cast import NOW
from tests.records.grading.regraded import done as regrade
from tests.records.long_histories import counted
from tests.tables import each

NUMBERS = {"content:dcg#1": 1, "content:dcg#2": 2}
MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)


def written_answer(enrolment_id: int, **columns: Any) -> WrittenAnswer:
    row = WrittenAnswer(enrolment_id, f"同学{enrolment_id}", "content:dcg#1", "4.754", "wrong", None, 30, NOW)
    return row._replace(**columns)


@each(
    ("changes", "is_shared"),
    [
        ({}, True),
        ({"written_at": NOW - MINUTE}, True),
        ({"written_at": NOW + MINUTE + SECOND}, False),
        ({"question_ref": "content:dcg#2"}, False),
        ({"value": "4.755"}, False),
        ({"verdict": "right"}, False),
        ({"misconception_code": "natural_log"}, False),
        ({"is_marked_again": True}, False),
    ],
)
def test_the_same_wrong_number_in_the_same_minute(changes: dict[str, object], is_shared: bool) -> None:
    shared = work_signs.shared_numbers([written_answer(1), written_answer(2, **changes)], 1, NUMBERS)
    assert shared == ([SharedNumber(1, "4.754", "同学2")] if is_shared else [])


@each("value", ["4", "2.5", "475", "甲.乙丙", "", None])
def test_what_two_meet_by_chance_is_no_sign(value: str | None) -> None:
    both = [written_answer(1, value=value), written_answer(2, value=value)]
    assert work_signs.shared_numbers(both, 1, NUMBERS) == []
    assert work_signs.shared_numbers([written_answer(1), written_answer(1)], 1, NUMBERS) == [], (
        "nobody copies themselves"
    )


@each(("seconds", "is_hasty"), [(0, True), (2, True), (3, False), (None, False)])
def test_faster_than_reading(seconds: int | None, is_hasty: bool) -> None:
    hasty = work_signs.hasty_question_numbers_with_seconds(
        [written_answer(1, seconds=seconds), written_answer(2, seconds=1)], 1, NUMBERS
    )
    assert hasty == ([(1, seconds)] if is_hasty else [])


def test_an_item_that_was_solved_on_its_page_during_the_test(room: Class) -> None:
    tang, xu = room.join("小糖", "tang"), room.join("小序", "xu")
    assignment = room.assign(DCG, NewPart("item", "content:other"))
    course = COURSES["content"]

    def solve(item: str) -> None:
        attempt_key = AttemptKey(source="practice", ref=item, seed=1)
        room.desk.write(responding.respond, TANG, attempt_key, Answer(item, 1, ("4",), 9), course, room.now)

    solve("content:dcg")
    room.now += MINUTE
    room.begin(TANG, assignment)
    room.begin(XU, assignment)
    room.now += MINUTE

    def signs(enrolment_id: int) -> WorkSigns:
        arguments = (TEACHER, CellKey(room.classroom, assignment, enrolment_id), room.now)
        return room.desk.read(work_signs.load_cell_page, *arguments).work_signs

    assert signs(tang.id).sign_count == 0, "before it began"
    solve("content:other")
    solve("content:third")
    assert list(signs(tang.id).outside_question_numbers_with_times) == [(2, room.now)]
    assert signs(xu.id).sign_count == 0
    room.hand_in(TANG, assignment)
    room.now += MINUTE
    assert signs(tang.id).sign_count == 1
    with pytest.raises(NotFound):
        room.desk.read(
            work_signs.load_cell_page, COLLEAGUE, CellKey(room.classroom, assignment, tang.id), room.now
        )


def test_first_tries_alone_are_compared(room: Class) -> None:
    """A second number comes after what the tutor said."""
    room.join("小糖", "tang")
    assignment = room.assign(DCG, answers="at_once", tries=3)
    room.begin(TANG, assignment)
    for try_number, typed_number in ((1, "888"), (2, "777")):
        room.answer(TANG, assignment, 1, typed_number, attempt=try_number)
    answers = room.desk.read(
        lambda session: session.all(work_signs.ANSWERS_OF_ASSIGNMENT, assignment=assignment)
    )
    assert [answer.value for answer in answers] == ["888"]


def test_an_answer_that_was_marked_again_is_no_sign(room: Class) -> None:
    room.join("小糖", "tang")
    assignment = room.assign(DCG)
    room.begin(TANG, assignment)
    room.save(TANG, assignment, 1, "5")
    room.hand_in(TANG, assignment)

    def are_marked_again() -> list[bool]:
        written_answers = room.desk.read(
            lambda session: session.all(work_signs.ANSWERS_OF_ASSIGNMENT, assignment=assignment)
        )
        return [written_answer.is_marked_again for written_answer in written_answers]

    assert are_marked_again() == [False]
    regrade(room, assignment, "again")
    assert are_marked_again() == [True]


def test_answers_that_were_saved_count_when_they_were_written(room: Class) -> None:
    """And not when they were handed in, which a whole class does in one minute."""
    tang, _ = room.join("小糖", "tang"), room.join("小序", "xu")
    assignment = room.assign(DCG)
    for caller in (TANG, XU):
        room.begin(caller, assignment)
        room.save(caller, assignment, 1, "777")
        room.now += 2 * MINUTE
    room.hand_in(TANG, assignment)
    room.hand_in(XU, assignment)
    answers = room.desk.read(
        lambda session: session.all(work_signs.ANSWERS_OF_ASSIGNMENT, assignment=assignment)
    )
    assert [(answer.name, answer.written_at) for answer in answers] == [
        ("小糖", NOW),
        ("小序", NOW + 2 * MINUTE),
    ]
    assert answers[0].enrolment_id == tang.id


def test_the_page_of_a_cell_looks_its_assignment_up_once(room: Class) -> None:
    tang = room.join("小糖", "tang")
    cell_key = CellKey(room.classroom, room.assign(DCG), tang.id)
    room.begin(TANG, cell_key.assignment_id)
    with counted() as reads:
        room.desk.read(mark_overrides.load_cell, TEACHER, cell_key, room.now)
    statement_count = reads.statements
    with counted() as reads:
        room.desk.read(work_signs.load_cell_page, TEACHER, cell_key, room.now)
    assert reads.statements == statement_count + 3, "the comments, the answers, those elsewhere"
