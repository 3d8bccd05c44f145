"""An empty database in which assignments have the same numbers at every run: its secret makes them."""

import secrets
from pathlib import Path

import pytest

from app.records.db.migrate import migrate

SECRET_BYTE = "7a"


def migrate_alike(database_url: str, folder: Path) -> None:
    """Brings a new database to the newest revision, with the secret that all sites of the tests share."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_hex", lambda size: SECRET_BYTE * size)
        migrate(database_url, folder)
