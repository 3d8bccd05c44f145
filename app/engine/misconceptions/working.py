"""Workings, right and wrong: the way from a question to a number, with every step open to replacement."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from operator import mul
from typing import Any, Self, TypeAlias

from app.engine.checks import Grade
from app.engine.cumulative import ideal_ranking
from app.engine.questions import RANK_QUANTITIES, Question
from app.engine.terms import GAINS, Gain, discount_weights, linear_gain, sum_in_order

Amounts: TypeAlias = Sequence[float]
Ranking: TypeAlias = Sequence[Grade]
WeightsFor: TypeAlias = Callable[[int], Amounts]
GradesOf: TypeAlias = Callable[[Question], Ranking]
ReorderGrades: TypeAlias = Callable[[Ranking], Ranking]
CutoffOf: TypeAlias = Callable[[Question], int | None]
TotalOf: TypeAlias = Callable[[Amounts], float]
RatioOf: TypeAlias = Callable[[float, float], float]
Rounding: TypeAlias = Callable[[float], float]

UNDISCOUNTED_WEIGHTS = partial(discount_weights, discount="none")


def last_term(terms: Amounts) -> float:
    """Return the term of the rank that is asked about; the ones before it do not count.

    >>> last_term([3, 1.26, 0.5])
    0.5
    """
    return terms[-1]


def grades_as_given(grades: Ranking) -> Ranking:
    """Return the grades as they stand: nothing is sorted, nothing dropped."""
    return grades


def asked_cutoff(question: Question) -> int | None:
    """Return the cutoff of the question."""
    return question.k


def candidate_grades(question: Question) -> Ranking:
    """Return the grades that the ideal is made of: the pool, or the list itself.

    >>> candidate_grades(Question("idcg", [1, 0], pool=[3, 1, 0]))
    (3, 1, 0)
    """
    return question.grades if question.pool is None else question.pool


def is_cut_shorter(question: Question) -> bool:
    """Return whether documents of the list lie beyond the cutoff.

    >>> is_cut_shorter(Question("dcg", [3, 2, 1], k=2)), is_cut_shorter(Question("dcg", [3, 2, 1], k=3))
    (True, False)
    """
    return question.k is not None and question.k < len(question.grades)


def sorted_candidate_grades(question: Question) -> Ranking:
    """Return the ideal ranking, not yet cut."""
    return ideal_ranking(candidate_grades(question))


def grades_to_asked_rank(question: Question) -> Ranking:
    """Return the grades from rank 1 to the rank asked about."""
    return question.grades[: question.rank]


def ones_for_grades(question: Question) -> Ranking:
    """Return a 1 for every rank: what is left of a term when only its discount is asked."""
    return (1,) * (question.rank or 0)


def quotient(part: float, whole: float) -> float:
    """Return ``part / whole``; nan where nothing can be divided, so that no number is predicted.

    >>> quotient(3, 4), quotient(3, 0)
    (0.75, nan)
    """
    return part / whole if whole else math.nan


def divisor_always_one(*_: object) -> float:
    """Return 1: nothing is divided."""
    return 1.0


@dataclass(frozen=True, slots=True, eq=False)
class FigureWorking:
    """One way from a question to its figure; each family of figures is a subclass with its steps as fields.

    计算的一条路：每一步都可以换掉；换掉一步，就是一个误区。
    """

    def value(self, question: Any) -> float:
        """Return the number this way of working arrives at, unrounded; nan if it divides by 0."""
        raise NotImplementedError

    def rounded(self, rounding: Rounding) -> Self:
        """Return this way of working with figures on the way rounded."""
        raise NotImplementedError

    def terms(self, question: Any) -> Amounts:
        """Return what the list brings in rank by rank, before it is summed; of a table there is none."""
        raise NotImplementedError

    def ideal_terms(self, question: Any) -> Amounts:
        """Return what the ideal ranking brings in rank by rank, where there is one."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, eq=False)
