"""What a teacher did to marks and times, so that nobody has to remember it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select

from app.records.accounts.tables import Account
from app.records.accounts.values import Caller
from app.records.assignments.tables import Assignment, Audit
from app.records.classes import classrooms
from app.records.classes.tables import Enrolment
from app.records.classes.values import ClassRow
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding

PAGE = 100
"""Lines on a page."""

line, assignment, enrolment = table(Audit).c, table(Assignment).c, table(Enrolment).c
account = table(Account).c

ADD = adding(Audit)
LINES = Prepared(
    select(
        line.id,
        line.created_at,
        line.action,
        line.detail,
        line.assignment_id,
        assignment.title,
        line.enrolment_id,
        enrolment.name,
        account.login,
    )
    .select_from(
        table(Audit)
        .outerjoin(table(Assignment), assignment.id == line.assignment_id)
        .outerjoin(table(Enrolment), enrolment.id == line.enrolment_id)
        .outerjoin(table(Account), account.learner_id == line.actor_id)
    )
    .where(line.classroom_id == bindparam("classroom"), line.id < bindparam("before"))
    .order_by(line.id.desc())
    .limit(PAGE + 1)
)
NAMES = Prepared(
    select(enrolment.id, enrolment.name).where(
        enrolment.id.in_(select(line.enrolment_id).where(line.classroom_id == bindparam("classroom")))
        | (enrolment.classroom_id == bindparam("classroom"))
    )
)


def note(
    session: VerbSession,
    classroom_id: int,
    actor_id: int,
    action: str,
    detail: dict[str, Any],
    *,
    assignment_id: int | None = None,
    enrolment_id: int | None = None,
    now: datetime,
) -> None:
    """Add a line. `detail`: what it was, what it became, why; kept as JSON."""
    session.run(
        ADD,
        classroom_id=classroom_id,
        assignment_id=assignment_id,
        enrolment_id=enrolment_id,
        actor_id=actor_id,
        action=action,
        detail=json.dumps(detail, ensure_ascii=False, sort_keys=True),
        created_at=now,
    )


class AuditEntry(NamedTuple):
    """A line as it is read. `student` and `title` are names of today; None where the line has none."""

    id: int
    at: datetime
    action: str
    detail: Mapping[str, Any]
    assignment_id: int | None
    title: str | None
    enrolment_id: int | None
    student: str | None
    actor: str | None


@dataclass(frozen=True, slots=True)
class AuditPage:
    """A page of the log of a class, the latest first. `names`: its students, by place."""

    row: ClassRow
    lines: tuple[AuditEntry, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    older: int | None = None


def load_audit(session: VerbSession, who: Caller, classroom_id: int, before: int | None = None) -> AuditPage:
    """What was done in a class of the teacher who asks; `before`: the id of a line, for the older ones."""
    row = classrooms.taught(session, who, classroom_id)
    rows = session.all(LINES, classroom=row.id, before=before or 2**62)
    lines = tuple(noted(*each) for each in rows[:PAGE])
    names: dict[int, str] = dict(session.all(NAMES, classroom=row.id))
    return AuditPage(row, lines, names, lines[-1].id if len(rows) > PAGE else None)


def noted(number: int, at: datetime, action: str, detail: str, *rest: Any) -> AuditEntry:
    return AuditEntry(number, at, action, json.loads(detail), *rest)
