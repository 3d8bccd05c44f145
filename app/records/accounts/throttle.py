"""Limits on tries, kept in the database: they hold after a restart and over several processes."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, delete, select, update

from app.records.accounts.tables import Throttle
from app.records.db.errors import Throttled
from app.records.db.metadata import table
from app.records.db.session import Prepared, RowQuery, VerbSession, adding

THROTTLE = table(Throttle).c
OF_KEY = THROTTLE.key == bindparam("which")


class Limit(NamedTuple):
    """So many tries within so long."""

    most: int
    within: timedelta


ACCOUNT = Limit(10, timedelta(minutes=10))
ADDRESS = Limit(600, timedelta(minutes=10))  # a whole school may share one address
NEW_ACCOUNTS = Limit(300, timedelta(minutes=10))
CODES = Limit(300, timedelta(minutes=10))  # wrong ones only: a class comes in at once
FORGOTTEN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Tries:
    """How often something was tried since a moment."""

    since: datetime
    count: int


COUNTED = RowQuery(Tries, select(THROTTLE.since, THROTTLE.count).where(OF_KEY))
ADD_TRIES = adding(Throttle)
SET_TRIES = Prepared(update(table(Throttle)).where(OF_KEY), keys=("since", "count"))
SWEEP = Prepared(delete(table(Throttle)).where(THROTTLE.since < bindparam("before")))


def count(session: VerbSession, key: str, limit: Limit, now: datetime) -> None:
    """One more try; Throttled when there were too many, and then this one is not counted."""
    tries = session.first(COUNTED, which=key)
    if tries is None:
        session.run(SWEEP, before=now - FORGOTTEN)
        session.run(ADD_TRIES, key=key, since=now, count=1)
    elif now - tries.since >= limit.within:
        session.run(SET_TRIES, which=key, since=now, count=1)
    else:
        expect_room(tries, limit, now)
        session.run(SET_TRIES, which=key, since=tries.since, count=tries.count + 1)


def expect_few(session: VerbSession, key: str, limit: Limit, now: datetime) -> None:
    """Throttled when there were too many tries; counts nothing."""
    tries = session.first(COUNTED, which=key)
    if tries is not None:
        expect_room(tries, limit, now)


def expect_room(tries: Tries, limit: Limit, now: datetime) -> None:
    ends_at = tries.since + limit.within
    if tries.count >= limit.most and now < ends_at:
        raise Throttled(f"试得太多了，{minutes(ends_at - now)}分钟后再来。")


FORGET = Prepared(delete(table(Throttle)).where(OF_KEY))


def forget(session: VerbSession, key: str) -> None:
    """It went well: begin to count anew."""
    session.run(FORGET, which=key)


def minutes(left: timedelta) -> int:
    """Whole minutes, a begun one counted.

    >>> minutes(timedelta(seconds=61))
    2
    """
    return -(-int(left.total_seconds()) // 60)
