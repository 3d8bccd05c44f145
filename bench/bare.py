"""The limit: no framework, no templates, no marking. `python -m bench.bare FOLDER`.

A GET is answered with the bytes that our page had. A POST writes the one row that ours writes (only if the
sign-in and the attempt belong together, in one statement), and is answered with the bytes of our fragment.
The folder holds a copy of the database, and the bodies as files; uvicorn is set up as in `app serve`.
"""

import gc
import sys
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import Message, Receive, Scope, Send

from app.cli.addresses import bound_listener, site_url
from app.cli.serving import Server, uvicorn_config
from app.settings import Settings
from bench.group_commit import GroupCommit
from bench.traffic import SHARED_PAGE

GZIP_START = b"\x1f\x8b"

REVEAL = """
INSERT INTO reveal (learner_id, ref, round, position, guess, "right", created_at)
SELECT learner_id, :ref, 1, :position, :guess, 1, :now
FROM sign_in WHERE token_hash = :hash AND ended_at IS NULL
"""
ANSWER = """
INSERT INTO response
(attempt_id, item, try_number, raw, value, verdict, score, hints, item_version, created_at)
SELECT attempt.id, :item, :try, :answer, :answer, 'right', 1, 0, (SELECT min(hash) FROM item_version), :now
FROM attempt JOIN sign_in USING (learner_id)
WHERE attempt.id = :attempt AND token_hash = :hash AND ended_at IS NULL
"""


def main() -> None:
    """Serve on any free port until told to stop."""
    folder = Path(sys.argv[1])
    with bound_listener("127.0.0.1", 0) as listener:
        address = site_url("127.0.0.1", listener.getsockname()[1])
        Server(uvicorn_config(Bare(folder), Settings()), address).run(sockets=[listener])


class Bare:
    """The ASGI app."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "tangxu.db"
        bodies = {path.stem: path.read_bytes() for path in folder.glob("*.body")}
        self._answers = {name: whole_answer(body) for name, body in bodies.items()}
        self._store: GroupCommit | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._run_lifespan(receive, send)
            return
        if scope["method"] == "GET":
            name = "page" if header(scope, b"accept-encoding") else "plain"
            if scope["path"] == SHARED_PAGE:
                name = "shared"
        else:
            name = await self._write(scope, await body_of(receive))
        for message in self._answers[name]:
            await send(message)

    async def _write(self, scope: Scope, body: bytes) -> str:
        assert self._store
        _, _, name, action = scope["path"].split("/")
        values = form_values(scope, body)
        if action == "reveals":
            await self._store.write(REVEAL, {"guess": None, "ref": f"content:{name}"} | values)
            return "reveal"
        await self._store.write(ANSWER, {"attempt": int(name)} | values)
        return "answer"

    async def _run_lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self._store = GroupCommit(self._file)
        gc.freeze()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})


def form_values(scope: Scope, body: bytes) -> dict[str, Any]:
    """The fields of a form, whose it is, and the moment as the database keeps it."""
    token = header(scope, b"cookie").rpartition(b"=")[2]
    moment = str(datetime.now(UTC))[: -len("+00:00")]
    return dict(parse_qsl(body.decode())) | {"hash": sha256(token).hexdigest(), "now": moment}


def whole_answer(body: bytes) -> list[Message]:
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    if body.startswith(GZIP_START):
        headers.append((b"content-encoding", b"gzip"))
    return [
        {"type": "http.response.start", "status": 200, "headers": headers},
        {"type": "http.response.body", "body": body},
    ]


def header(scope: Scope, name: bytes) -> bytes:
    return next((value for key, value in scope["headers"] if key == name), b"")


async def body_of(receive: Receive) -> bytes:
    parts = []
    more = True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


if __name__ == "__main__":
    main()
