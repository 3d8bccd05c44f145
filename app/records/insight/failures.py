"""Who handed in below the pass line: by the mark that stands in the gradebook, whenever answers are shown."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import select

from app.records.assignments.assigned import AssignedTask
from app.records.db.portable import is_one_of
from app.records.db.session import Prepared, VerbSession
from app.records.grading.marks import counting_attempt, handed_in_attempts, has_passed, waiting_of
from app.records.insight.class_activity import ClassActivity
from app.records.insight.live_status import AttemptProgress, Failure, most_frequent
from app.records.insight.misconceptions import HAS_MISTAKE, IS_RE_MARKED
from app.records.learning.rows import RESPONSE

Failures = Mapping[tuple[int, int], Failure]
"""By assignment and enrolment."""

MISTAKES = Prepared(
    select(RESPONSE.attempt_id, RESPONSE.misconception)
    .where(is_one_of(RESPONSE.attempt_id, "attempts"), HAS_MISTAKE, ~IS_RE_MARKED)
    .order_by(RESPONSE.id)
)


def load_failures(session: VerbSession, tasks: Sequence[AssignedTask], activity: ClassActivity) -> Failures:
    """Marks below the pass line at open assignments, with their mistakes: one statement."""
    counting_ids = {}
    marks = {}
    for task in tasks:
        for enrolment_id, attempts in activity.attempts_at(task).items():
            handed_in = handed_in_attempts(attempts)
            counting = counting_attempt(task.assignment.counts, handed_in)
            if counting is None or enrolment_id in task.excused_ids:
                continue
            cell_key = (task.id, enrolment_id)
            attempt = next(attempt for attempt in attempts if attempt.number == counting.number)
            if waiting_of(task.assignment.counts, handed_in, attempt.override):
                continue
            points, total = mark_of(attempt)
            if not has_passed(points, total):
                counting_ids[cell_key] = attempt.attempt_id
                marks[cell_key] = (points, total)
    mistakes = load_mistakes(session, list(counting_ids.values()))
    failures = {}
    for cell_key, (points, total) in marks.items():
        names = mistakes.get(counting_ids[cell_key], ())
        failures[cell_key] = Failure(points, total, most_frequent(names))
    return failures


def mark_of(attempt: AttemptProgress) -> tuple[float, float]:
    """What an attempt is worth, and the full marks; what the teacher set counts before it."""
    total = attempt.total or 0.0
    if attempt.override is not None:
        return attempt.override, total
    points = attempt.points or 0.0
    return points * attempt.factor, total


def load_mistakes(session: VerbSession, attempt_ids: Sequence[int]) -> Mapping[int, Sequence[str]]:
    """The misconceptions that were diagnosed in attempts, in their order; not by an item that was faulty."""
    mistakes = defaultdict[int, list[str]](list)
    for attempt_id, misconception_code in session.all(MISTAKES, attempts=attempt_ids):
        mistakes[attempt_id].append(misconception_code)
    return mistakes
