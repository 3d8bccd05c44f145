"""Two versions of the site compared by what people notice: pages, fragments, files, and what posts answer.

    .venv/bin/python tools/crawl.py make OUT            # the tree in which this file stands
    .venv/bin/python tools/crawl.py make OUT --quick    # fewer samples of what is alike
    .venv/bin/python tools/crawl.py make OUT --tree ../older --data data   # another tree, existing records
    .venv/bin/python tools/crawl.py compare OUT OTHER   # differences page by page; 1 when there are any

It is for changes that should change nothing for people, however much they move inside. So it knows the site
only from outside: `python -m app demo` and `serve`, the settings `TANGXU_…`, and HTTP. The site runs under
`tools/still.py`, which holds its clock and its dice.

Five visitors (nobody, a guest, a pupil, a teacher, another teacher) follow every link of the demonstration's
school, some of each pattern of addresses, and send every form that they find, with and without htmx. Then
come walks through the main flows of a lesson and of a class. Each answer is kept as lines: status, where it
leads, texts, links, forms, ids, roles and the attributes of aria and htmx; of a file its cells or notes. The
names of CSS classes, hashes in addresses of assets, and tokens are left out.
"""

import argparse
import difflib
import hashlib
import html
import http.client
import io
import itertools
import json
import mmap
import os
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit

ROOT = Path(__file__).resolve().parent.parent
HOST = "tangxu.example"
USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36"
BEGIN = 1_792_000_000.0
"""The moment of every crawl of a new demonstration: in October 2026, in the afternoon of a school day."""
DAY = 86_400.0
STEP = 7.0
"""Seconds between two steps of a walk."""
PASSWORD = "tangxu-demo"  # noqa: S105  # printed by the demonstration at every start
TEACHER, OTHER_TEACHER, PUPIL, PUPIL_OF_OTHER = "王老师", "李老师", "周雨桐", "苏明哲"
LAYOUT = struct.Struct("d32s")

Fields = list[tuple[str, str]]


# ---------------------------------------------------------------- pages as trees


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = words("area base br col embed hr img input link meta source track wbr")
BLOCKS = words(
    "address article aside blockquote body br caption dd details dialog div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main math nav ol option p pre section "
    "select summary svg table tbody td textarea tfoot th thead title tr ul"
)
"""Elements that end a line of text; whether a block is a `div` or a `section` nobody sees."""
NAMED = words(
    "a button caption dd details dialog dt form h1 h2 h3 h4 h5 h6 img input label legend li ol option select "
    "summary table td textarea th title tr ul"
)
"""Elements that mean something to people, and are written down even without attributes."""
ATTRIBUTES = words(
    "accept action alt autocomplete checked colspan content dir disabled download enctype for form "
    "formaction formmethod headers hidden href http-equiv id inert inputmode lang list max maxlength "
    "method min minlength multiple name open pattern placeholder readonly rel required role rowspan scope "
    "selected size src step style tabindex target title type value"
)
SELECTORS = words("hx-target hx-select hx-include hx-indicator hx-disabled-elt hx-swap-oob hx-sync")


class Element:
    """An element with its attributes and what stands inside."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: "Element | None" = None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.children: list[Element | str] = []

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def walk(self) -> Iterator["Element"]:
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, *tags: str) -> "list[Element]":
        return [element for element in self.walk() if element.tag in tags]

    @property
    def text(self) -> str:
        return " ".join("".join(self.strings()).split())

    def strings(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child.strings()


class Builder(HTMLParser):
    """Makes the tree; an element that is never closed ends with what holds it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.place = Element("#document", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.place)
        self.place.children.append(element)
        if tag not in VOID:
            self.place = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.place)
        self.place.children.append(element)

    def handle_endtag(self, tag: str) -> None:
        holder: Element | None = self.place
        while holder is not None and holder.tag != tag:
            holder = holder.parent
        if holder is not None and holder.parent is not None:
            self.place = holder.parent

    def handle_data(self, data: str) -> None:
        self.place.children.append(data)


def parsed(text: str) -> Element:
    builder = Builder()
    builder.feed(text)
    builder.close()
    return builder.root


# ---------------------------------------------------------------- what people notice of an answer


def normal(text: str) -> str:
    """Without what differs though nothing changed: hashes in names of assets, tokens, digests.

    >>> normal("/static/vendor/htmx-2.0.11.min.d6fdc75f20.js"), normal("8YC5a87Ns8ggViFj6QJIhkKgkvD72A80")
    ('/static/vendor/htmx-2.0.11.min.js', '<token>')
    """
    text = re.sub(r"(/static/[\w./-]+?)\.[0-9a-f]{10}(\.\w+)", r"\1\2", text)
    text = re.sub(r"\b[0-9a-f]{32,}\b", "<digest>", text)
    return re.sub(
        r"(?<![\w-])(?:(?=[\w-]*[0-9])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{24,})", token, text, flags=re.ASCII
    )


def token(match: re.Match[str]) -> str:
    """Of a long word that a person could have written, nothing is hidden."""
    return match[0] if match[0].count("-") > 4 else "<token>"


class Lines:
    """The lines of a page in the order of reading."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.words: list[str] = []

    def flush(self) -> None:
        text = " ".join("".join(self.words).split())
        self.words.clear()
        if text:
            self.lines.append(normal(text))

    def add(self, element: Element) -> None:
        if element.tag == "style" or (element.tag == "script" and element.get("type") != "application/json"):
            self.note_script(element)
            return
        if element.tag == "svg":
            self.draw(element)
            return
        attributes = noticed(element)
        block = element.tag in BLOCKS or element.tag in NAMED
        if attributes or block:
            self.flush()
        if attributes or element.tag in NAMED:
            self.lines.append(f"<{' '.join([element.tag, *attributes])}>")
        self.add_children(element)
        if attributes or block:
            self.flush()
        if element.tag in ("form", "table", "select"):
            self.lines.append(f"</{element.tag}>")

    def add_children(self, element: Element) -> None:
        for child in element.children:
            if isinstance(child, str):
                self.words.append(child)
            else:
                self.add(child)

    def note_script(self, element: Element) -> None:
        if element.get("src"):
            self.flush()
            self.lines.append(normal(f"<script {element.get('src')}>"))

    def draw(self, element: Element) -> None:
        """A drawing: its texts and its names as they are, its shapes as a digest."""
        self.flush()
        shapes = hashlib.sha256()
        for part in element.walk():
            sizes = [f"{name}={value}" for name, value in sorted(part.attributes.items()) if is_size(name)]
            shapes.update(" ".join([part.tag, *sizes, ""]).encode())
            attributes = noticed(part)
            if attributes:
                self.lines.append(f"<{' '.join([part.tag, *attributes])}>")
        if element.text:
            self.lines.append(normal(element.text))
        self.lines.append(f"drawing {shapes.hexdigest()[:12]}")


def is_size(name: str) -> bool:
    return name not in ("class", "id", "style") and not name.startswith(("aria-", "data-", "hx-"))


def noticed(element: Element) -> list[str]:
    """The attributes that people, their tools or htmx notice."""
    if element.tag == "meta" and element.get("name") == "htmx-config":
        return ["htmx-config", element.get("content")]
    attributes = []
    for name, value in sorted(element.attributes.items()):
        if name in ATTRIBUTES or name.startswith(("aria-", "hx-", "data-hx-")):
            attributes.append(f'{name}="{normal_value(name, value)}"')
    return attributes


def normal_value(name: str, value: str) -> str:
    """Selectors may name classes, and styles may name properties of our own: such names are not compared."""
    if name.removeprefix("data-") in SELECTORS:
        value = re.sub(r"\.-?[a-zA-Z_][\w-]*", ".class", value)
    if name == "style":
        value = re.sub(r"--[\w-]+", "--property", value)
    if value.startswith("data:"):
        value = f"data {hashlib.sha256(value.encode()).hexdigest()[:12]}"
    return normal(" ".join(value.split()))


@dataclass(frozen=True)
class Answer:
    """An answer of the site."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")

    @property
    def type(self) -> str:
        return self.header("content-type")

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def is_page(self) -> bool:
        return self.type.startswith("text/html")

    @property
    def leads_to(self) -> str:
        """Where a browser goes next, or the address that htmx shows; empty: it stays."""
        names = ("location", "hx-redirect", "hx-location", "hx-push-url", "hx-replace-url")
        address = next((value for name in names if (value := self.header(name)).startswith("/")), "")
        return address.partition("#")[0]


