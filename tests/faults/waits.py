"""How long another visitor waits while somebody sends the worst that the limits admit, over the wire.

Two senders at once, without a pause; meanwhile a page is asked every 20 ms. The machine is shared by all of
them: what the page takes while nobody sends anything stands in the first line.
"""

import http.client
import random
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from bench.servers import ours
from tests.faults.visitors import Visitor, become_teacher
from tests.faults.worst_inputs import WorstInput, own_texts, worst_inputs

PAGE = "/lessons/concepts"
PAUSE = 0.02
GOAL = 0.2
SENDERS = 2


@dataclass
class Wait:
    """What one kind of input did to another visitor. `slowest`: seconds until the sender had a reply."""

    kind: str
    waits: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    slowest: float = 0.0

    def note(self, status: int, seconds: float) -> None:
        """An answer that the sender had."""
        self.statuses[status] += 1
        self.slowest = max(self.slowest, seconds)

    @property
    def longest(self) -> float:
        return max(self.waits, default=0.0)

    def __str__(self) -> str:
        statuses = " ".join(f"{count}×{status}" for status, count in sorted(self.statuses.items()))
        middle = sorted(self.waits)[len(self.waits) // 2]
        mark = " "
        if self.longest > GOAL:
            mark = "!"
        return (
            f"{mark} {1000 * self.longest:5.0f} ms, p50 {1000 * middle:3.0f}"
            f"  {self.kind}  ({statuses}; reply {1000 * self.slowest:.0f} ms)"
        )


def waits(data: Path, seconds: float, only: Collection[str] = ()) -> Iterator[Wait]:
    """Each kind for so many seconds, or `only` some, on one server; the first one is the page by itself."""
    data.mkdir(parents=True, exist_ok=True)
    with ours(data) as server, closing(Visitor(server.url)) as sender:
        classroom = become_teacher(sender, data)
        own = sender.submit("/own", {"text": own_texts()["items"]}).location
        ask(server.url, Wait("the first ones"), time.monotonic() + seconds)
        quiet = Wait("nobody sends anything")
        ask(server.url, quiet, time.monotonic() + seconds)
        yield quiet
        names = [*only]
        for worst in worst_inputs(classroom, own.partition("?")[0]):
            if not only or worst.kind in only:
                yield wait_beside(worst, sender, seconds)
            if worst.kind in names:
                names.remove(worst.kind)
                if not names:
                    return


def wait_beside(worst: WorstInput, sender: Visitor, seconds: float) -> Wait:
    wait = Wait(worst.kind)
    until = time.monotonic() + seconds
    with sending(worst, sender, wait, until):
        ask(sender.url, wait, until)
    return wait


@contextmanager
def sending(worst: WorstInput, sender: Visitor, wait: Wait, until: float) -> Iterator[None]:
    threads = [threading.Thread(target=send, args=(worst, sender, wait, until)) for _ in range(SENDERS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.join()


def send(worst: WorstInput, sender: Visitor, wait: Wait, until: float) -> None:
    """Again and again until the time is over; at least once."""
    with closing(Visitor(sender.url, dict(sender.cookies))) as visitor:
        for number in count(random.randrange(10**6)):
            wait.note(*answered(visitor, worst, number))
            if time.monotonic() >= until:
                return


def answered(visitor: Visitor, worst: WorstInput, number: int) -> tuple[int, float]:
    """The status of an answer, 0 where there was none, and the seconds until it came."""
    start = time.monotonic()
    status = 0
    with suppress(OSError, http.client.HTTPException):
        path = worst.path.format(number=number)
        reply = visitor.send(worst.method, path, worst.body, worst.media_type)
        status = reply.status
    return status, time.monotonic() - start


def ask(url: str, wait: Wait, until: float) -> None:
    """The page, every 20 ms, as a visitor who has not learnt anything."""
    with closing(Visitor(url)) as visitor:
        while (start := time.monotonic()) < until:
            visitor.open(PAGE)
            seconds = time.monotonic() - start
            wait.waits.append(seconds)
            time.sleep(max(0.0, PAUSE - seconds))
