"""Measures beside NDCG. To most of them a document is relevant when its grade reaches ``relevant``, and that
is all; the last two have a reader in them, who walks down the list and may stop at any rank.

``grades`` stand in system order; an unjudged document (None) is not relevant and keeps its rank.
``pool`` holds the grades of all judged documents; None = the list itself. It is taken as given:
if it lacks relevant documents of the list, what is measured against it can exceed 1.
"""

from app.engine.checks import (
    Grades,
    checked_grades,
    checked_k,
    checked_number,
    checked_positive,
    checked_rank,
    refusal,
)
from app.engine.cumulative import share
from app.engine.terms import sum_in_order


def precision(grades: Grades, k: int | None = None, relevant: float = 1) -> float:
    """Return the share of relevant documents among the first ``k``.

    精确率（查准率）：前k位里有几成是相关的。

    Shape: n grades -> one number, 0 to 1. It divides by k even when the list is shorter, as trec_eval
    does: an empty place is not a relevant document. Raises ValueError for bad grades, k or relevant.

    >>> precision([3, 0, 1], k=2), precision([3, 0, 1], k=10)
    (0.5, 0.2)
    """
    hit_flags = relevant_flags(grades, relevant)
    cutoff = checked_k(k)
    return sum(hit_flags[:cutoff]) / (cutoff or len(hit_flags))


def recall(grades: Grades, k: int | None = None, pool: Grades | None = None, relevant: float = 1) -> float:
    """Return the share of all relevant documents that stand among the first ``k``.

    召回率（查全率）：所有相关文档里，前k位找回了几成。

    Shape: n grades (pool: m) -> one number, 0 to 1 (above 1 only if the pool lacks relevant documents of
    the list); 0.0 when nothing is relevant. Raises ValueError for bad grades, k, pool or relevant.

    >>> recall([3, 0, 1], k=2), recall([3, 0, 1], pool=[3, 1, 1, 1])
    (0.5, 0.5)
    """
    hit_flags = relevant_flags(grades, relevant)
    retrieved_relevant_count = sum(hit_flags[: checked_k(k)])
    relevant_count = _relevant_count(hit_flags, pool, relevant)
    return share(retrieved_relevant_count, relevant_count)


def f1(grades: Grades, k: int | None = None, pool: Grades | None = None, relevant: float = 1) -> float:
    """Return the harmonic mean of precision and recall at ``k``.

    F1：精确率和召回率的调和平均；一个很低，另一个再高也救不回来。

    Shape: n grades (pool: m) -> one number, 0 to 1 (above 1 only where recall is); 0.0 when nothing relevant
    was found. Raises ValueError for bad grades, k, pool or relevant. Source: van Rijsbergen 1979, beta = 1.

    >>> f1([3, 0, 1, 0], pool=[3, 1, 1, 1])   # both are 1/2
    0.5
    """
    precision_value = precision(grades, k, relevant)
    recall_value = recall(grades, k, pool, relevant)
    return share(2 * precision_value * recall_value, precision_value + recall_value)


def accuracy(
    grades: Grades,
    collection: int,
    k: int | None = None,
    pool: Grades | None = None,
    relevant: float = 1,
) -> float:
    """Return the share of all documents that were judged rightly: shown and relevant, or neither.

    准确率：整个库里判对了几成——该端的端了，该拦的拦了，都算对。

    ``collection`` is the number of all documents there are; what the pool does not hold is not relevant.
    Shape: n grades (pool: m) -> one number, 0 to 1 (above 1 only if the pool lacks relevant documents of the
    list). Among a million documents nearly everything is rightly left out: that is why searchers do not use
    it. Raises ValueError for bad grades, k, pool or relevant, and for a collection smaller than what is known
    of it.

    >>> accuracy([3, 0, 1], collection=10, pool=[3, 1, 1, 0])   # 2 rightly shown, 6 rightly left out
    0.8
    """
    hit_flags = relevant_flags(grades, relevant)
    relevant_count = _relevant_count(hit_flags, pool, relevant)
    shown_hit_flags = hit_flags[: checked_k(k)]
    rightly_shown_count = sum(shown_hit_flags)
    wrongly_shown_count = len(shown_hit_flags) - rightly_shown_count
    missed_count = relevant_count - rightly_shown_count
    known_document_count = max(len(shown_hit_flags) + missed_count, len(hit_flags))
    document_count = checked_rank(collection, "collection")
    if document_count < known_document_count:
        raise refusal("collection", collection, f"at least {known_document_count}, as many as are known")
    return (document_count - missed_count - wrongly_shown_count) / document_count


def average_precision(grades: Grades, pool: Grades | None = None, relevant: float = 1) -> float:
    """Return the precision at the rank of each relevant document, averaged over all relevant ones.

    平均精确率：每遇到一篇相关文档就看一次精确率，再对所有相关文档取平均；没找到的按0算。

    Shape: n grades (pool: m) -> one number, 0 to 1 (above 1 only if the pool lacks relevant documents of
    the list); 0.0 when nothing is relevant. Raises ValueError for bad grades, pool or relevant. Its mean
    over queries is MAP.

    >>> round(average_precision([1, 0, 1, 0]), 4)   # (1/1 + 2/3) / 2
    0.8333
    """
    hit_flags = relevant_flags(grades, relevant)
    relevant_count = _relevant_count(hit_flags, pool, relevant)
    hit_count, precision_total = 0, 0.0
    for rank, is_hit in enumerate(hit_flags, start=1):
        if is_hit:
            hit_count += 1
            precision_total += hit_count / rank
    return share(precision_total, relevant_count)


