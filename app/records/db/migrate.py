"""Bring a database up to this version of the program, once, before anything opens it."""

from pathlib import Path
from typing import NamedTuple

from app.records.db.postgres import is_postgres
from app.records.db.postgres.address import needing_driver
from app.records.db.sqlite.upgrade import upgrade_file

UPGRADE_PATIENCE_SECONDS = 300.0
"""Seconds to wait for another start: it may be bringing up a school year, which takes three minutes, and on a
busy machine even a new database takes more than the ten seconds in which a write gives up."""


class MigrationResult(NamedTuple):
    """From which revision to which. former_revision: None without a database; backup: None for a new one."""

    former_revision: str | None
    revision: str
    backup: Path | None = None


def migrate(
    database_url: str, data_folder: Path, patience_seconds: float = UPGRADE_PATIENCE_SECONDS
) -> MigrationResult:
    """Upgrade to the newest revision. A file with something in it is backed up to `data/backups` first; on a
    server, backups are the server's (docs/operating.md).

    Does nothing, quickly, when it is there already. Two processes at once: one works, the other waits for
    it, `patience_seconds` at most.
    """
    if is_postgres(database_url):
        with needing_driver():
            from app.records.db.postgres.server_revision import upgrade_and_name_revisions

        return MigrationResult(*upgrade_and_name_revisions(database_url, patience_seconds))
    return MigrationResult(*upgrade_file(database_url, data_folder, patience_seconds))
