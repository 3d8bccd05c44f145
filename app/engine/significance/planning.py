"""Before the test: how many queries or people it takes, and what many comparisons do to a chance."""

import math
from statistics import NormalDist

from app.engine.checks import checked_number, checked_positive, checked_rank, refusal

DEFAULT_SIGNIFICANCE_LEVEL = 0.05
"""How often an alarm may be false where nothing is different."""
DEFAULT_POWER = 0.8
"""How often a difference that is there shall be seen."""
STANDARD_NORMAL = NormalDist()


def smallest_p(queries: int) -> float:
    """Return the least two-sided p that so many queries can reach: all of them on one side.

    >>> smallest_p(3), smallest_p(6)
    (0.25, 0.03125)
    """
    return float(2 / 2 ** checked_rank(queries, "queries"))


def at_least_one(tests: int, level: float = DEFAULT_SIGNIFICANCE_LEVEL) -> float:
    """Return the chance of at least one false alarm in independent tests where nothing is different.

    比了这么多回，其实都没有差别，至少有一回碰巧“显著”的机会。

    >>> round(at_least_one(1), 3), round(at_least_one(20), 3)
    (0.05, 0.642)
    """
    alarm_chance = _checked_chance(level, "level")
    return float(1 - (1 - alarm_chance) ** checked_rank(tests, "tests"))


def power(queries: int, effect: float, deviation: float, level: float = DEFAULT_SIGNIFICANCE_LEVEL) -> float:
    """Return the chance that a two-sided test of so many queries sees a difference of that size.

    功效：真有这么大的差，这场实验看得出来的机会（正态近似）。

    effect: the true mean difference, above 0. deviation: of single queries, above 0. By the normal
    approximation, which flatters a handful of queries.

    >>> round(power(50, 0.02, 0.1), 2), round(power(200, 0.02, 0.1), 2)
    (0.29, 0.81)
    """
    query_count = checked_rank(queries, "queries")
    normal_shift = _effect_size(effect, deviation) * math.sqrt(query_count)
    critical_value = _critical_value(level)
    chance_above = STANDARD_NORMAL.cdf(normal_shift - critical_value)
    chance_below = STANDARD_NORMAL.cdf(-normal_shift - critical_value)
    return chance_above + chance_below


def queries_needed(
    effect: float, deviation: float, level: float = DEFAULT_SIGNIFICANCE_LEVEL, chance: float = DEFAULT_POWER
) -> int:
    """Return how many queries it takes to see a difference of that size with that chance.

    >>> queries_needed(0.02, 0.1), queries_needed(0.01, 0.1)
    (197, 785)
    """
    effect_size = _effect_size(effect, deviation)
    return math.ceil((_standard_errors_needed(level, chance) / effect_size) ** 2)


def people_needed(
    share: float, change: float, level: float = DEFAULT_SIGNIFICANCE_LEVEL, chance: float = DEFAULT_POWER
) -> int:
    """Return how many people each side of an A/B test needs to see a share change by so much.

    share: of the people who do it today, between 0 and 1. change: of that share, above 0 (0.01 is one
    percentage point). By the normal approximation, with the spread of today on both sides.

    >>> people_needed(0.2, 0.02), people_needed(0.2, 0.01)
    (6280, 25117)
    """
    share_variance = _checked_chance(share, "share") * (1 - share)
    standard_error_count = _standard_errors_needed(level, chance)
    return math.ceil(2 * standard_error_count**2 * share_variance / checked_positive(change, "change") ** 2)


def _effect_size(effect: float, deviation: float) -> float:
    """A mean difference in standard deviations of single queries: Cohen's d."""
    return checked_positive(effect, "effect") / checked_positive(deviation, "deviation")


def _standard_errors_needed(level: float, chance: float) -> float:
    """How many standard errors a difference must be worth to be seen with that chance."""
    return _critical_value(level) + STANDARD_NORMAL.inv_cdf(_checked_chance(chance, "chance"))


def _critical_value(level: float) -> float:
    """How many standard errors from 0 a two-sided test begins to reject."""
    return STANDARD_NORMAL.inv_cdf(1 - _checked_chance(level, "level") / 2)


def _checked_chance(chance: float, argument_name: str) -> float:
    if not 0 < checked_number(chance, argument_name) < 1:
        raise refusal(argument_name, chance, "a number between 0 and 1")
    return chance
