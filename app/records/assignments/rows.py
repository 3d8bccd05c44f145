"""Columns of the tables of assignments, and selects of their rows that wait for a condition."""

from sqlalchemy import case, select

from app.records.assignments.tables import (
    Assignee,
    Assignment,
    AssignmentPart,
    Audit,
    Extension,
    MarkOverride,
    SavedAnswer,
    SiteSecret,
    Submission,
)
from app.records.assignments.values import VERSION, AssignmentRow, ExtensionRow, PartRow, SubmissionRow
from app.records.db.metadata import table
from app.records.db.session import columns_of

ASSIGNMENT = table(Assignment).c
ASSIGNEE = table(Assignee).c
AUDIT = table(Audit).c
EXTENSION = table(Extension).c
OVERRIDE = table(MarkOverride).c
PART = table(AssignmentPart).c
SAVED = table(SavedAnswer).c
SECRET = table(SiteSecret).c
SUBMISSION = table(Submission).c

NUMBERS = "numbers"
NUMBERS_SECRET = select(SECRET.value).where(SECRET.name == NUMBERS).scalar_subquery()
ASSIGNMENTS = select(
    *[ASSIGNMENT[name] for name in AssignmentRow._fields[:-1]],
    case((ASSIGNMENT.version >= VERSION, NUMBERS_SECRET), else_="").label("secret"),
)
PARTS = select(*columns_of(AssignmentPart, PartRow)).order_by(PART.assignment_id, PART.position, PART.id)
EXTENSIONS = select(*columns_of(Extension, ExtensionRow)).order_by(EXTENSION.id)
SUBMISSIONS = select(*columns_of(Submission, SubmissionRow)).order_by(
    SUBMISSION.enrolment_id, SUBMISSION.number
)
