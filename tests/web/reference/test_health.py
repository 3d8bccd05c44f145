"""What programs that watch the site are told."""

import sqlite3
from contextlib import closing

import pytest
from starlette.testclient import TestClient

from app.settings import Settings
from tests.web.cast import Ledger


@pytest.mark.parametrize("path", ["/healthz", "/livez", "/readyz"])
def test_a_site_that_works_says_so_and_keeps_nothing(client: TestClient, ledger: Ledger, path: str) -> None:
    response = client.get(path)
    assert (response.status_code, response.text) == (200, "ok")
    assert ledger.rows("SELECT count(*) FROM sign_in") == [(0,)]


def test_a_database_of_another_version_is_not_written_to(client: TestClient, settings: Settings) -> None:
    with closing(sqlite3.connect(settings.database_path)) as other, other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")
    response = client.get("/readyz")
    assert response.status_code == 503
    assert "别的版本" in response.text
    assert client.get("/livez").status_code == 200, "a process that is started anew would not mend it"
