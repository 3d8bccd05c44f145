"""Who handed in below the pass line: by the mark that stands in the gradebook, whenever answers are shown."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import select

from app.records.assignments.assigned import AssignedTask
from app.records.assignments.deadlines import points_after_lateness
from app.records.db.portable import is_one_of
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.grading.marks import counting_attempt, handed_in_attempts, has_passed, waiting_count_of
from app.records.insight.class_activity import ClassActivity
from app.records.insight.live_status import AttemptProgress, Failure, most_frequent
from app.records.insight.misconceptions import HAS_MISCONCEPTION, IS_RE_MARKED
from app.records.learning.rows import RESPONSE

FailureByCellIds = Mapping[tuple[int, int], Failure]
"""By assignment and enrolment."""

MISTAKES = PreparedStatement(
    select(RESPONSE.attempt_id, RESPONSE.misconception)
    .where(is_one_of(RESPONSE.attempt_id, "attempts"), HAS_MISCONCEPTION, ~IS_RE_MARKED)
    .order_by(RESPONSE.id)
)


def load_failure_by_cell_ids(
    session: VerbSession, tasks: Sequence[AssignedTask], class_activity: ClassActivity
) -> FailureByCellIds:
    """Marks below the pass line at open assignments, with their mistakes: one statement."""
    attempt_id_by_cell_ids = {}
    points_and_full_marks_by_cell_ids = {}
    for task in tasks:
        for enrolment_id, attempt_progresses in class_activity.attempts_by_enrolment_id_of_task(task).items():
            submissions = handed_in_attempts(attempt_progresses)
            attempt_that_counts = counting_attempt(task.assignment.counts, submissions)
            if attempt_that_counts is None or enrolment_id in task.excused_ids:
                continue
            cell_ids = (task.id, enrolment_id)
            attempt_progress = next(
                attempt_progress
                for attempt_progress in attempt_progresses
                if attempt_progress.number == attempt_that_counts.number
            )
            if waiting_count_of(task.assignment.counts, submissions, attempt_progress.points_by_hand):
                continue
            points, full_marks = points_and_full_marks(attempt_progress)
            if not has_passed(points, full_marks):
                attempt_id_by_cell_ids[cell_ids] = attempt_progress.attempt_id
                points_and_full_marks_by_cell_ids[cell_ids] = (points, full_marks)
    codes_by_attempt_id = load_misconception_codes_by_attempt_id(
        session, list(attempt_id_by_cell_ids.values())
    )
    failure_by_cell_ids = {}
    for cell_ids, (points, full_marks) in points_and_full_marks_by_cell_ids.items():
        misconception_codes = codes_by_attempt_id.get(attempt_id_by_cell_ids[cell_ids], ())
        failure_by_cell_ids[cell_ids] = Failure(points, full_marks, most_frequent(misconception_codes))
    return failure_by_cell_ids


def points_and_full_marks(attempt_progress: AttemptProgress) -> tuple[float, float]:
    """What an attempt is worth, and the full marks; what the teacher set counts before it."""
    full_marks = attempt_progress.full_marks or 0.0
    if attempt_progress.points_by_hand is not None:
        return attempt_progress.points_by_hand, full_marks
    return points_after_lateness(attempt_progress.points or 0.0, attempt_progress.late_factor), full_marks


def load_misconception_codes_by_attempt_id(
    session: VerbSession, attempt_ids: Sequence[int]
) -> Mapping[int, Sequence[str]]:
    """The misconceptions that were diagnosed in attempts, in their order; not by an item that was faulty."""
    codes_by_attempt_id = defaultdict[int, list[str]](list)
    for attempt_id, misconception_code in session.all(MISTAKES, attempts=attempt_ids):
        codes_by_attempt_id[attempt_id].append(misconception_code)
    return codes_by_attempt_id
