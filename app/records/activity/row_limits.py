"""How much may be added on a day: far more than anybody learns, far less than fills a disk.

Whoever has no account is counted at their address as well: there a new guest costs one click.
"""

from datetime import datetime, timedelta
from typing import Literal, get_args

from app.records.accounts import learners, throttle
from app.records.accounts.throttle import TryLimit
from app.records.accounts.values import Caller
from app.records.db.errors import Throttled
from app.records.db.session import VerbSession

RowKind = Literal["work", "hints", "undone", "own-cards"]
MOST_MOMENT_CHARACTERS_A_DAY = 60_000
"""Of the moments of a learner's day, some twelve each: five thousand actions, where a diligent pupil has two
hundred, and a class that shares one tablet two thousand."""
MOMENT_CHARACTERS_OF_PORTION = 300
"""So much of a guest's day, twenty-five actions, is counted at once: the other answers pay nothing for it."""
DAY_IS_FULL_SENTENCE = "今天做得够多了，剩下的明天再来。"
ROWS_OF_ACCOUNT_LIMIT = TryLimit(20_000, timedelta(days=1), "一天里存得太多了，{wait}后再来。")
# All guests of an address, with 25 actions in one of work: a school of two thousand of them needs 8,000.
ROWS_OF_ADDRESS_LIMIT = TryLimit(
    20_000,
    timedelta(days=1),
    "没有账号的人，这个网络一天里存得太多了。注册一个账号就能接着学，做过的都跟着你；不注册就{wait}后再来。",
)


def expect_day_not_full(
    session: VerbSession,
    caller: Caller,
    learner_id: int,
    moments_length: int,
    added_length: int,
    now: datetime,
) -> None:
    """Throttled where so much was done today that it is no learning, or by too many guests of the address.

    `moments_length`: of the learner's moments of today, before those that are added.
    """
    if moments_length >= MOST_MOMENT_CHARACTERS_A_DAY:
        raise Throttled(DAY_IS_FULL_SENTENCE)
    former_portion_count = begun_portion_count(moments_length)
    is_portion_begun = begun_portion_count(moments_length + added_length) > former_portion_count
    if is_portion_begun and caller.address and is_guest(session, learner_id):
        count_rows_of_guest(session, caller.address, "work", now)


def begun_portion_count(moments_length: int) -> int:
    """Portions of a day, a begun one counted.

    >>> [begun_portion_count(length) for length in (0, 12, 300, 301)]
    [0, 1, 1, 2]
    """
    return -(-moments_length // MOMENT_CHARACTERS_OF_PORTION)


def count_rows(
    session: VerbSession,
    caller: Caller,
    learner_id: int,
    row_kind: RowKind,
    now: datetime,
    row_count: int = 1,
) -> None:
    """Count rows that somebody adds: by their account, for a guest at the address. Throttled where it is too
    many, and then none of them is kept."""
    if not is_guest(session, learner_id):
        tries_key = account_tries_key(row_kind, learner_id)
        throttle.count_try(session, tries_key, ROWS_OF_ACCOUNT_LIMIT, now, row_count)
    elif caller.address:
        count_rows_of_guest(session, caller.address, row_kind, now, row_count)


def count_rows_of_guest(
    session: VerbSession, address: str, row_kind: RowKind, now: datetime, row_count: int = 1
) -> None:
    tries_key = f"{row_kind}-of-guests:{address}"
    throttle.count_try(session, tries_key, ROWS_OF_ADDRESS_LIMIT, now, row_count)


def is_guest(session: VerbSession, learner_id: int) -> bool:
    return session.first(learners.LOGIN_OF_LEARNER, learner=learner_id) is None


def forget_rows_of_account(session: VerbSession, learner_id: int) -> None:
    """The account goes, and what was counted of it."""
    for row_kind in get_args(RowKind):
        throttle.forget_tries(session, account_tries_key(row_kind, learner_id))


def account_tries_key(row_kind: RowKind, learner_id: int) -> str:
    """Under which the rows of an account are counted."""
    return f"{row_kind}:{learner_id}"
