"""What the engine takes, and what it refuses in words."""

import math
from collections import deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from app.engine import (
    PairForce,
    Position,
    Question,
    RankSwap,
    accuracy,
    auc,
    average_precision,
    cg,
    dcg,
    discount_weight,
    err,
    f1,
    idcg,
    ndcg,
    ndcg_range,
    precision,
    rbp,
    recall,
    reciprocal_rank,
    scored_ndcg,
    significance,
    swaps,
    trace,
)
from app.engine.labelling import Clicks, alpha, ips, kappa
from app.engine.pairwise.descent import descent
from app.engine.pairwise.lambdarank import delta_ndcg, gradients, ranks
from app.engine.ties import ranked_gains
from tests.tables import each

Measure = Callable[..., Any]
WITH_CONVENTIONS: list[Measure] = [dcg, idcg, ndcg, trace, ndcg_range]
WITH_POOL: list[Measure] = [*WITH_CONVENTIONS, recall, f1, average_precision]
WITH_K: list[Measure] = [*WITH_CONVENTIONS, cg, precision, recall, f1, err]
WITH_RELEVANT: list[Measure] = [precision, recall, f1, average_precision, reciprocal_rank, auc, rbp]
EVERY: list[Measure] = [*WITH_K, average_precision, reciprocal_rank, rbp, auc]

NOT_GRADES = {
    "none": (None, "grades = None"),
    "number": (3, "grades = 3"),
    "text": ("321", "grades = '321'"),
    "bytes": (b"321", "grades = b'321'"),
    "memory": (memoryview(b"321"), "grades = "),
    "set": ({3, 2}, "grades = {2, 3}"),
    "dict": ({3: 1}, "grades = {3: 1}"),
    "keys": ({3: 1}.keys(), "grades = "),
    "generator": ((grade for grade in [3, 2]), "grades = "),
    "empty": ([], r"grades = \[\]: expected at least one"),
    "empty-array": (np.array([]), "grades = .*at least one"),
    "array-0d": (np.array(3), "grades = .*one dimension, not 0"),
    "array-2d": (np.array([[3, 2]]), "grades = .*one dimension, not 2"),
    "negative": ([3, -1], r"grades\[1\] = -1: expected a finite number >= 0"),
    "negative-float": ([-0.5], r"grades\[0\] = -0.5"),
    "nan": ([3, math.nan], r"grades\[1\] = nan"),
    "inf": ([math.inf], r"grades\[0\] = inf"),
    "-inf": ([-math.inf], r"grades\[0\] = -inf"),
    "string": ([3, "2"], r"grades\[1\] = '2'"),
    "bool": ([3, True], r"grades\[1\] = True"),
    "numpy-bool": (np.array([True, False]), r"grades\[0\] = True"),
    "numpy-nan": (np.array([1.0, np.nan]), r"grades\[1\] = nan"),
    "numpy-text": (np.array(["1"]), r"grades\[0\] = '1'"),
    "numpy-bool-inside": ([np.True_], r"grades\[0\] = "),
    "nested": ([[3], [2]], r"grades\[0\] = \[3\]"),
    "complex": ([1j], r"grades\[0\] = 1j"),
    "decimal": ([Decimal(1)], r"grades\[0\] = "),
    "beyond-float": ([10**400], r"grades\[0\] = "),
    "beyond-print": ([10**5000], r"grades\[0\] = \(int too long"),
}


@each("measure", EVERY)
@each("name", NOT_GRADES)
def test_bad_grades_are_refused_by_name(measure: Measure, name: str) -> None:
    grades, message = NOT_GRADES[name]
    with pytest.raises(ValueError, match="^" + message):
        measure(grades)


@each("measure", WITH_POOL)
@each("name", [name for name in NOT_GRADES if name != "none"])
def test_a_bad_pool_is_refused_by_name(measure: Measure, name: str) -> None:
    pool, message = NOT_GRADES[name]
    with pytest.raises(ValueError, match="^" + message.replace("grades", "pool", 1)):
        measure([1, 0], pool=pool)


