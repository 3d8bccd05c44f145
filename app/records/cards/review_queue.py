"""What a learner reviews next: how the day stands, and which card comes."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Float, bindparam, case, extract, func, or_, select

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import decks, own_cards, review_log, reviews
from app.records.cards.decks import CARD_ROWS, IN_DECK, MEMORY
from app.records.cards.review_log import LOG, OF_LEARNER, VALID
from app.records.cards.values import (
    CardRow,
    Counts,
    DeckCounts,
    DeckRow,
    LogRow,
    ReviewCounts,
    ReviewData,
)
from app.records.db.days import day_of, end_of
from app.records.db.session import Prepared, RowQuery, VerbSession

AHEAD = timedelta(minutes=20)  # a card that is being learnt comes a little early when nothing else is left
CHOICE = 30  # among so many the next card is picked, so that relatives are kept apart

ACTIVE = MEMORY.status == "active"
IN_LEARNING = or_(MEMORY.state == "learning", MEMORY.state == "relearning")
TO_REVIEW = (MEMORY.state == "review") & (MEMORY.due_at < bindparam("until"))
OF_DAY = LOG.day == bindparam("day")

NEXT_DUE = Prepared(
    select(func.min(MEMORY.due_at)).where(
        IN_DECK, ACTIVE, or_(IN_LEARNING, MEMORY.due_at >= bindparam("until"))
    )
)


def load_review(
    session: VerbSession, caller: Caller, now: datetime, name: str | None = None, number: int | None = None
) -> ReviewData:
    """The card that comes, changing nothing. `name` asks for a certain one, if that review is to come."""
    learner_id = learners.load_visitor(session, caller)
    if learner_id is None:
        return ReviewData()
    time_zone = learners.time_zone_of(session, learner_id)
    deck = decks.settings_of(session, learner_id)
    day = day_of(now, time_zone)
    until = end_of(day, time_zone)
    counts = counts_of(session, learner_id, deck, day, until)
    queue = ReviewData(
        learner_id=learner_id,
        day=day,
        time_zone=time_zone,
        deck=deck,
        counts=counts,
        last=reviews.last_review(session, learner_id),
    )
    card = requested_card(session, learner_id, name, number) if name else None
    if card is None:
        card = pick(session, learner_id, counts, day, until, now)
    if card is None:
        [(next_due_at,)] = session.all(NEXT_DUE, learner=learner_id, until=until)
        return replace(queue, next_due_at=next_due_at)
    return replace(
        queue,
        card=card,
        number=review_log.next_number(session, learner_id, card.card),
        own=own_cards.find_own_card(session, learner_id, card.card),
    )


def load_result(
    session: VerbSession, caller: Caller, now: datetime, log_id: int
) -> tuple[ReviewData, LogRow]:
    """How the day stands since a review, and the review. NotFound for anybody else's."""
    queue = load_review(session, caller, now)
    return queue, review_log.own_review(session, queue.learner_id, log_id)


def load_home(session: VerbSession, caller: Caller, now: datetime) -> tuple[ReviewData, frozenset[str]]:
    """How the day stands, and the names of the cards in the deck."""
    queue = load_review(session, caller, now)
    if queue.learner_id is None:
        return queue, frozenset()
    return queue, decks.names_of(session, queue.learner_id)


def due(session: VerbSession, caller: Caller, now: datetime) -> int:
    """How many cards come back today, within its limit; new ones wait until they are asked for."""
    learner_id = learners.load_visitor(session, caller)
    if learner_id is None:
        return 0
    time_zone = learners.time_zone_of(session, learner_id)
    deck = decks.settings_of(session, learner_id)
    day = day_of(now, time_zone)
    counts = counts_of(session, learner_id, deck, day, end_of(day, time_zone))
    return counts.due + counts.deck.learning


def count_if(name: str, condition: ColumnElement[bool]) -> ColumnElement[Any]:
    """A column: how many rows meet a condition."""
    return func.count(case((condition, 1))).label(name)