SILENT_HEADERS = frozenset(("date", "server", "content-length", "set-cookie", "etag", "last-modified"))


def lines_of(answer: Answer, page: Element | None) -> list[str]:
    """Everything that is compared."""
    lines = [f"status {answer.status}"]
    for name, value in sorted(answer.headers):
        if name not in SILENT_HEADERS:
            lines.append(f"{name}: {normal(value)}")
        if name == "set-cookie":
            parts = value.split("; ")
            attributes = sorted(part for part in parts[1:] if not part.startswith("expires"))
            cookie, _, content = parts[0].partition("=")
            lines.append(f"cookie {cookie}: {normal(content)}; {'; '.join(attributes)}")
    if page is not None:
        reading = Lines()
        reading.add(page)
        reading.flush()
        return [*lines, *reading.lines]
    return [*lines, *file_lines(answer)]


def file_lines(answer: Answer) -> list[str]:
    """A file as its reader sees it."""
    if answer.body[:2] == b"PK":
        return list(packed_lines(answer.body))
    if answer.type.partition(";")[0] in ("application/json", "text/plain", "text/csv") or is_text(
        answer.body
    ):
        return [normal(line) for line in pretty(answer).splitlines()]
    return [f"{len(answer.body)} bytes, {hashlib.sha256(answer.body).hexdigest()[:12]}"]


def is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in body


def pretty(answer: Answer) -> str:
    if "json" in answer.type:
        return json.dumps(json.loads(answer.body), ensure_ascii=False, indent=1)
    return answer.text