@each("measure", WITH_K)
@each("k", [0, -1, 1.5, 2.0, "2", True, False, math.nan, [2], np.float64(2), np.True_])
def test_a_bad_cutoff_is_refused(measure: Measure, k: Any) -> None:
    with pytest.raises(ValueError, match=r"^k = .*: expected a whole number >= 1, or None"):
        measure([1, 0], k=k)


@each("measure", WITH_CONVENTIONS)
@each("value", ["square", "", "LINEAR", None, 2, ["linear"], np.array(["linear"])])
def test_an_unknown_gain_or_discount_is_refused(measure: Measure, value: Any) -> None:
    with pytest.raises(ValueError, match=r"^gain = .*: expected one of linear, exponential"):
        measure([1, 0], gain=value)
    with pytest.raises(ValueError, match=r"^discount = .*: expected one of log2, jk2002, reciprocal, none"):
        measure([1, 0], discount=value)


@each("measure", WITH_CONVENTIONS)
@each("discount", ["log2", "reciprocal"])
@each("base", [1, 0, -2, math.nan, math.inf, "2", True, None, Decimal(2), 10**400])
def test_a_bad_base_is_refused_even_where_it_plays_no_part(
    measure: Measure, discount: str, base: Any
) -> None:
    with pytest.raises(ValueError, match=r"^base = .*: expected a finite number > 1"):
        measure([1, 0], discount=discount, base=base)


@each("measure", WITH_RELEVANT)
@each("relevant", [0, -1, math.nan, "1", True, None])
def test_a_bad_threshold_is_refused(measure: Measure, relevant: Any) -> None:
    with pytest.raises(ValueError, match=r"^relevant = .*: expected a finite number > 0"):
        measure([1, 0], relevant=relevant)


@each("p", [0, 1, -0.1, 1.1, math.nan, "0.8", True, None])
def test_a_bad_patience_is_refused(p: Any) -> None:
    with pytest.raises(ValueError, match=r"^p = .*: expected a number between 0 and 1"):
        rbp([1, 0], p=p)


@each("max_grade", [0, -1, math.inf, "4", True, None])
def test_a_bad_top_of_the_scale_is_refused(max_grade: Any) -> None:
    with pytest.raises(ValueError, match=r"^max_grade = .*: expected a finite number > 0"):
        err([1, 0], max_grade=max_grade)


def test_a_grade_above_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^grades\[1\] = 5: expected at most max_grade = 4"):
        err([1, 5])
    assert err([1, 5], max_grade=5) > 0


@each("rank", [0, -1, 1.5, "1", True, None])
def test_a_bad_rank_is_refused(rank: Any) -> None:
    with pytest.raises(ValueError, match=r"^rank = .*: expected a whole number"):
        discount_weight(rank)


SEQUENCE = r"expected a sequence \(list, tuple or 1-D array\)"
NOT_SCORES = {
    "none": (None, "scores = None: " + SEQUENCE),
    "number": (5, "scores = 5: " + SEQUENCE),
    "text": ("12", f"scores = '12': {SEQUENCE}, not text or bytes"),
    "bytes": (b"ab", f"scores = b'ab': {SEQUENCE}, not text or bytes"),
    "set": ({1, 2}, r"scores = \{1, 2\}: " + SEQUENCE),
    "generator": ((score for score in [1, 2]), "scores = .*: " + SEQUENCE),
    "array-2d": (np.array([[1.0, 2.0], [3.0, 4.0]]), r"scores = (.|\n)*: expected one dimension, not 2"),
    "nan": ([1, math.nan], r"scores\[1\] = nan: expected a finite number"),
    "bool": ([1, True], r"scores\[1\] = True: expected a finite number"),
    "string": ([1, "2"], r"scores\[1\] = '2': expected a finite number"),
}
TAKING_SCORES: list[Measure] = [
    ranks,
    lambda scores: scored_ndcg([1, 0], scores),
    lambda scores: ranked_gains([1, 0], scores),
    lambda scores: gradients([1, 0], scores),
    lambda scores: descent([1, 0], scores, 1),
    lambda scores: PairForce([1, 0], 1, 2, scores=scores),
]


