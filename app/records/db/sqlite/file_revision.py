"""Which revision a database file is at."""

import sqlite3
from contextlib import closing
from pathlib import Path

from app.records.db import revision
from app.records.db.errors import CannotOpen
from app.records.db.operator_commands import COMMAND, START_COMMAND
from app.records.db.sqlite.file_access import unopened_sentence

RESTORE_ADVICE = f"用备份恢复：{COMMAND} restore 备份文件。"


def file_revision(sqlite_file: Path) -> str | None:
    """The revision of a file; None: there is no database yet, or one without any table.

    An empty file and one of another program are refused: taken as new, they would hide that records are gone.
    """
    if not sqlite_file.exists():
        return None
    if sqlite_file.is_file() and not sqlite_file.stat().st_size:
        raise CannotOpen(f"{sqlite_file}是空的：如果里面有过记录，用备份恢复；如果从来没有，删掉它再启动。")
    try:
        with closing(sqlite3.connect(sqlite_file, timeout=10)) as connection:
            return revision_of(connection, sqlite_file)
    except sqlite3.Error as error:
        raise unreadable_file_error(error, sqlite_file) from error


def table_names_of_file(connection: sqlite3.Connection) -> set[str]:
    """The names of all tables of a file."""
    name_rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {table_name for (table_name,) in name_rows}


def revision_of(
    connection: sqlite3.Connection, sqlite_file: Path, damage_advice: str = RESTORE_ADVICE
) -> str | None:
    """The revision of an open file; None for one without any table. `CannotOpen` for another program's.

    `damage_advice`: what is to be done about one that is no database, or damaged.
    """
    try:
        table_names = table_names_of_file(connection)
        if not table_names:
            return None
        if not table_names >= revision.OUR_TABLES:
            raise CannotOpen(f"{sqlite_file}是别的程序的SQLite文件，不是糖序的数据库，没有动它。")
        revision_row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise unreadable_file_error(error, sqlite_file, damage_advice) from error
    if revision_row is None:
        raise CannotOpen(f"{sqlite_file}里没有写是哪个版本，不能用它。")
    return str(revision_row[0])


def unreadable_file_error(
    error: sqlite3.Error, sqlite_file: Path, damage_advice: str = RESTORE_ADVICE
) -> CannotOpen:
    if isinstance(error, sqlite3.OperationalError):
        return CannotOpen(unopened_sentence(sqlite_file, error))
    return CannotOpen(f"{sqlite_file}不是糖序的数据库，或者坏了：{error}。{damage_advice}")


def expect_current_revision(sqlite_file: Path) -> None:
    """Refuse a file that this version of the program would misread."""
    current_revision = file_revision(sqlite_file)
    if current_revision is None:
        raise CannotOpen(f"{sqlite_file}还没有建好：先启动网站（{START_COMMAND}），它会自己建好。")
    if current_revision != revision.HEAD:
        raise CannotOpen(revision.mismatch_sentence(current_revision))
