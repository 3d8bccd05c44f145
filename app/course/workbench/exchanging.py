"""Changing places: the list after a move or a swap, and the swaps that are worth most."""

from dataclasses import replace
from math import isclose
from typing import NamedTuple

from app.course.workbench.evaluating import ListEvaluation
from app.course.workbench.state import WorkbenchState
from app.engine.conventions import Convention
from app.engine.pairwise.swapping import swaps
from app.engine.rounding import FLOAT_NOISE
from app.engine.scoring import counts_as_empty

MOST_SWAPS = 10


class ValuedSwap(NamedTuple):
    """Two ranks whose documents change places, and what that does to the figures of the list as it stands."""

    first_rank: int
    second_rank: int
    first_gain: float
    second_gain: float
    first_discount: float
    second_discount: float
    delta_dcg: float
    delta_ndcg: float

    @property
    def is_product(self) -> bool:
        """Whether the gains and discounts make the whole change: not where averaged ties are parted.

        >>> ValuedSwap(1, 2, 3.0, 0.0, 1.0, 0.5, -1.5, -0.5).is_product
        True
        """
        product = (self.first_gain - self.second_gain) * (self.second_discount - self.first_discount)
        return isclose(product, self.delta_dcg, rel_tol=FLOAT_NOISE, abs_tol=FLOAT_NOISE)


def state_in_order(evaluation: ListEvaluation, convention: Convention) -> WorkbenchState:
    """The list in its order. Scores stay with their ranks; with ties none stays, for the order is set now."""
    workbench_state = evaluation.state
    documents = [
        workbench_state.documents[document_index] for document_index in evaluation.ranked_indexes(convention)
    ]
    if evaluation.has_ties:
        documents = [document._replace(score=None) for document in documents]
    return replace(workbench_state, documents=tuple(documents))


def swap_documents(ordered_state: WorkbenchState, first_rank: int, second_rank: int) -> WorkbenchState:
    """The list after the documents of two ranks, from 1, have changed places."""
    documents = [*ordered_state.documents]
    upper_document, lower_document = documents[first_rank - 1], documents[second_rank - 1]
    documents[first_rank - 1] = lower_document._replace(score=upper_document.score)
    documents[second_rank - 1] = upper_document._replace(score=lower_document.score)
    return replace(ordered_state, documents=tuple(documents))


def move_document(ordered_state: WorkbenchState, rank: int, target_rank: int) -> WorkbenchState:
    """The list after the document of a rank has moved to another one; the others close up."""
    document_indexes = list(range(len(ordered_state.documents)))
    moved_index = document_indexes.pop(rank - 1)
    document_indexes.insert(min(max(target_rank, 1), len(ordered_state.documents)) - 1, moved_index)
    documents = []
    for former_document, document_index in zip(ordered_state.documents, document_indexes, strict=True):
        documents.append(ordered_state.documents[document_index]._replace(score=former_document.score))
    return replace(ordered_state, documents=tuple(documents))


def sweeten_document(ordered_state: WorkbenchState, rank: int, highest_grade: int) -> WorkbenchState:
    """The list with the document of a rank a grade sweeter; after the sweetest comes 0.

    >>> from app.course.workbench.documents import ListedDocument
    >>> state = WorkbenchState((ListedDocument(3), ListedDocument(None)))
    >>> [sweeten_document(state, rank, 3).pasted_list.grades for rank in (1, 2)]
    [[0, None], [3, 1]]
    """
    documents = [*ordered_state.documents]
    sweeter_grade = int(documents[rank - 1].judged_grade or 0) + 1
    if sweeter_grade > highest_grade:
        sweeter_grade = 0
    documents[rank - 1] = documents[rank - 1]._replace(grade=sweeter_grade)
    return replace(ordered_state, documents=tuple(documents))


def best_swaps(evaluation: ListEvaluation, convention: Convention) -> list[ValuedSwap]:
    """The swaps that change the sum of the list in its order most, each with what it brings, up or down;
    those that change nothing are no swaps.

    What a swap brings is measured on the list after it: that has no ties, and of its documents below 0 some
    libraries take out other ones.
    """
    ordered_state = state_in_order(evaluation, convention)
    dcg, ideal_dcg = evaluation.dcg(convention), evaluation.idcg(convention)
    if counts_as_empty(ideal_dcg, convention):
        return []
    gains = ListEvaluation(ordered_state).listed_documents.gains(convention)
    weights = counted_weights(evaluation, convention)
    # Only differences of gains count, so that losses may be lifted to 0.
    gains_from_zero = [gain - min(0, *gains) for gain in gains]
    valued_swaps = []
    for swap in swaps(gains_from_zero, ordered_state.k, "linear", convention.discount, MOST_SWAPS):
        state_after = swap_documents(ordered_state, swap.first, swap.second)
        delta_dcg = ListEvaluation(state_after).dcg(convention) - dcg
        if abs(swap.delta_dcg) < FLOAT_NOISE or abs(delta_dcg / ideal_dcg) < FLOAT_NOISE:
            continue
        valued_swaps.append(
            ValuedSwap(
                swap.first,
                swap.second,
                gains[swap.first - 1],
                gains[swap.second - 1],
                weights[swap.first - 1],
                weights[swap.second - 1],
                delta_dcg,
                delta_dcg / ideal_dcg,
            )
        )
    return sorted(valued_swaps, key=_change_size, reverse=True)


def _change_size(valued_swap: ValuedSwap) -> float:
    """Rounded, so that swaps of one size stay in the order of their ranks."""
    return round(abs(valued_swap.delta_ndcg), 9)


def counted_weights(evaluation: ListEvaluation, convention: Convention) -> list[float]:
    """The discount of each rank of the list; 0 beyond k, where nothing counts."""
    document_count = len(evaluation.state.documents)
    weights = [*evaluation.weights(convention.discount)[:document_count]]
    if evaluation.k is not None:
        weights[evaluation.k :] = [0.0] * len(weights[evaluation.k :])
    return weights
