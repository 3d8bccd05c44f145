"""What the verbs of grading take and the gradebook gives: frozen values. A row is a NamedTuple."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from app.records.assignments.values import (
    AssignmentAttempt,
    AssignmentKey,
    AssignmentRow,
    ExtensionRow,
    MarkByHand,
    OverrideRow,
)
from app.records.classes.values import ClassGroup, ClassRow, distinct_name
from app.records.grading.marks import shown_points_text, unrounded_text
from app.records.grading.totals.weighted_marks import ColumnRule, TotalRules
from app.records.learning.values import Verdict

CellState = Literal["exempt", "gone", "soon", "new", "missing", "begun", "done", "late", "blank", "absent"]
"""How a cell is shown: `exempt` 免, `gone` — for who is no longer in the class, `soon` 没开放, `new` 没开始,
`missing` 缺交, `begun` 做到几题, `done` 交了, `late` 迟交; of a typed mark `absent` 缺, or `blank` —.
"""
Membership = Literal["here", "removed", "moved"]


class QuestionKey(NamedTuple):
    """A question in one attempt at an assignment: the numbers of both, from 1. To a student a question has
    the number that it has on their own paper, to a teacher that in the assignment."""

    attempt_number: int
    question_number: int


WHOLE_WORK = QuestionKey(0, 0)
"""What a comment is about that stands beside no answer."""


class CellKey(NamedTuple):
    """The cell of a student at an assignment of a class, as its teacher comes to it; `question_key`: the one
    in it that is meant, where not all of it is."""

    classroom_id: int
    assignment_id: int
    enrolment_id: int
    question_key: QuestionKey = WHOLE_WORK

    @property
    def assignment_key(self) -> AssignmentKey:
        return AssignmentKey(self.classroom_id, self.assignment_id)


CellIds = tuple[int, int]
"""Assignment and enrolment: a cell."""
RegradeWay = Literal["again", "up", "full", "back"]
"""The ways of 重新评分: `again` 按今天的题重新判, `up` 只升不降, `full` 全员给满分, `back` 取消全员给分."""


class RegradeOrder(NamedTuple):
    """A 重新评分 as a teacher asks for it: of which part of an assignment, and in which way. `reason`,
    `digest`: why, and the digest of the plan that they were shown; to be shown it needs neither."""

    part_id: int
    regrade_way: RegradeWay
    reason: str = ""
    digest: str = ""


class SentAnswer(NamedTuple):
    """What a student sent to a question, after so many `seconds_spent`; None where nobody knows. Only what is
    marked at once has tries. `seen_fingerprint`: the `fingerprint_of_texts` of what its form held when the
    page was made; empty where that is not known, or was written in since."""

    raw: tuple[str, ...]
    seconds_spent: int | None = None
    try_number: int = 1
    seen_fingerprint: str = ""


class CountedResponse(NamedTuple):
    """A response, as it counts now."""

    id: int
    attempt_id: int
    item_ref: str
    try_number: int
    raw: str
    verdict: Verdict
    score: float
    misconception_code: str | None
    item_version_hash: str = ""


class GradebookStudent(NamedTuple):
    """A student with a row in a gradebook: those who left the class, because of their work."""

    id: int
    learner_id: int
    name: str
    student_number: str
    joined_at: datetime
    membership: Membership
    seat: int | None = None
    group_id: int | None = None
    absences: str | None = None
    has_namesake: bool = False

    @property
    def distinct_name(self) -> str:
        return distinct_name(self)


class MarkChange(NamedTuple):
    """A student whose points change: those of an attempt, and the mark of the whole. `hand_mark`: what the
    teacher decided about it, which stays.
    """

    student: GradebookStudent
    attempt_number: int
    points_before_and_after: tuple[float, float]
    mark_before_and_after: tuple[float, float]
    hand_mark: MarkByHand


class GradebookCell(NamedTuple):
    """A student at an assignment. `points`: the mark; `answered_count`: of questions in an open attempt.
    `waiting_count`: how many answers the teacher has still to mark that can change the mark; while there are
    any, `points` is None, and `points_so_far` is what the others have earned.

    `is_by_hand`: the teacher set the mark; `is_regraded`: answers were marked anew since the hand-in, and it
    is another than then. `is_collected`: the teacher handed it in, when time was up.
    `is_typed`: it stands in a column of the teacher's own, and is shown as it was typed.
    `is_absent`: time is over and nothing was handed in, though it was begun or could have been.
    """

    state: CellState
    points: float | None = None
    answered_count: int = 0
    is_by_hand: bool = False
    is_collected: bool = False
    is_absent: bool = False
    waiting_count: int = 0
    points_so_far: float = 0.0
    is_regraded: bool = False
    is_typed: bool = False


class MarkSum(NamedTuple):
    """Marks summed up: `points` of `full_marks` over `marked_count` ones, and how many are missing."""

    points: float = 0.0
    full_marks: float = 0.0
    marked_count: int = 0
    missing_count: int = 0

    @property
    def earned_share(self) -> float | None:
        """The part of the full marks, 0..1; None where nothing counts."""
        if not self.full_marks:
            return None
        return self.points / self.full_marks

    @property
    def mean(self) -> float | None:
        """The mean mark; None without any."""
        if self.marked_count == 0:
            return None
        return self.points / self.marked_count


class ExtraColumnRow(NamedTuple):
    """A column of the teacher's own: 出勤, 期中. `total`: its full marks."""

    id: int
    title: str
    total: float
    counted: bool = True
    weight: float = 1.0
    category: str = ""

    @property
    def rule(self) -> ColumnRule:
        """How it enters 总评."""
        return ColumnRule(self.counted, self.weight, self.category)


