"""Who handed in below the pass line: by the mark that stands in the gradebook, whenever answers are shown."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import select

from app.course.assignments.question_sets import full_points_of
from app.records.assignments.assigned import AssignedTask
from app.records.db.portable import is_one_of
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.grading.marks import counting_attempt, final_mark_of, handed_in_attempts, is_passing_mark
from app.records.grading.values import CellIds
from app.records.insight.class_activity import ClassActivity
from app.records.insight.live_status import AttemptProgress, Failure, most_frequent_code
from app.records.insight.misconceptions import HAS_MISCONCEPTION, IS_RE_MARKED
from app.records.learning.rows import RESPONSE

FailureByCellIds = Mapping[CellIds, Failure]

MISTAKES = PreparedStatement(
    select(RESPONSE.attempt_id, RESPONSE.misconception_code)
    .where(is_one_of(RESPONSE.attempt_id, "attempts"), HAS_MISCONCEPTION, ~IS_RE_MARKED)
    .order_by(RESPONSE.id)
)


def load_failure_by_cell_ids(
    session: VerbSession, tasks: Sequence[AssignedTask], class_activity: ClassActivity
) -> FailureByCellIds:
    """Marks below the pass line at open assignments, with their mistakes: one statement."""
    failure_by_cell_ids = {}
    attempt_id_by_cell_ids = {}
    for task in tasks:
        counting_rule = task.assignment.counts
        attempts_by_enrolment_id = class_activity.attempts_by_enrolment_id_of_task(task)
        for enrolment_id in {**attempts_by_enrolment_id, **task.hand_points_by_enrolment_id}:
            attempt_progresses = attempts_by_enrolment_id.get(enrolment_id, ())
            attempts_handed_in = handed_in_attempts(attempt_progresses)
            hand_points = task.hand_points_by_enrolment_id.get(enrolment_id)
            points = final_mark_of(counting_rule, attempts_handed_in, hand_points)
            if points is None or enrolment_id in task.excused_enrolment_ids:
                continue
            cell_ids = (task.id, enrolment_id)
            full_marks = full_points_of(task.parts)
            counted_progress = counted_progress_of(counting_rule, attempt_progresses)
            if counted_progress is not None:
                full_marks = counted_progress.full_marks or 0.0
            if is_passing_mark(points, full_marks):
                continue
            failure_by_cell_ids[cell_ids] = Failure(points, full_marks)
            if counted_progress is not None:
                attempt_id_by_cell_ids[cell_ids] = counted_progress.attempt_id
    codes_by_attempt_id = load_misconception_codes_by_attempt_id(
        session, list(attempt_id_by_cell_ids.values())
    )
    for cell_ids, attempt_id in attempt_id_by_cell_ids.items():
        misconception_code = most_frequent_code(codes_by_attempt_id.get(attempt_id, ()))
        failure_by_cell_ids[cell_ids] = failure_by_cell_ids[cell_ids]._replace(
            misconception_code=misconception_code
        )
    return failure_by_cell_ids


def counted_progress_of(
    counting_rule: str, attempt_progresses: Sequence[AttemptProgress]
) -> AttemptProgress | None:
    """The attempt that counts; None where nothing was handed in."""
    attempt_that_counts = counting_attempt(counting_rule, handed_in_attempts(attempt_progresses))
    for attempt_progress in attempt_progresses:
        if attempt_that_counts is not None and attempt_progress.number == attempt_that_counts.number:
            return attempt_progress
    return None


def load_misconception_codes_by_attempt_id(
    session: VerbSession, attempt_ids: Sequence[int]
) -> Mapping[int, Sequence[str]]:
    """The misconceptions that were diagnosed in attempts, in their order; not by an item that was faulty."""
    codes_by_attempt_id = defaultdict[int, list[str]](list)
    for attempt_id, misconception_code in session.all(MISTAKES, attempts=attempt_ids):
        codes_by_attempt_id[attempt_id].append(misconception_code)
    return codes_by_attempt_id
