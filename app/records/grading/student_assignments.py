"""Assignments as their student has them, reached by their own enrolment, and what they did in them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, or_, select

from app.course.assignments.question_sets import MarkingCourse, QuestionSet, questions
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.assignments import lookup, outside_work
from app.records.assignments.deadlines import ends_at, schedule
from app.records.assignments.rows import (
    ASSIGNEE,
    ASSIGNMENT,
    ASSIGNMENTS,
    EXTENSION,
    EXTENSIONS,
    OVERRIDE,
    SAVED,
    SUBMISSION,
    SUBMISSIONS,
)
from app.records.assignments.values import (
    AssignmentRow,
    AttemptWork,
    ExtensionRow,
    SavedRow,
    StudentAssignment,
    SubmissionRow,
)
from app.records.classes.classrooms import CALLER_ID
from app.records.classes.tables import Classroom, Enrolment
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, Row, RowQuery, VerbSession, columns_of
from app.records.grading import regraded_marks
from app.records.learning import attempts, item_lookup
from app.records.learning.tables import Attempt
from app.records.learning.values import AttemptRow, ItemLog

Courses = Mapping[str, MarkingCourse]
"""Prefix to course: `{"content": course}`."""

CLASSROOM, ENROLMENT, ATTEMPT = table(Classroom).c, table(Enrolment).c, table(Attempt).c

IS_ASSIGNEE = (
    select(ASSIGNEE.id)
    .where(ASSIGNEE.assignment_id == ASSIGNMENT.id, ASSIGNEE.enrolment_id == ENROLMENT.id)
    .exists()
)
IS_LIVE = and_(
    CLASSROOM.archived_at.is_(None),
    ENROLMENT.classroom_id == ASSIGNMENT.classroom_id,
    ENROLMENT.removed_at.is_(None),
    or_(ASSIGNMENT.everyone, IS_ASSIGNEE),
)
WITH_WORK = select(SUBMISSION.assignment_id).where(SUBMISSION.enrolment_id == ENROLMENT.id)
STUDENT_COLUMNS = (CLASSROOM.name, ENROLMENT.id, ENROLMENT.learner_id, ENROLMENT.joined_at, IS_LIVE)
PUBLISHED_IN_CLASS = and_(ASSIGNMENT.published_at.is_not(None), CLASSROOM.id == ASSIGNMENT.classroom_id)
IS_THEIRS = and_(ENROLMENT.learner_id == CALLER_ID, or_(IS_LIVE, ASSIGNMENT.id.in_(WITH_WORK)))
STUDENT_ASSIGNMENTS = ASSIGNMENTS.add_columns(*STUDENT_COLUMNS).where(PUBLISHED_IN_CLASS, IS_THEIRS)


def without_work(row: Row) -> StudentAssignment:
    """An assignment without what was done in it, from a row of `STUDENT_ASSIGNMENTS`."""
    *columns, classroom, enrolment_id, learner_id, joined_at, live = row
    assignment = AssignmentRow(*columns)
    return StudentAssignment(assignment, classroom, enrolment_id, learner_id, joined_at, live=bool(live))


class OverrideRow(NamedTuple):
    """A mark that was set by hand, or taken back (`points` None)."""

    points: float | None
    reason: str
    created_at: datetime


ASSIGNMENT_ID: Any = bindparam("assignment")
ENROLMENT_ID: Any = bindparam("enrolment")
ASSIGNMENT_OF_STUDENT = Prepared(
    STUDENT_ASSIGNMENTS.where(ASSIGNMENT.id == ASSIGNMENT_ID).order_by(IS_LIVE.desc())
)
ATTEMPTS_OF_CELL = RowQuery(
    SubmissionRow,
    SUBMISSIONS.where(SUBMISSION.assignment_id == ASSIGNMENT_ID, SUBMISSION.enrolment_id == ENROLMENT_ID),
)
EXTENSIONS_OF_CELL = RowQuery(
    ExtensionRow,
    EXTENSIONS.where(EXTENSION.assignment_id == ASSIGNMENT_ID, EXTENSION.enrolment_id == ENROLMENT_ID),
)
OVERRIDES_OF_CELL = RowQuery(
    OverrideRow,
    select(OVERRIDE.points, OVERRIDE.reason, OVERRIDE.created_at)
    .where(OVERRIDE.assignment_id == ASSIGNMENT_ID, OVERRIDE.enrolment_id == ENROLMENT_ID)
    .order_by(OVERRIDE.id),
)


class CellRecords(NamedTuple):
    """What is recorded of a student at an assignment, oldest first."""

    submissions: Sequence[SubmissionRow]
    extensions: Sequence[ExtensionRow]
    overrides: Sequence[OverrideRow]

    @property
    def extension(self) -> ExtensionRow | None:
        """The one that holds."""
        if self.extensions:
            return self.extensions[-1]
        return None

    @property
    def override(self) -> OverrideRow | None:
        """The last one."""
        if self.overrides:
            return self.overrides[-1]
        return None

    @property
    def by_hand(self) -> float | None:
        """The mark that the teacher set, where one stands."""
        if self.override:
            return self.override.points
        return None


def records_of(session: VerbSession, assignment_id: int, enrolment_id: int) -> CellRecords:
    cell = {"assignment": assignment_id, "enrolment": enrolment_id}
    return CellRecords(
        session.all(ATTEMPTS_OF_CELL, **cell),
        session.all(EXTENSIONS_OF_CELL, **cell),
        session.all(OVERRIDES_OF_CELL, **cell),
    )


def load_own(session: VerbSession, caller: Caller, assignment_id: int) -> StudentAssignment:
    """An assignment of a class one is in, or that one has worked at; NotFound to everybody else, and before
    it is published."""
    token_hash = learners.caller_hash(caller)
    row = session.first(ASSIGNMENT_OF_STUDENT, assignment=assignment_id, hash=token_hash)
    if row is None:
        raise NotFound("没有这份作业，或者它不是布置给你的。")
    student_task = without_work(row)
    records = records_of(session, assignment_id, student_task.enrolment_id)
    return replace(
        student_task,
        extension=records.extension,
        parts=lookup.parts_of(session, assignment_id),
        submissions=tuple(records.submissions),
        by_hand=records.by_hand,
    )


ASSIGNMENTS_OF_LEARNER = Prepared(STUDENT_ASSIGNMENTS.order_by(ASSIGNMENT.id.desc(), IS_LIVE))
ENROLMENTS_OF_LEARNER = select(ENROLMENT.id).where(ENROLMENT.learner_id == bindparam("learner"))
EXTENSIONS_OF_LEARNER = RowQuery(
    ExtensionRow, EXTENSIONS.where(EXTENSION.enrolment_id.in_(ENROLMENTS_OF_LEARNER))
)
ATTEMPTS_OF_LEARNER = RowQuery(
    SubmissionRow, SUBMISSIONS.where(SUBMISSION.enrolment_id.in_(ENROLMENTS_OF_LEARNER))
)
OVERRIDES_OF_LEARNER = Prepared(
    select(OVERRIDE.assignment_id, OVERRIDE.points)
    .where(OVERRIDE.enrolment_id.in_(ENROLMENTS_OF_LEARNER))
    .order_by(OVERRIDE.id)
)


def load_all_own(session: VerbSession, caller: Caller) -> tuple[StudentAssignment, ...]:
    """Every assignment of the caller, without their parts: four queries. What was over before they came is
    not theirs."""
    rows = session.all(ASSIGNMENTS_OF_LEARNER, hash=learners.caller_hash(caller))
    # Of two enrolments at one assignment the live one comes last, and counts.
    live_last = {student_task.assignment.id: student_task for student_task in map(without_work, rows)}
    if not live_last:
        return ()
    student_tasks = with_records(session, list(live_last.values()))
    return tuple(own for own in student_tasks if own.submissions or not came_after(own))


def with_records(session: VerbSession, student_tasks: Sequence[StudentAssignment]) -> list[StudentAssignment]:
    """Assignments of one learner with extensions, attempts and marks set by hand."""
    learner = {"learner": student_tasks[0].learner_id}
    overrides: dict[int, float | None] = dict(session.all(OVERRIDES_OF_LEARNER, **learner))
    rows = session.all(EXTENSIONS_OF_LEARNER, **learner)
    extensions = {(row.assignment_id, row.enrolment_id): row for row in rows}
    submissions = defaultdict[tuple[int, int], list[SubmissionRow]](list)
    for attempt in session.all(ATTEMPTS_OF_LEARNER, **learner):
        submissions[attempt.assignment_id, attempt.enrolment_id].append(attempt)
    complete = []
    for student_task in student_tasks:
        cell = (student_task.assignment.id, student_task.enrolment_id)
        by_hand = overrides.get(student_task.assignment.id)
        with_work = replace(student_task, submissions=tuple(submissions[cell]), by_hand=by_hand)
        complete.append(replace(with_work, extension=extensions.get(cell)))
    return complete


def came_after(student_task: StudentAssignment) -> bool:
    """Whether it was over before this student came into the class."""
    joined_at = student_task.joined_at
    return schedule(student_task.assignment, student_task.extension, joined_at).was_over(joined_at)


def overview(session: VerbSession, caller: Caller) -> tuple[bool, tuple[StudentAssignment, ...]]:
    """Whether the caller is a learner, and their assignments."""
    return learners.load_visitor(session, caller) is not None, load_all_own(session, caller)


def outside_shares(
    session: VerbSession, student_task: StudentAssignment, courses: Courses, until: datetime
) -> dict[int, float]:
    """How much was done outside of the questions from the opening until then, and before time was up for this
    student; 0..1 by part."""
    assignment = student_task.assignment
    since = assignment.opens_at or assignment.published_at or assignment.created_at
    until = min(until, ends_at(assignment, student_task.extension))
    checked = assignment.is_checked
    return outside_work.shares(
        session, student_task.learner_id, student_task.parts, courses, since, until, checked
    )


# An attempt, and what was done in it.


def with_shares(
    session: VerbSession, caller: Caller, assignment_id: int, courses: Courses, now: datetime
) -> tuple[StudentAssignment, AttemptWork | None, dict[int, float]]:
    """An assignment, the attempt that is open, and how much is done of the parts that make no questions."""
    student_task = load_own(session, caller, assignment_id)
    shares = outside_shares(session, student_task, courses, now)
    if student_task.begun is None:
        return student_task, None, shares
    return student_task, attempt_work(session, student_task, student_task.begun), shares


def load_attempt(
    session: VerbSession, caller: Caller, assignment_id: int, attempt_number: int | None = None
) -> StudentAssignment | AttemptWork:
    """An assignment with an attempt at it: that of a number, else the open one, else the last one."""
    student_task = load_own(session, caller, assignment_id)
    if attempt_number:
        attempt = student_task.submission(attempt_number)
        if attempt is None:
            raise NotFound(f"没有第{attempt_number}遍。")
        return attempt_work(session, student_task, attempt)
    if not student_task.submissions:
        return student_task
    return attempt_work(session, student_task, student_task.begun or student_task.submissions[-1])


ATTEMPT_BY_ID = RowQuery(
    AttemptRow, select(*columns_of(Attempt, AttemptRow)).where(ATTEMPT.id == bindparam("attempt"))
)


def attempt_work(
    session: VerbSession, student_task: StudentAssignment, attempt: SubmissionRow
) -> AttemptWork:
    """An attempt with everything that was done in it; once it is handed in, as it counts now."""
    attempt_id = attempt.attempt_id
    [row] = session.all(ATTEMPT_BY_ID, attempt=attempt_id)
    work = AttemptWork(
        student_task,
        attempt,
        saved_in(session, attempt_id),
        attempts.responses_of(session, attempt_id),
        attempts.hints_of(session, attempt_id),
        dict(session.all(attempts.VERSIONS, attempt=attempt_id)),
        row.shown_from,
    )
    if attempt.handed_in_at is None:
        return work
    return regraded(session, work)


def regraded(session: VerbSession, work: AttemptWork) -> AttemptWork:
    """After a 重新评分 the second mark counts, and the corrected item is shown, with the reason."""
    attempt_id = work.submission.attempt_id
    assignment_id = work.student_task.assignment.id
    second_marks = regraded_marks.second_marks_in(session, attempt_id)
    responses = regraded_marks.as_counted(work.responses, second_marks)
    corrected = regraded_marks.versions_in(session, attempt_id)
    work = replace(work, responses=responses, versions={**work.versions, **corrected})
    grants = regraded_marks.grants_of(session, assignment_id)
    asked_questions = questions(work.student_task.parts)
    shares = regraded_marks.new_shares(responses, second_marks, asked_questions, grants)
    reasons = regraded_marks.reasons_of(session, assignment_id, asked_questions, grants)
    return replace(work, new_shares=shares, reasons=reasons)


SAVED_ANSWERS = Prepared(
    select(SAVED.item, SAVED.raw, SAVED.seconds, SAVED.saved_at)
    .where(SAVED.attempt_id == bindparam("attempt"))
    .order_by(SAVED.id)
)


def saved_in(session: VerbSession, attempt_id: int) -> dict[str, SavedRow]:
    """What stands in the questions of an attempt, by question."""
    answers = {}
    for item, raw, seconds, saved_at in session.all(SAVED_ANSWERS, attempt=attempt_id):
        answers[item] = SavedRow(item, item_lookup.typed(raw), seconds, saved_at)
    return answers


def attempt_of(student_task: StudentAssignment, attempt_number: int) -> SubmissionRow:
    attempt = student_task.submission(attempt_number)
    if attempt is None:
        raise NotFound("这一遍还没有开始。")
    return attempt


def question_set_of(student_task: StudentAssignment, attempt: SubmissionRow, courses: Courses) -> QuestionSet:
    """The questions of an attempt, as this student has them."""
    assignment = student_task.assignment
    owner = (student_task.enrolment_id, attempt.number)
    return QuestionSet(courses, student_task.parts, assignment.seed, *owner, assignment.key)


def question_log(
    session: VerbSession,
    attempt_id: int,
    ref: str,
    learner_id: int | None = None,
    other_refs: Sequence[str] = (),
) -> ItemLog:
    """What happened to a question of an attempt so far, with what happened to others."""
    [attempt] = session.all(ATTEMPT_BY_ID, attempt=attempt_id)
    return attempts.log_of(session, "", learner_id, attempt, ref, tuple(other_refs))
