"""kill -9 of the real server under load, again and again on one database."""

import os
import random
import shutil
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.records.db.sqlite.open_file import side_files
from bench.servers import ours
from tests.faults.ledger import Ledger, disagreements, stored
from tests.faults.load import Crowd, Post

GUESTS = 12
MOST_ANSWERS = 120
"""A server is killed after one to so many further answers."""


@dataclass(frozen=True, slots=True)
class Killed:
    """One kill. late: posts without a reply, to be sent again; kept_of_late: so many of them stand."""

    number: int
    acknowledged: int
    late: int
    kept_of_late: int
    wrong: list[str]


def kills(seed: int, count: int, data: Path) -> Iterator[Killed]:
    """Kill `count` servers; the seed says when, and what is sent. A last server is not killed."""
    ledger = Ledger()
    file = data / "tangxu.db"
    data.mkdir(parents=True, exist_ok=True)
    late: list[Post] = []
    for number in range(1, count + 1):
        late = kill(ledger, late, f"{seed}-{number}", data)
        copy = copied(file, data / "look")
        entries = {post.entry for post in late} & set(stored(copy))
        wrong = disagreements(ledger, copy)
        yield Killed(number, len(ledger.acknowledged), len(late), len(entries), wrong)
        if wrong:
            return
    with ours(data) as server:
        Crowd(server.url, ledger).again(late)
    yield Killed(count, len(ledger.acknowledged), 0, 0, the_same(ledger, file))


def kill(ledger: Ledger, late: list[Post], seed: str, data: Path) -> list[Post]:
    """Start, send again what had no reply, answer on, kill; what has no reply now."""
    chance = random.Random(seed)
    with ours(data) as server:
        crowd = Crowd(server.url, ledger)
        crowd.again(late)
        enough = len(ledger.acknowledged) + chance.randint(1, MOST_ANSWERS)
        with crowd.guests([f"{seed}-{guest}" for guest in range(GUESTS)]):
            if not ledger.wait_for(enough):
                ledger.strange.append("the server answers no more")
            os.kill(server.pid, signal.SIGKILL)
    return crowd.unfinished


def copied(file: Path, folder: Path) -> Path:
    """The file and its WAL as the kill left them: a look into the original would repair it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for path in (file, side_files(file)[0]):
        if path.exists():
            shutil.copy(path, folder / path.name)
    return folder / file.name


def the_same(ledger: Ledger, file: Path) -> list[str]:
    """All was acknowledged in the end: then it is what is stored, to the row."""
    wrong = disagreements(ledger, file)
    if set(stored(file)) != ledger.acknowledged:
        wrong.append(f"{len(ledger.acknowledged)} acknowledged, {len(stored(file))} stored")
    return wrong
