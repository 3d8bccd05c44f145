"""Statements on their way to a server: prepared once, sent at once, awaited where somebody reads their rows.

A message there and back is the price of a statement, on one machine as over a network. So what gives no rows
is only sent, and answered together with the next statement that does, or with COMMIT.
"""

import logging
import re
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import count
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import Any, NamedTuple

from psycopg import Connection as PsycopgConnection
from psycopg import DataError, Error, OperationalError, ProgrammingError
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, PyFormat, Transformer
from psycopg.errors import Diagnostic, InFailedSqlTransaction, error_from_result
from psycopg.pq import ExecStatus, error_message
from psycopg.pq.abc import PGresult
from psycopg.types.string import StrDumperUnknown

from app.records.db.errors import Unsure
from app.records.db.statements import Row

PARAMETER = re.compile(r"%\((\w+)\)s|%%")
MOST_PREPARED_STATEMENTS = 300
"""So many statements a connection keeps at the server; the one that was used longest ago makes room."""
LONGEST_ANSWER_SECONDS = 30.0
"""Seconds without a byte after which a server is taken for gone: one that is frozen, or whose disk hangs,
closes no connection. No statement of ours takes so long; a lock is waited for ten seconds at most."""
OK_STATUSES = {ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK}
NO_VALUES: Mapping[str, Any] = {}

log = logging.getLogger(__name__)


class NumberedStatement(NamedTuple):
    """A statement as the server reads it, and the names of its values in the order of their numbers."""

    sql: bytes
    value_names: tuple[str, ...]
    formats: list[PyFormat]


class PreparedKey(NamedTuple):
    """What the server prepares apart: what is whole once may have decimals the next time."""

    sql: str
    value_types: tuple[int, ...] | None


class SentStatement:
    """A statement that was sent. Whoever asks for its rows waits for them."""

    __slots__ = ("_pipeline", "error_without_rows", "prepared_key", "result")

    def __init__(self, pipeline: "Pipeline", prepared_key: PreparedKey | None = None) -> None:
        self._pipeline = pipeline
        self.prepared_key = prepared_key
        """What it prepares, where it does only that."""
        self.result: PGresult | None = None
        self.error_without_rows: Exception | None = None
        """What is wrong where it gives no rows."""

    @property
    def description(self) -> object:
        """None where it gives no rows."""
        return self._await_result().nfields or None

    def fetchall(self) -> list[Row]:
        """All rows."""
        return self._pipeline.rows_of_result(self._await_result())

    def __iter__(self) -> Iterator[Row]:
        return iter(self.fetchall())

    def _await_result(self) -> PGresult:
        if self.result is None:
            self._pipeline.settle()
        assert self.result
        return self.result


class FastTextContext:
    """How psycopg writes values for a connection; texts by its own code in C, which refuses a NUL."""

    def __init__(self, connection: PsycopgConnection[Any]) -> None:
        self.connection = connection
        self.adapters = AdaptersMap(connection.adapters)
        self.adapters.register_dumper(str, StrDumperUnknown)


