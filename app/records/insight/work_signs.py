"""Signs for a teacher around the work of a student: what happened, from which nothing follows by itself.

The program judges nobody: each sign stands with what else may have led to it, and changes no mark.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import and_, bindparam, func, select

from app.course.assignments.question_sets import questions_of_parts
from app.records.accounts.values import Caller
from app.records.assignments.rows import SAVED_ANSWER, SUBMISSION
from app.records.assignments.tables import SavedAnswer, Submission
from app.records.assignments.values import PartRow
from app.records.classes.classrooms import ENROLMENT
from app.records.classes.tables import Enrolment
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import RowQuery
from app.records.grading import comments, mark_overrides
from app.records.grading.comments import CommentByPlace
from app.records.grading.mark_overrides import CellData
from app.records.grading.student_assignments import ASSIGNMENT_ID, ENROLMENT_ID
from app.records.grading.values import CellKey
from app.records.insight.misconceptions import IS_RE_MARKED
from app.records.learning.rows import ATTEMPT, RESPONSE
from app.records.learning.tables import Response

MOST_TIME_APART = timedelta(minutes=1)
SHORTEST_READING_SECONDS = 3
"""Nobody reads a question in less."""
TELLING_NUMBER_PATTERN = re.compile(r"-?(?=(?:\D*\d){3})\d+\.\d+")
"""A number that two students hardly meet by chance: three digits, with a decimal point."""


class WrittenAnswer(NamedTuple):
    """A first try at a question of an assignment, by whom, and when it was written."""

    enrolment_id: int
    name: str
    question_ref: str
    value: str | None
    verdict: str
    misconception_code: str | None
    seconds: int | None
    written_at: datetime
    is_marked_again: bool = False


class OutsideAnswer(NamedTuple):
    """An answer to an item on another page."""

    item_ref: str
    answered_at: datetime


class SharedNumber(NamedTuple):
    """The same wrong number at the same question, within a minute of each other."""

    question_number: int
    answer_value: str
    other_student_name: str


class WorkSigns(NamedTuple):
    """What stands out around the work of a student. Hasty: with the seconds that were spent; outside: with
    the time of the answer."""

    shared_numbers: Sequence[SharedNumber]
    hasty_question_numbers_with_seconds: Sequence[tuple[int, int]]
    outside_question_numbers_with_times: Sequence[tuple[int, datetime]]

    @property
    def sign_count(self) -> int:
        return (
            len(self.shared_numbers)
            + len(self.hasty_question_numbers_with_seconds)
            + len(self.outside_question_numbers_with_times)
        )


TIME_TYPE = RESPONSE.created_at.type
IS_ASSIGNMENT = SUBMISSION.assignment_id == ASSIGNMENT_ID
ANSWERS_WITH_SAVED = (
    table(Submission)
    .join(table(Enrolment), ENROLMENT.id == SUBMISSION.enrolment_id)
    .join(table(Response), RESPONSE.attempt_id == SUBMISSION.attempt_id)
    .outerjoin(
        table(SavedAnswer),
        and_(SAVED_ANSWER.attempt_id == RESPONSE.attempt_id, SAVED_ANSWER.question_ref == RESPONSE.item_ref),
    )
)
ANSWERS_OF_ASSIGNMENT = RowQuery(
    WrittenAnswer,
    select(
        SUBMISSION.enrolment_id,
        ENROLMENT.name,
        RESPONSE.item_ref.label("question_ref"),
        RESPONSE.value,
        RESPONSE.verdict,
        RESPONSE.misconception_code,
        RESPONSE.seconds,
        func.coalesce(SAVED_ANSWER.saved_at, RESPONSE.created_at, type_=TIME_TYPE).label("written_at"),
        IS_RE_MARKED.label("is_marked_again"),
    )
    .select_from(ANSWERS_WITH_SAVED)
    .where(IS_ASSIGNMENT, RESPONSE.try_number == 1)
    .order_by(RESPONSE.id),
)
ENDED_AT = func.coalesce(SUBMISSION.handed_in_at, bindparam("now", type_=TIME_TYPE))
ANSWERS_OUTSIDE = RowQuery(
    OutsideAnswer,
    select(RESPONSE.item_ref, func.min(RESPONSE.created_at, type_=TIME_TYPE).label("answered_at"))
    .where(
        IS_ASSIGNMENT,
        SUBMISSION.enrolment_id == ENROLMENT_ID,
        ENROLMENT.id == ENROLMENT_ID,
        ATTEMPT.learner_id == ENROLMENT.learner_id,
        ATTEMPT.source != "assignment",
        RESPONSE.attempt_id == ATTEMPT.id,
        RESPONSE.created_at.between(SUBMISSION.started_at, ENDED_AT),
    )
    .group_by(RESPONSE.item_ref),
)


class CellPage(NamedTuple):
    """The page of a cell, for those who teach the class: the work, what stands out around it, and what was
    written to the student."""

    cell_data: CellData
    work_signs: WorkSigns
    comment_by_place: CommentByPlace


def load_cell_page(session: VerbSession, caller: Caller, cell_key: CellKey, now: datetime) -> CellPage:
    """All that the page shows; its class and its assignment are looked up once."""
    cell_data = mark_overrides.load_cell(session, caller, cell_key, now)
    comment_by_place = comments.comment_by_place_of(session, cell_key.assignment_id, cell_key.enrolment_id)
    return CellPage(cell_data, work_signs_of(session, cell_key, cell_data.parts, now), comment_by_place)


def work_signs_of(
    session: VerbSession, cell_key: CellKey, parts: Sequence[PartRow], now: datetime
) -> WorkSigns:
    """What stands out around the work of a student at an assignment with these parts."""
    assignment_id, enrolment_id = cell_key.assignment_id, cell_key.enrolment_id
    number_by_question_ref: dict[str, int] = {}
    number_by_item_ref: dict[str, int] = {}
    for assigned_question in questions_of_parts(parts):
        number_by_question_ref[assigned_question.ref] = assigned_question.number
        number_by_item_ref.setdefault(assigned_question.item_ref, assigned_question.number)
    written_answers = session.all(ANSWERS_OF_ASSIGNMENT, assignment=assignment_id)
    cell_parameters = {"assignment": assignment_id, "enrolment": enrolment_id}
    outside_question_numbers_with_times = []
    for outside_answer in session.all(ANSWERS_OUTSIDE, **cell_parameters, now=now):
        if outside_answer.item_ref in number_by_item_ref:
            question_number = number_by_item_ref[outside_answer.item_ref]
            outside_question_numbers_with_times.append((question_number, outside_answer.answered_at))
    return WorkSigns(
        shared_numbers=shared_numbers(written_answers, enrolment_id, number_by_question_ref),
        hasty_question_numbers_with_seconds=hasty_question_numbers_with_seconds(
            written_answers, enrolment_id, number_by_question_ref
        ),
        outside_question_numbers_with_times=outside_question_numbers_with_times,
    )


def shared_numbers(
    written_answers: Sequence[WrittenAnswer], enrolment_id: int, number_by_question_ref: Mapping[str, int]
) -> list[SharedNumber]:
    """Wrong numbers that no known mistake explains, written by two at one question in the same minute."""
    answers_to_questions = [
        written_answer
        for written_answer in written_answers
        if written_answer.question_ref in number_by_question_ref
    ]
    telling_answers = [
        written_answer for written_answer in answers_to_questions if is_telling_answer(written_answer)
    ]
    answers_of_student = [
        written_answer for written_answer in telling_answers if written_answer.enrolment_id == enrolment_id
    ]
    answers_of_others = [
        written_answer for written_answer in telling_answers if written_answer.enrolment_id != enrolment_id
    ]
    shared_wrong_numbers = []
    for answer_of_student in answers_of_student:
        for answer_of_other in answers_of_others:
            if is_same_answer_in_same_minute(answer_of_student, answer_of_other):
                question_number = number_by_question_ref[answer_of_other.question_ref]
                shared_wrong_numbers.append(
                    SharedNumber(question_number, answer_of_other.value or "", answer_of_other.name)
                )
    return shared_wrong_numbers


def is_same_answer_in_same_minute(first_answer: WrittenAnswer, second_answer: WrittenAnswer) -> bool:
    """Whether two wrote the same to the same question in the same minute."""
    if second_answer.question_ref != first_answer.question_ref or second_answer.value != first_answer.value:
        return False
    return abs(second_answer.written_at - first_answer.written_at) <= MOST_TIME_APART


def is_telling_answer(written_answer: WrittenAnswer) -> bool:
    if written_answer.verdict != "wrong" or written_answer.misconception_code:
        return False
    if written_answer.is_marked_again:  # what the faulty item called wrong may be right
        return False
    if not written_answer.value:
        return False
    return TELLING_NUMBER_PATTERN.fullmatch(written_answer.value) is not None


def hasty_question_numbers_with_seconds(
    written_answers: Sequence[WrittenAnswer], enrolment_id: int, number_by_question_ref: Mapping[str, int]
) -> list[tuple[int, int]]:
    """Questions by number, with the seconds that were spent on them, where nobody could have read them."""
    question_numbers_with_seconds = []
    for written_answer in written_answers:
        if (
            written_answer.enrolment_id != enrolment_id
            or written_answer.question_ref not in number_by_question_ref
        ):
            continue
        if written_answer.seconds is not None and written_answer.seconds < SHORTEST_READING_SECONDS:
            question_number = number_by_question_ref[written_answer.question_ref]
            question_numbers_with_seconds.append((question_number, written_answer.seconds))
    return question_numbers_with_seconds
