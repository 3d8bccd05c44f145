"""The numbers of a question, for those who have only the log of its attempt."""

from sqlalchemy import bindparam

from app.course.assignments.question_sets import QuestionSet
from app.records.assignments import lookup
from app.records.assignments.rows import ASSIGNMENT, ASSIGNMENTS, SUBMISSION
from app.records.assignments.values import AssignmentRow
from app.records.db.session import Prepared, VerbSession

OF_ATTEMPT = (SUBMISSION.attempt_id == bindparam("attempt"), ASSIGNMENT.id == SUBMISSION.assignment_id)
WITH_OWNER = ASSIGNMENTS.add_columns(SUBMISSION.enrolment_id, SUBMISSION.number)
ASSIGNMENT_OF_ATTEMPT = Prepared(WITH_OWNER.where(*OF_ATTEMPT))


def seed_of(session: VerbSession, attempt_id: int, ref: str) -> int | None:
    """The seed of a question in an attempt; None for one that is gone."""
    row = session.first(ASSIGNMENT_OF_ATTEMPT, attempt=attempt_id)
    if row is None:
        return None
    *columns, enrolment_id, attempt_number = row
    assignment = AssignmentRow(*columns)
    parts = lookup.parts_of(session, assignment.id)
    question_set = QuestionSet({}, parts, assignment.seed, enrolment_id, attempt_number, assignment.key)
    return question_set.seeds.get(ref, assignment.seed)
