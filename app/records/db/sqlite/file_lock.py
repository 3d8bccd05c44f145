"""One writer at a time among several processes: a lock on a file beside the database.

SQLite's own waiting polls and starves (seconds at worst); a queue at the operating system's lock is fair. It
only orders those who take it; SQLite's locks still keep the file right when somebody does not.
"""

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from app.records.db.errors import Busy

PATIENCE_SECONDS = 10.0
"""Seconds to wait for another process, the same as SQLite's busy_timeout."""
FILE_HELD_SENTENCE = "另一个糖序进程占着数据库，也许卡住了，这一次没有保存，请稍后再试。"

if sys.platform == "win32":
    import msvcrt

    def acquire(file_descriptor: int) -> None:
        while True:  # LK_LOCK gives up after ten seconds
            try:
                return msvcrt.locking(file_descriptor, msvcrt.LK_LOCK, 1)
            except OSError:
                continue

    def acquire_at_once(file_descriptor: int) -> bool:
        try:
            msvcrt.locking(file_descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def release(file_descriptor: int) -> None:
        msvcrt.locking(file_descriptor, msvcrt.LK_UNLCK, 1)

else:
    try:
        import fcntl
    except ImportError:  # no locks here: SQLite's own must do
        fcntl = None  # type: ignore[assignment]

    def acquire(file_descriptor: int) -> None:
        if fcntl:
            fcntl.flock(file_descriptor, fcntl.LOCK_EX)

    def acquire_at_once(file_descriptor: int) -> bool:
        try:
            if fcntl:
                fcntl.flock(file_descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def release(file_descriptor: int) -> None:
        if fcntl:
            fcntl.flock(file_descriptor, fcntl.LOCK_UN)


class FileLock:
    """`with lock:` waits until no other process is inside. The system frees it when a process dies.

    One thread of a process uses it. `Busy` when the others have not left after `patience_seconds`: the place
    in the queue is kept for the next try, so that a process that was refused does not begin at the end again.
    """

    def __init__(self, path: Path, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._patience_seconds = patience_seconds
        self._state = threading.Condition()
        self._is_queued = False  # a thread of ours stands at the system's lock
        self._is_wanted = False  # somebody still waits for that thread

    def __enter__(self) -> Self:
        with self._state:
            if not self._is_queued and acquire_at_once(self._handle):
                return self
            self._is_wanted = True
            self._stand_in_queue()
            is_entered = self._state.wait_for(lambda: not self._is_queued, self._patience_seconds)
            self._is_wanted = False
        if not is_entered:
            raise Busy(FILE_HELD_SENTENCE)
        return self

    def __exit__(
        self,
        error_class: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        release(self._handle)

    def close(self) -> None:
        os.close(self._handle)

    def _stand_in_queue(self) -> None:
        """No call of the system waits fairly and with a deadline: a thread waits, and may be left behind."""
        if not self._is_queued:
            self._is_queued = True
            threading.Thread(target=self._wait_for_turn, name="db-lock", daemon=True).start()

    def _wait_for_turn(self) -> None:
        with suppress(OSError):  # closed meanwhile
            acquire(self._handle)
        with self._state:
            self._is_queued = False
            if not self._is_wanted:
                with suppress(OSError):
                    release(self._handle)
            self._state.notify()
