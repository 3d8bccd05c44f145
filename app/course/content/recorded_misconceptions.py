"""Mistakes as records keep them, in words: what was done, at which step; and which exercises show them."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from app import engine
from app.course.exercises.exercises import Exercise, offered_exercises
from app.course.items import rounding
from app.engine.diagnosis import NAME_BY_ROUNDING_ID, ROUNDING_STEP

STEPS_WITH_ROUNDING = (*engine.STEPS, ROUNDING_STEP)
"""In the order in which NDCG is worked out; rounding comes last."""
MOST_EXERCISES_SHOWN = 2
"""So many exercises against one mistake: a drill, not a punishment."""
PRACTICE_LEVEL = 2
"""The level of practice against a mistake: 中."""
TRIED_VARIANT_COUNT = 12
LEAST_SHARE_NAMED = 0.75
"""In so many of the variants that were tried a mistake must be named, and it alone."""


class NamedMisconception(NamedTuple):
    """A mistake in words. `step` is the first that it breaks; `thoughts` are what leads there."""

    code: str
    name: str
    step: str
    thoughts: Sequence[str]
    hint: str


def named_misconception(misconception_code: str) -> NamedMisconception:
    """What a code says: one id, `a+b` both at once, `a|b` one of them.

    >>> named_misconception("natural_log").name, named_misconception("natural_log").step
    ('用了自然对数', '折损')
    >>> named_misconception("natural_log+linear_for_exponential").name
    '用了自然对数，并且指数的题用了线性增益'
    >>> named_misconception("truncated").step
    '舍入'
    """
    misconception_ids = misconception_code.replace("|", "+").split("+")
    conjunction = "，并且"
    if "|" in misconception_code:
        conjunction = "，或者"
    misconceptions = [
        engine.MISCONCEPTIONS[misconception_id]
        for misconception_id in misconception_ids
        if misconception_id in engine.MISCONCEPTIONS
    ]
    step_names = [misconception.step for misconception in misconceptions]
    thoughts: list[str] = []
    for misconception in misconceptions:
        thoughts += misconception.thoughts
    return NamedMisconception(
        code=misconception_code,
        name=conjunction.join(map(_misconception_name, misconception_ids)),
        step=min(step_names, key=STEPS_WITH_ROUNDING.index, default=ROUNDING_STEP),
        thoughts=thoughts,
        hint="".join(misconception.hint for misconception in misconceptions),
    )


def _misconception_name(misconception_id: str) -> str:
    if misconception_id in engine.MISCONCEPTIONS:
        return engine.MISCONCEPTIONS[misconception_id].name
    return NAME_BY_ROUNDING_ID.get(misconception_id, misconception_id)


def misconception_ids_of_code(misconception_code: str) -> Sequence[str]:
    """The mistakes that an answer counts for: both of `a+b`; of `a|b` the first, which is the likelier.

    >>> misconception_ids_of_code("natural_log")
    ['natural_log']
    >>> misconception_ids_of_code("a+b"), misconception_ids_of_code("a|b")
    (['a', 'b'], ['a'])
    """
    return misconception_code.partition("|")[0].split("+")


def alternative_codes(misconception_code: str) -> Sequence[str]:
    """What else it may have been.

    >>> alternative_codes("a|b|c"), alternative_codes("a+b")
    (['b', 'c'], [])
    """
    return misconception_code.split("|")[1:]


def exercise_ids_showing(
    exercises: Mapping[str, Exercise], misconception_id: str, seen_exercise_id: str | None = None
) -> Sequence[str]:
    """The exercises in which a mistake is mostly named, and it alone; those that name it most often first.

    `seen_exercise_id`: the exercise in which it was made; it comes first among its likes. Nothing shows a
    rounding.
    """
    share_by_exercise_id: dict[str, float] = {}
    for exercise_id, exercise in ids_with_exercises_seen_first(exercises, seen_exercise_id):
        if exercise.kind == "numeric" and misconception_id in engine.shown_misconception_ids(
            exercise.generator
        ):
            share = naming_share(exercise.generator, misconception_id)
            if share >= LEAST_SHARE_NAMED:
                share_by_exercise_id[exercise_id] = share
        if list(share_by_exercise_id.values()).count(1.0) == MOST_EXERCISES_SHOWN:
            break  # no later one is better
    exercise_ids_best_first = sorted(share_by_exercise_id, key=share_by_exercise_id.__getitem__, reverse=True)
    return exercise_ids_best_first[:MOST_EXERCISES_SHOWN]


def ids_with_exercises_seen_first(
    exercises: Mapping[str, Exercise], seen_exercise_id: str | None
) -> Sequence[tuple[str, Exercise]]:
    """The exercises that are offered, with their ids; the one that was seen, if it is among them, first."""
    exercises_with_ids = offered_exercises(exercises).items()
    return sorted(exercises_with_ids, key=lambda entry: entry[0] != seen_exercise_id)


class TriedVariant(NamedTuple):
    """A variant of an exercise, with the wrong number that each mistake leads to."""

    question: engine.AnyQuestion
    predicted_value_by_misconception_id: Mapping[str, float]


@cache
def tried_variants(generator: str) -> Sequence[TriedVariant]:
    """Drawn once for all mistakes: drawing took most of the time of the first look at 误区 after a start."""
    variants = []
    for seed in range(1, TRIED_VARIANT_COUNT + 1):
        question = engine.generate(generator, PRACTICE_LEVEL, seed)
        variants.append(TriedVariant(question, engine.predictions(question)))
    return variants


@cache
def naming_share(generator: str, misconception_id: str) -> float:
    """In which share of the variants of an exercise a mistake, once made, is named and it alone.

    It is tried out: that every variant shows a mistake does not keep another from leading to the same number.

    >>> naming_share("dcg", "natural_log"), naming_share("gain", "discount_not_asked")
    (1.0, 0.0)
    """
    named_variant_count = 0
    for question, predicted_value_by_misconception_id in tried_variants(generator):
        predicted_value = predicted_value_by_misconception_id.get(misconception_id)
        named_variant_count += diagnosed_misconception_code(question, predicted_value) == misconception_id
    return named_variant_count / TRIED_VARIANT_COUNT


def diagnosed_misconception_code(question: engine.AnyQuestion, wrong_value: float | None) -> str | None:
    """The code under which the records keep an answer; None for one that no mistake explains."""
    if wrong_value is None:
        return None
    decimals = rounding.TABLE_DECIMALS
    if question.quantity in rounding.WHOLE_QUANTITIES:
        decimals = 0
    diagnosis = rounding.diagnose(question, round(wrong_value, decimals), decimals)
    if diagnosis is None:
        return None
    return diagnosis.code
