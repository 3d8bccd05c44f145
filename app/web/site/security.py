"""What stands before every handler: headers, the Host check, the limit on bodies, cross-site refusal."""

import re
from collections.abc import Mapping, Sequence

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
WORKER_CSP = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"
"""For the worker that runs a learner's Python: it may compile WebAssembly, and connect to nothing at all."""
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
HSTS = {"strict-transport-security": "max-age=31536000"}


class SecurityHeaders:
    """Adds the same headers to every response, beside its own; a personal page is kept by no browser."""

    def __init__(self, app: ASGIApp, https: bool = False) -> None:
        self.app = app
        wanted = HEADERS | (HSTS if https else {})
        self.headers = [(name.encode(), value.encode()) for name, value in wanted.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                added = [pair for pair in self.headers if pair[0] not in own]
                headers = message["headers"] = [*message["headers"], *added]
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class HeadAsGet:
    """Answers HEAD as GET, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        if scope.get("method") == "HEAD":
            await self.app({**scope, "method": "GET"}, receive, send_without_body)
        else:
            await self.app(scope, receive, send)


class KnownHost:
    """Refuses requests for another name than the site's; loopback stays open for the operator."""

    def __init__(self, app: ASGIApp, public_name: str | None) -> None:
        self.app = app
        self.names = {public_name.lower(), "localhost", "127.0.0.1", "[::1]"} if public_name else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self.names is not None:
            host = Headers(scope=scope).get("host", "").lower()
            if host.rpartition(":")[0] not in self.names and host not in self.names:
                await PlainTextResponse("这个网站不叫这个名字。", 421)(scope, receive, send)
                return
        await self.app(scope, receive, send)


class BodyLimit:
    """Refuses a body that says or turns out to be larger than `most` bytes; `larger`: more for a pattern.

    `refused` answers then: a page of the site.
    """

    def __init__(
        self, app: ASGIApp, refused: ASGIApp, most: int = 65_536, larger: Mapping[str, int] | None = None
    ) -> None:
        self.app, self.refused, self.most, self.larger = app, refused, most, larger or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "0")
        most = next((n for path, n in self.larger.items() if re.fullmatch(path, scope["path"])), self.most)
        messages, size = await self._body(receive, most)
        if size > most or not length.isdecimal() or int(length[:10]) > most:
            await self.refused(scope, receive, send)
            return
        await self.app(scope, _replay(messages, receive), send)

    async def _body(self, receive: Receive, most: int) -> tuple[list[Message], int]:
        messages, size = [await receive()], 0
        size += len(messages[0].get("body", b""))
        while messages[-1].get("more_body") and size <= most:
            messages.append(await receive())
            size += len(messages[-1].get("body", b""))
        return messages, size


def _replay(messages: Sequence[Message], receive: Receive) -> Receive:
    waiting = list(messages)

    async def next_message() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return next_message
