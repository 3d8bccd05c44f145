"""Which revision a database on a server is at, and how it comes to the newest one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from psycopg import Error
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.records.db import revision
from app.records.db.errors import CannotOpen, ServerAway
from app.records.db.operator_commands import START_COMMAND
from app.records.db.portable import LACKS_STANDBY
from app.records.db.postgres.address import MIGRATION_LOCK, shown_address
from app.records.db.postgres.advice import explanation_of
from app.records.db.postgres.dialect import server_engine
from app.records.db.postgres.refusals import is_server_away

SERVER_STATE_SQL = f"""
SELECT current_setting('server_version'), current_setting('fsync') = 'on',
    coalesce(to_jsonb(pg_database)->>'daticulocale', to_jsonb(pg_database)->>'datlocale', datcollate),
    pg_database_size(datname) / 1048576,
    current_setting('transaction_read_only') = 'off',
    {LACKS_STANDBY},
    current_setting('max_connections')::int, extract(epoch FROM clock_timestamp())::float8
FROM pg_database WHERE datname = current_database()
"""  # noqa: S608  constants
TABLE_NAMES_SQL = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
ENCODING_SQL = "SHOW server_encoding"
PROCESS_ID_SQL = "SELECT pg_backend_pid()"
PATIENCE_SECONDS = 10.0
"""Seconds to wait for a connection, and for the tables that others use."""
WAIT_FOR_OTHERS_SQL = f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK.site}, {MIGRATION_LOCK.purpose})"


class ServerState(NamedTuple):
    """What an operator should know of a server."""

    revision: str | None
    version: str
    is_durable: bool
    collation: str
    megabytes: int
    is_writable: bool
    lacks_standby: bool
    """Whether every COMMIT waits for a standby while none is there."""
    most_connections: int
    clock: float
    """Seconds since 1970, by the clock of the server."""

    @property
    def sorts_as_files(self) -> bool:
        """Whether names come in the order of their code points, as from SQLite."""
        return self.collation.split(".")[0] in {"C", "POSIX"}


def server_state_of(database_url: str) -> ServerState:
    """How the database of an address is set up. `CannotOpen` where nobody answers."""
    with connect(database_url) as connection:
        current_revision = revision_of_connection(connection, database_url)
        expect_encoding(connection, database_url)
        state_row = connection.exec_driver_sql(SERVER_STATE_SQL).one()
        return ServerState(current_revision, *state_row)


@contextmanager
def connect(database_url: str, patience_seconds: float = PATIENCE_SECONDS) -> Iterator[Connection]:
    """A connection in a transaction. `CannotOpen`, in words and without the password, where that fails."""
    try:
        with server_engine(database_url, patience_seconds, begins_transactions=True).begin() as connection:
            yield connection
    except (Error, DBAPIError) as error:
        error_class = ServerAway if is_server_away(error) else CannotOpen
        raise error_class(f"数据库{shown_address(database_url)}用不了：{explanation_of(error)}") from error


def server_revision(database_url: str) -> str | None:
    """The revision of the database; None for one without any table."""
    with connect(database_url) as connection:
        return revision_of_connection(connection, database_url)


def revision_of_connection(connection: Connection, database_url: str) -> str | None:
    """The revision of a connected database; None without any table. `CannotOpen` for another program's."""
    table_names = set(connection.exec_driver_sql(TABLE_NAMES_SQL).scalars())
    if not table_names:
        return None
    if not table_names >= revision.OUR_TABLES:
        raise CannotOpen(f"{shown_address(database_url)}里是别的程序的表，不是糖序的数据库，没有动它。")
    stored_revision = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    if stored_revision is None:
        raise CannotOpen(f"{shown_address(database_url)}里没有写是哪个版本，不能用它。")
    return str(stored_revision)


def expect_encoding(connection: Connection, database_url: str) -> None:
    """Refuse a database that cannot keep every letter; `createdb` makes one where no language is set."""
    encoding = connection.exec_driver_sql(ENCODING_SQL).scalar()
    if encoding != "UTF8":
        raise CannotOpen(
            f"{shown_address(database_url)}的编码是{encoding}，要用UTF8建库，见docs/operating.md。"
        )


def expect_current_revision(database_url: str) -> None:
    """Refuse a database that this version of the program would misread."""
    current_revision = server_revision(database_url)
    if current_revision is None:
        raise CannotOpen(
            f"{shown_address(database_url)}里还什么也没有：先启动网站（{START_COMMAND}），它会自己建好。"
        )
    if current_revision != revision.HEAD:
        raise CannotOpen(revision.mismatch_sentence(current_revision))


def expect_own_connections(database_url: str) -> None:
    """Refuse a pool that lends one connection of the server to several of ours, transaction by transaction.

    What one of them has prepared another one would run, and answers were told that were not there.
    """
    with connect(database_url) as first_connection, connect(database_url) as second_connection:
        server_process_ids = set()
        for connection in (first_connection, second_connection):
            server_process_ids.add(connection.exec_driver_sql(PROCESS_ID_SQL).scalar())
            connection.commit()  # a pool takes it back now
    if len(server_process_ids) == 1:
        raise CannotOpen(
            f"{shown_address(database_url)}前面的连接池要用会话模式：PgBouncer里写pool_mode = session。"
        )


def limit_lock_waits(connection: Connection, seconds: float) -> None:
    """How long a lock is waited for until the transaction ends, or until this is said again."""
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{int(seconds * 1000)}ms'")


def upgrade_and_name_revisions(database_url: str, patience_seconds: float) -> tuple[str | None, str]:
    """Upgrade to the newest revision; from which, to which. Of several processes one works, the others wait.

    All revisions are there, or none: PostgreSQL undoes tables as it undoes rows.
    """
    former_revision = server_revision(database_url)
    if former_revision == revision.HEAD:
        return former_revision, former_revision
    from alembic import command

    with connect(database_url) as connection:
        limit_lock_waits(connection, patience_seconds)
        connection.exec_driver_sql(WAIT_FOR_OTHERS_SQL)
        limit_lock_waits(connection, PATIENCE_SECONDS)
        # Again: another process may have done it while we waited.
        former_revision = revision_of_connection(connection, database_url)
        if former_revision is not None and former_revision > revision.HEAD:
            raise CannotOpen(revision.mismatch_sentence(former_revision))
        expect_encoding(connection, database_url)
        if former_revision != revision.HEAD:
            command.upgrade(revision.alembic_config(connection), "head")
    return former_revision, revision.HEAD
