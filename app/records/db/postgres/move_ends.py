"""The two ends of a move: rows read and written in one form, that in which SQLite keeps them."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing, contextmanager
from time import sleep
from typing import Any

from psycopg import Connection as PsycopgConnection
from sqlalchemy import Boolean, Column, Connection, Date, String, Table, case, cast, literal_column, select
from sqlmodel.sql.sqltypes import UTCDateTime

from app.records.db.errors import CannotOpen
from app.records.db.portable import StoredMoment
from app.records.db.postgres import is_postgres, server_revision
from app.records.db.postgres.address import WRITE_LOCK, shown_address
from app.records.db.sqlite.file_lock import PATIENCE_SECONDS, FileLock
from app.records.db.sqlite.file_revision import expect_current_revision
from app.records.db.sqlite.open_file import database_file, driver_connection_of, lock_path
from app.records.db.sqlite.restore import expect_closed
from app.records.db.statements import Row

SQL_ONE: Any = literal_column("1")
SQL_ZERO: Any = literal_column("0")
ROWS_AT_ONCE = 5000
"""How many rows a server sends in one go."""


def columns_sql_of(source_table: Table) -> str:
    """The columns of a table, as a statement lists them."""
    return ", ".join([f'"{column.name}"' for column in source_table.columns])


def stored_form(column: Column[Any]) -> Any:
    """A column as SQLite keeps it: a time and a day as text, yes as 1."""
    if isinstance(column.type, UTCDateTime):
        return StoredMoment(column)
    if isinstance(column.type, Boolean):
        return case((column.is_(True), SQL_ONE), (column.is_(False), SQL_ZERO))
    if isinstance(column.type, Date):
        return cast(column, String)
    return column


class MoveEnd(ABC):
    """A database in a transaction in which nobody else writes to it."""

    @abstractmethod
    def rows(self, source_table: Table) -> Iterator[Row]:
        """All rows of a table."""

    @abstractmethod
    def put(self, source_table: Table, table_rows: Iterator[Row]) -> None:
        """Rows into an empty table."""

    @abstractmethod
    def clear(self, source_table: Table) -> None:
        """What migrations wrote goes: it comes with the rest."""

    @abstractmethod
    def last_number(self, source_table: Table) -> int:
        """The last number that a table of numbered rows has given, also to a row that is gone where it keeps
        that; 0 for none."""

    @abstractmethod
    def continue_numbering(self, source_table: Table, last_number: int) -> None:
        """The next row of a table of numbered rows, which has all its rows, gets the number after this."""

    @abstractmethod
    def finish(self) -> None:
        """All rows are there."""

    def is_empty(self, source_table: Table) -> bool:
        """Whether a table has no row."""
        return next(self.rows(source_table), None) is None


class FileEnd(MoveEnd):
    """An SQLite file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, source_table: Table) -> Iterator[Row]:
        query_sql = f"SELECT {columns_sql_of(source_table)} FROM {source_table.name}"  # noqa: S608
        return self._connection.execute(query_sql)

    def put(self, source_table: Table, table_rows: Iterator[Row]) -> None:
        placeholders = ", ".join("?" * len(source_table.columns))
        columns_sql = columns_sql_of(source_table)
        insert_sql = f"INSERT INTO {source_table.name} ({columns_sql}) VALUES ({placeholders})"  # noqa: S608
        self._connection.executemany(insert_sql, table_rows)

    def clear(self, source_table: Table) -> None:
        self._connection.execute(f"DELETE FROM {source_table.name}")  # noqa: S608

    def last_number(self, source_table: Table) -> int:
        number_sql = f"SELECT max(id) FROM {source_table.name}"  # noqa: S608
        if keeps_last_number(source_table):
            number_sql = f"SELECT seq FROM sqlite_sequence WHERE name = '{source_table.name}'"  # noqa: S608
        [last_number] = self._connection.execute(number_sql).fetchone() or [None]
        return last_number or 0

    def continue_numbering(self, source_table: Table, last_number: int) -> None:
        if keeps_last_number(source_table):
            name_and_number = {"name": source_table.name, "number": last_number}
            self._connection.execute("DELETE FROM sqlite_sequence WHERE name = :name", name_and_number)
            self._connection.execute("INSERT INTO sqlite_sequence VALUES (:name, :number)", name_and_number)

    def finish(self) -> None:
        """No row may point nowhere."""
        broken_links = self._connection.execute("PRAGMA foreign_key_check").fetchall()
        if broken_links:
            raise CannotOpen(f"有{len(broken_links)}行记录指向没有的东西，没有搬。")


def keeps_last_number(source_table: Table) -> bool:
    """Whether SQLite gives no number of a table again; for others the highest that is there counts."""
    return bool(source_table.dialect_options["sqlite"]["autoincrement"])


