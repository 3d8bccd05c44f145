"""Teachers: invited by a link."""

import secrets
from datetime import datetime, timedelta

from sqlalchemy import bindparam, select

from app.records.accounts import accounts, learners
from app.records.accounts.learners import ACCOUNT
from app.records.accounts.tables import Account
from app.records.accounts.values import Browser, Caller, Credentials, Visitor
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.operator_commands import COMMAND
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, prepared_insert, prepared_update
from app.records.people.tables import Invitation

INVITATION_LASTS = timedelta(days=7)

INVITATION = table(Invitation).c
HAS_INVITATION_TOKEN = INVITATION.token_hash == bindparam("hash")

ADD_INVITATION = prepared_insert(Invitation)


def create_invitation_token(session: VerbSession, now: datetime) -> str:
    """A token for one teacher, valid for a week; it is printed once and kept as its hash."""
    invitation_token = secrets.token_urlsafe(24)
    token_hash = learners.token_hash(invitation_token)
    expires_at = now + INVITATION_LASTS
    session.run(ADD_INVITATION, token_hash=token_hash, created_at=now, until=expires_at, used_at=None)
    return invitation_token


TEACHER_IDS_QUERY = select(ACCOUNT.learner_id).where(ACCOUNT.is_teacher)
ANY_TEACHER = PreparedStatement(TEACHER_IDS_QUERY.limit(1))
INVITATIONS_QUERY = select(INVITATION.token_hash)
ANY_INVITATION = PreparedStatement(INVITATIONS_QUERY.limit(1))


def invite_first_teacher(session: VerbSession, now: datetime) -> str | None:
    """A token for the first teacher of an empty database; None where one is, or was ever invited."""
    if has_no_teacher(session):
        return create_invitation_token(session, now)
    return None


def has_no_teacher(session: VerbSession) -> bool:
    """Whether nobody teaches here, and nobody was ever invited to."""
    if session.first(ANY_TEACHER):
        return False
    return session.first(ANY_INVITATION) is None


IS_INVITATION_OPEN = (INVITATION.used_at.is_(None), INVITATION.until > bindparam("now"))
OPEN_INVITATION = PreparedStatement(select(INVITATION.until).where(HAS_INVITATION_TOKEN, *IS_INVITATION_OPEN))


def expect_open_invitation(session: VerbSession, invitation_token: str, now: datetime) -> None:
    """NotFound when the link was used, has run out, or never was."""
    token_hash = learners.token_hash(invitation_token)
    if session.first(OPEN_INVITATION, hash=token_hash, now=now) is None:
        raise NotFound(f"这个邀请链接用过了，或者过了七天。请管理员再发一个：{COMMAND} teacher invite")


INVITATION_OF_TOKEN = PreparedStatement(select(INVITATION.until).where(HAS_INVITATION_TOKEN))


def expect_way_in(session: VerbSession, browser: Browser, invitation_token: str, now: datetime) -> None:
    """NotFound as `expect_open_invitation` says, but not for whoever just used the link by the same form."""
    if accounts.find_repeating_learner(session, browser, now) is None:
        expect_open_invitation(session, invitation_token, now)


def load_invited_visitor(
    session: VerbSession, caller: Caller, invitation_token: str, now: datetime
) -> Visitor:
    """Who is here. NotFound as `expect_open_invitation` says, but not for a teacher whose link was used."""
    visitor = learners.load_visitor(session, caller)
    is_teacher = visitor.account is not None and visitor.account.is_teacher
    was_invited = session.first(INVITATION_OF_TOKEN, hash=learners.token_hash(invitation_token)) is not None
    if not (is_teacher and was_invited):
        expect_open_invitation(session, invitation_token, now)
    return visitor


MAKE_TEACHER = prepared_update(Account, accounts.IS_OF_ACCOUNT, ["is_teacher"])


def accept_invitation(session: VerbSession, caller: Caller, invitation_token: str, now: datetime) -> bool:
    """The account that is here becomes a teacher's; whether it was none. Who teaches already, or taps twice,
    uses up no link."""
    visitor = load_invited_visitor(session, caller, invitation_token, now)
    if visitor.account is None:
        raise NotFound
    if visitor.account.is_teacher:
        return False
    use_invitation(session, invitation_token, now)
    session.run(MAKE_TEACHER, learner=visitor.learner_id, is_teacher=True)
    return True


def sign_up(
    session: VerbSession,
    caller: Caller,
    invitation_token: str,
    credentials: Credentials,
    browser: Browser,
    now: datetime,
) -> bool:
    """A new account, of a teacher; whether one was made: a form that comes twice makes one."""
    if accounts.find_repeating_learner(session, browser, now) is not None:
        return False
    use_invitation(session, invitation_token, now)
    accounts.create_account_by_new_form(session, caller, credentials, browser, now, is_teacher=True)
    return True


USE_INVITATION = prepared_update(Invitation, HAS_INVITATION_TOKEN, ["used_at"])


def use_invitation(session: VerbSession, invitation_token: str, now: datetime) -> None:
    """An open invitation is closed by whoever takes it; NotFound as `expect_open_invitation` says."""
    expect_open_invitation(session, invitation_token, now)
    token_hash = learners.token_hash(invitation_token)
    session.run(USE_INVITATION, hash=token_hash, used_at=now)
