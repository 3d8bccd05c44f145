"""Static files: one style sheet, one script, and what few pages ask for; named by content, packed once."""

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from app.web.site.security import WORKER_CSP

FOREVER = "public, max-age=31536000, immutable"
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
        self._by_path[path] = Asset(name, content_type(name), body, packed_body(name, body))
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
        body = asset.body
        headers = {"content-type": asset.type, "cache-control": FOREVER, "vary": "accept-encoding"}
        if asset.name in POLICIES:
            headers["content-security-policy"] = POLICIES[asset.name]
        if asset.packed and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            body = asset.packed
            headers["content-encoding"] = "gzip"
        await Response(body, headers=headers)(scope, receive, send)


def content_type(name: str) -> str:
    """The media type of a file, with the encoding of a text."""
    suffix = Path(name).suffix
    media_type = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    if media_type.startswith("text/") or suffix == ".svg":
        return f"{media_type}; charset=utf-8"
    return media_type


def packed_body(name: str, body: bytes) -> bytes | None:
    """The gzip form of a file; None where that gains nothing."""
    if Path(name).suffix not in COMPRESSIBLE:
        return None
    packed = gzip.compress(body, 9, mtime=0)
    return packed if len(packed) < len(body) else None


COMMENT = re.compile(rb"^[ \t]*(?://.*|/\*.*\*/)[ \t]*\n", re.MULTILINE)
"""A line that is a comment and nothing else: it is for those who read the source, not for a phone."""


def _joined(folder: Path, pattern: str) -> bytes:
    return b"\n".join(COMMENT.sub(b"", path.read_bytes()) for path in sorted(folder.glob(pattern)))
