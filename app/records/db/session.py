"""What a verb gets of the database: statements and savepoints, but no commit. The database commits."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import CompoundSelect, Connection, Delete, Dialect, Executable, Insert, Select, Update, insert
from sqlalchemy.engine import CursorResult
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import UTCDateTime

from app.records.db.metadata import table

Row = tuple[Any, ...]
Convert = Callable[[Any], Any]
Statement = Select[Any] | CompoundSelect[Any] | Insert | Update | Delete


class Prepared:
    """A statement that is compiled once, at its first use, and then handed to the driver as it is.

    The same as `session.execute(statement, values)`, for a fraction of its price. They stand at the top of a
    module, with `bindparam("name")` for what changes from call to call.
    """

    def __init__(self, statement: Statement, keys: tuple[str, ...] | None = None) -> None:
        self._statement, self._keys = statement, keys
        self._ready: Ready | None = None

    def run(self, driver: sqlite3.Connection, dialect: Dialect, values: dict[str, Any]) -> list[Row]:
        ready, rows = self._begin(driver, dialect, values)
        return [converted(row, ready.readers) for row in rows] if ready.readers else rows.fetchall()

    def stream(self, driver: sqlite3.Connection, dialect: Dialect, values: dict[str, Any]) -> Iterator[Row]:
        return self._begin(driver, dialect, values)[1]

    def _begin(
        self, driver: sqlite3.Connection, dialect: Dialect, values: dict[str, Any]
    ) -> tuple["Ready", sqlite3.Cursor]:
        ready = self._ready or self._compile(dialect)
        if ready.fixed:
            values |= ready.fixed
        for name, write in ready.writers:
            values[name] = write(values[name])
        return ready, driver.execute(ready.sql, values)

    def _compile(self, dialect: Dialect) -> "Ready":
        compiled = self._statement.compile(dialect=dialect, column_keys=self._keys)
        assert isinstance(compiled, SQLCompiler)
        binds = compiled.binds.items()
        self._ready = Ready(
            sql=str(compiled),
            fixed={name: bind.effective_value for name, bind in binds if not bind.required},
            writers=[(name, write) for name, bind in binds if (write := writer(bind.type, dialect))],
            readers=[
                (index, read)
                for index, column in enumerate(self._statement.exported_columns)
                if (read := reader(column.type, dialect))
            ],
        )
        return self._ready


@dataclass(frozen=True, slots=True)
class Ready:
    """SQL with `:names`, the values that never change, and how others are turned for and by the driver."""

    sql: str
    fixed: dict[str, Any]
    writers: list[tuple[str, Convert]]
    readers: list[tuple[int, Convert]]


def writer(kind: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    return kind.dialect_impl(dialect).bind_processor(dialect)


def reader(kind: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    if isinstance(kind, UTCDateTime):
        return moment
    return kind.dialect_impl(dialect).result_processor(dialect, None)


def moment(text: str | None) -> datetime | None:
    """A time as SQLite keeps it: the same as SQLAlchemy reads, in a tenth of the time.

    >>> moment("2026-11-21 07:44:35.684497")
    datetime.datetime(2026, 11, 21, 7, 44, 35, 684497, tzinfo=datetime.timezone.utc)
    """
    return None if text is None else datetime.fromisoformat(text + "+00:00")


def time_of(kept: str | datetime) -> datetime:
    """A time that was left as the driver gives it."""
    return kept if isinstance(kept, datetime) else datetime.fromisoformat(kept + "+00:00")


def converted(row: Row, readers: list[tuple[int, Convert]]) -> Row:
    found = list(row)
    for index, read in readers:
        found[index] = read(found[index])
    return tuple(found)


def adding(model: type[SQLModel]) -> Prepared:
    """INSERT of one row; every column but `id` is given by name. Returns the key of the new row."""
    found = table(model)
    keys = tuple(column.name for column in found.columns if column.name != "id")
    return Prepared(insert(found).returning(*found.primary_key.columns), keys)


class VerbSession:
    """The one argument every verb begins with. It works on a connection that is kept open.

    `all`, `first` and `run` take a `Prepared` statement and its values by name; `execute` takes any other.
    """

    def __init__(self, connection: Connection, driver: sqlite3.Connection) -> None:
        self._connection, self._driver, self._dialect = connection, driver, connection.dialect

    def all(self, statement: Prepared, /, **values: Any) -> list[Row]:
        return statement.run(self._driver, self._dialect, values)

    def each(self, statement: Prepared, /, **values: Any) -> Iterator[Row]:
        """Rows one by one, to the last, as the driver gives them: thousands of which few matter.

        A time among them is read by `time_of`.
        """
        return statement.stream(self._driver, self._dialect, values)

    def first(self, statement: Prepared, /, **values: Any) -> Row | None:
        rows = statement.run(self._driver, self._dialect, values)
        return rows[0] if rows else None

    def run(self, statement: Prepared, /, **values: Any) -> None:
        statement.run(self._driver, self._dialect, values)

    def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | list[Mapping[str, Any]] | None = None
    ) -> CursorResult[Any]:
        return self._connection.execute(statement, parameters)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """What happens inside is undone when it raises, and only that: `try` stands outside of it."""
        cursor = self._driver.cursor()
        cursor.execute("SAVEPOINT risky")
        try:
            yield
        except BaseException:
            cursor.execute("ROLLBACK TO risky")
            raise
        finally:
            cursor.execute("RELEASE risky")
