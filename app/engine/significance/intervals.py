"""How far a mean difference may be trusted: deviation, standard error, and the bootstrap interval."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from statistics import mean, stdev
from typing import NamedTuple

from app.engine.checks import checked_number, refusal
from app.engine.cumulative import FLOAT_NOISE
from app.engine.significance.shuffling import THOUSAND, thousandths

MOST_RESAMPLED = 25


class BootstrapInterval(NamedTuple):
    """Between what the mean difference of most resamples lies."""

    low: float
    high: float


def mean_difference(differences: Sequence[float]) -> float:
    """Return the mean of the differences.

    >>> mean_difference([-0.078, -0.14, 0.5])
    0.094
    """
    return mean(thousandths(differences)) / THOUSAND


def deviation(differences: Sequence[float]) -> float:
    """Return the standard deviation of the differences, over n - 1.

    各个查询的差，离平均差通常有多远。

    >>> round(deviation([-0.078, -0.14, 0.5]), 3)
    0.353
    """
    return stdev(thousandths(differences)) / THOUSAND


def standard_error(differences: Sequence[float]) -> float:
    """Return the deviation over the root of n: how far the mean of so many queries usually strays.

    >>> round(standard_error([-0.078, -0.14, 0.5]), 3)
    0.204
    """
    return deviation(differences) / math.sqrt(len(differences))


def bootstrap_interval(differences: Sequence[float], share: float = 0.95) -> BootstrapInterval:
    """Return the percentile interval of the mean over all resamples of the queries.

    自助法：从这几个查询里放回去再抽，抽够原来那么多个，算平均差；所有抽法里，中间那几成落在哪一段。

    All n**n resamples are counted, none is drawn by chance, so that the interval is the same everywhere; its
    ends are means of resamples, the first at which the lower tail, and the share above it, is reached.
    differences: at most 25. share: between 0 and 1. Raises ValueError otherwise.
    After Efron, The Annals of Statistics 1979.

    >>> low, high = bootstrap_interval([-0.078, -0.14, 0.5])
    >>> round(low, 3), round(high, 3)
    (-0.14, 0.5)
    """
    units = thousandths(differences)
    if len(units) > MOST_RESAMPLED:
        raise refusal("differences", differences, f"at most {MOST_RESAMPLED} differences")
    if not 0 < checked_number(share, "share") < 1:
        raise refusal("share", share, "a number between 0 and 1")
    counts = resampled_sums(units)
    resamples = sum(counts.values())
    tail = (1 - share) / 2
    low = _sum_at(counts, tail * resamples)
    high = _sum_at(counts, (1 - tail) * resamples)
    scale = len(units) * THOUSAND
    return BootstrapInterval(low / scale, high / scale)


def resampled_sums(units: Sequence[int]) -> Counter[int]:
    """Return sum → how many of the n**n resamples add up to it.

    >>> sorted(resampled_sums([1, 3]).items())
    [(2, 1), (4, 2), (6, 1)]
    """
    chances = Counter(units)
    sums = Counter({0: 1})
    for _ in units:
        longer: Counter[int] = Counter()
        for total, count in sums.items():
            for unit, draw_count in chances.items():
                longer[total + unit] += count * draw_count
        sums = longer
    return sums


def _sum_at(counts: Mapping[int, int], resamples: float) -> int:
    """The least sum that so many resamples do not exceed."""
    ordered_sums = sorted(counts)
    for total, so_far in zip(
        ordered_sums, accumulate(counts[each_sum] for each_sum in ordered_sums), strict=True
    ):
        if so_far >= resamples - FLOAT_NOISE:
            return total
    return ordered_sums[-1]
