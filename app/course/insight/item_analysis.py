"""How a question behaved: what the first answers of a class say of it, and how sure one may be.

Every figure comes with how many answers it rests on and with an interval of 95 %: ten pupils are no law.
Pure arithmetic, checked against published values.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import atanh, comb, inf, sqrt, tanh
from statistics import fmean, median, stdev
from typing import NamedTuple

ENOUGH = 10
"""With fewer answers nothing is concluded: 样本太少，先别下结论."""
Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""
RARE = 0.025
"""What is cut off at each end."""
T = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""The 97.5 % points of Student's t for 1 to 30 degrees of freedom, as every table prints them."""


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`."""

    low: float
    high: float


def wilson(right: int, of: int) -> Interval:
    """The interval of Wilson (1927) for a share: it stays within 0 and 1, and is honest for small numbers.

    >>> found = wilson(8, 10)
    >>> round(found.low, 4), round(found.high, 4)
    (0.4902, 0.9433)
    """
    if of == 0:
        return Interval(0.0, 1.0)
    share, square = right / of, Z * Z
    middle = share + square / (2 * of)
    half = Z * sqrt(share * (1 - share) / of + square / (4 * of * of))
    low, high = (middle - half) / (1 + square / of), (middle + half) / (1 + square / of)
    return Interval(0.0 if right == 0 else low, 1.0 if right == of else high)


def point_biserial(rights: Sequence[bool], rests: Sequence[float]) -> float | None:
    """Whether those who got it right are those who get the rest right: their correlation, -1 to 1.

    `rests`: how much of everything else each one got right. None where all are the same in one of the two.

    >>> round(point_biserial([False, False, True, True], [0.1, 0.3, 0.6, 0.8]), 4)
    0.9285
    """
    share, middle = fmean(rights), fmean(rests)
    spread = sqrt(sum((rest - middle) ** 2 for rest in rests) / len(rests))
    if share in (0.0, 1.0) or spread < 1e-9:
        return None
    with_it = fmean(rest for right, rest in zip(rights, rests, strict=True) if right)
    found = (with_it - middle) / spread * sqrt(share / (1 - share))
    return max(-1.0, min(1.0, found))


def correlation_interval(found: float, of: int) -> Interval:
    """The interval of Fisher (1921) for a correlation: normal after atanh, with 1/√(n−3) as its spread.

    >>> interval = correlation_interval(0.5, 30)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.17, 0.729)
    """
    if of <= 3:
        return Interval(-1.0, 1.0)
    if abs(found) >= 1.0:
        return Interval(found, found)
    middle, half = atanh(found), Z / sqrt(of - 3)
    return Interval(tanh(middle - half), tanh(middle + half))


def t_point(freedom: int) -> float:
    """The 97.5 % point of Student's t; beyond the table by the expansion of Fisher and Cornish.

    >>> t_point(9), round(t_point(60), 3), round(t_point(1000), 3)
    (2.262, 2.0, 1.962)
    """
    if freedom <= len(T):
        return T[freedom - 1]
    cubic, quintic = (Z**3 + Z) / 4, (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    return Z + cubic / freedom + quintic / freedom**2


def mean_interval(values: Sequence[float]) -> Interval:
    """The interval of a mean, by Student's t; everything is possible with fewer than two values.

    >>> found = mean_interval([0.1, 0.2, 0.3])
    >>> round(found.low, 4), round(found.high, 4)
    (-0.0484, 0.4484)
    """
    if len(values) < 2:
        return Interval(-inf, inf)
    half = t_point(len(values) - 1) * stdev(values) / sqrt(len(values))
    return Interval(fmean(values) - half, fmean(values) + half)


def median_interval(values: Sequence[float]) -> Interval | None:
    """The interval of a median between two of the values: it asks nothing of how they are spread.

    Fewer than `j` of n values lie below the median with the chance that a fair coin gives; the j that is
    rare enough names the ends. With fewer than six values not even all of them reach 95 %.

    >>> median_interval([10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
    Interval(low=20, high=90)
    """
    found, rank = sorted(values), outer_rank(len(values))
    return Interval(found[rank - 1], found[-rank]) if rank else None


@cache
def outer_rank(of: int) -> int:
    """Counted from either end, the place of the values that bound the median of so many; 0 for too few.

    >>> outer_rank(5), outer_rank(6), outer_rank(10), outer_rank(100)
    (0, 1, 2, 40)
    """
    below, rank = 0, 0
    while below + comb(of, rank) <= RARE * 2**of:
        below += comb(of, rank)
        rank += 1
    return rank


def normalised_gain(before: float, after: float) -> float | None:
    """Hake's gain: how much of what was still missing has been learnt. None where nothing was missing.

    >>> round(normalised_gain(0.4, 0.7), 4), normalised_gain(1.0, 1.0)
    (0.5, None)
    """
    return None if before >= 1.0 else (after - before) / (1.0 - before)


# Questions.


class First(NamedTuple):
    """The first answer of somebody to a question. `said`: how a wrong one is counted with its likes."""

    learner: int
    item: str
    right: bool
    hinted: bool
    seconds: int | None
    said: str | None


@dataclass(frozen=True, slots=True)
class Middle:
    """A median or a mean of `of` values; the interval is None where they are too few for one."""

    middle: float | None
    of: int
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """What first answers say of a question. `wrong`: what was said, by how many; the most frequent first."""

    item: str
    answers: int
    right: int
    share: Interval
    discrimination: float | None
    spread: Interval | None
    time: Middle
    hinted: int
    wrong: Sequence[tuple[str | None, int]]

    @property
    def enough(self) -> bool:
        """Whether anything may be concluded."""
        return self.answers >= ENOUGH

    @property
    def hinting(self) -> Interval:
        """Of the share that looked at a hint first."""
        return wilson(self.hinted, self.answers)

    @property
    def facility(self) -> float:
        return self.right / self.answers if self.answers else 0.0


def analysed(firsts: Iterable[First]) -> Mapping[str, Figures]:
    """The figures of every question, by its name, in the order in which they were met."""
    by_item: dict[str, list[First]] = {}
    totals: dict[int, list[int]] = {}
    for first in firsts:
        by_item.setdefault(first.item, []).append(first)
        total = totals.setdefault(first.learner, [0, 0])
        total[0] += first.right
        total[1] += 1
    return {item: _figures(item, found, totals) for item, found in by_item.items()}


def unmet(item: str) -> Figures:
    """The figures of a question that nobody has answered."""
    return Figures(item, 0, 0, wilson(0, 0), None, None, Middle(None, 0), 0, ())


def _figures(item: str, found: Sequence[First], totals: Mapping[int, Sequence[int]]) -> Figures:
    right = sum(first.right for first in found)
    seconds = [first.seconds for first in found if first.seconds is not None]
    discrimination, spread = _discrimination(found, totals)
    return Figures(
        item=item,
        answers=len(found),
        right=right,
        share=wilson(right, len(found)),
        discrimination=discrimination,
        spread=spread,
        time=Middle(median(seconds), len(seconds), median_interval(seconds)) if seconds else Middle(None, 0),
        hinted=sum(first.hinted for first in found),
        wrong=_wrong(found),
    )


def _discrimination(
    found: Sequence[First], totals: Mapping[int, Sequence[int]]
) -> tuple[float | None, Interval | None]:
    """Against the rest alone: a question is not compared with itself."""
    rights, rests = [], []
    for first in found:
        right, of = totals[first.learner]
        if of > 1:
            rights.append(first.right)
            rests.append((right - first.right) / (of - 1))
    value = point_biserial(rights, rests) if len(rights) > 2 else None
    return value, None if value is None else correlation_interval(value, len(rights))


def _wrong(found: Sequence[First]) -> Sequence[tuple[str | None, int]]:
    counts: dict[str | None, int] = {}
    for first in found:
        if not first.right:
            counts[first.said] = counts.get(first.said, 0) + 1
    return sorted(counts.items(), key=lambda one: -one[1])


def tries(again: Sequence[int], answers: int) -> Middle:
    """How often one tried, on average. `again`: the further tries of everybody who tried again.

    >>> found = tries([1, 2], 4)
    >>> found.middle, round(found.interval.low, 2), round(found.interval.high, 2)
    (1.75, 1.0, 3.27)
    """
    every = [1 + more for more in again] + [1] * (answers - len(again))
    middle = fmean(every) if every else None
    if len(every) < 2:
        return Middle(middle, len(every))
    found = mean_interval(every)
    return Middle(middle, len(every), Interval(max(1.0, found.low), found.high))


# Two forms of a test, before and after.


@dataclass(frozen=True, slots=True)
class Gain:
    """What a class gained between two tests, from those who did both. Shares of the full marks, 0 to 1."""

    of: int
    before: float
    after: float
    difference: float
    interval: Interval
    normalised: float | None

    @property
    def enough(self) -> bool:
        return self.of >= ENOUGH

    @property
    def sure(self) -> bool:
        """Whether chance alone is an unlikely explanation: the interval does not hold 0."""
        return self.interval.low > 0 or self.interval.high < 0


def gain(pairs: Sequence[tuple[float, float]]) -> Gain | None:
    """The gain of those who did both; None while there is nobody.

    >>> found = gain([(0.2, 0.6), (0.4, 0.8), (0.6, 0.7)])
    >>> found.of, round(found.difference, 3), round(found.normalised, 3), found.sure
    (3, 0.3, 0.5, False)
    """
    if not pairs:
        return None
    before, after = fmean(one for one, _ in pairs), fmean(other for _, other in pairs)
    interval = mean_interval([other - one for one, other in pairs])
    return Gain(len(pairs), before, after, after - before, interval, normalised_gain(before, after))