def packed_lines(body: bytes) -> Iterator[str]:
    """The members of a zip file; of a workbook the cells, of a package for Anki its notes."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        names = sorted(archive.namelist())
        for name in names:
            yield f"member {name}"
            content = archive.read(name)
            if content[:15] == b"SQLite format 3":
                yield from anki_lines(content)
            elif is_text(content):
                text = re.sub(r">\s*<", ">\n<", content.decode())
                yield from (normal(line) for line in text.splitlines())
            else:
                yield f"{len(content)} bytes, {hashlib.sha256(content).hexdigest()[:12]}"


def anki_lines(content: bytes) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "collection")
        path.write_bytes(content)
        with closing(sqlite3.connect(path)) as connection:
            for row in connection.execute("SELECT guid, tags, flds FROM notes ORDER BY guid"):
                yield "note " + " | ".join(str(value).replace("\x1f", " | ") for value in row)
            cards = (
                "SELECT n.guid, c.ord, c.queue, c.ivl FROM cards c JOIN notes n ON n.id = c.nid ORDER BY 1, 2"
            )
            for row in connection.execute(cards):
                yield "card " + " | ".join(map(str, row))
            for models, decks in connection.execute("SELECT models, decks FROM col"):
                yield from json_texts("model", models)
                yield from json_texts("deck", decks)


def json_texts(kind: str, text: str) -> Iterator[str]:
    """Names, templates and styles in a table of Anki, without its times."""
    for key, row in sorted(json.loads(text).items()):
        properties = {name: row.get(name) for name in ("name", "desc", "css", "tmpls", "flds", "type")}
        yield f"{kind} {key} {json.dumps(properties, ensure_ascii=False, sort_keys=True)}"


# ---------------------------------------------------------------- forms


class Move(NamedTuple):
    """A way to send a form: a button (by its place), and how the fields are filled."""

    button: int
    filling: str


FILLINGS = ("as it stands", "words", "numbers")
"""How fields are filled when nobody says more; `choice 2` ticks the second of a group, `right` knows it."""
RIGHT = {
    "cg-chengdu": "10",
    "cg-first-two": "5",
    "discount-at-3": "0.50",
    "term-at-second": "2.524",
    "term-of-movie": "0.774",
    "dcg-guided": "3.893",
    "idcg-of-two": "4.631",
    "idcg-sort-then-cut": "5.262",
    "ndcg-guided": "0.913",
    "ndcg-upside-down": "0.582",
}
"""The right numbers of some questions of the lessons."""
WORDS, NUMBER, MOMENT = "糖葫芦", "7", "2026-11-02T08:30"


def controls(form: Element) -> list[Element]:
    return [
        control
        for control in form.all("input", "select", "textarea")
        if control.get("name") and "disabled" not in control.attributes
    ]


def buttons(form: Element) -> list[Element]:
    kinds = ("submit", "image", "")
    return [
        button
        for button in form.all("button")
        if button.get("type") in kinds and "disabled" not in button.attributes
    ]


def fields_of(form: Element, move: Move, typed: dict[str, str] | None = None) -> Fields:
    """What a browser sends: fields as they stand or as they are filled, changed by what somebody typed."""
    typed = typed or {}
    fields: Fields = []
    groups: Counter[str] = Counter()
    for control in controls(form):
        name = control.get("name")
        groups[name] += 1
        if name not in typed:
            fields += [(name, value) for value in values(form, control, move.filling, groups[name])]
    for name, value in typed.items():
        fields.append((name, value))
    pressed = buttons(form)[move.button : move.button + 1]
    if pressed and pressed[0].get("name"):
        fields.append((pressed[0].get("name"), pressed[0].get("value")))
    return fields


def values(form: Element, control: Element, filling: str, place: int) -> list[str]:
    kind = control.get("type", "text") if control.tag == "input" else control.tag
    if kind in ("radio", "checkbox"):
        return ticked(form, control, kind, filling, place)
    if kind == "select":
        return selected(control, filling)
    if kind == "hidden":
        return [control.get("value")]
    if kind in ("submit", "button", "image", "reset", "file"):
        return []
    return [text_for(form, control, filling)]


def text_for(form: Element, control: Element, filling: str) -> str:
    """What is written into a field."""
    if filling == FILLINGS[0]:
        return control.get("value") if control.tag == "input" else text_of_area(control)
    if control.get("type") == "datetime-local":
        return MOMENT
    if filling == "right":
        for field in controls(form):
            if field.get("value") in RIGHT:
                return RIGHT[field.get("value")]
    return WORDS if filling == "words" else NUMBER


def text_of_area(control: Element) -> str:
    return "".join(control.strings()).removeprefix("\n")


def ticked(form: Element, control: Element, kind: str, filling: str, place: int) -> list[str]:
    """Words tick the first of a group, numbers the last one; of checkboxes numbers tick all."""
    count = sum(1 for field in controls(form) if field.get("name") == control.get("name"))
    on = "checked" in control.attributes
    if filling == "words":
        on = place == 1
    if filling == "numbers":
        on = place == count or kind == "checkbox"
    if filling.startswith("choice"):
        on = filling == f"choice {place}"
    return [control.get("value", "on")] if on else []


def selected(control: Element, filling: str) -> list[str]:
    options = control.all("option")
    standing = [option for option in options if "selected" in option.attributes] or options[:1]
    selection = options[-1:] if filling == "numbers" else standing
    return [option.get("value", option.text) for option in selection]


def pattern(address: str) -> str:
    """An address without its numbers, codes and the values of its query.

    >>> pattern("/classrooms/3/students/17?sort=name&page=2")
    '/classrooms/#/students/#?page&sort'
    """
    parts = urlsplit(address)
    path = re.sub(
        r"(?<=/)[\w-]{18,}(?=/|$)", lambda long: "#" if re.search("[A-Z]", long[0]) else long[0], parts.path
    )
    path = re.sub(r"[0-9]+", "#", path)
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    return path + ("?" + "&".join(names) if names else "")


def family(address: str) -> str:
    """A coarser pattern: the first word of the path, how many follow, the names of the query."""
    path, _, names = pattern(address).partition("?")
    words = path.strip("/").split("/")
    return f"{words[0]} {len(words)} {names}"


def form_pattern(form: Element) -> str:
    """Forms that ask for the same; the field of a newcomer goes away with their first post."""
    return f"{pattern(form.get('action'))} {visible(form)}"


def visible(form: Element) -> str:
    """The fields of a form that a person fills in, and what its buttons are called."""
    names = {
        f"{control.get('name')}:{control.get('type')}"
        for control in controls(form)
        if control.get("type") != "hidden"
    }
    labels = {re.sub("[0-9]+", "#", control.get("name")) for control in buttons(form)}
    return " ".join([*sorted(names), *sorted(labels - {""})])


# ---------------------------------------------------------------- the site as a process


class Clock:
    """The file that tells the site its time and its chance."""

    def __init__(self, path: Path, moment: float) -> None:
        self.path = path
        self.begin = moment
        self.moment = moment
        path.write_bytes(bytes(LAYOUT.size))
        with path.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), LAYOUT.size)
        self.cast("start")

    def cast(self, words: str) -> None:
        """Chance from now on, by what is about to be asked; another crawl of its records draws anew."""
        seed = hashlib.sha256(f"{self.begin} {words}".encode()).digest()
        self.memory[:] = LAYOUT.pack(self.moment, seed)


@dataclass(frozen=True)
class Plan:
    """What is crawled and how thoroughly."""

    tree: Path
    python: str
    data: Path
    work: Path
    moment: float
    samples: int
    relatives: int
    most: int
    form_samples: int
    form_relatives: int
    sections: int
    senders: tuple[str, ...]
    """The visitors who send the forms that they find."""


LAUNCHER = str(Path(__file__).resolve().with_name("still.py"))


def surroundings(data: Path, clock: Clock) -> dict[str, str]:
    """The environment of the site: nothing of it comes from who crawls."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("TANGXU_", "PYTHON"))}
    steady = {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1", "TZ": "UTC"}
    return inherited | steady | {"TANGXU_DATA": str(data), "STILL_FILE": str(clock.path)}


def told(plan: Plan, data: Path, clock: Clock, *command: str) -> str:
    """What a command prints that an operator runs."""
    process = subprocess.run(
        [plan.python, LAUNCHER, *command], cwd=plan.tree, env=surroundings(data, clock), capture_output=True
    )
    return process.stdout.decode()


def operate(plan: Plan, data: Path, clock: Clock) -> list[str]:
    """What the operator's commands print, one after the other."""
    printed = []
    for number, command in enumerate(COMMANDS):
        clock.cast(f"command {number}")
        printed.append(told(plan, data, clock, *command))
    return printed


@contextmanager
def running(plan: Plan, name: str, command: str, data: Path, clock: Clock) -> Iterator[int]:
    """The site as a process of its own; its port."""
    environment = surroundings(data, clock)
    log = plan.work / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [plan.python, LAUNCHER, command, "--port", "0"],
            cwd=plan.tree, env=environment, stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        yield port_in(log, process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def port_in(log: Path, process: "subprocess.Popen[bytes]") -> int:
    for _ in range(3000):
        text = log.read_text(encoding="utf-8", errors="replace")
        if match := re.search(r"http://127\.0\.0\.1:([0-9]+)", text):
            return int(match[1])
        if process.poll() is not None:
            raise SystemExit(f"✗ The site did not start:\n{text}")
        time.sleep(0.1)
    raise SystemExit(f"✗ The site did not start in time; see {log}")


# ---------------------------------------------------------------- visitors


class Record(NamedTuple):
    """An answer as it is kept."""

    name: str
    lines: list[str]


@dataclass
class Visitor:
    """A browser that runs no script, at one site; it writes down what it sees."""

    name: str
    port: int
    clock: Clock
    htmx: bool = False
    step: float = 0.0
    cookies: dict[str, str] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)
    path: str = "/"
    page: Element = field(default_factory=lambda: Element("#document", {}))
    count: int = 0

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        self.used = time.monotonic()

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """One request; chance is bound to its words, and in a walk to its number and time goes on."""
        self.count += 1
        self.clock.moment += self.step
        self.clock.cast(f"{self.name} {self.count if self.step else ''} {method} {path}")
        request_headers = self.browser_headers()
        request_headers |= {name.replace("_", "-"): value for name, value in headers.items()}
        if time.monotonic() - self.used > 2:  # the site closes connections that nobody uses
            self.connection.close()
        self.connection.request(method, quote(path, safe="/?&=%#:+,;@!~*'()$"), body, request_headers)
        response = self.connection.getresponse()
        response_headers = tuple((name.lower(), value) for name, value in response.getheaders())
        answer = Answer(response.status, response_headers, response.read())
        self.used = time.monotonic()
        if answer.status >= 500:  # the site may close the connection as well
            self.connection.close()
        self.keep_cookies(answer)
        return answer

    def browser_headers(self) -> dict[str, str]:
        headers = {"Host": HOST, "User-Agent": USER_AGENT}
        if self.cookies:
            pairs = [f"{name}={value}" for name, value in sorted(self.cookies.items())]
            headers["Cookie"] = "; ".join(pairs)
        return headers

    def keep_cookies(self, answer: Answer) -> None:
        for name, value in answer.headers:
            if name == "set-cookie":
                key, _, content = value.partition(";")[0].partition("=")
                self.cookies[key] = content.strip('"')
                if not self.cookies[key] or "max-age=0" in value.lower():
                    del self.cookies[key]

    def note(self, name: str, answer: Answer) -> Element | None:
        page = parsed(answer.text) if answer.is_page else None
        self.records.append(Record(normal(name), lines_of(answer, page)))
        return page

    def open(self, path: str, note: str = "") -> Element:
        """A page with all its redirections."""
        for _ in range(5):
            answer = self.ask("GET", path)
            page = self.note(f"{note}GET {path}", answer)
            self.path = path
            self.page = page or Element("#document", {})
            if not 300 <= answer.status < 400 or not answer.leads_to:
                break
            path = answer.leads_to
        return self.page

    def quietly(self, path: str) -> Element:
        """A page that was written down before, opened again for its forms."""
        answer = self.ask("GET", path)
        self.path = path
        self.page = parsed(answer.text if answer.is_page else "")
        return self.page

    def send(self, form: Element, move: Move, typed: dict[str, str] | None = None, note: str = "") -> Answer:
        """Press a button of a form and write the answer down."""
        pressed = buttons(form)[move.button : move.button + 1]
        action = (pressed[0].get("formaction") if pressed else "") or form.get("action") or self.path
        fields = fields_of(form, move, typed)
        method = form.get("method", "get").upper()
        target = urlsplit(urljoin(self.path, action))
        path = target.path + (f"?{target.query}" if target.query else "")
        label = pressed[0].text if pressed else ""
        headers = {"HX_Request": "true"} if self.htmx else {}
        body = None
        if method == "GET":
            path = f"{target.path}?{urlencode(fields)}"
        else:
            body, headers["Content_Type"] = encoded(form, fields)
        headers["Referer"] = f"http://{HOST}{quote(self.path, safe='/?&=%')}"
        answer = self.ask(method, path, body, **headers)
        way = "htmx " if self.htmx else ""
        self.note(f"{note}on {self.path} {way}{method} {path} [{label}] {move.filling}", answer)
        return answer

    def submit(self, action: str, label: str = "", note: str = "", **typed: str) -> None:
        """The first form to an action (a regular expression) with such a button; where it leads is opened."""
        for form in self.page.all("form"):
            places = [place for place, goal in enumerate(goals(form)) if fits(goal, action, label)]
            if places:
                self.follow(self.send(form, Move(places[0], FILLINGS[0]), typed, note), note)
                return
        self.records.append(Record(normal(f"{note}on {self.path} no form {action} [{label}]"), []))

    def follow(self, answer: Answer, note: str) -> None:
        if answer.leads_to:
            self.open(answer.leads_to, note)
        elif answer.is_page:
            self.page = parsed(answer.text)


def goals(form: Element) -> list[tuple[str, str]]:
    """Where each button of a form leads, and what it says; a form without buttons is sent as it is."""
    action = form.get("action")
    return [(button.get("formaction") or action, button.text) for button in buttons(form)] or [(action, "")]


def fits(goal: tuple[str, str], action: str, label: str) -> bool:
    return bool(re.fullmatch(action, goal[0].partition("?")[0])) and goal[1].startswith(label)


def encoded(form: Element, fields: Fields) -> tuple[bytes, str]:
    """The body of a post: an upload where the form has one."""
    if form.get("enctype") != "multipart/form-data":
        return urlencode(fields).encode(), "application/x-www-form-urlencoded"
    boundary = "tangxu-crawl-boundary"
    uploads = [(control.get("name"), "") for control in form.all("input") if control.get("type") == "file"]
    parts = []
    for name, value in fields:
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n')
    for name, value in uploads:
        head = f'Content-Disposition: form-data; name="{name}"; filename="a.txt"\r\nContent-Type: text/plain'
        parts.append(f"--{boundary}\r\n{head}\r\n\r\n{value or WORDS}\r\n")
    return ("".join(parts) + f"--{boundary}--\r\n").encode(), f"multipart/form-data; boundary={boundary}"


def sign_in(visitor: Visitor, name: str) -> None:
    visitor.open("/sign-in")
    visitor.submit("/accounts/sign-ins", login=name, password=PASSWORD)


def become_guest(visitor: Visitor) -> None:
    """The first post of somebody new, at the first step of the first lesson."""
    visitor.open("/lessons/concepts/which-is-better")
    for form in visitor.page.all("form")[:1]:
        answer = visitor.send(form, Move(0, "choice 1"))
        visitor.open(answer.leads_to or visitor.path)


# ---------------------------------------------------------------- crawling


@dataclass
class Crawl:
    """A visitor who follows every link and every form that asks, some of each pattern."""

    visitor: Visitor
    plan: Plan
    patterns: Counter[str] = field(default_factory=Counter)
    families: Counter[str] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)
    forms: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    assets: set[str] = field(default_factory=set)
    fragments: set[str] = field(default_factory=set)

    def run(self, starts: Sequence[str]) -> None:
        level = self.admitted(starts)
        while level:
            links: list[str] = []
            for path in level:
                links += self.visit(path)
            level = self.admitted(links)
        self.fetch_parts()

    def fetch_parts(self) -> None:
        """What pages are made of: fragments, and the kind of each asset."""
        for path in sorted(self.fragments)[: self.plan.most]:
            self.visitor.note(f"htmx GET {path}", self.visitor.ask("GET", path, HX_Request="true"))
        for path in sorted(self.assets):
            answer = self.visitor.ask("GET", path)
            self.visitor.records.append(Record(normal(path), [f"status {answer.status}", answer.type]))

    def admitted(self, links: Iterable[str]) -> list[str]:
        """The new addresses of a level that still fit, in order."""
        level = []
        for path in sorted(set(links) - self.seen):
            self.seen.add(path)
            if self.has_room(path):
                if not self.patterns[pattern(path)]:
                    self.fragments.add(path)
                self.patterns[pattern(path)] += 1
                self.families[family(path)] += 1
                level.append(path)
        return level

    def has_room(self, path: str) -> bool:
        """Whether few like it, and few in all, were visited so far."""
        if self.patterns[pattern(path)] >= self.plan.samples:
            return False
        return (
            self.families[family(path)] < self.plan.relatives and sum(self.patterns.values()) < self.plan.most
        )

    def visit(self, path: str) -> list[str]:
        answer = self.visitor.ask("GET", path)
        page = self.visitor.note(f"GET {path}", answer)
        links = [answer.leads_to] if answer.leads_to else []
        if page is not None:
            links += [link for link in addresses(page, path) if not self.is_asset(link)]
            for form in page.all("form"):
                if form.get("method").lower() == "post":
                    self.forms[form_pattern(form)].append(path)
        return links

    def is_asset(self, path: str) -> bool:
        if path.startswith("/static/"):
            self.assets.add(path)
        return path.startswith("/static/")


