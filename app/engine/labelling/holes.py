"""Lists with holes: documents that nobody has judged."""

from app.engine.checks import Grade, Grades, checked_grades, checked_positive
from app.engine.cumulative import share


def condensed(grades: Grades) -> list[Grade]:
    """Return the list without its unjudged documents; whoever stands behind them moves up.

    压缩列表：没人标过的先拿掉，后面的往前补。

    Raises ValueError for bad grades. Source: Sakai 2007.

    >>> condensed([3, None, 0, None, 2])
    [3, 0, 2]
    """
    return [grade for grade in checked_grades(grades) if grade is not None]


def bpref(grades: Grades, pool: Grades, relevant: float = 1) -> float:
    """Return how seldom a document judged irrelevant stands above one judged relevant.

    bpref：只看标过的对子。每篇相关的，前面压着几篇标了“不相关”的？压得越少越好；没标的当它不在。

    Over all R relevant documents of the pool, ``1 − min(above, R, N) / min(R, N)`` for those in the list,
    where N judged documents are irrelevant and ``above`` counts the irrelevant ones before it; 0 for those
    that are not in the list. Shape: n grades, m of the pool → 0 to 1 (above 1 only if the pool lacks
    documents of the list); 0.0 when nothing is relevant.
    Raises ValueError for bad grades. Source: Buckley and Voorhees 2004, as computed by trec_eval.

    >>> bpref([3, None, 0, 2], [3, 2, 0, 0, 1])
    0.5
    """
    lowest_relevant_grade = checked_positive(relevant, "relevant")
    judged_grades = condensed(pool)
    relevant_count = sum(grade is not None and grade >= lowest_relevant_grade for grade in judged_grades)
    most_irrelevant_count = min(relevant_count, len(judged_grades) - relevant_count)
    score_total = 0.0
    irrelevant_count_above = 0
    for grade in condensed(grades):
        if grade is None or grade < lowest_relevant_grade:
            irrelevant_count_above += 1
        elif most_irrelevant_count == 0 or irrelevant_count_above == 0:
            score_total += 1
        else:
            score_total += 1 - min(irrelevant_count_above, most_irrelevant_count) / most_irrelevant_count
    return share(score_total, relevant_count)
