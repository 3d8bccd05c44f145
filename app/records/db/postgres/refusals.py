"""What PostgreSQL refuses, in words for who waits; and what may simply be done again."""

from psycopg import Error, OperationalError
from sqlalchemy.exc import DBAPIError

from app.records.db.errors import Busy, DiskFull

DOUBLE = "23505"
REPEATED = {DOUBLE, "40001", "40P01"}
"""Another one was quicker, or two waited for each other: begun anew, the verb finds what is there."""
LOST = "和数据库的连接断了，这一次没有保存，请稍后再试。"
HELD = "数据库正忙，也许有一件事卡住了，这一次没有保存，请稍后再试。"
STARTING = "数据库正在启动或关闭，这一次没有保存，请稍后再试。"
READ_ONLY = "数据库现在是只读的（也许刚换成备用的那一台），这一次没有保存；请管理员看一看。"
CROWDED = "数据库的连接用完了，这一次没有保存，请稍后再试。"
WRITES = "25006"
SENTENCES = {
    WRITES: READ_ONLY,
    "53300": CROWDED,
    "55P03": HELD,
    "57014": HELD,
    "57P01": STARTING,
    "57P02": STARTING,
    "57P03": STARTING,
}
AWAY = {"53300", "57P01", "57P02", "57P03"}
FULL = "53100"


class ConnectionLost(Busy):
    """The server has closed the connection, or cannot be reached."""

    text = LOST


def cause_of(error: BaseException) -> Error | None:
    """psycopg's own error; None for an error that is not the database's."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return cause if isinstance(cause, Error) else None


def reason_in_line(error: BaseException) -> str:
    """What the server or its client library says, on one line: for logs. Neither quotes a password.

    >>> reason_in_line(Error("connection failed:\\n  FATAL:  sorry"))
    'connection failed: FATAL: sorry'
    """
    words = " ".join(str(cause_of(error) or error).split())
    return words or type(error).__name__


def may_repeat(error: BaseException) -> bool:
    """Whether the same verb, begun anew, may do what it could not do now."""
    cause = cause_of(error)
    return cause is not None and cause.sqlstate in REPEATED


def is_double(error: BaseException) -> bool:
    """Whether a unique key was in the way."""
    cause = cause_of(error)
    return cause is not None and cause.sqlstate == DOUBLE


def is_read_only(error: BaseException) -> bool:
    """Whether something was to be written where nothing may be."""
    cause = cause_of(error)
    return cause is not None and cause.sqlstate == WRITES


def is_away(error: BaseException) -> bool:
    """Whether nobody answers, or nobody is let in yet: a moment later it may be otherwise."""
    cause = cause_of(error)
    if cause is None:
        return False
    return cause.sqlstate in AWAY or isinstance(reason_of(cause), ConnectionLost)


def server_refusal(error: BaseException) -> Busy | None:
    """The reason in words for who waits, when it was the server; None when it was the verb."""
    cause = cause_of(error)
    if cause is None:
        return None
    reason = reason_of(cause)
    if reason:
        reason.__cause__ = error
    return reason


def reason_of(cause: Error) -> Busy | None:
    if cause.sqlstate == FULL:
        return DiskFull()
    if cause.sqlstate in SENTENCES:
        return Busy(SENTENCES[cause.sqlstate])
    if isinstance(cause, OperationalError) and cause.sqlstate is None:  # libpq's own: nobody at the other end
        return ConnectionLost()
    if cause.sqlstate and cause.sqlstate.startswith("08"):
        return ConnectionLost()
    if cause.sqlstate in REPEATED - {DOUBLE}:
        return Busy()
    return None
