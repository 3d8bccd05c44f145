"""What a library prints: labels and scores of one query in, its NDCG out, whichever convention it follows."""

from array import array
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from app.engine.checks import (
    LARGEST_FLOAT,
    SINGLE_INFINITY,
    Grade,
    Grades,
    Scores,
    checked_k,
    checked_number,
    entries_of,
    is_negative,
    refusal,
)
from app.engine.conventions import ZERO_IDEALS, Convention, convention_named
from app.engine.cumulative import discounted_sum
from app.engine.terms import discount_weights, gains_of, sum_in_order
from app.engine.ties import checked_scores, ranked_gains

GradeRule: TypeAlias = Literal["negative", "fractional", "largest_grade"]
REQUIREMENT_FORMAT_BY_RULE: Mapping[GradeRule, str] = {
    "negative": "a grade >= 0",
    "fractional": "a whole number",
    "largest_grade": "at most {}",
}


def scored_ndcg(
    labels: Grades,
    scores: Scores,
    convention: str | Convention = "course",
    k: int | None = None,
    pool: Grades | None = None,
    docs: Sequence[str] | None = None,
) -> float | None:
    """Return what a library computes as NDCG@k for one query; None where it leaves the query out.

    同一份标注和打分，换一家来算NDCG：得到的正是那一家会打印的数。

    labels, scores, docs: one entry a document, in the order in which they are handed over. The labels are
    the ``grades`` of ``ndcg`` and ``batch.ndcg``, by the name that libraries have for them; unlike those of
    ``ndcg`` they need not stand in ranked order: the scores rank them. None = unjudged: gain 0.
    convention: a name in ``CONVENTIONS``, or a ``Convention``. k: None = the whole list.
    pool: grades of all judged documents, also those that were not returned. None = the labels. A
    library whose ideal is made of the returned list never sees it.
    docs: names, for the libraries that break ties by them. None = in alphabetical order as given.
    Raises ValueError for bad input, and for what the library itself refuses (a negative grade, say).
    Source: see ``app.engine.conventions``; observed, not only read.

    >>> tied = [3, 0, 2, 0], [1, 1, 1, 1]
    >>> for name in ("scikit-learn", "trec_eval", "ranx", "catboost"):
    ...     print(name, round(scored_ndcg(*tied, name), 3))
    scikit-learn 0.751
    trec_eval 0.599
    ranx 0.939
    catboost 0.538
    """
    return read_query(labels, scores, convention, pool, docs).ndcg(k)


class ReadQuery(NamedTuple):
    """One query as a library has read it: gains in its ranked order, and those that its ideal is made of.

    一个查询，照一家的读法读好了：之后换一个截断、往池里添几篇，不用从头再读。

    >>> read_query([1, 2], [2, 1]).ndcg(1)
    0.5
    """

    gains_in_rank_order: Sequence[float]
    judged_gains: Sequence[float]
    convention: Convention

    def ndcg(self, k: int | None = None) -> float | None:
        """NDCG@k; None where the library leaves the query out."""
        return _ratio(self.gains_in_rank_order, self.judged_gains, checked_k(k), self.convention)

    def with_judged_grades(self, grades: Sequence[Grade]) -> "ReadQuery":
        """The query with further judged documents, which a library with an ideal of the list never sees."""
        if self.convention.pool == "list" or not grades:
            return self
        different_grades = list(dict.fromkeys(grades))  # mostly one grade, many times
        gains = _checked_gains(different_grades, "pool", self.convention)
        gain_by_grade = dict(zip(different_grades, gains, strict=True))
        return self._replace(judged_gains=[*self.judged_gains, *map(gain_by_grade.__getitem__, grades)])


def read_query(
    labels: Grades,
    scores: Scores,
    convention: str | Convention = "course",
    pool: Grades | None = None,
    docs: Sequence[str] | None = None,
) -> ReadQuery:
    """Return a query as a library reads it; arguments and errors are those of ``scored_ndcg``.

    >>> read_query([3, 0, 2], [1, 1, 1], "catboost").gains_in_rank_order
    [0, 2, 3]
    """
    named_convention = convention_named(convention)
    gains = _checked_gains(labels, "labels", named_convention)
    if len(gains) < named_convention.shortest:
        raise refusal(
            "labels",
            labels,
            f"at least {named_convention.shortest} documents, as {named_convention.name} does",
        )
    judged_gains = gains
    if pool is not None and named_convention.pool != "list":
        judged_gains = _checked_gains(pool, "pool", named_convention)
    scores_as_read = _read_scores(scores, len(gains), named_convention)
    if named_convention.negative == "dropped":
        scores_as_read = scores_with_dropped_last(scores_as_read, entries_of(labels, "labels"))
    gains_in_rank_order = ranked_gains(gains, scores_as_read, named_convention.ties, docs)
    return ReadQuery(gains_in_rank_order, judged_gains, named_convention)


def mean_over_queries(values: Sequence[float | None]) -> float:
    """Return the mean over the queries that count; None marks one that was left out.

    多个查询取平均：被跳过的查询，分子分母里都没有它。

    Raises ValueError when no query is left, and for what is no finite number.

    >>> mean_over_queries([1.0, 0.0]), mean_over_queries([1.0, None])
    (0.5, 1.0)
    """
    counted_values = [
        checked_number(value, f"values[{value_index}]")
        for value_index, value in enumerate(values)
        if value is not None
    ]
    if not counted_values:
        raise refusal("values", values, "at least one query that is not left out")
    return sum_in_order(counted_values) / len(counted_values)


