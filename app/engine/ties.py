"""Ties: what to do with documents that got the same score.

A scorer that gives two documents one score has not said which comes first. Somebody must: each policy
here takes the gains and the names of the documents of one tie, in input order, and says which gains
stand at the ranks they share. One list, one constant score, and four libraries print four NDCGs.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import TypeAlias

from app.engine.checks import Scores, checked_choice, checked_number, entries_of, refusal
from app.engine.terms import sum_in_order

Gains: TypeAlias = Sequence[float]
Docs: TypeAlias = Sequence[str]
TieRule: TypeAlias = Callable[[Gains, Docs], list[float]]


def averaged_gains(gains: Gains, docs: Docs) -> list[float]:  # noqa: ARG001 (one shape)
    """Return the mean gain at every shared rank: what all orders of the tie give on average.

    取平均：并列的文档怎么排都算一遍，再求平均；等于让它们每个都拿平均增益。

    Source: McSherry & Najork, ECIR 2008; scikit-learn, torchmetrics.

    >>> averaged_gains([3, 0, 0], "abc")
    [1.0, 1.0, 1.0]
    """
    mean_gain = sum_in_order(gains) / len(gains)
    return [mean_gain] * len(gains)


def gains_as_given(gains: Gains, docs: Docs) -> list[float]:  # noqa: ARG001
    """Return the gains in input order: who came in first stands first (a stable sort).

    按输入顺序：谁先给出来，谁排前面。

    >>> gains_as_given([0, 3], "ab")
    [0, 3]
    """
    return list(gains)


def gains_backwards(gains: Gains, docs: Docs) -> list[float]:  # noqa: ARG001
    """Return the gains in reversed input order: what ``argsort(scores)[::-1]`` does to a tie.

    按输入倒序：从小到大排好再翻转，并列的也跟着翻了个个儿。

    >>> gains_backwards([0, 3], "ab")
    [3, 0]
    """
    return list(reversed(gains))


def gains_best_first(gains: Gains, docs: Docs) -> list[float]:  # noqa: ARG001
    """Return the gains from high to low: the order that flatters the scorer.

    往好里算：并列的里面，最甜的排前面。

    >>> gains_best_first([0, 3, 1], "abc")
    [3, 1, 0]
    """
    return sorted(gains, reverse=True)


def gains_worst_first(gains: Gains, docs: Docs) -> list[float]:  # noqa: ARG001
    """Return the gains from low to high: nobody gains by giving everything one score (CatBoost).

    往坏里算：并列的里面，最淡的排前面；想靠全打一个分蒙混的，一分便宜也占不到。

    >>> gains_worst_first([0, 3, 1], "abc")
    [0, 1, 3]
    """
    return sorted(gains)


def gains_sorted_by_docno_descending(gains: Gains, docs: Docs) -> list[float]:
    """Return the gains by document name from Z to A, as trec_eval: renaming a file changes the NDCG.

    按文档编号从大到小：trec_eval的做法；换个文件名，分数就可能变。

    >>> gains_sorted_by_docno_descending([0, 3], ["d000", "d001"])
    [3, 0]
    """
    return gains_sorted_by_docno_ascending(gains, docs)[::-1]


def gains_sorted_by_docno_ascending(gains: Gains, docs: Docs) -> list[float]:
    """Return the gains by document name from A to Z.

    按文档编号从小到大。

    >>> gains_sorted_by_docno_ascending([0, 3], ["d000", "d001"])
    [0, 3]
    """
    gain_by_docno = dict(zip(docs, gains, strict=True))
    return [gain_by_docno[docno] for docno in sorted(gain_by_docno)]


TIES: Mapping[str, TieRule] = MappingProxyType(
    {
        "average": averaged_gains,
        "input": gains_as_given,
        "reversed": gains_backwards,
        "best": gains_best_first,
        "worst": gains_worst_first,
        "docno-descending": gains_sorted_by_docno_descending,
        "docno-ascending": gains_sorted_by_docno_ascending,
    }
)


def ranked_gains(gains: Gains, scores: Scores, ties: str = "input", docs: Docs | None = None) -> list[float]:
    """Return the gain that stands at rank 1, 2, 3, … when documents are sorted by score, high to low.

    按模型分从高到低排好之后，每一位上的增益；并列的按ties处理。

    gains, scores, docs: one entry a document, in the order of the input. docs: names, all different; only
    the docno policies look at them. None: d00, d01, … in input order. ties: a name in ``TIES``.
    Shape: n gains -> n gains. Raises ValueError naming the argument, the value and what is allowed.

    >>> ranked_gains([3, 0, 2], [0.1, 0.5, 0.5])
    [0, 2, 3]
    >>> ranked_gains([3, 0, 2], [0.1, 0.5, 0.5], "average")
    [1.0, 1.0, 3.0]
    """
    gains_of_tie = TIES[checked_choice(ties, "ties", TIES)]
    listed_scores = checked_scores(scores, len(gains))
    docnos = _checked_docs(docs, len(gains))
    gains_in_rank_order: list[float] = []
    for _, tied_indexes in groupby(indexes_in_rank_order(listed_scores), key=listed_scores.__getitem__):
        document_indexes = list(tied_indexes)
        tied_gains = [gains[document_index] for document_index in document_indexes]
        tied_docnos = [docnos[document_index] for document_index in document_indexes]
        gains_in_rank_order += gains_of_tie(tied_gains, tied_docnos)
    return gains_in_rank_order


def indexes_in_rank_order(scores: Sequence[float]) -> list[int]:
    """Return the indexes of (checked) scores from high to low; equal scores keep the input order.

    >>> indexes_in_rank_order([0.5, 2, 0.5])
    [1, 0, 2]
    """
    return sorted(range(len(scores)), key=lambda index: -scores[index])


def checked_scores(scores: Scores, document_count: int | None = None) -> list[float]:
    """Return one finite score a document as plain numbers, or refuse them; high means early.

    模型分：每篇文档一个有限数，越大越靠前。

    document_count: None where the scores alone say how many documents there are.

    >>> checked_scores([0.5], 2)
    Traceback (most recent call last):
        ...
    ValueError: scores = [0.5]: expected 2 numbers, one for each document
    """
    listed_scores = entries_of(scores, "scores")
    if document_count is not None and len(listed_scores) != document_count:
        raise refusal("scores", scores, f"{document_count} numbers, one for each document")
    return [
        checked_number(score, f"scores[{score_index}]") for score_index, score in enumerate(listed_scores)
    ]


def _checked_docs(docs: Docs | None, document_count: int) -> Docs:
    if docs is None:
        digit_count = len(str(document_count))  # alphabetical, however many
        return [f"d{document_index:0{digit_count}}" for document_index in range(document_count)]
    docnos = entries_of(docs, "docs")
    different_docnos = {docno for docno in docnos if isinstance(docno, str)}
    if len(docnos) != document_count or len(different_docnos) != document_count:
        raise refusal("docs", docs, f"{document_count} different names, one for each document")
    return docnos
