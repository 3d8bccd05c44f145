"""The limit of a durable answer: sqlite3 alone, one thread, one COMMIT for all that waits."""

import asyncio
import sqlite3
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import Any

Statement = tuple[str, dict[str, Any], "asyncio.Future[None]"]


class GroupCommit:
    """Writes rows and says so once they are on the disk (WAL, synchronous=FULL). Knows no errors."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[Statement] = SimpleQueue()
        threading.Thread(target=self._write_all, daemon=True).start()

    async def write(self, sql: str, values: dict[str, Any]) -> None:
        done: asyncio.Future[None] = self._loop.create_future()
        self._queue.put((sql, values, done))
        await done

    def _write_all(self) -> None:
        connection = sqlite3.connect(self._file, isolation_level=None)
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
            connection.execute(f"PRAGMA {pragma}")
        while True:
            batch = self._take_batch()
            connection.execute("BEGIN IMMEDIATE")
            for sql, values, _ in batch:
                connection.execute(sql, values)
            connection.execute("COMMIT")
            self._loop.call_soon_threadsafe(_report_done, batch)

    def _take_batch(self) -> list[Statement]:
        batch = [self._queue.get()]
        while len(batch) < 128 and not self._queue.empty():
            batch.append(self._queue.get())
        return batch


def _report_done(batch: list[Statement]) -> None:
    for _, _, done in batch:
        if not done.done():
            done.set_result(None)