def _checked_gains(grades: Grades, argument_name: str, convention: Convention) -> Sequence[float]:
    """What the grades are worth to the library, or its refusal."""
    admitted_grades = _admitted_grades(grades, argument_name, convention)
    return gains_of(admitted_grades, convention.gain, argument_name)


def _admitted_grades(grades: Grades, argument_name: str, convention: Convention) -> list[Grade]:
    """The grades as the library reads them, or its refusal."""
    admitted_grades = [
        _admitted_grade(grade, f"{argument_name}[{grade_index}]", convention)
        for grade_index, grade in enumerate(entries_of(grades, argument_name))
    ]
    if not admitted_grades:
        raise refusal(argument_name, grades, "at least one grade")
    return admitted_grades


def _admitted_grade(grade: Grade, argument_name: str, convention: Convention) -> Grade:
    if grade is None:
        return None
    number = checked_number(grade, argument_name, "a finite number, or None for an unjudged document")
    rule = broken_rule(number, convention)
    if rule is not None:
        requirement = REQUIREMENT_FORMAT_BY_RULE[rule].format(convention.largest_grade)
        raise refusal(argument_name, grade, f"{requirement}: that is the rule of {convention.name}")
    return _grade_as_read(number, convention)


def _grade_as_read(grade: float, convention: Convention) -> float:
    if grade < 0 and convention.negative in ("zero", "dropped"):
        return 0
    if convention.fractional == "truncated" and grade >= 0:
        return int(grade)
    return grade


def broken_rule(grade: float, convention: Convention) -> GradeRule | None:
    """Return the rule by which a library refuses a grade, by its field of ``Convention``; None where it
    takes it.

    这一家收不收这个甜度，不收是哪一条不许。

    >>> broken_rule(2.5, convention_named("lightgbm")), broken_rule(-0.5, convention_named("trec_eval"))
    ('fractional', None)
    """
    grade_as_read = _grade_as_read(grade, convention)
    if grade_as_read < 0 and convention.negative == "refused":
        return "negative"
    if grade_as_read % 1 and convention.fractional == "refused":
        return "fractional"
    if convention.largest_grade is not None and grade_as_read > convention.largest_grade:
        return "largest_grade"
    return None


def _read_scores(scores: Scores, document_count: int, convention: Convention) -> Sequence[float]:
    double_precision_scores = checked_scores(scores, document_count)
    return single_precision_scores(double_precision_scores) if convention.single else double_precision_scores


def single_precision_scores(scores: Sequence[float]) -> list[float]:
    """Return the scores as they are read in single precision; what that takes for infinite stays a number,
    beyond all others.

    >>> single_precision_scores([1 + 1e-9, 1e39]) == [1.0, 2.0**128]
    True
    """
    return [min(max(score, -SINGLE_INFINITY), SINGLE_INFINITY) for score in array("f", scores)]


def scores_with_dropped_last(scores: Sequence[float], grades: Sequence[Grade]) -> list[float]:
    """Return the scores, those of negative grades below all others: behind the list they bring in nothing.

    >>> scores_with_dropped_last([3.0, 2.0], [-1, None])
    [-1.7976931348623157e+308, 2.0]
    """
    return [
        -LARGEST_FLOAT if is_negative(grade) else score for score, grade in zip(scores, grades, strict=True)
    ]


def counts_as_empty(ideal_dcg: float, convention: Convention) -> bool:
    """Return whether the query is one without a relevant document: losses alone are, where that gives 1.

    CatBoost and XGBoost ask whether the ideal is above 0; torchmetrics divides by it below 0 too.

    >>> [counts_as_empty(-1.0, convention_named(name)) for name in ("catboost", "torchmetrics")]
    [True, False]
    """
    return ideal_dcg == 0 or (ideal_dcg < 0 and convention.zero_ideal == "one")


def ideal_cutoff(cut: str, k: int | None, returned_count: int) -> int | None:
    """How many documents the ideal order may use (None: all): the answer of ``Convention.cut``.

    >>> ideal_cutoff("k", 10, 3), ideal_cutoff("whole", 10, 3), ideal_cutoff("returned", 10, 3)
    (10, None, 3)
    """
    if cut == "whole":
        return None
    if cut == "returned":
        return returned_count if k is None else min(k, returned_count)
    return k


def _ratio(
    gains_in_rank_order: Sequence[float], judged_gains: Sequence[float], k: int | None, convention: Convention
) -> float | None:
    weights = discount_weights(max(len(gains_in_rank_order), len(judged_gains)), convention.discount)
    ideal_gains = sorted(judged_gains, reverse=True)[
        : ideal_cutoff(convention.cut, k, len(gains_in_rank_order))
    ]
    ideal_dcg = discounted_sum(ideal_gains, weights, "labels or pool")
    if counts_as_empty(ideal_dcg, convention):
        return ZERO_IDEALS[convention.zero_ideal]
    ratio = discounted_sum(gains_in_rank_order[:k], weights, "labels") / ideal_dcg
    return ratio if convention.decimals is None else round(ratio, convention.decimals)
