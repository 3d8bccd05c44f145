"""Lists ranked by their scores, no deeper than is asked: choose first, sort then.

The k-th highest score of a list parts it (one partition, linear); whoever reaches it is a candidate. Mostly
there are k of them, and only they are sorted; where the k-th score is shared, so are all who share it.
Many lists are ranked by several processors side by side, since numpy lets go of the interpreter: 10,000 lists
of 100 take 4.0 ms on two processors and 7.2 ms on one.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.engine.batch.lists import CountArray, FloatArray, GradeLists
from app.engine.checks import refusal
from app.engine.terms import discount_weights

NumberTable: TypeAlias = NDArray[Any]

DOCUMENTS_PER_THREAD = 200_000
"""So many documents are worth a thread of their own."""
MOST_THREADS = 2
"""With four, lists full of ties took longer than with one: the steps between numpy's hold the interpreter."""

TIE_RULE_WITHOUT_NAMES_BY_DOCNO_RULE = {"docno-descending": "reversed", "docno-ascending": "input"}
"""What the rules by name come to where documents are named in the order given."""


def ranked_gains_of(grade_lists: GradeLists, k: int | None) -> FloatArray:
    """The gain at rank 1, 2, 3, … of each list, as far as k; 0 behind the end of a list.

    >>> from app.engine.batch.lists import read_lists
    >>> from app.engine.conventions import Convention
    >>> lists = read_lists([[3, 0, 2]], [[0.1, 0.5, 0.5]], Convention("mean", ties="average"))
    >>> ranked_gains_of(lists, 2).tolist()
    [[1.0, 1.0]]
    """
    thread_count = min(grade_lists.scores.size // DOCUMENTS_PER_THREAD, MOST_THREADS)
    if thread_count < 2:
        return _ranked_gains(grade_lists, k)
    with ThreadPoolExecutor(thread_count) as thread_pool:
        gains_of_parts = thread_pool.map(partial(_ranked_gains, k=k), grade_lists.parts(thread_count))
        return np.vstack(list(gains_of_parts))


def _ranked_gains(grade_lists: GradeLists, k: int | None) -> FloatArray:
    """As above, in one thread. Of long lists only those documents are sorted whose score reaches the k-th."""
    list_count, width = grade_lists.grades.shape
    if k is None or 2 * k >= width:
        return _sorted_gains_at_indexes(grade_lists)[:, :k]
    kth_scores = np.partition(grade_lists.scores, width - k, axis=1)[:, width - k]
    candidate_flags = grade_lists.scores >= kth_scores[:, None]
    if np.count_nonzero(candidate_flags) == list_count * k:  # nobody shares the k-th score
        return _sorted_gains_at_indexes(grade_lists, np.flatnonzero(candidate_flags).reshape(list_count, k))
    ranked_gain_table = np.zeros((list_count, k))
    for row_indexes in _rows_of_equal_length(np.count_nonzero(candidate_flags, axis=1)):
        candidate_columns = np.nonzero(candidate_flags[row_indexes])[1].reshape(len(row_indexes), -1)
        ranked_gain_table[row_indexes] = _sorted_gains_at_indexes(
            grade_lists, row_indexes[:, None] * width + candidate_columns
        )[:, :k]
    return ranked_gain_table


def _sorted_gains_at_indexes(grade_lists: GradeLists, flat_indexes: CountArray | None = None) -> FloatArray:
    """The gains at some places of the lists, counted through, ranked by the rules of the lists.

    The same number in each row; None: all of them.
    """
    convention = grade_lists.convention
    gains = gains_of_grades(_entries_at_indexes(grade_lists.grades, flat_indexes), convention.gain)
    scores = _entries_at_indexes(grade_lists.scores, flat_indexes)
    if grade_lists.names is None:
        return sorted_gains(
            gains, scores, TIE_RULE_WITHOUT_NAMES_BY_DOCNO_RULE.get(convention.ties, convention.ties)
        )
    return sorted_gains(gains, scores, convention.ties, _entries_at_indexes(grade_lists.names, flat_indexes))


def _entries_at_indexes(table: NumberTable, flat_indexes: CountArray | None) -> NumberTable:
    if flat_indexes is None:
        return table
    entries: NumberTable = np.take(table, flat_indexes)
    return entries


def gains_of_grades(grades: NumberTable, gain: str) -> FloatArray:
    """What grades are worth.

    >>> gains_of_grades(np.array([[3, 0]]), "exponential").tolist()
    [[7.0, 0.0]]
    """
    float_grades = grades.astype(np.float64)
    if gain == "linear":
        return float_grades
    gains: FloatArray = np.exp2(float_grades) - 1
    return gains


def discounted_sums(ranked_gains: FloatArray, discount: str) -> FloatArray:
    """The discounted sum of each row; refuses what is beyond a float.

    >>> discounted_sums(np.array([[4.0, 2.0]]), "reciprocal").tolist()
    [5.0]
    """
    width = ranked_gains.shape[1]
    weights = np.asarray(discount_weights(width, discount))
    dcgs: FloatArray = ranked_gains @ weights
    if not np.isfinite(dcgs).all():
        raise refusal("grades", "a sum beyond a float", "smaller grades")
    return dcgs


def sorted_gains(
    gains: FloatArray, scores: NumberTable, tie_rule: str, docnos: NumberTable | None = None
) -> FloatArray:
    """Gains of each row by score, high to low; among equal scores by the rule.

    >>> sorted_gains(np.array([[1.0, 3.0]]), np.array([[5.0, 5.0]]), "reversed").tolist()
    [[3.0, 1.0]]
    """
    if tie_rule == "reversed":
        reversed_order = np.argsort(scores, axis=1, kind="stable")[:, ::-1]
        return np.take_along_axis(gains, reversed_order, axis=1)
    column_order = np.argsort(-scores, axis=1, kind="stable")
    ranked_gain_table = np.take_along_axis(gains, column_order, axis=1)
    if tie_rule == "input":
        return ranked_gain_table
    sorted_scores = np.take_along_axis(scores, column_order, axis=1)
    tied_row_flags = (sorted_scores[:, 1:] == sorted_scores[:, :-1]).any(axis=1)
    if tie_rule == "average":
        ranked_gain_table[tied_row_flags] = _average_ties(
            ranked_gain_table[tied_row_flags], sorted_scores[tied_row_flags]
        )
        return ranked_gain_table
    if tied_row_flags.any():
        tied_docnos = None if docnos is None else docnos[tied_row_flags]
        tie_sort_keys = TIE_KEY_BY_RULE[tie_rule](gains[tied_row_flags], tied_docnos)
        column_order = np.lexsort((tie_sort_keys, -scores[tied_row_flags]), axis=1)
        ranked_gain_table[tied_row_flags] = np.take_along_axis(gains[tied_row_flags], column_order, axis=1)
    return ranked_gain_table


def _rows_of_equal_length(candidate_counts: CountArray) -> Iterator[CountArray]:
    """Rows with equally many candidates, together."""
    if (candidate_counts == candidate_counts[0]).all():
        yield np.arange(len(candidate_counts))
        return
    row_order = np.argsort(candidate_counts, kind="stable")
    change_indexes = np.flatnonzero(np.diff(candidate_counts[row_order]))
    yield from np.split(row_order, change_indexes + 1)


def _average_ties(ranked_gains: FloatArray, sorted_scores: NumberTable) -> FloatArray:
    """The mean gain of each tie at all of its ranks."""
    tie_start_flags = np.ones(sorted_scores.shape, dtype=bool)
    tie_start_flags[:, 1:] = sorted_scores[:, 1:] != sorted_scores[:, :-1]
    tie_start_indexes = np.flatnonzero(tie_start_flags)
    if not len(tie_start_indexes):
        return ranked_gains
    tie_lengths = np.diff(tie_start_indexes, append=sorted_scores.size)
    mean_gains = np.add.reduceat(ranked_gains.ravel(), tie_start_indexes) / tie_lengths
    return np.repeat(mean_gains, tie_lengths).reshape(sorted_scores.shape)


def _alphabetical_numbers(docnos: NumberTable) -> CountArray:
    """Names as numbers in alphabetical order."""
    _, docno_numbers = np.unique(docnos, return_inverse=True)
    return docno_numbers.reshape(docnos.shape)


TIE_KEY_BY_RULE: dict[str, Callable[[FloatArray, Any], NumberTable]] = {
    "best": lambda gains, _names: -gains,
    "worst": lambda gains, _names: gains,
    "docno-descending": lambda _gains, document_names: -_alphabetical_numbers(document_names),
    "docno-ascending": lambda _gains, document_names: _alphabetical_numbers(document_names),
}
"""Among equal scores, low to high by this."""
