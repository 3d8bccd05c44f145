"""What the gradebook and its pages are made of: frozen values, as in `values.py`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from app.records.assignment_values import (
    AssignmentRow,
    ExtensionRow,
    PartRow,
    SavedRow,
    SubmissionRow,
    Window,
)
from app.records.marks import Handed
from app.records.values import AttemptLook, ClassRow, Verdict

State = Literal["exempt", "gone", "soon", "new", "missing", "begun", "done", "late"]
"""免, —: no longer in the class, 未开, 没开始, 缺交, 做到几题, 交了, 迟交."""
Place = Literal["here", "removed", "moved"]


class Pupil(NamedTuple):
    """Whoever has a row in a gradebook: `removed` and `moved` ones because of their work."""

    id: int
    learner_id: int
    name: str
    number: str
    joined_at: datetime
    place: Place


class Cell(NamedTuple):
    """A student at an assignment. `points`: the mark; `done`: questions answered in a pass that is open.

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
        return self.points / self.total if self.total else None

    @property
    def mean(self) -> float | None:
        """The mean mark; None without any."""
        return self.points / self.marked if self.marked else None


NOTHING = Sum()


@dataclass(frozen=True, slots=True)
class Column:
    """An assignment of the gradebook: its full marks, its questions, and the class at it."""

    assignment: AssignmentRow
    total: float
    questions: int
    sum: Sum = NOTHING


@dataclass(frozen=True, slots=True)
class PupilRow:
    """A student with a cell for each column."""

    pupil: Pupil
    cells: tuple[Cell, ...]
    sum: Sum


@dataclass(frozen=True, slots=True)
class Gradebook:
    """成绩册: students × assignments."""

    row: ClassRow
    columns: tuple[Column, ...] = ()
    rows: tuple[PupilRow, ...] = ()


class Override(NamedTuple):
    """A mark that was set by hand, or taken back (`points` None)."""

    points: float | None
    reason: str
    created_at: datetime


class Judged(NamedTuple):
    """How a response is judged since an item was corrected."""

    response_id: int
    verdict: Verdict
    score: float
    misconception: str | None
    item_version: str
    created_at: datetime


class Grant(NamedTuple):
    """全员给分 for a part: why, and since when."""

    part_id: int
    reason: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PassLook:
    """A pass as its student saw it. `judged`: the last second mark by question and try.

    `saved`: what stands in the questions of a pass that is open.
    """

    submission: SubmissionRow
    look: AttemptLook
    judged: Mapping[tuple[str, int], Judged] = field(default_factory=dict)
    saved: Mapping[str, SavedRow] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CellLook:
    """A cell of the gradebook, opened. `computed`: the pass that counts."""

    row: ClassRow
    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    pupil: Pupil
    cell: Cell
    window: Window
    computed: Handed | None
    passes: tuple[PassLook, ...] = ()
    overrides: tuple[Override, ...] = ()
    extensions: tuple[ExtensionRow, ...] = ()
    grants: Mapping[int, Grant] = field(default_factory=dict)
