"""Who may learn from own content, and from how much of it: the link, what was assigned, and what is sealed.

Only what is assigned opens, and an item that an assignment asks opens nowhere else before its results are out
for whoever looks. Whoever has the link, and is not in the class, waits until the assignment is over.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, or_, select

from app.course.authoring.opened_content import FULL_ACCESS, ContentAccess
from app.course.content.refs import own_prefix
from app.records.accounts import learners
from app.records.accounts.learners import CALLER_ID
from app.records.accounts.values import Caller
from app.records.assignments.deadlines import (
    MAY_BE_WORKED_AT,
    newest_passed_time,
    schedule_of,
    shown_from,
)
from app.records.assignments.rows import ASSIGNMENT, ASSIGNMENTS_QUERY, PART, PARTS_QUERY
from app.records.assignments.values import AssignmentRow, PartRow, StudentAssignment
from app.records.authoring.own_courses import (
    CONTENT_AFTER_DELETION,
    OWN_COURSE_WITH_AUTHOR,
    OwnCourseRow,
    is_share_token,
)
from app.records.classes.classrooms import CLASSROOM, ENROLMENT
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery
from app.records.grading.student_assignments import (
    IS_ASSIGNEE,
    STUDENT_COLUMNS,
    student_assignment_of_row,
    with_records,
)

NO_SUCH_LESSON_SENTENCE = "没有这一课，或者它没有布置给你。"


class OpenedContent(NamedTuple):
    """Own content, and what of it is open to whoever asked."""

    content: OwnCourseRow
    access: ContentAccess


def load_opened_content(
    session: VerbSession, caller: Caller, own_content_id: int, share_token: str, now: datetime
) -> OpenedContent:
    """Own content to be learned from: by its teacher, whoever has its link, and those it was assigned to."""
    visitor = learners.load_visitor(session, caller)
    is_opened_by_link = False
    own_content = session.first(OWN_COURSE_WITH_AUTHOR, own=own_content_id)
    if own_content:
        is_opened_by_link = is_share_token(own_content, share_token)
        is_own = own_content.learner_id == visitor.learner_id
        if is_own or (is_opened_by_link and visitor.is_teacher):
            return OpenedContent(own_content, FULL_ACCESS)
    else:
        own_content = session.first(CONTENT_AFTER_DELETION, own=own_content_id)
        if own_content is None:
            raise NotFound(NO_SUCH_LESSON_SENTENCE)
    course_prefix = own_prefix(own_content_id)
    content_access = content_access_of(session, caller, course_prefix, is_opened_by_link, now)
    if content_access.is_empty:
        raise NotFound(NO_SUCH_LESSON_SENTENCE)
    return OpenedContent(own_content, content_access)


IS_OF_CONTENT = PART.ref.startswith(bindparam("prefix"))
REFERRING_ASSIGNMENTS = select(PART.assignment_id).where(IS_OF_CONTENT)
PUBLISHED_ASSIGNMENTS = ASSIGNMENTS_QUERY.where(
    ASSIGNMENT.id.in_(REFERRING_ASSIGNMENTS), ASSIGNMENT.published_at.is_not(None)
)
"""The assignments that ask something of own content."""
TASKS_WITH_CONTENT = PreparedStatement(
    PUBLISHED_ASSIGNMENTS.add_columns(*STUDENT_COLUMNS)
    .where(
        CLASSROOM.id == ASSIGNMENT.classroom_id,
        ENROLMENT.learner_id == CALLER_ID,
        ENROLMENT.classroom_id == ASSIGNMENT.classroom_id,
        ENROLMENT.removed_at.is_(None),
        or_(ASSIGNMENT.everyone, IS_ASSIGNEE),
    )
    .order_by(ASSIGNMENT.id)
)
"""Also those of an archived class: what was learnt there stays open."""
UNFINISHED_ASSIGNMENTS_WITH_CONTENT = RowQuery(AssignmentRow, PUBLISHED_ASSIGNMENTS.where(MAY_BE_WORKED_AT))
"""Also those that are over but for somebody with an extension."""
PARTS_OF_CONTENT = RowQuery(PartRow, PARTS_QUERY.where(IS_OF_CONTENT))


def content_access_of(
    session: VerbSession, caller: Caller, course_prefix: str, is_opened_by_link: bool, now: datetime
) -> ContentAccess:
    """What is open to somebody who is not its teacher."""
    prefix_parameter = {"prefix": f"{course_prefix}:"}
    parts_by_assignment_id = defaultdict[int, list[PartRow]](list)
    for part in session.all(PARTS_OF_CONTENT, **prefix_parameter):
        parts_by_assignment_id[part.assignment_id].append(part)
    student_assignments = student_assignments_of_content(session, caller, prefix_parameter)
    given_assignment_ids = {student_assignment.assignment.id for student_assignment in student_assignments}
    sealed_item_ids: set[str] = set()
    unfinished_assignments = session.all(
        UNFINISHED_ASSIGNMENTS_WITH_CONTENT, **prefix_parameter, newest_passed_time=newest_passed_time(now)
    )
    for assignment in unfinished_assignments:
        if assignment.id not in given_assignment_ids:
            sealed_parts = parts_by_assignment_id[assignment.id]
            sealed_item_ids.update(paths_in_content_of_kind(sealed_parts, "item"))
    opened_parts: list[PartRow] = []
    for student_assignment in student_assignments:
        task_parts = parts_by_assignment_id[student_assignment.assignment.id]
        may_know_answers = are_results_out(student_assignment, now)
        if not may_know_answers:
            sealed_item_ids.update(paths_in_content_of_kind(task_parts, "item"))
        if schedule_of(student_assignment, now).state != "soon":
            opened_parts += [part for part in task_parts if may_know_answers or part.kind != "item"]
    section_paths = paths_in_content_of_kind(opened_parts, "section")
    item_ids = paths_in_content_of_kind(opened_parts, "item")
    return ContentAccess(
        is_whole=is_opened_by_link,
        section_ids=frozenset(section_path.partition("/")[2] for section_path in section_paths),
        item_ids=frozenset(item_ids),
        are_cards_open=any(part.kind == "cards" for part in opened_parts),
        sealed_item_ids=frozenset(sealed_item_ids),
    )


def student_assignments_of_content(
    session: VerbSession, caller: Caller, prefix_parameter: dict[str, str]
) -> Sequence[StudentAssignment]:
    """The assignments of the caller that ask something of this content, with what was done in them."""
    token_hash = learners.caller_token_hash(caller)
    assignment_rows = session.all(TASKS_WITH_CONTENT, hash=token_hash, **prefix_parameter)
    student_assignments = [student_assignment_of_row(assignment_row) for assignment_row in assignment_rows]
    if not student_assignments:
        return ()
    return with_records(session, student_assignments)


def paths_in_content_of_kind(parts: Iterable[PartRow], part_kind: str) -> Iterable[str]:
    """The ids inside the content of the parts of one kind."""
    parts_of_kind = [part for part in parts if part.kind == part_kind]
    return [part.ref.partition(":")[2] for part in parts_of_kind]


def are_results_out(student_assignment: StudentAssignment, now: datetime) -> bool:
    """Whether this student may know the answers: a hand-in is shown, or nothing is taken any more."""
    assignment = student_assignment.assignment
    if assignment.answers == "never":
        return False
    for attempt in student_assignment.attempts:
        if attempt.handed_in_at:
            shown_at = shown_from(assignment, student_assignment.extension, attempt.handed_in_at)
            if shown_at is None or shown_at <= now:
                return True
    return schedule_of(student_assignment, now).state == "over"
