"""Looking back on a deck: what comes, what was remembered, when, how long it took. All from the log."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from sqlalchemy import bindparam, case, func, select

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import decks
from app.records.cards.rows import IS_IN_DECK, IS_IN_LOG, IS_NOT_UNDONE, MEMORY, REVIEW
from app.records.cards.scheduling import USUAL_RETENTION
from app.records.db.days import beginning_of, day_of
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery

FORECAST_DAYS = 30
WEEK_COUNT = 18
SHOWN_DAYS_BEFORE_TODAY = 7 * WEEK_COUNT - 1  # whole weeks, this one among them, whatever day it is
RETENTION_DAYS = 30
MATURE_DAYS = 21  # from here on a card is old enough to be called mature

IS_REVIEW_SINCE = REVIEW.day >= bindparam("since")
REMEMBERED_COUNT = func.count(case((REVIEW.rating > 1, 1))).label("remembered_count")


class ReviewDayRow(NamedTuple):
    """Reviews of one day of the learner's."""

    day: date
    review_count: int
    remembered_count: int
    review_seconds: float


class RememberedCounts(NamedTuple):
    """So many of so many were remembered."""

    remembered_count: int = 0
    review_count: int = 0


class CardStateRow(NamedTuple):
    """How many cards of a deck have a status and a state."""

    status: str
    state: str
    card_count: int


@dataclass(frozen=True, slots=True)
class DeckStatsData:
    """`due_counts`: for today and each day after, how many cards come; `overdue_count`: of earlier days.

    `remembered_counts_by_age`: of the "young" and the "mature" cards that came back.
    """

    learner_id: int | None = None
    today: date = date.min
    overdue_count: int = 0
    due_counts: Sequence[int] = ()
    day_rows: Sequence[ReviewDayRow] = ()
    remembered_counts_by_age: Mapping[str, RememberedCounts] = field(default_factory=dict)
    state_rows: Sequence[CardStateRow] = ()
    retention: float = USUAL_RETENTION


REVIEWS_BY_DAY = RowQuery(
    ReviewDayRow,
    select(
        REVIEW.day,
        func.count().label("review_count"),
        REMEMBERED_COUNT,
        func.coalesce(func.sum(REVIEW.seconds), 0.0).label("review_seconds"),
    )
    .where(IS_IN_LOG, IS_NOT_UNDONE, IS_REVIEW_SINCE)
    .group_by(REVIEW.day)
    .order_by(REVIEW.day),
)
CARDS_BY_STATE = RowQuery(
    CardStateRow,
    select(MEMORY.status, MEMORY.state, func.count().label("card_count"))
    .where(IS_IN_DECK)
    .group_by(MEMORY.status, MEMORY.state),
)


def load_stats(session: VerbSession, caller: Caller, now: datetime) -> DeckStatsData:
    """All figures of the page of statistics."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return DeckStatsData(today=learners.day_of_newcomer(now))
    time_zone = learners.time_zone_of(session, learner_id)
    today = day_of(now, time_zone)
    overdue_count, due_counts = overdue_and_due_counts(session, learner_id, today, time_zone)
    first_day = today - timedelta(days=SHOWN_DAYS_BEFORE_TODAY)
    return DeckStatsData(
        learner_id=learner_id,
        today=today,
        overdue_count=overdue_count,
        due_counts=due_counts,
        day_rows=session.all(REVIEWS_BY_DAY, learner=learner_id, since=first_day),
        remembered_counts_by_age=remembered_counts_by_age(session, learner_id, today),
        state_rows=session.all(CARDS_BY_STATE, learner=learner_id),
        retention=decks.deck_settings_of(session, learner_id).retention,
    )


IS_DUE_BEFORE = (MEMORY.status == "active") & (MEMORY.state != "new") & (MEMORY.due_at < bindparam("until"))
DUE_TIMES = PreparedStatement(select(MEMORY.due_at).where(IS_IN_DECK, IS_DUE_BEFORE))


def overdue_and_due_counts(
    session: VerbSession, learner_id: int, today: date, time_zone: str
) -> tuple[int, Sequence[int]]:
    """What is overdue since earlier days, and what comes on each of the next 30."""
    day_bounds = [
        beginning_of(today + timedelta(days=days_ahead), time_zone) for days_ahead in range(FORECAST_DAYS + 1)
    ]
    due_times = sorted(
        due_at for (due_at,) in session.all(DUE_TIMES, learner=learner_id, until=day_bounds[-1])
    )
    due_counts_so_far = [bisect_left(due_times, day_bound) for day_bound in day_bounds]
    overdue_count, *_ = due_counts_so_far
    due_counts = [later_count - earlier_count for earlier_count, later_count in pairwise(due_counts_so_far)]
    return overdue_count, due_counts


AGE_NAME = case((REVIEW.interval_days >= MATURE_DAYS, "mature"), else_="young").label("age")
REMEMBERED_BY_AGE = PreparedStatement(
    select(AGE_NAME, REMEMBERED_COUNT, func.count())
    .where(IS_IN_LOG, IS_NOT_UNDONE, IS_REVIEW_SINCE, REVIEW.is_first_of_day, REVIEW.state_before == "review")
    .group_by("age")
)


def remembered_counts_by_age(
    session: VerbSession, learner_id: int, today: date
) -> dict[str, RememberedCounts]:
    """How many of the cards that came back were remembered, "young" and "mature" ones, within 30 days."""
    first_day = today - timedelta(days=RETENTION_DAYS - 1)
    age_rows = session.all(REMEMBERED_BY_AGE, learner=learner_id, since=first_day)
    return {
        age_class: RememberedCounts(remembered_count, review_count)
        for age_class, remembered_count, review_count in age_rows
    }
