"""A server that follows another one, and answers what may be seconds old."""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

from app.records.db.database import Job, Queue
from app.records.db.errors import Busy, RecordsError
from app.records.db.postgres.address import shown_address
from app.records.db.postgres.beginnings import LATENESS, begin_late
from app.records.db.postgres.connection import ServerConnection, run_jobs
from app.records.db.postgres.dialect import server_engine
from app.records.db.postgres.server_revision import connect

PATIENCE_SECONDS = 2
"""Seconds to wait for it: the primary answers as well."""
LONGEST_WAIT_SECONDS = 5.0
"""Seconds after which its primary is asked: it may be frozen, and closes no connection."""
PAUSE_SECONDS = 15
"""Seconds in which a replica that was away or behind is not asked again."""

T = TypeVar("T")
log = logging.getLogger(__name__)


class ReplicaState(NamedTuple):
    """Whether a server follows another one, and how far behind it is; None where nothing has come yet."""

    is_following: bool
    seconds_late: float | None


def replica_state(database_url: str) -> ReplicaState:
    """How a replica stands now. `CannotOpen` where nobody answers."""
    with connect(database_url, PATIENCE_SECONDS) as connection:
        return ReplicaState(*connection.exec_driver_sql(LATENESS).one())


def carry_out_late(connection: ServerConnection, job: Job) -> None:
    connection.carry_out(job, begin_late)


class Replica:
    """Its threads, which connect when they are first asked: a site opens without it."""

    def __init__(self, database_url: str, thread_count: int) -> None:
        self.queue: Queue = SimpleQueue()
        self._url = database_url
        self._engine = server_engine(database_url, PATIENCE_SECONDS)
        self._asked_again_at = 0.0
        self._threads = [self._start_thread() for _ in range(thread_count)]

    def _start_thread(self) -> threading.Thread:
        thread_arguments = (self.queue, ServerConnection(self._engine), carry_out_late)
        thread = threading.Thread(target=run_jobs, args=thread_arguments, name="db-replica", daemon=True)
        thread.start()
        return thread

    def is_there(self) -> bool:
        """Whether it kept up when it was last asked, or may do so again."""
        return time.monotonic() >= self._asked_again_at

    async def await_answer(self, pending_answer: Awaitable[T]) -> T:
        """What it answers to what was put into its queue. `Busy` where it does not."""
        try:
            async with asyncio.timeout(LONGEST_WAIT_SECONDS):
                return await pending_answer
        except TimeoutError as error:
            raise Busy from error

    def record_failure(self, error: RecordsError) -> None:
        """It did not answer. Where that was its own fault it is left alone for a while."""
        if isinstance(error, Busy):
            self._asked_again_at = time.monotonic() + PAUSE_SECONDS
            log.warning("%s is away or behind: its primary is asked", shown_address(self._url))

    def close(self) -> None:
        """Wait for its threads."""
        for _ in self._threads:
            self.queue.put(None)
        for thread in self._threads:
            thread.join()
        self._engine.dispose()
