"""Questions refuse nonsense when they are made, and have the right answers."""

import math
from dataclasses import asdict
from typing import Any

import pytest

from app.engine import MEASURE_BY_QUANTITY, Question, answer
from tests.tables import each

READERS = ["auc", "err", "rbp"]
ABOUT_A_RANK = ["gain", "discount", "term"]


@each(
    ("quantity", "rank", "expected"),
    [
        ("gain", 2, 7),
        ("gain", 3, 0),
        ("discount", 2, 1 / math.log2(3)),
        ("term", 2, 7 / math.log2(3)),
        ("term", 4, 1 / math.log2(5)),
        ("cg", None, 5),
        ("dcg", None, 3 + 7 / math.log2(3)),
        ("idcg", None, 15 + 7 / math.log2(3) + 3 / 2),
        ("ndcg", None, (3 + 7 / math.log2(3)) / (15 + 7 / math.log2(3) + 3 / 2)),
    ],
)
def test_answers(quantity: str, rank: int | None, expected: float) -> None:
    question = Question(quantity, [2, 3, None, 1], 3, "exponential", [4, 3, 2, 1], rank)
    assert answer(question) == pytest.approx(expected, abs=1e-12)
    assert type(answer(question)) is float


@each(
    ("quantity", "k", "expected"),
    [
        ("precision", 3, 2 / 3),
        ("precision", 10, 3 / 10),
        ("recall", 3, 2 / 4),
        ("average_precision", None, (1 / 2 + 2 / 3 + 3 / 5) / 4),
        ("average_precision", 3, (1 / 2 + 2 / 3) / 4),
        ("reciprocal_rank", None, 1 / 2),
        ("reciprocal_rank", 1, 0),
    ],
)
def test_answers_beside_ndcg(quantity: str, k: int | None, expected: float) -> None:
    question = Question(quantity, [0, 3, 1, None, 2], k, pool=[0, 3, 1, 2, 0, 1])
    assert answer(question) == pytest.approx(expected, abs=1e-12)


def test_without_a_pool_the_whole_list_is_the_pool_of_a_cut_one() -> None:
    assert answer(Question("average_precision", [1, 0, 1], k=1)) == 1 / 2
    assert answer(Question("recall", [1, 0, 1], k=1)) == 1 / 2


@each(
    ("quantity", "k", "expected"),
    [
        ("auc", None, 2 / 6),  # of 3 relevant and 2 others: 3 and 1 stand before the unjudged one
        ("err", None, (7 / 16) / 2 + (9 / 16) * (1 / 16) / 3 + (9 / 16) * (15 / 16) * (3 / 16) / 5),
        ("err", 2, (7 / 16) / 2),
        ("rbp", None, (0.8 + 0.8**2 + 0.8**4) * 0.2),
        ("rbp", 2, 0.8 * 0.2),
    ],
)
def test_answers_of_readers_and_pairs(quantity: str, k: int | None, expected: float) -> None:
    assert answer(Question(quantity, [0, 3, 1, None, 2], k)) == pytest.approx(expected, abs=1e-12)


def test_pairs_are_never_cut_and_need_both_kinds() -> None:
    with pytest.raises(ValueError, match=r"^k = 2: expected None"):
        Question("auc", [1, 0], k=2)
    with pytest.raises(ValueError, match=r"^grades = .*relevant"):
        Question("auc", [1, 2])


def test_a_grade_above_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^grades\[1\] = 5: expected at most max_grade = 4"):
        Question("err", [3, 5])


def test_the_quantities_are_those_of_the_course() -> None:
    seven = ["gain", "discount", "term", "cg", "dcg", "idcg", "ndcg"]
    assert list(MEASURE_BY_QUANTITY) == [
        *seven,
        "precision",
        "recall",
        "average_precision",
        "reciprocal_rank",
        *READERS,
    ]


def test_a_question_as_it_was_kept_before_is_still_one() -> None:
    record = {"quantity": "dcg", "grades": [3, 2], "k": None, "gain": "linear", "pool": None, "rank": None}
    assert asdict(Question(**record)) == record | {"grades": (3, 2)}  # type: ignore[arg-type]


@each("quantity", ["mrr", "", None, 3, ["dcg"]])
def test_an_unknown_quantity_is_refused(quantity: Any) -> None:
    with pytest.raises(ValueError, match=r"^quantity = .*: expected one of gain, discount, term, cg"):
        Question(quantity, [3, 2])


@each("quantity", ABOUT_A_RANK)
@each("rank", [None, 0, -1, 4, 1.5, "2", True])
def test_a_rank_outside_the_list_is_refused(quantity: str, rank: Any) -> None:
    with pytest.raises(ValueError, match=r"^rank = .*: expected a whole number from 1 to 3"):
        Question(quantity, [3, 2, 1], rank=rank)


@each("quantity", ["cg", "dcg", "idcg", "ndcg", "precision", "reciprocal_rank"])
def test_a_rank_nobody_asks_about_is_refused(quantity: str) -> None:
    with pytest.raises(ValueError, match=r"^rank = 1: expected None"):
        Question(quantity, [3, 2, 1], rank=1)


@each(
    ("wrong", "message"),
    [
        ({"grades": []}, "grades = "),
        ({"grades": {3, 2}}, "grades = "),
        ({"grades": [3, -1]}, r"grades\[1\] = -1"),
        ({"k": 0}, "k = 0"),
        ({"k": True}, "k = True"),
        ({"gain": "square"}, "gain = 'square'"),
        ({"pool": []}, "pool = "),
        ({"pool": [math.nan]}, r"pool\[0\] = nan"),
        ({"grades": [2000], "gain": "exponential"}, "the largest of grades = 2000"),
        ({"pool": [2000], "gain": "exponential"}, "the largest of pool = 2000"),
    ],
)
@each("quantity", MEASURE_BY_QUANTITY)
def test_a_question_without_an_answer_cannot_be_made(
    quantity: str, wrong: dict[str, Any], message: str
) -> None:
    rank = 1 if quantity in ABOUT_A_RANK else None
    with pytest.raises(ValueError, match="^" + message):
        Question(quantity, **{"grades": [3, 2], "rank": rank, **wrong})
