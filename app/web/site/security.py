"""What stands before every handler: headers, the Host check, the limit on bodies, cross-site refusal."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
WORKER_CSP = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"
"""For the worker that runs a learner's Python: it may compile WebAssembly, and connect to nothing at all."""
SECURITY_HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
RawHeader = tuple[bytes, bytes]
BODY_SETUP_SECONDS = 30.0
MOST_BODY_BYTES = 65_536
"""Of a body, where nothing else is said."""
SLOWEST_BODY_BYTES_A_SECOND = 10_000
"""A body has `BODY_SETUP_SECONDS`, and one second more for so many bytes that it may have: the line of a
phone in the last row. Whoever sends more slowly keeps a place that others need."""
HSTS = {"strict-transport-security": "max-age=31536000"}


class SecurityHeadersMiddleware:
    """Adds the same headers to every response, beside its own; a personal page is kept by no browser."""

    def __init__(self, app: ASGIApp, is_https: bool = False) -> None:
        self.app = app
        headers = SECURITY_HEADERS | HSTS if is_https else SECURITY_HEADERS
        self.headers = [
            (header_name.encode(), header_value.encode()) for header_name, header_value in headers.items()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = self.completed_headers(message["headers"])
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def completed_headers(self, response_headers: Sequence[RawHeader]) -> list[RawHeader]:
        """The headers of a response and those of every response; its own count before ours."""
        own_header_names = {header_name for header_name, _ in response_headers}
        headers = [
            *response_headers,
            *(header for header in self.headers if header[0] not in own_header_names),
        ]
        if b"cache-control" not in own_header_names:
            headers.append((b"cache-control", b"no-store"))
        return headers


class HeadAsGet:
    """Answers HEAD as GET, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        if scope.get("method") != "HEAD":
            await self.app(scope, receive, send)
            return
        get_scope = {**scope, "method": "GET"}
        try:
            await self.app(get_scope, receive, send_without_body)
        finally:  # for who stands outside: the route, and why it was refused
            scope.update({**get_scope, "method": "HEAD"})


class KnownHost:
    """Refuses requests for another name than the site's; loopback stays open for the operator."""

    def __init__(self, app: ASGIApp, public_host_name: str | None) -> None:
        self.app = app
        self.known_host_names: set[str] = set()
        if public_host_name:
            self.known_host_names = {public_host_name.lower(), "localhost", "127.0.0.1", "[::1]"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self.known_host_names:
            host = Headers(scope=scope).get("host", "").lower()
            if host.rpartition(":")[0] not in self.known_host_names and host not in self.known_host_names:
                await PlainTextResponse("这个网站不叫这个名字。", 421)(scope, receive, send)
                return
        await self.app(scope, receive, send)


class BodyLimitRule(NamedTuple):
    """How large a body may be at some addresses, and what is said of a larger one."""

    most_bytes: int = MOST_BODY_BYTES
    too_large_sentence: str = "送来的内容太大了，写短一些再试。"


USUAL_BODY_LIMIT_RULE = BodyLimitRule()


class BodyLimit:
    """Refuses a body that says or turns out to be larger than the rule for its address lets it be.

    `rules_near`: those of some addresses, by their patterns, which may match this one; `usual_rule`: for all
    others. What `refused_app_saying` makes of a sentence answers then, `late_app` when the body does not come
    in time: pages of the site.
    """

    def __init__(
        self,
        app: ASGIApp,
        refused_app_saying: Callable[[str], ASGIApp],
        late_app: ASGIApp,
        rules_near: Callable[[str], Mapping[str, BodyLimitRule]] = lambda _path: {},
        usual_rule: BodyLimitRule = USUAL_BODY_LIMIT_RULE,
    ) -> None:
        self.app, self.refused_app_saying, self.late_app = app, refused_app_saying, late_app
        self.rules_near = rules_near
        self.usual_rule = usual_rule

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        most_bytes, too_large_sentence = self.rule_of(scope["path"])
        stated_length_text = Headers(scope=scope).get("content-length", "0")
        try:
            async with asyncio.timeout(BODY_SETUP_SECONDS + most_bytes / SLOWEST_BODY_BYTES_A_SECOND):
                body = await read_body(receive, most_bytes)
        except TimeoutError:
            await self.late_app(scope, receive, send)
            return
        if body is None:
            return
        if (
            len(body) > most_bytes
            or not stated_length_text.isdecimal()
            or int(stated_length_text[:10]) > most_bytes
        ):
            await self.refused_app_saying(too_large_sentence)(scope, receive, send)
            return
        await self.app(scope, replaying_receive(body, receive), send)

    def rule_of(self, path: str) -> BodyLimitRule:
        """The rule for the bodies of this address."""
        for pattern, body_limit_rule in self.rules_near(path).items():
            if re.fullmatch(pattern, path):
                return body_limit_rule
        return self.usual_rule


async def read_body(receive: Receive, most_bytes: int) -> bytes | None:
    """A body to its end, or until it is too large; None when its sender has gone: nobody is to answer."""
    body = bytearray()
    is_unfinished = True
    while is_unfinished and len(body) <= most_bytes:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        is_unfinished = message.get("more_body", False)
    return bytes(body)


def replaying_receive(body: bytes, receive: Receive) -> Receive:
    """This body in one message, and then what comes."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        if messages:
            return messages.pop()
        return await receive()

    return next_message
