"""Accounts as the operator helps them, whoever they are: listed, stopped, given another password."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select

from app.course.text.typed import name_key
from app.records.accounts import accounts
from app.records.accounts.learners import ACCOUNT
from app.records.accounts.tables import Account
from app.records.classes.classrooms import CLASSROOM, ENROLMENT
from app.records.db.errors import Refused
from app.records.db.operator_commands import COMMAND
from app.records.db.session import VerbSession
from app.records.db.statements import RowQuery, prepared_update


class ListedAccount(NamedTuple):
    """An account, and how many classes it teaches and is in."""

    login: str
    is_teacher: bool
    created_at: datetime
    disabled_at: datetime | None
    taught_class_count: int
    attended_class_count: int


TAUGHT_CLASS_COUNT = select(func.count()).where(CLASSROOM.teacher_id == ACCOUNT.learner_id)
IS_ENROLMENT_OF_ACCOUNT = (ENROLMENT.learner_id == ACCOUNT.learner_id, ENROLMENT.removed_at.is_(None))
ATTENDED_CLASS_COUNT = select(func.count()).where(*IS_ENROLMENT_OF_ACCOUNT)
ACCOUNTS_QUERY = select(
    ACCOUNT.login,
    ACCOUNT.is_teacher,
    ACCOUNT.created_at,
    ACCOUNT.disabled_at,
    TAUGHT_CLASS_COUNT.scalar_subquery().label("taught_class_count"),
    ATTENDED_CLASS_COUNT.scalar_subquery().label("attended_class_count"),
)
ALL_ACCOUNTS = RowQuery(ListedAccount, ACCOUNTS_QUERY.order_by(ACCOUNT.login_key))


def all_accounts(session: VerbSession) -> list[ListedAccount]:
    """All accounts, by name."""
    return session.all(ALL_ACCOUNTS)


def load_teachers(session: VerbSession) -> list[ListedAccount]:
    """All teachers, by name."""
    return [listed_account for listed_account in all_accounts(session) if listed_account.is_teacher]


SET_DISABLED = prepared_update(Account, accounts.IS_OF_ACCOUNT, ["disabled_at"])


def disable_account(session: VerbSession, login: str, now: datetime) -> None:
    """Out at once, everywhere, until enabled again; classes and work stay."""
    learner_id = learner_id_of_login(session, login)
    session.run(SET_DISABLED, learner=learner_id, disabled_at=now)
    accounts.end_sign_ins(session, learner_id, now)


def enable_account(session: VerbSession, login: str) -> None:
    learner_id = learner_id_of_login(session, login)
    session.run(SET_DISABLED, learner=learner_id, disabled_at=None)


def reset_password(session: VerbSession, login: str, password_hash: str, now: datetime) -> None:
    """Another password; every sign-in of the account ends."""
    learner_id = learner_id_of_login(session, login)
    accounts.set_password(session, learner_id, password_hash, now)


def learner_id_of_login(session: VerbSession, login: str) -> int:
    """The learner with that account. Refused where there is none."""
    account_secret = session.first(accounts.SECRET_BY_LOGIN, login=name_key(login))
    if account_secret is None:
        raise Refused(f"没有叫“{login}”的账号。有哪些：{COMMAND} account list")
    return account_secret.learner_id
