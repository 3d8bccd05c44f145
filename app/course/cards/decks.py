"""What can be in a deck of flashcards: the cards of the stages, and cards that ask to compute.

A card that computes is an exercise at a level: its review number draws the numbers, so that what is
remembered is the way and not the answer. The numbers of a card of a mistake tell it from the truth.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from app import engine
from app.course.exercises.exercises import LAST_SEED, Exercise, newest_exercise_id, practice_item_id
from app.engine.generate.random_stream import number_from_key

MISTAKE_CARD_PREFIX = "mistake-"
MOST_DRAWS = 40
"""Seeds for a card of a mistake: nearly half of the variants show the one that shows least."""
LEVEL_BY_MISCONCEPTION_ID: Mapping[str, int] = {"ties_tossed": 2}
"""Where a mistake cannot be made at level 1: there no query ends in a tie."""


class Drill(NamedTuple):
    """A card whose front asks to compute; `misconception_id`: the misconception it was made of."""

    id: str
    exercise_id: str
    level: int
    skill: str
    misconception_id: str | None = None

    @property
    def item_id(self) -> str:
        """The item that asks it."""
        return practice_item_id(self.exercise_id, self.level)


def drill_by_id(exercises: Mapping[str, Exercise]) -> Mapping[str, Drill]:
    """Every card that computes, by id: one for each exercise that asks for a number, one for each mistake.

    A card keeps its id where a newer version of its exercise asks by now.
    """
    numeric_exercise_by_id = {}
    naming_id_by_newest_id: dict[str, str] = {}
    drills = []
    for exercise_id, exercise in exercises.items():
        if exercise.kind != "numeric":
            continue
        newest_id = newest_exercise_id(exercises, exercise_id)
        if newest_id == exercise_id:
            numeric_exercise_by_id[exercise_id] = exercise
        if naming_id_by_newest_id.setdefault(newest_id, exercise_id) == exercise_id:
            drills.append(_drill(exercise_id, newest_id, exercises[newest_id]))
    for misconception_id in engine.MISCONCEPTIONS:
        shortest_exercise_id = _id_of_shortest_exercise_showing_mistake(
            numeric_exercise_by_id, misconception_id
        )
        if shortest_exercise_id:
            level = LEVEL_BY_MISCONCEPTION_ID.get(misconception_id, 1)
            drills.append(
                Drill(
                    MISTAKE_CARD_PREFIX + misconception_id,
                    shortest_exercise_id,
                    level,
                    numeric_exercise_by_id[shortest_exercise_id].skill,
                    misconception_id,
                )
            )
    return {drill.id: drill for drill in drills}


def _drill(naming_exercise_id: str, exercise_id: str, exercise: Exercise) -> Drill:
    """The drill of an exercise, at a level that keeps it short: one of a minute may be a little harder."""
    level = 2 if exercise.minutes == 1 else 1
    return Drill(practice_item_id(naming_exercise_id, level), exercise_id, level, exercise.skill)


def _id_of_shortest_exercise_showing_mistake(
    exercises: Mapping[str, Exercise], misconception_id: str
) -> str | None:
    """The shortest exercise in which a mistake gives a number of its own."""
    exercise_ids = []
    for exercise_id, exercise in exercises.items():
        if misconception_id in engine.shown_misconception_ids(exercise.generator):
            exercise_ids.append(exercise_id)
    return min(exercise_ids, key=lambda exercise_id: exercises[exercise_id].minutes, default=None)


def mistake_card_id(misconception_code: str | None) -> str | None:
    """The card of a diagnosed mistake; of several that are possible or act together, the first one's.

    >>> mistake_card_id("linear_for_exponential+natural_log")
    'mistake-linear_for_exponential'
    >>> mistake_card_id("unheard_of"), mistake_card_id(None)
    (None, None)
    """
    misconception_id = re.split(r"[+|]", misconception_code or "")[0]
    return MISTAKE_CARD_PREFIX + misconception_id if misconception_id in engine.MISCONCEPTIONS else None


def seed_of_drill(
    drill: Drill, card_ref: str, review_count: int, question_of_seed: Callable[[int], engine.AnyQuestion]
) -> int:
    """The first seed with numbers that the card can ask: its mistake must lead away from the truth.

    `question_of_seed`: what its item asks the engine, with the numbers of a seed.
    """
    first_seed = seed_of_review(card_ref, review_count)
    if drill.misconception_id is None:
        return first_seed
    for draw_index in range(MOST_DRAWS):
        seed = seed_of_review(card_ref, review_count, draw_index)
        if drill.misconception_id in engine.predictions(question_of_seed(seed)):
            return seed
    return first_seed


def seed_of_review(card_ref: str, review_count: int, draw_index: int = 0) -> int:
    """Which numbers a card shows after so many reviews: the same ones on every screen.

    draw_index: how many seeds were passed over before, because their numbers do not suit the card.

    >>> seed_of_review("content:practice-dcg-1", 3) == seed_of_review("content:practice-dcg-1", 3)
    True
    """
    seed_key = f"{card_ref}#{review_count}"
    if draw_index:
        seed_key += f"#{draw_index}"
    return number_from_key(seed_key) % LAST_SEED + 1
