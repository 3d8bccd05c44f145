"""Accounts: a name and a password, no e-mail. The web hashes and compares; here is what is kept.

Signing in takes two calls, because a password is compared between them, outside of the database: `knock`
counts the try first, so that tries side by side are counted too; `enter` then signs in.
"""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import bindparam, select, update

from app.records.accounts import learners, throttle
from app.records.accounts.passwords import checked_login, key
from app.records.accounts.tables import Account, Learner, SignIn
from app.records.accounts.throttle import ACCOUNT, ADDRESS, NEW_ACCOUNTS
from app.records.accounts.values import AccountPageData, AccountRow, Arrival, Caller, Device, Visitor
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding

account, learner, sign_in = table(Account).c, table(Learner).c, table(SignIn).c
columns = [account[name] for name in AccountRow._fields]
live = sign_in.ended_at.is_(None)
of_learner = sign_in.learner_id == bindparam("learner")

BY_TOKEN = Prepared(
    select(sign_in.learner_id, *columns)
    .select_from(table(SignIn).outerjoin(table(Account), account.learner_id == sign_in.learner_id))
    .where(sign_in.token_hash == bindparam("hash"), live)
)
BY_LOGIN = Prepared(select(account.password_hash, *columns).where(account.login_key == bindparam("login")))
SECRET = Prepared(select(account.password_hash, *columns).where(account.learner_id == bindparam("learner")))
DEVICES = Prepared(
    select(sign_in.id, sign_in.device, sign_in.created_at, sign_in.token_hash)
    .where(of_learner, live)
    .order_by(sign_in.id.desc())
)
END_OTHERS = Prepared(
    update(table(SignIn)).where(of_learner, live, sign_in.token_hash != bindparam("hash")), keys=("ended_at",)
)
END_ONE = Prepared(
    update(table(SignIn)).where(of_learner, live, sign_in.id == bindparam("which")), keys=("ended_at",)
)
NO_CODE = Prepared(update(table(Learner)).where(learner.id == bindparam("learner")), keys=("resume_code",))
SET_PASSWORD = Prepared(
    update(table(Account)).where(account.learner_id == bindparam("learner")), keys=("password_hash",)
)
ADD = adding(Account)


def load_visitor(session: VerbSession, who: Caller) -> Visitor:
    """Who is here, by the cookie."""
    row = session.first(BY_TOKEN, hash=learners.token_hash(who.token)) if who.token else None
    if row is None:
        return Visitor()
    return Visitor(row[0], AccountRow(*row[1:]) if row[1] is not None else None)


def load_account_page(session: VerbSession, who: Caller) -> AccountPageData:
    """What 我的 shows: who is here, the 续学码 of a guest, the devices of an account."""
    here = load_visitor(session, who)
    row = None if here.learner_id is None else session.first(learners.CODE_OF, learner=here.learner_id)
    code = row[0] if row else None
    known = devices(session, who) if here.account else ()
    return AccountPageData(here, code and learners.spell(code), known)


def count_sign_in(session: VerbSession, login: str, address: str, now: datetime) -> str | None:
    """Count a try to sign in; the hash to compare with, None where nobody may come in by this name."""
    throttle.count(session, f"address:{address}", ADDRESS, now)
    throttle.count(session, f"sign-in:{key(login)[:64]}", ACCOUNT, now)
    row = session.first(BY_LOGIN, login=key(login))
    return None if row is None or AccountRow(*row[1:]).disabled_at else row[0]


def create(
    session: VerbSession,
    who: Caller,
    login: str,
    password_hash: str,
    token: str,
    address: str,
    now: datetime,
    device: str | None = None,
    teacher: bool = False,
) -> Arrival:
    """A new account. A guest becomes it, with everything done so far; other ways in to that guest end."""
    throttle.count(session, f"new-account:{address}", NEW_ACCOUNTS, now)
    here = load_visitor(session, who)
    learners.leave(session, who, now)
    if here.guest and here.learner_id is not None:
        learner_id = here.learner_id
        session.run(END_OTHERS, learner=learner_id, hash="", ended_at=now)
        session.run(NO_CODE, learner=learner_id, resume_code=None)
    else:
        learner_id = learners.add_learner(session, now)
    add(session, learner_id, login, password_hash, now, teacher)
    return learners.add_sign_in(session, learner_id, token, now, device)


def add(
    session: VerbSession,
    learner_id: int,
    login: str,
    password_hash: str,
    now: datetime,
    teacher: bool = False,
) -> None:
    """Give a learner a name and a password. Refused: the name is taken."""
    name = checked_login(login)
    if session.first(BY_LOGIN, login=key(name)):
        raise Refused(f"已经有人叫“{name}”了，换一个，比如加上数字。")
    session.run(
        ADD,
        learner_id=learner_id,
        login=name,
        login_key=key(name),
        password_hash=password_hash,
        teacher=teacher,
        created_at=now,
        disabled_at=None,
    )


def free_login(session: VerbSession, wanted: str, besides: Collection[str] = ()) -> str:
    """This name, or with the first number behind it that nobody has; `besides`: keys that are promised."""
    name, number = checked_login(wanted), 2
    while key(name) in besides or session.first(BY_LOGIN, login=key(name)):
        name, number = f"{checked_login(wanted)[:28]}{number}", number + 1
    return name


def secret(session: VerbSession, who: Caller, now: datetime) -> str:
    """The hash of one's own password, to be compared with what was typed; that counts as a try."""
    here = load_visitor(session, who)
    if here.account is None:
        raise NotFound
    throttle.count(session, f"sign-in:{key(here.account.login)[:64]}", ACCOUNT, now)
    found: str = session.all(SECRET, learner=here.learner_id)[0][0]
    return found


def change_password(
    session: VerbSession, who: Caller, matched: str, password_hash: str, now: datetime
) -> None:
    """A new password, after the old one matched. Every other sign-in ends."""
    here = load_visitor(session, who)
    row = session.first(SECRET, learner=here.learner_id)
    if here.account is None or row is None or row[0] != matched:
        raise NotFound
    throttle.forget(session, f"sign-in:{key(here.account.login)[:64]}")
    set_password(session, here.account.learner_id, password_hash, now, keep=who.token or "")


def set_password(
    session: VerbSession, learner_id: int, password_hash: str, now: datetime, keep: str = ""
) -> None:
    """Set it, and end all sign-ins but the one with the token to keep."""
    session.run(SET_PASSWORD, learner=learner_id, password_hash=password_hash)
    session.run(END_OTHERS, learner=learner_id, hash=learners.token_hash(keep), ended_at=now)


def devices(session: VerbSession, who: Caller) -> tuple[Device, ...]:
    """The browsers that are signed in as this learner, the latest first."""
    here = learners.load_visitor(session, who)
    hidden = learners.token_hash(who.token or "")
    rows = () if here is None else session.all(DEVICES, learner=here)
    return tuple(Device(which, device, at, token == hidden) for which, device, at, token in rows)


def end_devices(session: VerbSession, who: Caller, which: int | None, now: datetime) -> None:
    """Sign out one of one's own devices, or (None) all but this one."""
    here = learners.load_visitor(session, who)
    if here is None:
        raise NotFound
    if which is None:
        session.run(END_OTHERS, learner=here, hash=learners.token_hash(who.token or ""), ended_at=now)
    else:
        session.run(END_ONE, learner=here, which=which, ended_at=now)
