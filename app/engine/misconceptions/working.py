"""Workings, right and wrong: the way from a question to a number, with every step open to replacement.

A misconception replaces one step; who rounds too early replaces none, but works with other figures.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from operator import mul
from typing import Any

from app.engine.checks import Grade
from app.engine.gains import GAINS, discount_weights
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
    ideal, ideal_depth, ideal_gain, ideal_weights: the ideal ranking, its cut, its gain and its weights
    (None: the same ``gain`` and ``weights``).
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
    ideal_weights: Callable[[int], Amounts] | None = None
    ratio: Callable[[float, float], float] = quotient

    def value(self, question: Question) -> float:
        """Return the number this way of working arrives at, unrounded; nan if it divides by 0."""
        if question.quantity in RANKED:
            terms = self._terms(self.read(question), self.gain, self.weights)
            return float(self.pick(terms))
        if question.quantity == "ndcg":
            return float(self.ratio(self._sum(question), self._ideal_sum(question)))
        return float(self._ideal_sum(question) if question.quantity == "idcg" else self._sum(question))

    def _sum(self, question: Question) -> float:
        ranked = self.keep(self.order(question.grades)[: self.depth(question)])
        return self.total(self._terms(ranked, self.gain, self.weights))

    def _ideal_sum(self, question: Question) -> float:
        ranked = self.ideal(question)[: self.ideal_depth(question)]
        weights = self.ideal_weights or self.weights
        return self.total(self._terms(ranked, self.ideal_gain or self.gain, weights))

    def _terms(
        self, grades: Ranking, gain: Callable[[float], float], weights: Callable[[int], Amounts]
    ) -> Amounts:
        gains = [0.0 if grade is None else gain(grade) for grade in grades]
        return list(map(mul, gains, weights(len(gains))))


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


STEPS = ("增益", "折损", "求和", "理想", "截断", "归一")  # in the order in which NDCG is worked out

PAPER_DECIMALS = 3


def anywhere(question: Question) -> bool:  # noqa: ARG001
    """Return True: the quantity alone decides."""
    return True


@dataclass(frozen=True, slots=True, eq=False)
class Misconception:
    """One wrong model of how a figure is worked out.

    一个误区：怎么想的、错在哪一步、会算出什么、怎样点拨。

    id: its name in code and records. name: 中文, as something that was done. step: one of ``STEPS``.
    thoughts: sentences of a learner that lead here; several thoughts that give the same number
    everywhere are one misconception. said: what the learner did, to the learner, without a full stop.
    hint: corrects it and never gives the number; it contains no figure but the 2 of the formula.
    quantities: what must be asked for it to show. instead: the fields of ``Working`` it replaces.
    fits: what else the question must have. in_pairs: a belief that plausibly stands beside another
    one; slips of counting do not. mirror: the same belief the other way round, with a number of its own.

    >>> from app.engine.misconceptions import MISCONCEPTIONS
    >>> model = MISCONCEPTIONS["natural_log"]
    >>> model.step, model.applies(Question("dcg", [3, 2, 0, 1])), model.applies(Question("ndcg", [3, 2]))
    ('折损', True, False)
    >>> round(model.compute(Question("dcg", [3, 2, 0, 1])), 4)
    6.7699
    """

    id: str
    name: str
    step: str
    thoughts: tuple[str, ...]
    said: str
    hint: str
    quantities: tuple[str, ...]
    instead: Mapping[str, Any] = field(repr=False)
    fits: Callable[[Question], bool] = field(default=anywhere, repr=False)
    in_pairs: bool = False
    mirror: "Misconception | None" = field(default=None, repr=False)

    def applies(self, question: Question) -> bool:
        """Return whether the model changes something meaningful in this question.

        The value may still be that of the truth (e.g. a logarithm at rank 1): compare before use.
        """
        return question.quantity in self.quantities and self.fits(question)

    def compute(self, question: Question, *beside: "Misconception") -> float:
        """Return what a learner with this model would get, unrounded; nan where it divides by 0.

        Only for questions where it ``applies``. beside: further models held at the same time; each
        must break a step of its own.
        """
        return _broken(right_working(question), self, *beside).value(question)

    def compute_on_paper(self, question: Question, *beside: "Misconception") -> tuple[float, float]:
        """Return the same with weights, and with what they divide by, rounded to ``PAPER_DECIMALS``.

        Nobody writes down more of them, and a printed table shows no more.
        """
        right = right_working(question)
        return (
            _broken(right, self, *beside, on_paper=rounded_weights).value(question),
            _broken(right, self, *beside, on_paper=rounded_divisors).value(question),
        )


def rounded_weights(weights: Sequence[float]) -> Sequence[float]:
    """Return the weights as one would note them.

    >>> rounded_weights([0.63093, 0.5])
    [0.631, 0.5]
    """
    return [round(weight, PAPER_DECIMALS) for weight in weights]


def rounded_divisors(weights: Sequence[float]) -> Sequence[float]:
    """Return the weights of one who notes the logarithms and divides by them.

    >>> rounded_divisors([1 / 1.58496])[0] == 1 / 1.585
    True
    """
    return [1 / round(1 / weight, PAPER_DECIMALS) for weight in weights]


@cache  # a working for each quantity, gain and mistake: made once, a few thousand with the pairs
def _broken(
    right: Working,
    *models: Misconception,
    on_paper: Callable[[Sequence[float]], Sequence[float]] | None = None,
) -> Working:
    broken = replace(right, **{step: wrong for model in models for step, wrong in model.instead.items()})
    if on_paper is None:
        return broken
    exact = broken.weights
    return replace(broken, weights=lambda count: on_paper(exact(count)[:count]))


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
