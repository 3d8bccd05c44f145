"""When an assignment may be done: opening, due time, late work, an extension, the closing."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from app.records.assignments.values import AssignmentRow, ExtensionRow, Schedule, State, StudentAssignment

MINUTE = timedelta(minutes=1)
"""A time that a teacher sets is a minute: what is due at 23:59 may be handed in at 23:59:40."""
FAR = datetime(9999, 1, 1, tzinfo=UTC)
"""Never, as a moment: results of which nobody knows yet when they are shown."""


def schedule(assignment: AssignmentRow, extension: ExtensionRow | None, now: datetime) -> Schedule:
    """The times of one student. Of the due time for all and an extension the later one holds, and no due time
    for all is the latest; an extension that ends after the closing outlives it, and holds alone then."""
    longer = extension.due_at if extension else None
    closed = assignment.closed_at
    due, late = assignment.due_at, assignment.late_until
    if longer and closed and longer + MINUTE > closed:
        due, late, closed = longer, None, None
    elif due and longer:
        due = max(due, longer)
    until = max(due, late) if due and late else due
    return Schedule(
        opens_at=assignment.opens_at,
        due_at=due,
        until=min(filter(None, (until, closed)), default=None),
        late_factor=assignment.late_factor,
        state=state(assignment, due, until, closed, now),
    )


def schedule_of(given: StudentAssignment, now: datetime) -> Schedule:
    """The times of a student at their assignment; over once it is no longer theirs."""
    found = schedule(given.assignment, given.extension, now)
    return found if given.live else replace(found, state="over")


def state(
    assignment: AssignmentRow,
    due: datetime | None,
    until: datetime | None,
    closed: datetime | None,
    now: datetime,
) -> State:
    if assignment.published_at is None:
        return "draft"
    if (closed and now >= closed) or (until and now >= until + MINUTE):
        return "over"
    if assignment.opens_at and now < assignment.opens_at:
        return "soon"
    return "late" if due and now >= due + MINUTE else "open"


def shown_from(
    assignment: AssignmentRow, extension: ExtensionRow | None, handed_in_at: datetime | None
) -> datetime | None:
    """From when a student may see how a pass went; None: always."""
    if assignment.answers == "at_once":
        return None
    if handed_in_at is None or assignment.answers == "never":
        return FAR
    if assignment.answers == "handed_in":
        return handed_in_at
    return max(handed_in_at, ends_at(assignment, extension))


def ends_at(assignment: AssignmentRow, extension: ExtensionRow | None) -> datetime:
    """From when nothing is taken any more of one student; FAR while nobody knows."""
    until = schedule(assignment, extension, FAR).until
    if until is None:
        return FAR
    return until if until == assignment.closed_at else until + MINUTE
