"""Measures with a reader in them, who walks down the list and may stop at any rank."""

from app.engine.binary import relevant_flags
from app.engine.checks import Grades, checked_grades, checked_k, checked_number, checked_positive, refusal


def err(grades: Grades, k: int | None = None, max_grade: float = 4) -> float:
    """Return the expected reciprocal rank: 1/rank of the document that satisfies, on average.

    期望倒数排名：读者从上往下看，越相关越可能满意走人；满意时在第几名，就得几分之一，取平均。

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
    top = checked_positive(max_grade, "max_grade")
    still_reading, total = 1.0, 0.0
    for rank, chance in enumerate(_chances(grades, top)[: checked_k(k)], start=1):
        total += still_reading * chance / rank
        still_reading *= 1 - chance
    return total


def _chances(grades: Grades, max_grade: float) -> list[float]:
    chances = []
    for place, grade in enumerate(checked_grades(grades)):
        if grade is not None and grade > max_grade:
            raise refusal(f"grades[{place}]", grade, f"at most max_grade = {max_grade}")
        # the same as (2**g - 1) / 2**max_grade, without ever leaving the floats
        chances.append(0.0 if grade is None else 2.0 ** (grade - max_grade) - 2.0**-max_grade)
    return chances


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
    hits = relevant_flags(grades, relevant)
    return (1 - patience) * sum(patience**place for place, hit in enumerate(hits) if hit)
