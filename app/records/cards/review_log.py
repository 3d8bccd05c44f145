"""The log of reviews: read by card and by number, and memories made again from it."""

from datetime import datetime

from sqlalchemy import bindparam, exists, func, select, update

from app.records.cards.rows import (
    IS_IN_LOG,
    IS_NOT_UNDONE,
    IS_REVIEW_OF_CARD,
    MEMORY,
    REVIEW,
    REVIEW_LOG_TABLE,
)
from app.records.cards.scheduling import (
    NEW_MEMORY,
    Memory,
    Rating,
    next_memory,
    unpack_memory_and_status,
)
from app.records.cards.tables import ReviewLog, SchedulerVersion
from app.records.cards.values import ReviewRow
from app.records.db.days import FARTHEST_ZONES_APART, ONE_DAY, beginning_of, day_of, end_of
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, columns_of

REVIEW_LOG_QUERY = select(*columns_of(ReviewLog, ReviewRow)).where(IS_IN_LOG)

WHOLE_LOG = RowQuery(ReviewRow, REVIEW_LOG_QUERY.order_by(REVIEW.id))


def load_review_log(session: VerbSession, learner_id: int) -> list[ReviewRow]:
    """Every review of a learner, in the order in which they were made."""
    return session.all(WHOLE_LOG, learner=learner_id)


LOG_OF_CARD = RowQuery(ReviewRow, REVIEW_LOG_QUERY.where(IS_REVIEW_OF_CARD).order_by(REVIEW.review_number))


def log_of_card(session: VerbSession, learner_id: int, card_ref: str) -> list[ReviewRow]:
    """The reviews of a card, oldest first."""
    return session.all(LOG_OF_CARD, learner=learner_id, card=card_ref)


REVIEW_BY_NUMBER = RowQuery(
    ReviewRow, REVIEW_LOG_QUERY.where(IS_REVIEW_OF_CARD, REVIEW.review_number == bindparam("number"))
)


def find_review(session: VerbSession, learner_id: int, card_ref: str, review_number: int) -> ReviewRow | None:
    """The review of a card with this number, also one that was taken back; None for one still to come."""
    return session.first(REVIEW_BY_NUMBER, learner=learner_id, card=card_ref, number=review_number)


REVIEW_BY_ID = RowQuery(ReviewRow, REVIEW_LOG_QUERY.where(REVIEW.id == bindparam("log")))


def own_review(session: VerbSession, learner_id: int | None, review_id: int) -> ReviewRow:
    """A review of this learner; NotFound for anybody else's."""
    review = session.first(REVIEW_BY_ID, learner=learner_id, log=review_id)
    if review is None:
        raise NotFound
    return review


LAST_NUMBER = PreparedStatement(select(func.max(REVIEW.review_number)).where(IS_IN_LOG, IS_REVIEW_OF_CARD))


def next_review_number(session: VerbSession, learner_id: int, card_ref: str) -> int:
    """The number of the review to come; an undone review has used up its own."""
    [(last_review_number,)] = session.all(LAST_NUMBER, learner=learner_id, card=card_ref)
    return (last_review_number or 0) + 1


def memory_and_parameters_hash(
    session: VerbSession, learner_id: int, card_ref: str, card_status: str
) -> tuple[Memory, str | None]:
    """A memory made again from the log, each review with the parameters that it had; and the last of them.

    `card_status`: of the card now. One that its last review retired, and that is back, is due at once: its
    mistake was made again, whenever it would have come by itself.
    """
    json_by_parameters_hash = parameters_json_by_hash(session)
    memory = NEW_MEMORY
    parameters_hash = None
    last_status = ""
    for review in log_of_card(session, learner_id, card_ref):
        if review.undone_at is None:
            parameters_hash = review.scheduler_hash
            rating = Rating(review.rating)
            memory = next_memory(
                memory,
                rating,
                card_ref,
                review.reviewed_at,
                review.retention,
                json_by_parameters_hash[parameters_hash],
            )
            _, last_status = unpack_memory_and_status(review.packed_after)
    if last_status == "retired" and card_status != "retired":
        memory = memory._replace(due_at=memory.last_review_at)
    return memory, parameters_hash


SCHEDULER_VERSION = table(SchedulerVersion).c
PARAMETERS = PreparedStatement(select(SCHEDULER_VERSION.hash, SCHEDULER_VERSION.parameters_json))


def parameters_json_by_hash(session: VerbSession) -> dict[str, str]:
    """The numbers of every scheduler that made a date, as JSON."""
    return dict(session.all(PARAMETERS))


CARDS_OF_REVIEW = select(func.count()).where(
    MEMORY.learner_id == REVIEW.learner_id, MEMORY.card_ref == REVIEW.card_ref
)
REVIEWS = REVIEW_LOG_QUERY.add_columns(CARDS_OF_REVIEW.scalar_subquery()).where(IS_NOT_UNDONE)
LAST_REVIEW = PreparedStatement(REVIEWS.order_by(REVIEW.id.desc()).limit(1))


def last_review(session: VerbSession, learner_id: int) -> ReviewRow | None:
    """The last review, if its card is still in the deck: the one that can be taken back."""
    review_and_card_count = session.first(LAST_REVIEW, learner=learner_id)
    if review_and_card_count is None:
        return None
    *review_fields, card_count = review_and_card_count
    if not card_count:
        return None
    return ReviewRow(*review_fields)


MOVE_TO_DAY = PreparedStatement(
    update(REVIEW_LOG_TABLE)
    .where(
        IS_IN_LOG,
        REVIEW.day.between(bindparam("first_day"), bindparam("last_day")),
        REVIEW.reviewed_at >= bindparam("begin"),
        REVIEW.reviewed_at < bindparam("end"),
    )
    .values(day=bindparam("new_day"))
)

EARLIER_REVIEW = REVIEW_LOG_TABLE.alias().c
HAS_EARLIER_ON_DAY = exists().where(
    EARLIER_REVIEW.learner_id == REVIEW.learner_id,
    EARLIER_REVIEW.card_ref == REVIEW.card_ref,
    EARLIER_REVIEW.day == REVIEW.day,
    EARLIER_REVIEW.review_number < REVIEW.review_number,
    EARLIER_REVIEW.undone_at.is_(None),
)
MARK_FIRST_OF_DAY = PreparedStatement(
    update(REVIEW_LOG_TABLE)
    .where(IS_IN_LOG, IS_NOT_UNDONE, REVIEW.day >= bindparam("first_day"))
    .values(is_first_of_day=~HAS_EARLIER_ON_DAY)
)


def move_reviews_to_zone(session: VerbSession, learner_id: int, time_zone: str, now: datetime) -> None:
    """The reviews since yesterday belong to the days of another time zone: the limits of today go by them.

    Earlier ones stay where they are: they were made on that day, and no limit asks for them any more.
    """
    today = day_of(now, time_zone)
    yesterday = today - ONE_DAY
    for day in (yesterday, today):
        session.run(
            MOVE_TO_DAY,
            learner=learner_id,
            first_day=day - FARTHEST_ZONES_APART,
            last_day=day + FARTHEST_ZONES_APART,
            begin=beginning_of(day, time_zone),
            end=end_of(day, time_zone),
            new_day=day,
        )
    session.run(MARK_FIRST_OF_DAY, learner=learner_id, first_day=yesterday - FARTHEST_ZONES_APART)