class Working(FigureWorking):
    """One way of working out a figure on the way to NDCG: the same pipeline for every quantity.

    gain_of_grade, weights: from grade to gain; the weights of that many ranks.
    read_grades, take_asked_term: for one rank: the grades read, and what is taken from the terms up to it.
    reorder, cutoff, thin_out, total: for a list: how it is ordered, cut, thinned out and summed.
    ideal, ideal_cutoff, ideal_gain_of_grade, ideal_weights: the ideal ranking, its cut, its gain and its
    weights (None: the same ``gain_of_grade`` and ``weights``).
    ratio: what becomes of DCG and IDCG.

    >>> question = Question("dcg", [3, 2, 1], k=2)
    >>> round(right_working(question).value(question), 3)
    4.262
    """

    gain_of_grade: Gain
    weights: WeightsFor
    read_grades: GradesOf = grades_to_asked_rank
    take_asked_term: TotalOf = last_term
    reorder: ReorderGrades = grades_as_given
    cutoff: CutoffOf = asked_cutoff
    thin_out: ReorderGrades = grades_as_given
    total: TotalOf = sum_in_order
    ideal: GradesOf = sorted_candidate_grades
    ideal_cutoff: CutoffOf = asked_cutoff
    ideal_gain_of_grade: Gain | None = None
    ideal_weights: WeightsFor | None = None
    ratio: RatioOf = quotient

    def value(self, question: Question) -> float:
        if question.quantity in RANK_QUANTITIES:
            terms = _terms(self.read_grades(question), self.gain_of_grade, self.weights)
            return float(self.take_asked_term(terms))
        if question.quantity == "idcg":
            return self._ideal_sum(question)
        dcg_value = float(self.total(self.terms(question)))
        if question.quantity == "ndcg":
            return float(self.ratio(dcg_value, self._ideal_sum(question)))
        return dcg_value

    def _ideal_sum(self, question: Question) -> float:
        return float(self.total(self.ideal_terms(question)))

    def rounded(self, rounding: Rounding) -> Self:  # its weights
        exact_weights_of = self.weights

        def rounded_weights(rank_count: int) -> Amounts:
            return [rounding(weight) for weight in exact_weights_of(rank_count)]

        return replace(self, weights=rounded_weights)

    def terms(self, question: Question) -> Amounts:
        ordered_grades = self.reorder(question.grades)
        kept_grades = self.thin_out(ordered_grades[: self.cutoff(question)])
        return _terms(kept_grades, self.gain_of_grade, self.weights)

    def ideal_terms(self, question: Question) -> Amounts:
        ideal_grades = self.ideal(question)[: self.ideal_cutoff(question)]
        gain_of_grade = self.ideal_gain_of_grade or self.gain_of_grade
        weights_of_ranks = self.ideal_weights or self.weights
        return _terms(ideal_grades, gain_of_grade, weights_of_ranks)


def _terms(grades: Ranking, gain_of_grade: Gain, weights_of_ranks: WeightsFor) -> Amounts:
    if gain_of_grade is linear_gain:  # nearly always, and then without a call for each grade
        gains: Amounts = [grade or 0.0 for grade in grades]
    else:
        gains = [0.0 if grade is None else gain_of_grade(grade) for grade in grades]
    return list(map(mul, gains, weights_of_ranks(len(gains))))


def right_working(question: Question) -> Working:
    """Return the way that arrives at the answer of the question (an ideal of 0 aside).

    >>> question = Question("ndcg", [1, 3, 2])
    >>> round(right_working(question).value(question), 3)
    0.817
    """
    return _right_working(question.quantity, question.gain)


@cache
def _right_working(quantity: str, gain_name: str) -> Working:
    usual_working = Working(GAINS[gain_name], discount_weights)
    match quantity:
        case "cg":  # CG adds the grades themselves
            return replace(usual_working, gain_of_grade=linear_gain, weights=UNDISCOUNTED_WEIGHTS)
        case "gain":
            return replace(usual_working, weights=UNDISCOUNTED_WEIGHTS)
        case "discount":  # a weight has no gain in it
            return replace(usual_working, gain_of_grade=linear_gain, read_grades=ones_for_grades)
    return usual_working
