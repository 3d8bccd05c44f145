"""One list under any convention: its order, its terms and its NDCG.

Sums are kept, so that twenty libraries, and every convention between two of them, cost little more than one.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Generic, TypeVar

from app.course.workbench.documents import Grade, ListedDocument, grade_text
from app.course.workbench.state import WorkbenchState
from app.engine.conventions import ZERO_IDEALS, Convention
from app.engine.cumulative import NdcgRange, discounted_sum, share
from app.engine.discounts import discount_weights
from app.engine.gains import gains_of
from app.engine.scoring import ideal_cutoff
from app.engine.ties import indexes_by_rank, ranked_gains

Value = TypeVar("Value")


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


class CachedValues(Generic[Value]):
    """Values by what of a convention decides them, each computed once."""

    def __init__(self) -> None:
        self._values: dict[tuple[str | bool, ...], Value] = {}

    def once(self, key: tuple[str | bool, ...], compute: Callable[[], Value]) -> Value:
        if key not in self._values:
            self._values[key] = compute()
        return self._values[key]


class GradedDocuments:
    """The grades of a list, or of its pool, as libraries read them."""

    def __init__(self, grades: Sequence[Grade]) -> None:
        self.grades = grades
        self._gains = CachedValues[list[float]]()

    @cached_property
    def first_fraction(self) -> Grade:
        """The first grade that is no whole number."""
        for grade in self.grades:
            if grade is not None and grade % 1:
                return grade
        return None

    @cached_property
    def highest_grade(self) -> float:
        """The largest grade."""
        return max((grade or 0 for grade in self.grades), default=0)

    def gains(self, convention: Convention) -> list[float]:
        """What the documents are worth."""
        return self._gains.once(_gain_key(convention), lambda: self._gains_under(convention))

    def _gains_under(self, convention: Convention) -> list[float]:
        grades = self.grades
        if convention.fractional == "truncated":
            grades = [None if grade is None else int(grade) for grade in grades]
        return [*gains_of(grades, convention.gain)]


class ReadScores:
    """The scores of a list in the precision in which a library reads them."""

    def __init__(self, scores: list[float]) -> None:
        self.scores = scores

    @cached_property
    def are_tied(self) -> bool:
        """Whether two of them are equal."""
        return len(set(self.scores)) < len(self.scores)


class ListScores:
    """What conventions make of a list. Values are `scored_ndcg`; None: the query is left out.

    listed, pool: the documents of the list, and all judged ones.
    """

    def __init__(self, state: WorkbenchState) -> None:
        self.state = state
        self.k = state.k
        self.listed = GradedDocuments(state.listed.grades)
        self.pool = GradedDocuments(state.listed.pool)
        self._dcgs = CachedValues[float]()
        self._ideal_dcgs = CachedValues[float]()
        self._ranked_gains = CachedValues[list[float]]()

    def refusal(self, convention: Convention) -> str:
        """Why the library does not compute this list, in words; nothing where it does."""
        if len(self.state.documents) < convention.shortest:
            return f"至少要{convention.shortest}篇才算"
        documents = self._ideal_documents(convention)
        if convention.fractional == "refused" and documents.first_fraction is not None:
            return f"不收半颗糖：{grade_text(documents.first_fraction)}不是整数"
        if convention.largest_grade is not None and documents.highest_grade > convention.largest_grade:
            return f"甜度最多{convention.largest_grade}，这里有{grade_text(documents.highest_grade)}"
        return ""

    def _ideal_documents(self, convention: Convention) -> GradedDocuments:
        """The documents of which the ideal is made."""
        if convention.pool == "judged":
            return self.pool
        return self.listed

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
        key = (*_gain_key(convention), convention.discount, convention.ties, convention.single)
        return self._dcgs.once(key, lambda: self._sum(self.gains_by_rank(convention)[: self.k], convention))

    def idcg(self, convention: Convention) -> float:
        """The sum of the ideal terms."""
        key = (*_gain_key(convention), convention.discount, convention.pool, convention.cut)
        return self._ideal_dcgs.once(key, lambda: self._sum(self.ideal(convention), convention))

    def _sum(self, gains: Sequence[float], convention: Convention) -> float:
        return discounted_sum(gains, self.weights(convention.discount))

    def gains_by_rank(self, convention: Convention) -> list[float]:
        """The gains at rank 1, 2, 3, …"""
        read_scores = self._read_scores(convention)
        ties = "input"  # where there are none all rules are one
        if read_scores.are_tied:
            ties = convention.ties

        def compute() -> list[float]:
            gains = self.listed.gains(convention)
            return ranked_gains(gains, read_scores.scores, ties, self.state.listed.names)

        return self._ranked_gains.once((*_gain_key(convention), ties, convention.single), compute)

    def ideal(self, convention: Convention) -> list[float]:
        """The gains of the ideal, as far as they count."""
        gains = self._ideal_documents(convention).gains(convention)
        cutoff = ideal_cutoff(convention.cut, self.k, len(self.state.documents))
        return sorted(gains, reverse=True)[:cutoff]

    def weights(self, discount: str) -> Sequence[float]:
        return discount_weights(len(self.pool.grades), discount)

    def _read_scores(self, convention: Convention) -> ReadScores:
        if convention.single:
            return self._in_single_precision
        return self._in_double_precision

    @cached_property
    def _in_double_precision(self) -> ReadScores:
        """The scores; of a list that stands in its order descending numbers."""
        descending_scores = [-float(index) for index in range(len(self.state.documents))]
        return ReadScores(self.state.listed.scores or descending_scores)

    @cached_property
    def _in_single_precision(self) -> ReadScores:
        return ReadScores(array("f", self._in_double_precision.scores).tolist())

    def ranked_indexes(self, convention: Convention) -> list[int]:
        """The places of the documents in the order in which they are counted; averaged ties as they came."""
        scores = self._read_scores(convention).scores
        indexes: list[int] = []
        for _, tie in groupby(indexes_by_rank(scores), key=scores.__getitem__):
            tied_indexes = [*tie]
            if len(tied_indexes) > 1:
                tied_indexes = [*self._in_order(tied_indexes, convention)]
            indexes += tied_indexes
        return indexes

    def _in_order(self, tied_indexes: list[int], convention: Convention) -> Iterable[int]:
        gains = self.listed.gains(convention)
        names = self.state.listed.names
        match convention.ties:
            case "reversed":
                return reversed(tied_indexes)
            case "best":
                return sorted(tied_indexes, key=lambda index: -gains[index])
            case "worst":
                return sorted(tied_indexes, key=gains.__getitem__)
            case "docno-descending" if names is None:
                return reversed(tied_indexes)
            case "docno-descending" | "docno-ascending" if names is not None:
                return sorted(
                    tied_indexes, key=names.__getitem__, reverse=convention.ties == "docno-descending"
                )
        return tied_indexes

    def terms(self, convention: Convention) -> list[RankedTerm]:
        """The counted ranks, one after the other."""
        documents = [self.state.documents[index] for index in self.ranked_indexes(convention)]
        ranked_gains = self.gains_by_rank(convention)[: self.k]
        return [*_terms(ranked_gains, self.weights(convention.discount), documents)]

    def ideal_terms(self, convention: Convention) -> list[RankedTerm]:
        """The ranks of the ideal, one after the other."""
        ideal_gains = self.ideal(convention)
        return [*_terms(ideal_gains, self.weights(convention.discount), [None] * len(ideal_gains))]

    def range(self, convention: Convention) -> NdcgRange:
        """How this list could stand if its documents changed places."""
        weights = self.weights(convention.discount)
        gains = sorted(self.listed.gains(convention))
        lowest_gains = gains[: self.k]
        ideal_dcg = self.idcg(convention)
        worst_dcg = discounted_sum(lowest_gains, weights)
        mean_dcg = sum(gains) / len(gains) * discounted_sum([1.0] * len(lowest_gains), weights)
        best_dcg = discounted_sum(gains[::-1][: self.k], weights)
        return NdcgRange(share(worst_dcg, ideal_dcg), share(mean_dcg, ideal_dcg), share(best_dcg, ideal_dcg))

    @cached_property
    def has_ties(self) -> bool:
        """Whether two documents have the same score."""
        return self.state.listed.is_scored and self._in_double_precision.are_tied


def _gain_key(convention: Convention) -> tuple[str, bool]:
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
