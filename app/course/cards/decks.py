"""What can be in a deck of flashcards: the cards of the stages, and cards that ask to compute.

A card that computes is an exercise at a level: its review number draws the numbers, so that what is
remembered is the way and not the answer. The numbers of a card of a mistake tell it from the truth.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from app import engine
from app.course.exercises.exercises import LAST_SEED, Exercise, practice_id

MISTAKE = "mistake-"


@dataclass(frozen=True)
class Drill:
    """A card whose front asks to compute; `mistake`: the misconception it was made of."""

    id: str
    exercise: str
    level: int
    skill: str
    mistake: str | None = None

    @property
    def item(self) -> str:
        """The item that asks it."""
        return practice_id(self.exercise, self.level)


def drills(exercises: Mapping[str, Exercise]) -> Mapping[str, Drill]:
    """Every card that computes, by id: one for each exercise that asks for a number, one for each mistake."""
    numeric = {
        exercise_id: exercise for exercise_id, exercise in exercises.items() if exercise.kind == "numeric"
    }
    cards = [_drill(exercise_id, exercise) for exercise_id, exercise in numeric.items()]
    for mistake in engine.MISCONCEPTIONS:
        exercise_id = _exercise_with(numeric, mistake)
        if exercise_id:
            cards.append(Drill(MISTAKE + mistake, exercise_id, 1, numeric[exercise_id].skill, mistake))
    return {card.id: card for card in cards}


def _drill(exercise_id: str, exercise: Exercise) -> Drill:
    """An exercise of a minute may be a little harder; a long sum stays short."""
    level = 2 if exercise.minutes == 1 else 1
    return Drill(practice_id(exercise_id, level), exercise_id, level, exercise.skill)


def _exercise_with(exercises: Mapping[str, Exercise], mistake: str) -> str | None:
    """The shortest exercise in which a mistake gives a number of its own."""
    exercise_ids = [
        exercise_id for exercise_id in exercises if mistake in engine.shown(exercises[exercise_id].generator)
    ]
    return min(exercise_ids, key=lambda exercise_id: exercises[exercise_id].minutes, default=None)


def mistake_card(misconception_code: str | None) -> str | None:
    """The card of a diagnosed mistake; of several that are possible or act together, the first one's.

    >>> mistake_card("linear_for_exponential+natural_log"), mistake_card("unheard_of"), mistake_card(None)
    ('mistake-linear_for_exponential', None, None)
    """
    mistake = re.split(r"[+|]", misconception_code or "")[0]
    return MISTAKE + mistake if mistake in engine.MISCONCEPTIONS else None


def seed_of(card_ref: str, reps: int) -> int:
    """Which numbers a card shows after so many reviews: the same ones on every screen.

    >>> seed_of("content:practice-dcg-1", 3) == seed_of("content:practice-dcg-1", 3)
    True
    """
    digest = hashlib.sha256(f"{card_ref}#{reps}".encode()).digest()
    return int.from_bytes(digest[:8]) % LAST_SEED + 1
