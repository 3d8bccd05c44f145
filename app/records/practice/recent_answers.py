"""What a learner has answered lately in practice: of the last attempts the first tries, and guesses."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, bindparam, case, literal_column, select

from app.course.content.refs import is_practice_attempt
from app.course.items.marks import PAUSE_AFTER_RUSH, RUSH_DURATION, is_on_pause
from app.records.db.metadata import table
from app.records.db.portable import StoredMoment
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery
from app.records.learning.rows import ATTEMPT, IS_CLEAN, IS_PRACTICE, RESPONSE
from app.records.learning.tables import Response

RECENT_ATTEMPT_COUNT = 60
"""How many attempts the streak and the count of today look at."""
GUESSES_LAST_FOR = RUSH_DURATION + PAUSE_AFTER_RUSH
"""Of answers that keep somebody waiting none was longer ago."""


class FirstTry(NamedTuple):
    """The first answer to an item in an attempt of practice. Its time is left as it is stored: of the sixty
    that are read, few are asked."""

    response_id: int
    item_ref: str
    verdict: str
    is_clean: int
    hint_count: int
    answered_at: str

    @property
    def was_right_at_once(self) -> bool | None:
        """Right at once, or not; None with help."""
        if self.is_clean:
            return True
        if self.verdict == "right" or self.hint_count:
            return None
        return False


class RecentTries(NamedTuple):
    """The first tries in the last `RECENT_ATTEMPT_COUNT` attempts, the oldest first; `are_all`: none was
    made before."""

    first_tries: Sequence[FirstTry] = ()
    are_all: bool = True


class RecentAnswer(NamedTuple):
    """An answer in practice, and the attempt that it belongs to."""

    item_ref: str
    seed: int
    attempt_ref: str
    attempt_id: int
    verdict: str
    created_at: datetime


IS_PRACTICE_OF_LEARNER = and_(ATTEMPT.learner_id == bindparam("learner"), IS_PRACTICE)
RECENT_ATTEMPTS = (
    select(ATTEMPT.id)
    .where(IS_PRACTICE_OF_LEARNER)
    .order_by(ATTEMPT.id.desc())
    .limit(RECENT_ATTEMPT_COUNT + 1)
    .subquery()
)
FIRST_TRY_COLUMNS = (
    RESPONSE.id.label("response_id"),
    RESPONSE.item_ref,
    RESPONSE.verdict,
    case((IS_CLEAN, 1), else_=0).label("is_clean"),
    RESPONSE.hint_count,
    StoredMoment(RESPONSE.created_at).label("answered_at"),
)
IS_FIRST_TRY = RESPONSE.try_number == literal_column("1")  # as the index says it
IS_FIRST_TRY_IN_ATTEMPT = and_(RESPONSE.attempt_id == RECENT_ATTEMPTS.c.id, IS_FIRST_TRY)
RECENT_FIRST_TRIES = PreparedStatement(
    select(RECENT_ATTEMPTS.c.id.label("attempt_id"), *FIRST_TRY_COLUMNS)
    .select_from(RECENT_ATTEMPTS.outerjoin(table(Response), IS_FIRST_TRY_IN_ATTEMPT))
    .order_by(RESPONSE.id)
)


def load_recent_tries(session: VerbSession, learner_id: int) -> RecentTries:
    """The first tries of a learner in their last attempts at practice.

    CPU of the statement for a learner of three tries an attempt (µs, on a busy machine): all answers with
    their attempts 305, the first ones from their index 75.
    """
    try_rows = session.all(RECENT_FIRST_TRIES, learner=learner_id)
    attempt_ids = sorted({attempt_id for attempt_id, *_ in try_rows})
    earlier_attempt_ids = attempt_ids[:-RECENT_ATTEMPT_COUNT]
    first_tries = [
        FirstTry(*try_columns)
        for attempt_id, *try_columns in try_rows
        if attempt_id not in earlier_attempt_ids and try_columns[0] is not None
    ]
    return RecentTries(first_tries, are_all=not earlier_attempt_ids)


IS_ANSWER_OF_LEARNER_SINCE = and_(
    RESPONSE.learner_id == bindparam("learner"), RESPONSE.created_at >= bindparam("since")
)
ANSWERS_SINCE = RowQuery(
    RecentAnswer,
    select(
        RESPONSE.item_ref,
        ATTEMPT.seed,
        ATTEMPT.ref.label("attempt_ref"),
        ATTEMPT.id.label("attempt_id"),
        RESPONSE.verdict,
        RESPONSE.created_at,
    )
    .where(RESPONSE.attempt_id == ATTEMPT.id, IS_ANSWER_OF_LEARNER_SINCE, IS_PRACTICE)
    .order_by(RESPONSE.id),
)
FIRST_TRIES_SINCE = RowQuery(
    FirstTry,
    select(*FIRST_TRY_COLUMNS)
    .where(RESPONSE.attempt_id == ATTEMPT.id, IS_ANSWER_OF_LEARNER_SINCE, IS_PRACTICE, IS_FIRST_TRY)
    .order_by(RESPONSE.id),
)


def answers_since(session: VerbSession, learner_id: int, earliest_time: datetime) -> list[RecentAnswer]:
    """What a learner has answered in practice since a moment."""
    return session.all(ANSWERS_SINCE, learner=learner_id, since=earliest_time)


def first_tries_since(session: VerbSession, learner_id: int, earliest_time: datetime) -> list[FirstTry]:
    """What a learner has answered in practice since a moment, of every item the first answer."""
    return session.all(FIRST_TRIES_SINCE, learner=learner_id, since=earliest_time)


def load_last_guess(session: VerbSession, learner_id: int, now: datetime) -> RecentAnswer | None:
    """The last question, where it and those before it were merely guessed at a moment ago."""
    recent_answers = answers_since(session, learner_id, now - GUESSES_LAST_FOR)
    practice_answers = [
        recent_answer for recent_answer in recent_answers if is_practice_attempt(recent_answer.attempt_ref)
    ]
    if not is_on_pause(practice_answers, now):
        return None
    return practice_answers[-1]
