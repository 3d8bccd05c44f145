"""What the two databases write differently: each of these is one expression with two spellings."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import BigInteger, Boolean, ColumnElement, Dialect, String, bindparam, cast, func, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

from app.records.db.errors import Busy
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement


def define_sql(expression_class: type[FunctionElement[Any]], in_sqlite: str, in_postgres: str) -> None:
    """What an expression is in each database; `{0}` and `{1}` are what it is made of."""
    compiles(expression_class)(sql_writer_of(in_sqlite))
    compiles(expression_class, "postgresql")(sql_writer_of(in_postgres))


def sql_writer_of(sql_pattern: str) -> Callable[..., str]:
    def write(element: FunctionElement[Any], compiler: SQLCompiler, **options: Any) -> str:
        clause_texts = [compiler.process(clause, **options) for clause in element.clauses]
        return sql_pattern.format(*clause_texts)

    return write


STORED_FORM = "'YYYY-MM-DD HH24:MI:SS.US'"
"""A moment as SQLite keeps it, and as sums keep it on both."""


class StoredMoment(FunctionElement[str]):
    """A moment as `stored_time` writes it: compared as text, and read by `time_of` where one matters."""

    type = String()
    name = "stored_moment"
    inherit_cache = True


# PostgreSQL writes it in UTC: that is the time zone of our connections.
define_sql(StoredMoment, "{0}", f"to_char({{0}}, {STORED_FORM})")


class JoinedInOrder(FunctionElement[str]):
    """Texts of a group, joined in the order of a column: `JoinedInOrder(text, separator, column)`."""

    type = String()
    name = "joined_in_order"
    inherit_cache = True


# SQLite joins rows in the order in which it reads them; before 3.44 it cannot be told another.
define_sql(JoinedInOrder, "group_concat({0}, {1})", "string_agg({0}, {1} ORDER BY {2})")


class JsonText(TypeDecorator[Any]):
    """A column of text that holds JSON, read."""

    impl = String
    cache_ok = True

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002
        """What the text says; None for NULL."""
        if value is None:
            return None
        return json.loads(value)


class ListedIds(TypeDecorator[Any]):
    """Keys of rows, however many, as one value of a prepared statement."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Iterable[int] | None, dialect: Dialect) -> str:  # noqa: ARG002
        """A list in JSON."""
        return json.dumps(list(value or ()))


class EachId(FunctionElement[int]):
    """The keys in a list, a row each."""

    type = BigInteger()
    name = "each_id"
    inherit_cache = True


define_sql(EachId, "json_each({0})", "jsonb_array_elements(CAST({0} AS jsonb))")


def is_one_of(column: ColumnElement[int], parameter_name: str) -> ColumnElement[bool]:
    """The condition that a key is among those that a statement is given under this name.

    `column.in_(ids)` is another statement for each number of ids, and no prepared one.
    """
    each_id = EachId(bindparam(parameter_name, type_=ListedIds())).table_valued("value")
    return column.in_(select(cast(each_id.c.value, BigInteger)))


def is_digits(text_column: ColumnElement[str]) -> ColumnElement[bool]:
    """The condition that a text has nothing but ASCII digits in it; an empty one has."""
    return func.trim(text_column, "0123456789") == ""


class DatabaseBytes(FunctionElement[int]):
    """How large the database is: of SQLite without its log, of a server what it says of this one."""

    type = BigInteger()
    name = "database_bytes"
    inherit_cache = True


PAGE_BYTES = "(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)"
"""The pages of a file, used or free."""
define_sql(DatabaseBytes, PAGE_BYTES, "pg_database_size(current_database())")


def database_byte_count(session: VerbSession) -> int:
    """How large the database of this session is."""
    byte_count: int = session.execute(select(DatabaseBytes())).scalar_one()
    return byte_count


NAMED_STANDBYS = "lower(current_setting('synchronous_standby_names'))"
IS_NAMED = f"(strpos({NAMED_STANDBYS}, '*') > 0 OR strpos({NAMED_STANDBYS}, lower(application_name)) > 0)"
"""A server that follows without being named, as one for pages of teachers, is waited for by nobody."""
NAMED_IS_THERE = f"EXISTS (SELECT 1 FROM pg_stat_replication WHERE {IS_NAMED})"  # noqa: S608  constants
LACKS_STANDBY = f"{NAMED_STANDBYS} <> '' AND NOT {NAMED_IS_THERE}"
"""Whether every COMMIT of a server waits for a standby that is not there."""
MOST_SECONDS_ALONE = 5
"""After so long without an answer a standby is taken for gone, though its connection may still be open."""
IS_COMMIT_HANGING = (
    f"wait_event = 'SyncRep' AND clock_timestamp() - query_start > interval '{MOST_SECONDS_ALONE} seconds'"
)
COMMIT_HANGS = f"EXISTS (SELECT 1 FROM pg_stat_activity WHERE {IS_COMMIT_HANGING})"  # noqa: S608  constants


class WaitsForStandby(FunctionElement[bool]):
    """Whether what is written now would wait for a second server that does not answer."""

    type = Boolean()
    name = "waits_for_standby"
    inherit_cache = True


# A file has no standby.
define_sql(WaitsForStandby, "0", f"({LACKS_STANDBY} OR {COMMIT_HANGS})")
WAITS_FOR_STANDBY = PreparedStatement(select(WaitsForStandby()))


def expect_standby(session: VerbSession) -> None:
    """Raise `Busy` where whoever writes would wait for a standby. Asked by reading, which waits for none."""
    [(is_waiting,)] = session.all(WAITS_FOR_STANDBY)
    if is_waiting:
        raise Busy("每次保存都要等一台同步的备用机，而它不答话，现在存不下。")
