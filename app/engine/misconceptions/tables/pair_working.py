"""Workings of a swap and of a lambda, right and wrong."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Self, TypeAlias

from app.engine.misconceptions.tables.label_workings import unrounded_figure
from app.engine.misconceptions.working import FigureWorking, Rounding, quotient
from app.engine.pair_questions import PairForce, RankSwap
from app.engine.pairwise.lambdarank import surprise_of_gap
from app.engine.terms import GAINS, Gain, discount_weight, sum_in_order

Gains: TypeAlias = tuple[float, float]
"""Of the better document and of the other one."""
WeightOfRank: TypeAlias = Callable[[int], float]


def gain_difference(gains: Gains) -> float:
    """Return how much more the better document is worth.

    >>> gain_difference((3.0, 1.0))
    2.0
    """
    better_gain, worse_gain = gains
    return better_gain - worse_gain


def weight_difference(rank_swap: RankSwap, weight_of_rank: WeightOfRank) -> float:
    """Return what the upper rank keeps of a gain more than the lower one."""
    return weight_of_rank(rank_swap.first) - weight_of_rank(rank_swap.second)


def ideal_dcg(rank_swap: RankSwap, gain_of_grade: Gain, weight_of_rank: WeightOfRank) -> float:
    """Return the DCG of the ideal ranking."""
    return _weighted_sum(sorted(rank_swap.grades, reverse=True), gain_of_grade, weight_of_rank)


def listed_dcg(rank_swap: RankSwap, gain_of_grade: Gain, weight_of_rank: WeightOfRank) -> float:
    """Return the DCG of the list as it stands."""
    return _weighted_sum(rank_swap.grades, gain_of_grade, weight_of_rank)


def _weighted_sum(grades: Any, gain_of_grade: Gain, weight_of_rank: WeightOfRank) -> float:
    return sum_in_order(gain_of_grade(grade) * weight_of_rank(rank) for rank, grade in enumerate(grades, 1))


def product_of_both(rho: float, ndcg_change: float) -> float:
    """Return rho times the worth of the swap: that is lambda."""
    return rho * ndcg_change


@dataclass(frozen=True, slots=True, eq=False)
class PairWorking(FigureWorking):
    """One way of working out what a swap is worth, and the lambda of it; each step can be replaced.

    gain_of_grade: None for that of the question. gain_gap: what the two gains make. weight_gap: what the two
    ranks make. whole: what is divided by. surprise: from the difference of the scores to rho. combination:
    what becomes of both; a swap has no rho. lookup_rounding: what becomes of the figures that are looked up.
    working_rounding: of those that are worked out on the way.

    对调值几分，再到λ：每一步都可以换掉；换掉一步，就是一个误区。

    >>> round(PairWorking().value(PairForce([1, 3, 2, 0], 1, 2, scores=[3, 2, 1, 0])), 3)
    0.113
    """

    gain_of_grade: Gain | None = None
    gain_gap: Callable[[Gains], float] = gain_difference
    weight_gap: Callable[[RankSwap, WeightOfRank], float] = weight_difference
    whole: Callable[[RankSwap, Gain, WeightOfRank], float] = ideal_dcg
    surprise: Callable[[float], float] = surprise_of_gap
    combination: Callable[[float, float], float] = product_of_both
    lookup_rounding: Rounding = unrounded_figure
    working_rounding: Rounding = unrounded_figure

    def value(self, question: Any) -> float:
        ndcg_change = self.ndcg_change(question)
        if not isinstance(question, PairForce):
            return ndcg_change
        rho = self.lookup_rounding(self.surprise(question.gap))
        return self.combination(rho, self.working_rounding(ndcg_change))

    def ndcg_change(self, rank_swap: RankSwap) -> float:
        """Return what the swap is worth."""
        gain_of_grade = self.gain_of_grade or GAINS[rank_swap.gain]
        gains = (
            gain_of_grade(rank_swap.grades[rank_swap.better_rank - 1]),
            gain_of_grade(rank_swap.grades[rank_swap.worse_rank - 1]),
        )
        dcg_change = self.working_rounding(
            self.gain_gap(gains) * self.weight_gap(rank_swap, self._looked_up_weight)
        )
        return quotient(
            dcg_change, self.working_rounding(self.whole(rank_swap, gain_of_grade, self._looked_up_weight))
        )

    def _looked_up_weight(self, rank: int) -> float:
        return self.lookup_rounding(discount_weight(rank))

    def rounded(self, rounding: Rounding) -> Self:
        return replace(self, lookup_rounding=rounding, working_rounding=rounding)


RIGHT_PAIR_WORKING_BY_QUANTITY: Mapping[str, PairWorking] = MappingProxyType(
    {"delta_ndcg": PairWorking(), "lambda": PairWorking()}
)
