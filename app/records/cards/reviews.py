"""One review at a time: written down, and taken back."""

from datetime import datetime

from sqlalchemy import bindparam, select, update

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import decks, review_log
from app.records.cards.review_log import LOG, LOG_ROWS, OF_CARD, OF_LEARNER, VALID
from app.records.cards.scheduling import Memory, next_memory, packed, parameters, unpacked
from app.records.cards.tables import ReviewLog, SchedulerVersion
from app.records.cards.values import CardRating, CardRow, LogRow, ReviewResult, Status
from app.records.db.days import day_of
from app.records.db.metadata import table
from app.records.db.session import Prepared, RowQuery, VerbSession, adding

LEECH = 6  # so often forgotten, a card is put aside; and again after every third further time
LEECH_AGAIN = 3
CLEAN = 3  # so many reviews in a row without a slip retire a card of a mistake
MISTAKE = "content:mistake-"
LONGEST_SECONDS = 120.0  # who looks longer has gone away

ADD_REVIEW = adding(ReviewLog)
REVIEWS_OF_DAY = Prepared(
    select(LOG.id).where(OF_LEARNER, OF_CARD, VALID, LOG.day == bindparam("day")).limit(1)
)


def review(session: VerbSession, caller: Caller, rated: CardRating, now: datetime) -> ReviewResult:
    """Write a review down. One that is already there, or that comes from an old page, changes nothing."""
    arrival = learners.arrive(session, caller, now)
    learner_id = arrival.learner_id
    row = decks.own_row(session, learner_id, rated.card)
    if rated.number != review_log.next_number(session, learner_id, row.card):
        return ReviewResult(arrival.token, accepted=False)
    retention = decks.settings_of(session, learner_id).retention
    memory = next_memory(row.memory, rated.rating, row.card, now, retention)
    status = status_after(row, memory)
    scheduler = save_scheduler(session, now)
    day = day_of(now, learners.time_zone_of(session, learner_id))
    reviews_of_day = session.all(REVIEWS_OF_DAY, learner=learner_id, card=row.card, day=day)
    [(log_id,)] = session.all(
        ADD_REVIEW,
        learner_id=learner_id,
        reviewed_at=now,
        day=day,
        state=row.memory.state,
        interval_days=row.memory.interval_days,
        first=not reviews_of_day,
        retention=retention,
        scheduler=scheduler,
        before=packed(row.memory, row.status),
        after=packed(memory, status),
        undone_at=None,
        **rated._replace(seconds=plausible_seconds(rated.seconds))._asdict(),
    )
    decks.save_memory(session, learner_id, row.card, memory, status, scheduler)
    return ReviewResult(arrival.token, True, row.card, log_id, status)


def plausible_seconds(seconds: float | None) -> float | None:
    """A time that somebody can have looked at one card; None where it is not known."""
    if seconds is None:
        return None
    return min(max(0.0, seconds), LONGEST_SECONDS)


def status_after(row: CardRow, memory: Memory) -> Status:
    """A card forgotten again and again is put aside; a mistake that is overcome retires.

    One that came back from there stays for as many reviews more.

    >>> from app.records.cards.scheduling import NEW
    >>> forgotten = CardRow("content:gain", "gain", datetime(2026, 9, 1), "active", NEW._replace(lapses=5))
    >>> status_after(forgotten, NEW._replace(lapses=6))
    'leech'
    """
    forgotten = memory.lapses > row.memory.lapses
    if forgotten and memory.lapses >= LEECH and (memory.lapses - LEECH) % LEECH_AGAIN == 0:
        return "leech"
    if row.card.startswith(MISTAKE) and is_overcome(memory):
        came_back = is_overcome(row.memory) and memory.streak % CLEAN
        if not came_back:
            return "retired"
    return row.status


def is_overcome(memory: Memory) -> bool:
    """Whether a card was known often enough in a row."""
    return memory.streak >= CLEAN and memory.state == "review"


VERSION = table(SchedulerVersion).c
VERSION_BY_HASH = Prepared(select(VERSION.hash).where(VERSION.hash == bindparam("hash")))
ADD_VERSION = adding(SchedulerVersion)


def save_scheduler(session: VerbSession, now: datetime) -> str:
    """Keep what makes the dates, once. Returns its hash."""
    scheduler = parameters()
    if session.first(VERSION_BY_HASH, hash=scheduler.hash) is None:
        session.run(
            ADD_VERSION,
            hash=scheduler.hash,
            version=scheduler.version,
            parameters=scheduler.numbers,
            created_at=now,
        )
    return scheduler.hash


UNDO = Prepared(update(table(ReviewLog)).where(OF_LEARNER, LOG.id == bindparam("log")), keys=("undone_at",))


def undo(session: VerbSession, caller: Caller, log_id: int, now: datetime) -> ReviewResult:
    """Take the last review back: everything is as it was before. Any other one changes nothing."""
    arrival = learners.arrive(session, caller, now)
    last = last_review(session, arrival.learner_id)
    if last is None or last.id != log_id:
        return ReviewResult(arrival.token, accepted=False)
    memory, status = unpacked(last.before)
    session.run(UNDO, learner=arrival.learner_id, log=log_id, undone_at=now)
    _, scheduler = review_log.replayed(session, arrival.learner_id, last.card)
    decks.save_memory(session, arrival.learner_id, last.card, memory, status, scheduler)
    return ReviewResult(arrival.token, True, last.card, log_id)


LAST_REVIEW = RowQuery(LogRow, LOG_ROWS.where(VALID).order_by(LOG.id.desc()).limit(1))


def last_review(session: VerbSession, learner_id: int) -> LogRow | None:
    """The last review, if its card is still in the deck: the one that can be taken back."""
    last = session.first(LAST_REVIEW, learner=learner_id)
    if last is None or decks.find(session, learner_id, last.card) is None:
        return None
    return last
