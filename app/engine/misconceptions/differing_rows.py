"""The row in which a wrong working first leaves the right one: what to look at when a mistake comes back."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from app.engine.misconceptions.ideal_models import QUANTITIES_WITH_IDEAL
from app.engine.misconceptions.misconception import right_working_of
from app.engine.misconceptions.shares import RIGHT_SHARE_WORKING_BY_QUANTITY
from app.engine.misconceptions.table import MISCONCEPTIONS, differs_from_right
from app.engine.misconceptions.working import Amounts, FigureWorking
from app.engine.questions import AnyQuestion

SHARE_QUANTITIES_WITHOUT_TERMS = {"reciprocal_rank", "auc"}
"""What a rank brings in is the answer itself, or nothing that a learner writes down."""
QUANTITIES_WITH_TERMS = {
    "cg",
    "dcg",
    "ndcg",
    *RIGHT_SHARE_WORKING_BY_QUANTITY,
} - SHARE_QUANTITIES_WITHOUT_TERMS


class DifferingRow(NamedTuple):
    """One rank: the term as it should be, and as the mistake has it.

    is_ideal: of the ideal ranking. is_counted: whether it belongs into the sum; beyond the cutoff none does.
    """

    rank: int
    right_amount: float
    wrong_amount: float
    is_ideal: bool
    is_counted: bool


def differing_row(question: AnyQuestion, misconception_id: str) -> DifferingRow | None:
    """Return the first row that a mistake gets wrong, or None where every row is right or there are none, as
    in a question about a table; also where the number may come of the mirror of the mistake, in other rows.

    错在哪一行：从第一位往下看，第一个和正确算法不一样的项；每一项都对（比如最后求了平均），就没有。

    Unrounded. Of the list first, then of the ideal ranking. Raises KeyError for an unknown misconception.

    >>> from app.engine.questions import Question
    >>> row = differing_row(Question("dcg", [3, 2, 0]), "no_discount")
    >>> row.rank, round(row.right_amount, 3), row.wrong_amount
    (2, 1.262, 2.0)
    >>> differing_row(Question("dcg", [3, 2, 0]), "mean_not_sum") is None
    True
    """
    misconception = MISCONCEPTIONS[misconception_id]
    if misconception.mirror_model or not misconception.applies(question):
        return None
    return next(
        _differing_rows_of_workings(question, right_working_of(question), misconception.working(question)),
        None,
    )


def _differing_rows_of_workings(
    question: AnyQuestion, right_working: FigureWorking, wrong_working: FigureWorking
) -> Iterator[DifferingRow]:
    if question.quantity in QUANTITIES_WITH_TERMS:
        yield from _differing_rows(
            right_working.terms(question), wrong_working.terms(question), is_ideal=False
        )
    if question.quantity in QUANTITIES_WITH_IDEAL:
        yield from _differing_rows(
            right_working.ideal_terms(question), wrong_working.ideal_terms(question), is_ideal=True
        )


def _differing_rows(right_amounts: Amounts, wrong_amounts: Amounts, is_ideal: bool) -> Iterator[DifferingRow]:
    for rank, (right_amount, wrong_amount) in enumerate(
        zip_longest(right_amounts, wrong_amounts, fillvalue=0.0), start=1
    ):
        if differs_from_right(wrong_amount, right_amount):
            is_counted = rank <= len(right_amounts)
            yield DifferingRow(rank, right_amount, wrong_amount, is_ideal, is_counted)
