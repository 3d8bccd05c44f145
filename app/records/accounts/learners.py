"""Who is asking: guests, their sign-ins, and the 续学码 with which they go on elsewhere."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from sqlalchemy import bindparam, or_, select

from app.records.accounts import throttle
from app.records.accounts.tables import Account, Learner, SignIn
from app.records.accounts.values import AccountRow, Caller, KnownLearner, ResumeCode, Visitor
from app.records.db import codes
from app.records.db.days import DayOf, TimeZones, day_of
from app.records.db.errors import NotFound, Stale
from app.records.db.metadata import table
from app.records.db.session import VerbSession, asks_once
from app.records.db.statements import (
    PreparedStatement,
    RowQuery,
    columns_of,
    prepared_insert,
    prepared_update,
)

P = ParamSpec("P")
T = TypeVar("T")
LearnerVerb = Callable[Concatenate[VerbSession, Caller, P], T]

DOUBLE_CLICK_PERIOD = timedelta(minutes=10)
"""So long a first click may be repeated with the same proposed token."""
RESUME_CODE_LENGTH = 12  # 31**12: nobody guesses one
DEFAULT_TIME_ZONE = "Asia/Shanghai"  # until a learner chooses another

ACCOUNT = table(Account).c
LEARNER = table(Learner).c
SIGN_IN = table(SignIn).c
HAS_SIGN_IN_TOKEN = SIGN_IN.token_hash == bindparam("hash")
IS_LEARNER = LEARNER.id == bindparam("learner")

IS_LIVE_SIGN_IN = SIGN_IN.ended_at.is_(None)
IS_SIGNED_IN_STILL = HAS_SIGN_IN_TOKEN & IS_LIVE_SIGN_IN
SIGNED_IN_LEARNER = select(SIGN_IN.learner_id).where(IS_SIGNED_IN_STILL)
CALLER_ID = SIGNED_IN_LEARNER.scalar_subquery()
"""The learner of the caller, by the hash of their token: for statements of other rooms."""
LEARNER_OF_CALLER = PreparedStatement(SIGNED_IN_LEARNER)


@asks_once
def find_learner_id(session: VerbSession, caller: Caller) -> int | None:
    """The learner of the cookie, if there is one and it has not been signed out."""
    if not caller.token:
        return None
    learner_row = session.first(LEARNER_OF_CALLER, hash=token_hash(caller.token))
    if learner_row is None:
        return None
    return int(learner_row[0])


SIGN_INS_OF_LEARNERS = table(SignIn).join(table(Learner), LEARNER.id == SIGN_IN.learner_id)
SIGN_INS_WITH_ACCOUNT = SIGN_INS_OF_LEARNERS.outerjoin(
    table(Account), ACCOUNT.learner_id == SIGN_IN.learner_id
)
HAS_RESUME_CODE = LEARNER.resume_code.is_not(None).label("has_resume_code")
VISITORS_QUERY = select(SIGN_IN.learner_id, HAS_RESUME_CODE, *columns_of(Account, AccountRow)).select_from(
    SIGN_INS_WITH_ACCOUNT
)
VISITOR_BY_TOKEN = PreparedStatement(VISITORS_QUERY.where(IS_SIGNED_IN_STILL))


def load_visitor(session: VerbSession, caller: Caller) -> Visitor:
    """Who is here, by the cookie."""
    if not caller.token:
        return Visitor()
    visitor_row = session.first(VISITOR_BY_TOKEN, hash=token_hash(caller.token))
    if visitor_row is None:
        return Visitor()
    learner_id, has_resume_code, *account_columns = visitor_row
    if account_columns[0] is None:
        return Visitor(learner_id, has_resume_code=has_resume_code)
    return Visitor(learner_id, AccountRow(*account_columns))


IS_REACHABLE = or_(
    LEARNER.resume_code.is_not(None),
    select(ACCOUNT.learner_id).where(ACCOUNT.learner_id == LEARNER.id).exists(),
    select(SIGN_IN.learner_id).where(SIGN_IN.learner_id == LEARNER.id).exists(),
)
"""The condition that somebody is, or was, this learner: none that was deleted and left results in a class."""
REACHABLE_LEARNER = PreparedStatement(select(LEARNER.id).where(IS_LEARNER, IS_REACHABLE))


def is_reachable(session: VerbSession, learner_id: int) -> bool:
    """Whether a learner was not deleted."""
    return session.first(REACHABLE_LEARNER, learner=learner_id) is not None


class SignInRow(NamedTuple):
    """A browser that is or was signed in."""

    learner_id: int
    created_at: datetime
    ended_at: datetime | None


SIGN_IN_OF_TOKEN = RowQuery(SignInRow, select(*columns_of(SignIn, SignInRow)).where(HAS_SIGN_IN_TOKEN))


def find_or_add_learner(session: VerbSession, caller: Caller, now: datetime) -> KnownLearner:
    """The learner of the cookie; else the one of the proposed token, who is made if it is new.

    Raises Stale when there is neither, or when the proposal is used up: signed out, or too old. Throttled
    where too many newcomers came from one address.
    """
    learner_id = find_learner_id(session, caller)
    if learner_id is not None and caller.token:
        return KnownLearner(learner_id, caller.token)
    if not caller.proposed_token:
        raise Stale
    sign_in = session.first(SIGN_IN_OF_TOKEN, hash=token_hash(caller.proposed_token))
    if sign_in is None:
        if caller.address:
            throttle.count_try(session, f"guests:{caller.address}", throttle.GUEST_LIMIT, now)
            throttle.count_try(session, f"guests-of-day:{caller.address}", throttle.GUESTS_OF_DAY_LIMIT, now)
        return add_guest(session, caller.proposed_token, now)
    return repeating_learner(sign_in, caller.proposed_token, now)


def repeating_learner(sign_in: SignInRow, proposed_token: str, now: datetime) -> KnownLearner:
    """Whose first click is repeated; Stale where the proposal is used up: signed out, or too old."""
    if sign_in.ended_at is not None or now - sign_in.created_at > DOUBLE_CLICK_PERIOD:
        raise Stale
    return KnownLearner(sign_in.learner_id, proposed_token)


def add_guest(session: VerbSession, token: str, now: datetime) -> KnownLearner:
    """A learner without an account, signed in with this token."""
    return add_sign_in(session, add_learner(session, now), token, now)


ADD_LEARNER = prepared_insert(Learner)


def add_learner(session: VerbSession, now: datetime) -> int:
    [(learner_id,)] = session.all(
        ADD_LEARNER, created_at=now, time_zone=DEFAULT_TIME_ZONE, past_zones=None, resume_code=None
    )
    return int(learner_id)


ADD_SIGN_IN = prepared_insert(SignIn)


def add_sign_in(
    session: VerbSession,
    learner_id: int,
    token: str,
    now: datetime,
    device: str | None = None,
    ends_at: datetime | None = None,
) -> KnownLearner:
    session.run(
        ADD_SIGN_IN,
        learner_id=learner_id,
        token_hash=token_hash(token),
        created_at=now,
        ended_at=None,
        device=device,
        seen_at=now,
        ends_at=ends_at,
    )
    return KnownLearner(learner_id, token)


ZONES_OF_LEARNER = (LEARNER.time_zone, LEARNER.past_zones)
TIME_ZONES = PreparedStatement(select(*ZONES_OF_LEARNER).where(IS_LEARNER))


def time_zones_of(session: VerbSession, learner_id: int) -> TimeZones:
    """Where the learner's days begin and end, and where the days of before did."""
    zone_row = session.first(TIME_ZONES, learner=learner_id)
    return TimeZones(*zone_row) if zone_row else TimeZones(DEFAULT_TIME_ZONE)


