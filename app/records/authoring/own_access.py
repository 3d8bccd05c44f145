"""Who may learn from own content, and from how much of it: the link, what was assigned, and what is sealed.

Only what is assigned opens, and an item that an assignment asks opens nowhere else before its results are out
for whoever looks. Whoever has the link, and is not in the class, waits until the assignment is over.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, or_, select

from app.course.authoring.opened_content import WHOLE_CONTENT, Opening
from app.course.content.refs import own_prefix
from app.records.accounts import accounts, learners
from app.records.accounts.values import Caller
from app.records.assignments.deadlines import schedule, schedule_of, shown_from
from app.records.assignments.rows import ASSIGNMENT, ASSIGNMENTS, PART, PARTS
from app.records.assignments.values import AssignmentRow, PartRow, StudentAssignment
from app.records.authoring.own_courses import WITH_AUTHOR, OwnCourseRow, opens
from app.records.classes.classrooms import CALLER_ID
from app.records.db.errors import NotFound
from app.records.db.session import Prepared, RowQuery, VerbSession
from app.records.grading.student_assignments import (
    CLASSROOM,
    ENROLMENT,
    IS_ASSIGNEE,
    IS_LIVE,
    with_records,
    without_work,
)


class OpenedContent(NamedTuple):
    """Own content, and what of it is open to whoever asked."""

    row: OwnCourseRow
    opening: Opening


def opened(session: VerbSession, caller: Caller, own_id: int, token: str, now: datetime) -> OpenedContent:
    """For its teacher, for everyone with its link, and for whom it was assigned to: to be learned from."""
    visitor = accounts.load_visitor(session, caller)
    row = session.first(WITH_AUTHOR, own=own_id)
    if row is None:
        raise NotFound(NO_SUCH_LESSON)
    by_link = opens(row, token)
    if row.learner_id == visitor.learner_id or (by_link and visitor.teacher):
        return OpenedContent(row, WHOLE_CONTENT)
    opening = opening_of(session, caller, own_prefix(own_id), by_link, now)
    if opening.is_empty:
        raise NotFound(NO_SUCH_LESSON)
    return OpenedContent(row, opening)


NO_SUCH_LESSON = "没有这一课，或者它没有布置给你。"
OF_CONTENT = PART.ref.startswith(bindparam("prefix"))
WITH_CONTENT = ASSIGNMENT.id.in_(select(PART.assignment_id).where(OF_CONTENT))
TASKS_WITH_CONTENT = Prepared(
    ASSIGNMENTS.add_columns(CLASSROOM.name, ENROLMENT.id, ENROLMENT.learner_id, ENROLMENT.joined_at, IS_LIVE)
    .where(
        WITH_CONTENT,
        ASSIGNMENT.published_at.is_not(None),
        CLASSROOM.id == ASSIGNMENT.classroom_id,
        ENROLMENT.learner_id == CALLER_ID,
        ENROLMENT.classroom_id == ASSIGNMENT.classroom_id,
        ENROLMENT.removed_at.is_(None),
        or_(ASSIGNMENT.everyone, IS_ASSIGNEE),
    )
    .order_by(ASSIGNMENT.id)
)
"""Also those of an archived class: what was learnt there stays open."""
UNCLOSED_WITH_CONTENT = RowQuery(
    AssignmentRow,
    ASSIGNMENTS.where(WITH_CONTENT, ASSIGNMENT.published_at.is_not(None), ASSIGNMENT.closed_at.is_(None)),
)
PARTS_OF_CONTENT = RowQuery(PartRow, PARTS.where(OF_CONTENT))


def opening_of(session: VerbSession, caller: Caller, prefix: str, by_link: bool, now: datetime) -> Opening:
    """What is open to somebody who is not its teacher."""
    content = {"prefix": f"{prefix}:"}
    parts = defaultdict[int, list[PartRow]](list)
    for part in session.all(PARTS_OF_CONTENT, **content):
        parts[part.assignment_id].append(part)
    tasks = tasks_with(session, caller, content)
    own_ids = {task.assignment.id for task in tasks}
    sealed: set[str] = set()
    for assignment in session.all(UNCLOSED_WITH_CONTENT, **content):
        if assignment.id not in own_ids and schedule(assignment, None, now).state != "over":
            sealed.update(names(parts[assignment.id], "item"))
    opened_parts: list[PartRow] = []
    for task in tasks:
        is_out = results_are_out(task, now)
        if not is_out:
            sealed.update(names(parts[task.assignment.id], "item"))
        if schedule_of(task, now).state != "soon":
            opened_parts += [part for part in parts[task.assignment.id] if is_out or part.kind != "item"]
    return Opening(
        whole=by_link,
        sections=frozenset(name.partition("/")[2] for name in names(opened_parts, "section")),
        items=frozenset(names(opened_parts, "item")),
        cards=any(part.kind == "cards" for part in opened_parts),
        sealed=frozenset(sealed),
    )


def tasks_with(session: VerbSession, caller: Caller, content: dict[str, str]) -> Sequence[StudentAssignment]:
    """The assignments of the caller that ask something of this content, with what was done in them."""
    sign_in = learners.token_hash(caller.token or "")
    rows = session.all(TASKS_WITH_CONTENT, hash=sign_in, **content)
    tasks = [without_work(row) for row in rows]
    if not tasks:
        return ()
    return with_records(session, tasks)


def names(parts: Iterable[PartRow], kind: str) -> Iterable[str]:
    """The ids inside the content of the parts of one kind."""
    return [part.ref.partition(":")[2] for part in parts if part.kind == kind]


def results_are_out(task: StudentAssignment, now: datetime) -> bool:
    """Whether this student may know the answers: a hand-in is shown, or nothing is taken any more."""
    assignment = task.assignment
    if assignment.answers == "never":
        return False
    for attempt in task.submissions:
        if attempt.handed_in_at:
            shown_at = shown_from(assignment, task.extension, attempt.handed_in_at)
            if shown_at is None or shown_at <= now:
                return True
    return schedule_of(task, now).state == "over"