@each("measure", TAKING_SCORES)
@each("name", NOT_SCORES)
def test_bad_scores_are_refused_by_name(measure: Measure, name: str) -> None:
    scores, message = NOT_SCORES[name]
    with pytest.raises(ValueError, match="^" + message):
        measure(scores)


@each("measure", TAKING_SCORES[1:])
@each("scores", [[], [1], [3, 2, 1]])
def test_one_score_a_document_is_asked_for(measure: Measure, scores: list[float]) -> None:
    with pytest.raises(ValueError, match=r"^scores = .*: expected 2 numbers, one for each document"):
        measure(scores)


@each(
    ("docs", "message"),
    [
        ({"a", "b"}, r"docs = .*: " + SEQUENCE),
        ((name for name in "ab"), "docs = .*: " + SEQUENCE),
        ("ab", "docs = 'ab': " + SEQUENCE),
        (5, "docs = 5: " + SEQUENCE),
        (["b", 1], r"docs = \['b', 1\]: expected 2 different names, one for each document"),
        ([["b"], ["a"]], "docs = .*: expected 2 different names"),
        (["b", "b"], "docs = .*: expected 2 different names"),
        (["b"], "docs = .*: expected 2 different names"),
    ],
)
@each("ties", ["docno-ascending", "input"])
def test_bad_names_of_documents_are_refused(docs: Any, message: str, ties: str) -> None:
    with pytest.raises(ValueError, match="^" + message):
        ranked_gains([3, 0], [1, 1], ties, docs)


NOT_WHOLE = [-1, 1.5, 1.0, "1", True, None, math.nan, [1], np.float64(1), np.True_]
TAKING_A_WHOLE_NUMBER: dict[str, tuple[Measure, str]] = {
    "shown": (lambda number: Position(number, 0, 0.8), "shown_times = .*: expected a whole number >= 1"),
    "clicks": (lambda number: Position(2, number, 0.8), "clicks = .*: expected a whole number from 0 to 2"),
    "first": (lambda number: RankSwap([1, 3], number, 2), "first = .*: expected a whole number from 1 to 1"),
    "second": (
        lambda number: RankSwap([1, 3], 1, number),
        "second = .*: expected a whole number from 2",
    ),
    "rank": (lambda number: delta_ndcg([1, 3], number, 2), "rank = .*: expected a whole number from 1 to 2"),
    "other": (lambda number: delta_ndcg([1, 3], 2, number), "other_rank = .*: expected a whole number"),
    "steps": (lambda number: descent([0, 3], [0.2, 0], number), "steps = .*: expected a whole number >= 0"),
    "most": (lambda number: swaps([0, 3], most=number), "most = .*: expected a whole number >= 1"),
    "table": (lambda number: kappa([[6, number], [1, 11]]), r"table\[0\]\[1\] = .*: expected a whole number"),
}


@each("value", NOT_WHOLE)
@each("name", TAKING_A_WHOLE_NUMBER)
def test_what_is_no_whole_number_is_refused(name: str, value: Any) -> None:
    measure, message = TAKING_A_WHOLE_NUMBER[name]
    with pytest.raises(ValueError, match="^" + message):
        measure(value)


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    one, two = np.int64(1), np.uint8(2)
    position = Position(np.int64(100), np.int32(40), np.float64(0.8))  # type: ignore[arg-type]
    assert repr(position) == "Position(shown_times=100, clicks=40, propensity=0.8)"
    rank_swap = RankSwap([1, 3], one, two)  # type: ignore[arg-type]
    assert repr(rank_swap) == repr(RankSwap([1, 3], 1, 2))
    assert delta_ndcg([1, 3], one, two) == delta_ndcg([1, 3], 1, 2)  # type: ignore[arg-type]
    assert descent([0, 3], [0.2, 0], one) == descent([0, 3], [0.2, 0], 1)  # type: ignore[arg-type]


