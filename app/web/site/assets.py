"""Static files: one style sheet, one script, and what few pages ask for; named by content, packed once."""

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from app.web.site.security import WORKER_CSP

FOREVER = b"public, max-age=31536000, immutable"
COMPRESSIBLE = (".css", ".js", ".mjs", ".svg", ".txt", ".json", ".wasm")
TYPES = {
    ".woff2": "font/woff2",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
}
POLICIES = {"modules/10-worker.js": WORKER_CSP}
"""Scripts that run in a thread of their own, under a policy of their own."""


@dataclass(frozen=True)
class Asset:
    """A file as it is sent; `packed` is its gzip form, or None where that gains nothing."""

    name: str
    type: str
    body: bytes
    packed: bytes | None


class Assets:
    """All static files by their public path. Built once at start.

    `css/` and `js/` are joined into what every page loads; what stands in `modules/` is for the pages that
    name it.
    """

    def __init__(self, folder: Path) -> None:
        self._by_path: dict[str, Asset] = {}
        self._urls: dict[str, str] = {}
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.parent.name not in ("css", "js", "modules"):
                self._add(path.relative_to(folder).as_posix(), path.read_bytes())
        for path in sorted(folder.glob("modules/*")):
            self._add(f"modules/{path.name}", self._named(path.read_bytes()))
        self._add("tangxu.css", self._named(_joined(folder / "css", "*.css")))
        self._add("tangxu.js", _joined(folder / "js", "*.js"))

    @property
    def css(self) -> str:
        return self.url("tangxu.css")

    @property
    def js(self) -> str:
        return self.url("tangxu.js")

    @property
    def htmx(self) -> str:
        return self.url("vendor/htmx-2.0.11.min.js")

    @property
    def font(self) -> str:
        return self.url("fonts/stix-two-math-subset.woff2")

    def url(self, name: str) -> str:
        """Where a file of `static/` is found; KeyError for one that is not there."""
        return self._urls[name]

    def _add(self, name: str, body: bytes) -> None:
        stem, dot, ending = name.rpartition(".")
        path = f"{stem}.{hashlib.sha256(body).hexdigest()[:10]}{dot}{ending}"
        kind = TYPES.get(dot + ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        kind += "; charset=utf-8" if kind.startswith("text/") or dot + ending == ".svg" else ""
        packed = gzip.compress(body, 9, mtime=0) if dot + ending in COMPRESSIBLE else None
        self._by_path[path] = Asset(name, kind, body, packed if packed and len(packed) < len(body) else None)
        self._urls[name] = f"/static/{path}"

    def _named(self, text: bytes) -> bytes:
        """Style sheets and modules name files by their plain path; here it becomes the hashed one."""
        for name, url in self._urls.items():
            text = text.replace(f"/static/{name}".encode(), url.encode())
        return text

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asset = self._by_path.get(scope["path"].removeprefix("/static/"))
        if asset is None or scope["method"] != "GET":
            await PlainTextResponse("没有这个文件", 404)(scope, receive, send)
            return
        packed = asset.packed if "gzip" in Headers(scope=scope).get("accept-encoding", "") else None
        body = packed or asset.body
        headers = [
            (b"content-type", asset.type.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", FOREVER),
            (b"vary", b"accept-encoding"),
        ]
        if asset.name in POLICIES:
            headers.append((b"content-security-policy", POLICIES[asset.name].encode()))
        if packed:
            headers.append((b"content-encoding", b"gzip"))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


COMMENT = re.compile(rb"^[ \t]*(?://.*|/\*.*\*/)[ \t]*\n", re.MULTILINE)
"""A line that is a comment and nothing else: it is for those who read the source, not for a phone."""


def _joined(folder: Path, pattern: str) -> bytes:
    return b"\n".join(COMMENT.sub(b"", path.read_bytes()) for path in sorted(folder.glob(pattern)))
