"""Signing in to an account, or with a 续学码: the work of the guest who was here comes along. And what a
browser keeps of whoever is signed in."""

from datetime import datetime

from app.course.text.typed import name_key
from app.records.accounts import accounts, learners, sign_in_lifetimes, site_secret
from app.records.accounts.values import Browser, Caller, Credentials, KnownLearner
from app.records.classes import classrooms
from app.records.classes.values import ClassLists
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


def load_key_and_membership(session: VerbSession, caller: Caller) -> tuple[str, str]:
    """By what a browser tells the words and pages of this account from those of another, and whether they are
    in a class; both empty for a guest."""
    visitor = learners.load_visitor(session, caller)
    if visitor.account is None:
        return "", ""
    class_lists = classrooms.class_lists_of(session, visitor)
    return site_secret.load_learner_key(session, visitor.account), class_membership_of(class_lists)


def class_membership_of(class_lists: ClassLists) -> str:
    """Whether somebody with these classes "teaches", or is in one ("on"); empty for who has none."""
    if class_lists.is_teaching:
        return "teaches"
    if class_lists.joined_classes:
        return "on"
    return ""
