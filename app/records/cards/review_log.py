"""The log of reviews: what it says of a card, and the memory that follows from it."""

from sqlalchemy import bindparam, func, select

from app.records.cards.scheduling import NEW, Memory, Rating, next_memory
from app.records.cards.tables import ReviewLog, SchedulerVersion
from app.records.cards.values import LogRow
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, RowQuery, VerbSession, columns_of

LOG = table(ReviewLog).c
OF_LEARNER = LOG.learner_id == bindparam("learner")
OF_CARD = LOG.card == bindparam("card")
VALID = LOG.undone_at.is_(None)
LOG_ROWS = select(*columns_of(ReviewLog, LogRow)).where(OF_LEARNER)

WHOLE_LOG = RowQuery(LogRow, LOG_ROWS.order_by(LOG.id))


def whole_log(session: VerbSession, learner_id: int) -> list[LogRow]:
    """Every review of a learner, in the order in which they were made."""
    return session.all(WHOLE_LOG, learner=learner_id)


LOG_OF_CARD = RowQuery(LogRow, LOG_ROWS.where(OF_CARD).order_by(LOG.number))


def log_of_card(session: VerbSession, learner_id: int, name: str) -> list[LogRow]:
    """The reviews of a card, oldest first."""
    return session.all(LOG_OF_CARD, learner=learner_id, card=name)


REVIEW_BY_ID = RowQuery(LogRow, LOG_ROWS.where(LOG.id == bindparam("log")))


def own_review(session: VerbSession, learner_id: int | None, log_id: int) -> LogRow:
    """A review of this learner; NotFound for anybody else's."""
    review = session.first(REVIEW_BY_ID, learner=learner_id, log=log_id)
    if review is None:
        raise NotFound
    return review


LAST_NUMBER = Prepared(select(func.max(LOG.number)).where(OF_LEARNER, OF_CARD))


def next_number(session: VerbSession, learner_id: int, name: str) -> int:
    """The number of the review to come; an undone review has used up its own."""
    [(last_number,)] = session.all(LAST_NUMBER, learner=learner_id, card=name)
    return (last_number or 0) + 1


def replayed(session: VerbSession, learner_id: int, name: str) -> tuple[Memory, str | None]:
    """A memory made again from the log, each review with the parameters that it had; and the last of them."""
    numbers = parameters_by_hash(session)
    memory, scheduler = NEW, None
    for row in log_of_card(session, learner_id, name):
        if row.undone_at is None:
            scheduler = row.scheduler
            rating = Rating(row.rating)
            memory = next_memory(memory, rating, name, row.reviewed_at, row.retention, numbers[scheduler])
    return memory, scheduler


VERSION = table(SchedulerVersion).c
PARAMETERS = Prepared(select(VERSION.hash, VERSION.parameters))


def parameters_by_hash(session: VerbSession) -> dict[str, str]:
    """The numbers of every scheduler that made a date, as JSON."""
    return dict(session.all(PARAMETERS))
