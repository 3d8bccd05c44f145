"""Misconceptions as values: what a wrong model says, where it applies, which step it replaces."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from app.engine.misconceptions.working import Working, right_working
from app.engine.questions import Question

STEPS = ("增益", "折损", "求和", "理想", "截断", "归一")  # in the order in which NDCG is worked out

PAPER_DECIMALS = 3


def anywhere(question: Question) -> bool:  # noqa: ARG001
    """Return True: the quantity alone decides."""
    return True


@dataclass(frozen=True, slots=True, eq=False)
class Misconception:
    """One wrong model of how a figure is worked out.

    一个误区：怎么想的、错在哪一步、会算出什么、怎样点拨。

    id: its name in code and records. name: 中文, as something that was done. step: one of ``STEPS``.
    thoughts: sentences of a learner that lead here; several thoughts that give the same number
    everywhere are one misconception. said: what the learner did, to the learner, without a full stop.
    hint: corrects it and never gives the number; it contains no figure but the 2 of the formula.
    quantities: what must be asked for it to show. instead: the fields of ``Working`` it replaces.
    fits: what else the question must have. in_pairs: a belief that plausibly stands beside another
    one; slips of counting do not. mirror: the same belief the other way round, with a number of its own.

    >>> from app.engine.misconceptions import MISCONCEPTIONS
    >>> model = MISCONCEPTIONS["natural_log"]
    >>> model.step, model.applies(Question("dcg", [3, 2, 0, 1])), model.applies(Question("ndcg", [3, 2]))
    ('折损', True, False)
    >>> round(model.compute(Question("dcg", [3, 2, 0, 1])), 4)
    6.7699
    """

    id: str
    name: str
    step: str
    thoughts: tuple[str, ...]
    said: str
    hint: str
    quantities: tuple[str, ...]
    instead: Mapping[str, Any] = field(repr=False)
    fits: Callable[[Question], bool] = field(default=anywhere, repr=False)
    in_pairs: bool = False
    mirror: "Misconception | None" = field(default=None, repr=False)

    def applies(self, question: Question) -> bool:
        """Return whether the model changes something meaningful in this question.

        The value may still be that of the truth (e.g. a logarithm at rank 1): compare before use.
        """
        return question.quantity in self.quantities and self.fits(question)

    def compute(self, question: Question, *beside: "Misconception") -> float:
        """Return what a learner with this model would get, unrounded; nan where it divides by 0.

        Only for questions where it ``applies``. beside: further models held at the same time; each
        must break a step of its own.
        """
        return _broken(right_working(question), self, *beside).value(question)

    def compute_on_paper(self, question: Question, *beside: "Misconception") -> tuple[float, float]:
        """Return the same with weights, and with what they divide by, rounded to ``PAPER_DECIMALS``.

        Nobody writes down more of them, and a printed table shows no more.
        """
        right = right_working(question)
        return (
            _broken(right, self, *beside, on_paper=rounded_weights).value(question),
            _broken(right, self, *beside, on_paper=rounded_divisors).value(question),
        )


def rounded_weights(weights: Sequence[float]) -> Sequence[float]:
    """Return the weights as one would note them.

    >>> rounded_weights([0.63093, 0.5])
    [0.631, 0.5]
    """
    return [round(weight, PAPER_DECIMALS) for weight in weights]


def rounded_divisors(weights: Sequence[float]) -> Sequence[float]:
    """Return the weights of one who notes the logarithms and divides by them.

    >>> rounded_divisors([1 / 1.58496])[0] == 1 / 1.585
    True
    """
    return [1 / round(1 / weight, PAPER_DECIMALS) for weight in weights]


@cache  # a working for each quantity, gain and mistake: made once, a few thousand with the pairs
def _broken(
    right: Working,
    *models: Misconception,
    on_paper: Callable[[Sequence[float]], Sequence[float]] | None = None,
) -> Working:
    broken = replace(right, **{step: wrong for model in models for step, wrong in model.instead.items()})
    if on_paper is None:
        return broken
    exact = broken.weights
    return replace(broken, weights=lambda count: on_paper(exact(count)[:count]))
