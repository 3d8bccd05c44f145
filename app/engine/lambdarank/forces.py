"""The pairs added up: a gradient and a Hessian for each document.

Sources: Burges, "From RankNet to LambdaRank to LambdaMART", MSR-TR-2010-82, 2010; for RankNet, Burges et al.,
ICML 2005.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

from app.engine.checks import Grades, Scores
from app.engine.lambdarank.pairing import DocumentPair, pairs


class Gradients(NamedTuple):
    """One gradient and one Hessian entry a document, in input order.

    每篇文档受的力：grad为负，得分该往上走；为正，该往下走。全部加起来是0。

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
    sigma: > 0, steepness. k: pairs count if one of the two is among the first k. gain: a name in ``GAINS``.
    convention: with ``library`` (XGBoost, LightGBM, RankLib) the discount goes on beyond k; with
    ``exact`` it is 0 there, and |delta NDCG| the true change of NDCG@k. The same for k=None.
    Shape: n -> n and n; sum of grad 0 (rounding apart), hess >= 0. All of one grade: zeros.
    Raises ValueError naming the argument, the value and what is allowed. Source: Burges 2010.

    >>> grad, hess = gradients([3, 2, 1, 0], [4, 3, 2, 1])
    >>> [round(slope, 4) for slope in grad]
    [-0.1005, 0.0271, 0.0436, 0.0297]
    """
    forces = pairs(labels, scores, sigma, k, gain, convention)
    return summed(forces, len(scores))


def ranknet_gradients(labels: Grades, scores: Scores, sigma: float = 1.0) -> Gradients:
    """Return RankNet's gradient and Hessian: the same pairs, and every pair weighs the same.

    RankNet：只管谁该在谁前面，不管换过来NDCG变多少；队尾的一对和队首的一对，力气一样大。

    The exact gradient of ``ranknet_loss``. Shapes and errors are those of ``gradients``.

    >>> ranknet_gradients([1, 0], [0, 0])
    Gradients(grad=(-0.5, 0.5), hess=(0.25, 0.25))
    """
    forces = pairs(labels, scores, sigma, weight="none")
    return summed(forces, len(scores))


def ranknet_loss(labels: Grades, scores: Scores, sigma: float = 1.0) -> float:
    """Return RankNet's cost: ``log(1 + e**(-sigma*gap))``, summed over the pairs of unequal grades.

    RankNet的损失：每一对该在前的没在前，就罚；差得越多罚得越重。

    Range: 0 or more. Source: Burges et al., ICML 2005.

    >>> round(ranknet_loss([1, 0], [0, 0]), 3)   # log 2: could not say which comes first
    0.693
    """
    forces = pairs(labels, scores, sigma, weight="none")
    return sum(_softplus(-sigma * pair.gap) for pair in forces)


def _softplus(x: float) -> float:
    """``log(1 + e**x)`` without ever leaving the floats."""
    small = math.exp(-abs(x))
    return max(x, 0.0) + math.log1p(small)


def summed(forces: Iterable[DocumentPair], count: int) -> Gradients:
    """Return the forces of all pairs, added up for each of ``count`` documents.

    把每一对的推和拉，记到各自的文档头上。

    >>> summed(pairs([1, 0], [0, 0], weight="none"), 2).grad
    (-0.5, 0.5)
    """
    grad = [0.0] * count
    hess = [0.0] * count
    for pair in forces:
        grad[pair.better] -= pair.force
        grad[pair.worse] += pair.force
        hess[pair.better] += pair.curvature
        hess[pair.worse] += pair.curvature
    return Gradients(tuple(grad), tuple(hess))
