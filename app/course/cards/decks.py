"""What can be in a deck of flashcards: the cards of the stages, and cards that ask to compute.

A card that computes is an exercise at a level: its review number draws the numbers, so that what is
remembered is the way and not the answer. The numbers of a card of a mistake tell it from the truth.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app import engine
from app.course.exercises.exercises import LAST_SEED, Exercise, newest_of, practice_id
from app.engine.generate.stream import number_from_key

MISTAKE_PREFIX = "mistake-"
MOST_DRAWS = 40
"""Seeds for a card of a mistake: nearly half of the variants show the one that shows least."""
LEVELS_OF_MISTAKES: Mapping[str, int] = {"ties_tossed": 2}
"""Where a mistake cannot be made at level 1: there no query ends in a tie."""


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
    """Every card that computes, by id: one for each exercise that asks for a number, one for each mistake.

    A card keeps its id where a newer version of its exercise asks by now.
    """
    numeric_exercises = {}
    drill_cards = []
    successor_ids = {exercise.superseded_by for exercise in exercises.values()}
    for exercise_id, exercise in exercises.items():
        if exercise.kind != "numeric":
            continue
        newest_id = newest_of(exercises, exercise_id)
        if newest_id == exercise_id:
            numeric_exercises[exercise_id] = exercise
        if exercise_id not in successor_ids:
            drill_cards.append(_drill(exercise_id, newest_id, exercises[newest_id]))
    for mistake in engine.MISCONCEPTIONS:
        shortest_id = _exercise_with(numeric_exercises, mistake)
        if shortest_id:
            level = LEVELS_OF_MISTAKES.get(mistake, 1)
            drill_cards.append(
                Drill(
                    MISTAKE_PREFIX + mistake,
                    shortest_id,
                    level,
                    numeric_exercises[shortest_id].skill,
                    mistake,
                )
            )
    return {card.id: card for card in drill_cards}


def _drill(named_after: str, exercise_id: str, exercise: Exercise) -> Drill:
    """An exercise of a minute may be a little harder; a long sum stays short."""
    level = 2 if exercise.minutes == 1 else 1
    return Drill(practice_id(named_after, level), exercise_id, level, exercise.skill)


def _exercise_with(exercises: Mapping[str, Exercise], mistake: str) -> str | None:
    """The shortest exercise in which a mistake gives a number of its own."""
    exercise_ids = []
    for exercise_id, exercise in exercises.items():
        if mistake in engine.shown(exercise.generator):
            exercise_ids.append(exercise_id)
    return min(exercise_ids, key=lambda exercise_id: exercises[exercise_id].minutes, default=None)


def mistake_card(misconception_code: str | None) -> str | None:
    """The card of a diagnosed mistake; of several that are possible or act together, the first one's.

    >>> mistake_card("linear_for_exponential+natural_log"), mistake_card("unheard_of"), mistake_card(None)
    ('mistake-linear_for_exponential', None, None)
    """
    mistake = re.split(r"[+|]", misconception_code or "")[0]
    return MISTAKE_PREFIX + mistake if mistake in engine.MISCONCEPTIONS else None


def seed_of(card_ref: str, review_count: int, draw_number: int = 0) -> int:
    """Which numbers a card shows after so many reviews: the same ones on every screen.

    draw_number: how many seeds were passed over before, because their numbers do not suit the card.

    >>> seed_of("content:practice-dcg-1", 3) == seed_of("content:practice-dcg-1", 3)
    True
    """
    seed_key = f"{card_ref}#{review_count}"
    if draw_number:
        seed_key += f"#{draw_number}"
    return number_from_key(seed_key) % LAST_SEED + 1
