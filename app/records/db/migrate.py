"""Bring a database file up to this version of the program, once, before anything opens it."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError

from app.records.db import revision
from app.records.db.backup import backup, flush, flush_folder
from app.records.db.errors import CannotOpen
from app.records.db.file_lock import PATIENCE, FileLock
from app.records.db.open_file import restore_path, side_files
from app.records.db.postgres import is_postgres
from app.records.db.postgres.address import needing_driver
from app.records.db.refusals import refusal

if TYPE_CHECKING:
    from alembic.config import Config


@dataclass(frozen=True, slots=True)
class Migrated:
    """From which revision to which. before: None without a database; backup: None for a new one."""

    before: str | None
    after: str
    backup: Path | None = None


def migrate(url: str, data: Path, patience: float = PATIENCE) -> Migrated:
    """Upgrade to the newest revision. A database with something in it is backed up to `data/backups` first.

    Does nothing, quickly, when it is there already. Two processes at once: one works, the other waits for
    it, `patience` seconds at most. On a server, backups are the server's (docs/operating.md).
    """
    if is_postgres(url):
        return migrate_server(url, patience)
    file = revision.database_file(url)
    before = revision.revision(file)
    if before == revision.HEAD:
        return Migrated(before, before)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with closing(FileLock(file.with_name(f"{file.name}.lock"), patience)) as lock, lock:
            return migrate_alone(url, file, data)
    except (sqlite3.Error, DBAPIError, OSError) as error:
        raise refusal(error) or CannotOpen(f"建不好数据库{file}：{error}") from error


def migrate_server(url: str, patience: float) -> Migrated:
    with needing_driver():
        from app.records.db.postgres.server_revision import upgrade_server

    before, after = upgrade_server(url, patience)
    return Migrated(before, after)


def migrate_alone(url: str, file: Path, data: Path) -> Migrated:
    before = revision.revision(file)  # again: another process may have done it while we waited
    if before == revision.HEAD:
        return Migrated(before, before)
    if before is not None and before > revision.HEAD:
        raise CannotOpen(f"数据库的版本是{before}，比程序的{revision.HEAD}新：请用更新的程序打开它。")
    if not file.exists():
        create(file)
        return Migrated(None, revision.HEAD)
    saved = backup(url, None, data)
    upgrade(file)
    return Migrated(before, revision.HEAD, saved)


def create(file: Path) -> None:
    """A new database, which appears under its name only when it is complete: half of one is never met."""
    expect_nothing_left(file)
    unfinished = file.with_name(f"{file.name}.unfinished")
    for path in (unfinished, *side_files(unfinished)):
        path.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)
    upgrade(unfinished)
    flush(unfinished)
    unfinished.rename(file)
    flush_folder(file.parent)


def expect_nothing_left(file: Path) -> None:
    """What stands beside a missing database says that there was one: a new one would take its place."""
    for path in (restore_path(file), side_files(file)[0]):
        if path.exists():
            raise CannotOpen(
                f"{file}不见了，旁边还有{path.name}：这里有过记录。把{file.name}放回来，"
                "或者用备份恢复：python -m app restore 备份文件。"
            )


def upgrade(file: Path) -> None:
    """All revisions in one transaction: they are all there, or none."""
    from alembic import command

    engine = upgrade_engine(file)
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "head")
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if broken:
            raise CannotOpen(f"升级会弄坏{len(broken)}行记录，已经退回原样。")


def upgrade_engine(file: Path) -> Engine:
    """With foreign keys off: a batch migration drops and renames tables, and children would go with it."""
    arguments = {"isolation_level": None, "timeout": 10}
    engine = create_engine(
        f"sqlite:///{file}", poolclass=NullPool, paramstyle="named", connect_args=arguments
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA foreign_keys=OFF")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def alembic_config(connection: Connection) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "app.records:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
