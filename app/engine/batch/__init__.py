"""Many lists at once: NDCG and its neighbours over 2-D arrays or ragged lists, by numpy.

Same meaning, same conventions, same tie rules as the functions of one list, which stay the chapter to read;
each function is held equal to its namesake there. Two things make it quick: the first k are chosen before
anything is sorted, so that only they, and whoever is tied with the last of them, are ranked (`ranking`); an
ideal of whole grades is counted level by level, never sorted (`ideals`).

grades, scores: one row a list; an array (n lists × m documents) or sequences of different lengths. None, or
NaN in an array, is an unjudged document: gain 0. docs: names, for the tie rules that ask for them; None:
alphabetical as given. pool: for each list the grades of all its judged documents; None: the list itself.
Every function returns one number a list, NaN where the convention leaves the list out.
Raises ValueError naming the argument and what is allowed.

This package imports numpy, so nothing imports it at the start of the site: ``from app.engine import batch``.
"""

from dataclasses import replace

import numpy as np

from app.engine.batch.ideals import ideal_counts_of, ideal_sums
from app.engine.batch.lists import (
    PLAIN_CONVENTION,
    CountArray,
    DocumentNames,
    FloatArray,
    GradeLists,
    JudgedLists,
    Lists,
    read_lists,
    read_pool,
)
from app.engine.batch.ranking import discounted_sums, ranked_gains_of
from app.engine.checks import checked_choice, checked_k, checked_number, checked_positive, refusal
from app.engine.conventions import ZERO_IDEALS, Convention, convention_named
from app.engine.ties import TIES

__all__ = [
    "auc",
    "average_precision",
    "dcg",
    "err",
    "ndcg",
    "precision",
    "rbp",
    "recall",
    "reciprocal_rank",
]


def ndcg(
    grades: Lists,
    scores: Lists,
    *,
    k: int | None = None,
    convention: str | Convention = "course",
    docs: DocumentNames = None,
    pool: Lists | None = None,
) -> FloatArray:
    """Return NDCG@k of each list, as ``scored_ndcg`` gives it.

    一批列表各自的NDCG，用哪一家的约定都行。

    >>> ndcg([[3, 0, 2], [1, 0, 0]], [[1, 2, 3], [3, 2, 1]]).round(3).tolist()
    [0.821, 1.0]
    >>> ndcg([[3, 0, 2, 0], [1]], [[1, 1, 1, 1], [5]], convention="catboost").round(3).tolist()
    [0.538, 1.0]
    """
    named_convention = convention_named(convention)
    cutoff = checked_k(k)
    grade_lists = read_lists(grades, scores, named_convention, docs)
    dcgs = discounted_sums(ranked_gains_of(grade_lists, cutoff), named_convention.discount)
    judged_lists: JudgedLists = grade_lists
    if pool is not None and named_convention.pool == "judged":
        judged_lists = read_pool(pool, grade_lists)
    ideal_dcgs = ideal_sums(judged_lists, ideal_counts_of(grade_lists, judged_lists, cutoff))
    zero_ideal = ZERO_IDEALS[named_convention.zero_ideal]
    if named_convention.zero_ideal == "one":  # whoever gives 1 to a list of nothing gives it to losses alone
        ideal_dcgs = np.maximum(ideal_dcgs, 0.0)
    ratios = _shares(dcgs, ideal_dcgs, np.nan if zero_ideal is None else zero_ideal)
    if named_convention.decimals is not None:
        # NumPy scales before it rounds, and makes halves of what is none.
        return np.array([round(ratio, named_convention.decimals) for ratio in ratios.tolist()])
    return ratios


def dcg(
    grades: Lists,
    scores: Lists,
    *,
    k: int | None = None,
    convention: str | Convention = "course",
    docs: DocumentNames = None,
) -> FloatArray:
    """Return DCG@k of each list, ranked by its scores.

    >>> dcg([[3, 2, 1]], [[3, 2, 1]], k=2).round(3).tolist()
    [4.262]
    """
    named_convention = convention_named(convention)
    cutoff = checked_k(k)
    grade_lists = read_lists(grades, scores, named_convention, docs)
    return discounted_sums(ranked_gains_of(grade_lists, cutoff), named_convention.discount)


