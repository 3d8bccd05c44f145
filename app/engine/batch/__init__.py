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

import numpy as np

from app.engine.batch.ideals import ideal_depths, ideal_sums
from app.engine.batch.lists import PLAIN, Floats, GradeLists, Lists, Names, read_lists, read_pool
from app.engine.batch.ranking import discounted, ranked_gains_of
from app.engine.checks import checked_choice, checked_k, checked_number, checked_positive, refusal
from app.engine.conventions import ZERO_IDEALS, Convention, named
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
    docs: Names | None = None,
    pool: Lists | None = None,
) -> Floats:
    """Return NDCG@k of each list, as ``scored_ndcg`` gives it.

    一批列表各自的NDCG，用哪一家的约定都行。

    >>> ndcg([[3, 0, 2], [1, 0, 0]], [[1, 2, 3], [3, 2, 1]]).round(3).tolist()
    [0.821, 1.0]
    >>> ndcg([[3, 0, 2, 0], [1]], [[1, 1, 1, 1], [5]], convention="catboost").round(3).tolist()
    [0.538, 1.0]
    """
    rules, depth = named(convention), checked_k(k)
    lists = read_lists(grades, scores, rules)
    totals = discounted(ranked_gains_of(lists, rules.gain, rules.ties, depth, docs), rules.discount)
    judged = lists
    if pool is not None and rules.pool == "judged":
        judged = read_pool(pool, lists, rules)
    best = ideal_sums(judged, ideal_depths(rules, depth, lists, judged), rules)
    zero = ZERO_IDEALS[rules.zero_ideal]
    ratios = np.full(len(totals), np.nan if zero is None else zero)
    np.divide(totals, best, out=ratios, where=best != 0)
    if rules.decimals is not None:
        return np.round(ratios, rules.decimals)
    return ratios


def dcg(
    grades: Lists,
    scores: Lists,
    *,
    k: int | None = None,
    convention: str | Convention = "course",
    docs: Names | None = None,
) -> Floats:
    """Return DCG@k of each list, ranked by its scores.

    >>> dcg([[3, 2, 1]], [[3, 2, 1]], k=2).round(3).tolist()
    [4.262]
    """
    rules = named(convention)
    lists = read_lists(grades, scores, rules)
    return discounted(ranked_gains_of(lists, rules.gain, rules.ties, checked_k(k), docs), rules.discount)


def precision(
    grades: Lists,
    scores: Lists,
    *,
    k: int | None = None,
    relevant: float = 1,
    ties: str = "input",
    docs: Names | None = None,
) -> Floats:
    """Return the share of relevant documents among the first k of each list; k divides a shorter list too.

    >>> precision([[3, 0, 1]], [[3, 2, 1]], k=2).tolist()
    [0.5]
    """
    depth = checked_k(k)
    hits, lists = _hits(grades, scores, relevant, ties, depth, docs)
    shares: Floats = hits.sum(axis=1) / (lists.sizes if depth is None else depth)
    return shares


def recall(
    grades: Lists,
    scores: Lists,
    *,
    k: int | None = None,
    pool: Lists | None = None,
    relevant: float = 1,
    ties: str = "input",
    docs: Names | None = None,
) -> Floats:
    """Return the share of all relevant documents that the first k of each list hold; 0 where there are none.

    >>> recall([[3, 0, 1]], [[3, 2, 1]], k=2).tolist()
    [0.5]
    """
    hits, lists = _hits(grades, scores, relevant, ties, checked_k(k), docs)
    return _share(hits.sum(axis=1), _relevant_counts(lists, pool, relevant))


def average_precision(
    grades: Lists,
    scores: Lists,
    *,
    pool: Lists | None = None,
    relevant: float = 1,
    ties: str = "input",
    docs: Names | None = None,
) -> Floats:
    """Return the average precision of each list; its mean is MAP.

    >>> average_precision([[1, 0, 1, 0]], [[4, 3, 2, 1]]).round(4).tolist()
    [0.8333]
    """
    hits, lists = _hits(grades, scores, relevant, ties, None, docs)
    ranks = np.arange(1, hits.shape[1] + 1)
    precisions = np.cumsum(hits, axis=1) / ranks
    return _share((precisions * hits).sum(axis=1), _relevant_counts(lists, pool, relevant))


