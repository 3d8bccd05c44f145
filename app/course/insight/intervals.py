"""How sure one may be of a figure: intervals of 95 %, of shares, correlations, means and medians.

Pure arithmetic, checked against published values.
"""

from collections.abc import Sequence
from functools import cache
from math import atanh, comb, inf, sqrt, tanh
from statistics import fmean, stdev
from typing import NamedTuple

from app.engine.rounding import FLOAT_NOISE

NORMAL_POINT = 1.959963984540054
"""The 97.5 % point of the normal distribution."""
TAIL_PARTS = 40
"""One part in so many is cut off at each end: 2.5 %."""
FEWEST_PAIRS_OF_PERFECT_CORRELATION = 10
"""Of fewer pairs a correlation of 1 or -1 says nothing: Fisher's transformation knows no end for it."""
STUDENT_T_POINTS = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""The 97.5 % points of Student's t for 1 to 30 degrees of freedom, as every table prints them."""


class Interval(NamedTuple):
    """From `lower` to `upper`."""

    lower: float
    upper: float


def wilson_interval(right_count: int, answer_count: int) -> Interval:
    """The interval of Wilson (1927) for a share: it stays within 0 and 1, and is honest for small numbers.

    >>> interval = wilson_interval(8, 10)
    >>> round(interval.lower, 4), round(interval.upper, 4)
    (0.4902, 0.9433)
    """
    if answer_count == 0:
        return Interval(0.0, 1.0)
    share = right_count / answer_count
    squared_point = NORMAL_POINT * NORMAL_POINT
    middle_share = share + squared_point / (2 * answer_count)
    half_width = NORMAL_POINT * sqrt(
        share * (1 - share) / answer_count + squared_point / (4 * answer_count * answer_count)
    )
    lower_bound = (middle_share - half_width) / (1 + squared_point / answer_count)
    upper_bound = (middle_share + half_width) / (1 + squared_point / answer_count)
    if right_count == 0:
        lower_bound = 0.0
    if right_count == answer_count:
        upper_bound = 1.0
    return Interval(lower_bound, upper_bound)


def point_biserial(right_flags: Sequence[bool], shares: Sequence[float]) -> float | None:
    """Whether those who got it right are those who get other questions right: their correlation, -1 to 1.

    `shares`: which share of everything else each student got right. None where all are the same in one of
    the two.

    >>> round(point_biserial([False, False, True, True], [0.1, 0.3, 0.6, 0.8]), 4)
    0.9285
    """
    facility = fmean(right_flags)
    mean_share = fmean(shares)
    share_deviation = sqrt(sum((share - mean_share) ** 2 for share in shares) / len(shares))
    if facility in (0.0, 1.0) or share_deviation < FLOAT_NOISE:
        return None
    mean_share_where_right = fmean(
        share for is_right, share in zip(right_flags, shares, strict=True) if is_right
    )
    correlation = (mean_share_where_right - mean_share) / share_deviation * sqrt(facility / (1 - facility))
    return max(-1.0, min(1.0, correlation))


def correlation_interval(correlation: float, pair_count: int) -> Interval:
    """The interval of Fisher (1921) for a correlation: normal after atanh, with 1/√(n−3) as its spread.

    >>> interval = correlation_interval(0.5, 30)
    >>> round(interval.lower, 3), round(interval.upper, 3)
    (0.17, 0.729)
    """
    if pair_count <= 3:
        return Interval(-1.0, 1.0)
    if abs(correlation) > 1.0 - FLOAT_NOISE:
        if pair_count < FEWEST_PAIRS_OF_PERFECT_CORRELATION:
            return Interval(-1.0, 1.0)
        return Interval(correlation, correlation)
    middle_z = atanh(correlation)
    half_width = NORMAL_POINT / sqrt(pair_count - 3)
    return Interval(tanh(middle_z - half_width), tanh(middle_z + half_width))


def t_critical_value(degrees_of_freedom: int) -> float:
    """The 97.5 % point of Student's t; beyond the table by the expansion of Fisher and Cornish.

    >>> t_critical_value(9), round(t_critical_value(60), 3), round(t_critical_value(1000), 3)
    (2.262, 2.0, 1.962)
    """
    if degrees_of_freedom <= len(STUDENT_T_POINTS):
        return STUDENT_T_POINTS[degrees_of_freedom - 1]
    cubic_term = (NORMAL_POINT**3 + NORMAL_POINT) / 4
    quintic_term = (5 * NORMAL_POINT**5 + 16 * NORMAL_POINT**3 + 3 * NORMAL_POINT) / 96
    return NORMAL_POINT + cubic_term / degrees_of_freedom + quintic_term / degrees_of_freedom**2


def mean_interval(values: Sequence[float]) -> Interval:
    """The interval of a mean, by Student's t; everything is possible with fewer than two values.

    >>> interval = mean_interval([0.1, 0.2, 0.3])
    >>> round(interval.lower, 4), round(interval.upper, 4)
    (-0.0484, 0.4484)
    """
    if len(values) < 2:
        return Interval(-inf, inf)
    mean_value = fmean(values)
    half_width = t_critical_value(len(values) - 1) * stdev(values) / sqrt(len(values))
    return Interval(mean_value - half_width, mean_value + half_width)


def median_interval(values: Sequence[float]) -> Interval | None:
    """The interval of a median between two of the values: it asks nothing of how they are spread.

    Fewer than `j` of n values lie below the median with the chance that a fair coin gives; the j that is
    rare enough names the ends. With fewer than six values not even all of them reach 95 %.

    >>> median_interval([10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
    Interval(lower=20, upper=90)
    """
    rank = outer_rank(len(values))
    if not rank:
        return None
    ordered_values = sorted(values)
    return Interval(ordered_values[rank - 1], ordered_values[-rank])


@cache
def outer_rank(value_count: int) -> int:
    """Counted from either end, the place of the values that bound the median of so many; 0 for too few.

    >>> outer_rank(5), outer_rank(6), outer_rank(10), outer_rank(100), outer_rank(2000)
    (0, 1, 2, 40, 956)
    """
    rank = 0
    outcome_count_below = comb(value_count, 0)
    while TAIL_PARTS * outcome_count_below <= 2**value_count:
        rank += 1
        outcome_count_below += comb(value_count, rank)
    return rank