def addresses(page: Element, path: str) -> Iterator[str]:
    """Everything on a page that can be fetched from this site."""
    for element in page.walk():
        for name in ("href", "src", "hx-get", "data-hx-get"):
            if element.get(name) and element.tag != "use":
                yield from same_site(element.get(name), path)
        if element.tag == "form" and element.get("method", "get").lower() == "get":
            for filling in FILLINGS[:1] + FILLINGS[2:]:
                query = urlencode(fields_of(element, Move(0, filling)))
                yield from same_site(f"{element.get('action') or urlsplit(path).path}?{query}", path)


def same_site(link: str, path: str) -> Iterator[str]:
    parts = urlsplit(urljoin(f"http://{HOST}{path}", html.unescape(link)))
    if parts.scheme in ("http", "https") and parts.netloc == HOST:
        yield parts.path + (f"?{parts.query}" if parts.query else "")


STRANGE = (
    "/no-such-page",
    "/lessons/concepts/no-such-section",
    "/lessons/concepts/which-is-better?step=99",
    "/practice/no-such-exercise",
    "/classrooms/1",
    "/classrooms/99999",
    "/classrooms/3/gradebook",
    "/assignments/99999",
    "/items/no-such-item",
    "/games/monster?level=2&seed=7",
    "/games/duel?seed=7",
    "/games/duel?seed=abc",
    "/practice/dcg/print?n=12",
    "/practice/dcg?seed=1007",
    "/cards/all?page=99",
    "/join/ZZZZZZ",
    "/invitations/none",
    "/own/99999",
    "/healthz",
)
FINAL = re.compile(
    r"deletion|sign-outs|endings|passwords|archiv|removal|closing|restor|acceptances|/resume-codes|withdraw"
)
"""Posts after which less is left to see; they come last."""


