"""A server that crashes under load: what was acknowledged is there, whatever its operator has set.

A trial once missed 49 of 2,944 acknowledged answers after such a crash. The count was right and the promise
wrong: where COMMIT does not wait for the disk, what was answered last is gone, as the second test shows.
Every connection says by itself that it waits, over what is set for the server, the database and the role.
"""

import asyncio
import signal
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.records.accounts.values import Caller
from app.records.db.database import Database
from app.records.db.errors import Busy
from app.records.db.postgres import dialect
from app.records.learning import responding
from app.records.learning.values import Answer
from tests.postgres_server import EMPTY, PostgresServer, running
from tests.records.cast import COURSE, LESSON, Desk

pytestmark = pytest.mark.long
LEARNERS = 16
FEWEST_ACKNOWLEDGED = 400
"""Answers after which the server crashes."""
MOST_CRASHES = 5
NOT_WAITING = "SET synchronous_commit = off"


@pytest.fixture(scope="module")
def careless() -> Iterator[PostgresServer]:
    """It answers before it has written, and writes seldom: set at all three places."""
    settings = {"fsync": "on", "full_page_writes": "on", "wal_writer_delay": "10s"}
    with running(synchronous_commit="off", **settings) as server:
        server.execute(f"ALTER DATABASE {EMPTY} {NOT_WAITING}")
        server.execute(f"ALTER ROLE tangxu {NOT_WAITING}")
        yield server


async def answer_on(database: Database, name: str, acknowledged: set[str]) -> None:
    """One learner, until the database is gone."""
    learner = Caller(proposed_token=name)
    for number in range(10_000):
        item = f"content:{name}-{number}"
        try:
            answer = Answer(item, 1, ("4",))
            await database.write(responding.respond, learner, LESSON, answer, COURSE, datetime.now(UTC))
        except Busy:
            return
        acknowledged.add(item)


async def answer_until_a_crash(database: Database, server: PostgresServer) -> set[str]:
    """What was acknowledged before."""
    acknowledged: set[str] = set()
    names = [f"learner-{number}" for number in range(LEARNERS)]
    work = [asyncio.create_task(answer_on(database, name, acknowledged)) for name in names]
    while len(acknowledged) < FEWEST_ACKNOWLEDGED:
        await asyncio.wait(work, timeout=0.01)
    await asyncio.to_thread(server.stop, signal.SIGQUIT)
    await asyncio.gather(*work)
    return acknowledged


def lost_in_crash(server: PostgresServer, folder: Path) -> tuple[int, int]:
    """How many answers were acknowledged, and how many of them are not there afterwards."""
    desk = Desk(folder, server.empty())
    acknowledged = desk.wait(answer_until_a_crash(desk.database, server))
    server.start()
    stored = {item for (item,) in desk.rows("SELECT item FROM response")}
    desk.close()
    return len(acknowledged), len(acknowledged - stored)


@pytest.mark.parametrize("crash", range(3))
def test_what_was_acknowledged_survives_a_crash(careless: PostgresServer, tmp_path: Path, crash: int) -> None:
    acknowledged, lost = lost_in_crash(careless, tmp_path)
    assert acknowledged >= FEWEST_ACKNOWLEDGED, crash
    assert lost == 0


def test_without_the_promise_the_same_count_misses_the_last_ones(
    careless: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one of five crashes at least: all is written every ten seconds, perhaps a moment before."""
    monkeypatch.delitem(dialect.SERVER_SETTINGS, "synchronous_commit")
    lost = 0
    for crash in range(MOST_CRASHES):
        folder = tmp_path / f"crash-{crash}"
        folder.mkdir()
        acknowledged, lost = lost_in_crash(careless, folder)
        if lost:
            break
    assert 0 < lost <= acknowledged
