"""The trace: NDCG with its working shown, one term at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.checks import Grade, Grades, checked_gain_sum, checked_grades, checked_k
from app.engine.cumulative import cg, ideal_ranking, share
from app.engine.terms import discount_weights, gains_of


@dataclass(frozen=True, slots=True)
class Term:
    """One rank's part of a DCG: ``value = gain * discount``.

    求和里的一项：这一位的增益乘上折损，加到累计值上。

    rank: 1, 2, 3, … grade: as judged, None = unjudged. gain: 0 or more. discount: the weight, e.g.
    1/log2(rank+1). running_total: the sum of the values up to and including this one.

    >>> Term(rank=3, grade=2, gain=2, discount=0.5, value=1.0, running_total=5.0).value
    1.0
    """

    rank: int
    grade: Grade
    gain: float
    discount: float
    value: float
    running_total: float


@dataclass(frozen=True, slots=True)
class Trace:
    """All the steps from grades to NDCG, and the conventions they follow.

    一次完整的计算过程：每一项、理想排序的每一项，以及CG、DCG、IDCG、NDCG和所用的约定。

    terms: the first k ranks of the list. ideal_terms: the first k of the sorted pool.
    cg: the sum of the grades of the terms, whatever the gain.
    zero_ideal: the ideal is 0, so ndcg is 0.0 by rule, not by division.
    k, gain, discount, base: as asked for (k None = no cut).

    >>> trace([0, 0]).zero_ideal
    True
    """

    terms: tuple[Term, ...]
    ideal_terms: tuple[Term, ...]
    cg: float
    dcg: float
    idcg: float
    ndcg: float
    zero_ideal: bool
    k: int | None
    gain: str
    discount: str
    base: float


def trace(
    grades: Grades,
    k: int | None = None,
    gain: str = "linear",
    discount: str = "log2",
    pool: Grades | None = None,
    base: float = 2,
) -> Trace:
    """Return every step of NDCG@k for a list of grades in system order.

    把NDCG的每一步摊开：先逐项算DCG，再逐项算IDCG，最后相除。

    Parameters, ranges and errors are those of ``ndcg`` (see ``app.engine.cumulative``); the figures
    are the same ones. In the ideal, unjudged documents stand last and gain nothing.

    >>> steps = trace([4, 1, 3, 4, 0])
    >>> [round(term.value, 2) for term in steps.terms]
    [4.0, 0.63, 1.5, 1.72, 0.0]
    >>> [term.grade for term in steps.ideal_terms]
    [4, 4, 3, 1, 0]
    >>> round(steps.dcg, 2), round(steps.idcg, 2), round(steps.ndcg, 3)
    (7.85, 8.45, 0.929)
    """
    listed_grades = checked_grades(grades)
    judged_grades = listed_grades if pool is None else checked_grades(pool, "pool")
    cutoff = checked_k(k)
    weights = discount_weights(max(len(listed_grades), len(judged_grades)), discount, base)
    gains = gains_of(listed_grades, gain)
    terms = _terms(listed_grades[:cutoff], gains, weights)
    ideal_grades = ideal_ranking(judged_grades)
    ideal_gains = gains_of(ideal_grades, gain, "grades or pool")
    ideal_terms = _terms(ideal_grades[:cutoff], ideal_gains, weights)
    dcg = checked_gain_sum(terms[-1].running_total, "grades")
    idcg = checked_gain_sum(ideal_terms[-1].running_total, "grades or pool")
    return Trace(
        terms=terms,
        ideal_terms=ideal_terms,
        cg=cg(listed_grades, cutoff),
        dcg=dcg,
        idcg=idcg,
        ndcg=share(dcg, idcg),
        zero_ideal=idcg == 0,
        k=cutoff,
        gain=gain,
        discount=discount,
        base=base,
    )


def _terms(grades: Sequence[Grade], gains: Sequence[float], weights: Sequence[float]) -> tuple[Term, ...]:
    terms: list[Term] = []
    running_total = 0.0
    for rank, (grade, gain, weight) in enumerate(zip(grades, gains, weights, strict=False), start=1):
        term_value = gain * weight
        running_total += term_value
        terms.append(Term(rank, grade, gain, weight, term_value, running_total))
    return tuple(terms)