def send_forms(crawl: Crawl) -> None:
    """Every kind of form, filled in several ways; of two pages with the same form the second with htmx."""
    counts: Counter[str] = Counter()
    waiting = sorted(crawl.forms.items(), key=lambda entry: (final(entry[0]), entry[0]))
    for name, paths in waiting:
        relatives = family(name.partition(" ")[0])
        counts[relatives] += 1
        if counts[relatives] > crawl.plan.form_relatives:
            continue
        samples = (paths * 2)[:: max(1, len(paths) - 1)][: max(2, crawl.plan.form_samples)]
        for place, path in enumerate(samples):
            crawl.visitor.htmx = place % 2 == 1
            send_ways(crawl.visitor, name, path)
    crawl.visitor.htmx = False


def final(name: str) -> int:
    if "sign-outs" in name:
        return 2
    return 1 if FINAL.search(name) else 0


def send_ways(visitor: Visitor, name: str, path: str) -> None:
    """Each filling with the first button, then the other buttons; as long as the page has such a form."""
    ways = [Move(0, filling) for filling in FILLINGS] + [Move(button, FILLINGS[0]) for button in range(1, 5)]
    for number, move in enumerate(ways, start=1):
        form = form_like(visitor.quietly(path), name)
        if form is None:
            visitor.records.append(Record(normal(f"form {number} on {path} none like {name}"), []))
            return
        if move.button >= max(1, len(buttons(form))):
            return
        answer = visitor.send(form, move, note=f"form {number}: ")
        if answer.leads_to:
            visitor.open(answer.leads_to, f"form {number} {normal(name)} of {path}: ")


def form_like(page: Element, name: str) -> Element | None:
    """The form of this pattern, or one with the same fields that now goes to another address."""
    forms = [form for form in page.all("form") if form.get("method").lower() == "post"]
    same = [form for form in forms if form_pattern(form) == name]
    alike = [form for form in forms if visible(form) == name.partition(" ")[2] and visible(form)]
    return next(iter([*same, *alike]), None)


# ---------------------------------------------------------------- walks


LEFT_ALONE = re.compile(r"/preferences|/reports|/sign-outs|.*deletion.*|/me/.*|/resume-codes")


def explore(visitor: Visitor, path: str, budget: int) -> str:
    """Do on a page what can be done there, each thing in each way as long as the page is at the same point.

    Forms that lead on come last. Gives where the visitor stands in the end.
    """
    uses: Counter[str] = Counter()
    start = urlsplit(path).path
    for number in range(budget):
        choice = next_move(visitor.quietly(path), uses)
        if choice is None:
            return ""
        form, move = choice
        answer = visitor.send(form, move, note=f"{number}: ")
        if answer.leads_to:
            visitor.open(answer.leads_to, f"{number}: ")
        if form.get("action").endswith("/places"):
            return answer.leads_to or start
        if answer.leads_to and urlsplit(visitor.path).path != start:
            return visitor.path
    return lead_on(visitor, path)


def lead_on(visitor: Visitor, path: str) -> str:
    """To the next step, whatever is left to do in this one."""
    visitor.quietly(path)
    for form in visitor.page.all("form"):
        if form.get("action").endswith("/places"):
            answer = visitor.send(form, Move(0, FILLINGS[0]), note="on: ")
            return answer.leads_to
    return ""


def next_move(page: Element, uses: Counter[str]) -> tuple[Element, Move] | None:
    """The first thing that was not done yet in this state of the page."""
    for form in sorted(work_forms(page), key=lambda form: form.get("action").endswith("/places")):
        ways = moves(form)
        state = state_of(form)
        if uses[state] < len(ways):
            uses[state] += 1
            return form, ways[uses[state] - 1]
    return None


def work_forms(page: Element) -> Iterator[Element]:
    """The posts of the page itself, without those that end things or belong to the frame."""
    main = (page.all("main") or [page])[0]
    for form in main.all("form"):
        if form.get("method").lower() == "post" and not LEFT_ALONE.fullmatch(form.get("action")):
            yield form


def state_of(form: Element) -> str:
    """What a form is about: its fields, and those hidden ones that do not change with every try."""
    hidden = [
        f"{control.get('name')}={control.get('value')}"
        for control in controls(form)
        if control.get("type") == "hidden"
    ]
    lasting = [field for field in hidden if not field.startswith(("shown=", "guest=", "try=", "next="))]
    return " ".join([visible(form) or form.get("action"), *lasting])


def moves(form: Element) -> list[Move]:
    """Unreadable, a number, each choice in turn, the right number where it is known; then other buttons."""
    fillable = [control for control in controls(form) if control.get("type") != "hidden"]
    count = max(1, min(4, len(buttons(form))))
    if not fillable:
        first = len(form.get("action")) + sum(len(control.get("value")) for control in controls(form))
        return [Move((first + button) % count, FILLINGS[0]) for button in range(count)]
    ways = [Move(0, filling) for filling in ("words", "as it stands", "numbers", *choices(fillable))]
    if any(control.get("value") in RIGHT for control in controls(form)):
        ways.append(Move(0, "right"))
    return [*ways, *(Move(button, FILLINGS[0]) for button in range(1, count))]


def choices(fillable: list[Element]) -> list[str]:
    """A filling for each place of the largest group of boxes, six at most."""
    boxes = [control for control in fillable if control.get("type") in ("radio", "checkbox")]
    groups = Counter(control.get("name") for control in boxes)
    largest = max(groups.values(), default=0)
    return [f"choice {number}" for number in range(1, min(6, largest) + 1)]


def play(visitor: Visitor, path: str, pages: int, budget: int) -> None:
    """Explore a page and those to which it leads."""
    for _ in range(pages):
        path = explore(visitor, path, budget)
        if not path:
            return


STAGES = (
    "concepts",
    "definitions",
    "practice",
    "code",
    "applications",
    "comparison",
    "optimisation",
    "significance",
)
PLACES = (
    *("/placement", "/cards/review", "/cards", "/cards/new", "/cards/settings", "/cards/files", "/labs"),
    *("/games/duel?seed=7", "/games/monster?level=1&seed=7", "/games/monster?level=3&seed=11"),
    *("/practice/dcg?seed=1007", "/practice/ndcg?seed=1007&level=2", "/mistakes", "/code", "/own/new"),
    *("/errata", "/practice", "/examples"),
)


def learn(visitor: Visitor, plan: Plan) -> None:
    """Lessons, examples, cards, games and practice as a guest meets them."""
    become_guest(visitor)
    for stage in STAGES:
        page = visitor.quietly(f"/lessons/{stage}")
        sections = sorted({link for link in addresses(page, "/") if link.startswith(f"/lessons/{stage}/")})
        for section in sections[: plan.sections]:
            play(visitor, section, 14, 9)
    for place in PLACES:
        visitor.open(place)
        links = [link for link in addresses(visitor.page, place) if is_inside(link, place)]
        for path in [place, *sorted(set(links))[: plan.sections]]:
            play(visitor, path, 3, 14)
    write_cards(visitor)
    come_again(visitor)
    for path in HISTORIES:
        visitor.open(path, "after: ")


HISTORIES = ("/cards", "/progress", "/me", "/mistakes", "/practice", "/", "/cards/stats", "/me/data.json")
"""Pages that show what a learner did."""