class Pipeline:
    """What one connection is asked, below SQLAlchemy and psycopg's cursors. One thread uses it."""

    def __init__(self, connection: PsycopgConnection[Any]) -> None:
        self._libpq_connection = connection.pgconn
        self._transformer = Transformer(FastTextContext(connection))
        self._name_by_prepared_key: OrderedDict[PreparedKey, bytes] = OrderedDict()
        self._statement_numbers = count()
        self._sent_statements: deque[SentStatement] = deque()
        self._last_warning = ""
        connection.add_notice_handler(self._keep_warning)
        self._selector = DefaultSelector()
        self._selector.register(self._libpq_connection.socket, EVENT_READ)

    def execute(self, sql: str, value_by_name: Mapping[str, Any] = NO_VALUES, /) -> SentStatement:
        """Send a statement, with `%(name)s` where a value belongs."""
        if not self._libpq_connection.pipeline_status:
            self._libpq_connection.enter_pipeline_mode()
        numbered_statement = numbered_statement_of(sql)
        dumped_values = self._dump_values(numbered_statement, value_by_name)
        prepared_key = PreparedKey(sql, self._transformer.types)
        statement_name = self._name_by_prepared_key.get(prepared_key)
        if statement_name is None:
            statement_name = self._prepare(prepared_key, numbered_statement.sql)
        else:
            self._name_by_prepared_key.move_to_end(prepared_key)
        self._libpq_connection.send_query_prepared(statement_name, dumped_values)
        return self._remember_sent(SentStatement(self))

    def settle(self) -> None:
        """Wait for all that was sent. Raises the error of the first that failed: none after it was done."""
        if not self._sent_statements:
            return
        self._libpq_connection.pipeline_sync()
        error: Exception | None = None
        while self._sent_statements:
            sent_statement = self._sent_statements.popleft()
            statement_error = self._receive_result(sent_statement)
            error = error or statement_error
        self._next_result()  # that of the end
        if error:
            raise error

    def commit(self) -> None:
        """Send COMMIT, and wait until all is durable.

        `Unsure` where the server has a reservation: it does not wait for its standby any longer, because an
        operator has cancelled that. Then it is on one disk, and was promised to be on two.
        """
        if any(sent_statement.error_without_rows for sent_statement in self._sent_statements):
            self.settle()  # whose lock is missing has nothing to commit
        self._last_warning = ""
        commit_statement = self.execute("COMMIT")
        self.settle()
        if commit_statement.result is None or commit_statement.result.command_status != b"COMMIT":
            raise InFailedSqlTransaction("COMMIT has undone what it should have kept")
        if self._last_warning:
            log.error("COMMIT with a reservation: %s", self._last_warning)
            raise Unsure

    def end_reading(self) -> None:
        """Send COMMIT after mere reading: whoever comes next finds what became of it."""
        self.execute("COMMIT")
        self._libpq_connection.flush()

    def rollback(self) -> None:
        """Undo what was begun, and wait until it is gone."""
        with suppress(Error):
            self.settle()
        self.execute("ROLLBACK")
        self.settle()

    def leave_pipeline_mode(self) -> None:
        """Wait for all that was sent; then others may use the connection."""
        self.settle()
        if self._libpq_connection.pipeline_status:
            self._libpq_connection.exit_pipeline_mode()

    def close(self) -> None:
        """Nobody waits any more."""
        self._selector.close()

    def rows_of_result(self, result: PGresult) -> list[Row]:
        """The rows of a result, as values."""
        self._transformer.set_pgresult(result)
        return self._transformer.load_rows(0, result.ntuples, tuple)

    def _prepare(self, prepared_key: PreparedKey, numbered_sql: bytes) -> bytes:
        """By which name the server knows a statement from now on."""
        if len(self._name_by_prepared_key) == MOST_PREPARED_STATEMENTS:
            _, oldest_name = self._name_by_prepared_key.popitem(last=False)
            self._libpq_connection.send_query_params(b"DEALLOCATE " + oldest_name, None)
            self._remember_sent(SentStatement(self))
        statement_name = self._name_by_prepared_key[prepared_key] = b"tangxu_%d" % next(
            self._statement_numbers
        )
        self._libpq_connection.send_prepare(statement_name, numbered_sql, prepared_key.value_types)
        self._remember_sent(SentStatement(self, prepared_key))
        return statement_name

    def _dump_values(
        self, numbered_statement: NumberedStatement, value_by_name: Mapping[str, Any]
    ) -> Sequence[Buffer | None]:
        try:
            ordered_values = [value_by_name[value_name] for value_name in numbered_statement.value_names]
        except KeyError as error:
            raise ProgrammingError(f"no value for {error}") from error
        try:
            return self._transformer.dump_sequence(ordered_values, numbered_statement.formats)
        except DataError:  # a NUL is so rare that nobody looks for it before
            values_without_nul = [without_nul(parameter_value) for parameter_value in ordered_values]
            return self._transformer.dump_sequence(values_without_nul, numbered_statement.formats)

    def _remember_sent(self, sent_statement: SentStatement) -> SentStatement:
        self._sent_statements.append(sent_statement)
        return sent_statement

    def _receive_result(self, sent_statement: SentStatement) -> Exception | None:
        """What became of a statement: its result, and what is wrong with it."""
        result = sent_statement.result = self._next_result()
        if result is None:  # the connection ended before its answer
            raise OperationalError(error_message(self._libpq_connection))
        self._libpq_connection.get_result()  # None: no more of this statement, and nothing to wait for
        if result.status in OK_STATUSES:
            return sent_statement.error_without_rows if not result.ntuples else None
        if sent_statement.prepared_key:
            self._name_by_prepared_key.pop(sent_statement.prepared_key, None)
        return error_from_result(result)

    def _next_result(self) -> PGresult | None:
        libpq_connection = self._libpq_connection
        while libpq_connection.is_busy():
            if libpq_connection.flush():
                self._selector.modify(libpq_connection.socket, EVENT_READ | EVENT_WRITE)
                self._await_server()
                self._selector.modify(libpq_connection.socket, EVENT_READ)
            else:
                self._await_server()
            libpq_connection.consume_input()
        return libpq_connection.get_result()

    def _await_server(self) -> None:
        """Until it has sent something, or takes more. One that does neither for too long is given up."""
        if not self._selector.select(LONGEST_ANSWER_SECONDS):
            self._sent_statements.clear()
            self._libpq_connection.finish()
            raise OperationalError(f"the server has not answered for {LONGEST_ANSWER_SECONDS} seconds")

    def _keep_warning(self, notice: Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            self._last_warning = notice.message_primary or "WARNING"


def without_nul(parameter_value: Any) -> Any:
    """A value as a text of PostgreSQL can hold it.

    >>> without_nul("a\\0b"), without_nul(None)
    ('ab', None)
    """
    if isinstance(parameter_value, str):
        return parameter_value.replace("\0", "")
    return parameter_value


@lru_cache(1000)
def numbered_statement_of(sql: str) -> NumberedStatement:
    """A statement with `%(name)s` where a value belongs, as PostgreSQL counts them.

    >>> numbered_statement_of("SELECT %(answer)s LIKE '%%' || %(end)s || %(answer)s")[:2]
    (b"SELECT $1 LIKE '%' || $2 || $1", ('answer', 'end'))
    """
    value_names: list[str] = []

    def numbered_parameter(match: re.Match[str]) -> str:
        value_name = match[1]
        if value_name is None:
            return "%"
        if value_name not in value_names:
            value_names.append(value_name)
        return f"${value_names.index(value_name) + 1}"

    numbered_sql = PARAMETER.sub(numbered_parameter, sql)
    return NumberedStatement(numbered_sql.encode(), tuple(value_names), [PyFormat.TEXT] * len(value_names))
