"""How quick is a big deck? 10,000 cards and 200,000 reviews: ``python -m bench.cards``.

The next card, a review that is on the disk, the stats page; beside Anki's own library with as many cards on
the same machine, where its environment is there (``make test`` makes it). Anki serves one person: its queue
is in memory, and an answer of its own may be lost when the power goes.
"""

import asyncio
import json
import os
import random
import sqlite3
import subprocess
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import TypeVar

from app.records.accounts.values import Caller
from app.records.cards import decks, reviews, stats
from app.records.cards.scheduling import NEW, Memory, Rating, next_memory, pack_memory
from app.records.cards.values import CardRating
from app.records.db.database import Database, open_database
from app.records.db.days import day_of
from app.records.db.migrate import migrate

T = TypeVar("T")
CARDS, LOGS, REVIEWS = 10_000, 200_000, 300
ANKI = Path(__file__).parent / "anki_deck.py"
LEARNER = Caller("bench", "bench")
GOALS = {"next card": 20.0, "durable review": 10.0, "stats": 300.0}
"""Milliseconds, p50."""


def main() -> None:
    """Fill a database, measure, print."""
    with TemporaryDirectory(prefix="tangxu-bench-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'tangxu.db'}"
        migrate(url, folder)
        now = datetime.now(UTC)
        asyncio.run(collect(url, now))
        fill(folder / "tangxu.db", now)
        timings = asyncio.run(measured(url))
        anki = beside_anki(folder)
    print(f"{CARDS:,} cards, {LOGS:,} reviews: milliseconds, p50 and p99")
    for work, times in timings.items():
        mark = "✓" if median(times) <= GOALS[work] else "✗"
        print(
            f"  {mark} {work:16}{median(times):8.2f}{quantiles(times, n=100)[98]:8.2f}"
            f"   (goal {GOALS[work]:g})"
        )
    print(
        f"  durable reviews, one after the other: {1000 / median(timings['durable review']):,.0f} per second"
    )
    print(anki)


async def collect(url: str, now: datetime) -> None:
    database = open_database(url)
    cards = [(f"content:bench-{number}", f"family-{number % 50}") for number in range(CARDS)]
    await database.write(decks.collect, LEARNER, cards, now - timedelta(days=400))
    first = CardRating(cards[0][0], 1, Rating.GOOD)
    await database.write(reviews.review, LEARNER, first, now - timedelta(days=400))
    await database.close()


def fill(file: Path, now: datetime) -> None:
    """A past of a year and more: every card with twenty reviews, a few hundred of them due today."""
    source = random.Random(7)
    with closing(sqlite3.connect(file)) as connection, connection:
        scheduler = connection.execute("SELECT hash FROM scheduler_version").fetchone()[0]
        for number in range(1, CARDS):
            name = f"content:bench-{number}"
            log, memory = past(name, scheduler, source, now)
            connection.executemany(INSERT, log)
            connection.execute(UPDATE, (*stored(memory), scheduler, name))


INSERT = (
    "INSERT INTO review_log (learner_id, card, number, rating, reviewed_at, day, seconds, state, "
    "interval_days, first, retention, scheduler, before, after) VALUES (1,?,?,?,?,?,?,?,?,?,0.9,?,?,?)"
)
UPDATE = (
    "UPDATE card_memory SET state=?, step=?, stability=?, difficulty=?, due_at=?, last_review_at=?, reps=?, "
    "lapses=?, streak=?, scheduler=? WHERE card=?"
)


def past(
    name: str, scheduler: str, source: random.Random, now: datetime
) -> tuple[list[tuple[object, ...]], Memory]:
    rows: list[tuple[object, ...]] = []
    at = now - timedelta(days=400 * source.random() + 1)
    memory = NEW
    for number in range(1, LOGS // CARDS + 1):
        rating = Rating.GOOD if source.random() < 0.88 else Rating.AGAIN
        after = next_memory(memory, rating, name, at)
        day = day_of(at, "Asia/Shanghai").isoformat()
        review = (name, number, int(rating), text(at), day, 8 * source.random())
        rows.append((*review, *change(memory, after, scheduler)))
        memory = after
        at = min(after.due_at or at, now - timedelta(days=1)) + timedelta(minutes=source.random())
    return rows, memory


def change(memory: Memory, after: Memory, scheduler: str) -> tuple[object, ...]:
    """What the log keeps of the memory before and after a review."""
    packed = [pack_memory(memory, "active"), pack_memory(after, "active")]
    return memory.state, memory.interval_days, True, scheduler, *packed


def stored(memory: Memory) -> list[object]:
    return [text(value) if isinstance(value, datetime) else value for value in memory]


def text(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(" ", "microseconds")


async def measured(url: str) -> dict[str, list[float]]:
    database = open_database(url)
    timings: dict[str, list[float]] = {work: [] for work in GOALS}
    for _ in range(20):
        await timed(timings["stats"], lambda: database.read(stats.load_stats, LEARNER, datetime.now(UTC)))
    for _ in range(REVIEWS):
        await one_review(database, timings)
    await database.close()
    return timings


async def one_review(database: Database, timings: dict[str, list[float]]) -> None:
    next_card = await timed(
        timings["next card"], lambda: database.read(reviews.load_review, LEARNER, datetime.now(UTC))
    )
    assert next_card.card, "the deck must have something left today"
    rated = CardRating(next_card.card.card, next_card.number, Rating.GOOD, 3.0)
    await timed(
        timings["durable review"], lambda: database.write(reviews.review, LEARNER, rated, datetime.now(UTC))
    )


async def timed(times: list[float], work: Callable[[], Awaitable[T]]) -> T:
    began = time.perf_counter()
    answer = await work()
    times.append(1000 * (time.perf_counter() - began))
    return answer


def beside_anki(folder: Path) -> str:
    """The same with Anki's own library, in its own environment."""
    root = Path(__file__).resolve().parent.parent
    python = Path(os.environ.get("TEST_ANKI", root / ".venv-anki" / "bin" / "python"))
    if not python.exists():
        return "Anki is not there to be compared with: python tools/anki.py"
    command = [str(python), str(ANKI), str(folder / "anki.anki2"), str(CARDS), str(REVIEWS)]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode:
        return f"Anki did not run: {ran.stderr.strip().splitlines()[-1:]}"
    medians = json.loads(ran.stdout)
    times = f"next card {medians['next']:.2f} ms, answer {medians['answer']:.2f} ms"
    return f"Anki's library, {CARDS:,} cards: {times}, {1000 / medians['answer']:,.0f} answers per second"


if __name__ == "__main__":
    main()
