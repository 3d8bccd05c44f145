"""The row in which a wrong working first leaves the right one: what to look at when a mistake comes back."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from app.engine.misconceptions.ideal_models import QUANTITIES_WITH_IDEAL
from app.engine.misconceptions.misconception import AnyWorking, right_way
from app.engine.misconceptions.shares import RIGHT_SHARES, ShareWorking
from app.engine.misconceptions.table import MISCONCEPTIONS, differs
from app.engine.misconceptions.working import Amounts
from app.engine.questions import AnyQuestion, Question, TableQuestion

QUANTITIES_WITH_TERMS = ("cg", "dcg", "ndcg", *RIGHT_SHARES)


@dataclass(frozen=True, slots=True)
class DifferingRow:
    """One rank: the term as it should be, and as the mistake has it. `is_ideal`: of the ideal ranking."""

    rank: int
    right: float
    wrong: float
    is_ideal: bool


def differing_row(question: AnyQuestion, misconception: str) -> DifferingRow | None:
    """Return the first row that a mistake gets wrong, or None where every row is right,
    and in a question about a table, which has no ranks.

    错在哪一行：从第一位往下看，第一个和正确算法不一样的项；每一项都对（比如最后求了平均），就没有。

    Unrounded. Of the list first, then of the ideal ranking. Raises KeyError for an unknown misconception.

    >>> row = differing_row(Question("dcg", [3, 2, 0]), "no_discount")
    >>> row.rank, round(row.right, 3), row.wrong
    (2, 1.262, 2.0)
    >>> differing_row(Question("dcg", [3, 2, 0]), "mean_not_sum") is None
    True
    """
    model = MISCONCEPTIONS[misconception]
    if isinstance(question, TableQuestion):
        return None
    if not model.applies(question):
        return None
    return next(_rows_of(question, right_way(question), model.working(question)), None)


def _rows_of(
    question: Question, right_working: AnyWorking, wrong_working: AnyWorking
) -> Iterator[DifferingRow]:
    if question.quantity in QUANTITIES_WITH_TERMS:
        yield from _rows_that_differ(
            right_working.terms(question), wrong_working.terms(question), is_ideal=False
        )
    if isinstance(right_working, ShareWorking) or isinstance(wrong_working, ShareWorking):
        return
    if question.quantity in QUANTITIES_WITH_IDEAL:
        yield from _rows_that_differ(
            right_working.ideal_terms(question), wrong_working.ideal_terms(question), is_ideal=True
        )


def _rows_that_differ(
    right_amounts: Amounts, wrong_amounts: Amounts, is_ideal: bool
) -> Iterator[DifferingRow]:
    for rank, (truth, figure) in enumerate(zip_longest(right_amounts, wrong_amounts, fillvalue=0.0), start=1):
        if differs(figure, truth):
            yield DifferingRow(rank, truth, figure, is_ideal)
