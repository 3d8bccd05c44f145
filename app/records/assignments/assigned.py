"""Assignments as a teacher's pages of a class look at them: their parts, for whom, until when."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import bindparam, exists, or_, select

from app.records.assignments.deadlines import schedule
from app.records.assignments.tables import Assignee, Assignment, AssignmentPart, Extension, Submission
from app.records.assignments.values import AssignmentRow, ExtensionRow, PartRow
from app.records.classes.tables import Classroom
from app.records.classes.values import Student
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.learning.tables import Attempt

assignment, part = table(Assignment).c, table(AssignmentPart).c
assignee, extension = table(Assignee).c, table(Extension).c
attempt, submission, classroom = table(Attempt).c, table(Submission).c, table(Classroom).c
its_teacher = select(classroom.teacher_id).where(classroom.id == bindparam("classroom")).scalar_subquery()
readable = or_(
    attempt.source != "assignment",
    exists()
    .where(
        submission.attempt_id == attempt.id,
        assignment.id == submission.assignment_id,
        classroom.id == assignment.classroom_id,
        classroom.teacher_id == its_teacher,
    )
    .correlate(table(Attempt)),
)
"""Whether the teacher of `classroom` may read an attempt: never one that another teacher assigned."""


@dataclass(frozen=True, slots=True)
class AssignedTask:
    """An assignment with its parts. `only`: the places it is for, None for everyone's."""

    row: AssignmentRow
    parts: Sequence[PartRow] = ()
    only: frozenset[int] | None = None
    extensions: Mapping[int, ExtensionRow] = field(default_factory=dict)

    @property
    def id(self) -> int:
        return self.row.id

    @property
    def title(self) -> str:
        return self.row.title

    def is_for(self, student_id: int) -> bool:
        return self.only is None or student_id in self.only

    def receivers(self, students: Iterable[Student], worked: Container[int]) -> tuple[Student, ...]:
        """Whom it is for, but for those who came when it was over; and who has worked at it."""
        return tuple(one for one in students if one.id in worked or self.is_theirs(one))

    def is_theirs(self, student: Student) -> bool:
        """Whether it is for somebody, and was not over before they came."""
        if not self.is_for(student.id):
            return False
        times = schedule(self.row, self.extensions.get(student.id), student.joined_at)
        return not times.was_over(student.joined_at)

    def takes(self, student_id: int, now: datetime) -> bool:
        """Whether somebody may work at it now."""
        return schedule(self.row, self.extensions.get(student_id), now).state in ("open", "late")


OF_CLASS = Prepared(
    select(*[assignment[name] for name in AssignmentRow._fields])
    .where(assignment.classroom_id == bindparam("classroom"))
    .order_by(assignment.id.desc())
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
    select(extension.assignment_id, *(extension[name] for name in ExtensionRow._fields))
    .where(extension.assignment_id.in_(inside))
    .order_by(extension.id)
)


def of_class(session: VerbSession, classroom_id: int) -> tuple[AssignedTask, ...]:
    """All assignments of a class, the newest first, in four statements."""
    parts: dict[int, list[PartRow]] = {}
    for of, *rest in session.all(PARTS, classroom=classroom_id):
        parts.setdefault(of, []).append(PartRow(*rest))
    only: dict[int, set[int]] = {}
    for of, student_id in session.all(ASSIGNEES, classroom=classroom_id):
        only.setdefault(of, set()).add(student_id)
    longer: dict[int, dict[int, ExtensionRow]] = {}
    for of, *rest in session.all(EXTENSIONS, classroom=classroom_id):
        longer.setdefault(of, {})[rest[0]] = ExtensionRow(*rest)
    rows = [AssignmentRow(*row) for row in session.all(OF_CLASS, classroom=classroom_id)]
    return tuple(
        AssignedTask(
            row,
            parts=tuple(parts.get(row.id, ())),
            only=None if row.everyone else frozenset(only.get(row.id, ())),
            extensions=longer.get(row.id, {}),
        )
        for row in rows
    )


def chosen(found: Sequence[AssignedTask], assignment_id: int | None) -> AssignedTask | None:
    """The one that an address names; NotFound for one that this class does not have."""
    if assignment_id is None:
        return None
    if (task := next((one for one in found if one.id == assignment_id), None)) is None:
        raise NotFound("这个班没有这份作业。")
    return task
