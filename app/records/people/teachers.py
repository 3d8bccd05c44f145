"""Teachers: invited by a link, listed for the operator."""

import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, func, select, update

from app.records.accounts import accounts, learners
from app.records.accounts.tables import Account
from app.records.accounts.values import AccountRow, Arrival, Caller
from app.records.classes.tables import Classroom
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.people.tables import Invitation

VALID = timedelta(days=7)

account, invitation, classroom = table(Account).c, table(Invitation).c, table(Classroom).c
this = invitation.token_hash == bindparam("hash")

OPEN = Prepared(
    select(invitation.until).where(this, invitation.used_at.is_(None), invitation.until > bindparam("now"))
)
USE = Prepared(update(table(Invitation)).where(this), keys=("used_at",))
ADD = adding(Invitation)
ANYBODY = Prepared(select(func.count()).select_from(table(Account)).where(account.teacher).limit(1))
ANY_INVITATION = Prepared(select(func.count()).select_from(table(Invitation)))
classes = select(func.count()).where(classroom.teacher_id == account.learner_id).scalar_subquery()
EVERY = Prepared(
    select(*[account[name] for name in AccountRow._fields], classes)
    .where(account.teacher)
    .order_by(account.login_key)
)
IS_TEACHER = Prepared(
    update(table(Account)).where(account.learner_id == bindparam("learner")), keys=("teacher",)
)


class TeacherRow(NamedTuple):
    account: AccountRow
    classes: int


def invite(session: VerbSession, now: datetime) -> str:
    """A token for one teacher, valid for a week; it is told once and kept as its hash."""
    token = secrets.token_urlsafe(24)
    hidden = learners.token_hash(token)
    session.run(ADD, token_hash=hidden, created_at=now, until=now + VALID, used_at=None)
    return token


def first_invitation(session: VerbSession, now: datetime) -> str | None:
    """The invitation of an empty database; None where a teacher is or was ever invited."""
    if session.all(ANYBODY)[0][0] or session.all(ANY_INVITATION)[0][0]:
        return None
    return invite(session, now)


def expect_open(session: VerbSession, token: str, now: datetime) -> None:
    """NotFound when the link was used, has run out, or never was."""
    if session.first(OPEN, hash=learners.token_hash(token), now=now) is None:
        raise NotFound("这个邀请链接用过了，或者过了七天。请管理员再发一个：python -m app teacher invite")


def accept(session: VerbSession, who: Caller, invitation_token: str, now: datetime) -> None:
    """The account that is here becomes a teacher's."""
    expect_open(session, invitation_token, now)
    here = accounts.load_visitor(session, who)
    if here.account is None:
        raise NotFound
    session.run(USE, hash=learners.token_hash(invitation_token), used_at=now)
    session.run(IS_TEACHER, learner=here.learner_id, teacher=True)


def arrive(
    session: VerbSession,
    who: Caller,
    invitation_token: str,
    login: str,
    password_hash: str,
    token: str,
    address: str,
    now: datetime,
    device: str | None = None,
) -> Arrival:
    """A new account, of a teacher."""
    expect_open(session, invitation_token, now)
    session.run(USE, hash=learners.token_hash(invitation_token), used_at=now)
    return accounts.create(session, who, login, password_hash, token, address, now, device, teacher=True)


def index(session: VerbSession) -> tuple[TeacherRow, ...]:
    return tuple(TeacherRow(AccountRow(*row[:-1]), row[-1]) for row in session.all(EVERY))
