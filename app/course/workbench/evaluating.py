"""One list under any convention: its order, its terms and its NDCG.

Sums are kept, so that twenty libraries, and every convention between two of them, cost little more than one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Generic, NamedTuple, TypeVar

from app.course.workbench.documents import ListedDocument, grade_text, judged_grade
from app.course.workbench.state import WorkbenchState
from app.engine.checks import Grade, is_negative
from app.engine.conventions import ZERO_IDEALS, Convention
from app.engine.cumulative import NdcgRange, discounted_sum, range_of_orders
from app.engine.scoring import (
    broken_rule,
    counts_as_empty,
    ideal_cutoff,
    scores_with_dropped_last,
    single_precision_scores,
)
from app.engine.terms import discount_weights, gains_of
from app.engine.ties import indexes_in_rank_order, ranked_gains

Value = TypeVar("Value")
UNKNOWN_BELOW_ZERO_WORDS = "遇到负的甜度会怎样，没跑过，不知道"
"""Of a library whose source alone was read."""


class RankedTerm(NamedTuple):
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

    def get_or_compute(self, cache_key: tuple[str | bool, ...], compute: Callable[[], Value]) -> Value:
        if cache_key not in self._values:
            self._values[cache_key] = compute()
        return self._values[cache_key]


class GradedDocuments:
    """The grades of a list, or of its pool, as libraries read them."""

    def __init__(self, grades: Sequence[Grade]) -> None:
        self.grades = grades
        self._gains = CachedValues[list[float]]()

    @cached_property
    def first_negative_grade(self) -> Grade:
        """The first grade below 0."""
        for grade in self.grades:
            if is_negative(grade):
                return grade
        return None

    @cached_property
    def different_grades(self) -> Sequence[float]:
        """The grades, each once, lowest first."""
        return sorted({grade for grade in self.grades if grade is not None})

    def gains(self, convention: Convention) -> list[float]:
        """What the documents are worth."""
        return self._gains.get_or_compute(_gain_key(convention), lambda: self._gains_under(convention))

    def _gains_under(self, convention: Convention) -> list[float]:
        grades = self.grades
        if convention.fractional == "truncated":
            grades = [None if grade is None else int(grade) for grade in grades]
        if convention.negative != "kept" and self.first_negative_grade is not None:
            grades = list(map(judged_grade, grades))
        return [*gains_of(grades, convention.gain)]


class ScoresAsRead:
    """The scores of a list in the precision in which a library reads them."""

    def __init__(self, scores: list[float]) -> None:
        self.scores = scores

    @cached_property
    def are_tied(self) -> bool:
        """Whether two of them are equal."""
        return len(set(self.scores)) < len(self.scores)


class ListEvaluation:
    """What conventions make of a list. Values are `scored_ndcg`; None: the query is left out.

    listed_documents, judged_documents: of the list, and all that were judged.
    """

    def __init__(self, workbench_state: WorkbenchState) -> None:
        self.state = workbench_state
        self.k = workbench_state.k
        written_grades = workbench_state.pasted_list.written_grades
        self.listed_documents = GradedDocuments(written_grades)
        self.judged_documents = GradedDocuments([*written_grades, *workbench_state.unlisted_grades])
        self._dcgs = CachedValues[float]()
        self._ideal_dcgs = CachedValues[float]()
        self._ranked_gains = CachedValues[list[float]]()

    def refusal_words(self, convention: Convention) -> str:
        """Why the library does not compute this list, in words; nothing where it does."""
        if len(self.state.documents) < convention.shortest:
            return f"至少要{convention.shortest}篇才算"
        for grade in self._ideal_documents(convention).different_grades:
            match broken_rule(grade, convention):
                case "negative" if convention.source_date:
                    return UNKNOWN_BELOW_ZERO_WORDS
                case "negative" if convention.is_library:  # of no library: the document is unjudged
                    return f"不收负的甜度：{grade_text(grade)}"
                case "fractional":
                    return f"不收半颗糖：{grade_text(grade)}不是整数"
                case "largest_grade":
                    return f"甜度最多{convention.largest_grade}，这里有{grade_text(grade)}"
        return ""

    def _ideal_documents(self, convention: Convention) -> GradedDocuments:
        """The documents of which the ideal is made."""
        if convention.pool == "judged":
            return self.judged_documents
        return self.listed_documents

    def ndcg(self, convention: Convention) -> float | None:
        """The NDCG of a convention that does not refuse the list."""
        ideal_dcg = self.idcg(convention)
        if counts_as_empty(ideal_dcg, convention):
            return ZERO_IDEALS[convention.zero_ideal]
        ratio = self.dcg(convention) / ideal_dcg
        if convention.decimals is None:
            return ratio
        return round(ratio, convention.decimals)

    def dcg(self, convention: Convention) -> float:
        """The sum of the counted terms."""
        cache_key = (*_gain_key(convention), convention.discount, convention.ties, convention.single)
        return self._dcgs.get_or_compute(
            cache_key,
            lambda: self._discounted_sum(self.gains_in_rank_order(convention)[: self.k], convention),
        )

    def idcg(self, convention: Convention) -> float:
        """The sum of the ideal terms."""
        cache_key = (*_gain_key(convention), convention.discount, convention.pool, convention.cut)
        return self._ideal_dcgs.get_or_compute(
            cache_key, lambda: self._discounted_sum(self.ideal_gains(convention), convention)
        )

    def _discounted_sum(self, gains: Sequence[float], convention: Convention) -> float:
        return discounted_sum(gains, self.weights(convention.discount))

    def gains_in_rank_order(self, convention: Convention) -> list[float]:
        """The gains at rank 1, 2, 3, …"""
        scores_as_read = self._read_scores(convention)
        tie_rule = "input"  # where there are none all rules are one
        if scores_as_read.are_tied:
            tie_rule = convention.ties

        def compute() -> list[float]:
            gains = self.listed_documents.gains(convention)
            return ranked_gains(gains, scores_as_read.scores, tie_rule, self.state.pasted_list.unique_titles)

        return self._ranked_gains.get_or_compute(
            (*_gain_key(convention), tie_rule, convention.single), compute
        )

    def ideal_gains(self, convention: Convention) -> list[float]:
        """The gains of the ideal, as far as they count."""
        gains = self._ideal_documents(convention).gains(convention)
        cutoff = ideal_cutoff(convention.cut, self.k, len(self.state.documents))
        return sorted(gains, reverse=True)[:cutoff]

    def weights(self, discount: str) -> Sequence[float]:
        return discount_weights(len(self.judged_documents.grades), discount)

    def _read_scores(self, convention: Convention) -> ScoresAsRead:
        scores_as_read = self._double_precision_scores
        if convention.single:
            scores_as_read = self._single_precision_scores
        if convention.negative == "dropped" and self.listed_documents.first_negative_grade is not None:
            return ScoresAsRead(scores_with_dropped_last(scores_as_read.scores, self.listed_documents.grades))
        return scores_as_read

    @cached_property
    def _double_precision_scores(self) -> ScoresAsRead:
        """The scores; of a list that stands in its order descending numbers."""
        descending_scores = [-float(document_index) for document_index in range(len(self.state.documents))]
        return ScoresAsRead(self.state.pasted_list.scores or descending_scores)

    @cached_property
    def _single_precision_scores(self) -> ScoresAsRead:
        return ScoresAsRead(single_precision_scores(self._double_precision_scores.scores))

    def ranked_indexes(self, convention: Convention) -> list[int]:
        """The places of the documents in the order in which they are counted; averaged ties as they came."""
        scores = self._read_scores(convention).scores
        document_indexes: list[int] = []
        for _, tied_group in groupby(indexes_in_rank_order(scores), key=scores.__getitem__):
            tied_indexes = [*tied_group]
            if len(tied_indexes) > 1:
                tied_indexes = [*self._ordered_tied_indexes(tied_indexes, convention)]
            document_indexes += tied_indexes
        return document_indexes

    def _ordered_tied_indexes(self, tied_indexes: list[int], convention: Convention) -> Iterable[int]:
        """Documents with one score in the order of the rule; by names only where no two have the same."""
        gains = self.listed_documents.gains(convention)
        unique_titles = self.state.pasted_list.unique_titles
        match convention.ties:
            case "reversed":
                return reversed(tied_indexes)
            case "best":
                return sorted(tied_indexes, key=lambda document_index: -gains[document_index])
            case "worst":
                return sorted(tied_indexes, key=gains.__getitem__)
            case "docno-descending" if unique_titles is None:
                return reversed(tied_indexes)
            case "docno-descending" | "docno-ascending" if unique_titles is not None:
                return sorted(
                    tied_indexes, key=unique_titles.__getitem__, reverse=convention.ties == "docno-descending"
                )
        return tied_indexes

    def terms(self, convention: Convention) -> list[RankedTerm]:
        """The counted ranks, one after the other."""
        documents = [
            self.state.documents[document_index] for document_index in self.ranked_indexes(convention)
        ]
        counted_gains = self.gains_in_rank_order(convention)[: self.k]
        return [*_ranked_terms(counted_gains, self.weights(convention.discount), documents)]

    def ideal_terms(self, convention: Convention) -> list[RankedTerm]:
        """The ranks of the ideal, one after the other."""
        ideal_gains = self.ideal_gains(convention)
        return [*_ranked_terms(ideal_gains, self.weights(convention.discount), [None] * len(ideal_gains))]

    def ndcg_range(self, convention: Convention) -> NdcgRange:
        """How this list could stand if its documents changed places."""
        gains = self.listed_documents.gains(convention)
        return range_of_orders(gains, self.idcg(convention), self.k, self.weights(convention.discount))

    @cached_property
    def has_ties(self) -> bool:
        """Whether two documents have the same score."""
        return self.state.pasted_list.is_scored and self._double_precision_scores.are_tied


def _gain_key(convention: Convention) -> tuple[str, bool, str]:
    """What of a convention decides what a grade is worth, and whether a document is there at all."""
    return convention.gain, convention.fractional == "truncated", convention.negative


def _ranked_terms(
    gains: Sequence[float], weights: Sequence[float], documents: Sequence[ListedDocument | None]
) -> Iterator[RankedTerm]:
    running_total = 0.0
    for rank_index, gain in enumerate(gains):
        term_value = gain * weights[rank_index]
        running_total += term_value
        yield RankedTerm(
            rank_index + 1, documents[rank_index], gain, weights[rank_index], term_value, running_total
        )
