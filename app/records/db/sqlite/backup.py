"""A copy of the database that is consistent while the site serves."""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatch
from glob import escape
from pathlib import Path

from app.records.db.errors import CannotOpen
from app.records.db.sqlite.file_access import database_paths, expect_folder_of, failed_action_error
from app.records.db.sqlite.file_revision import file_revision
from app.records.db.sqlite.open_file import database_file
from app.records.db.sqlite.soundness import connect_to_copy, connect_to_used_file, expect_sound

LONGEST_COPYING = timedelta(days=1)
"""No copy takes so long: what is unfinished since then was broken off."""
BACKUPS_KEPT_DAYS = 30
"""So long the units in `deploy/` keep a backup, here and of PostgreSQL; the newest ones longer."""
TIME_NAMES = "tangxu-[0-9]*-[0-9]*.db"
"""The names of backups that nobody named, as a pattern of files."""


class NameTaken(Exception):
    """Another file has the name that a copy should have."""


def backup(database_url: str, backup_file: Path | None, data_folder: Path) -> Path:
    """Write a copy to `backup_file`, or to `data/backups/tangxu-<time>.db`. Returns where it lies.

    The copy shows one moment; it appears under its name only when it is complete and sound. `CannotOpen` for
    a database that is damaged already: what a backup is for must not be found out at the restore.
    """
    sqlite_file = database_file(database_url)
    if not sqlite_file.exists():
        raise CannotOpen(f"还没有数据库{sqlite_file}，没有什么可备份的。")
    file_revision(sqlite_file)
    if backup_file:
        expect_folder_of(backup_file)
    target_file = backup_file or free_path(data_folder / "backups")
    try:
        with closing(connect_to_used_file(sqlite_file)) as connection:
            copy_database(connection, sqlite_file, target_file)
    except NameTaken as error:
        if backup_file is None:  # another backup of the same second was quicker: the next name is free
            return backup(database_url, None, data_folder)
        raise CannotOpen(f"{backup_file}已经存在，不覆盖它。") from error
    except (sqlite3.Error, OSError) as error:
        affected_paths = [target_file.parent, *database_paths(sqlite_file)]
        raise failed_action_error(f"备份没有写成{target_file}", error, affected_paths) from error
    return target_file


def copy_database(connection: sqlite3.Connection, sqlite_file: Path, target_file: Path) -> None:
    """Copy what a connection to `sqlite_file` sees. `target_file` appears when it is whole, sound and on the
    disk.

    `CannotOpen`, OSError or sqlite3.Error otherwise; `NameTaken` where another file has that name, or takes
    it meanwhile.
    """
    target_file.parent.mkdir(parents=True, exist_ok=True)
    if target_file.exists():
        raise NameTaken
    remove_broken_off_copies(target_file)
    unfinished_file = target_file.with_name(f"{target_file.name}.{os.getpid()}.unfinished")
    unfinished_file.unlink(missing_ok=True)
    unfinished_file.touch(mode=0o600)  # it holds what learners did; VACUUM INTO accepts an empty file
    try:
        expect_sound(sqlite_file, connection)
        connection.execute("VACUUM INTO ?", (str(unfinished_file),))
        with closing(connect_to_copy(unfinished_file)) as copied_connection:
            expect_sound(unfinished_file, copied_connection)
        flush_file(unfinished_file)
        give_free_name(unfinished_file, target_file)
        flush_folder(target_file.parent)
    finally:
        for path in (unfinished_file, unfinished_file.with_name(f"{unfinished_file.name}-journal")):
            path.unlink(missing_ok=True)


def give_free_name(unfinished_file: Path, target_file: Path) -> None:
    """The file under another name, too. `NameTaken` where a file has it: where a file system has links, none
    is ever replaced."""
    try:
        target_file.hardlink_to(unfinished_file)
    except FileExistsError as error:
        raise NameTaken from error
    except OSError:  # a file system without links
        unfinished_file.rename(target_file)


def remove_broken_off_copies(target_file: Path) -> None:
    """What a program left of this copy that was killed, or lost its power: it holds what everybody did.

    Beside a copy that is named by its time, of any such copy: its name never comes again.
    """
    name_patterns = [f"{escape(target_file.name)}.*.unfinished*"]
    if fnmatch(target_file.name, TIME_NAMES):
        name_patterns.append(f"{TIME_NAMES}.*.unfinished*")
    for name_pattern in name_patterns:
        remove_old_files(target_file.parent.glob(name_pattern), datetime.now(UTC) - LONGEST_COPYING)


def remove_old_files(paths: Iterable[Path], kept_since: datetime) -> None:
    """Remove those of these files that nobody has written since a moment."""
    for path in paths:
        with suppress(OSError):
            if path.stat().st_mtime < kept_since.timestamp():
                path.unlink()


def flush_file(sqlite_file: Path) -> None:
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
    """By the time, in UTC, as `TIME_NAMES` has it; a second one within the same second gets a number."""
    file_stem = f"{name_prefix}-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    path = folder / f"{file_stem}.db"
    suffix_number = 1
    while path.exists():
        suffix_number += 1
        path = folder / f"{file_stem}-{suffix_number}.db"
    return path
