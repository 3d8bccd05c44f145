"""An answer of the site, and everything that is compared of it, as lines."""

import hashlib
import io
import json
import re
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from .elements import Element
from .page_lines import page_lines, without_chance


@dataclass(frozen=True)
class Answer:
    """An answer of the site."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")

    @property
    def media_type(self) -> str:
        return self.header("content-type")

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def is_page(self) -> bool:
        return self.media_type.startswith("text/html")

    @property
    def leads_to(self) -> str:
        """Where a browser goes next, or the address that htmx shows; empty: it stays."""
        names = ("location", "hx-redirect", "hx-location", "hx-push-url", "hx-replace-url")
        address = next((value for name in names if (value := self.header(name)).startswith("/")), "")
        return address.partition("#")[0]


SILENT_HEADERS = frozenset(("date", "server", "content-length", "set-cookie", "etag", "last-modified"))


def answer_lines(answer: Answer, page: Element | None) -> list[str]:
    """Everything that is compared."""
    lines = [f"status {answer.status}"]
    for name, value in sorted(answer.headers):
        if name not in SILENT_HEADERS:
            lines.append(f"{name}: {without_chance(value)}")
        if name == "set-cookie":
            pair, *attributes = value.split("; ")
            lasting = sorted(attribute for attribute in attributes if not attribute.startswith("expires"))
            cookie, _, content = pair.partition("=")
            lines.append(f"cookie {cookie}: {without_chance(content)}; {'; '.join(lasting)}")
    if page is not None:
        return [*lines, *page_lines(page)]
    return [*lines, *file_lines(answer.body, answer.media_type)]


TEXT_TYPES = ("application/json", "text/plain", "text/csv")


def file_lines(body: bytes, media_type: str) -> list[str]:
    """A file as its reader sees it."""
    if body[:2] == b"PK":
        return list(archive_lines(body))
    if media_type.partition(";")[0] in TEXT_TYPES or is_text(body):
        return [without_chance(line) for line in readable_text(body, media_type).splitlines()]
    return [size_and_digest(body)]


def is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in body


def readable_text(body: bytes, media_type: str) -> str:
    if "json" in media_type:
        return json.dumps(json.loads(body), ensure_ascii=False, indent=1)
    return body.decode("utf-8", "replace")


def size_and_digest(content: bytes) -> str:
    return f"{len(content)} bytes, {hashlib.sha256(content).hexdigest()[:12]}"


def archive_lines(body: bytes) -> Iterator[str]:
    """The members of a zip file; of a workbook the cells, of a package for Anki its notes."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        for name in sorted(archive.namelist()):
            yield f"member {name}"
            content = archive.read(name)
            if content[:15] == b"SQLite format 3":
                yield from anki_lines(content)
            elif is_text(content):
                text = re.sub(r">\s*<", ">\n<", content.decode())
                yield from (without_chance(line) for line in text.splitlines())
            else:
                yield size_and_digest(content)


ANKI_CARDS = "SELECT n.guid, c.ord, c.queue, c.ivl FROM cards c JOIN notes n ON n.id = c.nid ORDER BY 1, 2"


def anki_lines(content: bytes) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "collection")
        path.write_bytes(content)
        with closing(sqlite3.connect(path)) as connection:
            for row in connection.execute("SELECT guid, tags, flds FROM notes ORDER BY guid"):
                yield "note " + " | ".join(str(value).replace("\x1f", " | ") for value in row)
            for row in connection.execute(ANKI_CARDS):
                yield "card " + " | ".join(map(str, row))
            for models, decks in connection.execute("SELECT models, decks FROM col"):
                yield from anki_table_lines("model", models)
                yield from anki_table_lines("deck", decks)


def anki_table_lines(label: str, table: str) -> Iterator[str]:
    """Names, templates and styles in a table of Anki, without its times."""
    for key, row in sorted(json.loads(table).items()):
        properties = {name: row.get(name) for name in ("name", "desc", "css", "tmpls", "flds", "type")}
        yield f"{label} {key} {json.dumps(properties, ensure_ascii=False, sort_keys=True)}"
