"""What a verb gets of the database: statements and savepoints, but no commit. The database commits."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from typing import Any, Generic, Protocol, TypeVar, overload

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    CompoundSelect,
    Connection,
    Delete,
    Dialect,
    Executable,
    Insert,
    Select,
    Update,
    bindparam,
    insert,
    select,
    update,
)
from sqlalchemy.engine import CursorResult
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import UTCDateTime

from app.records.db.metadata import columns_by_field, table

Row = tuple[Any, ...]
Convert = Callable[[Any], Any]
R = TypeVar("R")
V = TypeVar("V", bound=Callable[..., Any])
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


class CompiledStatement:
    """A statement that is compiled once, at its first use, and then handed to the driver as it is.

    The same as `session.execute(statement, values)`, for a fraction of its price. It stands above the
    function that uses it, with `bindparam("name")` for what changes from call to call.
    """

    def __init__(self, statement: Statement) -> None:
        self._statement = statement
        self._ready_by_dialect: dict[str, ReadyStatement] = {}  # by the name of the database that runs it

    def run(self, driver: Driver, dialect: Dialect, values: dict[str, Any]) -> list[Row]:
        return fetch_rows(*self.send(driver, dialect, values))

    def stream(self, driver: Driver, dialect: Dialect, values: dict[str, Any]) -> Iterator[Row]:
        return iter(self.send(driver, dialect, values)[1])

    def send(
        self, driver: Driver, dialect: Dialect, values: dict[str, Any]
    ) -> tuple["ReadyStatement", DriverCursor]:
        """Hand it to the driver; `fetch_rows` waits for its rows."""
        ready = self._ready_by_dialect.get(dialect.name) or self._compile(dialect)
        if ready.fixed_values:
            values |= ready.fixed_values
        for name, convert_in in ready.converters_in:
            values[name] = convert_in(values[name])
        return ready, driver.execute(ready.sql, values)

    def _compile(self, dialect: Dialect) -> "ReadyStatement":
        compiled_statement = self._statement.compile(dialect=dialect)
        assert isinstance(compiled_statement, SQLCompiler)
        ready = ReadyStatement(str(compiled_statement))
        for name, bind in compiled_statement.binds.items():
            convert_in = converter_to_driver(bind.type, dialect)
            if convert_in:
                ready.converters_in.append((name, convert_in))
            if not bind.required:
                ready.fixed_values[name] = bind.effective_value
        for index, column in enumerate(self._statement.exported_columns):
            convert = converter_from_driver(column.type, dialect)
            if convert:
                ready.converters_out.append((index, convert))
        self._ready_by_dialect[dialect.name] = ready
        return ready


class Prepared(CompiledStatement):
    """A compiled statement that changes rows, or whose rows are plain tuples: one column, a pair, a count."""


class RowQuery(CompiledStatement, Generic[R]):
    """A compiled select whose rows are values with named fields: `RowQuery(ClassRow, select(...))`.

    The columns of the statement bear the names of the fields, in their order (`.label("students")` where they
    are computed); fields at the end that have a default may be missing. TypeError, when the module is loaded,
    for a statement and a row that do not fit: no column can slip into a neighbour's field.
    """

    def __init__(self, row: type[R], statement: Select[Any] | CompoundSelect[Any]) -> None:
        super().__init__(statement)
        names = field_names(row)
        columns = tuple(statement.exported_columns.keys())
        if columns != names[: len(columns)]:
            raise TypeError(f"{row.__name__} has the fields {names}, the statement the columns {columns}")
        self.row: Callable[..., R] = row


def field_names(row: type[Any]) -> tuple[str, ...]:
    """The fields of a NamedTuple or a dataclass, in order.

    >>> from typing import NamedTuple
    >>> class Point(NamedTuple):
    ...     x: int
    ...     y: int = 0
    >>> field_names(Point)
    ('x', 'y')
    """
    if is_dataclass(row):
        return tuple(member.name for member in fields(row))
    names: tuple[str, ...] = row._fields
    return names


def columns_of(model: type[SQLModel], row: type[Any]) -> list[ColumnElement[Any]]:
    """The columns of a table that a row has as its fields, in their order and under their names."""
    columns = columns_by_field(model)
    return [columns[name].label(name) for name in field_names(row)]


@dataclass(frozen=True, slots=True)
class ReadyStatement:
    """SQL with `:names`, the values that never change, and how others are turned for and by the driver."""

    sql: str
    fixed_values: dict[str, Any] = field(default_factory=dict)
    converters_in: list[tuple[str, Convert]] = field(default_factory=list)
    converters_out: list[tuple[int, Convert]] = field(default_factory=list)


def fetch_rows(ready: ReadyStatement, rows: DriverCursor) -> list[Row]:
    """The rows of a statement, its values as they are in Python."""
    if rows.description is None:
        return []
    if not ready.converters_out:
        return rows.fetchall()
    return [convert_row(row, ready.converters_out) for row in rows]


def converter_to_driver(column_type: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    return column_type.dialect_impl(dialect).bind_processor(dialect)


def converter_from_driver(column_type: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    if isinstance(column_type, UTCDateTime) and dialect.name == "sqlite":
        return read_time
    return column_type.dialect_impl(dialect).result_processor(dialect, FLOAT8_OID)


def read_time(time_text: str | None) -> datetime | None:
    """A time as SQLite keeps it: the same as SQLAlchemy reads, in a tenth of the time.

    >>> read_time("2026-11-21 07:44:35.684497")
    datetime.datetime(2026, 11, 21, 7, 44, 35, 684497, tzinfo=datetime.timezone.utc)
    """
    if time_text is None:
        return None
    return time_of(time_text)


def time_of(driver_time: str | datetime) -> datetime:
    """A time that was left as the driver gives it."""
    if isinstance(driver_time, datetime):
        return driver_time
    return datetime.fromisoformat(driver_time + "+00:00")


def stored_time(moment: datetime) -> str:
    """A time as the database keeps it; `time_of` reads it.

    >>> stored_time(datetime.fromisoformat("2026-11-21T15:44:35+08:00"))
    '2026-11-21 07:44:35.000000'
    """
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


def convert_row(row: Row, converters_out: list[tuple[int, Convert]]) -> Row:
    values = list(row)
    for index, convert in converters_out:
        values[index] = convert(values[index])
    return tuple(values)


def without_id(row: Any) -> dict[str, Any]:
    """The fields of a NamedTuple that is to be added: the database gives it its `id`."""
    columns: dict[str, Any] = row._asdict()
    del columns["id"]
    return columns


def prepared_insert(model: type[SQLModel], *returned: ColumnElement[Any]) -> Prepared:
    """INSERT of one row; every field but `id` is given by name. Returns the key of the new row, or these."""
    stored_table = table(model)
    fields = [name for name in columns_by_field(model) if name != "id"]
    new_row = insert(stored_table).values(values_of_fields(model, fields))
    return Prepared(new_row.returning(*returned or stored_table.primary_key.columns))


def prepared_update(model: type[SQLModel], condition: ColumnElement[bool], fields: Iterable[str]) -> Prepared:
    """UPDATE of these fields, given by name, in the rows that meet a condition.

    Two conditions are joined by `&`. What they compare with, `bindparam("name")`, bears no field's name.
    """
    changed_rows = update(table(model)).where(condition)
    return Prepared(changed_rows.values(values_of_fields(model, fields)))


def values_of_fields(model: type[SQLModel], fields: Iterable[str]) -> dict[Column[Any], BindParameter[Any]]:
    """The columns of these fields, each with the parameter that bears the name of its field."""
    columns = columns_by_field(model)
    return {columns[name]: bindparam(name, type_=columns[name].type) for name in fields}


def prepared_insert_once(model: type[SQLModel]) -> Prepared:
    """INSERT of one row whose key is given, as every field, by name; nothing where a row has that key."""
    columns = columns_by_field(model)
    [key_column] = table(model).primary_key.columns
    values = [bindparam(name, type_=column.type) for name, column in columns.items()]
    same_rows = select(key_column).where(key_column == bindparam(key_column.name))
    new_row = select(*values).where(~same_rows.exists())
    return Prepared(insert(table(model)).from_select(list(columns.values()), new_row))


def insert_rows(session: "VerbSession", model: type[SQLModel], rows: Sequence[Mapping[str, Any]]) -> None:
    """INSERT of any number of rows in one statement; fields are given by name, as to `prepared_insert`."""
    columns = columns_by_field(model)
    stored_rows: list[Mapping[str, Any]] = [
        {columns[field].name: value for field, value in row.items()} for row in rows
    ]
    if stored_rows:
        session.execute(insert(table(model)), stored_rows)


class VerbSession:
    """The one argument every verb begins with. It works on a connection that is kept open.

    `all` and `first` take a `RowQuery` or a `Prepared` statement and its values by name, `run` a `Prepared`
    one; `execute` takes any other.
    """

    def __init__(self, connection: Connection, driver: Driver) -> None:
        self.connection = connection
        self.driver = driver
        self._dialect = connection.dialect

    @overload
    def all(self, statement: RowQuery[R], /, **values: Any) -> list[R]: ...
    @overload
    def all(self, statement: Prepared, /, **values: Any) -> list[Row]: ...
    def all(self, statement: RowQuery[Any] | Prepared, /, **values: Any) -> list[Any]:
        rows = statement.run(self.driver, self._dialect, values)
        if isinstance(statement, RowQuery):
            return [statement.row(*row) for row in rows]
        return rows

    def later(self, statement: Prepared, /, **values: Any) -> Callable[[], list[Row]]:
        """The rows as they are at this moment, for who needs them after other statements.

        A server answers it together with those; a file has answered it already.
        """
        rows = self.all(statement, **values)
        return lambda: rows

    def each(self, statement: Prepared, /, **values: Any) -> Iterator[Row]:
        """Rows one by one, to the last, as the driver gives them: thousands of which few matter.

        A time among them is read by `time_of`.
        """
        return statement.stream(self.driver, self._dialect, values)

    @overload
    def first(self, statement: RowQuery[R], /, **values: Any) -> R | None: ...
    @overload
    def first(self, statement: Prepared, /, **values: Any) -> Row | None: ...
    def first(self, statement: RowQuery[Any] | Prepared, /, **values: Any) -> Any:
        rows = statement.run(self.driver, self._dialect, values)
        if not rows:
            return None
        if isinstance(statement, RowQuery):
            return statement.row(*rows[0])
        return rows[0]

    def run(self, statement: Prepared, /, **values: Any) -> None:
        statement.send(self.driver, self._dialect, values)

    def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | list[Mapping[str, Any]] | None = None
    ) -> CursorResult[Any]:
        return self.connection.execute(statement, parameters)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """What happens inside is undone when it raises, and only that: `try` stands outside of it."""
        self.driver.execute("SAVEPOINT risky")
        try:
            yield
            self.settle()
        except BaseException:
            with suppress(Exception):  # what was on its way is undone as well
                self.settle()
            self.driver.execute("ROLLBACK TO risky")
            raise
        finally:
            self.driver.execute("RELEASE risky")

    def settle(self) -> None:
        """Wait for what was sent and not awaited: where a server is asked. Raises what went wrong with it."""


def changes_nothing(verb: V) -> V:
    """Mark a verb that goes the way of those that write, to see whether it is open, and writes nothing.

    It waits for one that runs alone, and holds up none that changes rows of its caller.
    """
    verb.changes_nothing = True  # type: ignore[attr-defined]
    return verb
