"""An empty database in which assignments have the same numbers at every run: its secret makes them."""

import secrets
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from app.records.db.migrate import migrate

SECRET_BYTE = "7a"
SECRET = SECRET_BYTE * 32


def migrate_alike(database_url: str, folder: Path) -> None:
    """Brings a new database to the newest revision, with the secret that all sites of the tests share."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_hex", lambda size: SECRET_BYTE * size)
        migrate(database_url, folder)


@cache
def empty_file() -> bytes:
    """A database file of the newest revision; `make mutants` forks thousands of runs that share it."""
    with TemporaryDirectory() as name:
        file = Path(name) / "tangxu.db"
        migrate_alike(f"sqlite:///{file}", file.parent)
        return file.read_bytes()
