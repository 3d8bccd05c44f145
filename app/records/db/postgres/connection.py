"""One connection to a server that stays open, and is made anew when it was lost.

Nothing of a transaction is waited for but rows that are read, and the end: what begins it is sent with the
first statement, COMMIT with the last ones.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Literal

from psycopg import Connection as PsycopgConnection
from psycopg import Error
from sqlalchemy import Connection, CursorResult, Engine, Executable
from sqlalchemy.exc import SQLAlchemyError

from app.records.db.database import Job, Queue, answer_jobs
from app.records.db.errors import Busy, Unsure
from app.records.db.postgres.beginnings import READING_BEGINS, Begin, begin_alone
from app.records.db.postgres.pipeline import Pipeline
from app.records.db.postgres.refusals import (
    ConnectionLost,
    is_read_only,
    may_repeat,
    reason_in_line,
    server_refusal,
)
from app.records.db.postgres.repeats import (
    MOST_LASTING_TRIES,
    MOST_TRIES,
    ConnectionGone,
    NothingWritable,
    NotSignedInYet,
    TryAgain,
    WrittenMeanwhile,
)
from app.records.db.session import VerbSession
from app.records.db.statements import PendingRows, PreparedStatement

log = logging.getLogger(__name__)


class ServerSession(VerbSession):
    """Statements that are prepared go through the pipeline; others through SQLAlchemy, when it is empty."""

    def __init__(self, connection: Connection, pipeline: Pipeline) -> None:
        super().__init__(connection, pipeline)
        self._pipeline = pipeline

    def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | list[Mapping[str, Any]] | None = None
    ) -> CursorResult[Any]:
        """Any statement, through SQLAlchemy."""
        self._pipeline.leave_pipeline_mode()
        return super().execute(statement, parameters)

    def send(self, statement: PreparedStatement, /, **parameters: Any) -> PendingRows:
        """Rows that come with those of other statements."""
        return PendingRows(*statement.send(self.driver, self._dialect, parameters))

    def settle(self) -> None:
        """Wait for what was sent."""
        self._pipeline.settle()


Phase = Literal["reading", "writing", "committing"]
"""What a connection is about in its transaction, or was in the last one."""


class LiveConnection:
    """SQLAlchemy's connection, psycopg's in it, and the pipeline through which verbs use that one."""

    def __init__(self, engine: Engine) -> None:
        self._connection = engine.connect()
        psycopg_connection: PsycopgConnection[Any] = self._connection.connection.dbapi_connection  # type: ignore[assignment]
        self._driver = psycopg_connection
        self.pipeline = Pipeline(psycopg_connection)

    @property
    def session(self) -> ServerSession:
        """The first argument of a verb."""
        return ServerSession(self._connection, self.pipeline)

    @property
    def is_lost(self) -> bool:
        """Whether the server has gone away."""
        return self._connection.invalidated or self._driver.closed

    def undo(self) -> None:
        """Undo the transaction. Raises what went wrong on the way: it came before what is wrong now."""
        try:
            self.pipeline.settle()
        finally:
            with suppress(Error):  # a connection that is lost has nothing to undo
                self.pipeline.rollback()

    def forget_transaction(self) -> None:
        """SQLAlchemy keeps a note of the transaction once it has executed something; it is over."""
        if self._connection.in_transaction():
            with suppress(Error, SQLAlchemyError):
                self.pipeline.leave_pipeline_mode()
                self._connection.rollback()

    def close(self) -> None:
        """Let go of it, whether the server is there or not."""
        self.pipeline.close()
        with suppress(Error, SQLAlchemyError):
            self._connection.invalidate()
        with suppress(Error, SQLAlchemyError):
            self._connection.close()


class ServerConnection:
    """What a thread runs its verbs on, one after the other."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._live_connection: LiveConnection | None = None  # None: not yet, or no more
        self._phase: Phase = "writing"
        self._is_shut_out = False

    def open(self) -> LiveConnection:
        """What is open; connects where nothing is. That it cannot is said once in the log, until it can."""
        if self._live_connection is None:
            try:
                self._live_connection = LiveConnection(self._engine)
            except (Error, SQLAlchemyError) as error:
                if not self._is_shut_out:
                    log.warning("no connection to the database: %s", reason_in_line(error))
                self._is_shut_out = True
                raise
            self._is_shut_out = False
        return self._live_connection

    def close(self) -> None:
        """Let go of it; the next verb connects anew."""
        if self._live_connection:
            self._live_connection.close()
            self._live_connection = None

    @property
    def session(self) -> ServerSession:
        """The first argument of a verb."""
        return self.open().session

    @property
    def is_reading(self) -> bool:
        """Whether the last verb was one that writes nothing and locks nothing."""
        return self._phase == "reading"

    def carry_out(self, job: Job, begin: Begin) -> int:
        """Run a verb until it is done or refused; how often it was begun. What was undone may be done again,
        only COMMIT is not.
        """
        lasting_error_count = 0
        for try_number in range(1, MOST_TRIES + 1):
            error = self._run_once(job, begin)
            if not isinstance(error, TryAgain):
                break
            if isinstance(error, NotSignedInYet):
                begin = begin_alone
            lasting_error_count += error.is_lasting
            if lasting_error_count == MOST_LASTING_TRIES or try_number == MOST_TRIES:
                job.error = error.final_error()
                break
        return try_number

    def _run_once(self, job: Job, begin: Begin) -> BaseException | None:
        """Run a verb once; what went wrong, as it stands in the job."""
        job.verb_result = job.error = None
        job.run(lambda: self.transaction(begin), self)
        error: BaseException | None = job.error
        if isinstance(error, ConnectionGone):
            if self._live_connection and error.__cause__:
                log.warning("the connection to the database was lost: %s", reason_in_line(error.__cause__))
            self.close()
            if self._phase == "committing":
                job.error = error = Unsure()
        elif isinstance(error, NothingWritable):
            self.close()
        return error

    @contextmanager
    def transaction(self, begin: Begin) -> Iterator[None]:
        """Begun, then committed; undone where anything goes wrong."""
        self._phase = "reading" if begin in READING_BEGINS else "writing"
        live_connection = self.open()
        try:
            begin(live_connection.pipeline)
            yield
            self._end_transaction(live_connection.pipeline)
        except BaseException:
            live_connection.undo()
            raise
        finally:
            live_connection.forget_transaction()

    def _end_transaction(self, pipeline: Pipeline) -> None:
        """What was read needs no answer; what was written is told when it is durable."""
        if self.is_reading:
            pipeline.end_reading()
            return
        self._phase = "committing"
        pipeline.commit()

    def refusal(self, error: Exception) -> Busy | None:
        """In words, when it was the server; None when it was the verb."""
        if may_repeat(error):
            return WrittenMeanwhile(error)
        if self.is_reading and is_read_only(error):
            return None  # a verb that writes was taken for one that reads
        if is_read_only(error):
            return NothingWritable(error)
        busy_error = server_refusal(error)
        has_no_server = self._live_connection is None or self._live_connection.is_lost
        if has_no_server or isinstance(busy_error, ConnectionLost):
            return ConnectionGone(error)
        return busy_error


CarryOut = Callable[[ServerConnection, Job], None]


def run_jobs(queue: Queue, connection: ServerConnection, carry_out: CarryOut) -> None:
    """One thread of the database, until the queue ends."""
    while job := queue.get():
        if not job.future.cancelled():
            try:
                carry_out(connection, job)
            except Exception as error:  # a thread that ends leaves all that will ever stand in its queue
                log.exception("a verb was not carried out")
                job.error = error
            answer_jobs([job])
    connection.close()
