"""What programs that watch the site are told."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from fastapi import FastAPI, Request
from starlette.testclient import TestClient

from app.records.db.errors import Busy, Unsure
from app.records.db.postgres.refusals import ConnectionLost
from app.settings import Settings
from app.web.site import errors
from tests.postgres_server import PostgresServer
from tests.web.cast import Ledger, site_with


@pytest.mark.parametrize("path", ["/healthz", "/livez", "/readyz"])
def test_a_site_that_works_says_so_and_keeps_nothing(client: TestClient, ledger: Ledger, path: str) -> None:
    response = client.get(path)
    assert (response.status_code, response.text) == (200, "ok")
    assert ledger.rows("SELECT count(*) FROM sign_in") == [(0,)]


@pytest.mark.parametrize("path", ["/healthz", "/livez", "/readyz"])
def test_who_watches_is_taken_for_no_visitor(client: TestClient, path: str) -> None:
    token = path[1:].ljust(43, "t")
    response = client.get(path, headers={"Cookie": f"tangxu={token}"})
    assert response.status_code == 200
    assert "set-cookie" not in response.headers
    assert "set-cookie" in client.get("/livez/nowhere", headers={"Cookie": f"tangxu={token}"}).headers


def test_a_database_of_another_version_is_not_written_to(client: TestClient, settings: Settings) -> None:
    with closing(sqlite3.connect(settings.database_path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    response = client.get("/readyz")
    assert response.status_code == 503
    assert "别的版本" in response.text
    assert client.get("/livez").status_code == 200, "a process that is started anew would not mend it"


def name_standby(server: PostgresServer, name: str) -> None:
    server.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
    server.execute("SELECT pg_reload_conf()")


@pytest.mark.long
def test_where_an_answer_would_wait_for_a_standby_nobody_is_sent(
    server: PostgresServer, tmp_path: Path
) -> None:
    with site_with(Settings(data=tmp_path, database_url=server.empty())) as client:
        name_standby(server, "standby1")
        try:
            while (response := client.get("/readyz")).status_code == 200:
                assert server.process.poll() is None
            assert (response.status_code, "备用机" in response.text) == (503, True)
            assert client.get("/healthz").status_code == client.get("/livez").status_code == 200
        finally:
            name_standby(server, "")
        while client.get("/readyz").status_code == 503:
            assert server.process.poll() is None


def test_a_program_that_watches_reads_no_page(client: TestClient, app: FastAPI) -> None:
    assert client.portal
    client.portal.call(app.state.site.db.close)
    for path in ("/healthz", "/readyz"):
        response = client.get(path)
        assert response.status_code == 503
        assert response.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("method", "error", "message", "unsaid"),
    [
        ("POST", Busy(), "这一次没存上", "不知道存上了没有"),
        ("POST", Unsure(), "不知道存上了没有", "没存上<"),
        ("GET", Busy(), "这一页现在打不开", "没有保存"),
        ("GET", ConnectionLost(), "和数据库的连接断了，请稍后再试。", "答案还在"),
        ("POST", ConnectionLost(), "和数据库的连接断了，这一次没有保存，请稍后再试。", "打不开"),
    ],
)
def test_a_page_says_no_more_of_an_answer_than_is_known(
    client: TestClient, app: FastAPI, method: str, error: Busy, message: str, unsaid: str
) -> None:
    assert client.get("/").status_code == 200
    scope = {"type": "http", "app": app, "method": method, "path": "/", "query_string": b"", "headers": []}
    response = asyncio.run(errors.busy_page(Request(scope), error))
    html = bytes(response.body).decode()
    assert response.status_code == 503
    assert message in html
    assert unsaid not in html