class GradebookColumn(NamedTuple):
    """A column of the gradebook: where its marks come from, its full marks, its questions, and the class at
    it. A column of the teacher's own has no questions."""

    assignment_or_extra: AssignmentRow | ExtraColumnRow
    full_marks: float
    question_count: int
    mark_sum: MarkSum
    rule: ColumnRule = ColumnRule()

    @property
    def key(self) -> str:
        """What names the column in addresses and forms: `12`, `extra-3`."""
        if isinstance(self.assignment_or_extra, ExtraColumnRow):
            return f"extra-{self.assignment_or_extra.id}"
        return str(self.assignment_or_extra.id)

    @property
    def title(self) -> str:
        return self.assignment_or_extra.title

    @property
    def assignment(self) -> AssignmentRow | None:
        """The assignment; None for a column of the teacher's own."""
        if isinstance(self.assignment_or_extra, ExtraColumnRow):
            return None
        return self.assignment_or_extra

    @property
    def full_marks_text(self) -> str:
        """The full marks as they are shown: of a column of the teacher's own as they were typed."""
        if self.assignment:
            return shown_points_text(self.full_marks)
        return unrounded_text(self.full_marks)

    @property
    def path(self) -> str:
        """Where it is shown, within the class."""
        if isinstance(self.assignment_or_extra, ExtraColumnRow):
            return f"/gradebook/columns/{self.assignment_or_extra.id}"
        return f"/assignments/{self.assignment_or_extra.id}"


class GradebookRow(NamedTuple):
    """A student with a cell for each column. `total_of_hundred`: 总评; None where nothing counts."""

    student: GradebookStudent
    cells: tuple[GradebookCell, ...]
    mark_sum: MarkSum
    total_of_hundred: float | None = None


class Gradebook(NamedTuple):
    """成绩册: students × assignments; `total_rules`: how 总评 comes from them."""

    classroom: ClassRow
    columns: tuple[GradebookColumn, ...] = ()
    rows: tuple[GradebookRow, ...] = ()
    total_rules: TotalRules = TotalRules()
    groups: tuple[ClassGroup, ...] = ()


class CellRecords(NamedTuple):
    """What is recorded of a student at an assignment, oldest first."""

    attempts: Sequence[AssignmentAttempt]
    extensions: Sequence[ExtensionRow]
    overrides: Sequence[OverrideRow]

    @property
    def extension(self) -> ExtensionRow | None:
        """The one that holds."""
        if self.extensions:
            return self.extensions[-1]
        return None

    @property
    def override(self) -> OverrideRow | None:
        """The last one."""
        if self.overrides:
            return self.overrides[-1]
        return None

    @property
    def hand_mark(self) -> MarkByHand:
        """What the teacher decided last."""
        if self.override:
            return self.override.hand_mark
        return MarkByHand()
