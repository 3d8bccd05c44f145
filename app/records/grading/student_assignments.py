"""Assignments as their student has them, reached by their own enrolment."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, or_, select

from app.records.accounts import learners
from app.records.accounts.learners import CALLER_ID
from app.records.accounts.values import Caller
from app.records.assignments import lookup
from app.records.assignments.deadlines import (
    EXTENSIONS_DUE_LATER,
    IS_DUE_LATER,
    Schedule,
    newest_passed_time,
    student_times,
)
from app.records.assignments.rows import (
    ASSIGNEE,
    ASSIGNMENT,
    ASSIGNMENTS_QUERY,
    EXTENSION,
    EXTENSIONS_QUERY,
    OVERRIDE,
    SUBMISSION,
    SUBMISSIONS_QUERY,
    is_of_learner,
)
from app.records.assignments.tables import Assignment, MarkOverride
from app.records.assignments.values import (
    NOTHING_BY_HAND,
    AssignmentAttempt,
    AssignmentRow,
    ExtensionRow,
    MarkByHand,
    OverrideRow,
    StudentAssignment,
)
from app.records.classes.classrooms import CLASSROOM, ENROLMENT, IS_THIS_CLASS
from app.records.classes.tables import Enrolment
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, Row, RowQuery, columns_of
from app.records.grading.regrades import changed_marks
from app.records.grading.values import CellRecords
from app.records.learning.values import FAR_FUTURE

IS_ASSIGNEE = (
    select(ASSIGNEE.id)
    .where(ASSIGNEE.assignment_id == ASSIGNMENT.id, ASSIGNEE.enrolment_id == ENROLMENT.id)
    .exists()
)
IS_STILL_GIVEN = and_(
    CLASSROOM.archived_at.is_(None),
    ENROLMENT.classroom_id == ASSIGNMENT.classroom_id,
    ENROLMENT.removed_at.is_(None),
    or_(ASSIGNMENT.everyone, IS_ASSIGNEE),
)
"""The condition that a student is in the class of an assignment, and that it is for them."""
STUDENT_COLUMNS = (
    CLASSROOM.name,
    ENROLMENT.id,
    ENROLMENT.learner_id,
    ENROLMENT.joined_at,
    ENROLMENT.absences,
    ENROLMENT.time_factor,
    IS_STILL_GIVEN,
)
"""What `student_assignment_of_row` takes after the columns of the assignment."""
IS_PUBLISHED_WITH_CLASS = and_(ASSIGNMENT.published_at.is_not(None), CLASSROOM.id == ASSIGNMENT.classroom_id)
ASSIGNMENT_IDS_WITH_WORK = select(SUBMISSION.assignment_id).where(SUBMISSION.enrolment_id == ENROLMENT.id)
IS_MARKED_BY_HAND = (
    select(OVERRIDE.id)
    .where(OVERRIDE.assignment_id == ASSIGNMENT.id, OVERRIDE.enrolment_id == ENROLMENT.id)
    .exists()
)
IS_THEIRS_OR_WORKED_AT = or_(IS_STILL_GIVEN, ASSIGNMENT.id.in_(ASSIGNMENT_IDS_WITH_WORK), IS_MARKED_BY_HAND)
"""The condition that an assignment is for a student, or that they have worked at it or have a mark for it."""
STUDENT_ASSIGNMENTS = ASSIGNMENTS_QUERY.add_columns(*STUDENT_COLUMNS).where(
    IS_PUBLISHED_WITH_CLASS, ENROLMENT.learner_id == CALLER_ID, IS_THEIRS_OR_WORKED_AT
)

ASSIGNMENT_ID: Any = bindparam("assignment")
ENROLMENT_ID: Any = bindparam("enrolment")
ASSIGNMENT_OF_STUDENT = PreparedStatement(
    STUDENT_ASSIGNMENTS.where(ASSIGNMENT.id == ASSIGNMENT_ID).order_by(IS_STILL_GIVEN.desc())
)


def load_own_assignment(session: VerbSession, caller: Caller, assignment_id: int) -> StudentAssignment:
    """An assignment of a class one is in, or that one has worked at; NotFound to everybody else, and before
    it is published."""
    token_hash = learners.caller_token_hash(caller)
    assignment_row = session.first(ASSIGNMENT_OF_STUDENT, assignment=assignment_id, hash=token_hash)
    if assignment_row is None:
        raise NotFound("没有这份作业，或者它不是布置给你的。")
    return with_parts_and_records(session, student_assignment_of_row(assignment_row))


ASSIGNMENT_OF_ATTEMPT = PreparedStatement(
    ASSIGNMENTS_QUERY.add_columns(*STUDENT_COLUMNS).where(
        IS_PUBLISHED_WITH_CLASS,
        SUBMISSION.assignment_id == ASSIGNMENT.id,
        SUBMISSION.enrolment_id == ENROLMENT.id,
        SUBMISSION.attempt_id == bindparam("attempt"),
    )
)


def load_assignment_of_attempt(session: VerbSession, attempt_id: int) -> StudentAssignment | None:
    """The assignment of an attempt, as its student has it, for what the site does by itself."""
    assignment_row = session.first(ASSIGNMENT_OF_ATTEMPT, attempt=attempt_id)
    if assignment_row is None:
        return None
    return with_parts_and_records(session, student_assignment_of_row(assignment_row))


def student_assignment_of_row(assignment_row: Row) -> StudentAssignment:
    """An assignment without what was done in it, from a row of `STUDENT_ASSIGNMENTS`."""
    (
        *assignment_values,
        class_name,
        enrolment_id,
        learner_id,
        joined_at,
        absences,
        time_factor,
        is_still_given,
    ) = assignment_row
    return StudentAssignment(
        AssignmentRow(*assignment_values),
        class_name,
        enrolment_id,
        learner_id,
        joined_at,
        is_still_given=bool(is_still_given),
        time_factor=time_factor,
        absences=absences,
    )


def with_parts_and_records(session: VerbSession, student_assignment: StudentAssignment) -> StudentAssignment:
    """An assignment with its parts and what was done in it."""
    assignment_id = student_assignment.assignment.id
    cell_records = cell_records_of(session, assignment_id, student_assignment.enrolment_id)
    return student_assignment._replace(
        extension=cell_records.extension,
        parts=lookup.parts_of(session, assignment_id),
        attempts=tuple(cell_records.attempts),
        hand_mark=cell_records.hand_mark,
    )


def is_of_cell(table_columns: Any) -> ColumnElement[bool]:
    """The condition that a row is about one student at one assignment."""
    return and_(table_columns.assignment_id == ASSIGNMENT_ID, table_columns.enrolment_id == ENROLMENT_ID)


ATTEMPTS_OF_CELL = RowQuery(AssignmentAttempt, SUBMISSIONS_QUERY.where(is_of_cell(SUBMISSION)))
EXTENSIONS_OF_CELL = RowQuery(ExtensionRow, EXTENSIONS_QUERY.where(is_of_cell(EXTENSION)))
OVERRIDES_QUERY = select(*columns_of(MarkOverride, OverrideRow)).order_by(OVERRIDE.id)
OVERRIDES_OF_CELL = RowQuery(OverrideRow, OVERRIDES_QUERY.where(is_of_cell(OVERRIDE)))


def cell_records_of(session: VerbSession, assignment_id: int, enrolment_id: int) -> CellRecords:
    """What is recorded of a student at an assignment."""
    cell_parameters = {"assignment": assignment_id, "enrolment": enrolment_id}
    attempts_of_cell = session.all(ATTEMPTS_OF_CELL, **cell_parameters)
    extensions = session.all(EXTENSIONS_OF_CELL, **cell_parameters)
    overrides = session.all(OVERRIDES_OF_CELL, **cell_parameters)
    return CellRecords(attempts_of_cell, extensions, overrides)


GIVEN_ASSIGNMENT = table(Assignment).alias("given").c
OWN_ENROLMENT = table(Enrolment).alias("place").c
IS_OWN_ENROLMENT = OWN_ENROLMENT.learner_id == CALLER_ID
GIVEN_ASSIGNMENT_IDS = select(GIVEN_ASSIGNMENT.id).where(
    GIVEN_ASSIGNMENT.classroom_id == OWN_ENROLMENT.classroom_id, IS_OWN_ENROLMENT
)
ATTEMPTED_ASSIGNMENT_IDS = select(SUBMISSION.assignment_id).where(
    SUBMISSION.enrolment_id == OWN_ENROLMENT.id, IS_OWN_ENROLMENT
)
MARKED_ASSIGNMENT_IDS = select(OVERRIDE.assignment_id).where(
    OVERRIDE.enrolment_id == OWN_ENROLMENT.id, IS_OWN_ENROLMENT
)
# What `IS_THEIRS_OR_WORKED_AT` says, from the side of the learner: PostgreSQL would look at all assignments
# of the site.
IS_ASSIGNMENT_OF_CALLER = ASSIGNMENT.id.in_(
    GIVEN_ASSIGNMENT_IDS.union(ATTEMPTED_ASSIGNMENT_IDS, MARKED_ASSIGNMENT_IDS)
)
ASSIGNMENTS_OF_LEARNER = PreparedStatement(
    STUDENT_ASSIGNMENTS.where(IS_ASSIGNMENT_OF_CALLER).order_by(ASSIGNMENT.id.desc(), IS_STILL_GIVEN)
)
EXTENSIONS_OF_LEARNER = RowQuery(ExtensionRow, EXTENSIONS_QUERY.where(is_of_learner(EXTENSION)))
ATTEMPTS_OF_LEARNER = RowQuery(AssignmentAttempt, SUBMISSIONS_QUERY.where(is_of_learner(SUBMISSION)))
OVERRIDES_OF_LEARNER = PreparedStatement(
    OVERRIDES_QUERY.add_columns(OVERRIDE.assignment_id, OVERRIDE.enrolment_id).where(is_of_learner(OVERRIDE))
)


def load_own_assignments(session: VerbSession, caller: Caller) -> tuple[StudentAssignment, ...]:
    """Every assignment of the caller, without their parts. What was over before they came is not theirs,
    unless there is work or a mark of theirs in it."""
    token_hash = learners.caller_token_hash(caller)
    assignment_rows = session.all(ASSIGNMENTS_OF_LEARNER, hash=token_hash)
    student_assignment_by_assignment_id: dict[int, StudentAssignment] = {}
    for student_assignment in map(student_assignment_of_row, assignment_rows):
        # Of two enrolments at one assignment the live one comes last, and counts.
        student_assignment_by_assignment_id[student_assignment.assignment.id] = student_assignment
    if not student_assignment_by_assignment_id:
        return ()
    student_assignments = with_records(session, list(student_assignment_by_assignment_id.values()))
    return tuple(
        student_assignment
        for student_assignment in student_assignments
        if student_assignment.attempts
        or student_assignment.hand_mark.is_set
        or not has_ended_without_student(student_assignment)
    )


def with_records(
    session: VerbSession, student_assignments: Sequence[StudentAssignment]
) -> list[StudentAssignment]:
    """Assignments of one learner with extensions, attempts, marks set by hand, and whether these changed."""
    learner_parameter = {"learner": student_assignments[0].learner_id}
    hand_mark_by_cell_ids: dict[tuple[int, int], MarkByHand] = {}
    for *override_values, assignment_id, enrolment_id in session.all(
        OVERRIDES_OF_LEARNER, **learner_parameter
    ):
        hand_mark_by_cell_ids[assignment_id, enrolment_id] = OverrideRow(*override_values).hand_mark
    extension_rows = session.all(EXTENSIONS_OF_LEARNER, **learner_parameter)
    extension_row_by_cell_ids = {
        (extension_row.assignment_id, extension_row.enrolment_id): extension_row
        for extension_row in extension_rows
    }
    attempts_by_cell_ids = defaultdict[tuple[int, int], list[AssignmentAttempt]](list)
    for attempt in session.all(ATTEMPTS_OF_LEARNER, **learner_parameter):
        cell_ids = (attempt.assignment_id, attempt.enrolment_id)
        attempts_by_cell_ids[cell_ids].append(attempt)
    assignments_with_records = []
    for student_assignment in student_assignments:
        cell_ids = (student_assignment.assignment.id, student_assignment.enrolment_id)
        assignment_with_records = student_assignment._replace(
            extension=extension_row_by_cell_ids.get(cell_ids),
            attempts=tuple(attempts_by_cell_ids[cell_ids]),
            hand_mark=hand_mark_by_cell_ids.get(cell_ids, NOTHING_BY_HAND),
        )
        assignments_with_records.append(assignment_with_records)
    return changed_marks.with_changed_marks_noted(session, assignments_with_records)


def has_ended_without_student(student_assignment: StudentAssignment) -> bool:
    """Whether it was over before this student came into the class, or ended while they were out of it."""
    times_of_student = student_times(student_assignment.assignment, student_assignment.extension)
    return times_of_student.ended_without(student_assignment)


def is_to_do(student_assignment: StudentAssignment, student_schedule: Schedule) -> bool:
    """Whether there is something for a student to do now: they are in the midst of it, or did not begin."""
    if not student_schedule.takes_work:
        return False
    is_handed_in_or_marked = student_assignment.used_attempt_count > 0 or student_assignment.hand_mark.is_set
    return student_assignment.open_attempt is not None or not is_handed_in_or_marked


def order_of_work(
    student_assignment: StudentAssignment, student_schedule: Schedule
) -> tuple[bool, datetime, int]:
    """By which work that waits is listed: what is due first, and after it what opens later, by when it
    opens; of the same moment what was made first."""
    is_soon = student_schedule.state == "soon"
    ordering_time = student_schedule.due_at
    if is_soon:
        ordering_time = student_schedule.opens_at
    return is_soon, ordering_time or FAR_FUTURE, student_assignment.assignment.id


HAS_EXTENSION_DUE_LATER = EXTENSIONS_DUE_LATER.where(EXTENSION.enrolment_id == ENROLMENT.id).exists()
IS_ASSIGNMENT_NOT_CLOSED = or_(ASSIGNMENT.closed_at.is_(None), ASSIGNMENT.closed_at > bindparam("now"))
MAY_TAKE_WORK = or_(IS_ASSIGNMENT_NOT_CLOSED & IS_DUE_LATER, HAS_EXTENSION_DUE_LATER)
"""The condition that `schedule` may still take work: it says in detail whether it does."""
OPEN_ASSIGNMENTS_QUERY = STUDENT_ASSIGNMENTS.where(
    IS_ASSIGNMENT_OF_CALLER, IS_STILL_GIVEN, MAY_TAKE_WORK
).order_by(ASSIGNMENT.id.desc())
OPEN_ASSIGNMENTS = PreparedStatement(OPEN_ASSIGNMENTS_QUERY)
OPEN_ASSIGNMENTS_OF_CLASS = PreparedStatement(OPEN_ASSIGNMENTS_QUERY.where(IS_THIS_CLASS))


def load_open_own_assignments(
    session: VerbSession, caller: Caller, now: datetime, classroom_id: int | None = None
) -> tuple[StudentAssignment, ...]:
    """The assignments of the caller that are not over, of one class or of all, with what was done in them: of
    a year's 45 one or two.

    What the start page reads of them (`python -m bench.year`), in ms of CPU: 2.0 → 1.1.
    """
    parameters: dict[str, Any] = {
        "hash": learners.caller_token_hash(caller),
        "now": now,
        "newest_passed_time": newest_passed_time(now),
    }
    if classroom_id is None:
        assignment_rows = session.all(OPEN_ASSIGNMENTS, **parameters)
    else:
        assignment_rows = session.all(OPEN_ASSIGNMENTS_OF_CLASS, classroom=classroom_id, **parameters)
    student_assignments = []
    for assignment_row in assignment_rows:
        student_assignment = with_parts_and_records(session, student_assignment_of_row(assignment_row))
        if student_assignment.attempts or not has_ended_without_student(student_assignment):
            student_assignments.append(student_assignment)
    return tuple(student_assignments)


def load_is_learner_and_own_assignments(
    session: VerbSession, caller: Caller
) -> tuple[bool, tuple[StudentAssignment, ...]]:
    """Whether the caller is a learner, and their assignments."""
    is_learner = learners.find_learner_id(session, caller) is not None
    return is_learner, load_own_assignments(session, caller)
