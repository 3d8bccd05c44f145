"""Limits on tries, kept in the database: they hold after a restart and over several processes."""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, delete, or_, select, update

from app.records.accounts.tables import Throttle
from app.records.db.errors import Throttled
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, prepared_insert, prepared_update

THROTTLE = table(Throttle).c
HAS_TRIES_KEY = THROTTLE.key == bindparam("which")


class TryLimit(NamedTuple):
    """So many tries within so long, and what one more is told: `{wait}` in it is how long to wait."""

    most_tries: int
    period: timedelta
    refusal_sentence: str = "试得太多了，{wait}后再来。"


ACCOUNT_LIMIT = TryLimit(10, timedelta(minutes=10))  # one name, from one address or one device that knows it
# One name, from all browsers of one address that were never signed in with it: with ten for each of them,
# there is room for the owner's new phone while some pupils try.
NEWCOMER_LIMIT = TryLimit(60, timedelta(minutes=10))
NAME_LIMIT = TryLimit(300, timedelta(minutes=10))  # one name, from all addresses together
ADDRESS_LIMIT = TryLimit(600, timedelta(minutes=10))  # a whole school may share one address
NEW_ACCOUNT_LIMIT = TryLimit(300, timedelta(minutes=10))
# Made by a first click, without an account: several schools may come at once, and each row stays for weeks.
GUEST_LIMIT = TryLimit(5000, timedelta(minutes=10))
GUESTS_OF_DAY_LIMIT = TryLimit(
    20_000,
    timedelta(days=1),
    "这个网络一天里来的新访客太多了。注册或者登录一个账号就能学，不然就{wait}后再来。",
)
SIGN_UP_LIMIT = TryLimit(600, timedelta(minutes=10))  # asked for, with those that were refused
WRONG_CODE_LIMIT = TryLimit(20, timedelta(minutes=10))  # wrong ones only, of one device
# Wrong ones of all devices behind one router. A browser that guesses is stopped long before by its own limit;
# of the 31**6 codes of classes this lets through one in 300,000 within ten minutes.
WRONG_CODES_OF_ADDRESS_LIMIT = TryLimit(3000, timedelta(minutes=10))
# Lists that no address can hold, on the workbench: a class of forty behind one router, one a minute each.
WORKBENCH_LIMIT = TryLimit(400, timedelta(minutes=10))
REPORT_LIMIT = TryLimit(100, timedelta(minutes=10))  # of items, which need no account: each is some kilobytes
TRIES_KEPT_FOR = timedelta(days=1)
LARGEST_CLOCK_SKEW = timedelta(minutes=1)
"""How far two clocks may differ. What was counted later than that was counted by a clock that was wrong."""


class Tries(NamedTuple):
    """How often something was tried since a moment."""

    since: datetime
    try_count: int


TRIES_OF_KEY = RowQuery(Tries, select(THROTTLE.since, THROTTLE.try_count).where(HAS_TRIES_KEY))
ADD_TRIES = prepared_insert(Throttle)
BEGIN_TRIES_ANEW = prepared_update(Throttle, HAS_TRIES_KEY, ["since", "try_count"])
ADD_TO_TRIES = PreparedStatement(
    update(table(Throttle)).where(HAS_TRIES_KEY).values(try_count=THROTTLE.try_count + bindparam("added"))
)
"""Added by the database: on a server, answers of two guests of one address are written at the same time."""


def count_try(
    session: VerbSession, tries_key: str, try_limit: TryLimit, now: datetime, added_count: int = 1
) -> None:
    """One more try, or several; Throttled when there were too many before, and then none is counted."""
    tries = session.first(TRIES_OF_KEY, which=tries_key)
    if tries is None:
        session.run(ADD_TRIES, key=tries_key, since=now, try_count=added_count)
    elif is_period_over(tries, try_limit, now):
        session.run(BEGIN_TRIES_ANEW, which=tries_key, since=now, try_count=added_count)
    else:
        expect_tries_left(tries, try_limit, now)
        session.run(ADD_TO_TRIES, which=tries_key, added=added_count)


