"""A guest's deck moves into the deck of an account: every review counts once, in the order of time.

A card that both have reviewed gets one history. Ratings and times are what happened and stay; what stood in
the log as the memory before and after follows from them, and is made again.
"""

from datetime import date
from typing import Any

from sqlalchemy import delete, select, update

from app.records.cards import decks, review_log
from app.records.cards.scheduling import NEW, Memory, Rating, next_memory, packed, unpacked
from app.records.cards.tables import CardMemory, Deck, OwnCard, ReviewLog
from app.records.cards.values import LogRow
from app.records.db.metadata import table
from app.records.db.session import Row, VerbSession, columns_of

memory, log, own, settings = table(CardMemory), table(ReviewLog), table(OwnCard), table(Deck)


def merge_cards(session: VerbSession, guest: int, into: int) -> None:
    """All cards and reviews of the guest, and its settings where the account has none."""
    join_twins(session, guest, into)
    touched = cards_of(session, log, guest) | cards_of(session, memory, guest)
    for card in sorted(cards_of(session, log, guest) & cards_of(session, log, into)):
        join_reviews(session, guest, into, card)
    session.execute(delete(memory).where(memory.c.learner_id == guest, memory.c.card.in_(in_deck(into))))
    if session.execute(select(settings.c.learner_id).where(settings.c.learner_id == into)).first():
        session.execute(delete(settings).where(settings.c.learner_id == guest))
    for each in (memory, log, own, settings):
        session.execute(update(each).where(each.c.learner_id == guest).values(learner_id=into))
    for card in sorted(touched):
        if row := decks.find(session, into, card):
            past, scheduler = review_log.replayed(session, into, card)
            decks.save_memory(session, into, card, past, row.status, scheduler)


def in_deck(learner_id: int) -> Any:
    return select(memory.c.card).where(memory.c.learner_id == learner_id)


def cards_of(session: VerbSession, of: Any, learner_id: int) -> set[str]:
    found = select(of.c.card).where(of.c.learner_id == learner_id).distinct()
    return set(session.execute(found).scalars())


def join_twins(session: VerbSession, guest: int, into: int) -> None:
    """A card that both wrote, word for word, is one card. The empty row stays: its id names no other one."""
    mine, theirs = own.alias(), own.alias()
    same = (mine.c.front == theirs.c.front, mine.c.back == theirs.c.back)
    alive = (mine.c.deleted_at.is_(None), theirs.c.deleted_at.is_(None))
    pairs = select(theirs.c.id, theirs.c.updated_at, mine.c.id).where(
        theirs.c.learner_id == guest, mine.c.learner_id == into, *same, *alive
    )
    found: list[Row] = [tuple(row) for row in session.execute(pairs)]
    for old, at, new in found:
        for each, names in (
            (memory, {"card": f"own:{new}", "family": f"own:{new}"}),
            (log, {"card": f"own:{new}"}),
        ):
            here = (each.c.learner_id == guest, each.c.card == f"own:{old}")
            session.execute(update(each).where(*here).values(**names))
        blank = {"front": "", "back": "", "tags": "", "source": "", "deleted_at": at}
        session.execute(update(own).where(own.c.id == old).values(**blank))


def join_reviews(session: VerbSession, guest: int, into: int, card: str) -> None:
    """One history of a card; ids grow with time, so they give the order."""
    here = (log.c.learner_id.in_([guest, into]), log.c.card == card)
    found: list[Row] = [
        tuple(row)
        for row in session.execute(select(*columns_of(ReviewLog, LogRow)).where(*here).order_by(log.c.id))
    ]
    session.execute(update(log).where(*here).values(learner_id=into, number=-log.c.id))
    numbers = review_log.parameters_by_hash(session)
    past, days = NEW, set[date]()
    for number, row in enumerate([LogRow(*each) for each in found], start=1):
        values: dict[str, Any] = {"number": number}
        if row.undone_at is None:
            after = next_memory(
                past, Rating(row.rating), card, row.reviewed_at, row.retention, numbers[row.scheduler]
            )
            values |= retold(row, past, after) | {"first": row.day not in days}
            past = after
            days.add(row.day)
        session.execute(update(log).where(log.c.id == row.id).values(**values))


def retold(row: LogRow, before: Memory, after: Memory) -> dict[str, Any]:
    """What the log says of a review that others now stand before."""
    return {
        "state": before.state,
        "interval_days": before.interval_days,
        "before": packed(before, unpacked(row.before)[1]),
        "after": packed(after, unpacked(row.after)[1]),
    }
