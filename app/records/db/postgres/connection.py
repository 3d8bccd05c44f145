"""One connection to a server that stays open, and is made anew when it was lost.

Nothing of a transaction is waited for but rows that are read, and the end: what begins it is sent with the
first statement, COMMIT with the last ones.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from psycopg import Connection as PsycopgConnection
from psycopg import Error
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from app.records.db.database import Job, Queue, answer
from app.records.db.errors import Busy
from app.records.db.postgres.address import WRITING
from app.records.db.postgres.pipeline import Pipeline
from app.records.db.postgres.refusals import (
    UNCERTAIN,
    ConnectionLost,
    is_double,
    is_read_only,
    may_repeat,
    server_refusal,
)
from app.records.db.postgres.server_session import ServerSession

MOST_SECONDS_LATE = 5
"""What a replica is behind at most, or its primary is asked instead."""
SECONDS_LATE = """CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
    ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 END"""
FOLLOWS = "EXISTS (SELECT 1 FROM pg_stat_wal_receiver)"
READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
LATENESS = f"SELECT {FOLLOWS}, {SECONDS_LATE}"
BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"
ALONE = f"SELECT pg_advisory_xact_lock({WRITING.site}, {WRITING.purpose})"
BESIDE_OTHERS = f"SELECT pg_advisory_xact_lock_shared({WRITING.site}, {WRITING.purpose})"
OWN_LOCK = """SELECT pg_advisory_xact_lock(learner_id) FROM sign_in
WHERE ended_at IS NULL AND token_hash IN (%(first)s, %(last)s) ORDER BY learner_id"""
MOST_TRIES = 20
MOST_LASTING = 3
"""How often a unique key may be in the way, or the server away. Who took the key is found by the next try."""

Begin = Callable[[Pipeline], None]


class ServerConnection:
    """SQLAlchemy's connection, and the pipeline below it that verbs speak through."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._pipeline: Pipeline | None = None
        self.is_reading = False
        self._committing = False

    def open(self) -> None:
        """Connect, unless it is connected."""
        if self._connection is None:
            self._connection = self._engine.connect()
            self._pipeline = Pipeline(self._driver)

    @property
    def _driver(self) -> PsycopgConnection[Any]:
        """psycopg's connection."""
        assert self._connection
        opened: PsycopgConnection[Any] = self._connection.connection.dbapi_connection  # type: ignore[assignment]
        return opened

    @property
    def session(self) -> ServerSession:
        assert self._connection
        assert self._pipeline
        return ServerSession(self._connection, self._pipeline)

    def carry_out(self, job: Job, begin: Begin) -> int:
        """Run a verb until it is done or refused; how often it was begun. What was undone may be done again,
        only COMMIT is not.
        """
        lasting = 0
        for tries in range(1, MOST_TRIES + 1):
            error = self._error_of(job, begin)
            if not isinstance(error, Again):
                break
            if isinstance(error, NobodyYet):
                begin = begin_alone
            lasting += error.is_lasting
            if lasting == MOST_LASTING or tries == MOST_TRIES:
                job.error = error.final()
                break
        return tries

    def _error_of(self, job: Job, begin: Begin) -> BaseException | None:
        """Run a verb once; what went wrong, as it stands in the job."""
        self.is_reading = begin in {begin_read, begin_late}
        self._committing = False
        job.value = job.error = None
        job.attempt(lambda: self.transaction(begin), self)
        error: BaseException | None = job.error
        if isinstance(error, ConnectionGone):
            self.close()
            if self._committing:
                job.error = error = ConnectionLost(UNCERTAIN)
        return error

    @contextmanager
    def transaction(self, begin: Begin) -> Iterator[None]:
        """Begun, then committed; undone where anything goes wrong."""
        self.open()
        assert self._connection
        assert self._pipeline
        try:
            begin(self._pipeline)
            yield
            if self.is_reading:
                self._pipeline.end()
            else:
                self._committing = True
                self._pipeline.commit()
        except BaseException:
            try:
                self._pipeline.settle()  # what went wrong on the way came before what is wrong now
            finally:
                with suppress(Error):  # a connection that is lost has nothing to undo
                    self._pipeline.rollback()
            raise
        finally:
            self._forget_transaction()

    def _forget_transaction(self) -> None:
        """SQLAlchemy keeps a note of the transaction once it has executed something; it is over."""
        if self._connection and self._pipeline and self._connection.in_transaction():
            with suppress(Error, SQLAlchemyError):
                self._pipeline.leave()
                self._connection.rollback()

    def refusal(self, error: Exception) -> Busy | None:
        """In words, when it was the server; None when it was the verb."""
        if may_repeat(error):
            return TakenMeanwhile(error)
        if self.is_reading and is_read_only(error):
            return None  # a verb that writes was taken for one that reads
        reason = server_refusal(error)
        if self._is_lost() or isinstance(reason, ConnectionLost):
            return ConnectionGone(error)
        return reason

    def close(self) -> None:
        """Let go of it; the next verb connects anew."""
        if self._connection is None:
            return
        if self._pipeline:
            self._pipeline.close()
        with suppress(Error, SQLAlchemyError):
            self._connection.invalidate()
        with suppress(Error, SQLAlchemyError):
            self._connection.close()
        self._connection = self._pipeline = None

    def _is_lost(self) -> bool:
        if self._connection is None:  # it could not be made
            return True
        return self._connection.invalidated or self._driver.closed


