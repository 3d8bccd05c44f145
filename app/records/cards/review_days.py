"""How a day of reviewing stands: what was done of it, and what its limits leave."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, func, or_, select

from app.records.cards.decks import DeckOwner
from app.records.cards.rows import IS_IN_DECK, IS_IN_LOG, IS_NOT_UNDONE, MEMORY, REVIEW
from app.records.cards.values import DayCounts, DeckCounts, DeckSettings, ReviewCounts, ReviewData
from app.records.db.days import day_of, end_of
from app.records.db.session import VerbSession
from app.records.db.statements import RowQuery

IS_ACTIVE = MEMORY.status == "active"
IS_IN_LEARNING = or_(MEMORY.state == "learning", MEMORY.state == "relearning")
IS_TO_REVIEW = (MEMORY.state == "review") & (MEMORY.due_at < bindparam("until"))
IS_NEW = MEMORY.state == "new"
IS_OF_DAY = REVIEW.day == bindparam("day")


def load_day_data(session: VerbSession, deck_owner: DeckOwner, now: datetime) -> ReviewData:
    """How the day stands, without a card."""
    learner_id, time_zone, deck_settings = deck_owner
    review_day = day_of(now, time_zone)
    day_ends_at = end_of(review_day, time_zone)
    day_counts = day_counts_of(session, learner_id, deck_settings, review_day, day_ends_at)
    return ReviewData(learner_id, review_day, day_ends_at, time_zone, deck_settings, day_counts)


def row_count_column(column_label: str, condition: ColumnElement[bool]) -> ColumnElement[Any]:
    """A column: how many rows meet a condition."""
    return func.count(case((condition, 1))).label(column_label)


REVIEWS_OF_DAY = RowQuery(
    ReviewCounts,
    select(
        func.count().label("review_count"),
        row_count_column("remembered_count", REVIEW.rating > 1),
        func.coalesce(func.sum(REVIEW.seconds), 0.0).label("seconds"),
        row_count_column("card_count", REVIEW.is_first_of_day),
        row_count_column("new_count", REVIEW.state_before == "new"),
        row_count_column("due_count", REVIEW.state_before == "review"),
    ).where(IS_IN_LOG, IS_NOT_UNDONE, IS_OF_DAY),
)


def card_count_column(column_label: str, *conditions: ColumnElement[bool]) -> ColumnElement[Any]:
    """A column: how many cards of the deck meet the conditions, counted in the index and not card by card."""
    card_count_query = select(func.count()).where(IS_IN_DECK, *conditions)
    return card_count_query.scalar_subquery().label(column_label)


COUNTS_OF_DECK = RowQuery(
    DeckCounts,
    select(
        card_count_column("card_count"),
        card_count_column("learning_count", IS_ACTIVE, IS_IN_LEARNING),
        card_count_column("due_count", IS_ACTIVE, IS_TO_REVIEW),
        card_count_column("new_count", IS_ACTIVE, IS_NEW),
        card_count_column("leech_count", MEMORY.status == "leech"),
    ),
)


def day_counts_of(
    session: VerbSession, learner_id: int, deck_settings: DeckSettings, day: date, day_ends_at: datetime
) -> DayCounts:
    """What a day holds, and what its limits leave of it.

    A backlog beyond the limit, with which the day began, leaves no room for new cards, also at its end.
    """
    [review_counts] = session.all(REVIEWS_OF_DAY, learner=learner_id, day=day)
    [deck_counts] = session.all(COUNTS_OF_DECK, learner=learner_id, until=day_ends_at)
    new_limit, due_limit = new_and_due_limits(deck_settings, day)
    remaining_due_limit = max(0, due_limit - review_counts.due_count)
    due_count = min(deck_counts.due_count, remaining_due_limit)
    new_count = 0
    if deck_counts.due_count + review_counts.due_count <= due_limit:
        remaining_new_limit = max(0, new_limit - review_counts.new_count)
        new_count = min(deck_counts.new_count, remaining_new_limit)
    return DayCounts(
        new_count,
        due_count,
        deck_counts.due_count - due_count,
        review_counts,
        deck_counts,
        remaining_count=new_count + due_count + deck_counts.learning_count,
    )


def new_and_due_limits(deck_settings: DeckSettings, day: date) -> tuple[int, int]:
    """New and due cards on a day. Of a backlog at least one comes: else it would never end.

    >>> new_and_due_limits(DeckSettings(less_on=date(2026, 9, 1)), date(2026, 9, 1))
    (5, 30)
    """
    if day == deck_settings.less_on:
        return deck_settings.new_cards_a_day // 2, max(1, deck_settings.due_cards_a_day // 2)
    return deck_settings.new_cards_a_day, deck_settings.due_cards_a_day
