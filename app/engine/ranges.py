"""The room between worst and best: where an NDCG really stands."""

from dataclasses import dataclass

from app.engine.checks import Grades, checked_grades, checked_k, checked_total
from app.engine.cumulative import discounted_sum, idcg, share
from app.engine.discounts import discount_weights
from app.engine.gains import gains_of


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

    >>> room = ndcg_range([4, 1, 3, 4, 0])
    >>> round(room.worst, 3), round(room.mean, 3), room.best
    (0.639, 0.837, 1.0)
    """
    ideal = idcg(grades, k, gain, discount, pool, base)
    ascending = sorted(gains_of(checked_grades(grades), gain))
    depth = checked_k(k)
    weights = discount_weights(len(ascending), discount, base)[: len(ascending)]
    mean_gain = checked_total(sum(ascending, 0.0), "grades") / len(ascending)
    return NdcgRange(
        worst=share(discounted_sum(ascending[:depth], weights), ideal),
        mean=share(checked_total(mean_gain * sum(weights[:depth]), "grades"), ideal),
        best=share(discounted_sum(ascending[::-1][:depth], weights), ideal),
    )