CarryOut = Callable[[ServerConnection, Job], None]


def work(queue: Queue, connection: ServerConnection, carry_out: CarryOut) -> None:
    """One thread of the database, until the queue ends."""
    while job := queue.get():
        if not job.future.cancelled():
            carry_out(connection, job)
            answer([job])
    connection.close()


class Behind(Busy):
    """A replica has not yet what happened some seconds ago."""


class Again(Busy):
    """What was begun is undone, and may be begun anew."""

    is_lasting = False
    """Whether it will hardly be otherwise at the twentieth time."""

    def __init__(self, cause: Exception | None) -> None:
        super().__init__()
        self.__cause__ = cause

    def final(self) -> BaseException:
        """What the caller hears in the end."""
        return Busy()


class TakenMeanwhile(Again):
    """What the verb was about to write was written by another one, or two waited for each other."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(cause)
        self.is_lasting = is_double(cause)

    def final(self) -> BaseException:
        """Of a key that stays in the way, the database's own words: that is a fault of the verb."""
        if self.is_lasting and self.__cause__:
            return self.__cause__
        return Busy()


class NobodyYet(Again):
    """Who is not signed in has no lock of their own, and is counted with others of an address: alone."""

    def __init__(self) -> None:
        super().__init__(None)


class ConnectionGone(Again):
    """The connection was lost before anything was committed."""

    is_lasting = True

    def final(self) -> BaseException:
        """In words; the next verb connects anew."""
        return ConnectionLost()


def begin_read(pipeline: Pipeline) -> None:
    """One moment of the database, seen until the end."""
    pipeline.execute(READ)


def begin_late(pipeline: Pipeline) -> None:
    """The same on a replica. `Behind` where it follows nobody, or too slowly."""
    pipeline.execute(READ)
    [(follows, seconds_late)] = pipeline.execute(LATENESS)
    if not follows or seconds_late is None or seconds_late > MOST_SECONDS_LATE:
        raise Behind


def begin_alone(pipeline: Pipeline) -> None:
    """While this verb writes, no other one does."""
    pipeline.execute(BEGIN)
    pipeline.execute(ALONE)


def begin_looking(pipeline: Pipeline) -> None:
    """For a verb that writes nothing: no other one waits for it."""
    pipeline.execute(BEGIN)
    pipeline.execute(BESIDE_OTHERS)


def begin_beside_others(pipeline: Pipeline, token_hashes: tuple[str, ...]) -> None:
    """Verbs of other learners write meanwhile, none of this learner: found by the hashes of their tokens.

    `NobodyYet`, told with the first rows that the verb reads, where none of them is signed in.
    """
    begin_looking(pipeline)
    lock = pipeline.execute(OWN_LOCK, {"first": token_hashes[0], "last": token_hashes[-1]})
    lock.without_rows = NobodyYet()
