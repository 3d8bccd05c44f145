"""Guests who have learned for a while, made by the same verbs that the site uses."""

import asyncio
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from app.course import Course
from app.course.items.kinds import Numeric
from app.records.accounts.values import Caller
from app.records.cards import decks
from app.records.db.database import open_database
from app.records.db.migrate import migrate
from app.records.db.session import VerbSession
from app.records.learning import lesson_progress, responding, reveals
from app.records.learning.values import Answer, AttemptKey, Guess
from app.web.learning.section_position import seed_without_attempt
from bench.traffic import CARDS, LAST_STEP, OPEN_POSITIONS, Guest, Scene, wrong_and_right, wrong_then_right


def make(scene: Scene, data: Path, count: int) -> list[Guest]:
    """A database in `data` with this many guests."""
    data.mkdir(parents=True)
    url = f"sqlite:///{data / 'tangxu.db'}"
    migrate(url, data)
    return asyncio.run(_arrive(url, scene, count))


async def _arrive(url: str, scene: Scene, count: int) -> list[Guest]:
    db = open_database(url, most_waiting_verbs=count)
    try:
        writes = [db.write(learn, scene, number, datetime.now(UTC)) for number in range(count)]
        return list(await asyncio.gather(*writes))
    finally:
        await db.close()


def learn(session: VerbSession, scene: Scene, number: int, now: datetime) -> Guest:
    """One guest comes to the last step: every item of the page is answered, its examples opened in part.

    No two of 2ⁿ guests answered n items alike: the bits of the number say what was wrong at first.
    """
    caller = Caller(proposed_token=secrets.token_urlsafe(32))
    ref = scene.course.ref
    attempt_key = AttemptKey(source="lesson", ref=ref(scene.stage.id), seed=seed_without_attempt(number, 1))
    place = lesson_progress.save_place(
        session, caller, ref(scene.stage.id), scene.section, LAST_STEP, False, now
    )
    attempt_ids = []
    for bit, item in enumerate(scene.asked_items):
        attempt_ids.append(
            _answer(session, caller, scene, attempt_key, item, number * (number >> bit & 1), now)
        )
    for example in scene.examples:
        reveals.open_position(session, caller, ref(example), Guess(1), now, OPEN_POSITIONS)
    cards = [(ref(card), card) for card in list(scene.course.cards)[:CARDS]]
    decks.collect_cards(session, caller, cards, now)
    return Guest(place.token, attempt_ids[-1])


def _answer(
    session: VerbSession,
    caller: Caller,
    scene: Scene,
    attempt_key: AttemptKey,
    item: str,
    wrongly: int,
    now: datetime,
) -> int:
    """Answer rightly, at once or (`wrongly` is not 0) after a slip of one's own; the attempt's number."""
    attempt_id = 0
    for name, try_number, raw in _tries(scene.course, item, wrongly):
        answer = Answer(scene.course.ref(name), try_number, raw)
        attempt_id = responding.respond(session, caller, attempt_key, answer, scene.course, now).attempt_id
    return attempt_id


def _tries(course: Course, item: str, wrongly: int) -> list[tuple[str, int, tuple[str, ...]]]:
    """Item, try and answer."""
    if not wrongly:
        return [(item, 1, wrong_and_right(course.items[item])[1])]
    tries = wrong_then_right(course, item)
    if isinstance(course.items[item], Numeric):
        tries[0] = item, 1, (f"{wrongly}.5",)
    return tries


def blocks(guests: Sequence[Guest], size: int) -> list[Sequence[Guest]]:
    """The guests in groups: whoever writes in one slice does not write in another."""
    return [guests[start : start + size] for start in range(0, len(guests), size)]
