"""Changing places: the list after a move or a swap, and the swaps that are worth most."""

from dataclasses import replace
from typing import NamedTuple

from app.course.workbench.evaluating import ListEvaluation
from app.course.workbench.state import WorkbenchState
from app.engine.conventions import Convention
from app.engine.pairwise.swapping import swaps
from app.engine.terms import FLOAT_NOISE, gains_of

MOST_SWAPS = 10


class ValuedSwap(NamedTuple):
    """Two ranks whose documents change places, and what that does."""

    first_rank: int
    second_rank: int
    first_gain: float
    second_gain: float
    first_discount: float
    second_discount: float
    delta_dcg: float
    delta_ndcg: float


def state_in_order(evaluation: ListEvaluation, convention: Convention) -> WorkbenchState:
    """The list in its order. Scores stay with their ranks; with ties none stays, for the order is set now."""
    workbench_state = evaluation.state
    documents = [workbench_state.documents[index] for index in evaluation.ranked_indexes(convention)]
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
    indexes = list(range(len(ordered_state.documents)))
    moved_index = indexes.pop(rank - 1)
    indexes.insert(min(max(target_rank, 1), len(ordered_state.documents)) - 1, moved_index)
    documents = []
    for former_document, index in zip(ordered_state.documents, indexes, strict=True):
        documents.append(ordered_state.documents[index]._replace(score=former_document.score))
    return replace(ordered_state, documents=tuple(documents))


def sweeten_document(ordered_state: WorkbenchState, rank: int, highest_grade: int) -> WorkbenchState:
    """The list with the document of a rank a grade sweeter; after the sweetest comes 0.

    >>> from app.course.workbench.documents import ListedDocument
    >>> state = WorkbenchState((ListedDocument(3), ListedDocument(None)))
    >>> [sweeten_document(state, rank, 3).pasted_list.grades for rank in (1, 2)]
    [[0, None], [3, 1]]
    """
    documents = [*ordered_state.documents]
    grade = int(documents[rank - 1].judged_grade or 0) + 1
    if grade > highest_grade:
        grade = 0
    documents[rank - 1] = documents[rank - 1]._replace(grade=grade)
    return replace(ordered_state, documents=tuple(documents))


def best_swaps(evaluation: ListEvaluation, convention: Convention) -> list[ValuedSwap]:
    """The swaps that change the figure most, up or down; those that change nothing are no swaps."""
    ordered_state = state_in_order(evaluation, convention)
    ideal_dcg = evaluation.idcg(convention)
    if ideal_dcg == 0:
        return []
    grades = ordered_state.pasted_list.grades
    if convention.fractional == "truncated":
        grades = [None if grade is None else int(grade) for grade in grades]
    gains = gains_of(grades, convention.gain)
    weights = counted_weights(evaluation, convention)
    valued_swaps = []
    for swap in swaps(grades, ordered_state.k, convention.gain, convention.discount, MOST_SWAPS):
        if abs(swap.delta_dcg) < FLOAT_NOISE:
            continue
        valued_swaps.append(
            ValuedSwap(
                swap.first,
                swap.second,
                gains[swap.first - 1],
                gains[swap.second - 1],
                weights[swap.first - 1],
                weights[swap.second - 1],
                swap.delta_dcg,
                swap.delta_dcg / ideal_dcg,
            )
        )
    return valued_swaps


def counted_weights(evaluation: ListEvaluation, convention: Convention) -> list[float]:
    """The discount of each rank of the list; 0 beyond k, where nothing counts."""
    document_count = len(evaluation.state.documents)
    weights = [*evaluation.weights(convention.discount)[:document_count]]
    if evaluation.k is not None:
        weights[evaluation.k :] = [0.0] * len(weights[evaluation.k :])
    return weights
