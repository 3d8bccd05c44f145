"""Decks: which cards somebody reviews, and how."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Literal
from zoneinfo import available_timezones

from sqlalchemy import bindparam, delete, select, update

from app.records.accounts import learners
from app.records.accounts.tables import Learner
from app.records.accounts.values import Arrival, Caller
from app.records.cards.scheduling import HIGHEST, LOWEST, NEW, Memory, Rating, review, unpacked
from app.records.cards.tables import CardMemory, Deck, OwnCard, ReviewLog, SchedulerVersion
from app.records.cards.values import (
    CardData,
    CardRow,
    CollectedCards,
    DeckData,
    DeckRow,
    LogRow,
    OwnRow,
    Status,
)
from app.records.db.days import day_of
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.row_ids import row_id
from app.records.db.session import Prepared, Row, VerbSession, adding

MOST_A_DAY = 999
Came = Literal["new", "back", "there"]
"""How a card comes into a deck."""
FamilyOf = Callable[[str], str | None]
"""The family of a card of the course; None for one that it has no more."""
learner, deck, memory, own, log = (table(each).c for each in (Learner, Deck, CardMemory, OwnCard, ReviewLog))
whose, mine = memory.learner_id == bindparam("learner"), memory.card == bindparam("card")
memories = [memory[name] for name in Memory._fields]
columns = [memory.card, memory.family, memory.added_at, memory.status, *memories]
own_columns = [own[name] for name in OwnRow._fields]
log_columns = [log[name] for name in LogRow._fields]

SET_TIME_ZONE = Prepared(
    update(table(Learner)).where(learner.id == bindparam("learner")), keys=("time_zone",)
)
DECK = Prepared(
    select(*[deck[name] for name in DeckRow._fields]).where(deck.learner_id == bindparam("learner"))
)
SET_DECK = Prepared(update(table(Deck)).where(deck.learner_id == bindparam("learner")), DeckRow._fields)
ADD_DECK = adding(Deck)
ONE = Prepared(select(*columns).where(whose, mine))
EVERY = Prepared(select(*columns).where(whose).order_by(memory.id))
NAMES = Prepared(select(memory.card).where(whose))
ADD = adding(CardMemory)
SET_STATUS = Prepared(update(table(CardMemory)).where(whose, mine), keys=("status",))
SET_MEMORY = Prepared(
    update(table(CardMemory)).where(whose, mine), keys=("status", "scheduler", *Memory._fields)
)
REMOVE = Prepared(delete(table(CardMemory)).where(whose, mine))
LOG_OF = Prepared(
    select(*log_columns)
    .where(log.learner_id == bindparam("learner"), log.card == bindparam("card"))
    .order_by(log.number)
)
LOG = Prepared(select(*log_columns).where(log.learner_id == bindparam("learner")).order_by(log.id))
VERSIONS = Prepared(select(table(SchedulerVersion).c.hash, table(SchedulerVersion).c.parameters))
OWN = Prepared(
    select(*own_columns).where(
        own.id == bindparam("own"), own.learner_id == bindparam("learner"), own.deleted_at.is_(None)
    )
)
EVERY_OWN = Prepared(
    select(*own_columns)
    .where(own.learner_id == bindparam("learner"), own.deleted_at.is_(None))
    .order_by(own.id)
)


def load_deck(session: VerbSession, who: Caller) -> DeckData:
    """The whole deck."""
    learner_id = learners.load_visitor(session, who)
    if learner_id is None:
        return DeckData()
    return DeckData(
        learner_id=learner_id,
        deck=deck_of(session, learner_id),
        time_zone=learners.time_zone_of(session, learner_id),
        rows=tuple([as_row(row) for row in session.all(EVERY, learner=learner_id)]),
        own=tuple([OwnRow(*row) for row in session.all(EVERY_OWN, learner=learner_id)]),
    )


def everything(session: VerbSession, who: Caller) -> tuple[DeckData, tuple[LogRow, ...]]:
    """The whole deck with the whole log, to be taken home."""
    found = load_deck(session, who)
    rows = session.all(LOG, learner=found.learner_id) if found.learner_id else ()
    return found, tuple([LogRow(*row) for row in rows])


def card(session: VerbSession, who: Caller, name: str) -> CardData:
    """One card with its history. NotFound for an own card that is not this learner's."""
    learner_id = learners.load_visitor(session, who)
    written = own_card(session, learner_id, name) if name.startswith("own:") else None
    if learner_id is None:
        return CardData()
    return CardData(
        learner_id=learner_id,
        time_zone=learners.time_zone_of(session, learner_id),
        row=find(session, learner_id, name),
        own=written,
        log=tuple([LogRow(*row) for row in session.all(LOG_OF, learner=learner_id, card=name)]),
    )


