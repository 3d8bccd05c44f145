"""An attempt at an assignment with what was done in it: saved answers, responses, hints."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, select

from app.course.assignments.question_sets import QuestionSet, questions
from app.records.accounts.values import Caller
from app.records.assignments import lookup
from app.records.assignments.rows import ASSIGNMENT, SAVED, SUBMISSION
from app.records.assignments.values import AttemptWork, SavedRow, StudentAssignment, SubmissionRow
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, RowQuery, VerbSession, columns_of
from app.records.grading import regraded_marks
from app.records.grading.student_assignments import Courses, given, shares_of
from app.records.learning import attempts
from app.records.learning.tables import Attempt
from app.records.learning.values import AttemptRow, ItemLog

ATTEMPT = table(Attempt).c


def with_shares(
    session: VerbSession, caller: Caller, assignment_id: int, courses: Courses, now: datetime
) -> tuple[StudentAssignment, AttemptWork | None, dict[int, float]]:
    """An assignment, the attempt that is open, and how much is done of the parts that make no questions."""
    task = given(session, caller, assignment_id)
    shares = shares_of(session, task, courses, now)
    if task.begun is None:
        return task, None, shares
    return task, work_of(session, task, task.begun), shares


def load_attempt(
    session: VerbSession, caller: Caller, assignment_id: int, number: int | None = None
) -> StudentAssignment | AttemptWork:
    """An assignment with an attempt at it: that of a number, else the open one, else the last one."""
    task = given(session, caller, assignment_id)
    if number:
        attempt = task.submission(number)
        if attempt is None:
            raise NotFound(f"没有第{number}遍。")
        return work_of(session, task, attempt)
    if not task.submissions:
        return task
    return work_of(session, task, task.begun or task.submissions[-1])


SHOWN_FROM = Prepared(select(ATTEMPT.shown_from).where(ATTEMPT.id == bindparam("attempt")))


def work_of(session: VerbSession, task: StudentAssignment, attempt: SubmissionRow) -> AttemptWork:
    """An attempt with everything that was done in it; once it is handed in, as it counts now."""
    attempt_id = attempt.attempt_id
    [(shown_from,)] = session.all(SHOWN_FROM, attempt=attempt_id)
    work = AttemptWork(
        task,
        attempt,
        saved=saved_in(session, attempt_id),
        responses=attempts.responses_of(session, attempt_id),
        hints=attempts.hints_of(session, attempt_id),
        versions=dict(session.all(attempts.VERSIONS, attempt=attempt_id)),
        shown_from=shown_from,
    )
    if attempt.handed_in_at is None:
        return work
    return regraded(session, work)


def regraded(session: VerbSession, work: AttemptWork) -> AttemptWork:
    """After a 重新评分 the second mark counts, and the corrected item is shown, with the reason."""
    attempt_id = work.submission.attempt_id
    assignment_id = work.given.assignment.id
    regraded_responses = regraded_marks.judged_in(session, attempt_id)
    responses = regraded_marks.as_counted(work.responses, regraded_responses)
    grants = regraded_marks.grants_of(session, assignment_id)
    asked_questions = questions(work.given.parts)
    return replace(
        work,
        responses=responses,
        versions={**work.versions, **regraded_marks.versions_in(session, attempt_id)},
        again=regraded_marks.new_shares(responses, regraded_responses, asked_questions, grants),
        why=regraded_marks.reasons_of(session, assignment_id, asked_questions, grants),
    )


SAVED_ANSWERS = Prepared(
    select(SAVED.item, SAVED.raw, SAVED.seconds, SAVED.saved_at)
    .where(SAVED.attempt_id == bindparam("attempt"))
    .order_by(SAVED.id)
)


def saved_in(session: VerbSession, attempt_id: int) -> dict[str, SavedRow]:
    """What stands in the questions of an attempt, by question."""
    answers = {}
    for item, raw, seconds, saved_at in session.all(SAVED_ANSWERS, attempt=attempt_id):
        answers[item] = SavedRow(item, attempts.typed(raw), seconds, saved_at)
    return answers


def attempt_of(task: StudentAssignment, number: int) -> SubmissionRow:
    attempt = task.submission(number)
    if attempt is None:
        raise NotFound("这一遍还没有开始。")
    return attempt


def paper_of(task: StudentAssignment, attempt: SubmissionRow, courses: Courses) -> QuestionSet:
    """The questions of an attempt, as this student has them."""
    return QuestionSet(courses, task.parts, task.assignment.seed, task.enrolment_id, attempt.number)


ATTEMPT_BY_ID = RowQuery(
    AttemptRow, select(*columns_of(Attempt, AttemptRow)).where(ATTEMPT.id == bindparam("attempt"))
)


def log_in(
    session: VerbSession,
    attempt_id: int,
    ref: str,
    learner_id: int | None = None,
    other_refs: Sequence[str] = (),
) -> ItemLog:
    """What happened to a question of an attempt so far, with what happened to others."""
    [attempt] = session.all(ATTEMPT_BY_ID, attempt=attempt_id)
    return attempts.log_of(session, "", learner_id, attempt, ref, tuple(other_refs))


SEED_OF_ATTEMPT = Prepared(
    select(ASSIGNMENT.seed, ASSIGNMENT.id, SUBMISSION.enrolment_id, SUBMISSION.number).where(
        SUBMISSION.attempt_id == bindparam("attempt"), ASSIGNMENT.id == SUBMISSION.assignment_id
    )
)


def seed_of(session: VerbSession, attempt_id: int, ref: str) -> int | None:
    """The seed of a question in an attempt, for those who have only the log; None for one that is gone."""
    row = session.first(SEED_OF_ATTEMPT, attempt=attempt_id)
    if row is None:
        return None
    seed, assignment_id, enrolment_id, number = row
    parts = lookup.parts_of(session, assignment_id)
    return QuestionSet({}, parts, seed, enrolment_id, number).seeds.get(ref, int(seed))
