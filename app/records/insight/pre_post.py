"""前测与后测: what each student of a class reached in two matched forms, before and after."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, select

from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.tables import Assignment, Submission
from app.records.classes import classrooms
from app.records.classes.values import ClassRow, Student
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession

Shares = Mapping[int, float]
"""By enrolment: the share of the full marks, 0 to 1."""


@dataclass(frozen=True, slots=True)
class TestPair:
    """A 前测 with its 后测, and what everybody reached in each."""

    pre: AssignedTask
    post: AssignedTask | None
    before: Shares
    after: Shares

    @property
    def matched(self) -> bool:
        """Whether both ask the same of everybody: the same parts, so that only the numbers differ."""
        return self.post is None or exercises_of(self.pre) == exercises_of(self.post)


@dataclass(frozen=True, slots=True)
class PrePostData:
    """The pairs of a class, the newest first."""

    row: ClassRow
    students: Sequence[Student]
    pairs: Sequence[TestPair]


def exercises_of(task: AssignedTask) -> list[tuple[str, str, int, int]]:
    """What a form asks, whatever the order."""
    return sorted((part.kind, part.ref, part.level, part.count) for part in task.parts)


def load_pre_post(session: VerbSession, caller: Caller, classroom_id: int) -> PrePostData:
    """All pairs of a class. The first attempt counts, without what lateness costs: it is a measurement."""
    classroom = classrooms.taught(session, caller, classroom_id)
    shares = load_shares(session, classroom.id)
    tasks = assigned.of_class(session, classroom.id)
    posts = {task.row.pair: task for task in tasks if task.row.form == "post"}
    pairs = []
    for pre in tasks:
        if pre.row.form == "pre":
            after: Shares = {}
            post = posts.get(pre.id)
            if post:
                after = shares.get(post.id, {})
            pairs.append(TestPair(pre, post, shares.get(pre.id, {}), after))
    return PrePostData(classroom, classrooms.members(session, classroom.id), pairs)


ASSIGNMENT = table(Assignment).c
SUBMISSION = table(Submission).c
SCORES_IN_TESTS = Prepared(
    select(SUBMISSION.assignment_id, SUBMISSION.enrolment_id, SUBMISSION.points, SUBMISSION.total)
    .where(
        SUBMISSION.assignment_id.in_(
            select(ASSIGNMENT.id).where(
                ASSIGNMENT.classroom_id == bindparam("classroom"), ASSIGNMENT.form.is_not(None)
            )
        ),
        SUBMISSION.handed_in_at.is_not(None),
        SUBMISSION.total > 0,
    )
    .order_by(SUBMISSION.number.desc())
)


def load_shares(session: VerbSession, classroom_id: int) -> Mapping[int, Shares]:
    """What each student reached in each test, by assignment."""
    shares: dict[int, dict[int, float]] = defaultdict(dict)
    for assignment_id, enrolment_id, points, total in session.all(SCORES_IN_TESTS, classroom=classroom_id):
        shares[assignment_id][enrolment_id] = points / total  # the first attempt comes last
    return shares
