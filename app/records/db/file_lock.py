"""One writer at a time among several processes: a lock on a file beside the database.

SQLite's own waiting polls and starves (seconds at worst); a queue at the operating system's lock is fair. It
only orders those who take it; SQLite's locks still keep the file right when somebody does not.
"""

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

if sys.platform == "win32":
    import msvcrt

    def acquire(handle: int) -> None:
        while True:  # LK_LOCK gives up after ten seconds
            try:
                return msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
            except OSError:
                continue

    def release(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    try:
        import fcntl
    except ImportError:  # no locks here: SQLite's own must do
        fcntl = None  # type: ignore[assignment]

    def acquire(handle: int) -> None:
        if fcntl:
            fcntl.flock(handle, fcntl.LOCK_EX)

    def release(handle: int) -> None:
        if fcntl:
            fcntl.flock(handle, fcntl.LOCK_UN)


class FileLock:
    """`with lock:` waits until no other process is inside. The system frees it when a process dies."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def __enter__(self) -> Self:
        acquire(self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        release(self._handle)

    def close(self) -> None:
        os.close(self._handle)
