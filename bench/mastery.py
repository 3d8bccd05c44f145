"""How long do the pages of practice take for somebody with 10,000 answers? ``python -m bench.mastery``.

The log is made in a database of its own. A page goes through the whole application without a network; each
figure is the median over the rounds, in milliseconds of the process, so that the load of others falls out.
"""

import asyncio
import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from fastapi import FastAPI
from sqlalchemy import create_engine, insert

from app.cli import records
from app.course import Course
from app.main import create_app
from app.records.accounts.learners import token_hash
from app.records.accounts.tables import Learner, SignIn
from app.records.db.metadata import table
from app.records.db.migrate import migrate
from app.records.learning.tables import Attempt, ItemVersion, Response
from app.records.people import sums
from app.settings import Settings
from app.web.site.cookies import SIGN_IN_COOKIE as COOKIE

ANSWERS = 10_000
ROUNDS = 15
GOAL_MS = 30  # milliseconds for a page
TOKEN = "t" * 43
NOW = datetime.now(UTC)
BEGAN_AT = NOW - timedelta(days=90)
JUDGED_PAGES = ("/practice", "/practice/map")
PAGES = ("/practice", "/practice/map", "/practice/dcg?level=2&seed=1", "/mistakes", "/progress")


def main() -> None:
    """Measure every page and print it beside the goal."""
    with TemporaryDirectory(prefix="tangxu-bench-") as folder:
        medians = asyncio.run(measured(site(Path(folder))))
    print(f"one learner with {ANSWERS} answers: milliseconds of the process for a page")
    for path, milliseconds in medians.items():
        verdict = (
            "" if path not in JUDGED_PAGES else f"   goal: at most {GOAL_MS}. {verdict_on(milliseconds)}"
        )
        print(f"  {path:36}{milliseconds:8.1f}{verdict}")


def verdict_on(milliseconds: float) -> str:
    return "reached" if milliseconds <= GOAL_MS else "NOT reached"


def site(folder: Path) -> FastAPI:
    """The real site on a database with one learner who never stops."""
    settings = Settings(data=folder)
    settings.make_folders()
    migrate(settings.database_url, settings.data)
    app = create_app(settings)
    fill(settings.database_url, app.state.site.course)
    records.write(settings, sums.rebuild_sums, 1)
    return app


def fill(url: str, course: Course) -> None:
    """Learner 1 answers and answers."""
    attempts, responses = history(course)
    learner = {"id": 1, "created_at": BEGAN_AT, "time_zone": "Asia/Shanghai"}
    sign_in = {"learner_id": 1, "token_hash": token_hash(TOKEN), "created_at": BEGAN_AT}
    version = {"hash": "v", "item_ref": "content:dcg", "body": "{}", "created_at": BEGAN_AT}
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(insert(table(Learner)), learner)
        connection.execute(insert(table(SignIn)), sign_in)
        connection.execute(insert(table(ItemVersion)), version)
        connection.execute(insert(table(Attempt)), attempts)
        connection.execute(insert(table(Response)), responses)
    engine.dispose()


def history(course: Course) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Attempts and responses over ninety days: mostly variants, some lessons, a third wrong at first."""
    dice = random.Random(5)
    attempts: list[dict[str, Any]] = []
    responses: list[dict[str, Any]] = []
    for number, (ref, seed, item) in enumerate(attempts_to_make(course, dice), 1):
        attempts.append(attempt(number, ref, seed))
        responses += tries(number, item, len(responses), dice)
        if len(responses) >= ANSWERS:
            break
    return attempts, responses[:ANSWERS]


def tries(number: int, item: str, first_number: int, dice: random.Random) -> Iterator[dict[str, Any]]:
    """The responses of an attempt, three at most; the first of them is the one of this number in the log."""
    for try_number in range(1, 4):
        is_right = dice.random() < 0.66
        yield response(first_number + try_number - 1, number, item, try_number, is_right, dice)
        if is_right:
            return


def attempts_to_make(course: Course, dice: random.Random) -> Iterator[tuple[str, int, str]]:
    """Ref, seed and item of one attempt after the other."""
    exercises = list(course.exercises)
    seed = 0
    fixed = [item for point in course.practised_skills.values() for item in point.item_ids]
    while seed := seed + 1:
        if dice.random() < 0.1:
            item = dice.choice(fixed)
            yield course.ref(f"item-{item}.{seed}"), seed, course.ref(item)
        else:
            name = f"practice-{dice.choice(exercises)}-{dice.randint(1, 3)}"
            yield course.ref(f"{name}-{seed}"), seed, course.ref(name)


def attempt(number: int, ref: str, seed: int) -> dict[str, Any]:
    identity = {"id": number, "learner_id": 1, "source": "practice", "ref": ref}
    return identity | {"round": 1, "seed": seed, "created_at": BEGAN_AT}


def response(
    number: int, attempt_id: int, item: str, try_number: int, right: bool, dice: random.Random
) -> dict[str, Any]:
    return {
        "attempt_id": attempt_id,
        "item_ref": item,
        "try_number": try_number,
        "raw": '["6.77"]',
        "value": "6.77",
        "verdict": "right" if right else "wrong",
        "score": float(right),
        "misconception_code": None if right else dice.choice(["natural_log", "log2_of_rank", None]),
        "hint_count": int(dice.random() < 0.1),
        "seconds": None,
        "item_version_hash": "v",
        "created_at": BEGAN_AT + (NOW - BEGAN_AT) * number / ANSWERS,
    }


async def measured(app: FastAPI) -> dict[str, float]:
    """Median milliseconds of each page; they take turns, and the first round does not count."""
    milliseconds: dict[str, list[float]] = {path: [] for path in PAGES}
    async with app.router.lifespan_context(app):
        for _ in range(ROUNDS + 1):
            for path in PAGES:
                before = time.process_time()
                status = await get(app, path)
                milliseconds[path].append(1000 * (time.process_time() - before))
                assert status == 200, (path, status)
    return {path: median(times[1:]) for path, times in milliseconds.items()}


async def get(app: FastAPI, url: str) -> int:
    """Open a page as a server does for a browser; the status."""
    messages: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        messages.append(message)

    await app(scope_of(url), receive, send)
    status: int = messages[0]["status"]
    return status


def scope_of(url: str) -> dict[str, Any]:
    """The request of a page, in the words of ASGI."""
    path, _, query = url.partition("?")
    headers = {"host": "testserver", "accept-encoding": "gzip", "cookie": f"{COOKIE}={TOKEN}"}
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "root_path": "",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "server": ("testserver", 80),
        "client": ("127.0.0.1", 5000),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }


if __name__ == "__main__":
    main()
