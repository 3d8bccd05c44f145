"""A copy of the database that is consistent while the site serves."""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from app.records.db.database import refusal
from app.records.db.errors import CannotOpen
from app.records.db.paths import database_file


def backup(url: str, target: Path | None, data: Path) -> Path:
    """Write a copy to `target`, or to `data/backups/tangxu-<time>.db`. Returns where it lies.

    The copy shows one moment; it appears under its name only when it is complete.
    """
    file = database_file(url)
    if not file.exists():
        raise CannotOpen(f"还没有数据库{file}，没有什么可备份的。")
    target = target or free_name(data / "backups")
    if target.exists():
        raise CannotOpen(f"{target}已经存在，不覆盖它。")
    try:
        copy(file, target)
    except (sqlite3.Error, OSError) as error:
        raise refusal(error) or CannotOpen(f"备份没有写成{target}：{error}") from error
    return target


def copy(file: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f"{target.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)  # it holds what learners did; VACUUM INTO accepts an empty file
    try:
        with closing(sqlite3.connect(file, timeout=10, isolation_level=None)) as connection:
            connection.execute("VACUUM INTO ?", (str(unfinished),))
        flush(unfinished)
        unfinished.rename(target)
    finally:
        unfinished.unlink(missing_ok=True)


def flush(file: Path) -> None:
    handle = os.open(file, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def free_name(folder: Path) -> Path:
    """By the time, in UTC; a second one within the same second gets a number."""
    stem = f"tangxu-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    names = [stem, *[f"{stem}-{number}" for number in range(2, 100)]]
    return next(path for name in names if not (path := folder / f"{name}.db").exists())
