"""Assignments as their student has them, reached by one's own enrolment."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, or_, select

from app.course.assignments.question_sets import MarkingCourse
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
    SUBMISSION,
    SUBMISSIONS,
)
from app.records.assignments.values import AssignmentRow, ExtensionRow, StudentAssignment, SubmissionRow
from app.records.classes.classrooms import me
from app.records.classes.tables import Classroom, Enrolment
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, Row, RowQuery, VerbSession
from app.records.grading.values import OverrideRow

Courses = Mapping[str, MarkingCourse]
"""Prefix to course: `{"content": course}`."""

CLASSROOM, ENROLMENT = table(Classroom).c, table(Enrolment).c

# Which assignments a student has.

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
STUDENT_ASSIGNMENTS = ASSIGNMENTS.add_columns(
    CLASSROOM.name, ENROLMENT.id, ENROLMENT.learner_id, ENROLMENT.joined_at, IS_LIVE
).where(
    ASSIGNMENT.published_at.is_not(None),
    CLASSROOM.id == ASSIGNMENT.classroom_id,
    ENROLMENT.learner_id == me,
    or_(IS_LIVE, ASSIGNMENT.id.in_(WITH_WORK)),
)


def bare(row: Row) -> StudentAssignment:
    """An assignment without what was done in it, from a row of `STUDENT_ASSIGNMENTS`."""
    *columns, classroom, enrolment_id, learner_id, joined_at, live = row
    assignment = AssignmentRow(*columns)
    return StudentAssignment(assignment, classroom, enrolment_id, learner_id, joined_at, live=bool(live))


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


def given(session: VerbSession, caller: Caller, assignment_id: int) -> StudentAssignment:
    """An assignment of a class one is in, or that one has worked at; NotFound to everybody else, and before
    it is published."""
    sign_in = learners.token_hash(caller.token or "")
    row = session.first(ASSIGNMENT_OF_STUDENT, assignment=assignment_id, hash=sign_in)
    if row is None:
        raise NotFound("没有这份作业，或者它不是布置给你的。")
    task = bare(row)
    cell_key = {"assignment": assignment_id, "enrolment": task.enrolment_id}
    extensions = session.all(EXTENSIONS_OF_CELL, **cell_key)
    if extensions:
        task = replace(task, extension=extensions[-1])
    overrides = session.all(OVERRIDES_OF_CELL, **cell_key)
    if overrides:
        task = replace(task, by_hand=overrides[-1].points)
    attempts = session.all(ATTEMPTS_OF_CELL, **cell_key)
    parts = lookup.parts_of(session, assignment_id)
    return replace(task, parts=parts, submissions=tuple(attempts))


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


def mine(session: VerbSession, caller: Caller) -> tuple[StudentAssignment, ...]:
    """Every assignment of the caller, without their parts: four queries. What was over before they came is
    not theirs."""
    rows = session.all(ASSIGNMENTS_OF_LEARNER, hash=learners.token_hash(caller.token or ""))
    # Of two enrolments at one assignment the live one comes last, and counts.
    tasks = {task.assignment.id: task for task in map(bare, rows)}
    if not tasks:
        return ()
    learner_id = next(iter(tasks.values())).learner_id
    with_work = with_records(session, learner_id, list(tasks.values()))
    return tuple(task for task in with_work if task.submissions or not came_after(task))


def with_records(
    session: VerbSession, learner_id: int, tasks: Sequence[StudentAssignment]
) -> list[StudentAssignment]:
    """Assignments of a learner with extensions, attempts and marks set by hand."""
    overrides: dict[int, float | None] = dict(session.all(OVERRIDES_OF_LEARNER, learner=learner_id))
    rows = session.all(EXTENSIONS_OF_LEARNER, learner=learner_id)
    extensions = {(row.assignment_id, row.enrolment_id): row for row in rows}
    attempts = defaultdict[tuple[int, int], list[SubmissionRow]](list)
    for attempt in session.all(ATTEMPTS_OF_LEARNER, learner=learner_id):
        attempts[attempt.assignment_id, attempt.enrolment_id].append(attempt)
    complete = []
    for task in tasks:
        key = (task.assignment.id, task.enrolment_id)
        by_hand = overrides.get(task.assignment.id)
        task_with_work = replace(task, submissions=tuple(attempts[key]), by_hand=by_hand)
        complete.append(replace(task_with_work, extension=extensions.get(key)))
    return complete


def came_after(task: StudentAssignment) -> bool:
    """Whether it was over before this student came into the class."""
    return schedule(task.assignment, task.extension, task.joined_at).was_over(task.joined_at)


def overview(session: VerbSession, caller: Caller) -> tuple[bool, tuple[StudentAssignment, ...]]:
    """Whether the caller is a learner, and their assignments."""
    return learners.load_visitor(session, caller) is not None, mine(session, caller)


def shares_of(
    session: VerbSession, task: StudentAssignment, courses: Courses, until: datetime
) -> dict[int, float]:
    """How much was done outside of the questions from the opening until then, and before time was up for this
    student; 0..1 by part."""
    assignment = task.assignment
    since = assignment.opens_at or assignment.published_at or assignment.created_at
    until = min(until, ends_at(assignment, task.extension))
    return outside_work.shares(session, task.learner_id, task.parts, courses, since, until)
