"""Mistakes as records keep them, in words: what was done, at which step; and which exercises show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app import engine
from app.course.exercises import Exercise
from app.engine.diagnosis import ROUNDING, ROUNDING_NAMES

STEPS = (*engine.STEPS, ROUNDING)
"""In the order in which NDCG is worked out; rounding comes last."""
MOST = 2
"""So many exercises against one mistake: a drill, not a punishment."""


@dataclass(frozen=True)
class Named:
    """A mistake in words. `step` is the first that it breaks; `thoughts` are what leads there."""

    code: str
    ids: Sequence[str]
    name: str
    step: str
    thoughts: Sequence[str] = ()
    hint: str = ""


def named(code: str) -> Named:
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
    return Named(
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


def showing(exercises: Mapping[str, Exercise], code: str, seen_in: str | None = None) -> Sequence[str]:
    """The exercises whose every variant shows a mistake, those that show the most of it first.

    `seen_in`: the exercise in which it was made; it comes first among its likes. Two possible mistakes are
    told apart by what shows both. Nothing shows a mere rounding.
    """
    wanted = set(named(code).ids)
    found = {
        name: len(wanted & set(engine.told_apart(exercise.generator)))
        for name, exercise in exercises.items()
        if exercise.kind == "numeric"
    }
    fitting = [name for name, count in found.items() if count]
    fitting.sort(key=lambda name: (-found[name], name != seen_in))
    return fitting[:MOST]
