"""Workings of a swap and of a lambda, right and wrong."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Self, TypeAlias

from app.engine.discounts import discount_weight
from app.engine.gains import GAINS, Gain
from app.engine.misconceptions.tables.label_workings import Rounding, unrounded_figure
from app.engine.misconceptions.working import quotient
from app.engine.pair_questions import PairForce, RankSwap

Gains: TypeAlias = tuple[float, float]
"""Of the better document and of the other one."""
Weigh: TypeAlias = Callable[[int], float]


def gain_difference(gains: Gains) -> float:
    """Return how much more the better document is worth.

    >>> gain_difference((3.0, 1.0))
    2.0
    """
    better_gain, worse_gain = gains
    return better_gain - worse_gain


def weight_difference(question: RankSwap, weigh: Weigh) -> float:
    """Return what the upper rank keeps of a gain more than the lower one."""
    return weigh(question.first) - weigh(question.second)


def ideal_dcg(question: RankSwap, gain: Gain, weigh: Weigh) -> float:
    """Return the DCG of the ideal ranking."""
    return _weighted_sum(sorted(question.grades, reverse=True), gain, weigh)


def listed_dcg(question: RankSwap, gain: Gain, weigh: Weigh) -> float:
    """Return the DCG of the list as it stands."""
    return _weighted_sum(question.grades, gain, weigh)


def _weighted_sum(grades: Any, gain: Gain, weigh: Weigh) -> float:
    return sum(gain(grade) * weigh(rank) for rank, grade in enumerate(grades, 1))


def surprise_of_gap(gap: float) -> float:
    """Return rho: near 1 where the order is wrong by far, a half at equal scores.

    >>> round(surprise_of_gap(-1), 3), surprise_of_gap(0)
    (0.731, 0.5)
    """
    return 1 / (1 + math.exp(gap))


def product_of_both(rho: float, change: float) -> float:
    """Return rho times the worth of the swap: that is lambda."""
    return rho * change


@dataclass(frozen=True, slots=True, eq=False)
class PairWorking:
    """One way of working out what a swap is worth, and the lambda of it; each step can be replaced.

    gain: None for that of the question. gap: what the two gains make. weight: what the two ranks make. whole:
    what is divided by. surprised: from the difference of the scores to rho. combined: what becomes of both;
    a swap has no rho. rounding: what becomes of the figures that are looked up. noting: of those that are
    worked out on the way.

    对调值几分，再到λ：每一步都可以换掉；换掉一步，就是一个误区。

    >>> round(PairWorking().value(PairForce([1, 3, 2, 0], 1, 2, scores=[3, 2, 1, 0])), 3)
    0.113
    """

    gain: Gain | None = None
    gap: Callable[[Gains], float] = gain_difference
    weight: Callable[[RankSwap, Weigh], float] = weight_difference
    whole: Callable[[RankSwap, Gain, Weigh], float] = ideal_dcg
    surprised: Callable[[float], float] = surprise_of_gap
    combined: Callable[[float, float], float] = product_of_both
    rounding: Rounding = unrounded_figure
    noting: Rounding = unrounded_figure

    def value(self, question: Any) -> float:
        """Return the number this way of working arrives at, unrounded; nan if it divides by 0."""
        change = self.change(question)
        if not isinstance(question, PairForce):
            return change
        rho = self.rounding(self.surprised(question.gap))
        return self.combined(rho, self.noting(change))

    def change(self, question: RankSwap) -> float:
        """Return what the swap is worth."""
        gain = self.gain or GAINS[question.gain]
        gains = (
            gain(question.grades[question.better_rank - 1]),
            gain(question.grades[question.worse_rank - 1]),
        )
        moved_gain = self.noting(self.gap(gains) * self.weight(question, self._weigh))
        return quotient(moved_gain, self.noting(self.whole(question, gain, self._weigh)))

    def _weigh(self, rank: int) -> float:
        return self.rounding(discount_weight(rank))

    def rounded(self, rounding: Rounding) -> Self:
        """Return this way of working with the figures on the way rounded."""
        return replace(self, rounding=rounding, noting=rounding)

    def looked_up(self, rounding: Rounding) -> Self:
        """Return this way of working with what is looked up rounded, and nothing else before the end."""
        return replace(self, rounding=rounding)

    def noted(self, rounding: Rounding) -> Self:
        """Return this way of working with nothing looked up, and what is worked out on the way rounded."""
        return replace(self, noting=rounding)


RIGHT_PAIRS: Mapping[str, PairWorking] = MappingProxyType(
    {"delta_ndcg": PairWorking(), "lambda": PairWorking()}
)
