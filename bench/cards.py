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
from statistics import median
from tempfile import TemporaryDirectory
from typing import TypeVar

from app.records.accounts.values import Caller
from app.records.cards import decks, reviews, stats
from app.records.cards.scheduling import NEW_MEMORY, Memory, Rating, next_memory, pack_memory
from app.records.cards.values import CardRating
from app.records.db.database import Database, open_database
from app.records.db.days import day_of
from app.records.db.migrate import migrate
from app.records.db.stored_times import stored_time
from bench.visiting import p99

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
        anki_figures = anki_line(folder)
    print(f"{CARDS:,} cards, {LOGS:,} reviews: milliseconds, p50 and p99")
    for task, milliseconds in timings.items():
        sign = "✓" if median(milliseconds) <= GOALS[task] else "✗"
        print(
            f"  {sign} {task:16}{median(milliseconds):8.2f}{p99(milliseconds):8.2f}   (goal {GOALS[task]:g})"
        )
    print(
        f"  durable reviews, one after the other: {1000 / median(timings['durable review']):,.0f} per second"
    )
    print(anki_figures)


async def collect(url: str, now: datetime) -> None:
    database = open_database(url)
    cards = [(f"content:bench-{number}", f"family-{number % 50}") for number in range(CARDS)]
    await database.write(decks.collect_cards, LEARNER, cards, now - timedelta(days=400))
    first = CardRating(cards[0][0], 1, Rating.GOOD)
    await database.write(reviews.review_card, LEARNER, first, now - timedelta(days=400))
    await database.close()


def fill(file: Path, now: datetime) -> None:
    """A past of a year and more: every card with twenty reviews, a few hundred of them due today."""
    dice = random.Random(7)
    with closing(sqlite3.connect(file)) as connection, connection:
        scheduler = connection.execute("SELECT hash FROM scheduler_version").fetchone()[0]
        for number in range(1, CARDS):
            name = f"content:bench-{number}"
            log, memory = past_reviews(name, scheduler, dice, now)
            connection.executemany(INSERT, log)
            connection.execute(UPDATE, (*stored_values(memory), scheduler, name))


INSERT = (
    "INSERT INTO review_log (learner_id, card, number, rating, reviewed_at, day, seconds, state, "
    "interval_days, first, retention, scheduler, before, after) VALUES (1,?,?,?,?,?,?,?,?,?,0.9,?,?,?)"
)
UPDATE = (
    "UPDATE card_memory SET state=?, step=?, stability=?, difficulty=?, due_at=?, last_review_at=?, reps=?, "
    "lapses=?, streak=?, scheduler=? WHERE card=?"
)


def past_reviews(
    name: str, scheduler: str, dice: random.Random, now: datetime
) -> tuple[list[tuple[object, ...]], Memory]:
    rows: list[tuple[object, ...]] = []
    reviewed_at = now - timedelta(days=400 * dice.random() + 1)
    memory = NEW_MEMORY
    for number in range(1, LOGS // CARDS + 1):
        rating = Rating.GOOD if dice.random() < 0.88 else Rating.AGAIN
        memory_after = next_memory(memory, rating, name, reviewed_at)
        day = day_of(reviewed_at, "Asia/Shanghai").isoformat()
        review = (name, number, int(rating), stored_time(reviewed_at), day, 8 * dice.random())
        rows.append((*review, *log_values(memory, memory_after, scheduler)))
        memory = memory_after
        reviewed_at = min(memory_after.due_at or reviewed_at, now - timedelta(days=1)) + timedelta(
            minutes=dice.random()
        )
    return rows, memory


def log_values(memory_before: Memory, memory_after: Memory, scheduler: str) -> tuple[object, ...]:
    """What the log keeps of the memory before and after a review."""
    packed = [pack_memory(memory_before, "active"), pack_memory(memory_after, "active")]
    return memory_before.state, memory_before.interval_days, True, scheduler, *packed


def stored_values(memory: Memory) -> list[object]:
    return [stored_time(value) if isinstance(value, datetime) else value for value in memory]


async def measured(url: str) -> dict[str, list[float]]:
    database = open_database(url)
    timings: dict[str, list[float]] = {work: [] for work in GOALS}
    for _ in range(20):
        await timed(timings["stats"], lambda: database.read(stats.load_stats, LEARNER, datetime.now(UTC)))
    for _ in range(REVIEWS):
        await review_next_card(database, timings)
    await database.close()
    return timings


async def review_next_card(database: Database, timings: dict[str, list[float]]) -> None:
    next_card = await timed(
        timings["next card"], lambda: database.read(reviews.load_review, LEARNER, datetime.now(UTC))
    )
    assert next_card.card, "the deck must have something left today"
    card_rating = CardRating(next_card.card.card_ref, next_card.review_number, Rating.GOOD, 3.0)
    await timed(
        timings["durable review"],
        lambda: database.write(reviews.review_card, LEARNER, card_rating, datetime.now(UTC)),
    )


async def timed(milliseconds: list[float], work: Callable[[], Awaitable[T]]) -> T:
    began = time.perf_counter()
    answer = await work()
    milliseconds.append(1000 * (time.perf_counter() - began))
    return answer


def anki_line(folder: Path) -> str:
    """The same with Anki's own library, in its own environment."""
    root = Path(__file__).resolve().parent.parent
    python = Path(os.environ.get("TEST_ANKI", root / ".venv-anki" / "bin" / "python"))
    if not python.exists():
        return "Anki is not there to be compared with: python tools/anki.py"
    command = [str(python), str(ANKI), str(folder / "anki.anki2"), str(CARDS), str(REVIEWS)]
    process = subprocess.run(command, capture_output=True, text=True)
    if process.returncode:
        return f"Anki did not run: {process.stderr.strip().splitlines()[-1:]}"
    medians = json.loads(process.stdout)
    times = f"next card {medians['next']:.2f} ms, answer {medians['answer']:.2f} ms"
    return f"Anki's library, {CARDS:,} cards: {times}, {1000 / medians['answer']:,.0f} answers per second"


if __name__ == "__main__":
    main()
