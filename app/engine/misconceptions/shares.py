"""Shares, right and wrong: measures that add up what each rank brings in, and divide by what there is.

A way of working has three steps, and each can be replaced: what a document is *worth* by its grade, the
*amounts* that the ranks bring in by these worths, and the *whole* by which their sum is divided. The right
ways stand at the end, in `RIGHT_SHARES`. Sources: Chapelle et al. 2009 (ERR), Moffat & Zobel 2008 (RBP).
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, combinations
from operator import gt, mul
from types import MappingProxyType
from typing import TypeAlias

from app.engine.checks import Grade
from app.engine.misconceptions.working import (
    Amounts,
    CutoffOf,
    Ranking,
    asked_cutoff,
    candidate_grades,
    quotient,
)
from app.engine.questions import HIGHEST_GRADE_OF_SCALE, RBP_PATIENCE, Question

Worth: TypeAlias = Callable[[Grade], float]
WorthOf: TypeAlias = Callable[[Question], Worth]


@dataclass(frozen=True, slots=True)
class Judgements:
    """What every document is worth: 1 for a relevant one, else 0; or the chance that it satisfies.

    counted_worths: rank by rank, down to the cutoff. listed_worths: of the whole list. judged_worths: of the
    whole pool. cutoff: of the question, also where the list is shorter; the length of the list without one.
    """

    counted_worths: Amounts
    listed_worths: Amounts
    judged_worths: Amounts
    cutoff: int


AmountsOf: TypeAlias = Callable[[Judgements], Amounts]
WholeOf: TypeAlias = Callable[[Judgements], float]


# What a document is worth.


def relevance(question: Question) -> Worth:  # noqa: ARG001
    """Return 1 for a grade of at least 1, else 0."""
    return lambda grade: float(grade is not None and grade >= 1)


def chance(question: Question) -> Worth:  # noqa: ARG001
    """Return the chance that a document satisfies, by its grade."""
    return lambda grade: chance_on_scale(grade or 0, HIGHEST_GRADE_OF_SCALE)


def chance_on_scale(grade: float, highest: float) -> float:
    """Return ``(2**grade - 1) / 2**highest``: the chance that a document satisfies its reader.

    >>> chance_on_scale(3, 4)
    0.4375
    """
    return (math.pow(2, grade) - 1) / math.pow(2, highest)


# What each rank brings in.


def every_hit(judgements: Judgements) -> Amounts:
    """Return a 1 for every relevant document that counts."""
    return judgements.counted_worths


def precisions_at_hits(judgements: Judgements) -> Amounts:
    """Return the precision at the rank of each relevant document, and 0 at the others."""
    return list(map(mul, precisions(judgements), judgements.counted_worths))


def precisions(judgements: Judgements) -> Amounts:
    """Return the precision at every rank.

    >>> precisions(Judgements([1, 0], [1, 0], [1, 0], 2))
    [1.0, 0.5]
    """
    hits_so_far = accumulate(judgements.counted_worths)
    return [hits / rank for rank, hits in enumerate(hits_so_far, start=1)]


def reciprocals(judgements: Judgements) -> Amounts:
    """Return ``1 / rank`` for every relevant document, and 0 for the others."""
    return [hit / rank for rank, hit in enumerate(judgements.counted_worths, start=1)]


def first_reciprocal(judgements: Judgements) -> Amounts:
    """Return ``1 / rank`` of the first relevant document, and 0 at all other ranks."""
    amounts = [0.0] * len(judgements.counted_worths)
    for index, amount in enumerate(reciprocals(judgements)):
        if amount:
            amounts[index] = amount
            break
    return amounts


def pairs_won(judgements: Judgements) -> Amounts:
    """Return for each document how many of a greater worth stand before it: pairs that stand rightly.

    >>> pairs_won(Judgements([1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 1, 0], 4))
    [0, 1, 0, 2]
    """
    return pairs_with_earlier(judgements, gt)


def pairs_with_earlier(judgements: Judgements, holds: Callable[[float, float], bool]) -> Amounts:
    """Return for each document with how many before it, put first, a comparison of their worths holds."""
    worths = judgements.listed_worths
    counts = []
    for index, worth in enumerate(worths):
        counts.append(sum(holds(earlier_worth, worth) for earlier_worth in worths[:index]))
    return counts


def satisfied_readers(judgements: Judgements) -> Amounts:
    """Return the share of the readers that each rank satisfies, over the rank."""
    arriving_shares = arriving_readers(judgements)
    satisfied_shares = map(mul, arriving_shares, judgements.counted_worths)
    return [share / rank for rank, share in enumerate(satisfied_shares, start=1)]


def arriving_readers(judgements: Judgements) -> Amounts:
    """Return the share of the readers that arrive at each rank: nobody before it satisfied them.

    >>> arriving_readers(Judgements([0.5, 0.5, 0], [0.5, 0.5, 0], [0.5, 0.5, 0], 3))
    [1.0, 0.5, 0.25]
    """
    staying_chances = [1 - chance for chance in judgements.counted_worths[:-1]]
    return list(accumulate(staying_chances, mul, initial=1.0))


def patient_readers(judgements: Judgements) -> Amounts:
    """Return the share of the readers that patience brings to each relevant document."""
    return patience_at_hits(judgements, RBP_PATIENCE)


def patience_at_hits(judgements: Judgements, patience: float) -> Amounts:
    """Return ``patience ** (rank - 1)`` for every relevant document, and 0 for the others.

    >>> patience_at_hits(Judgements([1, 0, 1], [1, 0, 1], [1, 0, 1], 3), 0.5)
    [1.0, 0.0, 0.25]
    """
    return [hit * patience**index for index, hit in enumerate(judgements.counted_worths)]


# What there is.


def counted_rank_count(judgements: Judgements) -> float:
    """Return how many ranks count."""
    return judgements.cutoff


def relevant_count(judgements: Judgements) -> float:
    """Return how many relevant documents there are in the pool."""
    return sum(judgements.judged_worths)


def unequal_pair_count(judgements: Judgements) -> float:
    """Return how many pairs of different worth there are."""
    pairs = combinations(judgements.listed_worths, 2)
    return sum(worth != other_worth for worth, other_worth in pairs)


def all_readers(judgements: Judgements) -> float:  # noqa: ARG001
    """Return ``1 / (1 - RBP_PATIENCE)``: what relevant documents without end would bring in."""
    return 1 / (1 - RBP_PATIENCE)


def undivided(judgements: Judgements) -> float:  # noqa: ARG001
    """Return 1: nothing is divided."""
    return 1.0


# The ways of working.


@dataclass(frozen=True, slots=True, eq=False)
class ShareWorking:
    """One way of working out a share; each step can be replaced.

    精确率这一族的算法：每一位带来多少，加起来，再除以一共有多少；换掉一步，就是一个误区。

    worth: from a grade to what the document is worth. cutoff: how far the list counts.
    amounts: what each rank brings in. whole: what their sum is divided by.

    >>> question = Question("average_precision", [1, 0, 1], pool=[1, 0, 1, 1])
    >>> round(RIGHT_SHARES["average_precision"].value(question), 3)
    0.556
    """

    amounts: AmountsOf
    whole: WholeOf
    worth: WorthOf = relevance
    cutoff: CutoffOf = asked_cutoff

    def value(self, question: Question) -> float:
        """Return the number this way of working arrives at, unrounded; nan if it divides by 0."""
        judgements = self.judgements(question)
        amount_sum = sum(self.amounts(judgements))
        return float(quotient(amount_sum, self.whole(judgements)))

    def terms(self, question: Question) -> Amounts:
        """Return what each rank brings in."""
        return self.amounts(self.judgements(question))

    def judgements(self, question: Question) -> Judgements:
        """Return what the documents of the list and of the pool are worth."""
        worth = self.worth(question)
        listed_worths = _worths(question.grades, worth)
        pool_worths = _worths(candidate_grades(question), worth)
        cutoff = self.cutoff(question) or len(listed_worths)
        return Judgements(listed_worths[:cutoff], listed_worths, pool_worths, cutoff)


def _worths(grades: Ranking, worth: Worth) -> Amounts:
    return [worth(grade) for grade in grades]


def rounded_terms(working: ShareWorking, rounding: Callable[[float], float]) -> ShareWorking:
    """Return a way of working with what each rank brings in rounded.

    >>> question = Question("average_precision", [0, 0, 1, 1, 1])
    >>> to_tenths = rounded_terms(RIGHT_SHARES["average_precision"], lambda amount: round(amount, 1))
    >>> round(to_tenths.value(question), 3)
    0.467
    """
    exact_amounts = working.amounts
    return replace(
        working, amounts=lambda judgements: [rounding(amount) for amount in exact_amounts(judgements)]
    )


RIGHT_SHARES: Mapping[str, ShareWorking] = MappingProxyType(
    {
        "precision": ShareWorking(every_hit, counted_rank_count),
        "recall": ShareWorking(every_hit, relevant_count),
        "average_precision": ShareWorking(precisions_at_hits, relevant_count),
        "reciprocal_rank": ShareWorking(first_reciprocal, undivided),
        "auc": ShareWorking(pairs_won, unequal_pair_count),
        "err": ShareWorking(satisfied_readers, undivided, chance),
        "rbp": ShareWorking(patient_readers, all_readers),
    }
)
