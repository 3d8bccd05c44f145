"""One connection to a server that stays open, and is made anew when it was lost."""

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
from app.records.db.postgres.refusals import (
    UNCERTAIN,
    ConnectionLost,
    is_double,
    is_read_only,
    may_repeat,
    server_refusal,
)
from app.records.db.session import VerbSession

MOST_SECONDS_LATE = 5
"""What a replica is behind at most, or its primary is asked instead."""
SECONDS_LATE = """CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
    ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 END"""
FOLLOWS = "EXISTS (SELECT 1 FROM pg_stat_wal_receiver)"
READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"
ALONE = f"{BEGIN}; SELECT pg_advisory_xact_lock({WRITING.site}, {WRITING.purpose})"
READ_LATE = f"{READ}; SELECT {FOLLOWS}, {SECONDS_LATE}"
BESIDE_OTHERS = f"{BEGIN}; SELECT pg_advisory_xact_lock_shared({WRITING.site}, {WRITING.purpose})"
OWN_LOCK = """SELECT pg_advisory_xact_lock(learner_id) FROM sign_in
WHERE ended_at IS NULL AND token_hash IN ({hashes}) ORDER BY learner_id"""
MOST_TRIES = 20
MOST_LASTING = 3
"""How often a unique key may be in the way, or the server away. Who took the key is found by the next try."""

Begin = Callable[[PsycopgConnection[Any]], None]


class ServerConnection:
    """SQLAlchemy's connection for statements, psycopg's own for what frames them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self.is_reading = False
        self._committing = False

    def open(self) -> None:
        """Connect, unless it is connected."""
        if self._connection is None:
            self._connection = self._engine.connect()

    @property
    def driver(self) -> PsycopgConnection[Any]:
        """psycopg's connection."""
        assert self._connection
        opened: PsycopgConnection[Any] = self._connection.connection.dbapi_connection  # type: ignore[assignment]
        return opened

    @property
    def session(self) -> VerbSession:
        assert self._connection
        return VerbSession(self._connection, self.driver)

    def carry_out(self, job: Job, begin: Begin) -> int:
        """Run a verb until it is done or refused; how often it was begun. What was undone may be done again,
        only COMMIT is not.
        """
        lasting = 0
        for tries in range(1, MOST_TRIES + 1):
            error = self._error_of(job, begin)
            if not isinstance(error, Again):
                break
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
        try:
            begin(self.driver)
            yield
            self._committing = True
            self._owner().commit()
        except BaseException:
            with suppress(Error, SQLAlchemyError):  # a connection that is lost has nothing to undo
                self._owner().rollback()
            raise

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
        with suppress(Error, SQLAlchemyError):
            self._connection.invalidate()
        with suppress(Error, SQLAlchemyError):
            self._connection.close()
        self._connection = None

    def _is_lost(self) -> bool:
        if self._connection is None:  # it could not be made
            return True
        return self._connection.invalidated or self.driver.closed

    def _owner(self) -> "Connection | PsycopgConnection[Any]":
        """SQLAlchemy keeps a note of the transaction once it has executed something: then it must end it."""
        assert self._connection
        return self._connection if self._connection.in_transaction() else self.driver


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

    def __init__(self, cause: Exception) -> None:
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


class ConnectionGone(Again):
    """The connection was lost before anything was committed."""

    is_lasting = True

    def final(self) -> BaseException:
        """In words; the next verb connects anew."""
        return ConnectionLost()


def begin_read(driver: PsycopgConnection[Any]) -> None:
    """One moment of the database, seen until the end."""
    driver.execute(READ)


def begin_late(driver: PsycopgConnection[Any]) -> None:
    """The same on a replica. `Behind` where it follows nobody, or too slowly."""
    results = driver.execute(READ_LATE)
    results.nextset()
    follows, seconds_late = results.fetchone() or (False, None)
    if not follows or seconds_late is None or seconds_late > MOST_SECONDS_LATE:
        raise Behind


def begin_alone(driver: PsycopgConnection[Any]) -> None:
    """While this verb writes, no other one does."""
    driver.execute(ALONE)


def begin_looking(driver: PsycopgConnection[Any]) -> None:
    """For a verb that writes nothing: no other one waits for it."""
    driver.execute(BESIDE_OTHERS)


def begin_beside_others(driver: PsycopgConnection[Any], token_hashes: tuple[str, ...]) -> None:
    """Verbs of other learners write meanwhile, none of this learner: found by the hashes of their tokens.

    Whoever is not signed in yet will be counted with others of the same address: that is done alone.
    """
    hashes = ", ".join([f"'{token_hash}'" for token_hash in token_hashes if token_hash.isalnum()])
    if not hashes:
        begin_alone(driver)
        return
    results = driver.execute(f"{BESIDE_OTHERS}; {OWN_LOCK.format(hashes=hashes)}")
    while results.nextset():
        pass
    if not results.rowcount:
        driver.execute("ROLLBACK")
        begin_alone(driver)