def adjust(session: VerbSession, who: Caller, wishes: DeckRow, time_zone: str, now: datetime) -> Arrival:
    """How to review from now on. Figures out of range are put to the nearest end."""
    arrival = learners.arrive(session, who, now)
    if time_zone in available_timezones():
        session.run(SET_TIME_ZONE, learner=arrival.learner_id, time_zone=time_zone)
    keep_deck(session, arrival.learner_id, within(wishes))
    return arrival


def less_today(session: VerbSession, who: Caller, less: bool, now: datetime) -> Arrival:
    """今天少一点: half of everything until the day ends; or the whole again."""
    arrival = learners.arrive(session, who, now)
    today = day_of(now, learners.time_zone_of(session, arrival.learner_id))
    wishes = deck_of(session, arrival.learner_id)._replace(less_on=today if less else None)
    keep_deck(session, arrival.learner_id, wishes)
    return arrival


def within(wishes: DeckRow) -> DeckRow:
    """
    >>> within(DeckRow(retention=0.5, new_a_day=5000, buttons=3))[:4]
    (0.8, 999, 60, 2)
    """
    return wishes._replace(
        retention=min(max(LOWEST, wishes.retention), HIGHEST),
        new_a_day=min(max(0, wishes.new_a_day), MOST_A_DAY),
        due_a_day=min(max(1, wishes.due_a_day), MOST_A_DAY),
        buttons=4 if wishes.buttons == 4 else 2,
    )


def keep_deck(session: VerbSession, learner_id: int, wishes: DeckRow) -> None:
    if session.first(DECK, learner=learner_id) is None:
        session.run(ADD_DECK, learner_id=learner_id, **wishes._asdict())
    else:
        session.run(SET_DECK, learner=learner_id, **wishes._asdict())


def collect(
    session: VerbSession, who: Caller, cards: Iterable[tuple[str, str]], now: datetime
) -> CollectedCards:
    """Put cards (name, family) into the deck. One that is there stays; one that was there knows its past."""
    arrival, last = learners.arrive(session, who, now), ""
    came: list[Came] = []
    for last, family in cards:
        came.append(put(session, arrival.learner_id, last, family, now))
    return CollectedCards(arrival.token, came.count("new"), last, came.count("back"))


def put(session: VerbSession, learner_id: int, name: str, family: str, now: datetime) -> Came:
    """A card into the deck. A mistake that was overcome and is made again comes back."""
    if row := find(session, learner_id, name):
        if row.status == "retired":
            session.run(SET_STATUS, learner=learner_id, card=name, status="active")
        return "back" if row.status == "retired" else "there"
    past, scheduler = replayed(session, learner_id, name)
    session.run(
        ADD,
        learner_id=learner_id,
        card=name,
        family=family,
        added_at=now,
        status="active",
        scheduler=scheduler,
        **past._asdict(),
    )
    return "new"


def replayed(session: VerbSession, learner_id: int, name: str) -> tuple[Memory, str | None]:
    """A memory made again from the log, each review with the parameters that it had."""
    numbers: dict[str, str] = dict(session.all(VERSIONS))
    found, scheduler = NEW, None
    for row in (LogRow(*each) for each in session.all(LOG_OF, learner=learner_id, card=name)):
        if row.undone_at is None:
            rating, scheduler = Rating(row.rating), row.scheduler
            found = review(found, rating, name, row.reviewed_at, row.retention, numbers[scheduler])
    return found, scheduler