def write_cards(visitor: Visitor) -> None:
    """Cards of one's own: written, changed, thrown away."""
    for front in ("几点上课？", "几点放学？"):
        visitor.open("/cards/new")
        visitor.submit("/cards/own", front=front, back="八点", tags="学校")
        edit = f"{urlsplit(visitor.path).path}/edit"
        for action in ("edit", "deletion"):
            visitor.open(edit)
            visitor.submit(f"/cards/[^/]+/{action}", front="几点熄灯？", back="十点")


def come_again(visitor: Visitor) -> None:
    """A guest on another device, with a code to go on."""
    for path in ("/labs/lambdarank", "/labs/lambdarank/board", "/me"):
        visitor.open(path)
    visitor.submit("/resume-codes")
    words_of_page = "\n".join(element.text for element in visitor.page.walk())
    codes = re.findall(r"^[2-9A-Z]{4,}(?:[ -][2-9A-Z]{4,})*$", words_of_page, flags=re.MULTILINE)
    device = Visitor("other device", visitor.port, visitor.clock, visitor.htmx, STEP, records=visitor.records)
    for code in ("ZZZZ", *codes[:1]):
        device.open("/me")
        device.submit("/sign-ins", code=code)
    visitor.open("/me")
    visitor.submit("/me/devices/endings")


def is_inside(link: str, place: str) -> bool:
    return link.startswith(f"{place}/") and not place.startswith("/own")


QUESTIONS = """\
title: 排队买糖
skill: discount

items:
  first:
    stem: 第1名不打折。
    answer: true
    feedback:
      right: 对，除以1等于没打折。
      wrong: 名次加1是2，对数是1。
    hints:
      - 先把名次加1。
"""


@dataclass
class School:
    """A class from its first day on, with one clock for all who have to do with it."""

    teacher: Visitor
    colleague: Visitor
    pupil: Visitor
    guest: Visitor
    invitation: str
    second_invitation: str
    here: str = ""
    work: str = ""

    def run(self) -> None:
        sign_in(self.teacher, TEACHER)
        sign_in(self.colleague, OTHER_TEACHER)
        self.begin()
        self.assign()
        self.do()
        self.mark()
        self.write_own()
        self.review()
        self.finish()
        self.leave()

    def finish(self) -> None:
        """What ends things, and what begins them again; what scripts ask for; accounts."""
        self.teacher.open(f"{self.here}/projector")
        self.teacher.submit(f"{self.here}/openings")
        code = self.code()
        self.guest.open(f"/join/{code}")
        self.guest.submit(f"/join/{code}")
        students = [
            link for link in addresses(self.teacher.quietly(self.here), self.here) if "/students/" in link
        ]
        student = min(students, default=f"{self.here}/students/1")
        for page, action in ENDINGS:
            path = page.format(here=self.here, work=self.work, student=student)
            self.teacher.open(path)
            self.teacher.submit(f"(?:{self.here}|{self.work}|{student})/{action}")
        for path in (f"{self.here}/arrivals", f"{self.here}/today/live", f"{self.here}/today"):
            self.teacher.open(path)
        for visitor in (self.colleague, self.guest, self.pupil):
            end_devices(visitor)
        self.guest.open(self.second_invitation)
        self.guest.submit(".*/acceptances")

    def review(self) -> None:
        """Cards that are due, each rated in another way; the last rating undone and given again."""
        learner = Visitor("learner", self.pupil.port, self.pupil.clock, self.pupil.htmx, STEP)
        learner.records = self.pupil.records
        sign_in(learner, PUPIL)
        for number in range(12):
            page = learner.open("/cards/review")
            rate(learner, page, number)
            if number % 4 == 3:
                learner.submit("/cards/undone")
        play(learner, "/cards/review", 2, 6)
        learner.open("/cards/stats")

    def begin(self) -> None:
        """A class, its roster, a pupil who comes with the code, somebody who signs up alone."""
        self.teacher.open("/classrooms")
        self.teacher.submit("/classrooms", name="高二1班")
        self.here = self.teacher.path.rpartition("/")[0]
        code = self.code()
        for roster in ("学号,姓名\n01,糖一\n02,糖二\n02,糖二\n,\n", "学号,姓名\n11,糖四\n12,欧阳糖\n"):
            self.teacher.open(f"{self.here}/roster")
            self.teacher.submit(f"{self.here}/roster-previews", text=roster)
            self.teacher.submit(f"{self.here}/roster")
        for name in ("", "糖三"):
            self.pupil.open(f"/join/{code}")
            self.pupil.submit(f"/join/{code}/accounts", name=name)
        self.sign_up()
        self.teacher.open(self.here)

    def sign_up(self) -> None:
        """A new teacher who is invited, and somebody without a class."""
        newcomer = Visitor("newcomer", self.guest.port, self.guest.clock, self.guest.htmx, STEP)
        newcomer.records = self.guest.records
        for login in ("王老师", "张老师", "赵老师"):
            newcomer.open(self.invitation)
            newcomer.submit(f"{self.invitation}/accounts", login=login, password="越甜越靠前的糖")  # noqa: S106
        for password in ("123", "越甜越靠前的糖"):
            self.guest.open("/sign-up")
            self.guest.submit("/accounts", login="新来的", password=password)

    def code(self) -> str:
        """The code of the class, from the page for the projector."""
        page = self.teacher.quietly(f"{self.here}/projector")
        codes = [word for element in page.walk() for word in re.findall(r"^[2-9A-Z]{6}$", element.text)]
        return codes[0] if codes else "ZZZZZZ"

    def assign(self) -> None:
        """An assignment of questions, practice and a game; changed, looked at, published, prolonged."""
        self.teacher.open(f"{self.here}/assignments")
        self.teacher.submit(f"{self.here}/assignments", title="第一周")
        self.work = urlsplit(self.teacher.path).path
        for kind, ref, count in PARTS:
            fields = {"kind": kind, "ref": ref, "count": count, "level": "1", "points": "2"}
            self.post(self.teacher, f"{self.work}/parts", list(fields.items()))
        for path in (f"{self.work}/preview", f"{self.work}/items", f"{self.work}/items?skill=dcg"):
            self.teacher.open(path)
        for action in ("parts/settings", "parts/[0-9]+/moves", "parts/[0-9]+/swaps", "parts/[0-9]+/removals"):
            self.teacher.open(self.work)
            self.teacher.submit(f"{self.work}/{action}")
        for action in ("settings", "publications"):
            self.teacher.open(self.work)
            self.teacher.submit(f"{self.work}/{action}", due_at=MOMENT)
        self.teacher.open(self.work)
        play(self.teacher, self.work, 1, 3)

    def post(self, visitor: Visitor, path: str, fields: Fields) -> None:
        headers = {"HX_Request": "true"} if visitor.htmx else {}
        kind = "application/x-www-form-urlencoded"
        answer = visitor.ask("POST", path, urlencode(fields).encode(), Content_Type=kind, **headers)
        visitor.note(f"POST {path} {fields}", answer)

    def do(self) -> None:
        """The work of the pupil: opened, answered, handed in, looked at again; a stranger sees nothing."""
        task = f"/assignments/{self.work.rpartition('/')[2]}"
        for path in ("/", "/assignments", task):
            self.pupil.open(path)
        self.pupil.submit(f"{task}/passes")
        for number, filling in itertools.product(range(1, 6), ("words", "numbers", "choice 2", "right")):
            self.answer(f"{task}/questions/{number}", filling)
        for number in range(1, 6):
            play(self.pupil, f"{task}/questions/{number}", 1, 4)
        self.hand_in(task)

    def hand_in(self, task: str) -> None:
        """The work is handed in and looked at again; a stranger sees nothing of it."""
        self.pupil.open(task)
        self.pupil.open(f"{task}/hand-in")
        self.pupil.submit(f"{task}/hand-ins")
        for path in (task, f"{task}/passes/1", f"{task}/questions/1", "/assignments", "/progress"):
            self.pupil.open(path)
        self.guest.open(task)

    def answer(self, path: str, filling: str) -> None:
        """A question of the work: a draft, a hint, an order, and its form."""
        self.post(self.pupil, f"{path}/drafts", [("answer", filling), ("shown", "")])
        self.post(self.pupil, f"{path}/hints", [("number", "1")])
        self.post(self.pupil, f"{path}/orderings", [("answer", "1"), ("move", "0")])
        page = self.pupil.open(path)
        for form in page.all("form"):
            if form.get("action").endswith("/responses"):
                self.pupil.send(form, Move(0, filling))

    def mark(self) -> None:
        """The gradebook, the work of a pupil with a mark set by hand, marking again, what was done."""
        for path in REPORTS:
            self.teacher.open(f"{self.here}/{path}")
            self.colleague.open(f"{self.here}/{path}")
        page = self.teacher.quietly(f"{self.here}/gradebook")
        for path in sorted({link for link in addresses(page, self.here) if "/students/" in link})[:2]:
            self.teacher.open(path)
            self.teacher.submit(f"{path}/overrides", points="1", reason="写得清楚")
            play(self.teacher, path, 1, 8)
        for path in (f"{self.work}/review", self.work):
            self.teacher.open(path)
            play(self.teacher, path, 1, 4)
        for work in (self.work, *assignments_of(self.teacher, "/classrooms/1")):
            self.mark_again(f"{work}/regrades")
        for path in REPORTS:
            self.teacher.open(f"{self.here}/{path}", "after: ")

    def mark_again(self, regrades: str) -> None:
        """The first parts of an assignment that can be marked again."""
        page = self.teacher.open(regrades)
        parts = sorted({link for link in addresses(page, regrades) if "/regrades?" in link})
        for path in parts[:4]:
            self.teacher.open(path)
            play(self.teacher, path, 1, 3)

    def write_own(self) -> None:
        """Questions of a teacher's own: wrong, right, shared, copied by a colleague, changed."""
        for text in ("title: [", QUESTIONS):
            self.teacher.open("/own/new")
            self.write_text(text)
        own = urlsplit(self.teacher.path).path
        for path in (f"{own}/file.yaml", f"{own}/items/first"):
            self.teacher.open(path)
            play(self.teacher, path, 1, 6)
        self.teacher.open(own)
        self.teacher.submit(f"{own}/shares")
        page = self.teacher.open(own)
        for path in sorted({link for link in addresses(page, own) if link.startswith(f"{own}-")}):
            for visitor in (self.guest, self.pupil, self.colleague):
                visitor.open(path)
                visitor.submit(r"/own/[^/]+/copies")
        play(self.teacher, own, 1, 12)

    def write_text(self, text: str) -> None:
        """Send a text of one's own, whatever its field is called."""
        for form in self.teacher.page.all("form"):
            if form.get("action") == "/own":
                typed = {area.get("name"): text for area in form.all("textarea")}
                answer = self.teacher.send(form, Move(0, FILLINGS[0]), typed)
                self.teacher.open(answer.leads_to or "/own")

    def leave(self) -> None:
        """Wrong addresses and wrong posts, then everybody signs out."""
        for visitor in (self.teacher, self.pupil, self.guest):
            for path in ("/accounts/sign-ins", "/accounts", "/own", "/reports", "/classrooms", "/cards/own"):
                self.post(visitor, path, [])
                self.post(visitor, path, [("login", "王老师"), ("password", "falsch"), ("name", "x" * 500)])
            for path in ("/lessons/concepts/responses", "/lessons/none/responses", "/practice/dcg/hints"):
                self.post(visitor, path, [("item", "none"), ("number", "x"), ("answer", "1")])
            self.post(visitor, "/reports", [("text", "x" * 70_000)])
            visitor.open("/no-such-page")
            visitor.open("/me")
            visitor.submit("/sign-outs")
            visitor.open("/me")


