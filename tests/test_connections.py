"""Slow and silent clients, on real sockets: they lose their place, and those beside them notice nothing."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.cli import connections, serving
from app.cli.addresses import bound_listener
from app.cli.connections import GuardedProtocol
from app.settings import Settings
from app.web.operation import slow_pages
from app.web.site import security
from app.web.site.security import BodyLimit, BodyLimitRule

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"
YESTERDAY = datetime.now(UTC) - timedelta(days=1)
PATIENCE = 20
"""Seconds until a test gives up waiting for what should happen at once."""


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Where the request comes from, and its body."""
    request = Request(scope, receive)
    body = await request.body()
    host = request.client.host if request.client else ""
    await PlainTextResponse(f"{host} {body.decode()}")(scope, receive, send)


def refused(sentence: str) -> ASGIApp:
    return PlainTextResponse(sentence, 413)


async def guarded_echo(scope: Scope, receive: Receive, send: Send) -> None:
    late = PlainTextResponse("late", 408, {"connection": "close"})
    rule = BodyLimitRule(1000, "large")
    await BodyLimit(echo, refused, late, usual_rule=rule)(scope, receive, send)


@dataclass
class Served:
    """A server that runs, and what can be sent to it."""

    port: int
    server: uvicorn.Server

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def ask(self, head: bytes = HEAD + b"Connection: close\r\n\r\n") -> str:
        """What comes back until the connection is closed."""
        with self.connect() as connection:
            connection.sendall(head)
            return rest(connection)


def rest(connection: socket.socket) -> str:
    """All that comes until the other end closes; a reset is a close too."""
    received = b""
    try:
        while data := connection.recv(65536):
            received += data
    except ConnectionResetError:
        pass
    return received.decode()


def read_answer(connection: socket.socket) -> str:
    """One answer on a connection that stays open."""
    connection.sendall(HEAD + b"\r\n")
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    [length] = re.findall(rb"content-length: (\d+)", head)
    while len(body) < int(length):  # head and body may come apart
        body += connection.recv(65536)
    return (head + b"\r\n\r\n" + body).decode()


@contextmanager
def served(**settings: str) -> Iterator[Served]:
    """The server as it is started, with an application that only echoes."""
    with bound_listener("127.0.0.1", 0) as listener:
        config = serving.uvicorn_config(
            guarded_echo, Settings(trusted_proxies=settings.get("trusted_proxies", ""))
        )
        config.lifespan = "off"
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield Served(listener.getsockname()[1], server)
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


@pytest.mark.parametrize("head", [b"", b"GET / HT", HEAD], ids=["nothing", "half a line", "half a head"])
def test_a_head_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, head: bytes) -> None:
    monkeypatch.setattr(GuardedProtocol, "most_head_seconds", 0.05)
    with served() as site, site.connect() as connection:
        connection.sendall(head)
        assert rest(connection) == ""
        assert "127.0.0.1" in site.ask()


def test_a_second_head_is_waited_for_as_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    with served() as site, site.connect() as connection:
        monkeypatch.setattr(GuardedProtocol, "most_head_seconds", 0.05)
        assert "200 OK" in read_answer(connection)
        connection.sendall(b"GET / HT")
        assert rest(connection) == ""


def test_a_head_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuardedProtocol, "most_head_bytes", 2000)
    with served() as site:
        assert site.ask(HEAD + b"X: " + b"x" * 3000) == ""
        assert "200 OK" in site.ask(HEAD + b"X: " + b"x" * 1500 + b"\r\nConnection: close\r\n\r\n")


@pytest.mark.parametrize("head", [b"", b"12345"])
def test_a_body_that_does_not_come_is_answered_and_the_connection_closed(
    monkeypatch: pytest.MonkeyPatch, head: bytes
) -> None:
    monkeypatch.setattr(security, "BODY_SETUP_SECONDS", 0.05)
    with served() as site:
        answer = site.ask(POST + head)
        assert answer.startswith("HTTP/1.1 408 ")
        assert "200 OK" in site.ask(
            POST.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + b"1234567890"
        )


def test_whoever_breaks_off_disturbs_nobody() -> None:
    with served() as site:
        for head in (HEAD, POST, POST + b"12345"):
            with site.connect() as connection:
                connection.sendall(head)
        assert "200 OK" in site.ask()