def test_a_table_may_be_an_array() -> None:
    rows = [[6, 2], [1, 11]]
    for table in (np.array(rows), list(np.array(rows)), [[np.int64(6), 2], [1, np.uint8(11)]]):
        assert kappa(table) == kappa(rows)  # type: ignore[arg-type]
        assert alpha(table) == alpha(rows)  # type: ignore[arg-type]


@each("measure", [ips, Clicks, alpha, kappa, significance.sign_test])
@each("value", [5, None, "12", {0.1, 0.2}, {1: 2}])
def test_what_is_no_sequence_is_refused_everywhere(measure: Measure, value: Any) -> None:
    with pytest.raises(ValueError, match=SEQUENCE):
        measure(value)


@each("grades", [[1, 1], [0, None]])
def test_auc_needs_both_kinds(grades: list[float | None]) -> None:
    with pytest.raises(ValueError, match=r"^grades = .*some below"):
        auc(grades)


def test_grades_too_large_for_the_exponential_gain_are_refused() -> None:
    for measure in WITH_CONVENTIONS:
        with pytest.raises(ValueError, match=r"^the largest of grades = 1024: expected below 1024"):
            measure([1, None, 1024], gain="exponential")
    with pytest.raises(ValueError, match=r"^the largest of pool = 5000"):
        ndcg([1], gain="exponential", pool=[5000])
    assert ndcg([1023, 0], gain="exponential") == 1.0


@each("grades", [[1.7e308, 1.7e308], [17 * 10**307, 17 * 10**307, 0.5]])
def test_grades_too_large_to_be_added_are_refused(grades: list[float]) -> None:
    for measure in [*WITH_CONVENTIONS, cg]:
        with pytest.raises(ValueError, match=r"^grades.*add up to more than a float can hold"):
            measure(grades)
    with pytest.raises(ValueError, match=r"^grades or pool.*add up"):
        ndcg([1], pool=grades)


@each(
    "grades",
    [
        (3, 2, 0, 1),
        deque([3, 2, 0, 1]),
        [3.0, 2.0, 0.0, 1.0],
        [Fraction(3), 2, 0, 1],
        [np.int8(3), np.float32(2), None, np.uint64(1)],
        np.array([3, 2, 0, 1]),
        np.array([3, 2, 0, 1], dtype=np.float16),
        np.array([3, 2, None, 1], dtype=object),
        np.ma.masked_array([3, 2, 9, 1], mask=[False, False, True, False]),
    ],
)
@each("measure", EVERY)
def test_every_shape_of_sequence_gives_the_same(measure: Measure, grades: Any) -> None:
    plain = measure([3, 2, 0, 1])
    if measure is trace:
        assert trace(grades).ndcg == plain.ndcg
    else:
        assert measure(grades) == plain


def test_ranges_and_array_scalars_are_welcome() -> None:
    assert ndcg(range(3, 0, -1), np.int64(2), base=np.float64(2)) == 1.0  # type: ignore[arg-type]
    assert precision(np.array([1, 0]), np.uint8(2)) == 0.5  # type: ignore[arg-type]
    assert type(ndcg(np.array([0.5, 1.0], dtype=np.float32))) is float