def rate(learner: Visitor, page: Element, number: int) -> None:
    """Press another button, and fill in another way, with every card."""
    for form in page.all("form"):
        if form.get("action").endswith(("/reviews", "/answers")):
            button = number % max(1, len(buttons(form)))
            answer = learner.send(form, Move(button, FILLINGS[number % 3]))
            learner.open(answer.leads_to or "/cards/review")
            return


def end_devices(visitor: Visitor) -> None:
    """Another password, then the other devices one by one and at once."""
    for action in ("/me/passwords", "/me/devices/[^/]+/endings", "/me/devices/endings"):
        visitor.open("/me")
        visitor.submit(action, old="越甜越靠前的糖", password="越甜越靠前的糖", new="更甜的糖排更前")  # noqa: S106


PARTS = (
    ("item", "content:cg-chengdu", "1"),
    ("practice", "content:dcg-at-k", "2"),
    ("game", "duel", "1"),
    ("item", "content:no-such-item", "1"),
    ("item", "content:cg-chengdu", "1"),
)


ENDINGS = (
    *(("{here}/projector", "openings"), ("{here}/projector", "closings")),
    *(("{student}", "removals"), ("{here}", "returns"), ("{here}", "students/[0-9]+/returns")),
    *(("{work}", "assignees"), ("{work}", "collections"), ("{work}", "copies"), ("{work}", "closings")),
    *(
        ("{work}", "removals"),
        ("{here}", "archivings"),
        ("{here}", "restorings"),
        ("/classrooms", "restorings"),
    ),
)
"""Pages of a teacher, and what is sent from there."""
REPORTS = (
    "gradebook",
    "gradebook.csv",
    "gradebook.xlsx",
    "today",
    "mistakes",
    "items",
    "map",
    "tests",
    "audit",
)


def assignments_of(teacher: Visitor, classroom: str) -> list[str]:
    page = teacher.quietly(f"{classroom}/assignments")
    links = {link for link in addresses(page, classroom) if re.fullmatch(r".*/assignments/[0-9]+", link)}
    return sorted(links)


# ---------------------------------------------------------------- tasks


ROLES: dict[str, Callable[[Visitor], None]] = {
    "teacher": lambda visitor: sign_in(visitor, TEACHER),
    "pupil": lambda visitor: sign_in(visitor, PUPIL),
    "other-teacher": lambda visitor: sign_in(visitor, OTHER_TEACHER),
    "guest": become_guest,
    "nobody": lambda _: None,
}
WALKS = {"walk-school": False, "walk-school-htmx": True, "walk-lessons": False, "walk-lessons-htmx": True}
TASKS = (
    "walk-lessons",
    "walk-lessons-htmx",
    "teacher",
    "pupil",
    "other-teacher",
    "guest",
    "nobody",
    "walk-school",
    "walk-school-htmx",
)


def perform(plan: Plan, task: str) -> tuple[str, list[Record], float]:
    """One crawl or walk, at a site of its own with records of its own."""
    begun = time.monotonic()
    data = plan.work / f"data-{task}"
    shutil.copytree(plan.data, data)
    clock = Clock(plan.work / f"clock-{task}", plan.moment)
    commands = operate(plan, data, clock) if "school" in task else []
    with running(plan, task, "serve", data, clock) as port:
        records = (
            walk(plan, task, port, clock, commands) if task in WALKS else crawl_as(plan, task, port, clock)
        )
    return task, records, time.monotonic() - begun