IS_OUTSIDE_WINDOW = or_(THROTTLE.since < bindparam("before"), THROTTLE.since > bindparam("after"))
REMOVE_TRIES_OUTSIDE_WINDOW = PreparedStatement(delete(table(Throttle)).where(IS_OUTSIDE_WINDOW))


def forget_old_tries(session: VerbSession, now: datetime) -> None:
    """Forget what was counted more than a day ago. It looks at every row: now and then, not at a sign-in."""
    session.run(REMOVE_TRIES_OUTSIDE_WINDOW, before=now - TRIES_KEPT_FOR, after=now + TRIES_KEPT_FOR)


def expect_few_tries(session: VerbSession, tries_key: str, try_limit: TryLimit, now: datetime) -> None:
    """Throttled when there were too many tries; counts nothing."""
    tries = session.first(TRIES_OF_KEY, which=tries_key)
    if tries is not None:
        expect_tries_left(tries, try_limit, now)


def expect_tries_left(tries: Tries, try_limit: TryLimit, now: datetime) -> None:
    if tries.try_count >= try_limit.most_tries and not is_period_over(tries, try_limit, now):
        remaining_time = min(tries.since + try_limit.period - now, try_limit.period)
        raise Throttled(try_limit.refusal_sentence.format(wait=waiting_words(remaining_time)))


def is_period_over(tries: Tries, try_limit: TryLimit, now: datetime) -> bool:
    """Whether one may begin anew: the time has passed, or the clock has gone back since."""
    return now - tries.since >= try_limit.period or tries.since - now > LARGEST_CLOCK_SKEW


def expect_few_wrong_codes(
    session: VerbSession, purpose: str, client_address: str, browser_hash: str, now: datetime
) -> None:
    """Throttled after too many wrong codes of this device, or of all at this address; counts nothing.

    `browser_hash`: as `count_wrong_code` has it.
    """
    expect_few_tries(session, f"{purpose}:{client_address}", WRONG_CODES_OF_ADDRESS_LIMIT, now)
    if browser_hash:
        expect_few_tries(session, f"{purpose}-device:{browser_hash}", WRONG_CODE_LIMIT, now)


def count_wrong_code(
    session: VerbSession, purpose: str, client_address: str, browser_hash: str, now: datetime
) -> None:
    """One more wrong code. `purpose`: `join` for a class's, `resume` for a 续学码. The hash may be empty.

    A device that may try no more does not count at its address: so it does not shut out its neighbours.
    """
    if browser_hash:
        count_try(session, f"{purpose}-device:{browser_hash}", WRONG_CODE_LIMIT, now)
    count_try(session, f"{purpose}:{client_address}", WRONG_CODES_OF_ADDRESS_LIMIT, now)


REMOVE_TRIES = PreparedStatement(delete(table(Throttle)).where(HAS_TRIES_KEY))


def forget_tries(session: VerbSession, tries_key: str) -> None:
    """It went well: begin to count anew."""
    session.run(REMOVE_TRIES, which=tries_key)


def forget_sign_in_tries_at_name(session: VerbSession, login_key: str) -> None:
    """Forget what was tried under a name to sign in, from all addresses and devices."""
    is_at_name = THROTTLE.key.endswith(f":{login_key}", autoescape=True)
    session.execute(delete(table(Throttle)).where(THROTTLE.key.startswith("sign-in"), is_at_name))


def waiting_words(remaining_time: timedelta) -> str:
    """A time to wait in whole minutes, in whole hours where it is longer than one; a begun one is counted.

    >>> waiting_words(timedelta(seconds=61)), waiting_words(timedelta(hours=1, seconds=1))
    ('2分钟', '2小时')
    """
    hour = timedelta(hours=1)
    if remaining_time > hour:
        return f"{-(-remaining_time // hour)}小时"
    return f"{-(-remaining_time // timedelta(minutes=1))}分钟"
