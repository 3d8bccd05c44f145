"""What SQLite refuses, in words for who waits: the disk, a lock, a damaged file."""

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError

from app.records.db.errors import Busy, Damaged, DiskFull

FILE_IS_OCCUPIED_SENTENCE = "数据库正被别的程序占用，这一次没有保存，请稍后再试。"
REFUSAL_BY_CODE: dict[int, Busy] = {
    sqlite3.SQLITE_FULL: DiskFull(),
    sqlite3.SQLITE_BUSY: Busy(FILE_IS_OCCUPIED_SENTENCE),
    sqlite3.SQLITE_LOCKED: Busy(FILE_IS_OCCUPIED_SENTENCE),
    sqlite3.SQLITE_IOERR: Busy("磁盘读写出错，这一次没有保存；以前保存的都还在。"),
    sqlite3.SQLITE_CANTOPEN: Busy("打不开数据库文件，这一次没有保存。"),
    sqlite3.SQLITE_READONLY: Busy("数据库文件是只读的，这一次没有保存；请管理员检查它和文件夹的权限。"),
    sqlite3.SQLITE_CORRUPT: Damaged(),
    sqlite3.SQLITE_NOTADB: Damaged(),
}
REFUSAL_BY_ERRNO: dict[int | None, Busy] = {
    errno.ENOSPC: DiskFull(),
    errno.EDQUOT: DiskFull(),
    errno.EROFS: Busy("服务器的磁盘是只读的，这一次没有保存；请管理员查查是怎么变成只读的（dmesg，mount）。"),
    errno.EIO: REFUSAL_BY_CODE[sqlite3.SQLITE_IOERR],
}
"""The same of files beside the database."""
DISK_ERRORS = (OSError, sqlite3.Error)
"""The kinds of errors among which `file_refusal` knows those of a disk."""


def primary_code(error: BaseException) -> int | None:
    """SQLite's primary result code; None for an error that is not SQLite's."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    error_code = getattr(cause, "sqlite_errorcode", None)
    if isinstance(error_code, int):
        return error_code & 0xFF  # the low byte
    return None


def file_refusal(error: BaseException) -> Busy | None:
    """The reason in words for who waits, when it was the disk or the lock; None when it was the verb."""
    busy_error = REFUSAL_BY_CODE.get(primary_code(error) or sqlite3.SQLITE_OK)
    if isinstance(error, OSError):
        busy_error = REFUSAL_BY_ERRNO.get(error.errno)
    if busy_error is None:
        return None
    fresh_busy_error = type(busy_error)(str(busy_error))
    fresh_busy_error.__cause__ = error
    return fresh_busy_error
