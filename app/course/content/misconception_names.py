"""Mistakes as records keep them, in words: what was done, at which step; and which exercises show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from app import engine
from app.course.exercises.exercises import Exercise
from app.course.items import diagnosis, rounding
from app.engine.diagnosis import ROUNDING, ROUNDING_NAMES

STEPS = (*engine.STEPS, ROUNDING)
"""In the order in which NDCG is worked out; rounding comes last."""
MOST = 2
"""So many exercises against one mistake: a drill, not a punishment."""
LEVEL = 2
"""The level of practice against a mistake: 中."""
TRIALS = 12
MOSTLY = 0.75
"""In so many of the variants that were tried a mistake must be named, and it alone."""


@dataclass(frozen=True)
class NamedMisconception:
    """A mistake in words. `step` is the first that it breaks; `thoughts` are what leads there."""

    code: str
    ids: Sequence[str]
    name: str
    step: str
    thoughts: Sequence[str] = ()
    hint: str = ""


def named(code: str) -> NamedMisconception:
    """What a code says: one id, `a+b` both at once, `a|b` one of them.

    >>> named("natural_log").name, named("natural_log").step
    ('用了自然对数', '折损')
    >>> named("natural_log+linear_for_exponential").name
    '用了自然对数，并且指数的题用了线性增益'
    >>> named("truncated").step
    '舍入'
    """
    ids = code.replace("|", "+").split("+")
    joint = "，或者" if "|" in code else "，并且"
    models = [engine.MISCONCEPTIONS[one] for one in ids if one in engine.MISCONCEPTIONS]
    steps = [model.step for model in models] or [ROUNDING]
    return NamedMisconception(
        code=code,
        ids=ids,
        name=joint.join(_name(one) for one in ids),
        step=min(steps, key=STEPS.index),
        thoughts=[thought for model in models for thought in model.thoughts],
        hint="".join(model.hint for model in models),
    )


def _name(model_id: str) -> str:
    model = engine.MISCONCEPTIONS.get(model_id)
    return model.name if model else ROUNDING_NAMES.get(model_id, model_id)


def counted_under(code: str) -> Sequence[str]:
    """The mistakes that an answer counts for: both of `a+b`; of `a|b` the first, which is the likelier.

    >>> counted_under("natural_log"), counted_under("a+b"), counted_under("a|b")
    (['natural_log'], ['a', 'b'], ['a'])
    """
    return code.partition("|")[0].split("+")


def alternatives(code: str) -> Sequence[str]:
    """What else it may have been.

    >>> alternatives("a|b|c"), alternatives("a+b")
    (['b', 'c'], [])
    """
    return code.split("|")[1:]


def showing(exercises: Mapping[str, Exercise], mistake: str, seen_in: str | None = None) -> Sequence[str]:
    """The exercises in which a mistake is mostly named, and it alone; those that name it most often first.

    `seen_in`: the exercise in which it was made; it comes first among its likes. Nothing shows a rounding.
    """
    found = {
        name: naming(exercise.generator, mistake)
        for name, exercise in exercises.items()
        if exercise.kind == "numeric" and mistake in engine.told_apart(exercise.generator)
    }
    fitting = [name for name, share in found.items() if share >= MOSTLY]
    fitting.sort(key=lambda name: (-found[name], name != seen_in))
    return fitting[:MOST]


@cache
def naming(generator: str, mistake: str) -> float:
    """In which share of the variants of an exercise a mistake, once made, is named and it alone.

    It is tried out: that every variant shows a mistake does not keep another from leading to the same number.

    >>> naming("dcg", "natural_log"), naming("gain", "discount_not_asked")
    (1.0, 0.0)
    """
    questions = [engine.generate(generator, LEVEL, seed) for seed in range(1, TRIALS + 1)]
    return sum(diagnosed(one, engine.predictions(one).get(mistake)) == mistake for one in questions) / TRIALS


def diagnosed(question: engine.Question, number: float | None) -> str | None:
    """The code under which an answer would be kept."""
    if number is None:
        return None
    decimals = 0 if question.quantity in rounding.WHOLE else rounding.TABLE_DECIMALS
    found = diagnosis.diagnose_number(question, round(number, decimals), decimals)
    return diagnosis.code(found) if found else None
