"""前测与后测: what each student of a class reached in two matched forms, before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, select

from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.tables import Assignment, Submission
from app.records.assignments.values import PartRow
from app.records.classes import classrooms
from app.records.classes.values import ClassRow, Student
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession

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
class TestPair:
    """A 前测 with its 后测, and what everybody reached in each: shares of the full marks, by place."""

    pre: AssignedTask
    post: AssignedTask | None
    before: Mapping[int, float]
    after: Mapping[int, float]

    @property
    def matched(self) -> bool:
        """Whether both ask the same of everybody: the same parts, so that only the numbers differ."""
        return self.post is None or asked(self.pre.parts) == asked(self.post.parts)


@dataclass(frozen=True, slots=True)
class PrePostData:
    """The pairs of a class, the newest first."""

    row: ClassRow
    students: Sequence[Student]
    pairs: Sequence[TestPair]


def asked(parts: Sequence[PartRow]) -> list[tuple[str, str, int, int]]:
    """What a form asks, whatever the order."""
    return sorted((one.kind, one.ref, one.level, one.count) for one in parts)


def load_pre_post(session: VerbSession, who: Caller, classroom_id: int) -> PrePostData:
    """All pairs of a class. The first pass counts, without what lateness costs: it is a measurement."""
    row = classrooms.taught(session, who, classroom_id)
    students = [one for one in classrooms.students(session, row.id) if one.removed_at is None]
    reached: dict[int, dict[int, float]] = {}
    for number, student_id, points, total in session.all(REACHED, classroom=row.id):
        reached.setdefault(number, {})[student_id] = points / total
    every = assigned.of_class(session, row.id)
    posts = {one.row.pair: one for one in every if one.row.form == "post"}
    pairs = [pair(one, posts.get(one.id), reached) for one in every if one.row.form == "pre"]
    return PrePostData(row, tuple(students), tuple(pairs))


def pair(
    pre: AssignedTask, post: AssignedTask | None, reached: Mapping[int, Mapping[int, float]]
) -> TestPair:
    return TestPair(pre, post, reached.get(pre.id, {}), reached.get(post.id, {}) if post else {})
