"""前测与后测: what each student of a class reached in two matched forms, before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, select

from app.records import classrooms, tasks
from app.records.assignment_values import PartRow
from app.records.session import Prepared, VerbSession
from app.records.tables import Assignment, Submission, table
from app.records.tasks import Task
from app.records.values import ClassRow, Student, Who

assignment, submission = table(Assignment).c, table(Submission).c

REACHED = Prepared(
    select(submission.assignment_id, submission.enrolment_id, submission.points, submission.total)
    .where(
        submission.assignment_id.in_(
            select(assignment.id).where(
                assignment.classroom_id == bindparam("classroom"), assignment.form.is_not(None)
            )
        ),
        submission.handed_in_at.is_not(None),
        submission.total > 0,
    )
    .order_by(submission.number.desc())
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A 前测 with its 后测, and what everybody reached in each: shares of the full marks, by place."""

    pre: Task
    post: Task | None
    before: Mapping[int, float]
    after: Mapping[int, float]

    @property
    def matched(self) -> bool:
        """Whether both ask the same of everybody: the same parts, so that only the numbers differ."""
        return self.post is None or asked(self.pre.parts) == asked(self.post.parts)


@dataclass(frozen=True, slots=True)
class TestsLook:
    """The pairs of a class, the newest first."""

    row: ClassRow
    students: Sequence[Student]
    pairs: Sequence[Pair]


def asked(parts: Sequence[PartRow]) -> list[tuple[str, str, int, int]]:
    """What a form asks, whatever the order."""
    return sorted((one.kind, one.ref, one.level, one.count) for one in parts)


def look(session: VerbSession, who: Who, classroom_id: int) -> TestsLook:
    """All pairs of a class. The first pass counts, without what lateness costs: it is a measurement."""
    row = classrooms.taught(session, who, classroom_id)
    students = [one for one in classrooms.students(session, row.id) if one.removed_at is None]
    reached: dict[int, dict[int, float]] = {}
    for number, student_id, points, total in session.all(REACHED, classroom=row.id):
        reached.setdefault(number, {})[student_id] = points / total
    every = tasks.of_class(session, row.id)
    posts = {one.row.pair: one for one in every if one.row.form == "post"}
    pairs = [pair(one, posts.get(one.id), reached) for one in every if one.row.form == "pre"]
    return TestsLook(row, tuple(students), tuple(pairs))


def pair(pre: Task, post: Task | None, reached: Mapping[int, Mapping[int, float]]) -> Pair:
    return Pair(pre, post, reached.get(pre.id, {}), reached.get(post.id, {}) if post else {})
