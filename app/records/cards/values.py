"""What goes into and comes out of the verbs on cards: frozen values.

A card is named as records name it: `content:<id>` for one of the course, `own:<id>` for one of the learner's.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal, NamedTuple

from app.records.accounts.learners import DEFAULT_TIME_ZONE
from app.records.cards.scheduling import USUAL_RETENTION, Memory, Rating

Status = Literal["active", "suspended", "leech", "retired"]


class DeckSettings(NamedTuple):
    """How a learner wants to review. `button_count`: 2 or 4; `less_on`: the day on which half is enough."""

    retention: float = USUAL_RETENTION
    new_cards_a_day: int = 10
    due_cards_a_day: int = 60
    button_count: int = 2
    less_on: date | None = None


USUAL_SETTINGS = DeckSettings()


class CardRow(NamedTuple):
    """A card in a deck."""

    card_ref: str
    family: str
    added_at: datetime
    status: Status
    memory: Memory


class CardPast(NamedTuple):
    """What the log has of a card for `status_after`. `miss_count`: while it is learnt, since it came back
    last; `review_count_since_retired`: None for a card that never did."""

    miss_count: int = 0
    review_count_since_retired: int | None = None


NO_PAST = CardPast()


class ReviewRow(NamedTuple):
    """One review, as the log has it. `is_first_of_day`: of its card. What is packed is read by
    `unpack_memory_and_status`."""

    id: int
    card_ref: str
    review_number: int
    rating: int
    reviewed_at: datetime
    day: date
    seconds: float | None
    raw: str | None
    misconception_code: str | None
    state_before: str
    interval_days: int
    is_first_of_day: bool
    retention: float
    scheduler_hash: str
    packed_before: str
    packed_after: str
    undone_at: datetime | None


class CardRating(NamedTuple):
    """How a learner rated a card. `review_number` makes a double click harmless; `raw`: what was typed."""

    card_ref: str
    review_number: int
    rating: Rating
    seconds: float | None = None
    raw: str | None = None
    misconception_code: str | None = None


class ReviewResult(NamedTuple):
    """`is_accepted` is false when this review was already written, or the page was stale: nothing changed."""

    token: str
    is_accepted: bool
    card_ref: str = ""
    review_id: int | None = None
    new_status: str = "active"


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

    `waiting_count`: due cards beyond the limit. `remaining_count`: how many cards come.
    """

    new_count: int = 0
    due_count: int = 0
    waiting_count: int = 0
    done_today: ReviewCounts = ReviewCounts()
    deck_counts: DeckCounts = DeckCounts()
    remaining_count: int = 0


NO_DAY_COUNTS = DayCounts()


class ReviewData(NamedTuple):
    """What a page of reviewing shows.

    `review_number`: of the review to come; `last_review`: the one that can be taken back; `past_review`: the
    one that was asked for, if it is in the log already.
    """

    learner_id: int | None = None
    day: date | None = None
    day_ends_at: datetime | None = None
    time_zone: str = DEFAULT_TIME_ZONE
    settings: DeckSettings = USUAL_SETTINGS
    counts: DayCounts = NO_DAY_COUNTS
    card: CardRow | None = None
    review_number: int = 1
    own_card: "OwnCardRow | None" = None
    card_past: CardPast = NO_PAST
    last_review: ReviewRow | None = None
    past_review: ReviewRow | None = None
    next_due_at: datetime | None = None


class DeckData(NamedTuple):
    """All cards of a deck, in the order in which they were added, and the learner's own cards."""

    learner_id: int | None = None
    settings: DeckSettings = USUAL_SETTINGS
    time_zone: str = DEFAULT_TIME_ZONE
    cards: Sequence[CardRow] = ()
    own_cards: Sequence["OwnCardRow"] = ()

    def card_row_by_card_ref(self) -> dict[str, CardRow]:
        return {card_row.card_ref: card_row for card_row in self.cards}

    def own_card_row_by_card_ref(self) -> dict[str, "OwnCardRow"]:
        return {own_card.card_ref: own_card for own_card in self.own_cards}


OWN_PREFIX = "own:"


def own_card_ref(own_card_id: int) -> str:
    """How a deck names a card that a learner wrote.

    >>> own_card_ref(7)
    'own:7'
    """
    return f"{OWN_PREFIX}{own_card_id}"


class OwnCardRow(NamedTuple):
    """A card that the learner wrote."""

    id: int
    front: str
    back: str
    tags: str
    source: str
    created_at: datetime
    updated_at: datetime

    @property
    def card_ref(self) -> str:
        return own_card_ref(self.id)


class CardData(NamedTuple):
    """One card as the deck has it, if it does, and its reviews, oldest first."""

    learner_id: int | None = None
    time_zone: str = DEFAULT_TIME_ZONE
    card: CardRow | None = None
    own_card: OwnCardRow | None = None
    reviews: Sequence[ReviewRow] = ()

    @property
    def miss_count(self) -> int:
        """How often it was forgotten, also while it was learnt: more than its lapses."""
        ratings = [review.rating for review in self.reviews if review.undone_at is None]
        return ratings.count(Rating.AGAIN)


class CollectResult(NamedTuple):
    """How many were not in the deck yet, the last one, and how many had retired."""

    token: str
    added_count: int
    last_card_ref: str
    returned_count: int = 0
