"""Tables: decks."""

from datetime import date, datetime

from sqlalchemy import Index, UniqueConstraint, text
from sqlmodel import Field

from app.records.db.metadata import IdentifiedRow, StoredRow, column_named, owner_key


class Deck(StoredRow, table=True):
    """How somebody wants to review; no row while everything is as we set it. `less_on`: 今天少一点."""

    learner_id: int = owner_key("learner.id", primary_key=True)
    retention: float
    new_cards_a_day: int = column_named("new_a_day")
    due_cards_a_day: int = column_named("due_a_day")
    button_count: int = column_named("buttons")  # 2 | 4
    less_on: date | None = None


class SchedulerVersion(StoredRow, table=True):
    """The library and the parameters that made a date, by the hash of both."""

    __tablename__ = "scheduler_version"

    hash: str = Field(primary_key=True)
    version: str
    parameters_json: str = column_named("parameters")
    created_at: datetime


class CardMemory(IdentifiedRow, table=True):
    """A card in somebody's deck, and how well it sits: all but `status` and `family` comes from the log."""

    __tablename__ = "card_memory"
    __table_args__ = (
        UniqueConstraint("learner_id", "card_ref"),
        Index(None, "learner_id", "status", "state", "due_at"),
    )

    learner_id: int = owner_key("learner.id")
    card_ref: str = column_named("card")
    family: str  # cards of one family are kept apart
    added_at: datetime
    status: str  # active | suspended | leech | retired
    state: str  # new | learning | review | relearning
    step: int | None = None
    stability: float | None = None
    difficulty: float | None = None
    due_at: datetime | None = None
    last_review_at: datetime | None = None
    review_count: int = column_named("reps")
    lapse_count: int = column_named("lapses")
    streak: int  # reviews since the last 忘了
    scheduler_hash: str | None = column_named("scheduler", default=None, foreign_key="scheduler_version.hash")


COUNTED_COLUMNS = ("undone_at", "rating", "seconds", "state_before", "is_first_of_day", "interval_days")


class ReviewLog(IdentifiedRow, table=True):
    """One review. The packed memories are JSON; an undone review stays, and counts no more."""

    __tablename__ = "review_log"
    __table_args__ = (
        UniqueConstraint("learner_id", "card_ref", "review_number"),
        # What is counted is read from here, without the rows.
        Index("ix_review_log_told", "learner_id", "day", *COUNTED_COLUMNS),
        Index(None, "learner_id", "id"),
        Index(
            "ix_review_log_mistakes",
            *("learner_id", "misconception_code", "undone_at", "reviewed_at"),
            sqlite_where=text("misconception IS NOT NULL"),
        ),
    )

    learner_id: int = owner_key("learner.id")
    card_ref: str = column_named("card")
    review_number: int = column_named("number")  # from 1, for each card
    rating: int  # 1 again, 2 hard, 3 good, 4 easy
    reviewed_at: datetime
    day: date  # the learner's own
    seconds: float | None = None
    raw: str | None = None  # what was typed, where a card asks for a number
    misconception_code: str | None = column_named("misconception", default=None)
    state_before: str = column_named("state")
    interval_days: int  # how long it was to be kept, before
    is_first_of_day: bool = column_named("first")  # of this card, on that day
    retention: float
    scheduler_hash: str = column_named("scheduler", foreign_key="scheduler_version.hash")
    packed_before: str = column_named("before")
    packed_after: str = column_named("after")
    undone_at: datetime | None = None


class OwnCard(IdentifiedRow, table=True):
    """A card that somebody wrote; in the deck it is `own:<id>`. `source`: the page it was made from.

    A deleted one loses its words but keeps its row: ids in the log may never name another card.
    """

    __tablename__ = "own_card"

    learner_id: int = owner_key("learner.id", index=True)
    front: str
    back: str
    tags: str  # in order, with single spaces between
    source: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
