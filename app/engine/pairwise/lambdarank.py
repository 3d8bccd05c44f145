"""LambdaRank: how to climb NDCG although NDCG has no slope.

Every two documents of unequal grade: how wrong their order is, and how much it matters. The pairs added up: a
gradient and a Hessian for each document. `descent.py` follows them, step by step.

Source: Burges, "From RankNet to LambdaRank to LambdaMART", MSR-TR-2010-82, 2010.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from app.engine.checks import (
    Grades,
    Scores,
    checked_choice,
    checked_grades,
    checked_k,
    checked_positive,
    checked_whole_number,
    refusal,
)
from app.engine.cumulative import discounted_sum, share
from app.engine.terms import discount_weights, gains_of, sum_in_order
from app.engine.ties import checked_scores, indexes_in_rank_order

DISCOUNT_CONVENTIONS = ("library", "exact")
PAIR_WEIGHTS = ("ndcg", "none")
LARGEST_STEEPNESS = 1e100
"""Its square is a float too."""


class DocumentPair(NamedTuple):
    """Two documents, the first of higher grade, and the force between them.

    一对文档：更甜的那一篇该排在前面；force把它往上推、把另一篇往下拉，一样大。

    better_index, worse_index: places in the input, from 0. gap: score of the better one minus that of the
    other; below 0 the order is wrong.
    rho: 1 / (1 + e**(sigma*gap)), 0 to 1, how surprised the model is; 0.5 at equal scores.
    delta_ndcg: how much NDCG changes when the two swap places, 0 or more (also where the weight is none).
    force: sigma * rho * delta_ndcg, or sigma * rho without the weight; 0 or more. This is |lambda|.
    curvature: the same, once more derived: sigma**2 * rho * (1-rho), times the weight.

    >>> pair, = pairs([1, 0], [0, 0])
    >>> pair.rho, round(pair.delta_ndcg, 3), round(pair.force, 3)
    (0.5, 0.369, 0.185)
    """

    better_index: int
    worse_index: int
    gap: float
    rho: float
    delta_ndcg: float
    force: float
    curvature: float


def pairs(
    labels: Grades,
    scores: Scores,
    sigma: float = 1.0,
    k: int | None = None,
    gain: str = "exponential",
    convention: str = "library",
    weight: str = "ndcg",
) -> tuple[DocumentPair, ...]:
    """Return every pair of unequal grades with its figures, in input order of the two places.

    把等级不同的文档两两配对，每一对都算出：排错得多离谱（rho），换过来NDCG能变多少（delta_ndcg）。

    Parameters and errors are those of ``gradients``; weight ``none`` is RankNet. Shape: n labels -> at
    most n*(n-1)/2 pairs. A pair that k leaves no force is still listed, with force 0.

    >>> [(pair.better_index, pair.worse_index) for pair in pairs([0, 2, 2, 1], [4, 3, 2, 1])]
    [(1, 0), (2, 0), (3, 0), (1, 3), (2, 3)]
    """
    grades = _checked_labels(labels)
    score_list = checked_scores(scores, len(grades))
    steepness = checked_positive(sigma, "sigma")
    if steepness > LARGEST_STEEPNESS:
        raise refusal("sigma", sigma, f"a number above 0, at most {LARGEST_STEEPNESS:g}")
    is_weighted = checked_choice(weight, "weight", PAIR_WEIGHTS) == "ndcg"
    swap_changes = _SwapChanges(grades, score_list, checked_k(k), gain, convention)
    document_pairs = []
    for better_index, worse_index in _unequal_pairs(grades):
        gap = score_list[better_index] - score_list[worse_index]
        rho = surprise_of_gap(steepness * gap)
        swap_change = swap_changes.change_of_swap(better_index, worse_index)
        pair_weight = swap_change if is_weighted else 1.0
        force = steepness * rho * pair_weight
        curvature = steepness**2 * rho * (1 - rho) * pair_weight
        document_pairs.append(
            DocumentPair(better_index, worse_index, gap, rho, swap_change, force, curvature)
        )
    return tuple(document_pairs)


def _unequal_pairs(grades: Sequence[float]) -> Iterator[tuple[int, int]]:
    """The places of every two unequal grades, the better one first."""
    for document_index, other_document_index in combinations(range(len(grades)), 2):
        if grades[document_index] > grades[other_document_index]:
            yield document_index, other_document_index
        elif grades[document_index] < grades[other_document_index]:
            yield other_document_index, document_index


def surprise_of_gap(gap: float) -> float:
    """Return rho, ``1 / (1 + e**gap)``, without ever leaving the floats: 1 where the order is wrong by far.

    吃惊：分差越往反的方向拉开，越接近1；同分时是0.5。

    gap: score of the better document minus that of the other one, times sigma. Range: 0 to 1.

    >>> round(surprise_of_gap(-1), 3), surprise_of_gap(0), surprise_of_gap(1000)
    (0.731, 0.5, 0.0)
    """
    if gap > 0:
        exp_minus_gap = math.exp(-gap)
        return exp_minus_gap / (1 + exp_minus_gap)
    return 1 / (1 + math.exp(gap))


def delta_ndcg(
    grades: Grades, rank: int, other_rank: int, k: int | None = None, gain: str = "exponential"
) -> float:
    """Return how much NDCG@k changes, without its sign, when the documents at two ranks swap places.

    把排好的列表里第rank位和第other_rank位对调，NDCG@k变多少（不管涨跌）。

    grades: in ranked order. rank, other_rank: from 1. Range: 0 to 1; 0 when nothing is relevant.
    Raises ValueError for bad input.

    >>> round(delta_ndcg([0, 1], 1, 2), 3)   # 0.631 before, 1 after
    0.369
    >>> delta_ndcg([3, 2, 1, 0], 3, 4, k=2)   # both out of sight
    0.0
    """
    ranked_grades = _checked_labels(grades, "grades")
    rank_index = checked_whole_number(rank, "rank", 1, len(ranked_grades)) - 1
    other_rank_index = checked_whole_number(other_rank, "other_rank", 1, len(ranked_grades)) - 1
    descending_scores = [-float(document_index) for document_index in range(len(ranked_grades))]
    return _SwapChanges(ranked_grades, descending_scores, checked_k(k), gain, "exact").change_of_swap(
        rank_index, other_rank_index
    )


def ranks(scores: Scores) -> tuple[int, ...]:
    """Return the rank, from 1, of each document; the highest score first, ties in input order.

    每篇文档排第几：模型分高的在前，同分的按输入顺序。

    >>> ranks([0.5, 2, 0.5])
    (2, 1, 3)
    """
    score_list = checked_scores(scores)
    document_indexes = indexes_in_rank_order(score_list)
    document_ranks = [0] * len(document_indexes)
    for rank, document_index in enumerate(document_indexes, start=1):
        document_ranks[document_index] = rank
    return tuple(document_ranks)


class _SwapChanges:
    """What swapping two documents of one list does to its NDCG."""

    def __init__(
        self, grades: Sequence[float], scores: Sequence[float], k: int | None, gain: str, convention: str
    ) -> None:
        checked_choice(convention, "convention", DISCOUNT_CONVENTIONS)
        document_count = len(grades)
        self.gains = gains_of(grades, gain, "labels")
        self.ranks = ranks(scores)
        self.k = k or document_count
        weights = discount_weights(document_count)
        ideal_gains = sorted(self.gains, reverse=True)
        self.ideal_dcg = discounted_sum(ideal_gains[: self.k], weights, "labels")
        self.weights = list(weights)
        if convention == "exact":
            for rank_index in range(self.k, document_count):
                self.weights[rank_index] = 0.0

    def change_of_swap(self, better_index: int, worse_index: int) -> float:
        better_rank, worse_rank = self.ranks[better_index], self.ranks[worse_index]
        if min(better_rank, worse_rank) > self.k:
            return 0.0
        gain_gap = self.gains[better_index] - self.gains[worse_index]
        weight_gap = self.weights[better_rank - 1] - self.weights[worse_rank - 1]
        return share(abs(gain_gap * weight_gap), self.ideal_dcg)


def _checked_labels(labels: Grades, argument_name: str = "labels") -> list[float]:
    grades = checked_grades(labels, argument_name)
    unjudged_indexes = [document_index for document_index, grade in enumerate(grades) if grade is None]
    if unjudged_indexes:
        raise refusal(
            f"{argument_name}[{unjudged_indexes[0]}]", None, "a finite number >= 0: training needs a label"
        )
    return [grade for grade in grades if grade is not None]


class Gradients(NamedTuple):
    """One gradient and one Hessian entry a document, in input order.

    每篇文档受的力：grad为负，模型分该往上走；为正，该往下走。全部加起来是0。

    >>> Gradients((-0.5, 0.5), (0.25, 0.25)).grad
    (-0.5, 0.5)
    """

    grad: tuple[float, ...]
    hess: tuple[float, ...]


def gradients(
    labels: Grades,
    scores: Scores,
    sigma: float = 1.0,
    k: int | None = None,
    gain: str = "exponential",
    convention: str = "library",
) -> Gradients:
    """Return LambdaRank's gradient and Hessian: what a booster is told about one query.

    LambdaRank的梯度：每一对文档互相推拉，力气等于“排错得多离谱”乘以“换过来NDCG能变多少”。

    For each pair of unequal grades, i the better one: ``lambda = -sigma * rho * |delta NDCG|`` is added to
    grad[i] and taken from grad[j], so that grad is that of a cost to be minimised: a step is
    ``scores - rate * grad``. |delta NDCG| is held constant, which is the trick: it has no derivative.
    Nothing is normalised (LightGBM and XGBoost do so unless told not to; XGBoost doubles the Hessian).

    labels: grades of n documents, no None. scores: n finite numbers, any order; ties rank in input order.
    sigma: steepness, > 0, at most ``LARGEST_STEEPNESS``. k: pairs count if one of the two is among the first
    k. gain: a name in ``GAINS``.
    convention: with ``library`` (XGBoost, LightGBM, RankLib) the discount goes on beyond k; with
    ``exact`` it is 0 there, and |delta NDCG| the true change of NDCG@k. The same for k=None.
    Shape: n -> n and n; sum of grad 0 (rounding apart), hess >= 0. All of one grade: zeros.
    Raises ValueError naming the argument, the value and what is allowed. Source: Burges 2010.

    >>> grad, hess = gradients([3, 2, 1, 0], [4, 3, 2, 1])
    >>> [round(slope, 4) for slope in grad]
    [-0.1005, 0.0271, 0.0436, 0.0297]
    """
    document_pairs = pairs(labels, scores, sigma, k, gain, convention)
    return summed_forces(document_pairs, len(scores))


def ranknet_gradients(labels: Grades, scores: Scores, sigma: float = 1.0) -> Gradients:
    """Return RankNet's gradient and Hessian: the same pairs, and every pair weighs the same.

    RankNet：只管谁该在谁前面，不管换过来NDCG变多少；队尾的一对和队首的一对，力气一样大。

    The exact gradient of ``ranknet_loss``. Shapes and errors are those of ``gradients``.

    >>> ranknet_gradients([1, 0], [0, 0])
    Gradients(grad=(-0.5, 0.5), hess=(0.25, 0.25))
    """
    document_pairs = pairs(labels, scores, sigma, weight="none")
    return summed_forces(document_pairs, len(scores))


def ranknet_loss(labels: Grades, scores: Scores, sigma: float = 1.0) -> float:
    """Return RankNet's cost: ``log(1 + e**(-sigma*gap))``, summed over the pairs of unequal grades.

    RankNet的损失：每一对该在前的没在前，就罚；差得越多罚得越重。

    Range: 0 or more. Source: Burges et al., ICML 2005.

    >>> round(ranknet_loss([1, 0], [0, 0]), 3)   # log 2: could not say which comes first
    0.693
    """
    document_pairs = pairs(labels, scores, sigma, weight="none")
    return sum_in_order(_softplus(-sigma * document_pair.gap) for document_pair in document_pairs)


def _softplus(x: float) -> float:
    """``log(1 + e**x)`` without ever leaving the floats."""
    exp_minus_size = math.exp(-abs(x))
    return max(x, 0.0) + math.log1p(exp_minus_size)


def summed_forces(document_pairs: Iterable[DocumentPair], document_count: int) -> Gradients:
    """Return the forces of all pairs, added up for each of ``document_count`` documents.

    把每一对的推和拉，记到各自的文档头上。

    >>> summed_forces(pairs([1, 0], [0, 0], weight="none"), 2).grad
    (-0.5, 0.5)
    """
    grad = [0.0] * document_count
    hess = [0.0] * document_count
    for document_pair in document_pairs:
        grad[document_pair.better_index] -= document_pair.force
        grad[document_pair.worse_index] += document_pair.force
        hess[document_pair.better_index] += document_pair.curvature
        hess[document_pair.worse_index] += document_pair.curvature
    return Gradients(tuple(grad), tuple(hess))
