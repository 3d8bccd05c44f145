"""What the gradebook and its pages are made of: frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from app.records.assignments.deadlines import Schedule
from app.records.assignments.values import (
    AssignmentRow,
    ExtensionRow,
    PartRow,
    SavedRow,
    SubmissionRow,
)
from app.records.classes.values import ClassRow
from app.records.grading.marks import HandedIn
from app.records.learning.values import AttemptData, Verdict

State = Literal["exempt", "gone", "soon", "new", "missing", "begun", "done", "late"]
"""免, —: no longer in the class, 未开, 没开始, 缺交, 做到几题, 交了, 迟交."""
Place = Literal["here", "removed", "moved"]


class GradebookStudent(NamedTuple):
    """A student with a row in a gradebook: `removed` and `moved` ones because of their work."""

    id: int
    learner_id: int
    name: str
    number: str
    joined_at: datetime
    place: Place


class GradebookCell(NamedTuple):
    """A student at an assignment. `points`: the mark; `done`: questions answered in an open attempt.

    `by_hand`: the teacher set the mark. `collected`: the teacher handed it in, when time was up.
    """

    state: State
    points: float | None = None
    done: int = 0
    by_hand: bool = False
    collected: bool = False


class Sum(NamedTuple):
    """Marks summed up: `points` of `total` over `marked` ones, and how many are missing."""

    points: float = 0.0
    total: float = 0.0
    marked: int = 0
    missing: int = 0

    @property
    def share(self) -> float | None:
        """The part of the full marks, 0..1; None where nothing counts."""
        if not self.total:
            return None
        return self.points / self.total

    @property
    def mean(self) -> float | None:
        """The mean mark; None without any."""
        if self.marked == 0:
            return None
        return self.points / self.marked


NOTHING = Sum()


@dataclass(frozen=True, slots=True)
class GradebookColumn:
    """An assignment of the gradebook: its full marks, its questions, and the class at it."""

    assignment: AssignmentRow
    total: float
    questions: int
    sum: Sum = NOTHING


@dataclass(frozen=True, slots=True)
class GradebookRow:
    """A student with a cell for each column."""

    pupil: GradebookStudent
    cells: tuple[GradebookCell, ...]
    sum: Sum


@dataclass(frozen=True, slots=True)
class Gradebook:
    """成绩册: students × assignments."""

    row: ClassRow
    columns: tuple[GradebookColumn, ...] = ()
    rows: tuple[GradebookRow, ...] = ()


class OverrideRow(NamedTuple):
    """A mark that was set by hand, or taken back (`points` None)."""

    points: float | None
    reason: str
    created_at: datetime


class RegradedResponse(NamedTuple):
    """How a response is judged since an item was corrected: that to a question, `item`, at a try."""

    response_id: int
    verdict: Verdict
    score: float
    misconception: str | None
    item_version: str
    created_at: datetime
    item: str = ""
    try_number: int = 0


class GrantRow(NamedTuple):
    """全员给分 for a part: why, and since when; or that it was taken back."""

    part_id: int
    reason: str
    created_at: datetime
    granted: bool = True


@dataclass(frozen=True, slots=True)
class SubmittedAttempt:
    """An attempt as its student saw it. `judged`: the last second mark by question and try.

    `saved`: what stands in the questions of an attempt that is open.
    """

    submission: SubmissionRow
    look: AttemptData
    judged: Mapping[tuple[str, int], RegradedResponse]
    saved: Mapping[str, SavedRow]


@dataclass(frozen=True, slots=True)
class CellData:
    """A cell of the gradebook, opened. `computed`: the attempt that counts."""

    row: ClassRow
    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    pupil: GradebookStudent
    cell: GradebookCell
    window: Schedule
    computed: HandedIn | None
    passes: tuple[SubmittedAttempt, ...]
    overrides: tuple[OverrideRow, ...]
    extensions: tuple[ExtensionRow, ...]
    grants: Mapping[int, GrantRow]
