"""What the look of an item is made of: a moment, and the parts that differ from kind to kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from app.course import Course
from app.course.items.kinds import Item
from app.course.items.state import State


@dataclass(frozen=True)
class SeenAnswer:
    """One answer, as far as the page depends on it."""

    verdict: str
    raw: tuple[str, ...]
    score: float = 1.0


@dataclass(frozen=True)
class OptionView:
    """An option; `right` is None while it is not told."""

    id: str
    html: Markup
    chosen: bool = False
    tried: bool = False
    feedback: Markup | None = None
    right: bool | None = None


@dataclass(frozen=True)
class CandyView:
    """A document of an ordering; its grade is told once the item is closed."""

    id: str
    label: str
    html: Markup
    grade: str | None


@dataclass(frozen=True)
class RankingView:
    """The documents a question is about; `unseen` were judged but not returned."""

    query: str
    engine: str | None
    rows: Sequence[Mapping[str, str | None]]
    unseen: Sequence[Mapping[str, str | None]]
    convention: str


@dataclass(frozen=True)
class CellView:
    """A cell of a table: an input where it is blank, else a number, and how it was judged.

    `state`: blank | given | right | through | wrong | left. `sent`: what a closed cell still sends.
    `stuck`: the first one that could not be read.
    """

    name: str
    column: str
    rank: int
    text: str
    state: str
    sent: str | None = None
    stuck: bool = False


@dataclass(frozen=True)
class TableView:
    """The cells of a table: for each rank of the list, its sum, for each ideal rank, its sum, the ratio."""

    ranks: Sequence[Mapping[str, object]]
    ideal: Sequence[Mapping[str, object]]
    sums: Mapping[str, CellView]
    blanks: int
    convention: str


@dataclass(frozen=True)
class LineView:
    """A line of a calculation; `wrong` is None while it is not told, `correction` is for the wrong one."""

    id: str
    html: Markup
    chosen: bool = False
    tried: bool = False
    wrong: bool | None = None
    correction: Markup | None = None


@dataclass(frozen=True)
class Parts:
    """The part of a view that differs from kind to kind."""

    options: Sequence[OptionView] = ()
    documents: Sequence[CandyView] = ()
    lines: Sequence[LineView] = ()
    source: str = ""
    published: Mapping[str, str] = field(default_factory=dict)
    checkpoints: Sequence[Markup] = ()
    model: Markup | None = None
    typed: str = ""
    heard: str = ""
    contract: str = ""
    expression: str = ""
    discount_table: Sequence[Mapping[str, object]] | None = None
    ranking: RankingView | None = None
    table: TableView | None = None
    query: str | None = None
    show_label: str = "看答案"
    answer_label: str = "回答"
    end: str = ""


@dataclass(frozen=True)
class ItemMoment:
    """An item at a moment: the answers so far, and what stands in the form without having been read."""

    course: Course
    item: Item
    answers: Sequence[SeenAnswer]
    at: State
    typed: tuple[str, ...] | None

    @property
    def open(self) -> bool:
        return self.at == "open"

    @property
    def last(self) -> tuple[str, ...]:
        """What the form shows: what was typed, else the last answer."""
        if self.typed is not None:
            return self.typed
        return next((answer.raw for answer in reversed(self.answers) if answer.raw), ())
