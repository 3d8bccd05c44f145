"""重新评分 as it is read: how a response is judged since its item was corrected, and what counts for all.

A response stays as it was; a second mark lies over it. Of several the last one counts.
"""

import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal, NamedTuple, TypeVar

from sqlalchemy import and_, bindparam, or_, select, type_coerce

from app.course.assignments.question_sets import AssignedQuestion, QuestionSet, questions_of_parts
from app.course.items.marks import ItemGone, Mark
from app.records.assignments.rows import PART
from app.records.assignments.values import AttemptWork
from app.records.classes.class_log import AUDIT
from app.records.db.metadata import table
from app.records.db.portable import JsonText
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, columns_of
from app.records.grading import comments
from app.records.grading.marks import best_share_by_question_ref_of
from app.records.grading.tables import PartGrant, ReMark
from app.records.grading.values import CountedResponse
from app.records.learning import attempts
from app.records.learning.rows import ITEM_VERSION, RESPONSE
from app.records.learning.values import ResponseRow, Verdict

RE_MARK = table(ReMark).c
PART_GRANT = table(PartGrant).c
MarkedResponse = TypeVar("MarkedResponse", ResponseRow, CountedResponse)
MarkAuthor = Literal["program", "rubric", "hand"]
TICKS_OF_QUESTION_MARK = "{}"
"""What stands in the place of ticks where a teacher gave a single answer other points."""


class SecondMark(NamedTuple):
    """How a response is judged since an item was corrected, or since a teacher marked it: that to a question,
    by its `item_ref`, at a try. `ticks`: the lines of the rubric that the teacher ticked, as JSON; None of a
    重新评分.
    """

    response_id: int
    verdict: Verdict
    score: float
    misconception_code: str | None
    item_version_hash: str
    created_at: datetime
    ticks: str | None = None
    item_ref: str = ""
    try_number: int = 0

    @property
    def author(self) -> MarkAuthor:
        """Who judges by it: a `program` in a 重新评分, a teacher by the `rubric` or by `hand`."""
        if self.ticks is None:
            return "program"
        if self.ticks == TICKS_OF_QUESTION_MARK:
            return "hand"
        return "rubric"

    @property
    def ticked_line_indexes(self) -> tuple[int, ...]:
        """The indexes of the lines that the teacher ticked."""
        return tuple(json.loads(self.ticks or "[]"))


class GrantRow(NamedTuple):
    """全员给分 for a part: why, and since when; or that it was taken back."""

    part_id: int
    reason: str
    created_at: datetime
    granted: bool = True


MARKING_WAYS = ("again", "up")
"""The ways of 重新评分 that mark answers by the item of today; after `up` nobody has less than before."""
SecondMarksOfAttempt = Mapping[tuple[str, int], SecondMark]
"""Second marks by question and number of the try."""

IS_BY_PROGRAM = RE_MARK.ticks.is_(None)
IS_BY_RUBRIC = and_(RE_MARK.ticks.is_not(None), RE_MARK.ticks != TICKS_OF_QUESTION_MARK)
IS_BY_HAND = RE_MARK.ticks == TICKS_OF_QUESTION_MARK
"""The conditions that are `SecondMark.author` in a statement."""
IS_ABOUT_ITEM = or_(IS_BY_PROGRAM, IS_BY_RUBRIC)
"""The condition that a second mark is about the item, or the words of an answer: points that a teacher gave
one student say nothing of either."""
RE_MARKS = (
    select(
        RE_MARK.response_id,
        RE_MARK.verdict,
        RE_MARK.score,
        RE_MARK.misconception_code,
        RE_MARK.item_version_hash,
        RE_MARK.created_at,
        RE_MARK.ticks,
        RESPONSE.item_ref,
        RESPONSE.try_number,
    )
    .where(RE_MARK.response_id == RESPONSE.id)
    .order_by(RE_MARK.id)
)
"""Second marks as `SecondMark`, the last one last."""
RE_MARKS_OF_ATTEMPT = RowQuery(SecondMark, RE_MARKS.where(attempts.IS_RESPONSE_OF_ATTEMPT))


def second_mark_by_try_of_attempt(session: VerbSession, attempt_id: int) -> SecondMarksOfAttempt:
    """The second marks of an attempt, by question and try."""
    second_marks = session.all(RE_MARKS_OF_ATTEMPT, attempt=attempt_id)
    return {(second_mark.item_ref, second_mark.try_number): second_mark for second_mark in second_marks}


