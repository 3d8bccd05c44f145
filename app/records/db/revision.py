"""Which revision a database file is at, read without Alembic: it costs a start half a second to import."""

import sqlite3
from contextlib import closing
from pathlib import Path

from app.records.db.errors import CannotOpen

HEAD = "0009"  # the newest revision in migrations/versions; a test compares


def revision(file: Path) -> str | None:
    """The revision of a file; None: there is no database yet, or an empty one."""
    if not file.exists():
        return None
    try:
        with closing(sqlite3.connect(file, timeout=10)) as connection:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return None
        raise CannotOpen(f"打不开数据库{file}：{error}") from error
    except sqlite3.DatabaseError as error:
        raise CannotOpen(f"{file}不是糖序的数据库：{error}") from error
    return row[0] if row else None


def expect_current(file: Path) -> None:
    """Refuse a file that this version of the program would misread."""
    current = revision(file)
    if current is None:
        raise CannotOpen(f"{file}还没有建好：请先运行python -m app serve，它会自己建好。")
    if current != HEAD:
        raise CannotOpen(f"数据库的版本是{current}，程序要的是{HEAD}：先升级再启动（见backups里的备份）。")
