"""How a question behaved: what the first answers of a class say of it, and how sure one may be.

Every figure comes with how many answers it rests on and with an interval of 95 %: ten students are no law.
Pure arithmetic, checked against published values.
"""

from collections import Counter, defaultdict
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


def wilson(right_count: int, answer_count: int) -> Interval:
    """The interval of Wilson (1927) for a share: it stays within 0 and 1, and is honest for small numbers.

    >>> interval = wilson(8, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4902, 0.9433)
    """
    if answer_count == 0:
        return Interval(0.0, 1.0)
    share = right_count / answer_count
    square = Z * Z
    middle = share + square / (2 * answer_count)
    half = Z * sqrt(share * (1 - share) / answer_count + square / (4 * answer_count * answer_count))
    low = (middle - half) / (1 + square / answer_count)
    high = (middle + half) / (1 + square / answer_count)
    if right_count == 0:
        low = 0.0
    if right_count == answer_count:
        high = 1.0
    return Interval(low, high)


def point_biserial(rights: Sequence[bool], shares: Sequence[float]) -> float | None:
    """Whether those who got it right are those who get other questions right: their correlation, -1 to 1.

    `shares`: which share of everything else each student got right. None where all are the same in one of
    the two.

    >>> round(point_biserial([False, False, True, True], [0.1, 0.3, 0.6, 0.8]), 4)
    0.9285
    """
    facility = fmean(rights)
    middle = fmean(shares)
    spread = sqrt(sum((share - middle) ** 2 for share in shares) / len(shares))
    if facility in (0.0, 1.0) or spread < 1e-9:
        return None
    of_right = fmean(share for right, share in zip(rights, shares, strict=True) if right)
    correlation = (of_right - middle) / spread * sqrt(facility / (1 - facility))
    return max(-1.0, min(1.0, correlation))


def correlation_interval(correlation: float, pair_count: int) -> Interval:
    """The interval of Fisher (1921) for a correlation: normal after atanh, with 1/√(n−3) as its spread.

    >>> interval = correlation_interval(0.5, 30)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.17, 0.729)
    """
    if pair_count <= 3:
        return Interval(-1.0, 1.0)
    if abs(correlation) >= 1.0:
        return Interval(correlation, correlation)
    middle = atanh(correlation)
    half = Z / sqrt(pair_count - 3)
    return Interval(tanh(middle - half), tanh(middle + half))


def t_point(freedom: int) -> float:
    """The 97.5 % point of Student's t; beyond the table by the expansion of Fisher and Cornish.

    >>> t_point(9), round(t_point(60), 3), round(t_point(1000), 3)
    (2.262, 2.0, 1.962)
    """
    if freedom <= len(T):
        return T[freedom - 1]
    cubic = (Z**3 + Z) / 4
    quintic = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    return Z + cubic / freedom + quintic / freedom**2


def mean_interval(values: Sequence[float]) -> Interval:
    """The interval of a mean, by Student's t; everything is possible with fewer than two values.

    >>> interval = mean_interval([0.1, 0.2, 0.3])
    >>> round(interval.low, 4), round(interval.high, 4)
    (-0.0484, 0.4484)
    """
    if len(values) < 2:
        return Interval(-inf, inf)
    mean = fmean(values)
    half = t_point(len(values) - 1) * stdev(values) / sqrt(len(values))
    return Interval(mean - half, mean + half)


def median_interval(values: Sequence[float]) -> Interval | None:
    """The interval of a median between two of the values: it asks nothing of how they are spread.

    Fewer than `j` of n values lie below the median with the chance that a fair coin gives; the j that is
    rare enough names the ends. With fewer than six values not even all of them reach 95 %.

    >>> median_interval([10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
    Interval(low=20, high=90)
    """
    rank = outer_rank(len(values))
    if not rank:
        return None
    in_order = sorted(values)
    return Interval(in_order[rank - 1], in_order[-rank])


@cache
def outer_rank(value_count: int) -> int:
    """Counted from either end, the place of the values that bound the median of so many; 0 for too few.

    >>> outer_rank(5), outer_rank(6), outer_rank(10), outer_rank(100)
    (0, 1, 2, 40)
    """
    rank = 0
    ways_below = comb(value_count, 0)
    while ways_below <= RARE * 2**value_count:
        rank += 1
        ways_below += comb(value_count, rank)
    return rank


def normalised_gain(share_before: float, share_after: float) -> float | None:
    """Hake's gain: how much of what was still missing has been learnt. None where nothing was missing.

    >>> round(normalised_gain(0.4, 0.7), 4), normalised_gain(1.0, 1.0)
    (0.5, None)
    """
    if share_before >= 1.0:
        return None
    return (share_after - share_before) / (1.0 - share_before)


# Questions.


class First(NamedTuple):
    """The first answer of a student to a question.

    `wrong_answer`: what a wrong one is counted under, a misconception or `=` and what was typed.
    """

    learner: int
    item: str
    right: bool
    hinted: bool
    seconds: int | None
    wrong_answer: str | None


