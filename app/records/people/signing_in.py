"""Signing in to an account: the work of the guest who was here comes along."""

from datetime import datetime

from app.records.accounts import learners, throttle
from app.records.accounts.accounts import BY_LOGIN, load_visitor
from app.records.accounts.passwords import key
from app.records.accounts.values import AccountRow, Arrival, Caller
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.learning.values import Marker
from app.records.people import merge


def enter(
    session: VerbSession,
    who: Caller,
    login: str,
    matched: str,
    token: str,
    course: Marker | None,
    now: datetime,
    device: str | None = None,
) -> Arrival:
    """Sign in, after the password matched that hash. With a course, the work of a guest here comes along.

    NotFound when the password or the account has changed since.
    """
    row = session.first(BY_LOGIN, login=key(login))
    if row is None or row[0] != matched or AccountRow(*row[1:]).disabled_at:
        raise NotFound
    found, here = AccountRow(*row[1:]), load_visitor(session, who)
    throttle.forget(session, f"sign-in:{key(login)[:64]}")
    learners.leave(session, who, now)
    if course and here.guest and here.learner_id is not None:
        merge.merge(session, here.learner_id, found.learner_id, course, now)
    return learners.add_sign_in(session, found.learner_id, token, now, device)
