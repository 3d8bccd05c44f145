"""A database file is made, or brought up to this version of the program, before anything opens it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError

from app.records.db import revision
from app.records.db.errors import CannotOpen
from app.records.db.operator_commands import COMMAND
from app.records.db.sqlite.backup import backup, flush_file, flush_folder
from app.records.db.sqlite.file_access import database_paths, failed_action_error
from app.records.db.sqlite.file_lock import FileLock
from app.records.db.sqlite.file_revision import file_revision
from app.records.db.sqlite.open_file import database_file, lock_path, restore_path, side_files

UpgradeResult = tuple[str | None, str, Path | None]
"""From which revision to which, and the backup of what was there."""


def upgrade_file(database_url: str, data_folder: Path, patience_seconds: float) -> UpgradeResult:
    """Upgrade to the newest revision, a database with something in it after a backup to `data/backups`."""
    sqlite_file = database_file(database_url)
    former_revision = file_revision(sqlite_file)
    if former_revision == revision.HEAD:
        return former_revision, former_revision, None
    try:
        sqlite_file.parent.mkdir(parents=True, exist_ok=True)
        with (
            closing(FileLock(lock_path(sqlite_file), patience_seconds)) as file_lock,
            file_lock,
        ):
            return upgrade_alone(database_url, sqlite_file, data_folder)
    except (sqlite3.Error, DBAPIError, OSError) as error:
        raise failed_action_error(f"建不好数据库{sqlite_file}", error, database_paths(sqlite_file)) from error


def upgrade_alone(database_url: str, sqlite_file: Path, data_folder: Path) -> UpgradeResult:
    former_revision = file_revision(sqlite_file)  # again: another process may have done it while we waited
    if former_revision == revision.HEAD:
        return former_revision, former_revision, None
    if former_revision is not None and former_revision > revision.HEAD:
        raise CannotOpen(revision.mismatch_sentence(former_revision))
    if not sqlite_file.exists():
        create_file(sqlite_file)
        return None, revision.HEAD, None
    backup_file = backup(database_url, None, data_folder)
    upgrade_tables(sqlite_file)
    return former_revision, revision.HEAD, backup_file


def create_file(sqlite_file: Path) -> None:
    """A new database, which appears under its name only when it is complete: half of one is never met."""
    expect_nothing_left(sqlite_file)
    unfinished_file = sqlite_file.with_name(f"{sqlite_file.name}.unfinished")
    for path in (unfinished_file, *side_files(unfinished_file)):
        path.unlink(missing_ok=True)
    unfinished_file.touch(mode=0o600)
    upgrade_tables(unfinished_file)
    flush_file(unfinished_file)
    unfinished_file.rename(sqlite_file)
    flush_folder(sqlite_file.parent)


def expect_nothing_left(sqlite_file: Path) -> None:
    """What stands beside a missing database says that there was one: a new one would take its place."""
    for path in (restore_path(sqlite_file), side_files(sqlite_file)[0]):
        if path.exists():
            raise CannotOpen(
                f"{sqlite_file}不见了，旁边还有{path.name}：这里有过记录。把{sqlite_file.name}放回来，"
                f"或者用备份恢复：{COMMAND} restore 备份文件。"
            )


def upgrade_tables(sqlite_file: Path) -> None:
    """All revisions in one transaction: they are all there, or none."""
    from alembic import command

    engine = engine_for_upgrade(sqlite_file)
    with engine.begin() as connection:
        command.upgrade(revision.alembic_config(connection), "head")
        broken_links = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if broken_links:
            raise CannotOpen(f"升级会弄坏{len(broken_links)}行记录，已经退回原样。")


def engine_for_upgrade(sqlite_file: Path) -> Engine:
    """With foreign keys off: a batch migration drops and renames tables, and children would go with it."""
    connection_arguments = {"isolation_level": None, "timeout": 10}
    engine = create_engine(
        f"sqlite:///{sqlite_file}", poolclass=NullPool, paramstyle="named", connect_args=connection_arguments
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA foreign_keys=OFF")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
