"""`db.read` and `db.write` on PostgreSQL: one transaction a verb, in as few round trips as it reads rows.

A round trip is the price (see `pipeline`), and the server itself groups what is committed together. So verbs
run side by side, in READ COMMITTED; SERIALIZABLE refused a quarter of a class, whose rows share index pages.
A verb that is marked as changing rows of its caller alone (`learners.changes_own_rows`) waits for verbs of
the same learner; every other one runs alone, as with SQLite: right by default, quick by choice.
"""

import threading
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import Any
from zlib import crc32

from psycopg import Error
from sqlalchemy.exc import DBAPIError

from app.records.db.database import READ_THREADS, Database, Job, P, Queue, T, Verb
from app.records.db.errors import CannotOpen, RecordsError, ServerAway
from app.records.db.postgres import server_revision
from app.records.db.postgres.address import shown_address
from app.records.db.postgres.advice import explanation_of
from app.records.db.postgres.beginnings import (
    Begin,
    begin_alone,
    begin_beside_others,
    begin_read,
    begin_without_writing,
)
from app.records.db.postgres.connection import CarryOut, ServerConnection, run_jobs
from app.records.db.postgres.dialect import server_engine
from app.records.db.postgres.refusals import is_server_away
from app.records.db.postgres.replica import Replica

LANE_COUNT = 8
"""How many verbs of one process write at once."""
CONNECTIONS = READ_THREADS + LANE_COUNT
"""How many connections each process of a site holds."""


def open_postgres(
    database_url: str,
    replica_url: str,
    *,
    thread_count: int,
    most_waiting_verbs: int,
    patience_seconds: float,
) -> "PostgresDatabase":
    """Open what `migrate` has made ready. `CannotOpen` where the server is not there, or older, or newer."""
    server_revision.expect_current_revision(database_url)
    server_revision.expect_own_connections(database_url)
    try:
        return PostgresDatabase(
            database_url,
            replica_url,
            thread_count=thread_count,
            most_waiting_verbs=most_waiting_verbs,
            patience_seconds=patience_seconds,
        )
    except (Error, DBAPIError) as error:
        error_class = ServerAway if is_server_away(error) else CannotOpen
        raise error_class(f"连不上数据库{shown_address(database_url)}：{explanation_of(error)}") from error


class PostgresDatabase(Database):
    """A server; its connections stay open."""

    def __init__(
        self,
        database_url: str,
        replica_url: str = "",
        *,
        thread_count: int,
        most_waiting_verbs: int,
        patience_seconds: float,
    ) -> None:
        super().__init__(most_waiting_verbs)
        self._engine = server_engine(database_url, patience_seconds)
        self._replica = Replica(replica_url, thread_count) if replica_url else None
        self._lanes: list[Queue] = [SimpleQueue() for _ in range(LANE_COUNT)]
        self._threads: list[tuple[threading.Thread, Queue]] = []
        self.carry_out = ServerConnection.carry_out  # who counts repeats puts theirs around it
        for _ in range(thread_count):
            self._start(self._read_queue, self._read)
        for lane in self._lanes:
            self._start(lane, self._write)

    def _start(self, queue: Queue, carry_out: CarryOut) -> None:
        connection = ServerConnection(self._engine)
        connection.open()  # a server that has no room for all of us says so now
        thread_arguments = (queue, connection, carry_out)
        thread = threading.Thread(target=run_jobs, args=thread_arguments, name="db-server", daemon=True)
        thread.start()
        self._threads.append((thread, queue))

    async def write(self, verb: Verb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._wait(self._lane_of(verb, *args), verb, *args, **kwargs)

    async def read_late(self, verb: Verb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """By the replica, where there is one that keeps up. What it refuses is asked of the primary: it may
        only not have it yet."""
        if self._replica and self._replica.is_there():
            try:
                pending_answer = self._wait(self._replica.queue, verb, *args, **kwargs)
                return await self._replica.await_answer(pending_answer)
            except RecordsError as error:
                self._replica.record_failure(error)
        return await self.read(verb, *args, **kwargs)

    def _lane_of(self, verb: Callable[..., Any], *args: Any) -> Queue:
        """The queue that a verb waits in: one for all clicks of a browser, so that these stay in their order;
        the first for verbs that run alone."""
        token_hashes = own_token_hashes(verb, *args)
        if not token_hashes:
            return self._lanes[0]
        return self._lanes[crc32(token_hashes[0].encode()) % len(self._lanes)]

    def _read(self, connection: ServerConnection, job: Job) -> None:
        self.carry_out(connection, job, begin_read)

    def _write(self, connection: ServerConnection, job: Job) -> None:
        self.carry_out(connection, job, begin_of_write(job))

    def _end(self) -> None:
        for _, queue in self._threads:
            queue.put(None)
        for thread, _ in self._threads:
            thread.join()
        if self._replica:
            self._replica.close()
        self._engine.dispose()


def own_token_hashes(verb: Callable[..., Any], *args: Any) -> tuple[str, ...]:
    """By which the learner is found whose rows alone a verb changes; none for a verb that runs alone."""
    hashes_of: Callable[..., tuple[str, ...]] | None = getattr(verb, "own_token_hashes", None)
    if hashes_of is None:
        return ()
    return hashes_of(*args)


def begin_of_write(job: Job) -> Begin:
    """How a verb that writes begins: by its mark."""
    if getattr(job.verb, "changes_nothing", False):
        return begin_without_writing
    token_hashes = own_token_hashes(job.verb, *job.args)
    if not token_hashes:
        return begin_alone
    return partial(begin_beside_others, token_hashes=token_hashes)
