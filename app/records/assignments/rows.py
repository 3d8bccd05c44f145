"""Columns of the tables of assignments, and statements that several modules need: selects of rows that wait
for a condition, updates of single columns."""

from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, case, exists, or_, select

from app.records.accounts.site_secret import SITE_SECRET_QUERY
from app.records.assignments.tables import (
    Assignee,
    Assignment,
    AssignmentPart,
    Extension,
    MarkOverride,
    SavedAnswer,
    Submission,
)
from app.records.assignments.values import (
    FIRST_VERSION_WITH_SECRET,
    AssignmentAttempt,
    AssignmentRow,
    ExtensionRow,
    PartRow,
)
from app.records.classes.classrooms import ENROLMENT, IS_OF_CLASS
from app.records.classes.tables import Enrolment
from app.records.db.metadata import table
from app.records.db.statements import PreparedStatement, columns_of, prepared_update

ASSIGNMENT = table(Assignment).c
ASSIGNEE = table(Assignee).c
EXTENSION = table(Extension).c
OVERRIDE = table(MarkOverride).c
PART = table(AssignmentPart).c
SAVED_ANSWER = table(SavedAnswer).c
SUBMISSION = table(Submission).c

UNSENT_PREFIX = "unsent:"
"""Before the ref of a question in `saved_answer`: what stands there was typed and not sent. No reader of
answers asks for such a ref, and those that count rows leave it out."""
IS_ANSWER = ~SAVED_ANSWER.question_ref.startswith(UNSENT_PREFIX)

SECRET_IF_NEW_VERSION = (
    ASSIGNMENT.version >= FIRST_VERSION_WITH_SECRET,
    SITE_SECRET_QUERY.scalar_subquery(),
)
ASSIGNMENT_SECRET = case(SECRET_IF_NEW_VERSION, else_="").label("secret")
COLUMN_BY_ASSIGNMENT_FIELD = {**ASSIGNMENT, "secret": ASSIGNMENT_SECRET}
ASSIGNMENTS_QUERY = select(*[COLUMN_BY_ASSIGNMENT_FIELD[name] for name in AssignmentRow._fields])
PART_COLUMNS = columns_of(AssignmentPart, PartRow)
PARTS_QUERY = select(*PART_COLUMNS).order_by(PART.assignment_id, PART.position, PART.id)
EXTENSION_COLUMNS = columns_of(Extension, ExtensionRow)
EXTENSIONS_QUERY = select(*EXTENSION_COLUMNS).order_by(EXTENSION.id)
LATER_EXTENSION = table(Extension).alias("later_extension").c
EXTENDED_STUDENT = table(Enrolment).alias("extended_student").c
HAS_LATER_EXTENSION = exists().where(
    LATER_EXTENSION.assignment_id == EXTENSION.assignment_id,
    LATER_EXTENSION.enrolment_id == EXTENSION.enrolment_id,
    LATER_EXTENSION.id > EXTENSION.id,
)
HAS_STUDENT_IN_CLASS = exists().where(
    EXTENDED_STUDENT.id == EXTENSION.enrolment_id,
    EXTENDED_STUDENT.classroom_id == ASSIGNMENT.classroom_id,
    EXTENDED_STUDENT.removed_at.is_(None),
)
IS_STANDING_EXTENSION = and_(
    ~HAS_LATER_EXTENSION, HAS_STUDENT_IN_CLASS.correlate(table(Extension), table(Assignment))
)
"""The condition that an extension holds: it is the last of its student, who is in the class."""
SUBMISSION_COLUMNS = columns_of(Submission, AssignmentAttempt)
SUBMISSIONS_QUERY = select(*SUBMISSION_COLUMNS).order_by(SUBMISSION.enrolment_id, SUBMISSION.number)

LATER_OVERRIDE = table(MarkOverride).alias("later").c
IS_STANDING_OVERRIDE = ~exists().where(
    LATER_OVERRIDE.assignment_id == OVERRIDE.assignment_id,
    LATER_OVERRIDE.enrolment_id == OVERRIDE.enrolment_id,
    LATER_OVERRIDE.id > OVERRIDE.id,
)
"""The condition that an override stands: it is the last about its student at its assignment."""
SETS_A_MARK = or_(OVERRIDE.excused, OVERRIDE.points.is_not(None))
"""The condition that an override sets something: one that takes back what stood does not."""
HAS_FIXED_QUESTIONS = or_(
    exists().where(SUBMISSION.assignment_id == ASSIGNMENT.id),
    exists().where(
        OVERRIDE.assignment_id == ASSIGNMENT.id, IS_STANDING_OVERRIDE, OVERRIDE.points.is_not(None)
    ),
)
"""The condition that the questions of an assignment stay as they are: somebody has begun it, or a teacher has
given somebody points, which are of its full marks. 免 is of none."""
HAND_MARKS_QUERY = select(
    OVERRIDE.assignment_id, OVERRIDE.enrolment_id, OVERRIDE.points, OVERRIDE.excused
).where(IS_STANDING_OVERRIDE)
"""What teachers decided about marks, as it stands."""

IS_ASSIGNMENT_OF_CLASS = ASSIGNMENT.classroom_id == bindparam("classroom")
IS_PUBLISHED_IN_CLASS = and_(IS_ASSIGNMENT_OF_CLASS, ASSIGNMENT.published_at.is_not(None))
IS_ASSIGNMENT = ASSIGNMENT.id == bindparam("assignment")
IS_HANDED_IN = and_(SUBMISSION.assignment_id == ASSIGNMENT.id, SUBMISSION.handed_in_at.is_not(None))
"""The condition that a submission to an assignment was handed in."""


def has_work_at(assignment_id: Any, *conditions: Any) -> Any:
    """The condition that a student has left an attempt or a mark behind, at assignments."""
    submitter_ids_query = select(SUBMISSION.enrolment_id).where(
        SUBMISSION.assignment_id == assignment_id, *conditions
    )
    overridden_ids_query = select(OVERRIDE.enrolment_id).where(
        OVERRIDE.assignment_id == assignment_id, *conditions
    )
    return or_(ENROLMENT.id.in_(submitter_ids_query), ENROLMENT.id.in_(overridden_ids_query))


HAS_CELL_AT_ASSIGNMENT = or_(IS_OF_CLASS, has_work_at(bindparam("assignment")))
"""The condition that a student is or was in `classroom`, or left an attempt or a mark at `assignment`."""
ENROLMENTS_OF_LEARNER = select(ENROLMENT.id).where(ENROLMENT.learner_id == bindparam("learner"))


def is_of_learner(table_columns: Any) -> ColumnElement[bool]:
    """The condition that a row is about `learner`, in whichever class."""
    condition: ColumnElement[bool] = table_columns.enrolment_id.in_(ENROLMENTS_OF_LEARNER)
    return condition


def assignment_update(*field_names: str) -> PreparedStatement:
    """UPDATE of these fields of one assignment."""
    return prepared_update(Assignment, IS_ASSIGNMENT, field_names)


SET_PAIR = assignment_update("form", "pair")
SET_LATE_FACTOR = prepared_update(Submission, SUBMISSION.attempt_id == bindparam("attempt"), ["late_factor"])
"""What being late costs an attempt that was handed in."""
