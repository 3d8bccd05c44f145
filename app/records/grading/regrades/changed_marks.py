"""改过分: whether the mark of a student is another than when they handed in.

What an attempt earned then is not kept: it follows from its answers as they were marked by then, and from the
parts that counted in full by then. What its teacher marked by a rubric waited for that, and is no change.
Timed work that nobody handed in was marked some seconds after its end.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, bindparam, case, func, or_, select

from app.course.assignments.question_sets import questions_of_parts
from app.records.assignments.attempt_seeds import question_set_of
from app.records.assignments.rows import PART, PARTS_QUERY, SUBMISSION, SUBMISSIONS_QUERY, is_of_learner
from app.records.assignments.values import AssignmentAttempt, AssignmentRow, PartRow, StudentAssignment
from app.records.classes.class_log import AUDIT
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery
from app.records.grading import marks
from app.records.grading.regraded_marks import (
    GRANTS_QUERY,
    IS_BY_RUBRIC,
    PART_GRANT,
    RE_MARK,
    GrantRow,
)
from app.records.grading.values import CellIds
from app.records.learning.rows import RESPONSE

MARKED_AT = func.coalesce(SUBMISSION.marked_at, SUBMISSION.handed_in_at, type_=SUBMISSION.marked_at.type)
HAS_OTHER_MARK = (
    select(RE_MARK.id)
    .where(
        RESPONSE.attempt_id == SUBMISSION.attempt_id,
        RE_MARK.response_id == RESPONSE.id,
        RE_MARK.created_at > MARKED_AT,
        ~IS_BY_RUBRIC,
    )
    .exists()
)
HAS_GRANT_SINCE = (
    select(PART_GRANT.id)
    .where(
        PART.assignment_id == SUBMISSION.assignment_id,
        PART_GRANT.part_id == PART.id,
        PART_GRANT.created_at > MARKED_AT,
    )
    .exists()
)


class ScoredTry(NamedTuple):
    """What a try earned as it was first marked."""

    response_id: int
    attempt_id: int
    item_ref: str
    score: float


FIRST_SCORES = select(
    RESPONSE.id.label("response_id"),
    RESPONSE.attempt_id,
    RESPONSE.item_ref,
    RESPONSE.score,
)
SECOND_SCORES = (
    select(
        RE_MARK.response_id,
        RESPONSE.attempt_id,
        RE_MARK.score,
        RE_MARK.created_at,
        case((IS_BY_RUBRIC, True), else_=False),
    )
    .where(RE_MARK.response_id == RESPONSE.id)
    .order_by(RE_MARK.id)
)


class RegradedWorkQueries:
    """What is asked of those attempts, of all that are meant by a condition, that may be worth something else
    since they were handed in."""

    def __init__(self, is_meant: ColumnElement[bool]) -> None:
        regraded_attempts_query = select(SUBMISSION.attempt_id, MARKED_AT).where(
            is_meant, SUBMISSION.handed_in_at.is_not(None), or_(HAS_OTHER_MARK, HAS_GRANT_SINCE)
        )
        attempt_ids_query = regraded_attempts_query.with_only_columns(SUBMISSION.attempt_id)
        assignment_ids_query = regraded_attempts_query.with_only_columns(SUBMISSION.assignment_id)
        answer_condition = RESPONSE.attempt_id.in_(attempt_ids_query)
        part_condition = PART.assignment_id.in_(assignment_ids_query)
        self.attempts = PreparedStatement(regraded_attempts_query)
        self.first_scores = RowQuery(ScoredTry, FIRST_SCORES.where(answer_condition))
        self.second_scores = PreparedStatement(SECOND_SCORES.where(answer_condition))
        self.parts = RowQuery(PartRow, PARTS_QUERY.where(part_condition))
        self.grants = RowQuery(GrantRow, GRANTS_QUERY.where(part_condition))


ASSIGNMENT_IDS_IN_LOG = select(AUDIT.assignment_id).where(
    AUDIT.classroom_id == bindparam("classroom"),
    or_(AUDIT.action == "regrade", AUDIT.action == "question-mark"),
)
"""The assignments of a class in which answers were marked anew: few, where most pupils have many answers."""
IS_IN_REGRADED_ASSIGNMENT = SUBMISSION.assignment_id.in_(ASSIGNMENT_IDS_IN_LOG)
QUERIES_OF_LEARNER_WORK = RegradedWorkQueries(is_of_learner(SUBMISSION))
QUERIES_OF_CLASS_WORK = RegradedWorkQueries(IS_IN_REGRADED_ASSIGNMENT)


class HandInRecords(NamedTuple):
    """What the points of regraded attempts at their hand-in follow from: when each was marked, question and
    score of every try then, by attempt; the parts of their assignments, and everything that was granted, by
    part."""

    marked_at_by_attempt_id: Mapping[int, datetime]
    refs_and_scores_by_attempt_id: Mapping[int, Sequence[tuple[str, float]]]
    parts_by_assignment_id: Mapping[int, Sequence[PartRow]]
    grants_by_part_id: Mapping[int, Sequence[GrantRow]]

    def was_granted(self, part_id: int, moment: datetime) -> bool:
        """Whether a part counted in full for everybody at a moment."""
        earlier_grants = [
            grant_row
            for grant_row in self.grants_by_part_id.get(part_id, ())
            if grant_row.created_at <= moment
        ]
        return bool(earlier_grants) and earlier_grants[-1].granted

    def points_at_hand_in(self, assignment: AssignmentRow, attempt: AssignmentAttempt) -> float | None:
        """What an attempt was worth when it was handed in: what it is worth now, but for a regraded one."""
        marked_at = self.marked_at_by_attempt_id.get(attempt.attempt_id)
        if marked_at is None:
            return attempt.points
        parts = self.parts_by_assignment_id[assignment.id]
        question_set = question_set_of({}, parts, assignment, attempt)
        granted_part_ids = set()
        for part in parts:
            if question_set.asks_question(part.id) and self.was_granted(part.id, marked_at):
                granted_part_ids.add(part.id)
        points_by_part_id = marks.corrected_points_by_part_id_of(
            parts,
            marks.read_points_by_part_id(attempt.points_json),
            {assigned_question.part_id for assigned_question in questions_of_parts(parts)},
            marks.best_share_by_question_ref_of(self.refs_and_scores_by_attempt_id[attempt.attempt_id]),
            granted_part_ids,
        )
        return marks.sum_of_points(points_by_part_id)


def load_hand_in_records(session: VerbSession, queries: RegradedWorkQueries, **owner: int) -> HandInRecords:
    """What the points of regraded attempts were: one query where there are none. `owner`: the `learner` or
    the `classroom` whose work is meant."""
    marked_at_by_attempt_id: dict[int, datetime] = dict(session.all(queries.attempts, **owner))
    if not marked_at_by_attempt_id:
        return HandInRecords({}, {}, {}, {})
    scored_tries = session.all(queries.first_scores, **owner)
    score_by_response_id = {scored_try.response_id: scored_try.score for scored_try in scored_tries}
    for response_id, attempt_id, score, created_at, is_by_rubric in session.all(
        queries.second_scores, **owner
    ):
        was_marked_by_then = created_at <= marked_at_by_attempt_id[attempt_id]
        if was_marked_by_then or is_by_rubric:
            score_by_response_id[response_id] = score
    refs_and_scores_by_attempt_id: dict[int, list[tuple[str, float]]] = {
        attempt_id: [] for attempt_id in marked_at_by_attempt_id
    }
    for scored_try in scored_tries:
        score = score_by_response_id[scored_try.response_id]
        refs_and_scores_by_attempt_id[scored_try.attempt_id].append((scored_try.item_ref, score))
    parts_by_assignment_id = defaultdict[int, list[PartRow]](list)
    for part in session.all(queries.parts, **owner):
        parts_by_assignment_id[part.assignment_id].append(part)
    grants_by_part_id = defaultdict[int, list[GrantRow]](list)
    for grant_row in session.all(queries.grants, **owner):
        grants_by_part_id[grant_row.part_id].append(grant_row)
    return HandInRecords(
        marked_at_by_attempt_id, refs_and_scores_by_attempt_id, parts_by_assignment_id, grants_by_part_id
    )


def with_changed_marks_noted(
    session: VerbSession, student_assignments: Sequence[StudentAssignment]
) -> list[StudentAssignment]:
    """Assignments of one learner, each with whether its mark was changed."""
    hand_in_records = load_hand_in_records(
        session, QUERIES_OF_LEARNER_WORK, learner=student_assignments[0].learner_id
    )
    assignments_with_changes = []
    for student_assignment in student_assignments:
        has_changed_mark = is_mark_changed(
            student_assignment.assignment,
            student_assignment.attempts,
            hand_in_records,
            student_assignment.hand_mark.points,
        )
        assignments_with_changes.append(student_assignment._replace(is_mark_changed=has_changed_mark))
    return assignments_with_changes


ATTEMPTS_AT_REGRADED = RowQuery(AssignmentAttempt, SUBMISSIONS_QUERY.where(IS_IN_REGRADED_ASSIGNMENT))


def load_regraded_cell_ids(
    session: VerbSession, classroom_id: int, assignments: Iterable[AssignmentRow]
) -> set[CellIds]:
    """Every cell of a class whose work is worth something else since it was handed in: one query where none
    was regraded."""
    hand_in_records = load_hand_in_records(session, QUERIES_OF_CLASS_WORK, classroom=classroom_id)
    if not hand_in_records.marked_at_by_attempt_id:
        return set()
    assignment_by_id = {assignment.id: assignment for assignment in assignments}
    attempts_by_cell_ids = defaultdict[CellIds, list[AssignmentAttempt]](list)
    for attempt in session.all(ATTEMPTS_AT_REGRADED, classroom=classroom_id):
        attempts_by_cell_ids[attempt.assignment_id, attempt.enrolment_id].append(attempt)
    regraded_cell_ids = set()
    for cell_ids, attempts in attempts_by_cell_ids.items():
        assignment = assignment_by_id.get(cell_ids[0])
        if assignment and is_mark_changed(assignment, attempts, hand_in_records):
            regraded_cell_ids.add(cell_ids)
    return regraded_cell_ids


def is_mark_changed(
    assignment: AssignmentRow,
    attempts: Sequence[AssignmentAttempt],
    hand_in_records: HandInRecords,
    hand_points: float | None = None,
) -> bool:
    """Whether the mark of a student is another than that of the hand-in; without one it is not."""
    attempts_at_hand_in = [
        attempt._replace(points=hand_in_records.points_at_hand_in(assignment, attempt))
        for attempt in attempts
    ]
    mark_at_hand_in = marks.mark_of(assignment.counts, marks.handed_in_attempts(attempts_at_hand_in))
    present_mark = marks.mark_of(assignment.counts, marks.handed_in_attempts(attempts), hand_points)
    if mark_at_hand_in is None or present_mark is None:
        return False
    return abs(present_mark - mark_at_hand_in) > marks.ROUNDING_SLACK
