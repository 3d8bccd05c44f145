"""Signing in to an account, or with a 续学码: the work of the guest who was here comes along."""

from datetime import datetime

from app.course.text.typed import name_key
from app.records.accounts import accounts, learners, sign_in_lifetimes
from app.records.accounts.values import Browser, Caller, Credentials, KnownLearner
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.learning.values import ItemMarkerWithSections
from app.records.people import merge


def sign_in(
    session: VerbSession,
    caller: Caller,
    credentials: Credentials,
    browser: Browser,
    course: ItemMarkerWithSections | None,
    now: datetime,
) -> KnownLearner:
    """Sign in, after the password matched that hash. With a course, the work of a guest here comes along,
    unless they have a 续学码, by which they may be somebody else and come back, and the browser ends none.

    The tries of this browser are counted anew. NotFound when the password or the account has changed since.
    """
    account_secret = session.first(accounts.SECRET_BY_LOGIN, login=name_key(credentials.login))
    if account_secret is None or account_secret.disabled_at:
        raise NotFound
    if account_secret.password_hash != credentials.password_hash:
        raise NotFound
    visitor = learners.load_visitor(session, caller)
    accounts.forget_sign_in_tries(session, account_secret, browser)
    learners.end_own_sign_in(session, caller, now)
    brings_work = visitor.brings_work(browser.ends_code)
    if course and visitor.learner_id is not None and brings_work:
        merge.merge_guest(session, visitor.learner_id, account_secret.learner_id, course, now)
    known_learner = sign_in_lifetimes.begin_sign_in(session, account_secret.learner_id, browser, now)
    return known_learner._replace(has_guest_work=course is not None and brings_work)


def enter_with_code(
    session: VerbSession,
    caller: Caller,
    resume_code: str,
    token: str,
    course: ItemMarkerWithSections | None,
    now: datetime,
) -> KnownLearner:
    """Go on with a 续学码; whoever was here is signed out. With a course, the work of a guest here comes
    along, unless they have a code of their own. Raises NotFound for an unknown code.
    """
    visitor = learners.load_visitor(session, caller)
    known_learner = learners.sign_in_with_code(session, resume_code, token, now)
    if caller.token != token:  # else it is the second of a double click
        learners.end_own_sign_in(session, caller, now)
    if course and visitor.learner_id is not None and visitor.brings_work():
        merge.merge_guest(session, visitor.learner_id, known_learner.learner_id, course, now)
        return known_learner._replace(has_guest_work=True)
    return known_learner
