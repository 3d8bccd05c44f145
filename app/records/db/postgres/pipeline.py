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
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult
from psycopg.types.string import StrDumperUnknown

from app.records.db.errors import Unsure
from app.records.db.session import Row

PARAMETER = re.compile(r"%\((\w+)\)s|%%")
MOST_PREPARED = 300
"""So many statements a connection keeps at the server; the one that was used longest ago makes room."""
LONGEST_ANSWER_SECONDS = 30.0
"""Seconds without a byte after which a server is taken for gone: one that is frozen, or whose disk hangs,
closes no connection. No statement of ours takes so long; a lock is waited for ten seconds at most."""
OK_STATUSES = {ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK}
NO_VALUES: Mapping[str, Any] = {}

log = logging.getLogger(__name__)


class NumberedText(NamedTuple):
    """A statement as the server reads it, and the names of its values in the order of their numbers."""

    text: bytes
    keys: tuple[str, ...]
    formats: list[PyFormat]


PreparedKey = tuple[str, tuple[int, ...] | None]
"""A statement and the types of its values: what is whole once may have decimals the next time."""


class SentStatement:
    """A statement that was sent. Whoever asks for its rows waits for them."""

    __slots__ = ("_pipeline", "error_without_rows", "prepares", "result")

    def __init__(self, pipeline: "Pipeline", prepares: PreparedKey | None = None) -> None:
        self._pipeline = pipeline
        self.prepares = prepares
        self.result: PGresult | None = None
        self.error_without_rows: Exception | None = None
        """What is wrong where it gives no rows."""

    @property
    def description(self) -> object:
        """None where it gives no rows."""
        return self._await_result().nfields or None

    def fetchall(self) -> list[Row]:
        """All rows."""
        return self._pipeline.rows_in(self._await_result())

    def __iter__(self) -> Iterator[Row]:
        return iter(self.fetchall())

    def _await_result(self) -> PGresult:
        if self.result is None:
            self._pipeline.settle()
        assert self.result
        return self.result


class QuickTexts:
    """How values are written for a connection; texts by psycopg's own code in C, which refuses a NUL."""

    def __init__(self, connection: PsycopgConnection[Any]) -> None:
        self.connection = connection
        self.adapters = AdaptersMap(connection.adapters)
        self.adapters.register_dumper(str, StrDumperUnknown)