def test_one_address_has_so_many_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that has waited longest goes; all others, and those who come, are served."""
    monkeypatch.setattr(GuardedProtocol, "most_connections_per_address", 4)
    with served() as site, ExitStack() as stack:
        slow = []
        for _ in range(4):
            connection = stack.enter_context(site.connect())
            assert "200 OK" in read_answer(connection)
            slow.append(connection)
        newcomer = stack.enter_context(site.connect())
        assert "200 OK" in read_answer(newcomer)
        assert rest(slow[0]) == ""
        for connection in slow[1:]:
            assert "200 OK" in read_answer(connection)


def test_who_is_being_answered_is_not_closed_for_a_newcomer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuardedProtocol, "most_connections_per_address", 2)
    with served() as site, ExitStack() as stack:
        busy = [stack.enter_context(site.connect()) for _ in range(2)]
        for connection in busy:
            connection.sendall(POST.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"))
            assert "100 Continue" in connection.recv(65536).decode(), "its body is being read"
        newcomer = stack.enter_context(site.connect())
        assert rest(newcomer) == "", "there is no room, and nobody to give it"
        for connection in busy:
            connection.sendall(b"1234567890")
            assert "1234567890" in connection.recv(65536).decode()


def test_a_kept_connection_may_still_ask_when_the_site_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once: then it is closed, as its answer says. One that is silent is closed soon."""
    monkeypatch.setattr(GuardedProtocol, "stop_grace_seconds", 1)
    with served() as site, site.connect() as kept_connection, site.connect() as silent:
        for connection in (kept_connection, silent):
            assert "connection: close" not in read_answer(connection)
        site.server.should_exit = True
        while site.server.servers[0].is_serving():
            pass
        assert "connection: close" in read_answer(kept_connection)
        assert rest(kept_connection) == rest(silent) == ""
        with pytest.raises(ConnectionRefusedError):
            site.connect()


def test_what_is_closed_leaves_nothing_behind() -> None:
    with served() as site:
        for _ in range(3):
            site.ask()
        with site.connect() as connection:
            read_answer(connection)
            [by_address] = [
                address for address in connections.CONNECTIONS_BY_ADDRESS_BY_SERVER.values() if address
            ]
            [neighbours] = by_address.values()
            assert len(neighbours.open_connections) == len(neighbours.waiting_connections) == 1
    assert [address for address in connections.CONNECTIONS_BY_ADDRESS_BY_SERVER.values() if address] == []


def test_a_proxy_may_have_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuardedProtocol, "most_connections_per_address", 1)
    with served(trusted_proxies="127.0.0.0/8") as site, ExitStack() as stack:
        connections = [stack.enter_context(site.connect()) for _ in range(3)]
        for connection in connections:
            assert "200 OK" in read_answer(connection)


def test_what_somebody_waited_for_is_written_down(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow_pages.open_slow_log_in_folder(tmp_path)
    with served() as site:
        site.ask()
        assert slow_pages.slow_routes(tmp_path, YESTERDAY) == []
        monkeypatch.setattr(connections, "SLOW_SECONDS", 0)
        site.ask()
    slow_pages.close_slow_log()
    [(route, times, longest_seconds)] = slow_pages.slow_routes(tmp_path, YESTERDAY)
    assert (route, times) == ("GET (none)", 1)
    assert longest_seconds < PATIENCE


def test_of_requests_sent_together_each_is_written_down_as_itself(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(connections, "SLOW_SECONDS", 0)
    slow_pages.open_slow_log_in_folder(tmp_path)
    with served() as site, site.connect() as connection:
        connection.sendall(HEAD + b"\r\n" + POST + b"1234567890" + HEAD + b"Connection: close\r\n\r\n")
        assert rest(connection).count("200 OK") == 3
    slow_pages.close_slow_log()
    written = [request for _, request, _ in slow_pages.slow_requests(tmp_path)]
    assert written == ["GET (none)", "POST (none)", "GET (none)"]


FORWARDED = HEAD + b"X-Forwarded-For: 203.0.113.9\r\nConnection: close\r\n\r\n"


def test_nobody_is_believed_who_says_for_whom_they_speak() -> None:
    with served() as site:
        assert site.ask(FORWARDED).endswith("127.0.0.1 ")


def test_a_named_proxy_is_believed() -> None:
    with served(trusted_proxies="127.0.0.1") as site:
        assert site.ask(FORWARDED).endswith("203.0.113.9 ")
        forged = FORWARDED.replace(b"203.0.113.9", b"198.51.100.1, 203.0.113.9")
        assert site.ask(forged).endswith("203.0.113.9 "), "what a client adds in front counts for nothing"


def test_another_proxy_is_not_believed() -> None:
    with served(trusted_proxies="10.0.0.0/8") as site:
        assert site.ask(FORWARDED).endswith("127.0.0.1 ")
