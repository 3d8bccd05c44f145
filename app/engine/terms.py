"""Terms: what a grade gains, what its rank keeps of it, and how terms are added up."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from operator import add
from types import MappingProxyType
from typing import TypeAlias

from app.engine.checks import Grade, checked_choice, checked_number, checked_rank, refusal


def linear_gain(grade: float) -> float:
    """Return the grade itself: twice the grade, twice the gain.

    线性增益：等级是几，增益就是几。

    Source: Järvelin & Kekäläinen 2002; scikit-learn, trec_eval, ranx.

    >>> linear_gain(3)
    3
    """
    return grade


def exponential_gain(grade: float) -> float:
    """Return ``2**grade - 1``: each further grade is worth about double.

    指数增益：等级每高一级，增益大约翻一倍，所以“最甜的”格外重要。

    Source: Burges et al. 2005; the default of LightGBM and XGBoost. Fractional grades are not rounded.

    >>> exponential_gain(3)
    7.0
    """
    gain: float = 2.0**grade - 1.0
    return gain


Gain: TypeAlias = Callable[[float], float]
GAINS: Mapping[str, Gain] = MappingProxyType({"linear": linear_gain, "exponential": exponential_gain})


def gains_of(grades: Sequence[Grade], gain: str = "linear", argument_name: str = "grades") -> Sequence[float]:
    """Return the gain of every (checked) grade; an unjudged document gains 0 and keeps its rank.

    每篇文档的增益；未标注的文档增益是0，但名次照占。

    Raises ValueError for an unknown gain, and when ``2**grade`` is beyond a float (grades from 1024).

    >>> gains_of([3, None, 1], "exponential")
    [7.0, 0.0, 1.0]
    """
    gain_of_grade = GAINS[checked_choice(gain, "gain", GAINS)]
    if gain_of_grade is linear_gain:  # nearly always, and then without a call for each grade
        return [0 if grade is None else grade for grade in grades]
    try:
        return [gain_of_grade(0 if grade is None else grade) for grade in grades]
    except OverflowError:
        largest_grade = max(grade for grade in grades if grade is not None)
        requirement = f"below 1024 for gain {gain!r} (2**1024 is no float)"
        raise refusal(f"the largest of {argument_name}", largest_grade, requirement) from None


CACHED_RANK_COUNT = 1024  # ranks in a kept table: longer lists are rare enough to compute theirs anew


def log2_discount(rank: int, base: float) -> float:
    """Return ``1 / log_base(rank + 1)``: the usual discount, 1 at rank 1 for base 2.

    对数折损：第1位不打折，越往后折得越多，但折得越来越慢。

    Another base multiplies every weight by one constant: DCG changes, NDCG never does.
    Source: Burges et al. 2005; what scikit-learn, trec_eval, ranx, LightGBM and XGBoost compute.

    >>> [round(log2_discount(rank, 2), 3) for rank in (1, 2, 3)]
    [1.0, 0.631, 0.5]
    """
    if base == 2:
        return 1 / math.log2(rank + 1)
    return math.log(base) / math.log(rank + 1)


def jk2002_discount(rank: int, base: float) -> float:
    """Return 1 before rank ``base``, then ``1 / log_base(rank)``: the discount of the first paper.

    2002年论文的折损：排在base之前的不打折；底数越大，读者越有耐心。

    Here the base does change NDCG. With base 2, ranks 1 and 2 both keep everything.
    Source: Järvelin & Kekäläinen, ACM TOIS 20(4), 2002 (cited by many tools, computed by none of them).

    >>> [round(jk2002_discount(rank, 2), 3) for rank in (1, 2, 3)]
    [1.0, 1.0, 0.631]
    """
    if rank < base:
        return 1.0
    return math.log(base) / math.log(rank)


def reciprocal_discount(rank: int, base: float) -> float:  # noqa: ARG001 (one shape for all formulas)
    """Return ``1 / rank``: much steeper than the logarithm; ``base`` plays no part.

    倒数折损：第几位就除以几。

    >>> reciprocal_discount(4, 2)
    0.25
    """
    return 1 / rank


def undiscounted(rank: int, base: float) -> float:  # noqa: ARG001
    """Return 1 at every rank: nothing is lost lower down (with linear gain, DCG becomes CG).

    不打折：线性增益下，DCG就成了CG。

    >>> undiscounted(4, 2)
    1.0
    """
    return 1.0


DISCOUNTS: Mapping[str, Callable[[int, float], float]] = MappingProxyType(
    {
        "log2": log2_discount,
        "jk2002": jk2002_discount,
        "reciprocal": reciprocal_discount,
        "none": undiscounted,
    }
)


def discount_weight(rank: int, discount: str = "log2", base: float = 2) -> float:
    """Return the weight of one rank: the share of its gain that a document keeps there.

    折损：排在第rank位的文档，增益能保留多少（1表示全部保留）。

    rank: whole number >= 1. discount: a name in ``DISCOUNTS``. base: of the logarithm, > 1.
    Range: above 0, up to 1 (``log2`` with a base above 2 exceeds 1).
    Raises ValueError naming the argument, the value and what is allowed.

    >>> round(discount_weight(2), 3)
    0.631
    >>> discount_weight(0)
    Traceback (most recent call last):
        ...
    ValueError: rank = 0: expected a whole number >= 1
    """
    discount_of_rank = DISCOUNTS[checked_choice(discount, "discount", DISCOUNTS)]
    return discount_of_rank(checked_rank(rank, "rank"), _checked_base(base))


def discount_weights(rank_count: int, discount: str = "log2", base: float = 2) -> tuple[float, ...]:
    """Return the weights of ranks 1, 2, 3, … up to ``rank_count``.

    第1位起各位的折损。

    >>> [round(weight, 3) for weight in discount_weights(3)]
    [1.0, 0.631, 0.5]
    """
    checked_choice(discount, "discount", DISCOUNTS)
    if type(base) is not int or base != 2:  # nearly always it is 2, and nothing to look at
        base = _checked_base(base)
    if rank_count <= CACHED_RANK_COUNT:
        return _cached_weights(discount, base)[:rank_count]
    return _computed_weights(rank_count, discount, base)


def _checked_base(base: object) -> float:
    log_base = checked_number(base, "base", "a finite number > 1")
    if log_base <= 1:
        raise refusal("base", base, "a finite number > 1")
    return log_base


@lru_cache(maxsize=32)
def _cached_weights(discount: str, base: float) -> tuple[float, ...]:
    return _computed_weights(CACHED_RANK_COUNT, discount, base)


def _computed_weights(rank_count: int, discount: str, base: float) -> tuple[float, ...]:
    discount_of_rank = DISCOUNTS[discount]
    return tuple(discount_of_rank(rank, base) for rank in range(1, rank_count + 1))


def sum_in_order(numbers: Iterable[float]) -> float:
    """Return the numbers added up from the first to the last; 0.0 without one.

    从头到尾，一个一个地加。

    So a figure has the same last digit on every Python: the builtin ``sum`` rounds floats otherwise from 3.12
    on. The engine leaves it to whole numbers.

    >>> sum_in_order([0.1] * 10)   # what a person's running total shows, not the nearest float to 1
    0.9999999999999999
    """
    return reduce(add, numbers, 0.0)