def precision(
    grades: Lists,
    scores: Lists,
    *,
    k: int | None = None,
    relevant: float = 1,
    ties: str = "input",
    docs: DocumentNames = None,
) -> FloatArray:
    """Return the share of relevant documents among the first k of each list; k divides a shorter list too.

    >>> precision([[3, 0, 1]], [[3, 2, 1]], k=2).tolist()
    [0.5]
    """
    cutoff = checked_k(k)
    grade_lists = _plain_lists(grades, scores, ties, docs)
    hit_table = _hit_table(grade_lists, relevant, cutoff)
    counted_rank_counts = grade_lists.document_counts if cutoff is None else cutoff
    shares: FloatArray = hit_table.sum(axis=1) / counted_rank_counts
    return shares


def recall(
    grades: Lists,
    scores: Lists,
    *,
    k: int | None = None,
    pool: Lists | None = None,
    relevant: float = 1,
    ties: str = "input",
    docs: DocumentNames = None,
) -> FloatArray:
    """Return the share of all relevant documents that the first k of each list hold; 0 where there are none.

    >>> recall([[3, 0, 1]], [[3, 2, 1]], k=2).tolist()
    [0.5]
    """
    cutoff = checked_k(k)
    grade_lists = _plain_lists(grades, scores, ties, docs)
    hit_table = _hit_table(grade_lists, relevant, cutoff)
    return _shares(hit_table.sum(axis=1), _relevant_counts(grade_lists, pool, relevant))


def average_precision(
    grades: Lists,
    scores: Lists,
    *,
    pool: Lists | None = None,
    relevant: float = 1,
    ties: str = "input",
    docs: DocumentNames = None,
) -> FloatArray:
    """Return the average precision of each list; its mean is MAP.

    >>> average_precision([[1, 0, 1, 0]], [[4, 3, 2, 1]]).round(4).tolist()
    [0.8333]
    """
    grade_lists = _plain_lists(grades, scores, ties, docs)
    hit_table = _hit_table(grade_lists, relevant)
    precisions = np.cumsum(hit_table, axis=1) / _ranks_of_columns(hit_table)
    precision_totals = (precisions * hit_table).sum(axis=1)
    return _shares(precision_totals, _relevant_counts(grade_lists, pool, relevant))


def reciprocal_rank(
    grades: Lists,
    scores: Lists,
    *,
    relevant: float = 1,
    ties: str = "input",
    docs: DocumentNames = None,
) -> FloatArray:
    """Return 1 ÷ the rank of the first relevant document of each list; 0 without one.

    >>> reciprocal_rank([[0, 0, 2], [0, 0, 0]], [[3, 2, 1], [3, 2, 1]]).round(3).tolist()
    [0.333, 0.0]
    """
    hit_table = _hit_table(_plain_lists(grades, scores, ties, docs), relevant)
    first_relevant_ranks = hit_table.argmax(axis=1) + 1
    return np.where(hit_table.any(axis=1), 1 / first_relevant_ranks, 0.0)


def err(
    grades: Lists,
    scores: Lists,
    *,
    k: int | None = None,
    max_grade: float = 4,
    ties: str = "input",
    docs: DocumentNames = None,
) -> FloatArray:
    """Return the expected reciprocal rank of each list, for a scale that ends at ``max_grade``.

    >>> err([[4, 0]], [[2, 1]]).tolist()
    [0.9375]
    """
    highest_grade = checked_positive(max_grade, "max_grade")
    cutoff = checked_k(k)
    grade_lists = _plain_lists(grades, scores, ties, docs)
    if grade_lists.largest_grade > highest_grade:
        raise refusal("grades", grade_lists.largest_grade, f"at most max_grade = {max_grade}")
    ranked_grade_table = ranked_gains_of(grade_lists, cutoff)
    satisfying_chances = np.exp2(ranked_grade_table - highest_grade) - 2.0**-highest_grade
    continuation_chances = np.cumprod(1 - satisfying_chances, axis=1)
    first_arrival_chances = np.ones((len(ranked_grade_table), 1))
    arrival_chances = np.hstack([first_arrival_chances, continuation_chances[:, :-1]])
    expected_reciprocals: FloatArray = (
        arrival_chances * satisfying_chances / _ranks_of_columns(ranked_grade_table)
    ).sum(axis=1)
    return expected_reciprocals


