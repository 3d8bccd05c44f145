"""Reviewing: which card comes, one review at a time, and taking it back."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

from sqlalchemy import Float, bindparam, case, extract, func, or_, select, update

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import decks
from app.records.cards.decks import as_row, columns, log, log_columns, memory, whose
from app.records.cards.scheduling import Memory, packed, parameters, unpacked
from app.records.cards.scheduling import review as reviewed
from app.records.cards.tables import ReviewLog, SchedulerVersion
from app.records.cards.values import (
    CardRating,
    CardRow,
    Counts,
    DeckRow,
    LogRow,
    ReviewData,
    ReviewResult,
    Status,
)
from app.records.db.days import day_of, end_of
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding

AHEAD = timedelta(minutes=20)  # a card that is being learnt comes a little early when nothing else is left
CHOICE = 30  # among so many the next card is picked, so that relatives are kept apart
LEECH = 6  # so often forgotten, a card is put aside; and again after every third further time
LEECH_AGAIN = 3
CLEAN = 3  # so many reviews in a row without a slip retire a card of a mistake
MISTAKE = "content:mistake-"
LONGEST_SECONDS = 120.0  # who looks longer has gone away

active = memory.status == "active"
state, due_at = memory.state, memory.due_at
in_learning = or_(state == "learning", state == "relearning")
learnt = log.learner_id == bindparam("learner")
standing = log.undone_at.is_(None)
faded = (bindparam("at", type_=Float) - extract("epoch", memory.last_review_at)) / memory.stability
"""By FSRS retrievability depends on this ratio alone, and falls while it grows."""
first_few = select(*columns).where(whose, active).limit(CHOICE)

LEARNING = Prepared(first_few.where(in_learning, due_at <= bindparam("until")).order_by(due_at, memory.id))
DUE = Prepared(first_few.where(state == "review", due_at < bindparam("until")).order_by(faded, memory.id))
UNSEEN = Prepared(first_few.where(state == "new").order_by(memory.id))
COUNT_LEARNING = Prepared(select(func.count()).where(whose, active, in_learning))
COUNT_DUE = Prepared(
    select(func.count()).where(whose, active, state == "review", due_at < bindparam("until"))
)
COUNT_UNSEEN = Prepared(select(func.count()).where(whose, active, state == "new"))
COUNT_CARDS = Prepared(select(func.count()).where(whose))
COUNT_LEECHES = Prepared(select(func.count()).where(whose, memory.status == "leech"))
NEXT_DUE = Prepared(
    select(func.min(due_at)).where(whose, active, or_(in_learning, due_at >= bindparam("until")))
)
TODAY = Prepared(
    select(
        func.count(),
        func.coalesce(func.sum(case((log.rating > 1, 1), else_=0)), 0),
        func.coalesce(func.sum(log.seconds), 0.0),
        func.coalesce(func.sum(case((log.first, 1), else_=0)), 0),
        func.coalesce(func.sum(case((log.state == "new", 1), else_=0)), 0),
        func.coalesce(func.sum(case((log.state == "review", 1), else_=0)), 0),
    ).where(learnt, standing, log.day == bindparam("day"))
)
FAMILIES = Prepared(
    select(memory.family, func.max(log.id))
    .where(learnt, standing, log.day == bindparam("day"), whose, memory.card == log.card)
    .group_by(memory.family)
)
LAST = Prepared(select(*log_columns).where(learnt, standing).order_by(log.id.desc()).limit(1))
BY_ID = Prepared(select(*log_columns).where(learnt, log.id == bindparam("log")))
NUMBER = Prepared(select(func.max(log.number)).where(learnt, log.card == bindparam("card")))
THAT_DAY = Prepared(
    select(log.id)
    .where(learnt, log.card == bindparam("card"), standing, log.day == bindparam("day"))
    .limit(1)
)
UNDO = Prepared(update(table(ReviewLog)).where(learnt, log.id == bindparam("log")), keys=("undone_at",))
ADD = adding(ReviewLog)
version = table(SchedulerVersion).c
KNOWN_VERSION = Prepared(select(version.hash).where(version.hash == bindparam("hash")))
ADD_VERSION = adding(SchedulerVersion)


def load_review(
    session: VerbSession, who: Caller, now: datetime, name: str | None = None, number: int | None = None
) -> ReviewData:
    """The card that comes, changing nothing. `name` asks for a certain one, if that review is to come."""
    learner_id = learners.load_visitor(session, who)
    if learner_id is None:
        return ReviewData()
    time_zone, deck = learners.time_zone_of(session, learner_id), decks.deck_of(session, learner_id)
    day = day_of(now, time_zone)
    until = end_of(day, time_zone)
    counts = counts_of(session, learner_id, deck, day, until)
    last = last_of(session, learner_id)
    wanted = asked_for(session, learner_id, name, number) if name else None
    card = wanted or pick(session, learner_id, counts, day, until, now)
    return ReviewData(
        learner_id=learner_id,
        day=day,
        time_zone=time_zone,
        deck=deck,
        counts=counts,
        card=card,
        number=next_number(session, learner_id, card.card) if card else 1,
        own=decks.own_card(session, learner_id, card.card) if card and card.card.startswith("own:") else None,
        last=last,
        next_due_at=None if card else session.all(NEXT_DUE, learner=learner_id, until=until)[0][0],
        leeches=session.all(COUNT_LEECHES, learner=learner_id)[0][0],
    )


def counts_of(session: VerbSession, learner_id: int, deck: DeckRow, day: date, until: datetime) -> Counts:
    """A backlog that the day began with beyond its limit leaves no room for new cards, also at its end."""
    done, known, seconds, seen, new_done, due_done = session.all(TODAY, learner=learner_id, day=day)[0]
    new_limit, due_limit = deck.limits(day)
    overdue = session.all(COUNT_DUE, learner=learner_id, until=until)[0][0]
    unseen = session.all(COUNT_UNSEEN, learner=learner_id)[0][0]
    due = min(overdue, max(0, due_limit - due_done))
    new = min(unseen, max(0, new_limit - new_done)) if overdue + due_done <= due_limit else 0
    return Counts(
        new=new,
        due=due,
        learning=session.all(COUNT_LEARNING, learner=learner_id)[0][0],
        waiting=overdue - due,
        unseen=unseen,
        done=done,
        known=known,
        seen=seen,
        seconds=seconds,
        cards=session.all(COUNT_CARDS, learner=learner_id)[0][0],
    )


def pick(
    session: VerbSession, learner_id: int, counts: Counts, day: date, until: datetime, now: datetime
) -> CardRow | None:
    """What is being learnt, then what is due, then what is new; a little early what is being learnt.

    Of what is due, the best known first: of a backlog that keeps most.
    """
    ways: Sequence[tuple[Prepared, int, Mapping[str, object]]] = (
        (LEARNING, True, {"until": now}),
        (DUE, counts.due, {"until": until, "at": now.timestamp()}),
        (UNSEEN, counts.new, {}),
        (LEARNING, True, {"until": now + AHEAD}),
    )
    for statement, wanted, bounds in ways:
        rows = session.all(statement, learner=learner_id, **bounds) if wanted else []
        if rows:
            seen: dict[str, int] = dict(session.all(FAMILIES, learner=learner_id, day=day))
            return apart([as_row(row) for row in rows], seen)
    return None


def apart(rows: Sequence[CardRow], seen: Mapping[str, int]) -> CardRow:
    """The first one that had no relative today; else the one whose relative was `seen` longest ago."""
    return min(rows, key=lambda row: seen.get(row.family, 0))


def asked_for(session: VerbSession, learner_id: int, name: str, number: int | None) -> CardRow | None:
    row = decks.find(session, learner_id, name)
    fresh = number is None or number == next_number(session, learner_id, name)
    return row if row and row.status == "active" and fresh else None


def home(session: VerbSession, who: Caller, now: datetime) -> tuple[ReviewData, frozenset[str]]:
    """How the day stands, and what is in the deck."""
    found = load_review(session, who, now)
    names = session.all(decks.NAMES, learner=found.learner_id) if found.learner_id else ()
    return found, frozenset(name for (name,) in names)


def due(session: VerbSession, who: Caller, now: datetime) -> int:
    """How many cards come back today, within its limit; new ones wait until they are asked for."""
    learner_id = learners.load_visitor(session, who)
    if learner_id is None:
        return 0
    time_zone, deck = learners.time_zone_of(session, learner_id), decks.deck_of(session, learner_id)
    day = day_of(now, time_zone)
    counts = counts_of(session, learner_id, deck, day, end_of(day, time_zone))
    return counts.due + counts.learning


def after(session: VerbSession, who: Caller, now: datetime, log_id: int) -> tuple[ReviewData, LogRow]:
    """A review that was just written, and how the day stands since."""
    return load_review(session, who, now), one(session, who, log_id)


def one(session: VerbSession, who: Caller, log_id: int) -> LogRow:
    """A review of this learner; NotFound to anybody else."""
    row = session.first(BY_ID, learner=learners.load_visitor(session, who), log=log_id)
    if row is None:
        raise NotFound
    return LogRow(*row)


def review(session: VerbSession, who: Caller, rated: CardRating, now: datetime) -> ReviewResult:
    """Write a review down. One that is already there, or that comes from an old page, changes nothing."""
    arrival = learners.arrive(session, who, now)
    row = decks.own_row(session, arrival.learner_id, rated.card)
    if rated.number != next_number(session, arrival.learner_id, rated.card):
        return ReviewResult(arrival.token, accepted=False)
    deck = decks.deck_of(session, arrival.learner_id)
    memory_after = reviewed(row.memory, rated.rating, row.card, now, deck.retention)
    became = status_after(row, memory_after)
    scheduler = freeze(session, now)
    day = day_of(now, learners.time_zone_of(session, arrival.learner_id))
    seconds = None if rated.seconds is None else min(max(0.0, rated.seconds), LONGEST_SECONDS)
    [(log_id,)] = session.all(
        ADD,
        learner_id=arrival.learner_id,
        card=row.card,
        number=rated.number,
        rating=int(rated.rating),
        reviewed_at=now,
        day=day,
        seconds=seconds,
        raw=rated.raw,
        misconception=rated.misconception,
        state=row.memory.state,
        interval_days=row.memory.interval_days,
        first=session.first(THAT_DAY, learner=arrival.learner_id, card=row.card, day=day) is None,
        retention=deck.retention,
        scheduler=scheduler,
        before=packed(row.memory, row.status),
        after=packed(memory_after, became),
        undone_at=None,
    )
    decks.keep_memory(session, arrival.learner_id, row.card, memory_after, became, scheduler)
    return ReviewResult(arrival.token, True, row.card, log_id, became)


def undo(session: VerbSession, who: Caller, log_id: int, now: datetime) -> ReviewResult:
    """Take the last review back: everything is as it was before. Any other one changes nothing."""
    arrival = learners.arrive(session, who, now)
    last = last_of(session, arrival.learner_id)
    if last is None or last.id != log_id:
        return ReviewResult(arrival.token, accepted=False)
    before, status = unpacked(last.before)
    session.run(UNDO, learner=arrival.learner_id, log=log_id, undone_at=now)
    _, scheduler = decks.replayed(session, arrival.learner_id, last.card)
    decks.keep_memory(session, arrival.learner_id, last.card, before, status, scheduler)
    return ReviewResult(arrival.token, True, last.card, log_id)


def status_after(row: CardRow, after: Memory) -> Status:
    """A card forgotten again and again is put aside; a mistake that is overcome retires.

    One that came back from there stays for as many reviews more.

    >>> from app.records.cards.scheduling import NEW
    >>> forgotten = CardRow("content:gain", "gain", datetime(2026, 9, 1), "active", NEW._replace(lapses=5))
    >>> status_after(forgotten, NEW._replace(lapses=6))
    'leech'
    """
    grown, times = after.lapses > row.memory.lapses, after.lapses
    if grown and times >= LEECH and (times - LEECH) % LEECH_AGAIN == 0:
        return "leech"
    came_back = overcome(row.memory) and after.streak % CLEAN
    if row.card.startswith(MISTAKE) and overcome(after) and not came_back:
        return "retired"
    return row.status


def overcome(memory: Memory) -> bool:
    return memory.streak >= CLEAN and memory.state == "review"


def freeze(session: VerbSession, now: datetime) -> str:
    """Keep what makes the dates, once. Returns its hash."""
    found = parameters()
    if session.first(KNOWN_VERSION, hash=found.hash) is None:
        session.run(
            ADD_VERSION, hash=found.hash, version=found.version, parameters=found.numbers, created_at=now
        )
    return found.hash


def last_of(session: VerbSession, learner_id: int) -> LogRow | None:
    """The last review, if its card is still in the deck: the one that can be taken back."""
    row = session.first(LAST, learner=learner_id)
    last = LogRow(*row) if row else None
    return last if last and decks.find(session, learner_id, last.card) else None


def next_number(session: VerbSession, learner_id: int, name: str) -> int:
    return (session.all(NUMBER, learner=learner_id, card=name)[0][0] or 0) + 1