def crawl_as(plan: Plan, role: str, port: int, clock: Clock) -> list[Record]:
    visitor = Visitor(role, port, clock)
    ROLES[role](visitor)
    crawl = Crawl(visitor, plan)
    crawl.run(["/", *STRANGE])
    if role in plan.senders:
        visitor.step = STEP
        send_forms(crawl)
    return visitor.records


COMMANDS = (
    *(
        ("teacher", "invite"),
        ("teacher", "invite"),
        ("teacher", "list"),
        ("account", "list"),
        ("account", "disable", "叶知秋"),
    ),
    *(("account", "reset", "余思齐"), ("reports",), ("rebuild",), ("check",), ("settings",), ("schema",)),
    *(("account", "--help"), ("teacher", "--help"), ("--help",)),
)
"""Commands of an operator, run before the walk through a school; the first two invite teachers."""


def walk(plan: Plan, task: str, port: int, clock: Clock, printed: list[str]) -> list[Record]:
    htmx = WALKS[task]
    if "lessons" in task:
        visitor = Visitor("guest", port, clock, htmx, STEP)
        learn(visitor, plan)
        return visitor.records
    records = []
    for command, text in zip(COMMANDS, printed, strict=True):
        lines = [without_folders(line, plan) for line in text.splitlines()]
        records.append(Record(f"python -m app {' '.join(command)}", lines))
    teacher, colleague, pupil, guest = (
        Visitor(name, port, clock, htmx, STEP, records=records)
        for name in ("teacher", "colleague", "pupil", "guest")
    )
    first, second = map(invitation, printed[:2])
    School(teacher, colleague, pupil, guest, first, second).run()
    return records


def invitation(text: str) -> str:
    """The address that a command names."""
    match = re.search(r"/invitations/\S+", text)
    return match[0] if match else "/invitations/none"


def without_folders(line: str, plan: Plan) -> str:
    """A line of a command; folders of this crawl and this machine's addresses have no place in it."""
    line = re.sub(re.escape(str(plan.work)) + r"/[\w-]+", "<data>", line).replace(str(plan.tree), "<tree>")
    return normal(re.sub(r"http://[0-9.:]+/", "http://<address>/", line))


# ---------------------------------------------------------------- commands


def amounts(*, quick: bool) -> dict[str, Any]:
    """How many pages of a pattern, of relatives of a pattern, of all; the same for forms; sections walked."""
    few = {"samples": 1, "relatives": 12, "most": 350, "form_samples": 1, "form_relatives": 5, "sections": 1}
    many = {
        "samples": 8,
        "relatives": 200,
        "most": 1500,
        "form_samples": 2,
        "form_relatives": 30,
        "sections": 9,
    }
    senders = ("teacher", "pupil") if quick else ("teacher", "pupil", "other-teacher", "guest")
    return (few if quick else many) | {"senders": senders}


def make(arguments: argparse.Namespace) -> int:
    """Crawl one tree into a folder."""
    begun = time.monotonic()
    out = Path(arguments.out).resolve()
    with tempfile.TemporaryDirectory(prefix="tangxu-crawl-") as folder:
        work = Path(folder)
        plan = plan_of(arguments, work)
        if not arguments.data:
            with running(plan, "demo", "demo", work / "term", Clock(work / "clock-demo", BEGIN)):
                pass
        tasks = [task for task in TASKS if re.search(arguments.only, task)]
        out.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(arguments.workers) as pool:
            for task, records, seconds in pool.map(perform, [plan] * len(tasks), tasks):
                write(out / f"{task}.jsonl", records)
                print(f"{task:20} {len(records):5} answers {seconds:6.0f} s", flush=True)
        keep(plan, arguments.keep)
    print(f"{time.monotonic() - begun:.0f} s")
    return 0


def plan_of(arguments: argparse.Namespace, work: Path) -> Plan:
    """The crawl of a new demonstration, or, a day later, of records that are there already."""
    data, moment = work / "term" / "demo", BEGIN
    if arguments.data:
        data, moment = Path(arguments.data).resolve(), BEGIN + DAY
    tree = Path(arguments.tree).resolve()
    return Plan(tree, arguments.python, data, work, moment, **amounts(quick=arguments.quick))


def keep(plan: Plan, target: str | None) -> None:
    """The data folder as the walk through a school left it."""
    if target:
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(plan.work / "data-walk-school", target)


def write(path: Path, records: Sequence[Record]) -> None:
    """One line of JSON for each answer; a name that comes again gets a number."""
    names: Counter[str] = Counter()
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            names[record.name] += 1
            number = f" ({names[record.name]})" if names[record.name] > 1 else ""
            row = {"name": record.name + number, "lines": record.lines}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def read(path: Path) -> dict[str, list[str]]:
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return {row["name"]: row["lines"] for row in rows}


def compare(arguments: argparse.Namespace) -> int:
    """The differences, page by page."""
    older = Path(arguments.older)
    newer = Path(arguments.newer)
    ignored = re.compile(arguments.ignore) if arguments.ignore else None
    total = 0
    for name in sorted({path.name for folder in (older, newer) for path in folder.glob("*.jsonl")}):
        before = read(older / name)
        after = read(newer / name)
        task = name.removesuffix(".jsonl")
        different = 0
        for page in before | after:
            lines = difference(before.get(page), after.get(page), ignored)
            different += bool(lines)
            if lines and total + different <= arguments.most:
                print("\n".join([f"=== {task}: {page}", *lines, ""]))
        total += different
        print(f"{task:20} {len(before):5} and {len(after):5} answers, {different} differ")
    return 1 if total else 0


def difference(
    before: list[str] | None, after: list[str] | None, ignored: re.Pattern[str] | None
) -> list[str]:
    if before is None or after is None:
        return ["- (not there)" if before is None else "+ (not there)"]
    if ignored:
        before = [line for line in before if not ignored.search(line)]
        after = [line for line in after if not ignored.search(line)]
    if before == after:
        return []
    return list(difflib.unified_diff(before, after, lineterm="", n=2))[2:]


def main() -> int:
    summary, _, more = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        description=summary, epilog=more, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    add_options_of_make(commands.add_parser("make", help="crawl a tree into a folder"))
    add_options_of_compare(commands.add_parser("compare", help="compare two folders"))
    arguments = parser.parse_args()
    return int(arguments.run(arguments))


def add_options_of_make(making: argparse.ArgumentParser) -> None:
    making.add_argument("out", help="folder for the answers")
    making.add_argument("--tree", default=str(ROOT), help="checkout of the version to crawl")
    making.add_argument("--data", help="data folder to copy and serve instead of a new demonstration")
    making.add_argument("--keep", help="where to leave the data folder after the walk through a school")
    making.add_argument("--quick", action="store_true", help="fewer samples of each pattern")
    making.add_argument("--only", default="", help="regular expression of the tasks to run")
    making.add_argument("--workers", type=int, default=2, help="how many sites at once")
    making.add_argument("--python", default=sys.executable, help="interpreter for the site")
    making.set_defaults(run=make)


def add_options_of_compare(comparing: argparse.ArgumentParser) -> None:
    comparing.add_argument("older")
    comparing.add_argument("newer")
    comparing.add_argument("--most", type=int, default=40, help="how many differing pages to print")
    comparing.add_argument("--ignore", help="regular expression of lines that do not count")
    comparing.set_defaults(run=compare)


if __name__ == "__main__":
    sys.exit(main())
