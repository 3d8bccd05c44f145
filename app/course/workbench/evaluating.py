"""One list under any convention: its order, its terms and its NDCG.

Sums are kept, so that twenty libraries, and every convention between two of them, cost little more than one.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from app.course.workbench.documents import Grade, ListedDocument, grade_text
from app.course.workbench.state import WorkbenchState
from app.engine.conventions import ZERO_IDEALS, Convention
from app.engine.cumulative import NdcgRange, discounted_sum, share
from app.engine.discounts import discount_weights
from app.engine.gains import gains_of
from app.engine.scoring import ideal_depth
from app.engine.ties import ranked_gains, ranked_places


@dataclass(frozen=True)
class RankedTerm:
    """One rank: the document that stands there, what it is worth, and the sum so far.

    gain: of tied documents that are averaged the mean, not that of the document. document: None in an ideal.
    """

    rank: int
    document: ListedDocument | None
    gain: float
    discount: float
    value: float
    running_total: float


class ListScores:
    """What conventions make of a list. Values are `scored_ndcg`; None: the query is left out."""

    def __init__(self, state: WorkbenchState) -> None:
        self.state = state
        self.listed = state.listed
        self.k = state.k
        self._gains: dict[tuple[str, bool, bool], list[float]] = {}
        self._dcgs: dict[tuple[str, bool, str, str, bool], float] = {}
        self._ideals: dict[tuple[str, bool, str, str, str], float] = {}
        self._ranked: dict[tuple[str, bool, str, bool], list[float]] = {}

    @cached_property
    def scores(self) -> list[float]:
        """The scores; of a list that stands in its order descending numbers."""
        return self.listed.scores or [-float(index) for index in range(len(self.state.documents))]

    def refusal(self, convention: Convention) -> str:
        """Why the library does not compute this list, in words; nothing where it does."""
        if len(self.state.documents) < convention.shortest:
            return f"至少要{convention.shortest}篇才算"
        from_judged = convention.pool == "judged"
        if convention.fractional == "refused" and self._fraction[from_judged] is not None:
            return f"不收半颗糖：{grade_text(self._fraction[from_judged])}不是整数"
        sweetest = self._sweetest[from_judged]
        if convention.largest_grade is not None and sweetest > convention.largest_grade:
            return f"甜度最多{convention.largest_grade}，这里有{grade_text(sweetest)}"
        return ""

    @cached_property
    def _fraction(self) -> dict[bool, Grade]:
        """The first grade of the pool (True) and of the list (False) that is no whole number."""
        return {from_judged: _first_fraction(grades) for from_judged, grades in self._judged.items()}

    @cached_property
    def _sweetest(self) -> dict[bool, float]:
        """The largest grade of the pool (True) and of the list (False)."""
        return {
            from_judged: max((grade or 0 for grade in grades), default=0)
            for from_judged, grades in self._judged.items()
        }

    @cached_property
    def _judged(self) -> dict[bool, list[Grade]]:
        return {True: self.listed.pool, False: self.listed.grades}

    def value(self, convention: Convention) -> float | None:
        """The NDCG of a convention that does not refuse the list."""
        ideal_dcg = self.idcg(convention)
        if ideal_dcg == 0:
            return ZERO_IDEALS[convention.zero_ideal]
        ratio = self.dcg(convention) / ideal_dcg
        if convention.decimals is None:
            return ratio
        return round(ratio, convention.decimals)

    def dcg(self, convention: Convention) -> float:
        """The sum of the counted terms."""
        cache_key = (*_reading(convention), convention.discount, convention.ties, convention.single)
        if cache_key not in self._dcgs:
            ranked_gains = self.ranked(convention)[: self.k]
            self._dcgs[cache_key] = discounted_sum(ranked_gains, self.weights(convention.discount))
        return self._dcgs[cache_key]

    def idcg(self, convention: Convention) -> float:
        """The sum of the ideal terms."""
        cache_key = (*_reading(convention), convention.discount, convention.pool, convention.cut)
        if cache_key not in self._ideals:
            self._ideals[cache_key] = discounted_sum(
                self.ideal(convention), self.weights(convention.discount)
            )
        return self._ideals[cache_key]

    def ranked(self, convention: Convention) -> list[float]:
        """The gains at rank 1, 2, 3, …"""
        ties = self._rule(convention)
        cache_key = (*_reading(convention), ties, convention.single)
        if cache_key not in self._ranked:
            gains = self.gains(convention, from_judged=False)
            scores = self.read_scores(convention)
            self._ranked[cache_key] = ranked_gains(gains, scores, ties, self.listed.names)
        return self._ranked[cache_key]

    def ideal(self, convention: Convention) -> list[float]:
        """The gains of the ideal, as far as they count."""
        gains = self.gains(convention, from_judged=convention.pool == "judged")
        depth = ideal_depth(convention.cut, self.k, len(self.state.documents))
        return sorted(gains, reverse=True)[:depth]

    def gains(self, convention: Convention, from_judged: bool) -> list[float]:
        """What the documents are worth: those of the list, or those of the judged pool."""
        cache_key = (*_reading(convention), from_judged)
        if cache_key not in self._gains:
            grades: Sequence[Grade] = self.listed.grades
            if from_judged:
                grades = self.listed.pool
            if convention.fractional == "truncated":
                grades = [None if grade is None else int(grade) for grade in grades]
            self._gains[cache_key] = [*gains_of(grades, convention.gain)]
        return self._gains[cache_key]

    def weights(self, discount: str) -> Sequence[float]:
        return discount_weights(len(self.listed.pool), discount)

    def read_scores(self, convention: Convention) -> list[float]:
        """The scores in the precision in which they are read."""
        if convention.single:
            return array("f", self.scores).tolist()
        return self.scores

    def places(self, convention: Convention) -> list[int]:
        """The places of the documents in the order in which they are counted; averaged ties as they came."""
        scores = self.read_scores(convention)
        order: list[int] = []
        for _, group in groupby(ranked_places(scores), key=scores.__getitem__):
            tied_places = [*group]
            if len(tied_places) > 1:
                tied_places = [*self._in_order(tied_places, convention)]
            order += tied_places
        return order

    def _rule(self, convention: Convention) -> str:
        """The rule for ties; where there are none all rules are one."""
        if self._tied[convention.single]:
            return convention.ties
        return "input"

    @cached_property
    def _tied(self) -> dict[bool, bool]:
        """Whether two scores are equal, in single (True) and in double precision (False)."""
        single_scores = array("f", self.scores)
        return {
            True: len(set(single_scores)) < len(single_scores),
            False: len(set(self.scores)) < len(self.scores),
        }

    def _in_order(self, tied: list[int], convention: Convention) -> Iterable[int]:
        gains = self.gains(convention, from_judged=False)
        names = self.listed.names
        match convention.ties:
            case "reversed":
                return reversed(tied)
            case "best":
                return sorted(tied, key=lambda index: -gains[index])
            case "worst":
                return sorted(tied, key=gains.__getitem__)
            case "docno-descending" if names is None:
                return reversed(tied)
            case "docno-descending" | "docno-ascending" if names is not None:
                return sorted(tied, key=names.__getitem__, reverse=convention.ties == "docno-descending")
        return tied

    def terms(self, convention: Convention) -> list[RankedTerm]:
        """The counted ranks, one after the other."""
        documents = [self.state.documents[index] for index in self.places(convention)]
        ranked_gains = self.ranked(convention)[: self.k]
        return [*_terms(ranked_gains, self.weights(convention.discount), documents)]

    def ideal_terms(self, convention: Convention) -> list[RankedTerm]:
        """The ranks of the ideal, one after the other."""
        ideal_gains = self.ideal(convention)
        return [*_terms(ideal_gains, self.weights(convention.discount), [None] * len(ideal_gains))]

    def range(self, convention: Convention) -> NdcgRange:
        """How this list could stand if its documents changed places."""
        weights = self.weights(convention.discount)
        gains = sorted(self.gains(convention, from_judged=False))
        lowest_gains = gains[: self.k]
        ideal_dcg = self.idcg(convention)
        worst_dcg = discounted_sum(lowest_gains, weights)
        mean_dcg = sum(gains) / len(gains) * discounted_sum([1.0] * len(lowest_gains), weights)
        best_dcg = discounted_sum(gains[::-1][: self.k], weights)
        return NdcgRange(share(worst_dcg, ideal_dcg), share(mean_dcg, ideal_dcg), share(best_dcg, ideal_dcg))

    @cached_property
    def has_ties(self) -> bool:
        """Whether two documents have the same score."""
        return self.listed.is_scored and self._tied[False]


def _reading(convention: Convention) -> tuple[str, bool]:
    """What of a convention decides what a grade is worth."""
    return convention.gain, convention.fractional == "truncated"


def _terms(
    gains: Sequence[float], weights: Sequence[float], documents: Sequence[ListedDocument | None]
) -> Iterator[RankedTerm]:
    running_total = 0.0
    for index, gain in enumerate(gains):
        value = gain * weights[index]
        running_total += value
        yield RankedTerm(index + 1, documents[index], gain, weights[index], value, running_total)


def _first_fraction(grades: Sequence[Grade]) -> Grade:
    for grade in grades:
        if grade is not None and grade % 1:
            return grade
    return None
