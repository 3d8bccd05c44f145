"""Accounts as the operator helps them, whoever they are: listed, stopped, given another password."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, func, select, update

from app.records.accounts import accounts
from app.records.accounts.passwords import key
from app.records.accounts.tables import Account
from app.records.accounts.values import AccountRow
from app.records.classes.tables import Classroom, Enrolment
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession

account, classroom, enrolment = table(Account).c, table(Classroom).c, table(Enrolment).c

taught = select(func.count()).where(classroom.teacher_id == account.learner_id).scalar_subquery()
attended = (
    select(func.count())
    .where(enrolment.learner_id == account.learner_id, enrolment.removed_at.is_(None))
    .scalar_subquery()
)
EVERY = Prepared(
    select(*[account[name] for name in AccountRow._fields], taught, attended).order_by(account.login_key)
)
DISABLE = Prepared(
    update(table(Account)).where(account.learner_id == bindparam("learner")), keys=("disabled_at",)
)


class ListedAccount(NamedTuple):
    """An account, and how many classes it teaches and is in."""

    account: AccountRow
    taught: int
    attended: int


def index(session: VerbSession) -> tuple[ListedAccount, ...]:
    """All accounts, by name."""
    return tuple(ListedAccount(AccountRow(*row[:-2]), *row[-2:]) for row in session.all(EVERY))


def disable(session: VerbSession, login: str, now: datetime) -> None:
    """Out at once, everywhere, until enabled again; classes and work stay."""
    found = named(session, login)
    session.run(DISABLE, learner=found.learner_id, disabled_at=now)
    session.run(accounts.END_OTHERS, learner=found.learner_id, hash="", ended_at=now)


def enable(session: VerbSession, login: str) -> None:
    session.run(DISABLE, learner=named(session, login).learner_id, disabled_at=None)


def reset(session: VerbSession, login: str, password_hash: str, now: datetime) -> None:
    """Another password; every sign-in of the account ends."""
    accounts.set_password(session, named(session, login).learner_id, password_hash, now)


def named(session: VerbSession, login: str) -> AccountRow:
    row = session.first(accounts.BY_LOGIN, login=key(login))
    if row is None:
        raise Refused(f"没有叫“{login}”的账号。有哪些：python -m app account list")
    return AccountRow(*row[1:])
