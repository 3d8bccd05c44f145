"""What goes into and comes out of the verbs on cards: frozen values.

A card is named as records name it: `content:<id>` for one of the course, `own:<id>` for one of the learner's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, NamedTuple

from app.records.cards.scheduling import USUAL_RETENTION, Memory, Rating

Status = Literal["active", "suspended", "leech", "retired"]


class DeckRow(NamedTuple):
    """How a learner wants to review. `less_on`: the day on which half is enough."""

    retention: float = USUAL_RETENTION
    new_a_day: int = 10
    due_a_day: int = 60
    buttons: int = 2
    less_on: date | None = None


USUAL_DECK = DeckRow()


class CardRow(NamedTuple):
    """A card in a deck."""

    card: str
    family: str
    added_at: datetime
    status: Status
    memory: Memory


class LogRow(NamedTuple):
    """One review, as the log has it."""

    id: int
    card: str
    number: int
    rating: int
    reviewed_at: datetime
    day: date
    seconds: float | None
    raw: str | None
    misconception: str | None
    state: str
    interval_days: int
    first: bool
    retention: float
    scheduler: str
    before: str
    after: str
    undone_at: datetime | None


class CardRating(NamedTuple):
    """How a learner rated a card. `number` makes a double click harmless; `raw`: what was typed."""

    card: str
    number: int
    rating: Rating
    seconds: float | None = None
    raw: str | None = None
    misconception: str | None = None


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """`is_accepted` is false when this review was already written, or the page was stale: nothing changed."""

    token: str
    is_accepted: bool
    card: str = ""
    log_id: int | None = None
    new_status: Status = "active"


class ReviewCounts(NamedTuple):
    """The reviews of a day. `new_count` and `due_count`: of cards that were new, or due, before."""

    review_count: int = 0
    remembered_count: int = 0
    seconds: float = 0.0
    card_count: int = 0
    new_count: int = 0
    due_count: int = 0


class DeckCounts(NamedTuple):
    """How many cards of a deck are in which state. `due_count`: before the day ends; `leech_count`: put
    aside."""

    card_count: int = 0
    learning_count: int = 0
    due_count: int = 0
    new_count: int = 0
    leech_count: int = 0


class DayCounts(NamedTuple):
    """What a day holds. `new_count` and `due_count` are what is left of it within the limits; the rest waits.

    `waiting_count`: due cards beyond the limit. `today`: the reviews that are done. `left_count`: how many
    come.
    """

    new_count: int = 0
    due_count: int = 0
    waiting_count: int = 0
    today: ReviewCounts = ReviewCounts()
    deck: DeckCounts = DeckCounts()
    left_count: int = 0


NO_DAY_COUNTS = DayCounts()


@dataclass(frozen=True, slots=True)
class ReviewData:
    """What a page of reviewing shows.

    `until`: when the day ends; `review_number`: of the review to come; `last_review`: the review to take
    back.
    """

    learner_id: int | None = None
    day: date | None = None
    until: datetime | None = None
    time_zone: str = "Asia/Shanghai"
    deck: DeckRow = USUAL_DECK
    counts: DayCounts = NO_DAY_COUNTS
    card: CardRow | None = None
    review_number: int = 1
    own_row: "OwnRow | None" = None
    last_review: LogRow | None = None
    next_due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DeckData:
    """All cards of a deck, in the order in which they were added, and the learner's own cards."""

    learner_id: int | None = None
    deck: DeckRow = USUAL_DECK
    time_zone: str = "Asia/Shanghai"
    rows: Sequence[CardRow] = ()
    own_rows: Sequence["OwnRow"] = ()

    def row_by_card(self) -> dict[str, CardRow]:
        return {row.card: row for row in self.rows}

    def own_row_by_card(self) -> dict[str, "OwnRow"]:
        return {own_row.card: own_row for own_row in self.own_rows}


class OwnRow(NamedTuple):
    """A card that the learner wrote."""

    id: int
    front: str
    back: str
    tags: str
    source: str
    created_at: datetime
    updated_at: datetime

    @property
    def card(self) -> str:
        return f"own:{self.id}"


@dataclass(frozen=True, slots=True)
class CardData:
    """One card: its row in the deck, if it has one, and its reviews, oldest first."""

    learner_id: int | None = None
    time_zone: str = "Asia/Shanghai"
    row: CardRow | None = None
    own_row: OwnRow | None = None
    log: Sequence[LogRow] = ()


@dataclass(frozen=True, slots=True)
class CollectedCards:
    """How many were not in the deck yet, the last one, and how many had retired."""

    token: str
    added_count: int
    last_ref: str = ""
    returned_count: int = 0
