"""What a student did in an assignment: an attempt with its answers, and what was done outside of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from app.course.assignments.question_sets import MarkingCourseByPrefix
from app.records.accounts.values import Caller
from app.records.assignments import outside_work
from app.records.assignments.deadlines import ends_at
from app.records.assignments.rows import IS_ANSWER, SAVED_ANSWER, UNSENT_PREFIX
from app.records.assignments.values import AssignmentAttempt, AttemptWork, SavedRow, StudentAssignment
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, columns_of
from app.records.grading import comments, regraded_marks
from app.records.grading.student_assignments import load_own_assignment
from app.records.learning import attempts, item_logs
from app.records.learning.rows import ATTEMPT
from app.records.learning.tables import Attempt
from app.records.learning.values import AttemptRow, ItemLog


class AssignmentWork(NamedTuple):
    """An assignment as a student has it, the attempt that is open, and how much is done outside: of the parts
    that make no questions, 0..1 by part."""

    student_assignment: StudentAssignment
    attempt_work: AttemptWork | None
    outside_share_by_part: Mapping[int, float]


def load_assignment_work(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
) -> AssignmentWork:
    """What a student sees of an assignment. NotFound where it is none of theirs."""
    student_assignment = load_own_assignment(session, caller, assignment_id)
    comment_by_place = comments.comment_by_place_of(session, assignment_id, student_assignment.enrolment_id)
    comment = comment_by_place.get(comments.WHOLE_WORK_PLACE, "")
    student_assignment = student_assignment._replace(comment=comment)
    outside_share_by_part = load_outside_share_by_part(session, student_assignment, course_by_prefix, now)
    open_work = None
    if student_assignment.open_attempt is not None:
        open_work = attempt_work(session, student_assignment, student_assignment.open_attempt)
    return AssignmentWork(student_assignment, open_work, outside_share_by_part)


def load_outside_share_by_part(
    session: VerbSession,
    student_assignment: StudentAssignment,
    course_by_prefix: MarkingCourseByPrefix,
    counts_until: datetime,
) -> dict[int, float]:
    """How much was done outside of the questions from the opening until then, and before time was up for this
    student; 0..1 by part."""
    assignment = student_assignment.assignment
    counts_since = assignment.opens_at or assignment.published_at or assignment.created_at
    due_at = ends_at(assignment, student_assignment.extension)
    last_moment = min(counts_until, due_at)
    return outside_work.load_outside_share_by_part(
        session,
        student_assignment.learner_id,
        student_assignment.parts,
        course_by_prefix,
        counts_since,
        last_moment,
        assignment.checks_outside_work,
    )


def load_attempt(
    session: VerbSession, caller: Caller, assignment_id: int, attempt_number: int | None = None
) -> AttemptWork | None:
    """An attempt at an assignment: that of a number, else the open one, else the last one; None before the
    first. NotFound for a number that there is not."""
    student_assignment = load_own_assignment(session, caller, assignment_id)
    if attempt_number:
        attempt = student_assignment.attempt_with_number(attempt_number)
        if attempt is None:
            raise NotFound(f"没有第{attempt_number}遍。")
        return attempt_work(session, student_assignment, attempt)
    if not student_assignment.attempts:
        return None
    attempt = student_assignment.open_attempt or student_assignment.attempts[-1]
    return attempt_work(session, student_assignment, attempt)


ATTEMPT_BY_ID = RowQuery(
    AttemptRow, select(*columns_of(Attempt, AttemptRow)).where(ATTEMPT.id == bindparam("attempt"))
)


STORED_ANSWERS = (
    select(SAVED_ANSWER.item, SAVED_ANSWER.raw, SAVED_ANSWER.seconds, SAVED_ANSWER.saved_at)
    .where(SAVED_ANSWER.attempt_id == bindparam("attempt"))
    .order_by(SAVED_ANSWER.id)
)
SAVED_ANSWERS = PreparedStatement(STORED_ANSWERS.where(IS_ANSWER))
UNSENT_ANSWERS = PreparedStatement(STORED_ANSWERS.where(~IS_ANSWER))


def attempt_work(
    session: VerbSession, student_assignment: StudentAssignment, attempt: AssignmentAttempt
) -> AttemptWork:
    """An attempt with everything that was done in it; once it is handed in, as it counts now."""
    attempt_id = attempt.attempt_id
    [attempt_row] = session.all(ATTEMPT_BY_ID, attempt=attempt_id)
    saved_answer_by_question = load_saved_answer_by_question(session, attempt_id)
    responses = attempts.responses_of(session, attempt_id)
    hint_count_by_question = attempts.hint_count_by_item_of(session, attempt_id)
    body_by_version: dict[str, str] = dict(session.all(attempts.BODIES_OF_ATTEMPT, attempt=attempt_id))
    loaded_work = AttemptWork(
        student_assignment,
        attempt,
        saved_answer_by_question,
        responses,
        hint_count_by_question,
        body_by_version,
        attempt_row.shown_from,
    )
    if attempt.handed_in_at is None and student_assignment.assignment.answers == "at_once":
        unsent_answers = stored_answer_by_question(session, UNSENT_ANSWERS, attempt_id)
        return replace(loaded_work, unsent_answer_by_question=unsent_answers)
    if attempt.handed_in_at is None:
        return loaded_work
    return regraded_marks.with_regraded_marks(session, loaded_work)


def load_saved_answer_by_question(session: VerbSession, attempt_id: int) -> dict[str, SavedRow]:
    """What stands in the questions of an attempt, by question."""
    return stored_answer_by_question(session, SAVED_ANSWERS, attempt_id)


def stored_answer_by_question(
    session: VerbSession, statement: PreparedStatement, attempt_id: int
) -> dict[str, SavedRow]:
    """The rows of one of the two statements above, by question."""
    answer_by_question = {}
    for stored_ref, raw_json, seconds, saved_at in session.all(statement, attempt=attempt_id):
        question_ref = stored_ref.removeprefix(UNSENT_PREFIX)
        answer_texts = attempts.answer_texts(raw_json)
        answer_by_question[question_ref] = SavedRow(question_ref, answer_texts, seconds, saved_at)
    return answer_by_question


def question_log(
    session: VerbSession,
    attempt_id: int,
    question_ref: str,
    learner_id: int | None,
    other_refs: Sequence[str] = (),
) -> ItemLog:
    """What happened to a question of an attempt so far, with what happened to others."""
    [attempt] = session.all(ATTEMPT_BY_ID, attempt=attempt_id)
    other_question_refs = tuple(other_refs)
    return item_logs.log_in_attempt(session, learner_id, attempt, question_ref, other_question_refs)
