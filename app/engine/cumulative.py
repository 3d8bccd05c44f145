"""Cumulated gain and its children: CG, DCG, the ideal, NDCG.

The whole chapter in four lines, for gains g and weights w in rank order::

    CG@k   = the grades of the first k, added up
    DCG@k  = g1·w1 + g2·w2 + … + gk·wk
    IDCG@k = the same sum over the sweetest possible order
    NDCG@k = DCG@k / IDCG@k            (0 when IDCG is 0)

The conventions stand in the parameters, the same everywhere:

grades    in system order, rank 1 first; None = unjudged: gain 0, but the rank is taken
k         the first k ranks count; None = all. It may exceed the list: nothing is added beyond the end
gain      ``linear`` (the grade) or ``exponential`` (2**grade - 1)
discount  a name in ``terms.DISCOUNTS``; ``base`` is that of the logarithm
pool      grades of all judged documents, for the ideal. None = the list itself. The ideal is made of the
          pool exactly as given: sorted whole, THEN cut at k (k=None: not cut, however short the list)

A pool is not compared with the list: unjudged documents stand in the list only, so a pool may well be
shorter. If it lacks judged documents of the list, NDCG can exceed 1; that is the price of such a pool.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

from app.engine.checks import Grade, Grades, checked_gain_sum, checked_grades, checked_k
from app.engine.terms import discount_weights, gains_of, sum_in_order


def cg(grades: Grades, k: int | None = None) -> float:
    """Return the cumulated gain: the grades of the first ``k`` documents, added up.

    累计增益：前k位一共有多甜；谁先谁后，它看不出来。

    CG is the sum of the grades as they are, also where DCG beside it uses the exponential gain (so the
    first paper defines it, and so worked examples print it). For a sum of exponential gains take
    ``dcg`` with the discount ``none``.
    Shape: grades of n documents -> one number, in units of grade. Range: 0 or more.
    Raises ValueError for bad grades or k. Source: Järvelin & Kekäläinen 2002.

    >>> cg([3, 2, 0, 1], k=2)
    5.0
    """
    gains = gains_of(checked_grades(grades), "linear")
    return checked_gain_sum(sum_in_order(gains[: checked_k(k)]), "grades")


def dcg(
    grades: Grades,
    k: int | None = None,
    gain: str = "linear",
    discount: str = "log2",
    pool: Grades | None = None,
    base: float = 2,
) -> float:
    """Return the discounted cumulated gain: each gain times the weight of its rank, added up.

    折损累计增益：甜的越靠前，得分越高；同样的糖放到后面就打折。

    Shape: grades of n documents -> one number, in units of gain. Range: 0 or more, at most IDCG for the
    same documents. ``pool`` changes nothing here; it is taken (and checked) so that dcg, idcg and ndcg
    accept the same call. Raises ValueError naming the argument, the value and what is allowed.
    Source: Järvelin & Kekäläinen 2002; log2(rank + 1) from Burges et al. 2005.

    >>> round(dcg([3, 2, 1], k=3), 3)   # 3/1 + 2/1.585 + 1/2
    4.762
    """
    gains = gains_of(checked_grades(grades), gain)
    _pool_gains(pool, gain)
    cutoff = checked_k(k)
    weights = discount_weights(len(gains), discount, base)
    return discounted_sum(gains[:cutoff], weights)


def idcg(
    grades: Grades,
    k: int | None = None,
    gain: str = "linear",
    discount: str = "log2",
    pool: Grades | None = None,
    base: float = 2,
) -> float:
    """Return the ideal DCG: that of the sweetest order, all of the pool sorted, then cut at ``k``.

    理想折损累计增益：先把全部文档从甜到淡排好，再截到前k位，这样能拿到的最高分。

    Shape: grades of n documents (and a pool of m) -> one number, in units of gain. Range: 0 or more.
    Raises ValueError naming the argument, the value and what is allowed.

    >>> round(idcg([3, 2, 1, 0, 2], k=3), 3)   # 3, 2, 2: the last 2 counts although it stood fifth
    5.262
    >>> idcg([1, 0], pool=[3, 2, 1, 0]) == dcg([3, 2, 1, 0])
    True
    """
    gains = gains_of(checked_grades(grades), gain)
    ideal_gains = _pool_gains(pool, gain) or gains
    cutoff = checked_k(k)
    weights = discount_weights(len(ideal_gains), discount, base)
    return _ideal_sum(ideal_gains, cutoff, weights)


def ndcg(
    grades: Grades,
    k: int | None = None,
    gain: str = "linear",
    discount: str = "log2",
    pool: Grades | None = None,
    base: float = 2,
) -> float:
    """Return the normalised DCG: what this order got, as a share of the best it could have got.

    归一化折损累计增益：这个顺序拿到了理想分数的几成，1就是越甜越靠前、一个不差。

    Shape: grades of n documents (and a pool of m) -> one number without a unit.
    Range: 0 to 1 (above 1 only if the pool lacks documents of the list). An ideal of 0, when nothing
    is relevant, gives 0.0 by rule, as in scikit-learn and trec_eval; LightGBM and XGBoost say 1 there.
    Raises ValueError naming the argument, the value and what is allowed.
    Source: Järvelin & Kekäläinen 2002; Burges et al. 2005.

    >>> round(ndcg([4, 1, 3, 4, 0]), 3)
    0.929
    >>> ndcg([3, 2, 1]), ndcg([1, 0, 0]), ndcg([0, 0])   # perfect, perfect, nothing to find
    (1.0, 1.0, 0.0)
    >>> round(ndcg([1, 0], pool=[3, 2, 1, 0]), 2)
    0.21
    """
    gains = gains_of(checked_grades(grades), gain)
    ideal_gains = _pool_gains(pool, gain) or gains
    cutoff = checked_k(k)
    weights = discount_weights(max(len(gains), len(ideal_gains)), discount, base)
    ideal_dcg = _ideal_sum(ideal_gains, cutoff, weights)
    return share(discounted_sum(gains[:cutoff], weights), ideal_dcg)


def _pool_gains(pool: Grades | None, gain: str) -> Sequence[float] | None:
    if pool is None:
        return None
    judged_grades = checked_grades(pool, "pool")
    return gains_of(judged_grades, gain, "pool")


def _ideal_sum(gains: Sequence[float], cutoff: int | None, weights: Sequence[float]) -> float:
    ideal_gains = sorted(gains, reverse=True)
    return discounted_sum(ideal_gains[:cutoff], weights, "grades or pool")


def ideal_ranking(grades: Sequence[Grade]) -> list[Grade]:
    """Return the (checked) grades from sweetest to plainest, the unjudged last.

    理想排序：越甜越靠前，未标注的放最后。

    >>> ideal_ranking([0, None, 3, 1])
    [3, 1, 0, None]
    """
    return sorted(grades, key=lambda grade: -1 if grade is None else grade, reverse=True)


def discounted_sum(gains: Sequence[float], weights: Sequence[float], argument_name: str = "grades") -> float:
    """Return ``g1·w1 + g2·w2 + …`` over the gains there are; further weights are not used.

    >>> discounted_sum([4, 2], [1, 0.5, 0.25])
    5.0
    """
    return checked_gain_sum(sum_in_order(map(mul, gains, weights)), argument_name)


def share(part: float, whole: float) -> float:
    """Return ``part / whole``, and 0.0 where the whole is 0: nothing to find, nothing found.

    >>> share(3, 4), share(0, 0)
    (0.75, 0.0)
    """
    return part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class NdcgRange:
    """NDCG of the worst order, the mean over all orders, NDCG of the best order.

    同一批文档，最差的顺序、随便排的平均、最好的顺序，各得多少。

    >>> NdcgRange(worst=0.6, mean=0.8, best=1.0).mean
    0.8
    """

    worst: float
    mean: float
    best: float


def ndcg_range(
    grades: Grades,
    k: int | None = None,
    gain: str = "linear",
    discount: str = "log2",
    pool: Grades | None = None,
    base: float = 2,
) -> NdcgRange:
    """Return how low, how high and how high on average NDCG comes when these documents are reordered.

    0.929算好吗？先看看这批文档最差能得几分、随便排平均得几分。

    Parameters, errors and the rule for an ideal of 0 are those of ``ndcg``; all n documents are
    reordered, then cut at k. Shape: n grades -> three numbers, worst <= mean <= best.
    Without a pool the best is 1 (or 0, when nothing is relevant); with one it can be less.
    The mean needs no orders listed: on average every rank holds the mean gain, so it is
    ``mean gain * (w1 + … + wk) / IDCG``, with as many weights as there are documents, at most k.

    >>> spread_of_orders = ndcg_range([4, 1, 3, 4, 0])
    >>> round(spread_of_orders.worst, 3), round(spread_of_orders.mean, 3), spread_of_orders.best
    (0.639, 0.837, 1.0)
    """
    ideal_dcg = idcg(grades, k, gain, discount, pool, base)
    gains = gains_of(checked_grades(grades), gain)
    return range_of_orders(gains, ideal_dcg, checked_k(k), discount_weights(len(gains), discount, base))


def range_of_orders(
    gains: Sequence[float], ideal_dcg: float, cutoff: int | None, weights: Sequence[float]
) -> NdcgRange:
    """Return what documents of these (checked) gains come to when they are reordered, as ``ndcg_range``.

    weights: of ranks 1, 2, 3, …, at least as many as there are gains.

    >>> range_of_orders([1, 0], 1.0, 1, [1.0, 0.5])
    NdcgRange(worst=0.0, mean=0.5, best=1.0)
    """
    ascending_gains = sorted(gains)
    mean_gain = checked_gain_sum(sum_in_order(ascending_gains), "grades") / len(ascending_gains)
    worst_dcg = discounted_sum(ascending_gains[:cutoff], weights)
    mean_dcg = checked_gain_sum(mean_gain * sum_in_order(weights[: len(ascending_gains)][:cutoff]), "grades")
    best_dcg = discounted_sum(ascending_gains[::-1][:cutoff], weights)
    return NdcgRange(share(worst_dcg, ideal_dcg), share(mean_dcg, ideal_dcg), share(best_dcg, ideal_dcg))
