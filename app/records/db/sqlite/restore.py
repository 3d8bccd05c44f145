"""Back to a backup: checked first, put in place in one step, and what was there is kept."""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from app.records.db import revision
from app.records.db.errors import CannotOpen
from app.records.db.sqlite.backup import copy_database, flush_file, flush_folder, free_path
from app.records.db.sqlite.file_access import database_paths, failed_action_error
from app.records.db.sqlite.file_lock import PATIENCE_SECONDS, FileLock
from app.records.db.sqlite.open_file import database_file, lock_path, restore_path, side_files
from app.records.db.sqlite.soundness import DatabaseContents, connect_to_copy, inspect_backup

SQLITE_LOCKS = 0x40000000, 512
"""First and number of the bytes that SQLite locks in a database file: "The Lock-Byte Page" of its format."""


class RestoreResult(NamedTuple):
    """What is in place now, what is in it, and where the former file was put: None where there was none."""

    file: Path
    backup_contents: DatabaseContents
    former_file: Path | None


def restore(
    database_url: str, source_file: Path, patience_seconds: float = PATIENCE_SECONDS
) -> RestoreResult:
    """Put a backup in the place of the database. It is upgraded at the next start, as any old file.

    `CannotOpen`, with nothing changed, for a backup that is damaged, too new or not ours, and while a program
    has the database open. Broken off half-way it is simply run again: until then no start takes an empty
    place for a new site.
    """
    sqlite_file = database_file(database_url)
    if source_file.exists() and sqlite_file.exists() and source_file.samefile(sqlite_file):
        raise CannotOpen(f"{source_file}就是现在的数据库，不是备份。")
    backup_contents = inspect_backup(source_file)
    if backup_contents.revision > revision.HEAD:
        raise CannotOpen(
            f"{source_file}的版本是{backup_contents.revision}，比程序的{revision.HEAD}新：请用更新的程序恢复它。"
        )
    try:
        sqlite_file.parent.mkdir(parents=True, exist_ok=True)
        with (
            closing(FileLock(lock_path(sqlite_file), patience_seconds)) as file_lock,
            file_lock,
            exclusive_access(sqlite_file),
        ):
            former_file = exchange_files(sqlite_file, source_file)
    except (sqlite3.Error, OSError) as error:
        raise failed_action_error("没有恢复成", error, database_paths(sqlite_file)) from error
    return RestoreResult(sqlite_file, backup_contents, former_file)


@contextmanager
def exclusive_access(sqlite_file: Path) -> Iterator[None]:
    """Nobody has the file open, and nobody can open it. SQLite's own lock, which needs no sound file.

    Whoever has a database in WAL mode open holds a shared lock on these bytes all the time.
    """
    if not sqlite_file.exists() or sys.platform == "win32":  # Windows itself refuses to rename an open file
        yield
        return
    import fcntl

    first_byte, byte_count = SQLITE_LOCKS
    with sqlite_file.open("rb+") as locked_file:
        try:
            fcntl.lockf(locked_file, fcntl.LOCK_EX | fcntl.LOCK_NB, byte_count, first_byte)
        except OSError as error:
            raise CannotOpen(
                f"{sqlite_file}正开着：先停下网站（按Ctrl-C，或停掉服务），再来一次。什么也没有动。"
            ) from error
        yield


def expect_closed(sqlite_file: Path) -> None:
    """`CannotOpen` where a program has the file open. A look, not a lock: it may be opened right after."""
    with exclusive_access(sqlite_file):
        pass


def exchange_files(sqlite_file: Path, source_file: Path) -> Path | None:
    """The database goes first and the backup comes last: no file ever stands beside the WAL of another."""
    waiting_file = restore_path(sqlite_file)
    for path in (waiting_file, *side_files(waiting_file)):
        path.unlink(missing_ok=True)
    with closing(connect_to_copy(source_file)) as connection:
        copy_database(connection, source_file, waiting_file)
    set_wal_mode(waiting_file)
    former_file = put_aside(sqlite_file)
    flush_folder(sqlite_file.parent)
    waiting_file.rename(sqlite_file)
    flush_folder(sqlite_file.parent)
    return former_file


def set_wal_mode(sqlite_file: Path) -> None:
    with closing(sqlite3.connect(sqlite_file, timeout=10, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    flush_file(sqlite_file)


def put_aside(sqlite_file: Path) -> Path | None:
    """The present file and its side files under a dated name, under which SQLite finds them together.

    All of them stand there before the first one goes: broken off, nothing is torn from what belongs to it.
    """
    present_files = [
        present_file for present_file in (sqlite_file, *side_files(sqlite_file)) if present_file.exists()
    ]
    if not present_files:
        return None
    former_file = free_path(sqlite_file.parent, f"{sqlite_file.stem}-before-restore")
    for present_file in present_files:
        new_path = former_file.with_name(present_file.name.replace(sqlite_file.name, former_file.name, 1))
        try:
            new_path.hardlink_to(present_file)
        except OSError:  # a file system without links
            present_file.rename(new_path)
    for present_file in present_files:
        present_file.unlink(missing_ok=True)
    return former_file
