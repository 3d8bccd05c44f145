"""Answers that are ready as a whole: head and body leave in one write.

uvicorn looks through each header of each answer for signs that must not stand there, and writes head and body
one after the other. Nearly all headers are the same in every answer: here their lines are made once.

CPU over the wire (µs, before → after): a static file 47 → 36, `/livez` 50 → 43.
"""

from functools import lru_cache

from starlette.types import Message
from uvicorn.protocols.http.httptools_impl import (
    HEADER_RE,
    HEADER_VALUE_RE,
    STATUS_LINE,
    RequestResponseCycle,
)

from app.web.site.security import RawHeader

STATUSES_WITHOUT_BODY = (204, 304)
MOST_JOINED_BYTES = 65_536
"""To copy more than this costs more than a second write."""
HEADERS_READ_BY_UVICORN = (b"connection", b"transfer-encoding")
"""They say what becomes of the connection, so uvicorn has to see them."""


class WholeAnswerCycle(RequestResponseCycle):
    """Sends one answer; what comes in parts, or ends the connection, goes through uvicorn's own hands."""

    start_message: Message | None = None
    """How the answer begins, until its body comes."""

    async def send(self, message: Message) -> None:  # type: ignore[override]
        """Keep how the answer begins until its body comes, which may be all of it."""
        if message["type"] == "http.response.start" and not self.response_started:
            self.start_message = message  # instead of one that was kept, where its body could not be made
            return
        start_message, self.start_message = self.start_message, None
        if start_message is not None:
            response_bytes = self.joined_answer(start_message, message)
            if response_bytes is not None:
                self.write(response_bytes)
                return
            await super().send(start_message)  # type: ignore[arg-type]
        await super().send(message)  # type: ignore[arg-type]

    def joined_answer(self, start_message: Message, body_message: Message) -> bytes | None:
        """Head and body as they are sent; None where uvicorn has to do it."""
        if self.disconnected or self.flow.write_paused or self.access_log or not self.keep_alive:
            return None
        if self.scope["method"] == "HEAD" or not fits_one_write(start_message, body_message):
            return None
        byte_pieces = [STATUS_LINE[start_message["status"]]]
        for header in (*self.default_headers, *start_message["headers"]):
            header_bytes = header_line_bytes(header)
            if header_bytes is None:
                return None
            byte_pieces.append(header_bytes)
        byte_pieces += b"\r\n", body_message.get("body", b"")
        return b"".join(byte_pieces)

    def write(self, response_bytes: bytes) -> None:
        """Send all of it, as uvicorn does with the last part of an answer."""
        self.response_started = True
        self.waiting_for_100_continue = False
        self.transport.write(response_bytes)
        self.response_complete = True
        self.message_event.set()
        self.on_response()


def fits_one_write(start_message: Message, body_message: Message) -> bool:
    """Whether this body is the whole one, and as long as the head says; a short one, to be copied."""
    body_bytes = body_message.get("body", b"")
    if body_message.get("more_body") or len(body_bytes) > MOST_JOINED_BYTES:
        return False
    if start_message["status"] in STATUSES_WITHOUT_BODY:
        return not body_bytes
    return (b"content-length", b"%d" % len(body_bytes)) in start_message["headers"]


@lru_cache(maxsize=1024)
def header_line_bytes(header: RawHeader) -> bytes | None:
    """A header as it is sent; None for one that uvicorn reads or refuses.

    >>> header_line_bytes((b"Vary", b"accept-encoding"))
    b'vary: accept-encoding\\r\\n'
    >>> header_line_bytes((b"connection", b"close")), header_line_bytes((b"x-name", b"a\\r\\nset-cookie: b"))
    (None, None)
    """
    header_name, header_value = header
    if HEADER_RE.search(header_name) or HEADER_VALUE_RE.search(header_value):
        return None
    lower_header_name = header_name.lower()
    if lower_header_name in HEADERS_READ_BY_UVICORN:
        return None
    return b"%s: %s\r\n" % (lower_header_name, header_value)
