"""JSON lines: one for each request, by its route and its id; nothing that anybody typed."""

import json
import logging
import logging.config
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from starlette.testclient import TestClient

from app.cli import serving
from app.main import create_app
from app.settings import Settings
from app.web.operation import logs
from tests.web.cast import settings_at

PROXY = ("127.0.0.1", 5000)
REQUEST_ID = "from-the-proxy-1"


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[list[dict[str, Any]]]:
    """What is logged, read; filled when the test ends a request."""
    read: list[dict[str, Any]] = []

    class Reading(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            text = logs.JsonLines().format(record)
            assert "\n" not in text
            read.append(json.loads(text))

    handler = Reading()
    logging.getLogger().addHandler(handler)
    caplog.set_level("INFO", logs.REQUEST_LOGGER)
    yield read
    logging.getLogger().removeHandler(handler)


def logging_site(folder: Path, peer: tuple[str, int] = PROXY, **settings: str) -> TestClient:
    """A site with log lines of its own, and a few routes to break or look at."""
    changed = settings_at(folder).model_copy(update={"json_logs": True, **settings})
    app = create_app(changed)

    def broken(name: str) -> None:
        raise RuntimeError(f"{name} typed 糖")

    def address(request: Request) -> str:
        return request.client.host if request.client else ""

    app.add_api_route("/bug/{name}", broken)
    app.add_api_route("/address", address)
    return TestClient(app, raise_server_exceptions=False, client=peer)


def test_a_request_is_one_line_without_anything_of_a_person(
    tmp_path: Path, lines: list[dict[str, Any]]
) -> None:
    with logging_site(tmp_path) as client:
        client.cookies.set("tangxu", "s3cret" * 8)
        answer = client.get("/examples/zhou-yutong?q=zhou", headers={"Referer": "http://testserver/zhou"})
        client.post("/sign-ins", data={"login": "zhou", "password": "zhou1234"})
    [example, sign_in] = lines
    assert example["route"] == "/examples/{example_id}"
    assert (example["method"], example["status"], example["refusal"]) == ("GET", 404, "not_found")
    assert example["request_id"] == answer.headers["x-request-id"]
    assert example["milliseconds"] >= 0
    assert sign_in["route"] == "/sign-ins"
    assert example["request_id"] != sign_in["request_id"]
    assert "zhou" not in str(lines)
    assert "s3cret" not in str(lines)


def test_an_error_is_told_by_its_kind_and_place(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    with logging_site(tmp_path) as client:
        answer = client.get("/bug/zhou")
    assert answer.status_code == 500
    [request, error] = lines
    assert (request["status"], request["route"]) == (500, "/bug/{name}")
    assert error["message"] == "GET /bug/{name}"
    assert error["error"] == "RuntimeError"
    assert "test_logs.py" in error["frames"][-1]
    assert error["request_id"] == request["request_id"] == answer.headers["x-request-id"]
    assert "zhou" not in str(lines)
    assert "糖" not in str(lines)


@pytest.mark.parametrize(
    ("proxies", "request_id", "believed"),
    [
        ("127.0.0.1", REQUEST_ID, True),
        ("10.0.0.0/8", REQUEST_ID, False),
        ("", REQUEST_ID, False),
        ("127.0.0.1", "short", False),
        ("127.0.0.1", 'x" , "admin": 1', False),
        ("127.0.0.1", "x" * 65, False),
    ],
)
def test_the_id_of_a_trusted_proxy_is_kept(
    tmp_path: Path, lines: list[dict[str, Any]], proxies: str, request_id: str, believed: bool
) -> None:
    headers = {"X-Request-ID": request_id, "X-Forwarded-For": "203.0.113.9"}
    with logging_site(tmp_path, trusted_proxies=proxies) as client:
        answer = client.get("/address", headers=headers)
    assert (answer.headers["x-request-id"] == request_id) is believed
    assert lines[0]["request_id"] == answer.headers["x-request-id"]
    is_proxy = proxies == "127.0.0.1"
    assert answer.json() == ("203.0.113.9" if is_proxy else "127.0.0.1"), "who asks is known as before"


def test_plain_logs_are_what_nobody_asked_to_change(client: TestClient, app: FastAPI) -> None:
    answer = client.get("/", headers={"X-Request-ID": REQUEST_ID})
    assert "x-request-id" not in answer.headers


def test_the_server_writes_as_the_setting_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger()
    before = list(logger.handlers), logger.level
    try:
        serving.uvicorn_config(None, Settings(data=tmp_path, json_logs=True))
        logging.getLogger("uvicorn.error").error("a line of the server's own\nand one more")
    finally:
        logger.handlers, logger.level = before
        serving.uvicorn_config(None, Settings(data=tmp_path))
    [line] = capfd.readouterr().err.splitlines()
    assert json.loads(line)["message"] == "a line of the server's own"
    assert serving.uvicorn_config(None, Settings(data=tmp_path)).log_config is not logs.LOGGING_CONFIG
