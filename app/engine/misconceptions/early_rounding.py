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
from app.engine.terms import sum_in_order

QUANTITIES_ROUNDED_ON_THE_WAY = ("term", "dcg", "idcg", "ndcg")
SHARE_QUANTITIES_WITH_FRACTIONS = ("average_precision", "err", "rbp")


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
        return list(_rounded_table_figures(question, decimals))
    if question.quantity in SHARE_QUANTITIES_WITH_FRACTIONS:
        right_share = RIGHT_SHARE_WORKING_BY_QUANTITY[question.quantity]
        return [
            share_working.value(question) for share_working in _rounded_share_workings(right_share, decimals)
        ]
    if question.quantity not in QUANTITIES_ROUNDED_ON_THE_WAY:
        return []
    early_rounded_workings = _early_rounded_workings(right_working(question), question.quantity, decimals)
    return [working.value(question) for working in early_rounded_workings]


def _rounded_table_figures(question: TableQuestion, most_decimals: int) -> Iterator[float]:
    table_working = RIGHT_TABLE_WORKING_BY_QUANTITY[question.quantity]
    fewest_decimals = 1
    if question.quantity in SWAP_QUANTITIES:  # weights are among the figures
        fewest_decimals = 2
    for decimals in range(most_decimals, fewest_decimals - 1, -1):
        yield table_working.rounded(partial(rounded, decimals=decimals)).value(question)


def _rounded_share_workings(share_working: ShareWorking, most_decimals: int) -> Iterator[ShareWorking]:
    for decimals in range(most_decimals, 0, -1):
        yield rounded_terms(share_working, partial(rounded, decimals=decimals))


@cache  # there are few right workings, and every question that is drawn or diagnosed asks for these
def _early_rounded_workings(working: Working, quantity: str, most_decimals: int) -> list[Working]:
    early_rounded_workings = []
    for decimals in range(most_decimals, 0, -1):
        rounded_last_term = partial(_last_rounded, decimals=decimals)
        sum_of_rounded_terms = partial(_sum_of_rounded, decimals=decimals)
        early_rounded_workings.append(
            replace(working, take_asked_term=rounded_last_term, total=sum_of_rounded_terms)
        )
        if decimals == 1:
            continue
        rounded_weights = partial(_rounded_weights, working.weights, decimals=decimals)
        early_rounded_workings.append(replace(working, weights=rounded_weights))
        if quantity == "ndcg":
            rounded_sum_of_terms = partial(_rounded_sum, decimals=decimals)
            early_rounded_workings.append(replace(working, total=rounded_sum_of_terms))
    return early_rounded_workings


def _last_rounded(terms: Amounts, decimals: int) -> float:
    return rounded(terms[-1], decimals)


def _sum_of_rounded(terms: Amounts, decimals: int) -> float:
    return sum_in_order(rounded(term, decimals) for term in terms)


def _rounded_sum(terms: Amounts, decimals: int) -> float:
    return rounded(sum_in_order(terms), decimals)


def _rounded_weights(weights: WeightsFor, rank_count: int, decimals: int) -> list[float]:
    return [rounded(weight, decimals) for weight in weights(rank_count)[:rank_count]]
