"""The ideal of each list: whole grades are counted level by level, all others sorted."""

import numpy as np
from numpy.typing import NDArray

from app.engine.batch.lists import CountArray, FloatArray, GradeLists, JudgedLists
from app.engine.batch.ranking import gains_of_grades
from app.engine.terms import discount_weights

GRADE_LEVELS = 32
"""Whole grades below it are counted."""


def ideal_counts_of(grade_lists: GradeLists, judged_lists: JudgedLists, k: int | None) -> CountArray:
    """How many documents the ideal of each list may use: the answer of ``Convention.cut``.

    >>> from app.engine.batch.lists import PLAIN_CONVENTION, read_lists
    >>> lists = read_lists([[3, 2], [1]], [[2, 1], [5]], PLAIN_CONVENTION)
    >>> ideal_counts_of(lists, lists, 1).tolist()
    [1, 1]
    """
    cut = grade_lists.convention.cut
    document_counts = judged_lists.document_counts
    if cut == "returned":
        document_counts = np.minimum(document_counts, grade_lists.document_counts)
    if k is not None and cut != "whole":
        document_counts = np.minimum(document_counts, k)
    return document_counts


def ideal_sums(judged_lists: JudgedLists, ideal_counts: CountArray) -> FloatArray:
    """The discounted sum over the sweetest order of each list, as deep as it may go.

    >>> from app.engine.batch.lists import PLAIN_CONVENTION, read_lists
    >>> lists = read_lists([[1, 2, 3]], [[3, 2, 1]], PLAIN_CONVENTION)
    >>> ideal_sums(lists, np.array([2])).round(3).tolist()
    [4.262]
    """
    convention = judged_lists.convention
    rank_count = judged_lists.grades.shape[1]
    weights = np.asarray(discount_weights(rank_count, convention.discount))
    grade_levels = _grade_levels(judged_lists)
    if grade_levels is None:
        return _sorted_sums(judged_lists, ideal_counts, weights)
    weight_sums = np.concatenate([[0.0], np.cumsum(weights)])
    ideal_dcgs = np.zeros(len(grade_levels))
    used_rank_counts = np.zeros(len(grade_levels), dtype=np.int64)
    for grade_level in range(int(judged_lists.largest_grade), 0, -1):
        gain = gains_of_grades(np.array(grade_level), convention.gain)
        document_counts = _true_counts(grade_levels == grade_level)
        last_ranks = np.minimum(used_rank_counts + document_counts, ideal_counts)
        ideal_dcgs += gain * (weight_sums[last_ranks] - weight_sums[used_rank_counts])
        used_rank_counts = last_ranks
    return ideal_dcgs


def _true_counts(flags: NDArray[np.bool_]) -> CountArray:
    """How many hits each row has; in a row of less than 256 they are added as bytes."""
    if flags.shape[1] < 256:
        true_counts: CountArray = flags.view(np.uint8).sum(axis=1, dtype=np.uint8).astype(np.int64)
    else:
        true_counts = np.count_nonzero(flags, axis=1)
    return true_counts


def _grade_levels(judged_lists: JudgedLists) -> NDArray[np.int8] | None:
    """The grades as small whole numbers; None where some are not."""
    if judged_lists.lowest_grade < 0 or judged_lists.largest_grade >= GRADE_LEVELS:
        return None
    grades = judged_lists.grades
    grade_levels = grades.astype(np.int8)
    if grades.dtype.kind == "f" and not np.array_equal(grade_levels, grades):
        return None
    return grade_levels


def _sorted_sums(judged_lists: JudgedLists, ideal_counts: CountArray, weights: FloatArray) -> FloatArray:
    column_indexes = np.arange(judged_lists.grades.shape[1])
    gains = gains_of_grades(judged_lists.grades, judged_lists.convention.gain)
    document_flags = column_indexes < judged_lists.document_counts[:, None]
    sorted_gains = -np.sort(np.where(document_flags, -gains, np.inf), axis=1)
    counted_gains = np.where(column_indexes < ideal_counts[:, None], sorted_gains, 0.0)
    ideal_dcgs: FloatArray = counted_gains @ weights
    return ideal_dcgs