def responses_as_counted(
    responses_as_first_marked: Sequence[ResponseRow], second_mark_by_try: SecondMarksOfAttempt
) -> tuple[ResponseRow, ...]:
    """Responses as they count now: of two marks the second, with the item it was made by."""
    counted_responses = list(responses_as_first_marked)
    for response_index, response in enumerate(responses_as_first_marked):
        response_key = (response.item_ref, response.try_number)
        second_mark = second_mark_by_try.get(response_key)
        if second_mark is not None:
            counted_responses[response_index] = with_second_mark(response, second_mark)
    return tuple(counted_responses)


def with_second_mark(marked_response: MarkedResponse, second_mark: SecondMark) -> MarkedResponse:
    """A response as its second mark judges it, with the item that this was made by."""
    return with_mark(marked_response, second_mark)._replace(item_version_hash=second_mark.item_version_hash)


def with_mark(marked_response: MarkedResponse, mark: SecondMark | Mark) -> MarkedResponse:
    """A response as another mark judges it."""
    return marked_response._replace(
        verdict=mark.verdict, score=mark.score, misconception_code=mark.misconception_code
    )


def refs_and_scores_of_attempt(session: VerbSession, attempt_id: int) -> list[tuple[str, float]]:
    """Question and score of every try of an attempt, as they count now."""
    second_mark_by_try = second_mark_by_try_of_attempt(session, attempt_id)
    responses_as_first_marked = attempts.responses_of(session, attempt_id)
    counted_responses = responses_as_counted(responses_as_first_marked, second_mark_by_try)
    return [(response.item_ref, response.score) for response in counted_responses]


def is_marked_by_teacher(question_set: QuestionSet, assigned_question: AssignedQuestion) -> bool:
    """Whether a teacher marks the answers to a question."""
    try:
        return bool(question_set.rubric(assigned_question.ref))
    except ItemGone:
        return False


def new_share_by_question_ref_of(
    counted_responses: Sequence[ResponseRow],
    second_mark_by_try: SecondMarksOfAttempt,
    assigned_questions: Sequence[AssignedQuestion],
    granted_part_ids: Container[int],
) -> dict[str, float]:
    """What questions earn since a 重新评分, 0..1; those that had none are not in it. `counted_responses`: as
    they count now."""
    refs_and_scores = [(response.item_ref, response.score) for response in counted_responses]
    best_share_by_question_ref = best_share_by_question_ref_of(refs_and_scores)
    share_by_question_ref = {
        question_ref: best_share_by_question_ref[question_ref] for question_ref, _ in second_mark_by_try
    }
    for assigned_question in assigned_questions:
        if assigned_question.part_id in granted_part_ids:
            share_by_question_ref[assigned_question.ref] = 1.0
    return share_by_question_ref


BODIES_BY_ANSWER = select(ITEM_VERSION.hash, ITEM_VERSION.body).where(
    RE_MARK.item_version_hash == ITEM_VERSION.hash, RE_MARK.response_id == RESPONSE.id
)
CORRECTED_ITEMS = PreparedStatement(BODIES_BY_ANSWER.where(attempts.IS_RESPONSE_OF_ATTEMPT).distinct())


def corrected_body_json_by_version_hash_of_attempt(session: VerbSession, attempt_id: int) -> dict[str, str]:
    """The corrected items by which an attempt was marked anew, by version."""
    return dict(session.all(CORRECTED_ITEMS, attempt=attempt_id))


REGRADES_IN_LOG = PreparedStatement(
    select(type_coerce(AUDIT.detail, JsonText))
    .where(AUDIT.assignment_id == bindparam("assignment"), AUDIT.action == "regrade")
    .order_by(AUDIT.id)
)


def regrade_reason_by_question_ref(
    session: VerbSession,
    assignment_id: int,
    assigned_questions: Sequence[AssignedQuestion],
    grant_by_part_id: Mapping[int, GrantRow],
) -> dict[str, str]:
    """Why questions were marked anew, or count in full for everybody: the last reason of each."""
    question_ref_by_number = {
        assigned_question.number: assigned_question.ref for assigned_question in assigned_questions
    }
    reason_by_question_ref = dict[str, str]()
    regrade_rows = session.all(REGRADES_IN_LOG, assignment=assignment_id)
    for (log_detail,) in regrade_rows:
        if log_detail.get("way") not in MARKING_WAYS:  # a line that was emptied says nothing
            continue
        for question_number in log_detail["questions"]:
            if question_number in question_ref_by_number:
                reason_by_question_ref[question_ref_by_number[question_number]] = log_detail["reason"]
    for assigned_question in assigned_questions:
        if assigned_question.part_id in grant_by_part_id:
            reason_by_question_ref[assigned_question.ref] = grant_by_part_id[assigned_question.part_id].reason
    return reason_by_question_ref


