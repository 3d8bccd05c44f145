"""Requests with odd fields, drawn from a seed: whatever strangers send is met by a page."""

import random
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from bench.servers import ours
from tests.faults.visitors import FORM, Visitor, become_teacher

HOSTILE = [
    "", " ", "0", "-1", "9" * 40, "1e999", "nan", "１２", "1" * 60 + "a", "\u0301\u0316" * 400, "甜" * 3000,
    "\0", "\x1b]0;x\x07", "\u202e", "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{7*7}}",
    "{% x %}", "' OR 1=1 --", "../../etc/passwd", "//example.org", "\r\nX-A: 1", "$" + "(" * 300 + "$",
    "\\(" * 300, "[" * 500, "a: &a [*a]", "=1+1", "%00", "\ud800", "🍬" * 50,
]  # fmt: skip
POSTS = {
    "/practice/dcg-1-1/responses": ["item", "answer", "try", "seed", "shown", "guest", "next"],
    "/practice/dcg-1-1/hints": ["item", "hint", "answer", "guest"],
    "/practice/dcg-1-1/orderings": ["item", "answer", "move", "next"],
    "/cards/own": ["front", "back", "tags", "look", "guest", "next"],
    "/cards/imports": ["text", "keep", "skip", "guest"],
    "/sign-in": ["login", "password", "next"],
    "/own/previews": ["text", "own", "begun"],
    "/problem-reports": ["text", "item", "next", "guest"],
    "/classrooms/1/roster": ["rows", "login-2"],
    "/classrooms": ["name"],
}
GETS = {
    "/bands": ["grades", "k", "gain", "more"],
    "/practice/dcg": ["level", "seed", "item", "typed", "read"],
    "/practice/dcg/print": ["level", "n", "seed"],
    "/cards/new": ["step", "item", "seed", "example", "card"],
    "/cards/all": ["page", "stage", "kept"],
    "/games/monster": ["level", "seed"],
    "/join": ["code"],
}
LONGEST_IN_ADDRESS = 900
EXPECTED = (200, 303, 400, 401, 403, 404, 405, 409, 413, 422, 429)
RAN = ("<script>alert", "onerror=alert(1)>")
"""What stands in a page only where text of a stranger became code."""


class OddRequest(NamedTuple):
    """What is asked, with the bytes of each field."""

    method: str
    path: str
    fields: Mapping[str, bytes]

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.fields}"[:600]


def draw(chance: random.Random) -> OddRequest:
    """A request of the kinds above, most of its fields odd."""
    method, table = chance.choice([("POST", POSTS), ("GET", GETS)])
    path = chance.choice(sorted(table))
    fields = {}
    for name in table[path]:
        text = chance.choice(HOSTILE)
        if chance.random() < 0.8 and (method == "POST" or len(text) < LONGEST_IN_ADDRESS):
            fields[name] = text.encode("utf-8", "surrogatepass")
    return OddRequest(method, path, fields)


def flaws(status: int, text: str) -> list[str]:
    """What is wrong with an answer to an odd request."""
    wrong = [f"{sign} in the page" for sign in RAN if sign in text]
    if status not in EXPECTED:
        wrong.append(f"status {status}")
    return wrong


def odd_requests(seed: int, count: int, data: Path) -> Iterator[tuple[int, list[str]]]:
    """As many to a real server, as a teacher: how many were sent, and what was wrong since then."""
    data.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    wrong: list[str] = []
    with ours(data) as server, closing(Visitor(server.url)) as sender:
        become_teacher(sender, data)
        for number in range(1, count + 1):
            request = draw(chance)
            wrong += [f"{flaw}: {request}" for flaw in send(request, sender)]
            if number % 1000 == 0 or number == count:
                yield number, wrong
                wrong = []
        log = (data / "server.log").read_text("utf-8", "replace")
    if "Traceback" in log:
        yield count, [f"a traceback in the server's log: {log[log.index('Traceback') :][:2000]}"]


def send(request: OddRequest, sender: Visitor) -> list[str]:
    encoded = urlencode(request.fields)
    if request.method == "GET":
        reply = sender.open(f"{request.path}?{encoded}")
    else:
        reply = sender.send("POST", request.path, encoded.encode(), FORM)
    return flaws(reply.status, reply.text)