def reciprocal_rank(
    grades: Lists,
    scores: Lists,
    *,
    relevant: float = 1,
    ties: str = "input",
    docs: Names | None = None,
) -> Floats:
    """Return 1 ÷ the rank of the first relevant document of each list; 0 without one.

    >>> reciprocal_rank([[0, 0, 2], [0, 0, 0]], [[3, 2, 1], [3, 2, 1]]).round(3).tolist()
    [0.333, 0.0]
    """
    hits, _ = _hits(grades, scores, relevant, ties, None, docs)
    return np.where(hits.any(axis=1), 1 / (hits.argmax(axis=1) + 1), 0.0)


def err(
    grades: Lists,
    scores: Lists,
    *,
    k: int | None = None,
    max_grade: float = 4,
    ties: str = "input",
    docs: Names | None = None,
) -> Floats:
    """Return the expected reciprocal rank of each list, for a scale that ends at ``max_grade``.

    >>> err([[4, 0]], [[2, 1]]).tolist()
    [0.9375]
    """
    most = checked_positive(max_grade, "max_grade")
    lists = read_lists(grades, scores, PLAIN)
    if lists.largest > most:
        raise refusal("grades", lists.largest, f"at most max_grade = {max_grade}")
    ranked = ranked_gains_of(lists, "linear", _order_rule(ties), checked_k(k), docs)
    chances = np.exp2(ranked - most) - 2.0**-most
    still_reading = np.cumprod(1 - chances, axis=1)
    readers = np.hstack([np.ones((len(ranked), 1)), still_reading[:, :-1]])
    stopped: Floats = (readers * chances / np.arange(1, ranked.shape[1] + 1)).sum(axis=1)
    return stopped


def rbp(
    grades: Lists,
    scores: Lists,
    *,
    p: float = 0.8,
    relevant: float = 1,
    ties: str = "input",
    docs: Names | None = None,
) -> Floats:
    """Return the rank-biased precision of each list for readers of patience ``p``.

    >>> rbp([[1, 0, 1]], [[3, 2, 1]], p=0.5).tolist()
    [0.625]
    """
    patience = checked_number(p, "p", "a number between 0 and 1, both excluded")
    if not 0 < patience < 1:
        raise refusal("p", p, "a number between 0 and 1, both excluded")
    hits, _ = _hits(grades, scores, relevant, ties, None, docs)
    weights = patience ** np.arange(hits.shape[1])
    return (1 - patience) * (hits @ weights)


def auc(
    grades: Lists,
    scores: Lists,
    *,
    relevant: float = 1,
    ties: str = "input",
    docs: Names | None = None,
) -> Floats:
    """Return the share of (relevant, other) pairs that stand rightly in each list; NaN without such a pair.

    >>> auc([[1, 0, 1, 0]], [[4, 3, 2, 1]]).tolist()
    [0.75]
    """
    hits, lists = _hits(grades, scores, relevant, ties, None, docs)
    counts = hits.sum(axis=1)
    pairs = counts * (lists.sizes - counts)
    ranks = np.arange(1, hits.shape[1] + 1)
    above = (hits * (lists.sizes[:, None] - ranks)).sum(axis=1) - counts * (counts - 1) / 2
    shares = np.full(len(counts), np.nan)
    np.divide(above, pairs, out=shares, where=pairs != 0)
    return shares


def _order_rule(ties: str) -> str:
    """A tie rule that puts documents in an order; the mean gain of a tie is no document's grade."""
    return checked_choice(ties, "ties", [rule for rule in TIES if rule != "average"])


def _hits(
    grades: Lists,
    scores: Lists,
    relevant: float,
    ties: str,
    k: int | None,
    docs: Names | None,
) -> tuple[Floats, GradeLists]:
    """1 at the ranks that hold a relevant document, as far as k."""
    threshold = checked_positive(relevant, "relevant")
    lists = read_lists(grades, scores, PLAIN)
    ranked = ranked_gains_of(lists, "linear", _order_rule(ties), k, docs)
    return (ranked >= threshold).astype(np.float64), lists


def _relevant_counts(lists: GradeLists, pool: Lists | None, relevant: float) -> Floats:
    judged = lists if pool is None else read_pool(pool, lists, PLAIN)
    counts: Floats = np.count_nonzero(judged.grades >= relevant, axis=1).astype(np.float64)
    return counts


def _share(parts: Floats, wholes: Floats) -> Floats:
    shares = np.zeros(len(parts))
    np.divide(parts, wholes, out=shares, where=wholes != 0)
    return shares
