"""`db.read` and `db.write` on one file: what waits to be written shares one commit.

Writes go to ONE thread that puts all that waits into one transaction, a savepoint each, commits once
(synchronous=FULL) and only then answers everybody.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from app.records.db.database import Database, Job, P, Queue, T, Verb, answer_jobs
from app.records.db.errors import Busy, CannotOpen, Damaged
from app.records.db.session import VerbSession
from app.records.db.sqlite.file_access import unopened_sentence
from app.records.db.sqlite.file_lock import FileLock
from app.records.db.sqlite.file_revision import expect_current_revision
from app.records.db.sqlite.open_file import (
    GLANCE_PRAGMAS,
    READ_PRAGMAS,
    WRITE_PRAGMAS,
    OpenFile,
    data_version,
    database_file,
    driver_connection_of,
    file_engine,
    lock_path,
)
from app.records.db.sqlite.refusals import file_refusal, primary_code
from app.records.db.trails import Trail

log = logging.getLogger(__name__)


def open_sqlite(
    database_url: str,
    *,
    thread_count: int,
    most_waiting_verbs: int,
    largest_batch_size: int,
    patience_seconds: float,
) -> "SqliteDatabase":
    """Open what `migrate` has made ready. `CannotOpen` for a file that is older, newer, or cannot be used."""
    sqlite_file = database_file(database_url)
    expect_current_revision(sqlite_file)
    try:
        return SqliteDatabase(
            sqlite_file,
            thread_count=thread_count,
            most_waiting_verbs=most_waiting_verbs,
            largest_batch_size=largest_batch_size,
            patience_seconds=patience_seconds,
        )
    except (sqlite3.Error, DBAPIError, OSError) as error:
        raise CannotOpen(unopened_sentence(sqlite_file, error)) from error


class SqliteDatabase(Database):
    """One file, one writer that groups what waits."""

    def __init__(
        self,
        sqlite_file: Path,
        *,
        thread_count: int,
        most_waiting_verbs: int,
        largest_batch_size: int,
        patience_seconds: float,
    ) -> None:
        super().__init__(most_waiting_verbs)
        self._largest_batch = largest_batch_size
        self._read_engine = file_engine(sqlite_file, READ_PRAGMAS)
        self._write_engine = file_engine(sqlite_file, WRITE_PRAGMAS)
        self._glance_connection = OpenConnection(file_engine(sqlite_file, GLANCE_PRAGMAS), "BEGIN")
        self._file_lock = FileLock(lock_path(sqlite_file), patience_seconds)
        self._file = OpenFile(sqlite_file)
        self.run_batch = partial(
            run_batch, self._file_lock, self._file
        )  # who counts puts something around it
        self._write_queue: Queue = SimpleQueue()
        write_connection = OpenConnection(self._write_engine, "BEGIN IMMEDIATE")
        write_connection.driver.execute(
            "PRAGMA journal_mode=WAL"
        )  # a backup put in place by hand is in no WAL mode
        write_connection.driver.execute("SELECT count(*) FROM sqlite_master")  # opens the WAL
        self._file.watch_wal()
        reader_connections = [OpenConnection(self._read_engine, "BEGIN") for _ in range(thread_count)]
        self._threads = [start_thread(self._write_all, write_connection)]
        for connection in reader_connections:
            self._threads.append(start_thread(self._read_all, connection))

    async def glance(self, verb: Verb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`read` on the thread of the event loop. Where it would have to wait, a thread waits instead."""
        if self._is_open:
            try:
                if getattr(verb, "asks_once", False):
                    return verb(self._glance_connection.session, *args, **kwargs)
                with self._glance_connection.transaction():
                    return verb(self._glance_connection.session, *args, **kwargs)
            except Exception as error:
                if not file_refusal(error):
                    raise
        return await self.read(verb, *args, **kwargs)

    async def still_holds(self, trail: Trail) -> bool:
        """It does while nothing at all was committed; else its statements are asked again."""
        present_version = data_version(
            self._glance_connection.driver
        )  # first: what is committed meanwhile is seen next time
        if present_version is None or present_version != trail.held_at_version:
            if not await super().still_holds(trail):
                return False
            trail.held_at_version = present_version
        return True

    async def write(self, verb: Verb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._wait(self._write_queue, verb, *args, **kwargs)

    def _end(self) -> None:
        """The writer's connection goes last and alone, and empties the WAL: of two at once, neither would."""
        writer_thread, *reader_threads = self._threads
        self._glance_connection.close()
        for _ in reader_threads:
            self._read_queue.put(None)
        for reader_thread in reader_threads:
            reader_thread.join()
        self._write_queue.put(None)
        writer_thread.join()
        self._file_lock.close()

    def _read_all(self, connection: "OpenConnection") -> None:
        while job := self._read_queue.get():
            if not job.future.cancelled():
                job.run(connection.transaction, connection)
                answer_jobs([job])
        connection.close()

    def _write_all(self, connection: "OpenConnection") -> None:
        is_last = False
        while not is_last:
            batch = take_batch(self._write_queue, self._largest_batch)
            is_last = batch[-1] is None
            jobs = [job for job in batch if job and not job.future.cancelled()]
            if jobs:
                self.run_batch(connection, jobs)
                answer_jobs(jobs)
        connection.close()


def start_thread(
    thread_loop: Callable[["OpenConnection"], None], connection: "OpenConnection"
) -> threading.Thread:
    thread = threading.Thread(
        target=thread_loop, args=(connection,), name=f"db{thread_loop.__name__}", daemon=True
    )
    thread.start()
    return thread


def take_batch(queue: Queue, most_jobs: int) -> "list[Job | None]":
    """Wait for a job, and bring along those that wait behind it, to the end of the queue at most."""
    batch = [queue.get()]
    while len(batch) < most_jobs and batch[-1] and not queue.empty():
        batch.append(queue.get())
    return batch


def run_batch(
    file_lock: FileLock, open_file: OpenFile, connection: "OpenConnection", jobs: list[Job]
) -> None:
    """All in one transaction. If that fails, nothing of it is in the file, and every caller hears of it."""
    try:
        with file_lock, connection.transaction():
            for job in jobs:
                job.run(connection.savepoint, connection)
                connection.expect_open(job.error)
            open_file.expect_same_files()
    except Exception as error:
        busy_error = error if isinstance(error, Busy) else file_refusal(error)
        log.warning("%d writes were refused: %s", len(jobs), error, exc_info=busy_error is None)
        busy_error = busy_error or Busy()
        for job in jobs:
            job.error = type(busy_error)(
                str(busy_error)
            )  # each its own: a raised exception carries its traceback


class OpenConnection:
    """A connection that stays open: SQLAlchemy's for statements, the driver's own for what frames them."""

    def __init__(self, engine: Engine, begin_statement: str) -> None:
        self._connection = engine.connect()
        self._begin_statement = begin_statement
        self._is_writing = begin_statement == "BEGIN IMMEDIATE"
        self.driver = driver_connection_of(self._connection)
        self.session = VerbSession(self._connection, self.driver)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.driver.execute(self._begin_statement)
        try:
            yield
            self._transaction_owner().commit()
        except BaseException:
            self._transaction_owner().rollback()
            raise

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self.driver.execute("SAVEPOINT verb")
        try:
            yield
            self.driver.execute("RELEASE verb")
        except BaseException:
            if self.driver.in_transaction:
                self.driver.execute("ROLLBACK TO verb")
                self.driver.execute("RELEASE verb")
            raise

    def refusal(self, error: Exception) -> Busy | None:
        """In words, when it was the disk, a lock or a damaged file; None when it was the verb."""
        if not self._is_writing and primary_code(error) == sqlite3.SQLITE_READONLY:
            return None  # a verb that writes was taken for one that reads
        busy_error = file_refusal(error)
        if isinstance(busy_error, Damaged):
            log.error("the database file is damaged: %s", error)
        return busy_error

    def expect_open(self, error: BaseException | None) -> None:
        """Raises where the transaction is gone: SQLite may undo a whole batch, and the next savepoint would
        silently begin another one."""
        if not self.driver.in_transaction:
            raise error or RuntimeError("the transaction was lost")

    def close(self) -> None:
        self._connection.close()

    def _transaction_owner(self) -> "Connection | sqlite3.Connection":
        """SQLAlchemy keeps a note of the transaction once it has executed something: then it must end it."""
        return self._connection if self._connection.in_transaction() else self.driver