QUESTION_MARKS_IN_LOG = PreparedStatement(
    select(type_coerce(AUDIT.detail, JsonText))
    .where(
        AUDIT.assignment_id == bindparam("assignment"),
        AUDIT.enrolment_id == bindparam("enrolment"),
        AUDIT.action == "question-mark",
    )
    .order_by(AUDIT.id)
)


def question_mark_reason_by_number(
    session: VerbSession, assignment_id: int, enrolment_id: int, attempt_number: int
) -> dict[int, str]:
    """Why a teacher gave questions of an attempt other points, by number: the last reason of each."""
    reason_by_question_number = {}
    cell_parameters = {"assignment": assignment_id, "enrolment": enrolment_id}
    for (log_detail,) in session.all(QUESTION_MARKS_IN_LOG, **cell_parameters):
        if log_detail.get("attempt") == attempt_number:
            reason_by_question_number[log_detail["question"]] = log_detail["reason"]
    return reason_by_question_number


GRANTS_QUERY = (
    select(*columns_of(PartGrant, GrantRow)).where(PART_GRANT.part_id == PART.id).order_by(PART_GRANT.id)
)
GRANTS_OF_ASSIGNMENT = RowQuery(GrantRow, GRANTS_QUERY.where(PART.assignment_id == bindparam("assignment")))


def standing_grant_by_part_id(session: VerbSession, assignment_id: int) -> dict[int, GrantRow]:
    """The parts that count in full for everybody, as things stand: what was said last of each."""
    grant_rows = session.all(GRANTS_OF_ASSIGNMENT, assignment=assignment_id)
    last_grant_by_part_id = {grant_row.part_id: grant_row for grant_row in grant_rows}
    return {part_id: grant_row for part_id, grant_row in last_grant_by_part_id.items() if grant_row.granted}


def with_regraded_marks(session: VerbSession, attempt_work: AttemptWork) -> AttemptWork:
    """After a 重新评分 the second mark counts, and the corrected item is shown, with the reason; what the
    teacher wrote stands beside it."""
    attempt_id = attempt_work.attempt.attempt_id
    assignment_id = attempt_work.student_assignment.assignment.id
    second_mark_by_try = second_mark_by_try_of_attempt(session, attempt_id)
    counted_responses = responses_as_counted(attempt_work.responses, second_mark_by_try)
    corrected_body_json_by_version_hash = corrected_body_json_by_version_hash_of_attempt(session, attempt_id)
    grant_by_part_id = standing_grant_by_part_id(session, assignment_id)
    asked_questions = questions_of_parts(attempt_work.student_assignment.parts)
    share_by_question_ref = new_share_by_question_ref_of(
        counted_responses, second_mark_by_try, asked_questions, grant_by_part_id
    )
    reason_by_question_ref = regrade_reason_by_question_ref(
        session, assignment_id, asked_questions, grant_by_part_id
    )
    hand_marked_refs = set()
    ticks_by_question_ref = {}
    for second_mark in second_mark_by_try.values():
        if second_mark.author == "hand":
            hand_marked_refs.add(second_mark.item_ref)
        elif second_mark.author == "rubric":
            ticks_by_question_ref[second_mark.item_ref] = second_mark.ticked_line_indexes
    if hand_marked_refs:
        reason_by_question_number = question_mark_reason_by_number(
            session,
            assignment_id,
            attempt_work.student_assignment.enrolment_id,
            attempt_work.attempt.number,
        )
        for assigned_question in asked_questions:
            reason = reason_by_question_number.get(assigned_question.number)
            if reason and assigned_question.ref in hand_marked_refs:
                reason_by_question_ref[assigned_question.ref] = reason
    comment_by_place = comments.comment_by_place_of(
        session, assignment_id, attempt_work.student_assignment.enrolment_id
    )
    student_assignment = attempt_work.student_assignment._replace(
        comment=comment_by_place.get(comments.WHOLE_WORK_PLACE, "")
    )
    return replace(
        attempt_work,
        student_assignment=student_assignment,
        responses=counted_responses,
        body_json_by_version_hash={
            **attempt_work.body_json_by_version_hash,
            **corrected_body_json_by_version_hash,
        },
        new_share_by_question_ref=share_by_question_ref,
        former_share_by_question_ref={
            question_ref: attempt_work.earned_share(question_ref) for question_ref in share_by_question_ref
        },
        ticks_by_question_ref=ticks_by_question_ref,
        hand_marked_refs=hand_marked_refs,
        granted_refs={question.ref for question in asked_questions if question.part_id in grant_by_part_id},
        reason_by_question_ref=reason_by_question_ref,
        comment_by_place=comment_by_place,
    )
