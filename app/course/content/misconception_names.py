"""Mistakes as records keep them, in words: what was done, at which step; and which exercises show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from app import engine
from app.course.exercises.exercises import Exercise, offered_exercises
from app.course.items import rounding
from app.engine.diagnosis import ROUNDING_NAMES, ROUNDING_STEP

STEPS = (*engine.STEPS, ROUNDING_STEP)
"""In the order in which NDCG is worked out; rounding comes last."""
MOST_EXERCISES = 2
"""So many exercises against one mistake: a drill, not a punishment."""
LEVEL = 2
"""The level of practice against a mistake: 中."""
TRIAL_COUNT = 12
LEAST_SHARE_NAMED = 0.75
"""In so many of the variants that were tried a mistake must be named, and it alone."""


@dataclass(frozen=True)
class NamedMisconception:
    """A mistake in words. `step` is the first that it breaks; `thoughts` are what leads there."""

    code: str
    name: str
    step: str
    thoughts: Sequence[str] = ()
    hint: str = ""


def named_misconception(misconception_code: str) -> NamedMisconception:
    """What a code says: one id, `a+b` both at once, `a|b` one of them.

    >>> named_misconception("natural_log").name, named_misconception("natural_log").step
    ('用了自然对数', '折损')
    >>> named_misconception("natural_log+linear_for_exponential").name
    '用了自然对数，并且指数的题用了线性增益'
    >>> named_misconception("truncated").step
    '舍入'
    """
    ids = misconception_code.replace("|", "+").split("+")
    conjunction = "，并且"
    if "|" in misconception_code:
        conjunction = "，或者"
    models = [engine.MISCONCEPTIONS[model_id] for model_id in ids if model_id in engine.MISCONCEPTIONS]
    steps = [model.step for model in models]
    thoughts: list[str] = []
    for model in models:
        thoughts += model.thoughts
    return NamedMisconception(
        code=misconception_code,
        name=conjunction.join(map(_name, ids)),
        step=min(steps, key=STEPS.index, default=ROUNDING_STEP),
        thoughts=thoughts,
        hint="".join(model.hint for model in models),
    )


def _name(model_id: str) -> str:
    if model_id in engine.MISCONCEPTIONS:
        return engine.MISCONCEPTIONS[model_id].name
    return ROUNDING_NAMES.get(model_id, model_id)


def mistakes_of_code(misconception_code: str) -> Sequence[str]:
    """The mistakes that an answer counts for: both of `a+b`; of `a|b` the first, which is the likelier.

    >>> mistakes_of_code("natural_log"), mistakes_of_code("a+b"), mistakes_of_code("a|b")
    (['natural_log'], ['a', 'b'], ['a'])
    """
    return misconception_code.partition("|")[0].split("+")


def alternatives(misconception_code: str) -> Sequence[str]:
    """What else it may have been.

    >>> alternatives("a|b|c"), alternatives("a+b")
    (['b', 'c'], [])
    """
    return misconception_code.split("|")[1:]


def exercises_showing(
    exercises: Mapping[str, Exercise], mistake: str, seen_in: str | None = None
) -> Sequence[str]:
    """The exercises in which a mistake is mostly named, and it alone; those that name it most often first.

    `seen_in`: the exercise in which it was made; it comes first among its likes. Nothing shows a rounding.
    """
    shares: dict[str, float] = {}
    for exercise_id, exercise in offered_exercises(exercises).items():
        if exercise.kind == "numeric" and mistake in engine.shown(exercise.generator):
            share = naming_share(exercise.generator, mistake)
            if share >= LEAST_SHARE_NAMED:
                shares[exercise_id] = share
    best_first = sorted(shares, key=lambda exercise_id: (-shares[exercise_id], exercise_id != seen_in))
    return best_first[:MOST_EXERCISES]


@cache
def naming_share(generator: str, mistake: str) -> float:
    """In which share of the variants of an exercise a mistake, once made, is named and it alone.

    It is tried out: that every variant shows a mistake does not keep another from leading to the same number.

    >>> naming_share("dcg", "natural_log"), naming_share("gain", "discount_not_asked")
    (1.0, 0.0)
    """
    naming_count = 0
    for seed in range(1, TRIAL_COUNT + 1):
        question = engine.generate(generator, LEVEL, seed)
        predicted_value = engine.predictions(question).get(mistake)
        naming_count += code_of_mistake(question, predicted_value) == mistake
    return naming_count / TRIAL_COUNT


def code_of_mistake(question: engine.AnyQuestion, wrong_value: float | None) -> str | None:
    """The code under which the records keep an answer; None for one that no mistake explains."""
    if wrong_value is None:
        return None
    decimals = rounding.TABLE_DECIMALS
    if question.quantity in rounding.WHOLE_QUANTITIES:
        decimals = 0
    mistake = rounding.diagnose(question, round(wrong_value, decimals), decimals)
    if mistake is None:
        return None
    return mistake.code