@dataclass(frozen=True, slots=True)
class Middle:
    """A median or a mean of `of` values; the interval is None where they are too few for one."""

    middle: float | None
    of: int
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """What first answers say of a question. `wrong`: answers with their counts, most frequent first.

    `compared`: so many of those who answered have another question that it can be compared with.
    """

    item: str
    answers: int
    right: int
    facility_interval: Interval
    discrimination: float | None
    discrimination_interval: Interval | None
    compared: int
    time: Middle
    hinted: int
    wrong: Sequence[tuple[str | None, int]]

    @property
    def enough(self) -> bool:
        """Whether anything may be concluded."""
        return self.answers >= ENOUGH

    @property
    def hinted_interval(self) -> Interval:
        """Of the share that looked at a hint first."""
        return wilson(self.hinted, self.answers)

    @property
    def facility(self) -> float:
        return self.right / self.answers if self.answers else 0.0


@dataclass(slots=True)
class LearnerTally:
    """What a learner got right, of so many questions."""

    right: int = 0
    of: int = 0


def analyse(firsts: Iterable[First]) -> Mapping[str, Figures]:
    """The figures of every question, by its name, in the order in which they were met."""
    by_item: dict[str, list[First]] = defaultdict(list)
    tallies: dict[int, LearnerTally] = defaultdict(LearnerTally)
    for first_answer in firsts:
        by_item[first_answer.item].append(first_answer)
        tally = tallies[first_answer.learner]
        tally.right += first_answer.right
        tally.of += 1
    return {item_ref: figures_of(item_ref, answers, tallies) for item_ref, answers in by_item.items()}


def unmet(item_ref: str) -> Figures:
    """The figures of a question that nobody has answered."""
    return figures_of(item_ref, (), {})


def figures_of(item_ref: str, answers: Sequence[First], tallies: Mapping[int, LearnerTally]) -> Figures:
    right_count = sum(first_answer.right for first_answer in answers)
    seconds = [first_answer.seconds for first_answer in answers if first_answer.seconds is not None]
    rights, shares_elsewhere = beside_others(answers, tallies)
    discrimination, discrimination_interval = discrimination_of(rights, shares_elsewhere)
    wrong_counts = Counter(first_answer.wrong_answer for first_answer in answers if not first_answer.right)
    return Figures(
        item=item_ref,
        answers=len(answers),
        right=right_count,
        facility_interval=wilson(right_count, len(answers)),
        discrimination=discrimination,
        discrimination_interval=discrimination_interval,
        compared=len(rights),
        time=median_of(seconds),
        hinted=sum(first_answer.hinted for first_answer in answers),
        wrong=wrong_counts.most_common(),
    )


def median_of(seconds: Sequence[int]) -> Middle:
    if not seconds:
        return Middle(None, 0)
    return Middle(median(seconds), len(seconds), median_interval(seconds))


def beside_others(
    first_answers: Sequence[First], tallies: Mapping[int, LearnerTally]
) -> tuple[list[bool], list[float]]:
    """Who was right, and which share of their other questions: a question is not compared with itself."""
    rights = []
    shares = []
    for first_answer in first_answers:
        tally = tallies[first_answer.learner]
        if tally.of > 1:
            rights.append(first_answer.right)
            shares.append((tally.right - first_answer.right) / (tally.of - 1))
    return rights, shares


def discrimination_of(
    rights: Sequence[bool], shares: Sequence[float]
) -> tuple[float | None, Interval | None]:
    """`point_biserial`, with its interval; None for two or fewer."""
    if len(rights) <= 2:
        return None, None
    correlation = point_biserial(rights, shares)
    if correlation is None:
        return None, None
    return correlation, correlation_interval(correlation, len(rights))


def tries(further_tries: Sequence[int], answers: int) -> Middle:
    """How often one tried, on average. `further_tries`: of everybody who tried again.

    >>> average = tries([1, 2], 4)
    >>> average.middle, round(average.interval.low, 2), round(average.interval.high, 2)
    (1.75, 1.0, 3.27)
    """
    counts = [1 + further for further in further_tries]
    counts += [1] * (answers - len(counts))
    if not counts:
        return Middle(None, 0)
    if len(counts) < 2:
        return Middle(fmean(counts), len(counts))
    interval = mean_interval(counts)
    return Middle(fmean(counts), len(counts), Interval(max(1.0, interval.low), interval.high))


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

    >>> measured = gain([(0.2, 0.6), (0.4, 0.8), (0.6, 0.7)])
    >>> measured.of, round(measured.difference, 3), round(measured.normalised, 3), measured.sure
    (3, 0.3, 0.5, False)
    """
    if not pairs:
        return None
    mean_before = fmean(share for share, _ in pairs)
    mean_after = fmean(share for _, share in pairs)
    interval = mean_interval([later - earlier for earlier, later in pairs])
    return Gain(
        len(pairs),
        mean_before,
        mean_after,
        mean_after - mean_before,
        interval,
        normalised_gain(mean_before, mean_after),
    )
