"""Statements that are compiled once, at their first use, and then handed to the driver as they are.

The same as SQLAlchemy's `execute(statement, values)`, for a fraction of its price. A statement stands above
the function that uses it, with `bindparam("name")` for what changes from call to call.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Delete,
    Dialect,
    Insert,
    Select,
    Table,
    Update,
    bindparam,
    insert,
    select,
    update,
)
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import UTCDateTime

from app.records.db.metadata import table
from app.records.db.stored_times import time_of

Row = tuple[Any, ...]
Converter = Callable[[Any], Any]
R = TypeVar("R")
Statement = Select[Any] | CompoundSelect[Any] | Insert | Update | Delete


FLOAT8_OID = 701
"""What PostgreSQL calls the type of our floats; SQLite does not ask."""


class DriverCursor(Protocol):
    """What a statement gives back. `description` is None where it gives no rows."""

    @property
    def description(self) -> object: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class Driver(Protocol):
    """The connection of the driver, below SQLAlchemy's: sqlite3's or psycopg's."""

    def execute(self, query: Any, parameters: Any = ..., /) -> DriverCursor: ...


class ReusableStatement:
    """What the two kinds of statements share: each is compiled once for each database that runs it.

    TypeError at its first run for `column.in_([1, 2])`, which is another statement for each number of values.
    Keys that are given stand in `portable.is_one_of`, fixed values in `or_` or in `in_([literal(…)])`.
    """

    def __init__(self, statement: Statement) -> None:
        self._statement = statement
        self._driver_statements: dict[str, DriverStatement] = {}  # by the name of the dialect

    def run(self, driver: Driver, dialect: Dialect, value_by_name: dict[str, Any]) -> list[Row]:
        """Its rows."""
        return fetch_rows(*self.send(driver, dialect, value_by_name))

    def stream(self, driver: Driver, dialect: Dialect, value_by_name: dict[str, Any]) -> Iterator[Row]:
        """Its rows one by one, as the driver gives them."""
        return iter(self.send(driver, dialect, value_by_name)[1])

    def send(
        self, driver: Driver, dialect: Dialect, value_by_name: dict[str, Any]
    ) -> tuple["DriverStatement", DriverCursor]:
        """Hand it to the driver; `fetch_rows` waits for its rows."""
        driver_statement = self._driver_statements.get(dialect.name) or self._compile(dialect)
        if driver_statement.fixed_values:
            value_by_name |= driver_statement.fixed_values
        for parameter_name, converter in driver_statement.converters_to_driver:
            value_by_name[parameter_name] = converter(value_by_name[parameter_name])
        return driver_statement, driver.execute(driver_statement.sql, value_by_name)

    def _compile(self, dialect: Dialect) -> "DriverStatement":
        compiled_statement = self._statement.compile(dialect=dialect)
        assert isinstance(compiled_statement, SQLCompiler)
        # Seen here, not when it is made: to look through a statement costs 0.1 ms, for 300 at every start.
        if compiled_statement.post_compile_params:
            raise TypeError(f"a list of values; portable.is_one_of takes them as one: {compiled_statement}")
        driver_statement = DriverStatement(str(compiled_statement))
        for parameter_name, parameter in compiled_statement.binds.items():
            converter = converter_to_driver(parameter.type, dialect)
            if converter:
                driver_statement.converters_to_driver.append((parameter_name, converter))
            if not parameter.required:
                driver_statement.fixed_values[parameter_name] = parameter.effective_value
        for column_index, column in enumerate(self._statement.exported_columns):
            converter = converter_from_driver(column.type, dialect)
            if converter:
                driver_statement.converters_from_driver.append((column_index, converter))
        self._driver_statements[dialect.name] = driver_statement
        return driver_statement


class PreparedStatement(ReusableStatement):
    """A statement that changes rows, or whose rows are plain tuples: one column, a pair, a count."""


class RowQuery(ReusableStatement, Generic[R]):
    """A select whose rows are values with named fields: `RowQuery(ClassRow, select(...))`.

    The columns of the statement bear the names of the fields, in their order (`.label("students")` where they
    are computed); fields at the end that have a default may be missing. TypeError, when the module is loaded,
    for a statement and a row that do not fit: no column can slip into a neighbour's field.
    """

    def __init__(self, row_class: type[R], statement: Select[Any] | CompoundSelect[Any]) -> None:
        super().__init__(statement)
        row_field_names = field_names(row_class)
        column_names = tuple(statement.exported_columns.keys())
        if column_names != row_field_names[: len(column_names)]:
            raise TypeError(
                f"{row_class.__name__} has the fields {row_field_names}, "
                f"the statement the columns {column_names}"
            )
        self.row: Callable[..., R] = row_class


def field_names(row_class: type[Any]) -> tuple[str, ...]:
    """The fields of a NamedTuple or a dataclass, in order.

    >>> from typing import NamedTuple
    >>> class Point(NamedTuple):
    ...     x: int
    ...     y: int = 0
    >>> field_names(Point)
    ('x', 'y')
    """
    if is_dataclass(row_class):
        return tuple(dataclass_field.name for dataclass_field in fields(row_class))
    row_field_names: tuple[str, ...] = row_class._fields
    return row_field_names


