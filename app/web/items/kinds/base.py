"""What the look of an item is made of: a moment, and what differs from kind to kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from app.course import Course
from app.course.items.examples import Ranking
from app.course.items.follow_through import TableCell
from app.course.items.kinds import Item
from app.course.items.marks import AnswerState

AnyKind = TypeVar("AnyKind", bound=Item)


class DiscountRow(NamedTuple):
    """A rank in the 折损表, in print; without its weight where that is asked."""

    rank: int
    log_text: str
    weight_text: str


class SeenAnswer(NamedTuple):
    """One answer, as far as the page depends on it. `is_by_hand`: a teacher gave it the score."""

    verdict: str
    raw: tuple[str, ...]
    score: float = 1.0
    is_by_hand: bool = False

    def is_worth(self, score: float) -> bool:
        """Whether the program of today still gives it what is stored of it, as far as a program gave that."""
        return self.is_by_hand or self.score == score


class CellView(NamedTuple):
    """A cell of a table: an input where it is blank, else a number, and how it was judged.

    `state`: blank | given | right | through | wrong | left. `sent_text`: what a closed cell still sends.
    `is_stuck`: the first one that could not be read.
    """

    cell: TableCell
    text: str
    state: str
    sent_text: str | None = None
    is_stuck: bool = False


class TableRow(NamedTuple):
    """The cells of a rank; of the list with title and grade of its document."""

    rank: int
    cells: Sequence[CellView]
    title: str = ""
    grade: float | None = None


class TableView(NamedTuple):
    """The cells of a table: for each rank of the list, its sum, for each ideal rank, its sum, the ratio."""

    rank_rows: Sequence[TableRow]
    ideal_rows: Sequence[TableRow]
    sum_cell_by_name: Mapping[str, CellView]
    blank_count: int


@dataclass(frozen=True)
class KindView:
    """What an item shows of itself; each kind adds what only it has.

    `ranking` with its `convention_words` and `discount_table` stand beside a question, a `table` has its
    ranking inside. `echo_words`: how a typed number was understood. `end_words`: how it ended, where that
    has words of its own.
    """

    ranking: Ranking | None = None
    convention_words: str = ""
    discount_table: tuple[DiscountRow, ...] = ()
    table: TableView | None = None
    echo_words: str = ""
    show_label: str = "看答案"
    answer_label: str = "回答"
    end_words: str = ""


@dataclass(frozen=True)
class ItemWithAnswers(Generic[AnyKind]):
    """An item at a moment: the answers so far, and what stands in the form without having been read."""

    course: Course
    item: AnyKind
    answers: Sequence[SeenAnswer]
    state: AnswerState
    typed_raw_answer: tuple[str, ...] | None

    @property
    def is_open(self) -> bool:
        return self.state == "open"

    @property
    def texts_in_form(self) -> tuple[str, ...]:
        """What the form shows: what was typed, else the last answer."""
        if self.typed_raw_answer is not None:
            return self.typed_raw_answer
        return next((seen_answer.raw for seen_answer in reversed(self.answers) if seen_answer.raw), ())

    @property
    def wrong_option_ids(self) -> frozenset[str]:
        """Everything that was chosen wrongly so far."""
        option_ids: set[str] = set()
        for seen_answer in self.answers:
            if seen_answer.verdict == "wrong":
                option_ids.update(seen_answer.raw)
        return frozenset(option_ids)
