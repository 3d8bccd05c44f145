"""收卷: the teacher ends an assignment and takes in what was not handed in."""

from datetime import datetime

from app.records.accounts.values import Caller
from app.records.assignments import assignments
from app.records.assignments.deadlines import MINUTE, schedule
from app.records.assignments.values import AssignmentRow, StudentAssignment, SubmissionRow
from app.records.classes import classrooms
from app.records.db.errors import Refused
from app.records.db.session import VerbSession
from app.records.grading import submissions
from app.records.grading.submissions import Courses
from app.records.learning import attempts


def collect(
    session: VerbSession, who: Caller, classroom_id: int, assignment_id: int, courses: Courses, now: datetime
) -> int:
    """Close it, and hand in for everybody what they have saved. Returns how many papers that were.

    Whoever was given more time than this keeps it. Late is who worked on after the due time, not who did not
    press the button.
    """
    row, found = assignments.changed(session, who, classroom_id, assignment_id)
    if found.published_at is None:
        raise Refused("还没有发布，没有卷子可收。")
    assignments.close(session, who, row.id, found.id, now)
    closed = assignments.of_class(session, row.id, found.id)
    taken = [
        take_in(session, given, courses, now)
        for given in everybody(session, row.name, closed)
        if not schedule(closed, given.extension, now).takes
    ]
    if sum(taken):
        assignments.note(session, who, row, found.id, "collect", {"papers": sum(taken)}, now)
    return sum(taken)


def everybody(session: VerbSession, name: str, found: AssignmentRow) -> list[StudentAssignment]:
    """The assignment as each student has it who is in the class."""
    parts = assignments.parts_of(session, found.id)
    extended = assignments.extensions_of(session, found.id)
    chosen = None if found.everyone else assignments.assignees_of(session, found.id)
    passes: dict[int, list[SubmissionRow]] = {}
    for one in assignments.submissions_of(session, found.id):
        passes.setdefault(one.enrolment_id, []).append(one)
    return [
        StudentAssignment(
            found,
            name,
            one.id,
            one.learner_id,
            one.joined_at,
            extended.get(one.id),
            parts,
            tuple(passes.get(one.id, ())),
        )
        for one in classrooms.students(session, found.classroom_id)
        if one.removed_at is None and (chosen is None or one.id in chosen or one.id in passes)
    ]


def take_in(session: VerbSession, given: StudentAssignment, courses: Courses, now: datetime) -> bool:
    """Hand in for one student what there is; False where there is nothing."""
    left = given.begun
    if left is None and not given.submissions and did_elsewhere(session, given, courses, now):
        left = submissions.start(session, given, now)
    if left is None:
        return False
    factor = factor_of(session, given, left, courses, now)
    submissions.finish(session, given, left, courses, now, factor, collected=True)
    return True


def did_elsewhere(session: VerbSession, given: StudentAssignment, courses: Courses, now: datetime) -> bool:
    """Whether a section was learnt, cards were reviewed or a game was played for it, while it was taken."""
    return any(submissions.shares_of(session, given, courses, now).values())


def factor_of(
    session: VerbSession, given: StudentAssignment, left: SubmissionRow, courses: Courses, now: datetime
) -> float:
    """What being late costs: some of what counts was done after the due time, in the pass or elsewhere."""
    worked = last_work(session, left)
    times = schedule(given.assignment, given.extension, worked or now)
    if worked and times.factor != 1:
        return times.factor
    return times.late_factor if more_since(session, given, courses, times.due_at, now) else 1.0


def more_since(
    session: VerbSession, given: StudentAssignment, courses: Courses, due: datetime | None, now: datetime
) -> bool:
    """Whether more counts of what was done elsewhere than was done by the due time."""
    if due is None:
        return False
    by_then = submissions.shares_of(session, given, courses, due + MINUTE)
    return by_then != submissions.shares_of(session, given, courses, now)


def last_work(session: VerbSession, left: SubmissionRow) -> datetime | None:
    """When something was last written into a pass."""
    saved = [one.saved_at for one in submissions.saved_in(session, left.attempt_id).values()]
    answered = [one.created_at for one in attempts.responses_of(session, left.attempt_id)]
    return max(saved + answered, default=None)
