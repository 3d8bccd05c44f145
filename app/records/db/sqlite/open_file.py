"""The file of a database: where it lies, how it is opened, and whether what is open still bears its name."""

import sqlite3
from pathlib import Path

from sqlalchemy import Connection, Engine, NullPool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from app.records.db.errors import CannotOpen, Exchanged
from app.records.db.postgres import is_postgres
from app.records.db.postgres.address import shown_address

GLANCE_PRAGMAS = ("PRAGMA busy_timeout=0", "PRAGMA query_only=ON")
READ_PRAGMAS = ("PRAGMA busy_timeout=10000", "PRAGMA query_only=ON")
WRITE_PRAGMAS = (
    "PRAGMA busy_timeout=10000",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA temp_store=MEMORY",  # what a savepoint would bring back went to a file of its own beyond 64 KB
)

FileIdentity = tuple[int, int] | None
"""Device and inode; None for a file that is not there."""


def database_file(url: str) -> Path:
    """The file of an SQLite URL; any other URL is refused in words, without its password.

    >>> database_file("sqlite:////srv/tangxu.db").as_posix()
    '/srv/tangxu.db'
    >>> database_file("postgresql://teacher:secret@db/tangxu")
    Traceback (most recent call last):
    app.records.db.errors.CannotOpen: 数据库在服务器上（postgresql://teacher@db/tangxu），备份和恢复用PostgreSQL自己的工具，见docs/operating.md。
    """
    if is_postgres(url):
        raise CannotOpen(
            f"数据库在服务器上（{shown_address(url)}），备份和恢复用PostgreSQL自己的工具，见docs/operating.md。"
        )
    try:
        database_url = make_url(url)
    except ArgumentError as error:
        raise CannotOpen("数据库地址读不懂，应当写成sqlite:///路径。") from error
    if database_url.get_backend_name() != "sqlite":
        raise CannotOpen(f"数据库地址要写成sqlite:///路径或postgresql://…，不是{database_url.drivername}。")
    if not database_url.database or ":memory:" in database_url.database or database_url.query:
        raise CannotOpen("数据库要放在一个文件里：sqlite:///路径。")
    return Path(database_url.database).absolute()


def side_files(sqlite_file: Path) -> list[Path]:
    """What SQLite keeps beside a database: they belong to it, and to no other."""
    return [sqlite_file.with_name(f"{sqlite_file.name}{ending}") for ending in ("-wal", "-shm")]


def lock_path(sqlite_file: Path) -> Path:
    """The file at whose lock the processes that write stand in a queue."""
    return sqlite_file.with_name(f"{sqlite_file.name}.lock")


def restore_path(sqlite_file: Path) -> Path:
    """Where a backup waits to become this database: found at a start, a restore was broken off."""
    return sqlite_file.with_name(f"{sqlite_file.name}.restoring")


def file_identity(path: Path) -> FileIdentity:
    try:
        file_stat = path.stat()
    except OSError:
        return None
    return file_stat.st_dev, file_stat.st_ino


class OpenFile:
    """A database while it is open. Made before its first connection, `watch_wal` after it.

    A file that is exchanged or deleted stays open under no name: SQLite would go on writing into it, and at
    the end of the process it would be gone. Its WAL stays the same file as long as a connection is open.
    """

    def __init__(self, sqlite_file: Path) -> None:
        self._files = [sqlite_file]
        self._known_identities = [file_identity(sqlite_file)]

    def watch_wal(self) -> None:
        """The WAL is there from now on."""
        wal_file = side_files(self._files[0])[0]
        self._files.append(wal_file)
        self._known_identities.append(file_identity(wal_file))

    def expect_same_files(self) -> None:
        """`Exchanged` when one of them is no longer what stands under its name."""
        if [file_identity(path) for path in self._files] != self._known_identities:
            raise Exchanged


def driver_connection_of(connection: Connection) -> sqlite3.Connection:
    """The driver's own connection in one of SQLAlchemy's."""
    dbapi_connection: sqlite3.Connection = connection.connection.dbapi_connection  # type: ignore[assignment]
    return dbapi_connection


def file_engine(sqlite_file: Path, pragmas: tuple[str, ...]) -> Engine:
    """Connections that begin nothing by themselves: `OpenConnection` does, before SQLAlchemy sees them."""
    connection_arguments = {"check_same_thread": False, "isolation_level": None}
    sqlite_engine = create_engine(
        f"sqlite:///{sqlite_file}", poolclass=NullPool, paramstyle="named", connect_args=connection_arguments
    )

    @event.listens_for(sqlite_engine, "connect")
    def set_pragmas(connection: sqlite3.Connection, _: object) -> None:
        for pragma in pragmas:
            connection.execute(pragma)

    return sqlite_engine


def data_version(connection: sqlite3.Connection) -> int | None:
    """A number that is another one once any other connection has committed; None while it cannot be read."""
    try:
        version_row = connection.execute("PRAGMA data_version").fetchone()
    except sqlite3.Error:
        return None
    return int(version_row[0])
