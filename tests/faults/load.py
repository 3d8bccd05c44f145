"""Guests who answer on and on, each in a thread, as browsers do: what they send follows from a seed."""

import http.client
import random
import string
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlencode, urlsplit

from app.records.accounts.tokens import HTTPS_PREFIX
from tests.faults.ledger import Entry, Ledger, answer_entry

LETTERS = string.ascii_letters + string.digits


@dataclass(frozen=True, slots=True)
class Post:
    """A form and what it must leave behind. It may be sent again: it is kept once."""

    path: str
    token: str
    fields: tuple[tuple[str, str], ...]
    entry: Entry


def posts(chance: random.Random, prefix: str = "") -> Iterator[Post]:
    """One guest: an example opened, then exercises without end, two tries at each. `prefix`: how their
    sign-in begins, of which the form proposes what follows."""
    token = prefix + "".join(chance.choices(LETTERS, k=43))
    yield reveal(token)
    seed = 0
    while True:
        seed += chance.randint(1, 9)
        for number in (1, 2):
            yield response(token, seed, number, f"{chance.uniform(20, 90):.3f}")


def reveal(token: str) -> Post:
    fields = (
        ("position", "1"),
        ("next", "/examples/chengdu-food"),
        ("guest", token.removeprefix(HTTPS_PREFIX)),
    )
    entry = answer_entry(token, "content:chengdu-food", "", 1, "")
    return Post("/examples/chengdu-food/reveals", token, fields, entry)


def response(token: str, seed: int, number: int, typed: str) -> Post:
    fields = {
        "item": "practice-dcg-1",
        "try": str(number),
        "seed": str(seed),
        "answer": typed,
        "next": f"/practice/dcg?level=1&seed={seed}",
        "guest": token.removeprefix(HTTPS_PREFIX),
    }
    entry = answer_entry(token, f"content:practice-dcg-1-{seed}", "content:practice-dcg-1", number, typed)
    return Post(f"/practice/dcg-1-{seed}/responses", token, tuple(fields.items()), entry)


def send(connection: http.client.HTTPConnection, post: Post, ledger: Ledger, cookie: str = "tangxu") -> bool:
    """303: acknowledged. 503: refused. No reply: it stays unanswered, and the connection has ended."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": f"{cookie}={post.token}"}
    ledger.sent(post.entry)
    try:
        connection.request("POST", post.path, urlencode(post.fields), headers)
        reply = connection.getresponse()
        reply.read()
    except (OSError, http.client.HTTPException):
        connection.close()
        return False
    if reply.status == 303:
        ledger.kept(post.entry)
    elif reply.status == 503:
        ledger.not_kept(post.entry)
    elif reply.status == HTTPStatus.BAD_GATEWAY:
        ledger.turned_away += 1
        return False
    else:
        ledger.strange.append(f"{reply.status} for {post.path}")
    return True


class Crowd:
    """Guests at a server: `unfinished` are the posts that got no reply."""

    def __init__(self, url: str, ledger: Ledger) -> None:
        self.host = urlsplit(url).netloc
        self.ledger = ledger
        self.unfinished: list[Post] = []
        self._leaving = threading.Event()

    def again(self, late: list[Post]) -> None:
        """Send what got no reply, as browsers do when somebody presses the button once more."""
        connection = http.client.HTTPConnection(self.host, timeout=30)
        for post in late:
            if not send(connection, post, self.ledger):
                self.ledger.strange.append(f"no reply to {post.path}")
        connection.close()

    @contextmanager
    def guests(self, seeds: list[str]) -> Iterator[None]:
        threads = [threading.Thread(target=self._guest, args=(seed,)) for seed in seeds]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._leaving.set()
            for thread in threads:
                thread.join()

    def _guest(self, seed: str) -> None:
        connection = http.client.HTTPConnection(self.host, timeout=30)
        for post in posts(random.Random(seed)):
            if self._leaving.is_set():
                break
            if not send(connection, post, self.ledger):
                self.unfinished.append(post)
                break
        connection.close()


class PatientCrowd(Crowd):
    """Guests who send the same form again until it is acknowledged, as people do who press once more."""

    cookie, token_prefix = "tangxu", ""

    def connect(self) -> http.client.HTTPConnection:
        """A connection of one guest."""
        return http.client.HTTPConnection(self.host, timeout=30)

    def _guest(self, seed: str) -> None:
        connection = self.connect()
        for post in posts(random.Random(seed), self.token_prefix):
            while not self._is_over() and post.entry not in self.ledger.acknowledged:
                is_answered = send(connection, post, self.ledger, self.cookie)
                if not is_answered or post.entry in self.ledger.refused:
                    self._leaving.wait(0.05)
            if self._is_over():
                break
        connection.close()

    def _is_over(self) -> bool:
        return self._leaving.is_set() or bool(self.ledger.strange)
