"""The questions of an attempt with the numbers that its student sees."""

import json
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import bindparam

from app.course.assignments.question_seeds import drawn_seed_by_question_number_of
from app.course.assignments.question_sets import MarkingCourseByPrefix, QuestionPart, QuestionSet
from app.records.assignments import lookup
from app.records.assignments.rows import ASSIGNMENT, ASSIGNMENTS_QUERY, SUBMISSION
from app.records.assignments.values import AssignmentAttempt, AssignmentRow
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement


def question_set_of(
    course_by_prefix: MarkingCourseByPrefix,
    question_parts: Sequence[QuestionPart],
    assignment: AssignmentRow,
    attempt: AssignmentAttempt,
) -> QuestionSet:
    """The questions of an attempt, with what was drawn when it began."""
    return QuestionSet(
        course_by_prefix,
        question_parts,
        assignment.seed,
        attempt.enrolment_id,
        attempt.number,
        assignment.hmac_key,
        drawn_seed_by_question_number(attempt),
    )


def fresh_question_set(
    course_by_prefix: MarkingCourseByPrefix,
    question_parts: Sequence[QuestionPart],
    assignment: AssignmentRow,
    enrolment_id: int = 0,
    attempt_number: int = 1,
) -> QuestionSet:
    """The questions of an attempt that is to begin; on paper, of a version."""
    question_set = QuestionSet(
        course_by_prefix, question_parts, assignment.seed, enrolment_id, attempt_number, assignment.hmac_key
    )
    if not assignment.is_drawn_evenly:
        return question_set
    return replace(question_set, drawn_seed_by_question_number=drawn_seed_by_question_number_of(question_set))


def drawn_seed_by_question_number(attempt: AssignmentAttempt) -> dict[int, int]:
    """The seeds that were drawn when an attempt began, by number of the question."""
    seed_by_number_text: dict[str, int] = json.loads(attempt.seeds_json)
    return {int(question_number): seed for question_number, seed in seed_by_number_text.items()}


def seeds_json_of(question_set: QuestionSet) -> str:
    """What was drawn, as it is kept with an attempt."""
    return json.dumps(question_set.drawn_seed_by_question_number)


IS_ASSIGNMENT_OF_ATTEMPT = (
    SUBMISSION.attempt_id == bindparam("attempt"),
    ASSIGNMENT.id == SUBMISSION.assignment_id,
)
ATTEMPT_COLUMNS = (SUBMISSION.enrolment_id, SUBMISSION.number, SUBMISSION.started_at, SUBMISSION.seeds_json)
ASSIGNMENT_OF_ATTEMPT = PreparedStatement(
    ASSIGNMENTS_QUERY.add_columns(*ATTEMPT_COLUMNS).where(*IS_ASSIGNMENT_OF_ATTEMPT)
)


def load_variant_seed(session: VerbSession, attempt_id: int, question_ref: str) -> int | None:
    """The seed of a question, for those who have only the log of its attempt; None for one that is gone."""
    assignment_row = session.first(ASSIGNMENT_OF_ATTEMPT, attempt=attempt_id)
    if assignment_row is None:
        return None
    *assignment_values, enrolment_id, attempt_number, started_at, seeds_json = assignment_row
    assignment = AssignmentRow(*assignment_values)
    attempt = AssignmentAttempt(attempt_id, enrolment_id, attempt_number, started_at, seeds_json=seeds_json)
    parts = lookup.parts_of(session, assignment.id)
    question_set = question_set_of({}, parts, assignment, attempt)
    return question_set.seed_by_question_ref.get(question_ref, assignment.seed)
