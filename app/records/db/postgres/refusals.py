"""What PostgreSQL refuses, in words for who waits; and what may simply be done again."""

from psycopg import Error, OperationalError
from sqlalchemy.exc import DBAPIError

from app.records.db.errors import Busy, DiskFull

UNIQUE_VIOLATION = "23505"
RETRIED_STATES = {UNIQUE_VIOLATION, "40001", "40P01"}
"""Another one was quicker, or two waited for each other: begun anew, the verb finds what is there."""
CONNECTION_LOST_SENTENCE = "和数据库的连接断了，这一次没有保存，请稍后再试。"
LOCK_HELD_SENTENCE = "数据库正忙，也许有一件事卡住了，这一次没有保存，请稍后再试。"
SERVER_STARTING_SENTENCE = "数据库正在启动或关闭，这一次没有保存，请稍后再试。"
READ_ONLY_SENTENCE = "数据库现在是只读的（也许刚换成备用的那一台），这一次没有保存；请管理员看一看。"
TOO_MANY_CONNECTIONS_SENTENCE = "数据库的连接用完了，这一次没有保存，请稍后再试。"
READ_ONLY_TRANSACTION = "25006"
SENTENCE_BY_SQLSTATE = {
    READ_ONLY_TRANSACTION: READ_ONLY_SENTENCE,
    "53300": TOO_MANY_CONNECTIONS_SENTENCE,
    "55P03": LOCK_HELD_SENTENCE,
    "57014": LOCK_HELD_SENTENCE,
    "57P01": SERVER_STARTING_SENTENCE,
    "57P02": SERVER_STARTING_SENTENCE,
    "57P03": SERVER_STARTING_SENTENCE,
}
AWAY_STATES = {"53300", "57P01", "57P02", "57P03"}
DISK_FULL_STATE = "53100"


class ConnectionLost(Busy):
    """The server has closed the connection, or cannot be reached."""

    sentence = CONNECTION_LOST_SENTENCE


def cause_of(error: BaseException) -> Error | None:
    """psycopg's own error; None for an error that is not the database's."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return cause if isinstance(cause, Error) else None


def reason_in_line(error: BaseException) -> str:
    """What the server or its client library says, on one line: for logs. Neither quotes a password.

    >>> reason_in_line(Error("connection failed:\\n  FATAL:  sorry"))
    'connection failed: FATAL: sorry'
    """
    error_text = " ".join(str(cause_of(error) or error).split())
    return error_text or type(error).__name__


def may_repeat(error: BaseException) -> bool:
    """Whether the same verb, begun anew, may do what it could not do now."""
    cause = cause_of(error)
    return cause is not None and cause.sqlstate in RETRIED_STATES


def is_duplicate_key(error: BaseException) -> bool:
    """Whether a unique key was in the way."""
    cause = cause_of(error)
    return cause is not None and cause.sqlstate == UNIQUE_VIOLATION


def is_read_only(error: BaseException) -> bool:
    """Whether something was to be written where nothing may be."""
    cause = cause_of(error)
    return cause is not None and cause.sqlstate == READ_ONLY_TRANSACTION


def is_server_away(error: BaseException) -> bool:
    """Whether nobody answers, or nobody is let in yet: a moment later it may be otherwise."""
    cause = cause_of(error)
    if cause is None:
        return False
    return cause.sqlstate in AWAY_STATES or isinstance(busy_error_of(cause), ConnectionLost)


def server_refusal(error: BaseException) -> Busy | None:
    """The reason in words for who waits, when it was the server; None when it was the verb."""
    cause = cause_of(error)
    if cause is None:
        return None
    busy_error = busy_error_of(cause)
    if busy_error:
        busy_error.__cause__ = error
    return busy_error


def busy_error_of(cause: Error) -> Busy | None:
    if cause.sqlstate == DISK_FULL_STATE:
        return DiskFull()
    if cause.sqlstate in SENTENCE_BY_SQLSTATE:
        return Busy(SENTENCE_BY_SQLSTATE[cause.sqlstate])
    if isinstance(cause, OperationalError) and cause.sqlstate is None:  # libpq's own: nobody at the other end
        return ConnectionLost()
    if cause.sqlstate and cause.sqlstate.startswith("08"):
        return ConnectionLost()
    if cause.sqlstate in RETRIED_STATES - {UNIQUE_VIOLATION}:
        return Busy()
    return None
