"""Early rounding: the right steps, worked with figures that were rounded too soon. No misconception."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from app.engine.cumulative import FLOAT_NOISE
from app.engine.misconceptions.shares import RIGHT_SHARE_WORKING_BY_QUANTITY, ShareWorking, rounded_terms
from app.engine.misconceptions.tables import RIGHT_TABLE_WORKING_BY_QUANTITY
from app.engine.misconceptions.working import Amounts, WeightsFor, Working, right_working
from app.engine.pair_questions import SWAP_QUANTITIES
from app.engine.questions import AnyQuestion, TableQuestion
from app.engine.sums import sum_in_order

QUANTITIES_ROUNDED_ON_THE_WAY = ("term", "dcg", "idcg", "ndcg")
SHARES_OF_FRACTIONS = ("average_precision", "err", "rbp")


def truncated(figure: float, decimals: int) -> float:
    """Return the figure with the further decimals simply left away.

    截断：后面的位数直接扔掉。

    >>> truncated(3.8928, 3)
    3.892
    """
    scale = 10.0**decimals
    # 4.35 * 100 is 434.99999999999994: what a person would call 435
    return math.floor(figure * scale + FLOAT_NOISE) / scale


def rounded(figure: float, decimals: int) -> float:
    """Return the figure rounded as in school: a half goes up.

    >>> rounded(0.125, 2), rounded(2.5, 0)
    (0.13, 3.0)
    """
    return truncated(figure + 0.5 * 10.0**-decimals, decimals)


def early_rounded_values(question: AnyQuestion, decimals: int) -> list[float]:
    """Return what one gets with the right formula when figures are rounded before the last step.

    中途就四舍五入：先舍入折损、每一项，或者（对NDCG）先舍入DCG和IDCG，再往下算。

    Terms rounded to ``decimals`` places or fewer (at least 1); weights, and for NDCG the two sums,
    likewise (at least 2: nobody works with 0.6 for 0.631); of a share, what each rank
    brings in; of a table, each figure on the way. Unrounded at the end, most careful first.

    >>> from app.engine.questions import Question
    >>> [round(value, 4) for value in early_rounded_values(Question("idcg", [3, 3, 2, 1, 0]), 3)[:2]]
    [6.324, 6.324]
    """
    if isinstance(question, TableQuestion):
        return list(_rounded_tables(question, decimals))
    if question.quantity in SHARES_OF_FRACTIONS:
        right_share = RIGHT_SHARE_WORKING_BY_QUANTITY[question.quantity]
        return [share_working.value(question) for share_working in _rounded_shares(right_share, decimals)]
    if question.quantity not in QUANTITIES_ROUNDED_ON_THE_WAY:
        return []
    workings = _workings(right_working(question), question.quantity, decimals)
    return [working.value(question) for working in workings]


def _rounded_tables(question: TableQuestion, most_decimals: int) -> Iterator[float]:
    right_working = RIGHT_TABLE_WORKING_BY_QUANTITY[question.quantity]
    fewest_decimals = 1
    if question.quantity in SWAP_QUANTITIES:  # weights are among the figures
        fewest_decimals = 2
    for decimals in range(most_decimals, fewest_decimals - 1, -1):
        yield right_working.rounded(partial(rounded, decimals=decimals)).value(question)


def _rounded_shares(right_working: ShareWorking, most_decimals: int) -> Iterator[ShareWorking]:
    for decimals in range(most_decimals, 0, -1):
        yield rounded_terms(right_working, partial(rounded, decimals=decimals))


@cache  # there are few right workings, and every question that is drawn or diagnosed asks for these
def _workings(working: Working, quantity: str, most_decimals: int) -> list[Working]:
    workings = []
    for decimals in range(most_decimals, 0, -1):
        total_of_last_rounded = partial(_last_rounded, decimals=decimals)
        total_of_rounded = partial(_sum_of_rounded, decimals=decimals)
        workings.append(replace(working, take_asked=total_of_last_rounded, total=total_of_rounded))
        if decimals == 1:
            continue
        rounded_weights = partial(_rounded_weights, working.weights, decimals=decimals)
        workings.append(replace(working, weights=rounded_weights))
        if quantity == "ndcg":
            rounded_total = partial(_rounded_sum, decimals=decimals)
            workings.append(replace(working, total=rounded_total))
    return workings


def _last_rounded(terms: Amounts, decimals: int) -> float:
    return rounded(terms[-1], decimals)


def _sum_of_rounded(terms: Amounts, decimals: int) -> float:
    return sum_in_order(rounded(term, decimals) for term in terms)


def _rounded_sum(terms: Amounts, decimals: int) -> float:
    return rounded(sum_in_order(terms), decimals)


def _rounded_weights(weights: WeightsFor, rank_count: int, decimals: int) -> list[float]:
    return [rounded(weight, decimals) for weight in weights(rank_count)[:rank_count]]
