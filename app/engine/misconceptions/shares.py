"""Shares, right and wrong: measures that add up what each rank brings in, and divide by what there is.

A way of working has three steps, and each can be replaced: what a document is *worth* by its grade, the
*amounts* that the ranks bring in by these worths, and the *whole* by which their sum is divided. The right
ways stand at the end, in `RIGHT_SHARE_WORKING_BY_QUANTITY`.
Sources: Chapelle et al. 2009 (ERR), Moffat & Zobel 2008 (RBP).
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, combinations
from operator import gt, mul
from types import MappingProxyType
from typing import NamedTuple, Self, TypeAlias

from app.engine.checks import Grade
from app.engine.misconceptions.working import (
    Amounts,
    CutoffOf,
    FigureWorking,
    Ranking,
    Rounding,
    asked_cutoff,
    candidate_grades,
    divisor_always_one,
    quotient,
)
from app.engine.questions import HIGHEST_GRADE_OF_SCALE, RBP_PATIENCE, Question
from app.engine.terms import sum_in_order

WorthOfGrade: TypeAlias = Callable[[Grade], float]
WorthRule: TypeAlias = Callable[[Question], WorthOfGrade]


class DocumentWorths(NamedTuple):
    """What every document is worth: 1 for a relevant one, else 0; or the chance that it satisfies.

    counted_worths: rank by rank, down to the cutoff. listed_worths: of the whole list. judged_worths: of the
    whole pool. cutoff: of the question, also where the list is shorter; the length of the list without one.
    """

    counted_worths: Amounts
    listed_worths: Amounts
    judged_worths: Amounts
    cutoff: int


AmountsOf: TypeAlias = Callable[[DocumentWorths], Amounts]
DivisorOf: TypeAlias = Callable[[DocumentWorths], float]


# What a document is worth.


def worth_as_relevance(question: Question) -> WorthOfGrade:  # noqa: ARG001
    """Return 1 for a grade of at least 1, else 0."""
    return lambda grade: float(grade is not None and grade >= 1)


def worth_as_satisfaction(question: Question) -> WorthOfGrade:  # noqa: ARG001
    """Return the chance that a document satisfies, by its grade."""
    return lambda grade: chance_on_scale(grade or 0, HIGHEST_GRADE_OF_SCALE)


def chance_on_scale(grade: float, highest_grade: float) -> float:
    """Return ``(2**grade - 1) / 2**highest``: the chance that a document satisfies its reader.

    >>> chance_on_scale(3, 4)
    0.4375
    """
    return (math.pow(2, grade) - 1) / math.pow(2, highest_grade)


# What each rank brings in.


def counted_hits(worths: DocumentWorths) -> Amounts:
    """Return a 1 for every relevant document that counts."""
    return worths.counted_worths


def precisions_at_hits(worths: DocumentWorths) -> Amounts:
    """Return the precision at the rank of each relevant document, and 0 at the others."""
    return list(map(mul, precisions(worths), worths.counted_worths))


def precisions(worths: DocumentWorths) -> Amounts:
    """Return the precision at every rank.

    >>> precisions(DocumentWorths([1, 0], [1, 0], [1, 0], 2))
    [1.0, 0.5]
    """
    worth_sums = accumulate(worths.counted_worths)
    return [worth_sum / rank for rank, worth_sum in enumerate(worth_sums, start=1)]


def reciprocals(worths: DocumentWorths) -> Amounts:
    """Return ``1 / rank`` for every relevant document, and 0 for the others."""
    return [worth / rank for rank, worth in enumerate(worths.counted_worths, start=1)]


def first_reciprocal(worths: DocumentWorths) -> Amounts:
    """Return ``1 / rank`` of the first relevant document, and 0 at all other ranks."""
    amounts = [0.0] * len(worths.counted_worths)
    for rank_index, amount in enumerate(reciprocals(worths)):
        if amount:
            amounts[rank_index] = amount
            break
    return amounts


def counts_of_pairs_won(worths: DocumentWorths) -> Amounts:
    """Return for each document how many of a greater worth stand before it: pairs that stand rightly.

    >>> counts_of_pairs_won(DocumentWorths([1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 1, 0], 4))
    [0, 1, 0, 2]
    """
    return pair_counts_with_earlier(worths, gt)


def pair_counts_with_earlier(
    worths: DocumentWorths, is_pair_counted: Callable[[float, float], bool]
) -> Amounts:
    """Return for each document with how many before it, put first, its pair is counted by their worths."""
    listed_worths = worths.listed_worths
    pair_counts = []
    for worth_index, worth in enumerate(listed_worths):
        pair_counts.append(
            sum(is_pair_counted(earlier_worth, worth) for earlier_worth in listed_worths[:worth_index])
        )
    return pair_counts


def satisfaction_over_rank(worths: DocumentWorths) -> Amounts:
    """Return the share of the readers that each rank satisfies, over the rank."""
    arrival_chances = chances_of_arrival(worths)
    satisfaction_chances = map(mul, arrival_chances, worths.counted_worths)
    return [
        satisfaction_chance / rank for rank, satisfaction_chance in enumerate(satisfaction_chances, start=1)
    ]


def chances_of_arrival(worths: DocumentWorths) -> Amounts:
    """Return the share of the readers that arrive at each rank: nobody before it satisfied them.

    >>> chances_of_arrival(DocumentWorths([0.5, 0.5, 0], [0.5, 0.5, 0], [0.5, 0.5, 0], 3))
    [1.0, 0.5, 0.25]
    """
    staying_chances = [1 - satisfying_chance for satisfying_chance in worths.counted_worths[:-1]]
    return list(accumulate(staying_chances, mul, initial=1.0))


def usual_patience_at_hits(worths: DocumentWorths) -> Amounts:
    """Return the share of the readers that patience brings to each relevant document."""
    return patience_at_hits(worths, RBP_PATIENCE)


def patience_at_hits(worths: DocumentWorths, patience: float) -> Amounts:
    """Return ``patience ** (rank - 1)`` for every relevant document, and 0 for the others.

    >>> patience_at_hits(DocumentWorths([1, 0, 1], [1, 0, 1], [1, 0, 1], 3), 0.5)
    [1.0, 0.0, 0.25]
    """
    return [worth * patience**rank_index for rank_index, worth in enumerate(worths.counted_worths)]


# What there is.


def counted_rank_count(worths: DocumentWorths) -> float:
    """Return how many ranks count."""
    return worths.cutoff


def relevant_count(worths: DocumentWorths) -> float:
    """Return how many relevant documents there are in the pool."""
    return sum(worths.judged_worths)


def unequal_pair_count(worths: DocumentWorths) -> float:
    """Return how many pairs of different worth there are."""
    pairs = combinations(worths.listed_worths, 2)
    return sum(worth != other_worth for worth, other_worth in pairs)


def endless_patience_sum(worths: DocumentWorths) -> float:  # noqa: ARG001
    """Return ``1 / (1 - RBP_PATIENCE)``: what relevant documents without end would bring in."""
    return 1 / (1 - RBP_PATIENCE)


# The ways of working.


@dataclass(frozen=True, slots=True, eq=False)
class ShareWorking(FigureWorking):
    """One way of working out a share; each step can be replaced.

    精确率这一族的算法：每一位带来多少，加起来，再除以一共有多少；换掉一步，就是一个误区。

    worth: from a grade to what the document is worth. cutoff: how far the list counts.
    amounts: what each rank brings in. whole: what their sum is divided by.

    >>> question = Question("average_precision", [1, 0, 1], pool=[1, 0, 1, 1])
    >>> round(RIGHT_SHARE_WORKING_BY_QUANTITY["average_precision"].value(question), 3)
    0.556
    """

    amounts: AmountsOf
    whole: DivisorOf
    worth: WorthRule = worth_as_relevance
    cutoff: CutoffOf = asked_cutoff

    def value(self, question: Question) -> float:
        document_worths = self.document_worths(question)
        amount_sum = sum_in_order(self.amounts(document_worths))
        return float(quotient(amount_sum, self.whole(document_worths)))

    def terms(self, question: Question) -> Amounts:
        return self.amounts(self.document_worths(question))

    def rounded(self, rounding: Rounding) -> Self:
        """Return this way of working with what each rank brings in rounded.

        >>> question = Question("average_precision", [0, 0, 1, 1, 1])
        >>> right_working = RIGHT_SHARE_WORKING_BY_QUANTITY["average_precision"]
        >>> to_tenths = right_working.rounded(lambda amount: round(amount, 1))
        >>> round(to_tenths.value(question), 3)
        0.467
        """
        exact_amounts_of = self.amounts
        return replace(self, amounts=lambda worths: [rounding(amount) for amount in exact_amounts_of(worths)])

    def document_worths(self, question: Question) -> DocumentWorths:
        """Return what the documents of the list and of the pool are worth."""
        worth_of_grade = self.worth(question)
        listed_worths = _worths(question.grades, worth_of_grade)
        pool_worths = _worths(candidate_grades(question), worth_of_grade)
        cutoff = self.cutoff(question) or len(listed_worths)
        return DocumentWorths(listed_worths[:cutoff], listed_worths, pool_worths, cutoff)


def _worths(grades: Ranking, worth_of_grade: WorthOfGrade) -> Amounts:
    return [worth_of_grade(grade) for grade in grades]


RIGHT_SHARE_WORKING_BY_QUANTITY: Mapping[str, ShareWorking] = MappingProxyType(
    {
        "precision": ShareWorking(counted_hits, counted_rank_count),
        "recall": ShareWorking(counted_hits, relevant_count),
        "average_precision": ShareWorking(precisions_at_hits, relevant_count),
        "reciprocal_rank": ShareWorking(first_reciprocal, divisor_always_one),
        "auc": ShareWorking(counts_of_pairs_won, unequal_pair_count),
        "err": ShareWorking(satisfaction_over_rank, divisor_always_one, worth_as_satisfaction),
        "rbp": ShareWorking(usual_patience_at_hits, endless_patience_sum),
    }
)
