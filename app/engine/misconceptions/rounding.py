"""Right formula, wrong rounding: digits cut off, or rounded before the last step."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from app.engine.misconceptions.working import Working, right_working
from app.engine.questions import Question

TINY = 1e-9  # 4.35 * 100 is 434.99999999999994: what a person would call 435
ROUNDED_ON_THE_WAY = ("term", "dcg", "idcg", "ndcg")


def cut_off(value: float, decimals: int) -> float:
    """Return the figure with the further decimals simply left away.

    截断：后面的位数直接扔掉。

    >>> cut_off(3.8928, 3)
    3.892
    """
    scale = 10.0**decimals
    return math.floor(value * scale + TINY) / scale


def rounded(value: float, decimals: int) -> float:
    """Return the figure rounded as in school: a half goes up.

    >>> rounded(0.125, 2), rounded(2.5, 0)
    (0.13, 3.0)
    """
    return cut_off(value + 0.5 * 10.0**-decimals, decimals)


def rounded_on_the_way(question: Question, decimals: int) -> list[float]:
    """Return what one gets with the right formula when figures are rounded before the last step.

    中途就四舍五入：先舍入折损、每一项，或者（对NDCG）先舍入DCG和IDCG，再往下算。

    Terms rounded to ``decimals`` places or fewer (at least 1); weights, and for NDCG the two sums,
    likewise (at least 2: nobody works with 0.6 for 0.631). Unrounded at the end, most careful first.

    >>> [round(value, 4) for value in rounded_on_the_way(Question("idcg", [3, 3, 2, 1, 0]), 3)[:2]]
    [6.324, 6.324]
    """
    if question.quantity not in ROUNDED_ON_THE_WAY:
        return []
    return [working.value(question) for working in _workings(question, decimals)]


def _workings(question: Question, decimals: int) -> Iterator[Working]:
    right = right_working(question)
    for places in range(decimals, 0, -1):
        yield replace(
            right, pick=partial(_last_rounded, places=places), total=partial(_sum_of_rounded, places=places)
        )
        if places == 1:
            return
        yield replace(right, weights=partial(_rounded_weights, right.weights, places=places))
        if question.quantity == "ndcg":
            yield replace(right, total=partial(_rounded_sum, places=places))


def _last_rounded(terms: Sequence[float], places: int) -> float:
    return rounded(terms[-1], places)


def _sum_of_rounded(terms: Sequence[float], places: int) -> float:
    return sum(rounded(term, places) for term in terms)


def _rounded_sum(terms: Sequence[float], places: int) -> float:
    return rounded(sum(terms), places)


def _rounded_weights(weights: Callable[[int], Sequence[float]], count: int, places: int) -> list[float]:
    return [rounded(weight, places) for weight in weights(count)[:count]]
