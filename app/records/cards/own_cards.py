"""Cards that learners write: made, edited, deleted, many at once."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, select, update

from app.records.accounts import learners
from app.records.accounts.values import Arrival, Caller
from app.records.cards import decks
from app.records.cards.decks import own, own_card
from app.records.cards.tables import OwnCard
from app.records.cards.values import CollectedCards
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding

FAMILY = "own"
Written = tuple[str, str, str, str]
"""Front, back, tags, source."""

mine = own.learner_id == bindparam("learner"), own.id == bindparam("own"), own.deleted_at.is_(None)
SAME = Prepared(
    select(own.id).where(
        own.learner_id == bindparam("learner"),
        own.front == bindparam("front"),
        own.back == bindparam("back"),
        own.deleted_at.is_(None),
    )
)
ADD = adding(OwnCard)
EDIT = Prepared(update(table(OwnCard)).where(*mine), keys=("front", "back", "tags", "updated_at"))
WIPE = Prepared(
    update(table(OwnCard)).where(*mine), keys=("front", "back", "tags", "source", "updated_at", "deleted_at")
)


def write(session: VerbSession, who: Caller, cards: Sequence[Written], now: datetime) -> CollectedCards:
    """Keep cards and put them into the deck. One with the same words on both sides is not made twice."""
    arrival, added, last = learners.arrive(session, who, now), 0, ""
    for front, back, tags, source in cards:
        same = session.first(SAME, learner=arrival.learner_id, front=front, back=back)
        if same is None:
            same = session.all(
                ADD,
                learner_id=arrival.learner_id,
                front=front,
                back=back,
                tags=tags,
                source=source,
                created_at=now,
                updated_at=now,
                deleted_at=None,
            )[0]
            added += 1
        last = f"own:{same[0]}"
        decks.put(session, arrival.learner_id, last, f"{FAMILY}:{same[0]}", now)
    return CollectedCards(arrival.token, added, last)


def bring(
    session: VerbSession,
    who: Caller,
    cards: Sequence[Written],
    collected: Sequence[tuple[str, str]],
    now: datetime,
) -> CollectedCards:
    """A table of cards: what somebody wrote is kept, what the course has is collected."""
    ours, done = decks.collect(session, who, collected, now), write(session, who, cards, now)
    return replace(done, added=done.added + ours.added)


def edit(
    session: VerbSession, who: Caller, name: str, front: str, back: str, tags: str, now: datetime
) -> Arrival:
    """Other words for the same card: what is remembered of it stays."""
    arrival = learners.arrive(session, who, now)
    found = own_card(session, arrival.learner_id, name)
    session.run(
        EDIT, learner=arrival.learner_id, own=found.id, front=front, back=back, tags=tags, updated_at=now
    )
    return arrival


def delete(session: VerbSession, who: Caller, name: str, now: datetime) -> Arrival:
    """The words go, and the place in the deck; that it was reviewed stays in the log."""
    arrival = learners.arrive(session, who, now)
    found = own_card(session, arrival.learner_id, name)
    blank = {"front": "", "back": "", "tags": "", "source": "", "updated_at": now, "deleted_at": now}
    session.run(WIPE, learner=arrival.learner_id, own=found.id, **blank)
    decks.remove(session, who, name, now)
    return arrival
