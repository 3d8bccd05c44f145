"""What a verb gets of the database: statements and savepoints, but no commit. The database commits."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar, overload

from sqlalchemy import Connection, Executable, insert
from sqlalchemy.engine import CursorResult
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import SQLModel

from app.records.db.errors import Busy
from app.records.db.metadata import table
from app.records.db.statements import Driver, FetchedRows, PendingRows, PreparedStatement, R, Row, RowQuery

V = TypeVar("V", bound=Callable[..., Any])


class VerbSession:
    """The one argument every verb begins with. It works on a connection that is kept open.

    `all` and `first` take a `RowQuery` or a `PreparedStatement` and its values by name; `run`, `send` and
    `stream` the latter; `execute` takes any other statement.
    """

    def __init__(self, connection: Connection, driver: Driver) -> None:
        self.connection = connection
        self.driver = driver
        self._dialect = connection.dialect

    @overload
    def all(self, statement: RowQuery[R], /, **parameters: Any) -> list[R]: ...
    @overload
    def all(self, statement: PreparedStatement, /, **parameters: Any) -> list[Row]: ...
    def all(self, statement: RowQuery[Any] | PreparedStatement, /, **parameters: Any) -> list[Any]:
        """All rows."""
        fetched_rows = statement.run(self.driver, self._dialect, parameters)
        if isinstance(statement, RowQuery):
            return [statement.row(*fetched_row) for fetched_row in fetched_rows]
        return fetched_rows

    @overload
    def first(self, statement: RowQuery[R], /, **parameters: Any) -> R | None: ...
    @overload
    def first(self, statement: PreparedStatement, /, **parameters: Any) -> Row | None: ...
    def first(self, statement: RowQuery[Any] | PreparedStatement, /, **parameters: Any) -> Any:
        """The first row; None where there is none."""
        fetched_rows = statement.run(self.driver, self._dialect, parameters)
        if not fetched_rows:
            return None
        if isinstance(statement, RowQuery):
            return statement.row(*fetched_rows[0])
        return fetched_rows[0]

    def run(self, statement: PreparedStatement, /, **parameters: Any) -> None:
        """For a statement whose rows nobody reads."""
        statement.send(self.driver, self._dialect, parameters)

    def send(self, statement: PreparedStatement, /, **parameters: Any) -> PendingRows:
        """Ask for rows that are needed after other statements.

        A server answers it together with those; a file has answered it already.
        """
        driver_statement, cursor = statement.send(self.driver, self._dialect, parameters)
        return PendingRows(driver_statement, FetchedRows(cursor.fetchall()))

    def stream(self, statement: PreparedStatement, /, **parameters: Any) -> Iterator[Row]:
        """Rows one by one, to the last, as the driver gives them: thousands of which few matter.

        A time among them is read by `time_of`.
        """
        return statement.stream(self.driver, self._dialect, parameters)

    def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | list[Mapping[str, Any]] | None = None
    ) -> CursorResult[Any]:
        """Any other statement, as SQLAlchemy runs it."""
        return self.connection.execute(statement, parameters)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """What happens inside is undone when it raises, and only that: `try` stands outside of it."""
        self.driver.execute("SAVEPOINT risky")
        try:
            yield
            self.settle()
            self.driver.execute("RELEASE risky")
        except BaseException:
            with suppress(Exception):  # what was on its way is undone as well
                self.settle()
            with suppress(Exception):  # SQLite may have dropped the transaction: what it said before counts
                self.driver.execute("ROLLBACK TO risky")
                self.driver.execute("RELEASE risky")
            raise

    def is_database_error(self, error: Exception) -> bool:
        """Whether it was the database that raised: then a verb must not go on after a savepoint."""
        driver_error_class = self._dialect.loaded_dbapi.Error
        return isinstance(error, (Busy, SQLAlchemyError, driver_error_class))

    def settle(self) -> None:
        """Wait for what was sent and not awaited: where a server is asked. Raises what went wrong with it."""


def insert_rows(
    session: VerbSession, table_class: type[SQLModel], field_rows: Sequence[Mapping[str, Any]]
) -> None:
    """INSERT of any number of rows in one statement; fields are given by name, as to `prepared_insert`."""
    if field_rows:
        session.execute(insert(table(table_class)), list(field_rows))


def changes_nothing(verb: V) -> V:
    """Mark a verb that goes the way of those that write, to see whether it is open, and writes nothing.

    It waits for one that runs alone, and holds up none that changes rows of its caller.
    """
    verb.changes_nothing = True  # type: ignore[attr-defined]
    return verb


def asks_once(verb: V) -> V:
    """Mark a verb that reads by one statement alone: it sees one moment of the database in any case, so a
    glance needs no transaction around it.
    """
    verb.asks_once = True  # type: ignore[attr-defined]
    return verb
