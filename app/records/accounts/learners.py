"""Who is asking: guests, their sign-ins, and the 续学码 with which they go on elsewhere."""

from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import bindparam, select, update

from app.records.accounts.tables import Account, Learner, SignIn
from app.records.accounts.values import Arrival, Caller, ResumeCode
from app.records.db import codes
from app.records.db.errors import NotFound, Stale
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding

DOUBLE_CLICK = timedelta(minutes=10)  # how long a first click may be repeated with the same proposed token
CODE_LENGTH = 12  # 31**12: nobody guesses one
USUAL_ZONE = "Asia/Shanghai"  # until a learner chooses another

learner, sign_in, account = table(Learner).c, table(SignIn).c, table(Account).c
hashed, whose = sign_in.token_hash == bindparam("hash"), learner.id == bindparam("learner")

LIVE = Prepared(select(sign_in.learner_id).where(hashed, sign_in.ended_at.is_(None)))
SIGN_IN = Prepared(select(sign_in.learner_id, sign_in.created_at, sign_in.ended_at).where(hashed))
END = Prepared(update(table(SignIn)).where(hashed, sign_in.ended_at.is_(None)), keys=("ended_at",))
TIME_ZONE = Prepared(select(learner.time_zone).where(whose))
CODE_OF = Prepared(select(learner.resume_code).where(whose))
WITH_CODE = Prepared(select(learner.id).where(learner.resume_code == bindparam("code")))
SET_CODE = Prepared(update(table(Learner)).where(whose), keys=("resume_code",))
HAS_ACCOUNT = Prepared(select(account.learner_id).where(account.learner_id == bindparam("learner")))
ADD_LEARNER, ADD_SIGN_IN = adding(Learner), adding(SignIn)


def load_visitor(session: VerbSession, who: Caller) -> int | None:
    """The learner of the cookie, if there is one and it has not been signed out."""
    if not who.token:
        return None
    row = session.first(LIVE, hash=token_hash(who.token))
    return row[0] if row else None


def arrive(session: VerbSession, who: Caller, now: datetime) -> Arrival:
    """The learner of the cookie; else the one of the proposed token, who is made if it is new.

    Raises Stale when there is neither, or when the proposal is used up: signed out, or too old.
    """
    known = load_visitor(session, who)
    if known is not None and who.token:
        return Arrival(known, who.token)
    if not who.proposal:
        raise Stale
    row = session.first(SIGN_IN, hash=token_hash(who.proposal))
    if row is None:
        return sign_up(session, who.proposal, now)
    learner_id, created_at, ended_at = row
    if ended_at is not None or now - created_at > DOUBLE_CLICK:
        raise Stale
    return Arrival(learner_id, who.proposal)


def sign_up(session: VerbSession, token: str, now: datetime) -> Arrival:
    return add_sign_in(session, add_learner(session, now), token, now)


def add_learner(session: VerbSession, now: datetime) -> int:
    rows = session.all(ADD_LEARNER, created_at=now, time_zone=USUAL_ZONE, resume_code=None)
    learner_id: int = rows[0][0]
    return learner_id


def add_sign_in(
    session: VerbSession, learner_id: int, token: str, now: datetime, device: str | None = None
) -> Arrival:
    hidden = token_hash(token)
    session.run(
        ADD_SIGN_IN, learner_id=learner_id, token_hash=hidden, created_at=now, ended_at=None, device=device
    )
    return Arrival(learner_id, token)


def time_zone_of(session: VerbSession, learner_id: int) -> str:
    """Where the learner's day begins and ends."""
    row = session.first(TIME_ZONE, learner=learner_id)
    return row[0] if row else USUAL_ZONE


def give_code(session: VerbSession, who: Caller, now: datetime) -> ResumeCode:
    """The 续学码 of this learner, made at the first asking and then kept: `XXXX-XXXX-XXXX`.

    NotFound for an account: its password is the way in, and a code would go around it.
    """
    arrival = arrive(session, who, now)
    if session.first(HAS_ACCOUNT, learner=arrival.learner_id):
        raise NotFound("有账号就不用续学码了：在别处用名字和密码登录。")
    row = session.first(CODE_OF, learner=arrival.learner_id)
    code = row[0] if row else None
    if code is None:
        code = codes.fresh(CODE_LENGTH)
        session.run(SET_CODE, learner=arrival.learner_id, resume_code=code)
    return ResumeCode(arrival.token, spell(code))


def enter(session: VerbSession, code: str, token: str, now: datetime) -> Arrival:
    """Sign in with a 续学码: `token` is this learner's from now on. Raises NotFound for an unknown code."""
    row = session.first(WITH_CODE, code=codes.plain(code))
    if row is None:
        raise NotFound("没有这个续学码，请再核对一遍。")
    known = session.first(SIGN_IN, hash=token_hash(token))
    if known is None:
        return add_sign_in(session, row[0], token, now)
    if known[0] != row[0] or known[2] is not None:
        raise Stale
    return Arrival(row[0], token)  # a double click


def leave(session: VerbSession, who: Caller, now: datetime) -> None:
    """换个人用: this browser is nobody's again. The learner and the other browsers stay."""
    if who.token:
        session.run(END, hash=token_hash(who.token), ended_at=now)


def token_hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def spell(code: str) -> str:
    """
    >>> spell("AB2CDEFGHJKM")
    'AB2C-DEFG-HJKM'
    """
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))
