"""A copy of the database that is consistent while the site serves."""

import os
import sqlite3
import time
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.records.db.errors import CannotOpen
from app.records.db.sqlite.file_access import database_paths, failed_action_error
from app.records.db.sqlite.file_revision import file_revision
from app.records.db.sqlite.open_file import database_file
from app.records.db.sqlite.soundness import expect_sound, open_copy, open_in_use

LONGEST_COPYING = timedelta(days=1)
"""No copy takes so long: what is unfinished since then was broken off."""


def backup(database_url: str, backup_file: Path | None, data_folder: Path) -> Path:
    """Write a copy to `backup_file`, or to `data/backups/tangxu-<time>.db`. Returns where it lies.

    The copy shows one moment; it appears under its name only when it is complete and sound. `CannotOpen` for
    a database that is damaged already: what a backup is for must not be found out at the restore.
    """
    sqlite_file = database_file(database_url)
    if not sqlite_file.exists():
        raise CannotOpen(f"还没有数据库{sqlite_file}，没有什么可备份的。")
    file_revision(sqlite_file)
    backup_file = backup_file or free_path(data_folder / "backups")
    if backup_file.exists():
        raise CannotOpen(f"{backup_file}已经存在，不覆盖它。")
    try:
        with closing(open_in_use(sqlite_file)) as connection:
            copy(connection, sqlite_file, backup_file)
    except (sqlite3.Error, OSError) as error:
        paths = [backup_file.parent, *database_paths(sqlite_file)]
        raise failed_action_error(f"备份没有写成{backup_file}", error, paths) from error
    return backup_file


def copy(connection: sqlite3.Connection, sqlite_file: Path, target_file: Path) -> None:
    """Copy what a connection to `sqlite_file` sees. `target_file` appears when it is whole, sound and on the
    disk.

    `CannotOpen` or sqlite3.Error otherwise.
    """
    target_file.parent.mkdir(parents=True, exist_ok=True)
    remove_broken_off_copies(target_file)
    unfinished_file = target_file.with_name(f"{target_file.name}.{os.getpid()}.unfinished")
    unfinished_file.unlink(missing_ok=True)
    unfinished_file.touch(mode=0o600)  # it holds what learners did; VACUUM INTO accepts an empty file
    try:
        expect_sound(sqlite_file, connection)
        connection.execute("VACUUM INTO ?", (str(unfinished_file),))
        with closing(open_copy(unfinished_file)) as copied_connection:
            expect_sound(unfinished_file, copied_connection)
        flush(unfinished_file)
        unfinished_file.rename(target_file)
        flush_folder(target_file.parent)
    finally:
        for path in (unfinished_file, unfinished_file.with_name(f"{unfinished_file.name}-journal")):
            path.unlink(missing_ok=True)


def remove_broken_off_copies(target_file: Path) -> None:
    """What a program left of this copy that was killed, or lost its power: it holds what everybody did."""
    kept_since = time.time() - LONGEST_COPYING.total_seconds()
    for path in target_file.parent.iterdir():
        is_unfinished_copy = path.name.startswith(f"{target_file.name}.") and ".unfinished" in path.name
        with suppress(OSError):
            if is_unfinished_copy and path.stat().st_mtime < kept_since:
                path.unlink()


def flush(sqlite_file: Path) -> None:
    file_descriptor = os.open(sqlite_file, os.O_RDWR)
    try:
        os.fsync(file_descriptor)
    finally:
        os.close(file_descriptor)


def flush_folder(folder: Path) -> None:
    """A new name lasts once its folder is on the disk; Windows opens no folders, and needs none of this."""
    if os.name == "posix":
        folder_descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(folder_descriptor)
        finally:
            os.close(folder_descriptor)


def free_path(folder: Path, name_prefix: str = "tangxu") -> Path:
    """By the time, in UTC; a second one within the same second gets a number."""
    stem = f"{name_prefix}-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    path = folder / f"{stem}.db"
    suffix_number = 1
    while path.exists():
        suffix_number += 1
        path = folder / f"{stem}-{suffix_number}.db"
    return path