@each("dtype", [np.int8, np.uint8, np.int16])
def test_small_integers_do_not_overflow(dtype: Any) -> None:
    grades = np.array([7, 120, 12, 0], dtype=dtype)
    plain = [7, 120, 12, 0]
    assert dcg(grades, gain="exponential") == dcg(plain, gain="exponential")
    assert dcg(grades, gain="exponential", discount="none") == 2.0**7 + 2.0**120 + 2.0**12 - 3
    assert cg(grades) == 139
    assert trace(grades).terms[1].grade == 120
    assert type(trace(grades).terms[1].grade) is int


def test_fractional_grades_are_not_rounded() -> None:
    grades = [0.5, 2.5, 1, 0, 1.5]
    assert ndcg(grades) == pytest.approx(0.758723, abs=1e-6)
    assert ndcg(grades, gain="exponential") == pytest.approx(0.702696, abs=1e-6)


def test_the_caller_keeps_the_list_as_it_was() -> None:
    grades, pool = [1, 3, None], [0, 3, 1]
    trace(grades, pool=pool), ndcg(grades, pool=pool), ndcg_range(grades, pool=pool)
    assert (grades, pool) == ([1, 3, None], [0, 3, 1])


def test_a_question_is_a_value() -> None:
    question = Question("ndcg", np.array([3, 2]), np.int64(2), pool=[3, 2, 1])  # type: ignore[arg-type]
    assert question == Question("ndcg", (3, 2), 2, pool=(3, 2, 1))
    assert len({question, Question("ndcg", [3, 2], 2, pool=[3, 2, 1])}) == 1
    with pytest.raises(AttributeError):
        question.k = 3  # type: ignore[misc]


@each("collection", [0, -1, 2.5, True, None, "10"])
def test_a_collection_is_a_whole_number_of_documents(collection: Any) -> None:
    with pytest.raises(ValueError, match="collection = "):
        accuracy([1, 0], collection)


def test_a_collection_holds_at_least_what_is_known_of_it() -> None:
    assert accuracy([1, 0], 2) == 0.5
    with pytest.raises(ValueError, match="collection = 1: expected at least 2"):
        accuracy([1, 0], 1)
    with pytest.raises(ValueError, match="collection = 2: expected at least 3"):
        accuracy([1, 0], 2, pool=[1, 1, 0])


def test_only_a_pool_that_lacks_relevant_documents_carries_a_measure_above_1() -> None:
    for measure in (recall, f1, average_precision, lambda grades, pool: accuracy(grades, 10, pool=pool)):
        assert measure([1, 1], pool=[0]) != measure([1, 1], pool=[1, 1, 0]) == 1
    assert accuracy([1, 1], 10, pool=[0]) == 1.2
    assert recall([1, 1], pool=[1]) == average_precision([1, 1], pool=[1]) == 2
    assert f1([1, 1], pool=[1]) == pytest.approx(4 / 3)


@each(
    ("grades", "k", "pool", "exact", "complete", "both"),
    [
        ([1, 1, 1, 0], 4, [1, 1, 1, 1, 1, 0, 0, 0, 0, 0], 3 / 4, 3 / 5, 7 / 10),
        ([0, 1, 1, 1], 4, [1, 1, 1, 1, 1, 0, 0, 0, 0, 0], 3 / 4, 3 / 5, 7 / 10),
        ([3, 0, 2, 1], 2, None, 1 / 2, 1 / 3, 7 / 10),
        ([0, 0], None, [0, 0, 2], 0.0, 0.0, 7 / 10),
        ([None, 2], None, None, 1 / 2, 1.0, 9 / 10),
    ],
)
def test_precision_recall_f1_and_accuracy_of_ten_documents(
    grades: Any, k: Any, pool: Any, exact: float, complete: float, both: float
) -> None:
    """Counted on paper; the order among the shown ones moves none of them."""
    assert precision(grades, k) == exact
    assert recall(grades, k, pool) == complete
    expected = 2 * exact * complete / (exact + complete) if exact else 0.0
    assert f1(grades, k, pool) == pytest.approx(expected)
    assert accuracy(grades, 10, k, pool) == pytest.approx(both)
