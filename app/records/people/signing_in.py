"""Signing in to an account: the work of the guest who was here comes along."""

from collections.abc import Collection
from datetime import datetime

from app.records.accounts import accounts, learners, presence
from app.records.accounts.passwords import key
from app.records.accounts.values import Arrival, Caller
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.learning.values import MarkerWithSections
from app.records.people import merge


def enter(
    session: VerbSession,
    caller: Caller,
    login: str,
    matched: str,
    token: str,
    course: MarkerWithSections | None,
    now: datetime,
    device: str | None = None,
    address: str = "",
    devices: Collection[str] = (),
    shared: bool = False,
) -> Arrival:
    """Sign in, after the password matched that hash. With a course, the work of a guest here comes along.

    `address` and `devices` as in `count_sign_in`: where tries are counted anew. On a `shared` device the
    sign-in ends by itself. NotFound when the password or the account has changed since.
    """
    account = session.first(accounts.BY_LOGIN, login=key(login))
    if account is None or account.disabled_at:
        raise NotFound
    if account.password_hash != matched:
        raise NotFound
    visitor = accounts.load_visitor(session, caller)
    accounts.forget_tries(session, account, address, devices)
    learners.leave(session, caller, now)
    if course and visitor.learner_id is not None and not visitor.account:
        merge.merge(session, visitor.learner_id, account.learner_id, course, now)
    ends_at = None
    if shared:
        ends_at = now + presence.ON_SHARED_DEVICE
    return learners.add_sign_in(session, account.learner_id, token, now, device, ends_at)
