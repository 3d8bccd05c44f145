"""The database as another program sees it and writes to it: SQL with `?`, times as text, on both."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any

import psycopg

from app.records.db.postgres import is_postgres
from app.records.db.stored_times import stored_time


class ServerProgram:
    """psycopg, spoken to as sqlite3 is."""

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self._connection = connection

    def execute(self, sql: str, values: Sequence[object] = ()) -> "ServerRows":
        statement = sql.replace("%", "%%").replace("?", "%s")
        return ServerRows(self._connection.execute(statement.encode(), list(values)))

    def commit(self) -> None:
        self._connection.commit()


class ServerRows:
    """Rows with times and days as SQLite keeps them."""

    def __init__(self, cursor: "psycopg.Cursor[Any]") -> None:
        self._cursor = cursor

    def fetchone(self) -> Any:
        rows = self.fetchall()
        return rows[0] if rows else None

    def fetchall(self) -> list[tuple[Any, ...]]:
        if self._cursor.description is None:
            return []
        return [tuple(map(as_text, row)) for row in self._cursor]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.fetchall())


def as_text(value: object) -> object:
    if isinstance(value, datetime):
        return stored_time(value)
    if isinstance(value, date):
        return value.isoformat()
    return value


@contextmanager
def other_program(where: Path | str) -> Iterator[Any]:
    """A connection to a file or an address; what was written is there when the block ends."""
    if isinstance(where, str) and is_postgres(where):
        with psycopg.connect(where, options="-c timezone=UTC") as connection:
            yield ServerProgram(connection)
        return
    file = str(where).removeprefix("sqlite:///")
    with closing(sqlite3.connect(file, timeout=20)) as opened, opened:
        opened.execute("PRAGMA foreign_keys=ON")
        yield opened
