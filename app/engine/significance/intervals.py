"""How far a mean difference may be trusted: deviation, standard error, and the bootstrap interval."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from statistics import mean, stdev
from typing import NamedTuple

from app.engine.checks import checked_number, refusal
from app.engine.rounding import FLOAT_NOISE
from app.engine.significance.shuffling import THOUSANDTHS_OF_ONE, thousandths

MOST_QUERIES_RESAMPLED = 25


class BootstrapInterval(NamedTuple):
    """Between what the mean difference of most resamples lies."""

    low: float
    high: float


def mean_difference(differences: Sequence[float]) -> float:
    """Return the mean of the differences.

    >>> mean_difference([-0.078, -0.14, 0.5])
    0.094
    """
    return mean(thousandths(differences)) / THOUSANDTHS_OF_ONE


def deviation(differences: Sequence[float]) -> float:
    """Return the standard deviation of the differences, over n - 1.

    各个查询的差，离平均差通常有多远。

    >>> round(deviation([-0.078, -0.14, 0.5]), 3)
    0.353
    """
    return stdev(thousandths(differences)) / THOUSANDTHS_OF_ONE


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
    differences_in_thousandths = thousandths(differences)
    if len(differences_in_thousandths) > MOST_QUERIES_RESAMPLED:
        raise refusal("differences", differences, f"at most {MOST_QUERIES_RESAMPLED} differences")
    if not 0 < checked_number(share, "share") < 1:
        raise refusal("share", share, "a number between 0 and 1")
    count_by_sum = resample_counts_by_sum(differences_in_thousandths)
    resample_count = sum(count_by_sum.values())
    tail_share = (1 - share) / 2
    lowest_sum = _least_sum_within_count(count_by_sum, tail_share * resample_count)
    highest_sum = _least_sum_within_count(count_by_sum, (1 - tail_share) * resample_count)
    thousandths_in_mean = len(differences_in_thousandths) * THOUSANDTHS_OF_ONE
    return BootstrapInterval(lowest_sum / thousandths_in_mean, highest_sum / thousandths_in_mean)


def resample_counts_by_sum(differences: Sequence[int]) -> Counter[int]:
    """Return sum → how many of the n**n resamples add up to it.

    >>> sorted(resample_counts_by_sum([1, 3]).items())
    [(2, 1), (4, 2), (6, 1)]
    """
    draw_count_by_difference = Counter(differences)
    count_by_sum = Counter({0: 1})
    for _ in differences:
        next_count_by_sum: Counter[int] = Counter()
        for resample_sum, resample_count in count_by_sum.items():
            for difference, draw_count in draw_count_by_difference.items():
                next_count_by_sum[resample_sum + difference] += resample_count * draw_count
        count_by_sum = next_count_by_sum
    return count_by_sum


def _least_sum_within_count(count_by_sum: Mapping[int, int], resample_count: float) -> int:
    """The least sum that so many resamples do not exceed."""
    ordered_sums = sorted(count_by_sum)
    counts_so_far = accumulate(count_by_sum[resample_sum] for resample_sum in ordered_sums)
    fewest_resample_count = resample_count * (1 - FLOAT_NOISE)  # there are up to 25**25
    for resample_sum, count_so_far in zip(ordered_sums, counts_so_far, strict=True):
        if count_so_far >= fewest_resample_count:
            return resample_sum
    return ordered_sums[-1]