def reciprocal_rank(grades: Grades, relevant: float = 1) -> float:
    """Return ``1 / rank`` of the first relevant document, 0.0 without one.

    倒数排名：第一篇相关文档排第几，就得几分之一；后面的一概不看。

    Shape: n grades -> one number, 0 to 1. Raises ValueError for bad grades or relevant.
    Its mean over queries is MRR.

    >>> reciprocal_rank([0, 0, 2, 4]), reciprocal_rank([0, 0])
    (0.3333333333333333, 0.0)
    """
    hit_flags = relevant_flags(grades, relevant)
    if True not in hit_flags:
        return 0.0
    first_relevant_rank = hit_flags.index(True) + 1
    return 1 / first_relevant_rank


def auc(grades: Grades, relevant: float = 1) -> float:
    """Return how often a relevant document stands before one that is not: the area under the ROC curve.

    AUC：随便挑一篇相关的和一篇不相关的，相关的排在前面的机会有多大。

    Shape: n grades -> one number, 0 to 1; 0.5 is what chance gives. The top of the list counts no more
    than the bottom: that is why NDCG was needed. Raises ValueError for bad grades or relevant, and for
    a list without both kinds, where no such pair exists. Source: Hanley & McNeil 1982.

    >>> auc([1, 0, 1, 0])   # 3 of the 4 pairs stand rightly
    0.75
    """
    hit_flags = relevant_flags(grades, relevant)
    relevant_count = sum(hit_flags)
    pair_count = relevant_count * (len(hit_flags) - relevant_count)
    if not pair_count:
        raise refusal("grades", grades, f"some of at least {relevant} (relevant) and some below")
    hit_count, right_pair_count = 0, 0
    for is_hit in hit_flags:
        if is_hit:
            hit_count += 1
        else:
            right_pair_count += hit_count  # all relevant documents so far stand before this one
    return right_pair_count / pair_count


def relevant_flags(grades: Grades, relevant: float = 1, argument_name: str = "grades") -> list[bool]:
    """Return, rank by rank, whether the grade reaches ``relevant`` (a number above 0).

    >>> relevant_flags([3, 0.5, None], relevant=1)
    [True, False, False]
    """
    lowest_relevant_grade = checked_positive(relevant, "relevant")
    return [
        grade is not None and grade >= lowest_relevant_grade
        for grade in checked_grades(grades, argument_name)
    ]


def _relevant_count(hit_flags: list[bool], pool: Grades | None, relevant: float) -> int:
    if pool is not None:
        hit_flags = relevant_flags(pool, relevant, "pool")
    return sum(hit_flags)


def err(grades: Grades, k: int | None = None, max_grade: float = 4) -> float:
    """Return the expected reciprocal rank: 1/rank of the document that satisfies, on average.

    期望倒数排名：读者从上往下看，越相关越可能满意走人；满意时在第几位，就得几分之一，取平均。

    A document of grade g satisfies with probability (2**g - 1) / 2**max_grade; an unjudged one never.
    Shape: n grades -> one number, 0 to 1. ``max_grade`` is that of the scale, not of this list: another
    one gives another ERR. Raises ValueError for bad grades, k or max_grade, and for a grade above it.
    Source: Chapelle et al., CIKM 2009.

    >>> err([4, 0])   # 15/16 of the readers stop at rank 1
    0.9375
    >>> err([5])
    Traceback (most recent call last):
        ...
    ValueError: grades[0] = 5: expected at most max_grade = 4
    """
    highest_grade = checked_positive(max_grade, "max_grade")
    satisfying_chances = _satisfying_chances(grades, highest_grade)
    reading_chance, expected_reciprocal = 1.0, 0.0
    for rank, satisfying_chance in enumerate(satisfying_chances[: checked_k(k)], start=1):
        expected_reciprocal += reading_chance * satisfying_chance / rank
        reading_chance *= 1 - satisfying_chance
    return expected_reciprocal


def _satisfying_chances(grades: Grades, max_grade: float) -> list[float]:
    satisfying_chances = []
    for grade_index, grade in enumerate(checked_grades(grades)):
        if grade is not None and grade > max_grade:
            raise refusal(f"grades[{grade_index}]", grade, f"at most max_grade = {max_grade}")
        satisfying_chance = 0.0
        if grade is not None:  # the same as (2**g - 1) / 2**max_grade, without ever leaving the floats
            satisfying_chance = 2.0 ** (grade - max_grade) - 2.0**-max_grade
        satisfying_chances.append(satisfying_chance)
    return satisfying_chances


def rbp(grades: Grades, p: float = 0.8, relevant: float = 1) -> float:
    """Return the rank-biased precision: what a reader finds who goes on with patience ``p``.

    排名偏置精确率：看完一条，有p的概率接着看下一条；p越大越有耐心，看得越深；p越小，越只看最前面的几条。

    ``(1 - p) * (sum of p**(rank-1) over the relevant ranks)``. Shape: n grades -> one number, 0 to 1;
    a finite list never quite reaches 1. p: strictly between 0 and 1.
    Raises ValueError for bad grades, p or relevant. Source: Moffat & Zobel, ACM TOIS 27(1), 2008.

    >>> rbp([1, 0, 1], p=0.5)   # 0.5 * (1 + 0.25)
    0.625
    """
    patience = checked_number(p, "p", "a number between 0 and 1, both excluded")
    if not 0 < patience < 1:
        raise refusal("p", p, "a number between 0 and 1, both excluded")
    hit_flags = relevant_flags(grades, relevant)
    patience_sum = sum_in_order(patience**rank_index for rank_index, is_hit in enumerate(hit_flags) if is_hit)
    return (1 - patience) * patience_sum
