"""Reconciling: from a figure that somebody else printed back to the conventions that print it.

The full product of the answers that people give: two gains, four discounts, what the ideal is made of and
where it is cut, seven rules for ties, and what a query without a relevant document counts. An ideal of the
returned list, cut at the number of returned documents, is the same as one cut at k: it is counted once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import cache
from itertools import product
from operator import ne
from typing import Any, TypeAlias

from app.engine.checks import (
    Grade,
    Grades,
    Scores,
    checked_decimals,
    checked_k,
    checked_number,
    entries_of,
    is_negative,
    refusal,
)
from app.engine.conventions import CONVENTIONS, COURSE, CUTS, POOLS, ZERO_IDEALS, Convention
from app.engine.cumulative import discounted_sum
from app.engine.scoring import ideal_cutoff, scored_ndcg
from app.engine.signatures import signature
from app.engine.terms import DISCOUNTS, GAINS, discount_weights, gains_of
from app.engine.ties import TIES, ranked_gains

AxisAnswers: TypeAlias = tuple[str, ...]
SumByAnswers: TypeAlias = dict[tuple[str, ...], float]

AXES = ("gain", "discount", "pool", "cut", "ties", "zero_ideal")
"""The answers that are multiplied; fractional grades are kept as they are, and negative ones if asked."""
MOST_FIGURE_DIGITS = 12
"""Of a float as Python prints it, from the units on: beyond that two orders of addition differ."""
DECIMALS_OF_WHOLE_FIGURE = 3
"""A whole figure, as programs print one (1 or 1.0), was not rounded to it: 1 is a perfect list, not one from
0.95 on."""
DOUBLE_PRECISION_NOISE, SINGLE_PRECISION_NOISE = 1e-13, 2e-7


@dataclass(frozen=True)
class ScoredList:
    """One list as a library gets it: grades and scores in the order handed over, names, cut-off, judged pool.

    Defaults are those of ``scored_ndcg``.
    """

    grades: Grades
    scores: Scores
    docs: Sequence[str] | None = None
    k: int | None = None
    pool: Grades | None = None

    def printed_by(self, convention: str | Convention) -> float | None:
        """Return what a library prints for the list; None where it leaves the query out."""
        return scored_ndcg(self.grades, self.scores, convention, self.k, self.pool, self.docs)

    def without_negatives(self) -> "ScoredList":
        """Return the list with grades below 0 as unjudged.

        >>> ScoredList([3, -1], [2, 1]).without_negatives().grades
        [3, None]
        """
        pool = self.pool
        if pool is not None:
            pool = _without_negatives(pool, "pool")
        return replace(self, grades=_without_negatives(self.grades, "grades"), pool=pool)


@dataclass(frozen=True, slots=True)
class Match:
    """A convention that prints the figure. presets: libraries that compute so. value: the figure in full.

    对上了的一种约定：哪几家这么算，算出来是多少。
    """

    convention: Convention
    presets: tuple[str, ...]
    value: float


def reconcile(
    grades: Grades,
    printed: str | float,
    *,
    scores: Scores | None = None,
    docs: Sequence[str] | None = None,
    k: int | None = None,
    pool: Grades | None = None,
    decimals: int | None = None,
    are_negatives_unjudged: bool = False,
) -> tuple[Match, ...]:
    """Return every convention whose NDCG rounds to a figure printed elsewhere; known libraries first.

    对账：同一列糖，别处算出这个数，那它是按哪种约定算的？

    grades, scores, docs, k, pool: as in ``scored_ndcg``; without scores the grades stand in ranked order.
    printed: the figure, best as text. decimals: of the figure; None: as many as the text has, of a float as
    many as Python prints (at most 12 digits), of one without a point three. Who reads scores in single
    precision mostly adds so, too, and is given that much. are_negatives_unjudged: whether conventions of no
    library take a grade below 0 for unjudged; else it is a loss. A library does what it does. Behind the
    libraries come the others, the nearest to the course first.
    Raises ValueError for bad input, and for a figure that is no number.

    >>> [match.presets for match in reconcile([3, 0, 2, 0], "0.538", scores=[1, 1, 1, 1])][0]
    ('catboost',)
    >>> reconcile([3, 2, 1], "0.5")
    ()
    """
    figure, printed_decimals = figure_and_decimals(printed, decimals)
    if scores is None:
        scores = list(range(len(_plain_grades(grades, "grades")), 0, -1))
    scored_list = plain_list = ScoredList(grades, scores, docs, k, pool)
    if are_negatives_unjudged:
        plain_list = scored_list.without_negatives()
    value_by_preset_by_answers = _value_by_preset_by_answers(
        scored_list, plain_list, figure, printed_decimals
    )
    matches = []
    for convention, ndcg in conventions_with_ndcgs(plain_list):
        if rounds_to(ndcg, figure, printed_decimals):
            value_by_preset = value_by_preset_by_answers.pop(axis_answers_of(convention), {})
            matches.append(Match(convention, tuple(value_by_preset), ndcg))
    # What only a library's own reading of scores and grades prints.
    for value_by_preset in value_by_preset_by_answers.values():
        first_preset, first_value = next(iter(value_by_preset.items()))
        matches.append(Match(CONVENTIONS[first_preset], tuple(value_by_preset), first_value))
    return tuple(sorted(matches, key=_order_key))


def _value_by_preset_by_answers(
    scored_list: ScoredList, plain_list: ScoredList, figure: float, decimals: int
) -> dict[AxisAnswers, dict[str, float]]:
    """The libraries that print the figure, with their values, by what they have in common.

    plain_list: the list as those conventions have it that are of no library.
    """
    value_by_preset_by_answers: dict[AxisAnswers, dict[str, float]] = {}
    for preset, convention in CONVENTIONS.items():
        list_as_read = plain_list
        if convention.is_library:
            list_as_read = scored_list
        try:
            ndcg = list_as_read.printed_by(convention)
        except ValueError:  # the library refuses such a list
            continue
        if ndcg is not None and is_printed_as(ndcg, figure, decimals, convention):
            value_by_preset_by_answers.setdefault(axis_answers_of(convention), {})[preset] = ndcg
    return value_by_preset_by_answers


@cache
def all_conventions() -> tuple[Convention, ...]:
    """Every convention of the full product, once.

    >>> len(all_conventions()), all_conventions()[0].name
    (560, 'NDCG|gain:g|disc:log2|pool:list|cut:k|ties:avg|zero:0|v:1')
    """
    named_conventions = []
    zero_ideal_answers = [
        zero_ideal_answer
        for zero_ideal_answer, zero_ideal_value in ZERO_IDEALS.items()
        if zero_ideal_value is not None
    ]
    for axis_answers in product(GAINS, DISCOUNTS, POOLS, CUTS, TIES, zero_ideal_answers):
        answer_by_axis: dict[str, Any] = dict(zip(AXES, axis_answers, strict=True))
        unnamed_convention = Convention("", negative="kept", **answer_by_axis)
        if (unnamed_convention.pool, unnamed_convention.cut) != ("list", "returned"):
            named_conventions.append(replace(unnamed_convention, name=_signature_as_name(unnamed_convention)))
    return tuple(named_conventions)


def axis_answers_of(convention: Convention) -> AxisAnswers:
    """The answers of a convention on the axes of the product; twins have the same.

    >>> axis_answers_of(CONVENTIONS["quepid"])
    ('exponential', 'log2', 'judged', 'whole', 'input', 'zero')
    """
    pool, cut = convention.pool, convention.cut
    if (pool, cut) == ("list", "returned"):
        cut = "k"
    return convention.gain, convention.discount, pool, cut, convention.ties, convention.zero_ideal


def conventions_with_ndcgs(scored_list: ScoredList) -> Iterator[tuple[Convention, float]]:
    """Yield every convention of the full product with the NDCG that it gives.

    A list is ranked once for each gain and tie rule, and summed once for each discount: 56 sums, not 560.

    >>> query = ScoredList([3, 0, 2, 0], [1, 1, 1, 1], k=3)
    >>> len({round(value, 3) for _, value in conventions_with_ndcgs(query)})
    25
    """
    dcg_by_answers, idcg_by_answers = _dcgs_and_idcgs(scored_list)
    for convention in all_conventions():
        gain_and_discount = convention.gain, convention.discount
        ideal_dcg = idcg_by_answers[*gain_and_discount, convention.pool, convention.cut]
        if ideal_dcg == 0:
            yield convention, ZERO_IDEALS[convention.zero_ideal] or 0.0
        else:
            yield convention, dcg_by_answers[*gain_and_discount, convention.ties] / ideal_dcg


def _dcgs_and_idcgs(scored_list: ScoredList) -> tuple[SumByAnswers, SumByAnswers]:
    """DCG by gain, discount and tie rule; IDCG by gain, discount, pool and cut."""
    cutoff = checked_k(scored_list.k)
    returned_grades = _plain_grades(scored_list.grades, "grades")
    judged_grades = returned_grades
    if scored_list.pool is not None:
        judged_grades = _plain_grades(scored_list.pool, "pool")
    dcg_by_answers: SumByAnswers = {}
    idcg_by_answers: SumByAnswers = {}
    for gain in GAINS:
        gains = gains_of(returned_grades, gain)
        pool_gains = gains_of(judged_grades, gain, "pool")
        sorted_gains_by_pool = {
            "list": sorted(gains, reverse=True),
            "judged": sorted(pool_gains, reverse=True),
        }
        ranked_gains_by_tie_rule = {
            tie_rule: ranked_gains(gains, scored_list.scores, tie_rule, scored_list.docs) for tie_rule in TIES
        }
        greater_length = max(len(gains), len(pool_gains))
        for discount in DISCOUNTS:
            weights = discount_weights(greater_length, discount)
            for tie_rule, gains_in_rank_order in ranked_gains_by_tie_rule.items():
                dcg_by_answers[gain, discount, tie_rule] = discounted_sum(
                    gains_in_rank_order[:cutoff], weights
                )
            for pool, cut in product(POOLS, CUTS):
                ideal_gains = sorted_gains_by_pool[pool][: ideal_cutoff(cut, cutoff, len(gains))]
                idcg_by_answers[gain, discount, pool, cut] = discounted_sum(
                    ideal_gains, weights, "grades or pool"
                )
    return dcg_by_answers, idcg_by_answers


def figure_and_decimals(printed: str | float, decimals: int | None = None) -> tuple[float, int]:
    """Return a printed figure as a number, and how many decimals it was printed with.

    >>> [figure_and_decimals(printed) for printed in ("0.950", 0.95, 1, "9.50e-01")]
    [(0.95, 3), (0.95, 2), (1.0, 3), (0.95, 3)]
    """
    figure_text = str(printed).strip()
    try:
        figure = float(figure_text)
        exponent = Decimal(figure_text).as_tuple().exponent
    except (ValueError, InvalidOperation):  # Decimal knows no exponent of twenty digits
        raise refusal("printed", printed, "a number like 0.9488") from None
    checked_number(figure, "printed")
    if decimals is not None:
        return figure, checked_decimals(decimals)
    most_decimals = MOST_FIGURE_DIGITS + 1 - len(f"{abs(figure):.0f}")
    assert isinstance(exponent, int), "a finite number has one"
    if figure.is_integer() and exponent >= -1:
        return figure, DECIMALS_OF_WHOLE_FIGURE
    return figure, min(-exponent, most_decimals)


def is_printed_as(ndcg: float, figure: float, decimals: int, convention: Convention) -> bool:
    """Whether an NDCG is the figure, as far as who computes by the convention computes exactly.

    >>> torchmetrics, ranx = CONVENTIONS["torchmetrics"], CONVENTIONS["ranx"]
    >>> [is_printed_as(0.803067735, 0.803067624, 9, convention) for convention in (torchmetrics, ranx)]
    [True, False]
    """
    noise = SINGLE_PRECISION_NOISE if convention.single else DOUBLE_PRECISION_NOISE
    return rounds_to(ndcg, figure, decimals, noise)


def rounds_to(number: float, figure: float, decimals: int, noise: float = DOUBLE_PRECISION_NOISE) -> bool:
    """Whether a value, rounded to so many decimals, is the figure; a half may go either way.

    noise: how far the value may be off.

    >>> rounds_to(0.94881, 0.9488, 4), rounds_to(0.94886, 0.9488, 4), rounds_to(0.125, 0.12, 2)
    (True, False, True)
    """
    half_width = 0.5 * 10.0**-decimals
    return abs(number - figure) <= half_width + noise


def _plain_grades(grades: Grades, argument_name: str) -> Sequence[Grade]:
    """Grades as they are: also below 0, which some libraries take for a loss."""
    grade_entries = entries_of(grades, argument_name)
    if not grade_entries:
        raise refusal(argument_name, grades, "at least one grade")
    requirement = "a finite number, or None for an unjudged document"
    plain_grades: list[Grade] = []
    for grade_index, grade in enumerate(grade_entries):
        plain_grade = grade
        if grade is not None:
            plain_grade = checked_number(grade, f"{argument_name}[{grade_index}]", requirement)
        plain_grades.append(plain_grade)
    return plain_grades


def _without_negatives(grades: Grades, argument_name: str) -> list[Grade]:
    return [None if is_negative(grade) else grade for grade in _plain_grades(grades, argument_name)]


def _signature_as_name(convention: Convention) -> str:
    return signature(convention).replace("|neg:kept", "")


def _order_key(match: Match) -> tuple[bool, int]:
    different_answer_count = sum(map(ne, axis_answers_of(match.convention), axis_answers_of(COURSE)))
    return not match.presets, different_answer_count
