"""How long a sign-in lasts: accounts sign in again after ninety days away, and on shared devices each day.

The sign-in of a guest does not end: there would be no way back to the work.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, select

from app.records.accounts import learners
from app.records.accounts.learners import IS_LIVE_SIGN_IN, SIGN_IN
from app.records.accounts.tables import Account, SignIn
from app.records.accounts.values import Browser, KnownLearner
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import prepared_update

LONGEST_IDLE = timedelta(days=90)
LONGEST_ON_SHARED_DEVICE = timedelta(hours=12)


def begin_sign_in(session: VerbSession, learner_id: int, browser: Browser, now: datetime) -> KnownLearner:
    """Sign an account in; on a shared device with an end."""
    ends_at = None
    if browser.is_shared:
        ends_at = now + LONGEST_ON_SHARED_DEVICE
    return learners.add_sign_in(session, learner_id, browser.token, now, browser.device, ends_at)


HAS_ACCOUNT = SIGN_IN.learner_id.in_(select(table(Account).c.learner_id))
SET_SEEN_AT = prepared_update(
    SignIn, IS_LIVE_SIGN_IN & (SIGN_IN.token_hash == bindparam("hash")), ["seen_at"]
)


def save_sightings(session: VerbSession, sightings: Sequence[tuple[str, datetime]]) -> None:
    """When sign-ins were seen last, by the hashes of their tokens; those that ended stay as they are."""
    for token_hash, seen_at in sightings:
        session.run(SET_SEEN_AT, hash=token_hash, seen_at=seen_at)


END_IDLE_SIGN_INS = prepared_update(
    SignIn, IS_LIVE_SIGN_IN & (SIGN_IN.seen_at <= bindparam("before")) & HAS_ACCOUNT, ["ended_at"]
)
END_SHARED_SIGN_INS = prepared_update(
    SignIn, IS_LIVE_SIGN_IN & (SIGN_IN.ends_at <= bindparam("now")), ["ended_at"]
)


def end_expired_sign_ins(session: VerbSession, now: datetime) -> None:
    """End what was not seen for ninety days, and what is over on shared devices."""
    session.run(END_IDLE_SIGN_INS, before=now - LONGEST_IDLE, ended_at=now)
    session.run(END_SHARED_SIGN_INS, now=now, ended_at=now)