class Pipeline:
    """What one connection is asked, below SQLAlchemy and psycopg's cursors. One thread uses it."""

    def __init__(self, connection: PsycopgConnection[Any]) -> None:
        self._server = connection.pgconn
        self._transformer = Transformer(QuickTexts(connection))
        self._prepared: OrderedDict[PreparedKey, bytes] = OrderedDict()
        self._name_numbers = count()
        self._sent: deque[SentStatement] = deque()
        self._warning = ""
        connection.add_notice_handler(self._note_notice)
        self._selector = DefaultSelector()
        self._selector.register(self._server.socket, EVENT_READ)

    def execute(self, sql: str, values: Mapping[str, Any] = NO_VALUES, /) -> SentStatement:
        """Send a statement, with `%(name)s` where a value belongs."""
        if not self._server.pipeline_status:
            self._server.enter_pipeline_mode()
        numbered_text = number_values(sql)
        dumped_values = self._dump_values(numbered_text, values)
        prepared_key = sql, self._transformer.types
        statement_name = self._prepared.get(prepared_key)
        if statement_name is None:
            statement_name = self._prepare(prepared_key, numbered_text.text)
        else:
            self._prepared.move_to_end(prepared_key)
        self._server.send_query_prepared(statement_name, dumped_values)
        return self._remember_sent(SentStatement(self))

    def settle(self) -> None:
        """Wait for all that was sent. Raises the error of the first that failed: none after it was done."""
        if not self._sent:
            return
        self._server.pipeline_sync()
        error: Exception | None = None
        while self._sent:
            statement = self._sent.popleft()
            statement_error = self._receive_result(statement)
            error = error or statement_error
        self._next_result()  # that of the end
        if error:
            raise error

    def commit(self) -> None:
        """Send COMMIT, and wait until all is durable.

        `Unsure` where the server has a reservation: it does not wait for its standby any longer, because an
        operator has cancelled that. Then it is on one disk, and was promised to be on two.
        """
        if any(statement.error_without_rows for statement in self._sent):
            self.settle()  # whose lock is missing has nothing to commit
        self._warning = ""
        commit_result = self.execute("COMMIT")
        self.settle()
        if commit_result.result is None or commit_result.result.command_status != b"COMMIT":
            raise InFailedSqlTransaction("COMMIT has undone what it should have kept")
        if self._warning:
            log.error("COMMIT with a reservation: %s", self._warning)
            raise Unsure

    def end(self) -> None:
        """Send COMMIT after mere reading: whoever comes next finds what became of it."""
        self.execute("COMMIT")
        self._server.flush()

    def rollback(self) -> None:
        """Undo what was begun, and wait until it is gone."""
        with suppress(Error):
            self.settle()
        self.execute("ROLLBACK")
        self.settle()

    def leave(self) -> None:
        """Wait for all that was sent; then others may use the connection."""
        self.settle()
        if self._server.pipeline_status:
            self._server.exit_pipeline_mode()

    def close(self) -> None:
        """Nobody waits any more."""
        self._selector.close()

    def rows_in(self, result: PGresult) -> list[Row]:
        """The rows of a result, as values."""
        self._transformer.set_pgresult(result)
        return self._transformer.load_rows(0, result.ntuples, tuple)

    def _prepare(self, prepared_key: PreparedKey, statement_text: bytes) -> bytes:
        """By which name the server knows a statement from now on."""
        if len(self._prepared) == MOST_PREPARED:
            _, oldest = self._prepared.popitem(last=False)
            self._server.send_query_params(b"DEALLOCATE " + oldest, None)
            self._remember_sent(SentStatement(self))
        statement_name = self._prepared[prepared_key] = b"tangxu_%d" % next(self._name_numbers)
        self._server.send_prepare(statement_name, statement_text, prepared_key[1])
        self._remember_sent(SentStatement(self, prepared_key))
        return statement_name

    def _dump_values(self, numbered_text: NumberedText, values: Mapping[str, Any]) -> Sequence[Buffer | None]:
        try:
            parameters = [values[key] for key in numbered_text.keys]
        except KeyError as error:
            raise ProgrammingError(f"no value for {error}") from error
        try:
            return self._transformer.dump_sequence(parameters, numbered_text.formats)
        except DataError:  # a NUL is so rare that nobody looks for it before
            values_without_nul = [without_nul(parameter) for parameter in parameters]
            return self._transformer.dump_sequence(values_without_nul, numbered_text.formats)

    def _remember_sent(self, statement: SentStatement) -> SentStatement:
        self._sent.append(statement)
        return statement

    def _receive_result(self, statement: SentStatement) -> Exception | None:
        """What became of a statement: its result, and what is wrong with it."""
        result = statement.result = self._next_result()
        assert result
        self._server.get_result()  # None: no more of this statement, and nothing to wait for
        if result.status in OK_STATUSES:
            return statement.error_without_rows if not result.ntuples else None
        if statement.prepares:
            self._prepared.pop(statement.prepares, None)
        return error_from_result(result)

    def _next_result(self) -> PGresult | None:
        server = self._server
        while server.is_busy():
            if server.flush():
                self._selector.modify(server.socket, EVENT_READ | EVENT_WRITE)
                self._await_server()
                self._selector.modify(server.socket, EVENT_READ)
            else:
                self._await_server()
            server.consume_input()
        return server.get_result()

    def _await_server(self) -> None:
        """Until it has sent something, or takes more. One that does neither for too long is given up."""
        if not self._selector.select(LONGEST_ANSWER_SECONDS):
            self._sent.clear()
            self._server.finish()
            raise OperationalError(f"the server has not answered for {LONGEST_ANSWER_SECONDS} seconds")

    def _note_notice(self, notice: Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            self._warning = notice.message_primary or "WARNING"


def without_nul(value: Any) -> Any:
    """A value as a text of PostgreSQL can hold it.

    >>> without_nul("a\\0b"), without_nul(None)
    ('ab', None)
    """
    if isinstance(value, str):
        return value.replace("\0", "")
    return value


@lru_cache(1000)
def number_values(sql: str) -> NumberedText:
    """A statement with `%(name)s` where a value belongs, as PostgreSQL counts them.

    >>> number_values("SELECT %(answer)s LIKE '%%' || %(end)s || %(answer)s")[:2]
    (b"SELECT $1 LIKE '%' || $2 || $1", ('answer', 'end'))
    """
    keys: list[str] = []

    def number_parameter(match: re.Match[str]) -> str:
        parameter_name = match[1]
        if parameter_name is None:
            return "%"
        if parameter_name not in keys:
            keys.append(parameter_name)
        return f"${keys.index(parameter_name) + 1}"

    numbered_sql = PARAMETER.sub(number_parameter, sql)
    return NumberedText(numbered_sql.encode(), tuple(keys), [PyFormat.TEXT] * len(keys))
