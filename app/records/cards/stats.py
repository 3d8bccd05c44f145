"""Looking back on a deck: what comes, what was known, when, how long it took. All from the log."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from sqlalchemy import bindparam, case, func, select

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import decks
from app.records.cards.decks import log, memory, whose
from app.records.cards.reviews import active, learnt, standing
from app.records.cards.scheduling import USUAL
from app.records.db.days import beginning_of, day_of
from app.records.db.session import Prepared, VerbSession

AHEAD_DAYS = 30
WEEKS = 18
BACK_DAYS = 7 * WEEKS - 1  # whole weeks, this one among them, whatever day it is
RETENTION_DAYS = 30
MATURE = 21  # days: from here on a card is old enough to be called mature

known = func.coalesce(func.sum(case((log.rating > 1, 1), else_=0)), 0)
PER_DAY = Prepared(
    select(log.day, func.count(), known, func.coalesce(func.sum(log.seconds), 0.0))
    .where(learnt, standing, log.day >= bindparam("since"))
    .group_by(log.day)
    .order_by(log.day)
)
RETENTION = Prepared(
    select(case((log.interval_days >= MATURE, 1), else_=0).label("mature"), func.count(), known)
    .where(learnt, standing, log.day >= bindparam("since"), log.first, log.state == "review")
    .group_by("mature")
)
DUE = Prepared(
    select(memory.due_at).where(whose, active, memory.state != "new", memory.due_at < bindparam("until"))
)
STANDING = Prepared(
    select(memory.status, memory.state, func.count()).where(whose).group_by(memory.status, memory.state)
)


class DayRow(NamedTuple):
    """Reviews of one day of the learner's."""

    day: date
    reviews: int
    known: int
    seconds: float


class Share(NamedTuple):
    """So many of so many were known."""

    known: int = 0
    total: int = 0


NONE = Share()


@dataclass(frozen=True, slots=True)
class DeckStats:
    """`due`: for today and each day after, how many cards come; `overdue`: those of earlier days."""

    learner_id: int | None = None
    today: date = date.min
    overdue: int = 0
    due: Sequence[int] = ()
    days: Sequence[DayRow] = ()
    young: Share = NONE
    mature: Share = NONE
    cards: Sequence[tuple[str, str, int]] = ()
    retention: float = USUAL


def load_stats(session: VerbSession, who: Caller, now: datetime) -> DeckStats:
    """Everything that the stats page shows."""
    learner_id = learners.load_visitor(session, who)
    if learner_id is None:
        return DeckStats(today=day_of(now, "Asia/Shanghai"))
    time_zone = learners.time_zone_of(session, learner_id)
    today = day_of(now, time_zone)
    overdue, due = forecast(session, learner_id, today, time_zone)
    since = today - timedelta(days=RETENTION_DAYS - 1)
    shares = {
        mature: Share(right, total)
        for mature, total, right in session.all(RETENTION, learner=learner_id, since=since)
    }
    return DeckStats(
        learner_id=learner_id,
        today=today,
        overdue=overdue,
        due=due,
        days=tuple(
            [
                DayRow(*row)
                for row in session.all(PER_DAY, learner=learner_id, since=today - timedelta(days=BACK_DAYS))
            ]
        ),
        young=shares.get(0, Share()),
        mature=shares.get(1, Share()),
        cards=tuple(
            [(status, state, count) for status, state, count in session.all(STANDING, learner=learner_id)]
        ),
        retention=decks.deck_of(session, learner_id).retention,
    )


def forecast(session: VerbSession, learner_id: int, today: date, time_zone: str) -> tuple[int, Sequence[int]]:
    """What is overdue since earlier days, and what comes on each of the next 30."""
    bounds = [beginning_of(today + timedelta(days=ahead), time_zone) for ahead in range(AHEAD_DAYS + 1)]
    moments = sorted(due for (due,) in session.all(DUE, learner=learner_id, until=bounds[-1]))
    before = [bisect_left(moments, bound) for bound in bounds]
    return before[0], [later - earlier for earlier, later in pairwise(before)]