def columns_of(table_class: type[SQLModel], row_class: type[Any]) -> list[ColumnElement[Any]]:
    """The columns of a table that a row has as its fields, in their order."""
    return [table(table_class).c[field_name] for field_name in field_names(row_class)]


@dataclass(frozen=True, slots=True)
class DriverStatement:
    """A statement in one dialect: SQL with `:names`, the values that never change, and how others are turned
    into the driver's and back, by name or by the index of their column."""

    sql: str
    fixed_values: dict[str, Any] = field(default_factory=dict)
    converters_to_driver: list[tuple[str, Converter]] = field(default_factory=list)
    converters_from_driver: list[tuple[int, Converter]] = field(default_factory=list)


def fetch_rows(driver_statement: DriverStatement, cursor: DriverCursor) -> list[Row]:
    """The rows of a statement, its values as they are in Python."""
    if cursor.description is None:
        return []
    if not driver_statement.converters_from_driver:
        return cursor.fetchall()
    return [convert_row(table_row, driver_statement.converters_from_driver) for table_row in cursor]


class FetchedRows(list[Row]):
    """The rows of a statement, all of them at once: a `DriverCursor` that has nothing left to ask."""

    description = True
    """Only statements that give rows are fetched so."""

    def fetchall(self) -> list[Row]:
        return self


class PendingRows:
    """The rows of a statement that was sent: as they were then, whatever was done since."""

    def __init__(self, driver_statement: DriverStatement, cursor: DriverCursor) -> None:
        self._driver_statement = driver_statement
        self._cursor = cursor

    def fetch(self) -> list[Row]:
        """Wait for them."""
        return fetch_rows(self._driver_statement, self._cursor)


def converter_to_driver(column_type: TypeEngine[Any], dialect: Dialect) -> Converter | None:
    return column_type.dialect_impl(dialect).bind_processor(dialect)


def converter_from_driver(column_type: TypeEngine[Any], dialect: Dialect) -> Converter | None:
    if isinstance(column_type, UTCDateTime) and dialect.name == "sqlite":
        return read_time
    return column_type.dialect_impl(dialect).result_processor(dialect, FLOAT8_OID)


def read_time(time_text: str | None) -> datetime | None:
    """A time of SQLite, or NULL."""
    if time_text is None:
        return None
    return time_of(time_text)


def convert_row(table_row: Row, converters_from_driver: list[tuple[int, Converter]]) -> Row:
    row_values = list(table_row)
    for column_index, converter in converters_from_driver:
        row_values[column_index] = converter(row_values[column_index])
    return tuple(row_values)


def without_id(table_row: Any) -> dict[str, Any]:
    """The fields of a NamedTuple that is to be added: the database gives it its `id`."""
    value_by_field: dict[str, Any] = table_row._asdict()
    del value_by_field["id"]
    return value_by_field


def prepared_insert(table_class: type[SQLModel], *returned_columns: ColumnElement[Any]) -> PreparedStatement:
    """INSERT of one row; every field but `id` is given by name. Returns the key of the new row, or these."""
    stored_table = table(table_class)
    given_field_names = [column.key for column in stored_table.c if column.key != "id"]
    insert_statement = insert(stored_table).values(parameter_by_field_of(stored_table, given_field_names))
    return PreparedStatement(
        insert_statement.returning(*returned_columns or stored_table.primary_key.columns)
    )


def prepared_update(
    table_class: type[SQLModel], condition: ColumnElement[bool], field_names: Iterable[str]
) -> PreparedStatement:
    """UPDATE of these fields, given by name, in the rows that meet a condition.

    Two conditions are joined by `&`. What they compare with, `bindparam("name")`, bears no field's name.
    """
    stored_table = table(table_class)
    update_statement = update(stored_table).where(condition)
    return PreparedStatement(update_statement.values(parameter_by_field_of(stored_table, field_names)))


def parameter_by_field_of(stored_table: Table, field_names: Iterable[str]) -> dict[str, BindParameter[Any]]:
    """These fields, each with the parameter that bears its name."""
    columns = stored_table.c
    return {field_name: bindparam(field_name, type_=columns[field_name].type) for field_name in field_names}


def prepared_insert_once(table_class: type[SQLModel]) -> PreparedStatement:
    """INSERT of one row whose key is given, as every field, by name; nothing where a row has that key."""
    stored_table = table(table_class)
    [key_column] = stored_table.primary_key.columns
    parameter_by_field = parameter_by_field_of(stored_table, stored_table.c.keys())
    rows_with_key_query = select(key_column).where(key_column == bindparam(key_column.key))
    new_row_query = select(*parameter_by_field.values()).where(~rows_with_key_query.exists())
    return PreparedStatement(insert(stored_table).from_select(list(parameter_by_field), new_row_query))
