"""psycopg's dialect of SQLAlchemy, where every whole number has 8 bytes, as SQLite's have."""

from typing import Any

from psycopg import Connection as PsycopgConnection
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumperUnknown
from sqlalchemy import BigInteger, Engine, Integer, NullPool, create_engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.base import PGTypeCompiler
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateIndex

from app.records.db.postgres.address import server_address

registry.register("postgresql.tangxu", __name__, "PostgresDialect")

SERVER_SETTINGS = {
    "timezone": "UTC",
    "synchronous_commit": "on",  # an answer is told when it is on the disk, whatever the server's default
    "jit": "off",  # our statements are short: compiling one takes longer than running it
    "max_parallel_workers_per_gather": "0",
    "random_page_cost": "1.1",  # no disks that turn
    "tcp_keepalives_idle": "10",  # a machine that has gone dark holds its locks no longer than half a minute
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
IDLE_LIMIT_SETTING = {"idle_in_transaction_session_timeout": "60s"}
"""A process that stands still in the middle of a verb, as one that is being swapped out, holds up nobody for
longer; its verb is begun anew. Who moves or upgrades a site may take longer between two statements."""
CONNECTION_OPTIONS = {
    "application_name": "tangxu",
    "keepalives_idle": 10,  # the same from our side: a server that was unplugged closes no connection
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}


class BigIntegerCompiler(PGTypeCompiler):
    """INTEGER is BIGINT: an address takes 15 digits; a million learners make 2**31 rows in nine months."""

    def visit_INTEGER(self, type_: Any, **options: Any) -> str:  # noqa: ARG002, N802  SQLAlchemy's name
        return "BIGINT"


@compiles(CreateIndex, "postgresql")
def index_sql_of(create_index: CreateIndex, compiler: Any, **options: Any) -> str:
    """An index over some rows, which its table says once, is one here too: see `metadata`."""
    dialect_options = create_index.element.dialect_options
    if dialect_options["postgresql"]["where"] is None:
        dialect_options["postgresql"]["where"] = dialect_options["sqlite"]["where"]
    index_sql: str = compiler.visit_create_index(create_index, **options)
    return index_sql


class PostgresDialect(PGDialect_psycopg):
    """What `postgresql+tangxu` names."""

    supports_statement_cache = True
    type_compiler_cls = BigIntegerCompiler
    colspecs = PGDialect_psycopg.colspecs | {Integer: PGDialect_psycopg.colspecs[BigInteger]}


class NumberLoader(Loader):
    """The sum of BIGINT is NUMERIC there; ours are sums of whole numbers, as in SQLite."""

    def load(self, loaded_bytes: Buffer) -> int | float:
        """A whole number, or a float where there are decimals."""
        number_bytes = bytes(loaded_bytes)
        if number_bytes.isdigit():
            return int(number_bytes)
        decimal_value = float(number_bytes)
        if decimal_value.is_integer():
            return int(decimal_value)
        return decimal_value


class TextDumper(StrDumperUnknown):
    """PostgreSQL's texts hold no NUL. Forms lose theirs when they are read; this is for all that is left."""

    def dump(self, obj: str) -> Buffer | None:
        """The text in bytes."""
        return super().dump(obj.replace("\0", ""))


def server_engine(
    database_url: str, patience_seconds: float = 10, *, begins_transactions: bool = False
) -> Engine:
    """Connections to a server. Unless one `begins_transactions`, whoever uses it says BEGIN and COMMIT.

    patience_seconds: how long to wait for a connection, and for a lock.
    """
    value_by_setting = SERVER_SETTINGS | {"lock_timeout": f"{int(patience_seconds * 1000)}ms"}
    if not begins_transactions:
        value_by_setting |= IDLE_LIMIT_SETTING
    settings_sql = "; ".join(
        [
            f"SET {setting_name} = '{setting_value}'"
            for setting_name, setting_value in value_by_setting.items()
        ]
    ).encode()
    # Of a database without an encoding every text would come as bytes; so it can be refused in words.
    connection_arguments = CONNECTION_OPTIONS | {
        "client_encoding": "UTF8",
        "connect_timeout": max(2, int(patience_seconds)),
    }
    isolation_level = "READ COMMITTED" if begins_transactions else "AUTOCOMMIT"
    engine = create_engine(
        server_address(database_url),
        poolclass=NullPool,
        isolation_level=isolation_level,
        hide_parameters=True,  # an error goes into logs; answers and names do not
        connect_args=connection_arguments,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: PsycopgConnection[Any], _: object) -> None:
        connection.adapters.register_loader("numeric", NumberLoader)
        connection.adapters.register_dumper(str, TextDumper)
        connection.adapters.register_dumper(int, Int8Dumper)  # a statement is prepared for the largest
        # Not among what a connection starts with: PgBouncer does not pass that on.
        connection.autocommit = True  # what is set in a transaction may end with it
        connection.execute(settings_sql)
        connection.autocommit = False

    return engine
