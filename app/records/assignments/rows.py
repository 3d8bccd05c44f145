"""Columns of the tables of assignments, and selects of their rows that wait for a condition."""

from sqlalchemy import select

from app.records.assignments.tables import (
    Assignee,
    Assignment,
    AssignmentPart,
    Audit,
    Extension,
    MarkOverride,
    SavedAnswer,
    Submission,
)
from app.records.assignments.values import AssignmentRow, ExtensionRow, PartRow, SubmissionRow
from app.records.db.metadata import table
from app.records.db.session import columns_of

ASSIGNMENT = table(Assignment).c
ASSIGNEE = table(Assignee).c
AUDIT = table(Audit).c
EXTENSION = table(Extension).c
OVERRIDE = table(MarkOverride).c
PART = table(AssignmentPart).c
SAVED = table(SavedAnswer).c
SUBMISSION = table(Submission).c

ASSIGNMENTS = select(*columns_of(Assignment, AssignmentRow))
PARTS = select(*columns_of(AssignmentPart, PartRow)).order_by(PART.assignment_id, PART.position, PART.id)
EXTENSIONS = select(*columns_of(Extension, ExtensionRow)).order_by(EXTENSION.id)
SUBMISSIONS = select(*columns_of(Submission, SubmissionRow)).order_by(
    SUBMISSION.enrolment_id, SUBMISSION.number
)