def rebuild(session: VerbSession, learner_id: int) -> int:
    """Every memory of a deck made again from the log; how many were different."""
    changed = 0
    for row in [as_row(each) for each in session.all(EVERY, learner=learner_id)]:
        past, scheduler = replayed(session, learner_id, row.card)
        if past != row.memory:
            keep_memory(session, learner_id, row.card, past, row.status, scheduler)
            changed += 1
    return changed


def rebuild_all(session: VerbSession) -> int:
    """`rebuild` for everybody."""
    everybody = session.execute(select(learner.id)).scalars().all()
    return sum(rebuild(session, one) for one in everybody)


def bring_back(session: VerbSession, learner_id: int, family_of: FamilyOf) -> int:
    """Cards that the log knows and the deck does not, put back as the log left them; how many.

    The log cannot tell a card that was lost from one that was taken out: both come back.
    """
    there = {name for (name,) in session.all(NAMES, learner=learner_id)}
    last = {row.card: row for row in (LogRow(*each) for each in session.all(LOG, learner=learner_id))
            if row.undone_at is None and row.card not in there}  # fmt: skip
    families = {name: own_family(session, learner_id, name) or family_of(name) for name in last}
    lost = [(row, family) for name, row in last.items() if (family := families[name])]
    for row, family in lost:
        put(session, learner_id, row.card, family, row.reviewed_at)
        _, status = unpacked(row.after)
        session.run(SET_STATUS, learner=learner_id, card=row.card, status=status)
    return len(lost)


def own_family(session: VerbSession, learner_id: int, name: str) -> str | None:
    """An own card is its own family; None for a deleted one, and for one of the course."""
    try:
        return own_card(session, learner_id, name).card if name.startswith("own:") else None
    except NotFound:
        return None


def bring_back_all(session: VerbSession, family_of: FamilyOf) -> int:
    """`bring_back` for everybody."""
    everybody = session.execute(select(learner.id)).scalars().all()
    return sum(bring_back(session, one, family_of) for one in everybody)


def keep_memory(
    session: VerbSession, learner_id: int, name: str, after: Memory, status: str, scheduler: str | None
) -> None:
    values = after._asdict() | {"status": status, "scheduler": scheduler}
    session.run(SET_MEMORY, learner=learner_id, card=name, **values)


def set_status(session: VerbSession, who: Caller, name: str, status: Status, now: datetime) -> Arrival:
    """Put a card aside, or take it back. NotFound for one that is not in the deck."""
    arrival = learners.arrive(session, who, now)
    own_row(session, arrival.learner_id, name)
    session.run(SET_STATUS, learner=arrival.learner_id, card=name, status=status)
    return arrival


def remove(session: VerbSession, who: Caller, name: str, now: datetime) -> Arrival:
    """Take a card out of the deck; the log keeps its past."""
    arrival = learners.arrive(session, who, now)
    session.run(REMOVE, learner=arrival.learner_id, card=name)
    return arrival


def own_row(session: VerbSession, learner_id: int, name: str) -> CardRow:
    """A card of this deck: the lookup is the permission check."""
    found = find(session, learner_id, name)
    if found is None:
        raise NotFound("这张卡片不在你的闪卡里。")
    return found


def own_card(session: VerbSession, learner_id: int | None, name: str) -> OwnRow:
    """A card that this learner wrote; NotFound to anybody else."""
    number = row_id(name.removeprefix("own:"))
    row = None if number is None else session.first(OWN, own=number, learner=learner_id)
    if row is None:
        raise NotFound("没有这张卡片，或者它不是你的。")
    return OwnRow(*row)


def find(session: VerbSession, learner_id: int, name: str) -> CardRow | None:
    row = session.first(ONE, learner=learner_id, card=name)
    return as_row(row) if row else None


def as_row(row: Row) -> CardRow:
    card, family, added_at, status, *rest = row
    return CardRow(card, family, added_at, status, Memory(*rest))


def among(session: VerbSession, learner_id: int, names: Iterable[str]) -> frozenset[str]:
    """Which of these cards are in the deck."""
    return frozenset(name for name in names if session.first(ONE, learner=learner_id, card=name))


def deck_of(session: VerbSession, learner_id: int) -> DeckRow:
    row = session.first(DECK, learner=learner_id)
    return DeckRow(*row) if row else DeckRow()
