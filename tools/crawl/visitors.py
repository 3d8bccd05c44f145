"""Browsers that run no script, and what they see, written down."""

import http.client
import re
import time
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote, urlencode, urljoin, urlsplit

from .answers import Answer, answer_lines
from .elements import Element, parsed_page
from .forms import FILLINGS, TYPED_WORDS, Fields, Move, buttons, fields_of
from .page_lines import without_chance
from .process import Clock

HOST = "tangxu.example"
USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36"


class AnswerRecord(NamedTuple):
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
    step_seconds: float = 0.0
    cookies: dict[str, str] = field(default_factory=dict)
    records: list[AnswerRecord] = field(default_factory=list)
    path: str = "/"
    page: Element = field(default_factory=lambda: Element("#document", {}))
    request_count: int = 0

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        self.used_at = time.monotonic()

    def beside(self, name: str) -> "Visitor":
        """Another browser at the same site in the same walk, whose answers go to the same records."""
        return Visitor(name, self.port, self.clock, self.htmx, self.step_seconds, records=self.records)

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """One request; chance is bound to its words, and in a walk to its number and time goes on."""
        self.request_count += 1
        self.clock.moment += self.step_seconds
        self.clock.bind_chance(
            f"{self.name} {self.request_count if self.step_seconds else ''} {method} {path}"
        )
        request_headers = self.browser_headers()
        request_headers |= {name.replace("_", "-"): value for name, value in headers.items()}
        if time.monotonic() - self.used_at > 2:  # the site closes connections that nobody uses
            self.connection.close()
        self.connection.request(method, quote(path, safe="/?&=%#:+,;@!~*'()$"), body, request_headers)
        response = self.connection.getresponse()
        response_headers = tuple((name.lower(), value) for name, value in response.getheaders())
        answer = Answer(response.status, response_headers, response.read())
        self.used_at = time.monotonic()
        if answer.status >= 500:  # the site may close the connection as well
            self.connection.close()
        self.store_cookies(answer)
        return answer

    def browser_headers(self) -> dict[str, str]:
        headers = {"Host": HOST, "User-Agent": USER_AGENT}
        if self.cookies:
            pairs = [f"{name}={value}" for name, value in sorted(self.cookies.items())]
            headers["Cookie"] = "; ".join(pairs)
        return headers

    def store_cookies(self, answer: Answer) -> None:
        for name, value in answer.headers:
            if name == "set-cookie":
                key, _, content = value.partition(";")[0].partition("=")
                self.cookies[key] = content.strip('"')
                if not self.cookies[key] or "max-age=0" in value.lower():
                    del self.cookies[key]

    def keep_lines(self, name: str, lines: list[str]) -> None:
        self.records.append(AnswerRecord(without_chance(name), lines))

    def record(self, name: str, answer: Answer) -> Element | None:
        page = parsed_page(answer.text) if answer.is_page else None
        self.keep_lines(name, answer_lines(answer, page))
        return page

    def open(self, path: str, note: str = "") -> Element:
        """A page with all its redirections."""
        for _ in range(5):
            answer = self.request("GET", path)
            page = self.record(f"{note}GET {path}", answer)
            self.path = path
            self.page = page or Element("#document", {})
            if not 300 <= answer.status < 400 or not answer.leads_to:
                break
            path = answer.leads_to
        return self.page

    def reopen(self, path: str) -> Element:
        """A page that was written down before, opened again for its forms."""
        answer = self.request("GET", path)
        self.path = path
        self.page = parsed_page(answer.text if answer.is_page else "")
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
            body, headers["Content_Type"] = encoded_body(form, fields)
        headers["Referer"] = f"http://{HOST}{quote(self.path, safe='/?&=%')}"
        answer = self.request(method, path, body, **headers)
        way = "htmx " if self.htmx else ""
        self.record(f"{note}on {self.path} {way}{method} {path} [{label}] {move.filling}", answer)
        return answer

    def submit(self, action: str, label: str = "", note: str = "", **typed: str) -> None:
        """The first form to an action (a regular expression) with such a button; where it leads is opened."""
        for form in self.page.all("form"):
            for button, target in enumerate(button_targets(form)):
                if is_target(target, action, label):
                    self.follow(self.send(form, Move(button, FILLINGS[0]), typed, note), note)
                    return
        self.keep_lines(f"{note}on {self.path} no form {action} [{label}]", [])

    def follow(self, answer: Answer, note: str) -> None:
        if answer.leads_to:
            self.open(answer.leads_to, note)
        elif answer.is_page:
            self.page = parsed_page(answer.text)


def button_targets(form: Element) -> list[tuple[str, str]]:
    """Where each button of a form leads, and what it says; a form without buttons is sent as it is."""
    action = form.get("action")
    return [(button.get("formaction") or action, button.text) for button in buttons(form)] or [(action, "")]


def is_target(target: tuple[str, str], action: str, label: str) -> bool:
    address, button_text = target
    return bool(re.fullmatch(action, address.partition("?")[0])) and button_text.startswith(label)


def encoded_body(form: Element, fields: Fields) -> tuple[bytes, str]:
    """The body of a post: an upload where the form has one."""
    if form.get("enctype") != "multipart/form-data":
        return urlencode(fields).encode(), "application/x-www-form-urlencoded"
    boundary = "tangxu-crawl-boundary"
    uploads = [control.get("name") for control in form.all("input") if control.get("type") == "file"]
    parts = []
    for name, value in fields:
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n')
    for name in uploads:
        head = f'Content-Disposition: form-data; name="{name}"; filename="a.txt"\r\nContent-Type: text/plain'
        parts.append(f"--{boundary}\r\n{head}\r\n\r\n{TYPED_WORDS}\r\n")
    return ("".join(parts) + f"--{boundary}--\r\n").encode(), f"multipart/form-data; boundary={boundary}"


STEP_SECONDS = 7.0
"""Seconds between two steps of a walk."""
PASSWORD = "tangxu-demo"  # noqa: S105  # printed by the demonstration at every start
TEACHER, OTHER_TEACHER, PUPIL = "王老师", "李老师", "周雨桐"


def sign_in(visitor: Visitor, name: str) -> None:
    visitor.open("/sign-in")
    visitor.submit("/accounts/sign-ins", login=name, password=PASSWORD)


def become_guest(visitor: Visitor) -> None:
    """The first post of somebody new, at the first step of the first lesson."""
    visitor.open("/lessons/concepts/which-is-better")
    for form in visitor.page.all("form")[:1]:
        answer = visitor.send(form, Move(0, "choice 1"))
        visitor.open(answer.leads_to or visitor.path)