def day_of_moment_of(session: VerbSession, learner_id: int) -> DayOf:
    """The calendar of a learner: see `TimeZones.day_of_moment`."""
    return time_zones_of(session, learner_id).day_of_moment


def time_zone_of(session: VerbSession, learner_id: int) -> str:
    """Where the learner's day begins and ends now."""
    return time_zones_of(session, learner_id).present_zone


def day_of_newcomer(now: datetime) -> date:
    """Which day it is for somebody who is no learner yet, as it will be once they are."""
    return day_of(now, DEFAULT_TIME_ZONE)


LOGIN_OF_LEARNER = PreparedStatement(select(ACCOUNT.login).where(ACCOUNT.learner_id == bindparam("learner")))
SET_RESUME_CODE = prepared_update(Learner, IS_LEARNER, ["resume_code"])


def give_resume_code(session: VerbSession, caller: Caller, now: datetime) -> ResumeCode:
    """The 续学码 of this learner, made when it is first wanted and then kept: `XXXX-XXXX-XXXX`.

    NotFound for an account: its password is the way in, and a code would go around it.
    """
    known_learner = find_or_add_learner(session, caller, now)
    if session.first(LOGIN_OF_LEARNER, learner=known_learner.learner_id):
        raise NotFound("有账号就不用续学码了：在别处用登录名和密码登录。")
    resume_code = resume_code_of(session, known_learner.learner_id)
    if resume_code is None:
        resume_code = codes.fresh_code(RESUME_CODE_LENGTH)
        session.run(SET_RESUME_CODE, learner=known_learner.learner_id, resume_code=resume_code)
    return ResumeCode(known_learner.token, spell_code(resume_code))


