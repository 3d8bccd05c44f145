"""Where the database lies, and which revision it is at: Alembic costs a start half a second to import."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import String, column, make_url, select
from sqlalchemy import table as named_table
from sqlalchemy.exc import ArgumentError

from app.records.db.errors import Busy, CannotOpen
from app.records.db.postgres import is_postgres
from app.records.db.postgres.address import shown_address
from app.records.db.session import Prepared, VerbSession, changes_nothing

HEAD = "0025"  # the newest revision in migrations/versions; a test compares
OURS = {"alembic_version", "learner"}
"""Tables of every revision."""


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
        address = make_url(url)
    except ArgumentError as error:
        raise CannotOpen("数据库地址读不懂，应当写成sqlite:///路径。") from error
    if address.get_backend_name() != "sqlite":
        raise CannotOpen(f"数据库地址要写成sqlite:///路径或postgresql://…，不是{address.drivername}。")
    if not address.database or ":memory:" in address.database or address.query:
        raise CannotOpen("数据库要放在一个文件里：sqlite:///路径。")
    return Path(address.database).absolute()


def revision(file: Path) -> str | None:
    """The revision of a file; None: there is no database yet, or one without any table.

    An empty file and one of another program are refused: taken as new, they would hide that records are gone.
    """
    if not file.exists():
        return None
    if file.is_file() and not file.stat().st_size:
        raise CannotOpen(f"{file}是空的：如果里面有过记录，用备份恢复；如果从来没有，删掉它再启动。")
    try:
        with closing(sqlite3.connect(file, timeout=10)) as connection:
            return revision_of(connection, file)
    except sqlite3.Error as error:
        raise unreadable(error, file) from error


def revision_of(connection: sqlite3.Connection, file: Path) -> str | None:
    """The same of an open connection."""
    try:
        tables = {
            table_name
            for (table_name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        if not tables:
            return None
        if not tables >= OURS:
            raise CannotOpen(f"{file}是别的程序的SQLite文件，不是糖序的数据库，没有动它。")
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise unreadable(error, file) from error
    if row is None:
        raise CannotOpen(f"{file}里没有写是哪个版本，不能用它。")
    return str(row[0])


VERSION = Prepared(select(column("version_num", String)).select_from(named_table("alembic_version")))


def revision_of_site(session: VerbSession) -> str | None:
    """The revision that the database of a site says it is at: the cheapest question to it."""
    row = session.first(VERSION)
    return row[0] if row else None


@changes_nothing
def expect_ready(session: VerbSession) -> None:
    """A verb that writes nothing: whether one that does could. `Busy` where another version took over."""
    if revision_of_site(session) != HEAD:
        raise Busy("数据库已经升级到别的版本，请管理员换成新的程序。")


def unreadable(error: sqlite3.Error, file: Path) -> CannotOpen:
    if isinstance(error, sqlite3.OperationalError):
        return CannotOpen(f"打不开数据库{file}：{error}")
    return CannotOpen(
        f"{file}不是糖序的数据库，或者坏了：{error}。用备份恢复：python -m app restore 备份文件。"
    )


def expect_current(file: Path) -> None:
    """Refuse a file that this version of the program would misread."""
    current = revision(file)
    if current is None:
        raise CannotOpen(f"{file}还没有建好：请先运行python -m app serve，它会自己建好。")
    if current != HEAD:
        raise CannotOpen(f"数据库的版本是{current}，程序要的是{HEAD}：先升级再启动（见backups里的备份）。")