REVIEWS_OF_DAY = RowQuery(
    ReviewCounts,
    select(
        func.count().label("reviews"),
        count_if("remembered", LOG.rating > 1),
        func.coalesce(func.sum(LOG.seconds), 0.0).label("seconds"),
        count_if("cards", LOG.first),
        count_if("new", LOG.state == "new"),
        count_if("due", LOG.state == "review"),
    ).where(OF_LEARNER, VALID, OF_DAY),
)


def count_of(name: str, *conditions: ColumnElement[bool]) -> ColumnElement[Any]:
    """A column: how many cards of the deck meet the conditions, counted in the index and not card by card."""
    return select(func.count()).where(IN_DECK, *conditions).scalar_subquery().label(name)


CARDS_BY_STATE = RowQuery(
    DeckCounts,
    select(
        count_of("cards"),
        count_of("learning", ACTIVE, IN_LEARNING),
        count_of("due", ACTIVE, TO_REVIEW),
        count_of("new", ACTIVE, MEMORY.state == "new"),
        count_of("leeches", MEMORY.status == "leech"),
    ),
)


def counts_of(session: VerbSession, learner_id: int, deck: DeckRow, day: date, until: datetime) -> Counts:
    """A backlog that the day began with beyond its limit leaves no room for new cards, also at its end."""
    [today] = session.all(REVIEWS_OF_DAY, learner=learner_id, day=day)
    [cards] = session.all(CARDS_BY_STATE, learner=learner_id, until=until)
    new_limit, due_limit = deck.limits(day)
    due = min(cards.due, max(0, due_limit - today.due))
    new = 0
    if cards.due + today.due <= due_limit:
        new = min(cards.new, max(0, new_limit - today.new))
    return Counts(new, due, waiting=cards.due - due, today=today, deck=cards)


def requested_card(session: VerbSession, learner_id: int, name: str, number: int | None) -> CardRow | None:
    """The card that was asked for; None when it does not come, or its review `number` is already written."""
    card = decks.find(session, learner_id, name)
    if card is None or card.status != "active":
        return None
    if number is not None and number != review_log.next_number(session, learner_id, name):
        return None
    return card


FAMILIES_OF_DAY = Prepared(
    select(MEMORY.family, func.max(LOG.id))
    .where(OF_LEARNER, VALID, OF_DAY, IN_DECK, MEMORY.card == LOG.card)
    .group_by(MEMORY.family)
)


def pick(
    session: VerbSession, learner_id: int, counts: Counts, day: date, until: datetime, now: datetime
) -> CardRow | None:
    """The first candidate that had no relative today; else the one whose relative came longest ago."""
    candidates = candidates_of(session, learner_id, counts, until, now)
    if not candidates:
        return None
    last_reviews: dict[str, int] = dict(session.all(FAMILIES_OF_DAY, learner=learner_id, day=day))
    return min(candidates, key=lambda card: last_reviews.get(card.family, 0))


FIRST_CARDS = CARD_ROWS.where(ACTIVE).limit(CHOICE)
LEARNING = Prepared(
    FIRST_CARDS.where(IN_LEARNING, MEMORY.due_at <= bindparam("until")).order_by(MEMORY.due_at, MEMORY.id)
)
FADED = (bindparam("at", type_=Float) - extract("epoch", MEMORY.last_review_at)) / MEMORY.stability
"""By FSRS retrievability depends on this ratio alone, and falls while it grows."""
DUE = Prepared(FIRST_CARDS.where(TO_REVIEW).order_by(FADED, MEMORY.id))
NEW = Prepared(FIRST_CARDS.where(MEMORY.state == "new").order_by(MEMORY.id))


def candidates_of(
    session: VerbSession, learner_id: int, counts: Counts, until: datetime, now: datetime
) -> list[CardRow]:
    """What is being learnt, then what is due, then what is new; a little early what is being learnt.

    Of what is due, the best known first: of a backlog that keeps most.
    """
    rows = session.all(LEARNING, learner=learner_id, until=now)
    if not rows and counts.due:
        rows = session.all(DUE, learner=learner_id, until=until, at=now.timestamp())
    if not rows and counts.new:
        rows = session.all(NEW, learner=learner_id)
    if not rows:
        rows = session.all(LEARNING, learner=learner_id, until=now + AHEAD)
    return [decks.card_row(row) for row in rows]
