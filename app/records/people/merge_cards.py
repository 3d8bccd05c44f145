"""A guest's deck moves into the deck of an account: every review counts once, in the order of time.

A card that both have reviewed gets one history. Ratings and times are what happened and stay; what stood in
the log as the memory before and after follows from them, and is made again.
"""

from datetime import date
from typing import Any

from sqlalchemy import Table, delete, select, update

from app.records.cards import decks
from app.records.cards.own_cards import NO_WORDS
from app.records.cards.scheduling import NEW, Memory, Rating, next_memory, packed, unpacked
from app.records.cards.tables import CardMemory, Deck, OwnCard, ReviewLog
from app.records.cards.values import LogRow
from app.records.db.metadata import table
from app.records.db.session import RowQuery, VerbSession

MEMORY = table(CardMemory)
LOG = table(ReviewLog)
OWN_CARD = table(OwnCard)
SETTINGS = table(Deck)


def merge_cards(session: VerbSession, guest_id: int, account_id: int) -> None:
    """All cards and reviews of the guest, and its settings where the account has none."""
    join_twins(session, guest_id, account_id)
    reviewed = cards_of(session, LOG, guest_id)
    touched = reviewed | cards_of(session, MEMORY, guest_id)
    for card in sorted(reviewed & cards_of(session, LOG, account_id)):
        join_reviews(session, guest_id, account_id, card)
    drop_doubles(session, guest_id, account_id)
    for owned in (MEMORY, LOG, OWN_CARD, SETTINGS):
        session.execute(update(owned).where(owned.c.learner_id == guest_id).values(learner_id=account_id))
    for card in sorted(touched):
        deck_card = decks.find(session, account_id, card)
        if deck_card:
            memory, scheduler = decks.replayed(session, account_id, card)
            decks.save_memory(session, account_id, card, memory, deck_card.status, scheduler)


def drop_doubles(session: VerbSession, guest_id: int, account_id: int) -> None:
    """What the account has already: memories of the same cards, and settings."""
    in_deck = select(MEMORY.c.card).where(MEMORY.c.learner_id == account_id)
    session.execute(delete(MEMORY).where(MEMORY.c.learner_id == guest_id, MEMORY.c.card.in_(in_deck)))
    with_settings = select(SETTINGS.c.learner_id).where(SETTINGS.c.learner_id == account_id)
    if session.execute(with_settings).first():
        session.execute(delete(SETTINGS).where(SETTINGS.c.learner_id == guest_id))


def cards_of(session: VerbSession, owned: Table, learner_id: int) -> set[str]:
    cards = select(owned.c.card).where(owned.c.learner_id == learner_id)
    return set(session.execute(cards).scalars())


def join_twins(session: VerbSession, guest_id: int, account_id: int) -> None:
    """A card that both wrote, word for word, is one card. The empty row stays: its id names no other one."""
    of_guest, of_account = OWN_CARD.alias().c, OWN_CARD.alias().c
    owners = (of_guest.learner_id == guest_id) & (of_account.learner_id == account_id)
    alive = of_guest.deleted_at.is_(None) & of_account.deleted_at.is_(None)
    same_words = (of_guest.front == of_account.front) & (of_guest.back == of_account.back)
    pairs = select(of_guest.id, of_guest.updated_at, of_account.id.label("twin_id"))
    for pair in session.execute(pairs.where(owners, alive, same_words)).all():
        rename_card(session, guest_id, f"own:{pair.id}", f"own:{pair.twin_id}")
        blank = {**NO_WORDS, "deleted_at": pair.updated_at}
        session.execute(update(OWN_CARD).where(OWN_CARD.c.id == pair.id).values(blank))


def rename_card(session: VerbSession, learner_id: int, card: str, name: str) -> None:
    """What a learner remembers of an own card, and its reviews, go under another name."""
    in_memory = (MEMORY.c.learner_id == learner_id) & (MEMORY.c.card == card)
    session.execute(update(MEMORY).where(in_memory).values(card=name, family=name))
    in_log = (LOG.c.learner_id == learner_id) & (LOG.c.card == card)
    session.execute(update(LOG).where(in_log).values(card=name))


HISTORY_OF_CARD = RowQuery(LogRow, decks.LOG_ROWS.where(decks.REVIEW_OF_CARD).order_by(LOG.c.id))


def join_reviews(session: VerbSession, guest_id: int, account_id: int, card: str) -> None:
    """One history of a card; ids grow with time, so they give the order."""
    of_both = (LOG.c.learner_id.in_([guest_id, account_id]), LOG.c.card == card)
    # Numbers are unique for a card of a learner: below 0 until each has its own.
    session.execute(update(LOG).where(*of_both).values(learner_id=account_id, number=-LOG.c.id))
    parameters = decks.parameters_by_hash(session)
    memory = NEW
    days: set[date] = set()
    for number, review in enumerate(session.all(HISTORY_OF_CARD, learner=account_id, card=card), start=1):
        changes: dict[str, Any] = {"number": number}
        if review.undone_at is None:
            rating = Rating(review.rating)
            scheduler = parameters[review.scheduler]
            memory_after = next_memory(memory, rating, card, review.reviewed_at, review.retention, scheduler)
            changes |= changes_of_memory(review, memory, memory_after)
            changes["first"] = review.day not in days
            memory = memory_after
            days.add(review.day)
        session.execute(update(LOG).where(LOG.c.id == review.id).values(changes))


def changes_of_memory(review: LogRow, memory_before: Memory, memory_after: Memory) -> dict[str, Any]:
    """What the log says of a review that others now stand before."""
    return {
        "state": memory_before.state,
        "interval_days": memory_before.interval_days,
        "before": packed(memory_before, unpacked(review.before)[1]),
        "after": packed(memory_after, unpacked(review.after)[1]),
    }
