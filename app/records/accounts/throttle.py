"""Limits on tries, kept in the database: they hold after a restart and over several processes."""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, delete, select, update

from app.records.accounts.tables import Throttle
from app.records.db.errors import Throttled
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding

throttle = table(Throttle).c
here = throttle.key == bindparam("which")

COUNTED = Prepared(select(throttle.since, throttle.count).where(here))
ADD = adding(Throttle)
SET = Prepared(update(table(Throttle)).where(here), keys=("since", "count"))
FORGET = Prepared(delete(table(Throttle)).where(here))
SWEEP = Prepared(delete(table(Throttle)).where(throttle.since < bindparam("before")))


class Limit(NamedTuple):
    """So many tries within so long."""

    most: int
    within: timedelta


ACCOUNT = Limit(10, timedelta(minutes=10))
ADDRESS = Limit(600, timedelta(minutes=10))  # a whole school may share one address
NEW_ACCOUNTS = Limit(300, timedelta(minutes=10))
CODES = Limit(300, timedelta(minutes=10))  # wrong ones only: a class comes in at once
FORGOTTEN = timedelta(days=1)


def count(session: VerbSession, key: str, limit: Limit, now: datetime) -> None:
    """One more try; Throttled when there were too many, and then this one is not counted."""
    row = session.first(COUNTED, which=key)
    if row is None:
        session.run(SWEEP, before=now - FORGOTTEN)
        session.run(ADD, key=key, since=now, count=1)
        return
    since, tries = row
    if now - since >= limit.within:
        session.run(SET, which=key, since=now, count=1)
    else:
        expect_room(since, tries, limit, now)
        session.run(SET, which=key, since=since, count=tries + 1)


def expect_few(session: VerbSession, key: str, limit: Limit, now: datetime) -> None:
    """Throttled when there were too many tries; counts nothing."""
    row = session.first(COUNTED, which=key)
    if row is not None:
        since, tries = row
        expect_room(since, tries, limit, now)


def expect_room(since: datetime, tries: int, limit: Limit, now: datetime) -> None:
    if tries >= limit.most and now - since < limit.within:
        raise Throttled(f"试得太多了，{minutes(since + limit.within - now)}分钟后再来。")


def forget(session: VerbSession, key: str) -> None:
    """It went well: begin to count anew."""
    session.run(FORGET, which=key)


def minutes(left: timedelta) -> int:
    """
    >>> minutes(timedelta(seconds=61))
    2
    """
    return -(-int(left.total_seconds()) // 60)
