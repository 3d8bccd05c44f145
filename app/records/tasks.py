"""Assignments as a teacher's pages of a class look at them: their parts, for whom, until when."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import bindparam, select

from app.records.errors import NotFound
from app.records.session import Prepared, VerbSession
from app.records.tables import Assignee, Assignment, AssignmentPart, Extension, table

assignment, part = table(Assignment).c, table(AssignmentPart).c
assignee, extension = table(Assignee).c, table(Extension).c


@dataclass(frozen=True, slots=True)
class PartRow:
    """One part of an assignment, as `AssignmentPart` says."""

    id: int
    kind: str
    ref: str
    level: int
    count: int
    same: bool
    points: float


@dataclass(frozen=True, slots=True)
class Task:
    """An assignment with its parts. `only`: the places it is for, None for everyone's."""

    id: int
    title: str
    seed: int
    everyone: bool
    opens_at: datetime | None
    due_at: datetime | None
    late_until: datetime | None
    answers: str
    form: str | None
    pair: int | None
    published_at: datetime | None
    closed_at: datetime | None
    parts: Sequence[PartRow] = ()
    only: frozenset[int] | None = None
    extensions: Mapping[int, datetime | None] = field(default_factory=dict)

    def is_for(self, student_id: int) -> bool:
        return self.only is None or student_id in self.only

    def due(self, student_id: int) -> datetime | None:
        """When it is due for somebody: the latest extension counts, one that was taken back does not."""
        return self.extensions.get(student_id) or self.due_at

    def takes(self, student_id: int, now: datetime) -> bool:
        """Whether somebody may still work at it."""
        if self.published_at is None or self.closed_at is not None or (self.opens_at or now) > now:
            return False
        ends = [at for at in (self.due(student_id), self.late_until) if at is not None]
        return self.due(student_id) is None or now < max(ends)


OWN = tuple(Task.__dataclass_fields__)[:12]
"""The fields that stand in its row."""
columns = [assignment[name] for name in OWN]
OF_CLASS = Prepared(
    select(*columns).where(assignment.classroom_id == bindparam("classroom")).order_by(assignment.id.desc())
)
inside = select(assignment.id).where(assignment.classroom_id == bindparam("classroom"))
PARTS = Prepared(
    select(part.assignment_id, *(part[name] for name in PartRow.__dataclass_fields__))
    .where(part.assignment_id.in_(inside))
    .order_by(part.assignment_id, part.position, part.id)
)
ASSIGNEES = Prepared(
    select(assignee.assignment_id, assignee.enrolment_id).where(assignee.assignment_id.in_(inside))
)
EXTENSIONS = Prepared(
    select(extension.assignment_id, extension.enrolment_id, extension.due_at)
    .where(extension.assignment_id.in_(inside))
    .order_by(extension.id)
)


def of_class(session: VerbSession, classroom_id: int) -> tuple[Task, ...]:
    """All assignments of a class, the newest first, in four statements."""
    parts: dict[int, list[PartRow]] = {}
    for of, *rest in session.all(PARTS, classroom=classroom_id):
        parts.setdefault(of, []).append(PartRow(*rest))
    only: dict[int, set[int]] = {}
    for of, student_id in session.all(ASSIGNEES, classroom=classroom_id):
        only.setdefault(of, set()).add(student_id)
    longer: dict[int, dict[int, datetime | None]] = {}
    for of, student_id, due_at in session.all(EXTENSIONS, classroom=classroom_id):
        longer.setdefault(of, {})[student_id] = due_at
    return tuple(
        Task(
            **dict(zip(OWN, row, strict=True)),
            parts=tuple(parts.get(row[0], ())),
            only=None if row[3] else frozenset(only.get(row[0], ())),
            extensions=longer.get(row[0], {}),
        )
        for row in session.all(OF_CLASS, classroom=classroom_id)
    )


def chosen(found: Sequence[Task], assignment_id: int | None) -> Task | None:
    """The one that an address names; NotFound for one that this class does not have."""
    if assignment_id is None:
        return None
    if (task := next((one for one in found if one.id == assignment_id), None)) is None:
        raise NotFound("这个班没有这份作业。")
    return task
