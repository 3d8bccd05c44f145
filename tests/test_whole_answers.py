"""Answers that leave in one piece: on the wire they are what uvicorn would send, to the last byte."""

import re
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
import uvicorn
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.cli import serving, whole_answers
from app.cli.addresses import bound_listener
from app.cli.whole_answers import WholeAnswerCycle
from app.settings import Settings

PATIENCE_SECONDS = 20
LENGTH = (b"content-length", b"3")


def start(*headers: tuple[bytes, bytes], status: int = 200) -> Message:
    return {"type": "http.response.start", "status": status, "headers": [*headers]}


def body(part: bytes = b"", more_body: bool = False) -> Message:
    return {"type": "http.response.body", "body": part, "more_body": more_body}


WHOLE_ANSWERS: dict[str, Sequence[Message]] = {
    "/whole": (start(LENGTH, (b"X-Name", b"1")), body(b"abc")),
    "/empty": (start((b"content-length", b"0")), body()),
    "/not-modified": (start((b"etag", b'"1"'), status=304), body()),
    "/just-not-large": (start((b"content-length", b"65536")), body(b"a" * 65_536)),
    "/nothing": (start(status=204), body()),
}
OTHER_ANSWERS: dict[str, Sequence[Message]] = {
    "/parts": (start(LENGTH), body(b"a", more_body=True), body(b"bc")),
    "/unknown-length": (start(), body(b"abc")),
    "/unknown-length-in-parts": (start(), body(b"a", more_body=True), body(b"bc", more_body=True), body()),
    "/large": (start((b"content-length", b"65537")), body(b"a" * 65_537)),
    "/last": (start(LENGTH, (b"Connection", b"close")), body(b"abc")),
    "/chunked": (start((b"transfer-encoding", b"chunked")), body(b"abc")),
    "/too-short": (start(LENGTH), body(b"ab")),
    "/too-long": (start(LENGTH), body(b"abcd")),
    "/two-lines": (start(LENGTH, (b"x-name", b"1\r\nset-cookie: a=b")), body(b"abc")),
    "/never-begun": (),
    "/body-first": (body(b"abc"),),
}
MESSAGES_BY_PATH = WHOLE_ANSWERS | OTHER_ANSWERS


async def application(scope: Scope, _receive: Receive, send: Send) -> None:
    if scope["path"] == "/breaks":
        await send(start(LENGTH))
        raise ValueError("there is no body after all")
    if scope["path"] == "/breaks-off":
        await send(start())
        await send(body(b"abc", more_body=True))
        raise ValueError("there is no more of it after all")
    for message in MESSAGES_BY_PATH[scope["path"]]:
        await send(message)


@contextmanager
def served(protocol: type[HttpToolsProtocol] | None = None) -> Iterator[int]:
    """The port of a server as it is started; or with another protocol."""
    with bound_listener("127.0.0.1", 0) as listener:
        config = serving.uvicorn_config(application, Settings())
        config.lifespan = "off"
        config.log_level = "critical"  # what is wrong with these answers is meant to be
        config.http = protocol or config.http
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(PATIENCE_SECONDS)


def bytes_of_answers(port: int, *requests: bytes) -> bytes:
    """What comes back on one connection until it is closed, at any second."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as connection:
        connection.sendall(b"".join(requests))
        while received_bytes := connection.recv(65536):
            received += received_bytes
    return re.sub(rb"date: [^\r]*", b"date: now", received)


def request_for(path: str, method: str = "GET", version: str = "1.1", *, is_last: bool = False) -> bytes:
    end = "Connection: close\r\n" if is_last else ""
    return f"{method} {path} HTTP/{version}\r\nHost: localhost\r\n{end}\r\n".encode()


@pytest.fixture(scope="module")
def ports() -> Iterator[tuple[int, int]]:
    """Of our server, and of one with uvicorn's own protocol."""
    with served() as port, served(HttpToolsProtocol) as own_port:
        yield port, own_port


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", MESSAGES_BY_PATH)
def test_every_answer_is_what_uvicorn_sends(ports: tuple[int, int], path: str, method: str) -> None:
    requests = request_for(path, method), request_for("/whole", is_last=True)
    answers, uvicorn_answers = (bytes_of_answers(port, *requests) for port in ports)
    assert answers == uvicorn_answers
    assert answers.startswith(b"HTTP/1.1 ") or path == "/two-lines"


@pytest.mark.parametrize("path", ["/whole", "/parts", "/not-modified"])
def test_a_browser_of_long_ago_is_answered_as_by_uvicorn(ports: tuple[int, int], path: str) -> None:
    answers, uvicorn_answers = (bytes_of_answers(port, request_for(path, version="1.0")) for port in ports)
    assert answers == uvicorn_answers
    assert b"connection: close" in answers


def test_an_answer_that_breaks_before_its_body_is_an_error(ports: tuple[int, int]) -> None:
    """uvicorn had sent `200 OK` by then."""
    answer = bytes_of_answers(ports[0], request_for("/breaks"))
    assert answer.startswith(b"HTTP/1.1 500 ")
    assert answer.count(b"HTTP/1.1") == 1


def test_an_answer_that_breaks_off_has_no_end(ports: tuple[int, int]) -> None:
    """So a browser knows that it is not whole: what has an end closes with an empty part."""
    answer = bytes_of_answers(ports[0], request_for("/breaks-off"), request_for("/whole"))
    assert answer.endswith(b"\r\n\r\n3\r\nabc\r\n"), "nor does another answer follow on this connection"


def test_what_is_whole_leaves_in_one_write(monkeypatch: pytest.MonkeyPatch) -> None:
    written_answers: list[bytes] = []
    write = WholeAnswerCycle.write

    def noting_write(cycle: WholeAnswerCycle, answer_bytes: bytes) -> None:
        written_answers.append(answer_bytes)
        write(cycle, answer_bytes)

    monkeypatch.setattr(WholeAnswerCycle, "write", noting_write)
    with served() as port:
        for path in OTHER_ANSWERS:
            bytes_of_answers(port, request_for(path), request_for("/last"))
        assert written_answers == []
        answers = bytes_of_answers(port, *map(request_for, WHOLE_ANSWERS), request_for("/last"))
    assert len(written_answers) == len(WHOLE_ANSWERS)
    assert answers.count(b"HTTP/1.1 ") == len(WHOLE_ANSWERS) + 1


def test_lines_of_a_head_are_kept_for_so_many_headers() -> None:
    for number in range(3000):
        whole_answers.header_line_bytes((b"etag", b"%d" % number))
    assert whole_answers.header_line_bytes.cache_info().currsize <= 1024
