"""The log of a class: what was done to an assignment in it, and how the log is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, or_, select, type_coerce

from app.records.accounts.learners import ACCOUNT
from app.records.accounts.tables import Account
from app.records.accounts.values import Caller
from app.records.assignments.rows import ASSIGNMENT, has_work_at
from app.records.assignments.tables import Assignment
from app.records.assignments.values import TaughtAssignment
from app.records.classes import class_log, classrooms
from app.records.classes.class_log import AUDIT
from app.records.classes.classrooms import ENROLMENT, IS_OF_CLASS
from app.records.classes.tables import Audit, Enrolment
from app.records.classes.values import ClassRow
from app.records.db.metadata import table
from app.records.db.portable import JsonText
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery

LINES_PER_PAGE = 20
ABOVE_ALL_IDS = 2**62
"""No line has such a number."""


def add_line(
    session: VerbSession,
    taught_assignment: TaughtAssignment,
    action: str,
    log_detail: Mapping[str, Any],
    now: datetime,
    enrolment_id: int | None = None,
) -> None:
    """Add a line of whoever asked for the assignment. `log_detail`: what it was, what it became,
    why; stored as JSON."""
    class_log.add_line(
        session,
        taught_assignment.classroom,
        action,
        log_detail,
        now,
        enrolment_id,
        taught_assignment.assignment.id,
    )


FORM_CHANGES = PreparedStatement(
    select(AUDIT.action, type_coerce(AUDIT.detail, JsonText), AUDIT.created_at)
    .where(
        AUDIT.assignment_id == bindparam("assignment"),
        or_(AUDIT.action == "pair", AUDIT.action == "settings"),
    )
    .order_by(AUDIT.id)
)


def became_pre_test_by_pair_at(session: VerbSession, assignment_id: int) -> datetime | None:
    """When the 后测 was drafted that made it a 前测, as the log says; None for one that its teacher
    ticked."""
    became_pre_test_at = None
    for action, log_detail, noted_at in session.all(FORM_CHANGES, assignment=assignment_id):
        if "form" in log_detail:
            became_pre_test_at = noted_at if action == "pair" else None
    return became_pre_test_at


def setting_changes(old_settings: Mapping[str, Any], new_settings: Mapping[str, Any]) -> dict[str, Any]:
    """What was and what is, for what differs."""
    old_and_new_by_name = {}
    for setting_name, new_setting in new_settings.items():
        old_setting = old_settings[setting_name]
        if old_setting != new_setting:
            old_and_new_by_name[setting_name] = [setting_as_json(old_setting), setting_as_json(new_setting)]
    return old_and_new_by_name


def due_time_detail(former_due_at: datetime | None, due_at: datetime | None, reason: str) -> dict[str, Any]:
    """What a line keeps of another due time."""
    return {"due_at": [setting_as_json(former_due_at), setting_as_json(due_at)], "note": reason}


def setting_as_json(setting_value: Any) -> Any:
    """A setting as a line keeps it: times as text."""
    if isinstance(setting_value, datetime):
        return setting_value.isoformat()
    return setting_value


class AuditEntry(NamedTuple):
    """A line as it is read. Both names are those of today, None where it has none. `is_published`: whether
    its assignment is now; what was taken back has no work of students. `has_cell`: whether its student is in
    the class, or has left work at its assignment."""

    id: int
    noted_at: datetime
    action: str
    detail: Mapping[str, Any]
    assignment_id: int | None
    assignment_title: str | None
    enrolment_id: int | None
    student_name: str | None
    actor_login: str | None
    is_published: bool = False
    has_cell: bool = False


@dataclass(frozen=True, slots=True)
class AuditPage:
    """A page of the log of a class, the latest first. `next_before_id`: from where the older ones
    go on."""

    classroom: ClassRow
    lines: tuple[AuditEntry, ...]
    student_name_by_enrolment_id: Mapping[int, str] = field(default_factory=dict)
    next_before_id: int | None = None


IS_LINE_OF_CLASS = AUDIT.classroom_id == bindparam("classroom")
AUDIT_WITH_NAMES = (
    table(Audit)
    .outerjoin(table(Assignment), ASSIGNMENT.id == AUDIT.assignment_id)
    .outerjoin(table(Enrolment), ENROLMENT.id == AUDIT.enrolment_id)
    .outerjoin(table(Account), ACCOUNT.learner_id == AUDIT.actor_id)
)
LINES_OF_CLASS = RowQuery(
    AuditEntry,
    select(
        AUDIT.id,
        AUDIT.created_at.label("noted_at"),
        AUDIT.action,
        type_coerce(AUDIT.detail, JsonText).label("detail"),
        AUDIT.assignment_id,
        ASSIGNMENT.title.label("assignment_title"),
        AUDIT.enrolment_id,
        ENROLMENT.name.label("student_name"),
        ACCOUNT.login.label("actor_login"),
        ASSIGNMENT.published_at.is_not(None).label("is_published"),
        or_(IS_OF_CLASS, has_work_at(AUDIT.assignment_id)).label("has_cell"),
    )
    .select_from(AUDIT_WITH_NAMES)
    .where(IS_LINE_OF_CLASS, AUDIT.id < bindparam("before"))
    .order_by(AUDIT.id.desc())
    .limit(LINES_PER_PAGE + 1),
)
IDS_NAMED_IN_LOG = select(AUDIT.enrolment_id).where(IS_LINE_OF_CLASS)
NAMES_IN_LOG = PreparedStatement(
    select(ENROLMENT.id, ENROLMENT.name).where(
        or_(ENROLMENT.id.in_(IDS_NAMED_IN_LOG), ENROLMENT.classroom_id == bindparam("classroom"))
    )
)


def load_audit(
    session: VerbSession, caller: Caller, classroom_id: int, before_id: int | None = None
) -> AuditPage:
    """What was done in a class of the teacher who asks; `before_id`: the id of a line, for the older ones."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    below_id = before_id or ABOVE_ALL_IDS
    audit_entries = session.all(LINES_OF_CLASS, classroom=classroom_id, before=below_id)
    name_rows = session.all(NAMES_IN_LOG, classroom=classroom_id)
    student_name_by_enrolment_id: dict[int, str] = dict(name_rows)
    next_before_id = None
    if len(audit_entries) > LINES_PER_PAGE:
        audit_entries.pop()
        next_before_id = audit_entries[-1].id
    return AuditPage(classroom, tuple(audit_entries), student_name_by_enrolment_id, next_before_id)
