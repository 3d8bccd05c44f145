"""Workings: how someone gets from a question to a number, with every step open to replacement."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from operator import mul

from app.engine.checks import Grade
from app.engine.discounts import discount_weights
from app.engine.gains import GAINS
from app.engine.questions import RANKED, Question
from app.engine.tracing import ideal_ranking

Amounts = Sequence[float]
Ranking = Sequence[Grade]


def last(terms: Amounts) -> float:
    """Return the term of the rank that is asked about; the ones before it do not count.

    >>> last([3, 1.26, 0.5])
    0.5
    """
    return terms[-1]


def as_given(grades: Ranking) -> Ranking:
    """Return the grades as they stand: nothing is sorted, nothing dropped."""
    return grades


def asked_depth(question: Question) -> int | None:
    """Return the cutoff of the question."""
    return question.k


def candidates(question: Question) -> Ranking:
    """Return the grades that the ideal is made of: the pool, or the list itself.

    >>> candidates(Question("idcg", [1, 0], pool=[3, 1, 0]))
    (3, 1, 0)
    """
    return question.grades if question.pool is None else question.pool


def cuts_the_list(question: Question) -> bool:
    """Return whether documents of the list lie beyond the cutoff.

    >>> cuts_the_list(Question("dcg", [3, 2, 1], k=2)), cuts_the_list(Question("dcg", [3, 2, 1], k=3))
    (True, False)
    """
    return question.k is not None and question.k < len(question.grades)


def sorted_candidates(question: Question) -> Ranking:
    """Return the ideal ranking, not yet cut."""
    return ideal_ranking(candidates(question))


def read_grades(question: Question) -> Ranking:
    """Return the grades from rank 1 to the rank asked about."""
    return question.grades[: question.rank]


def read_nothing(question: Question) -> Ranking:
    """Return a 1 for every rank: what is left of a term when only its discount is asked."""
    return (1,) * (question.rank or 0)


def quotient(part: float, whole: float) -> float:
    """Return ``part / whole``; nan where nothing can be divided, so that no number is predicted.

    >>> quotient(3, 4), quotient(3, 0)
    (0.75, nan)
    """
    return part / whole if whole else math.nan


@dataclass(frozen=True, slots=True, eq=False)
class Working:
    """One way of working: the same pipeline for every quantity, its steps as fields.

    计算的一条路：每一步都可以换掉；换掉一步，就是一个误区。

    gain, weights: from grade to gain; the weights of (at least) that many ranks.
    read, pick: for one rank: the grades read, and what is taken from the terms up to it.
    order, depth, keep, total: for a list: how it is ordered, cut, thinned out and summed.
    ideal, ideal_depth, ideal_gain: the ideal ranking, its cut, its gain (None: the same ``gain``).
    ratio: what becomes of DCG and IDCG.

    >>> question = Question("dcg", [3, 2, 1], k=2)
    >>> round(right_working(question).value(question), 3)
    4.262
    """

    gain: Callable[[float], float]
    weights: Callable[[int], Amounts]
    read: Callable[[Question], Ranking] = read_grades
    pick: Callable[[Amounts], float] = last
    order: Callable[[Ranking], Ranking] = as_given
    depth: Callable[[Question], int | None] = asked_depth
    keep: Callable[[Ranking], Ranking] = as_given
    total: Callable[[Amounts], float] = sum
    ideal: Callable[[Question], Ranking] = sorted_candidates
    ideal_depth: Callable[[Question], int | None] = asked_depth
    ideal_gain: Callable[[float], float] | None = None
    ratio: Callable[[float, float], float] = quotient

    def value(self, question: Question) -> float:
        """Return the number this way of working arrives at, unrounded; nan if it divides by 0."""
        if question.quantity in RANKED:
            return float(self.pick(self._terms(self.read(question), self.gain)))
        if question.quantity == "ndcg":
            return float(self.ratio(self._sum(question), self._ideal_sum(question)))
        return float(self._ideal_sum(question) if question.quantity == "idcg" else self._sum(question))

    def _sum(self, question: Question) -> float:
        ranked = self.keep(self.order(question.grades)[: self.depth(question)])
        return self.total(self._terms(ranked, self.gain))

    def _ideal_sum(self, question: Question) -> float:
        ranked = self.ideal(question)[: self.ideal_depth(question)]
        return self.total(self._terms(ranked, self.ideal_gain or self.gain))

    def _terms(self, grades: Ranking, gain: Callable[[float], float]) -> Amounts:
        gains = [0.0 if grade is None else gain(grade) for grade in grades]
        return list(map(mul, gains, self.weights(len(gains))))


def right_working(question: Question) -> Working:
    """Return the way that arrives at the answer of the question (an ideal of 0 aside).

    >>> question = Question("ndcg", [1, 3, 2])
    >>> round(right_working(question).value(question), 3)
    0.817
    """
    return _right(question.quantity, question.gain)


@cache
def _right(quantity: str, gain: str) -> Working:
    return Working(
        # CG adds the grades themselves, and a weight has no gain in it
        gain=GAINS["linear" if quantity in ("cg", "discount") else gain],
        weights=partial(discount_weights, discount="none" if quantity in ("cg", "gain") else "log2"),
        read=read_nothing if quantity == "discount" else read_grades,
    )