class ServerEnd(MoveEnd):
    """A PostgreSQL database. Its keys and indexes are made when all rows are there: that is far quicker."""

    def __init__(self, connection: Any) -> None:
        self._dialect = connection.dialect
        self._connection: PsycopgConnection[Any] = driver_connection_of(connection)  # type: ignore[assignment]
        self._commands_at_end: list[str] = []

    def rows(self, source_table: Table) -> Iterator[Row]:
        column_expressions = [stored_form(column) for column in source_table.columns]
        compiled_query = select(*column_expressions).select_from(source_table).compile(dialect=self._dialect)
        with self._connection.cursor(name="moved") as cursor:  # rows come as they are asked for
            cursor.itersize = ROWS_AT_ONCE
            cursor.execute(str(compiled_query).encode())
            yield from cursor

    def put(self, source_table: Table, table_rows: Iterator[Row]) -> None:
        copy_command = f'COPY "{source_table.name}" ({columns_sql_of(source_table)}) FROM STDIN'
        with self._connection.cursor() as cursor, cursor.copy(copy_command.encode()) as copy_stream:
            for table_row in table_rows:
                copy_stream.write_row(table_row)

    def clear(self, source_table: Table) -> None:
        self._connection.execute(f'DELETE FROM "{source_table.name}"'.encode())  # noqa: S608

    def drop_keys(self) -> None:
        """Foreign keys first, then what they point at, then the other indexes."""
        for table_name, constraint_name, definition in self._connection.execute(CONSTRAINTS_SQL).fetchall():
            self._connection.execute(
                f'ALTER TABLE "{table_name}" DROP CONSTRAINT "{constraint_name}"'.encode()
            )
            restore_command = f'ALTER TABLE "{table_name}" ADD CONSTRAINT "{constraint_name}" {definition}'
            self._commands_at_end.insert(0, restore_command)
        for index_name, definition in self._connection.execute(INDEXES_SQL).fetchall():
            self._connection.execute(f'DROP INDEX "{index_name}"'.encode())
            self._commands_at_end.insert(0, definition)

    def last_number(self, source_table: Table) -> int:
        number_sql = LAST_NUMBER_SQL.format(table=source_table.name)
        [(last_number,)] = self._connection.execute(number_sql.encode()).fetchall()
        return last_number or 0

    def continue_numbering(self, source_table: Table, last_number: int) -> None:
        if last_number:
            number_sql = SET_LAST_NUMBER_SQL.format(table=source_table.name)
            self._connection.execute(number_sql.encode(), (last_number,))

    def finish(self) -> None:
        """Keys, indexes, and how many rows of what there are."""
        for command in self._commands_at_end:
            self._connection.execute(command.encode())
        self._connection.execute(b"ANALYZE")


CONSTRAINTS_SQL = b"""
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = current_schema()::regnamespace AND conrelid <> 0 AND contype IN ('f', 'p', 'u')
    AND conrelid::regclass::text <> 'alembic_version'
ORDER BY contype <> 'f', conname
"""
INDEXES_SQL = b"""
SELECT indexname, indexdef FROM pg_indexes
WHERE schemaname = current_schema() AND tablename <> 'alembic_version' ORDER BY indexname
"""
"""Those that are left when the constraints are gone."""
LAST_NUMBER_SQL = """
SELECT pg_sequence_last_value(pg_get_serial_sequence('"{table}"', 'id')::regclass)
"""
SET_LAST_NUMBER_SQL = """SELECT setval(pg_get_serial_sequence('"{table}"', 'id'), %s)"""
OTHER_CONNECTIONS_SQL = b"""
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = 'tangxu' AND pid <> pg_backend_pid()
"""
MOST_LOOKS_FOR_CONNECTIONS = 50
SECONDS_BETWEEN_LOOKS = 0.1
"""Seconds."""


@contextmanager
def open_end(database_url: str, *, is_for_writing: bool) -> Iterator[MoveEnd]:
    """One end of a move. `CannotOpen` while a site is open there, or where its revision is another one.

    What was written is there when the block ends, all of it; or nothing, when it ends in an error.
    """
    if is_postgres(database_url):
        with open_server_end(database_url, is_for_writing=is_for_writing) as server_end:
            yield server_end
        return
    sqlite_file = database_file(database_url)
    expect_current_revision(sqlite_file)
    expect_closed(sqlite_file)  # no more than that: closing our own connection would take a lock away
    file_lock = FileLock(lock_path(sqlite_file), PATIENCE_SECONDS)
    with (
        closing(file_lock),
        file_lock,
        closing(sqlite3.connect(sqlite_file, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA foreign_keys=OFF")  # they are checked at the end
        connection.execute("BEGIN IMMEDIATE")
        yield FileEnd(connection)
        connection.execute("COMMIT")


@contextmanager
def open_server_end(database_url: str, *, is_for_writing: bool) -> Iterator[MoveEnd]:
    server_revision.expect_current_revision(database_url)
    with server_revision.connect(database_url) as connection:
        server_end = ServerEnd(connection)
        if is_in_use(connection):
            raise CannotOpen(f"{shown_address(database_url)}正开着：先停下网站，再搬。什么也没有动。")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITE_LOCK.site}, {WRITE_LOCK.purpose})")
        if is_for_writing:
            server_end.drop_keys()
        yield server_end


def is_in_use(connection: Connection) -> bool:
    """Whether a site is open there. The server counts a process that has just ended for a moment more."""
    for _ in range(MOST_LOOKS_FOR_CONNECTIONS):
        if not connection.exec_driver_sql(OTHER_CONNECTIONS_SQL.decode()).scalar():
            return False
        sleep(SECONDS_BETWEEN_LOOKS)
        connection.exec_driver_sql("SELECT pg_stat_clear_snapshot()")
    return True