CODE_OF_LEARNER = PreparedStatement(select(LEARNER.resume_code).where(IS_LEARNER))


def resume_code_of(session: VerbSession, learner_id: int) -> str | None:
    """The 续学码 as it is stored; None while there is none."""
    resume_code: str | None = session.all(CODE_OF_LEARNER, learner=learner_id)[0][0]
    return resume_code


LEARNER_WITH_CODE = PreparedStatement(select(LEARNER.id).where(LEARNER.resume_code == bindparam("code")))


def sign_in_with_code(session: VerbSession, resume_code: str, token: str, now: datetime) -> KnownLearner:
    """Sign in with a 续学码: `token` is this learner's from now on. Raises NotFound for an unknown code."""
    learner_row = session.first(LEARNER_WITH_CODE, code=codes.normalise_code(resume_code))
    if learner_row is None:
        raise NotFound("没有这个续学码，请再核对一遍。")
    learner_id = int(learner_row[0])
    sign_in = session.first(SIGN_IN_OF_TOKEN, hash=token_hash(token))
    if sign_in is None:
        return add_sign_in(session, learner_id, token, now)
    if sign_in.learner_id != learner_id or sign_in.ended_at is not None:
        raise Stale
    return KnownLearner(learner_id, token)  # a double click


END_SIGN_IN = prepared_update(SignIn, IS_SIGNED_IN_STILL, ["ended_at"])


def end_own_sign_in(session: VerbSession, caller: Caller, now: datetime) -> None:
    """换个人用: this browser is nobody's again. The learner and the other browsers stay."""
    if caller.token:
        session.run(END_SIGN_IN, hash=token_hash(caller.token), ended_at=now)


def token_hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def caller_token_hash(caller: Caller) -> str:
    """The hash of the token of a caller, which no sign-in has where there is no token."""
    return token_hash(caller.token or "")


def changes_own_rows(verb: LearnerVerb[P, T]) -> LearnerVerb[P, T]:
    """Mark a verb that changes rows of its caller alone: a database may run it beside verbs of others.

    It waits for other verbs of the same learner, and none that is not marked runs meanwhile. Rows of all, as
    the body of an item, it may add, if a second one is refused by their key: then it is begun anew.
    """
    verb.own_token_hashes = own_token_hashes  # type: ignore[attr-defined]
    return verb


def own_token_hashes(caller: Caller, *_: Any) -> tuple[str, ...]:
    """The hashes by which the sign-in of a caller is found, or the one that is made now."""
    return tuple(token_hash(token) for token in (caller.token, caller.proposed_token) if token)


def spell_code(resume_code: str) -> str:
    """A 续学码 as it is shown and copied, in groups of four.

    >>> spell_code("AB2CDEFGHJKM")
    'AB2C-DEFG-HJKM'
    """
    return "-".join(
        resume_code[start_index : start_index + 4] for start_index in range(0, len(resume_code), 4)
    )
