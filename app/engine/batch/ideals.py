"""The ideal of each list: whole grades are counted level by level, all others sorted."""

import numpy as np
from numpy.typing import NDArray

from app.engine.batch.lists import Counts, Floats, GradeLists
from app.engine.batch.ranking import gains_in
from app.engine.discounts import discount_weights

GRADE_LEVELS = 32
"""Whole grades below it are counted."""


def ideal_depths(lists: GradeLists, judged_grades: GradeLists, k: int | None) -> Counts:
    """How many documents the ideal of each list may use: the answer of ``Convention.cut``.

    >>> from app.engine.batch.lists import PLAIN, read_lists
    >>> lists = read_lists([[3, 2], [1]], [[2, 1], [5]], PLAIN)
    >>> ideal_depths(lists, lists, 1).tolist()
    [1, 1]
    """
    cut = lists.rules.cut
    depths = judged_grades.sizes
    if cut == "returned":
        depths = np.minimum(depths, lists.sizes)
    if k is not None and cut != "whole":
        depths = np.minimum(depths, k)
    return depths


def ideal_sums(judged_grades: GradeLists, depths: Counts) -> Floats:
    """The discounted sum over the sweetest order of each list, as deep as it may go.

    >>> from app.engine.batch.lists import PLAIN, read_lists
    >>> lists = read_lists([[1, 2, 3]], [[3, 2, 1]], PLAIN)
    >>> ideal_sums(lists, np.array([2])).round(3).tolist()
    [4.262]
    """
    rules = judged_grades.rules
    width = judged_grades.grades.shape[1]
    weights = np.asarray(discount_weights(width, rules.discount)[:width])
    levels = _levels(judged_grades)
    if levels is None:
        return _sorted_sums(judged_grades, depths, weights)
    weight_through_rank = np.concatenate([[0.0], np.cumsum(weights)])
    sums = np.zeros(len(levels))
    used_ranks = np.zeros(len(levels), dtype=np.int64)
    for level in range(int(judged_grades.largest), 0, -1):
        gain = gains_in(np.array(level), rules.gain)
        counts_of_level = _counts(levels == level)
        last_ranks = np.minimum(used_ranks + counts_of_level, depths)
        sums += gain * (weight_through_rank[last_ranks] - weight_through_rank[used_ranks])
        used_ranks = last_ranks
    return sums


def _counts(hits: NDArray[np.bool_]) -> Counts:
    """How many hits each row has; in a row of less than 256 they are added as bytes."""
    if hits.shape[1] < 256:
        counts: Counts = hits.view(np.uint8).sum(axis=1, dtype=np.uint8).astype(np.int64)
    else:
        counts = np.count_nonzero(hits, axis=1)
    return counts


def _levels(judged_grades: GradeLists) -> NDArray[np.int8] | None:
    """The grades as small whole numbers; None where some are not."""
    if judged_grades.lowest < 0 or judged_grades.largest >= GRADE_LEVELS:
        return None
    grades = judged_grades.grades
    levels = grades.astype(np.int8)
    if grades.dtype.kind == "f" and not np.array_equal(levels, grades):
        return None
    return levels


def _sorted_sums(judged_grades: GradeLists, depths: Counts, weights: Floats) -> Floats:
    ranks = np.arange(judged_grades.grades.shape[1])
    gains = gains_in(judged_grades.grades, judged_grades.rules.gain)
    is_document = ranks < judged_grades.sizes[:, None]
    sorted_gains = -np.sort(np.where(is_document, -gains, np.inf), axis=1)
    counted_gains = np.where(ranks < depths[:, None], sorted_gains, 0.0)
    sums: Floats = counted_gains @ weights
    return sums