def rbp(
    grades: Lists,
    scores: Lists,
    *,
    p: float = 0.8,
    relevant: float = 1,
    ties: str = "input",
    docs: DocumentNames = None,
) -> FloatArray:
    """Return the rank-biased precision of each list for readers of patience ``p``.

    >>> rbp([[1, 0, 1]], [[3, 2, 1]], p=0.5).tolist()
    [0.625]
    """
    patience = checked_number(p, "p", "a number between 0 and 1, both excluded")
    if not 0 < patience < 1:
        raise refusal("p", p, "a number between 0 and 1, both excluded")
    hit_table = _hit_table(_plain_lists(grades, scores, ties, docs), relevant)
    arrival_chances = patience ** np.arange(hit_table.shape[1])
    return (1 - patience) * (hit_table @ arrival_chances)


def auc(
    grades: Lists,
    scores: Lists,
    *,
    relevant: float = 1,
    ties: str = "input",
    docs: DocumentNames = None,
) -> FloatArray:
    """Return the share of (relevant, other) pairs that stand rightly in each list; NaN without such a pair.

    >>> auc([[1, 0, 1, 0]], [[4, 3, 2, 1]]).tolist()
    [0.75]
    """
    grade_lists = _plain_lists(grades, scores, ties, docs)
    hit_table = _hit_table(grade_lists, relevant)
    relevant_counts = hit_table.sum(axis=1)
    pair_counts = relevant_counts * (grade_lists.document_counts - relevant_counts)
    document_counts_below = grade_lists.document_counts[:, None] - _ranks_of_columns(hit_table)
    relevant_pair_counts = relevant_counts * (relevant_counts - 1) / 2
    won_pair_counts = (hit_table * document_counts_below).sum(axis=1) - relevant_pair_counts
    return _shares(won_pair_counts, pair_counts, np.nan)


def _plain_lists(grades: Lists, scores: Lists, ties: str, docs: DocumentNames) -> GradeLists:
    """Lists for a measure without a gain; its tie rule must put documents in an order, for the mean gain of
    a tie is no document's grade."""
    tie_rules = [tie_rule for tie_rule in TIES if tie_rule != "average"]
    convention = replace(PLAIN_CONVENTION, ties=checked_choice(ties, "ties", tie_rules))
    return read_lists(grades, scores, convention, docs)


def _hit_table(grade_lists: GradeLists, relevant: float, k: int | None = None) -> FloatArray:
    """1 at the ranks that hold a relevant document, as far as k."""
    lowest_relevant_grade = checked_positive(relevant, "relevant")
    ranked_grade_table = ranked_gains_of(grade_lists, k)
    return (ranked_grade_table >= lowest_relevant_grade).astype(np.float64)


def _ranks_of_columns(rank_table: FloatArray) -> CountArray:
    return np.arange(1, rank_table.shape[1] + 1)


def _relevant_counts(grade_lists: GradeLists, pool: Lists | None, relevant: float) -> FloatArray:
    judged_lists = grade_lists if pool is None else read_pool(pool, grade_lists)
    relevant_flags = judged_lists.grades >= relevant
    relevant_counts: FloatArray = np.count_nonzero(relevant_flags, axis=1).astype(np.float64)
    return relevant_counts


def _shares(parts: FloatArray, wholes: FloatArray, share_of_zero_whole: float = 0.0) -> FloatArray:
    """Parts divided by wholes, and a figure of its own where the whole is 0."""
    shares_of_lists = np.full(len(parts), share_of_zero_whole)
    np.divide(parts, wholes, out=shares_of_lists, where=wholes != 0)
    return shares_of_lists
