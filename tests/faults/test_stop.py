"""SIGTERM while answers pour in: what began is acknowledged and kept, and nobody's answer is cut off."""

import http.client
import os
import random
import signal
import threading
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from bench.servers import serving
from tests.courses_folder import courses_folder, lend_courses
from tests.faults.ledger import Ledger, stored, unsound
from tests.faults.load import Post, posts
from tests.postgres_server import running

GUESTS = 12
FEWEST_ACKNOWLEDGED = 60
"""So many answers were acknowledged before the signal comes: everybody is in the middle of theirs."""
HEADERS = {"Content-Type": "application/x-www-form-urlencoded"}


class Guest(threading.Thread):
    """Answers on one connection that stays open, on the next one when it was closed, until nobody listens."""

    def __init__(self, host: str, seed: str, ledger: Ledger) -> None:
        super().__init__()
        self.connection = http.client.HTTPConnection(host, timeout=30)
        self.posts = posts(random.Random(seed))
        self.ledger = ledger
        self.cut: list[str] = []
        """Answers that were sent on a connection that had been kept open, and got no reply."""

    def run(self) -> None:
        for post in self.posts:
            is_new = self.connection.sock is None
            try:
                self.send(post)
            except (OSError, http.client.HTTPException) as error:
                self.connection.close()
                if is_new:
                    return  # nobody listens any more
                self.cut.append(repr(error))

    def send(self, post: Post) -> None:
        """One answer; what comes back is noted."""
        self.ledger.sent(post.entry)
        headers = HEADERS | {"Cookie": f"tangxu={post.token}"}
        self.connection.request("POST", post.path, urlencode(post.fields), headers)
        reply = self.connection.getresponse()
        reply.read()
        if reply.status == 303:
            self.ledger.kept(post.entry)
        elif reply.status == 503:
            self.ledger.not_kept(post.entry)
        else:
            self.ledger.strange.append(f"{reply.status} for {post.path}")


def stopped_under_load(data: Path, workers: int, **settings: str) -> Ledger:
    """What guests sent to a site that was stopped meanwhile. Nobody was cut off."""
    ledger = Ledger()
    arguments = ["app", "serve", "--port", "0", "--workers", str(workers)]
    lend_courses(data, courses_folder())
    with serving(arguments, data, settings=settings) as server:
        host = urlsplit(server.url).netloc
        guests = [Guest(host, f"stop-{number}", ledger) for number in range(GUESTS)]
        for guest in guests:
            guest.start()
        ledger.wait_for(FEWEST_ACKNOWLEDGED)
        os.kill(server.pid, signal.SIGTERM)
        for guest in guests:
            guest.join()
    assert ledger.strange == []
    assert len(ledger.acknowledged) >= FEWEST_ACKNOWLEDGED
    assert [cut for guest in guests for cut in guest.cut] == []
    return ledger


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.long)])
def test_a_site_that_is_stopped_cuts_nobody_off(tmp_path: Path, workers: int) -> None:
    ledger = stopped_under_load(tmp_path, workers)
    assert set(stored(tmp_path / "tangxu.db")) == ledger.acknowledged, "what had no reply had not begun"
    assert unsound(tmp_path / "tangxu.db") == []


@pytest.mark.long
def test_nor_with_its_records_on_a_server(tmp_path: Path) -> None:
    with running() as server:
        url = server.empty()
        ledger = stopped_under_load(tmp_path, 2, TANGXU_DATABASE_URL=url)
        assert set(stored(url)) == ledger.acknowledged
