"""Shares, written again by hand: the measures beside NDCG, and what goes wrong in them."""

import math
from collections.abc import Mapping
from fractions import Fraction
from random import Random

import pytest

from app.engine import Question, answer, diagnose, differing_row, predictions
from app.engine.questions import SHARES
from tests.tables import each

QUESTIONS = 1500


def some_shares() -> list[Question]:
    """All shares, lists of 2 to 9, with and without a pool and a cut, also with nothing relevant."""
    dice = Random(17)
    questions = []
    for _ in range(QUESTIONS):
        length = dice.randint(2, 9)
        grades: list[float | None] = [dice.choice([0, 0, 0, 1, 2, 3, None]) for _ in range(length)]
        unseen = [dice.randint(0, 3) for _ in range(dice.randint(0, 3))]
        pool = dice.choice([None, [*grades, *unseen]])
        cutoff = dice.choice([None, dice.randint(1, length), length + 2])
        questions.append(Question(dice.choice(sorted(SHARES)), grades, cutoff, pool=pool))
    return questions


def by_hand(question: Question) -> Mapping[str, Fraction | float | None]:
    """The answer, under the name of the quantity, and the mistakes; None where something is divided by 0."""
    hits = [bool(grade) for grade in question.grades]
    pool = [bool(grade) for grade in question.pool or question.grades]
    cutoff = question.k or len(hits)
    top = hits[:cutoff]
    ranks = [rank for rank, hit in enumerate(top, start=1) if hit]
    match question.quantity:
        case "precision":
            return {
                "precision": over(len(ranks), cutoff),
                "recall_for_precision": over(len(ranks), sum(pool)),
                "relevant_to_irrelevant": over(len(ranks), cutoff - len(ranks)),
                "divided_by_all_ranks": over(len(ranks), len(hits)),
                "k_ignored": over(sum(hits), len(hits)),
                "count_not_share": len(ranks),
            }
        case "recall":
            return {
                "recall": over(len(ranks), sum(pool)),
                "precision_for_recall": over(len(ranks), cutoff),
                "found_to_missed": over(len(ranks), sum(pool) - len(ranks)),
                "divided_by_found": over(len(ranks), sum(hits)),
                "k_ignored": over(sum(hits), sum(pool)),
                "count_not_share": len(ranks),
            }
        case "average_precision":
            at = {rank: Fraction(sum(top[:rank]), rank) for rank in range(1, len(top) + 1)}
            total = sum((at[rank] for rank in ranks), Fraction(0))
            return {
                "average_precision": over(total, sum(pool)),
                "irrelevant_ranks_noted": over(sum(at.values()), sum(pool)),
                "mean_of_all_precisions": over(sum(at.values()), cutoff),
                "reciprocals_of_ranks": over(sum(Fraction(1, rank) for rank in ranks), sum(pool)),
                "precision_for_average": over(len(ranks), cutoff),
                "divided_by_found": over(total, sum(hits)),
                "divided_by_all_ranks": over(total, len(hits)),
                "count_not_share": total,
            }
        case "reciprocal_rank":
            if not ranks:
                return {"reciprocal_rank": 0}
            first = ranks[0]
            return {
                "reciprocal_rank": Fraction(1, first),
                "last_relevant_rank": Fraction(1, ranks[-1]),
                "rank_from_zero": over(1, first - 1),
                "rank_plus_one": Fraction(1, first + 1),
                "rank_not_turned": first,
                "discount_for_reciprocal": 1 / math.log2(first + 1),
                "mean_of_reciprocals": sum(Fraction(1, rank) for rank in ranks) / len(ranks),
                "reciprocal_of_mean_rank": Fraction(len(ranks), sum(ranks)),
            }
    raise KeyError(question.quantity)


def over(part: Fraction | int, whole: int) -> Fraction | None:
    return Fraction(part) / whole if whole else None


def test_answers_and_mistakes_are_those_of_plain_fractions() -> None:
    compared = dict.fromkeys(SHARES, 0)
    for question in some_shares():
        expected = dict(by_hand(question))
        truth = expected.pop(question.quantity)
        assert answer(question) == pytest.approx(float(truth or 0)), question
        if truth:
            wrong = predictions(question)
            for name, figure in expected.items():
                if name in wrong:
                    assert figure is not None, (name, question)
                    assert wrong[name] == pytest.approx(float(figure)), (name, question)
                    compared[question.quantity] += 1
                elif figure is not None and name not in ("k_ignored", "divided_by_found"):
                    assert float(figure) == pytest.approx(float(truth)), (name, question)
    assert min(compared.values()) > 500, compared


@each(
    ("question", "expected"),
    [
        (
            Question("precision", [3, 0, 2, 0, 1], k=3, pool=[3, 0, 2, 0, 1, 1, 1]),
            {
                "k_ignored": 3 / 5,
                "grades_for_hits": 5 / 3,
                "only_sweetest_relevant": 1 / 3,
                "recall_for_precision": 2 / 5,
                "divided_by_all_ranks": 2 / 5,
                "relevant_to_irrelevant": 2 / 1,
                "count_not_share": 2,
            },
        ),
        (
            Question("recall", [3, 0, 2, 0, 1], k=3, pool=[3, 0, 2, 0, 1, 1, 0]),
            {
                "k_ignored": 3 / 4,
                "grades_for_hits": 5 / 7,
                "only_sweetest_relevant": 1,
                "precision_for_recall": 2 / 3,
                "divided_by_all_ranks": 2 / 5,
                "divided_by_found": 2 / 3,
                "found_to_missed": 2 / 2,
                "count_not_share": 2,
            },
        ),
        (
            Question("average_precision", [0, 3, 1, 0], pool=[0, 3, 1, 0, 2]),
            {
                "only_sweetest_relevant": 1 / 2,
                "irrelevant_ranks_noted": (1 / 2 + 2 / 3 + 2 / 4) / 3,
                "mean_of_all_precisions": (1 / 2 + 2 / 3 + 2 / 4) / 4,
                "reciprocals_of_ranks": (1 / 2 + 1 / 3) / 3,
                "precision_for_average": 2 / 4,
                "divided_by_all_ranks": (1 / 2 + 2 / 3) / 4,
                "divided_by_found": (1 / 2 + 2 / 3) / 2,
                "count_not_share": 1 / 2 + 2 / 3,
            },
        ),
        (
            Question("reciprocal_rank", [0, 0, 1, 3, 0, 2]),
            {
                "only_sweetest_relevant": 1 / 4,
                "last_relevant_rank": 1 / 6,
                "rank_from_zero": 1 / 2,
                "rank_plus_one": 1 / 4,
                "rank_not_turned": 3,
                "discount_for_reciprocal": 1 / 2,
                "mean_of_reciprocals": (1 / 3 + 1 / 4 + 1 / 6) / 3,
                "reciprocal_of_mean_rank": 3 / 13,
            },
        ),
    ],
)
def test_what_goes_wrong_beside_ndcg(question: Question, expected: dict[str, float]) -> None:
    """Each number was worked out on paper, as the fractions say."""
    assert predictions(question) == pytest.approx(expected)


def test_a_document_at_rank_1_has_no_rank_from_zero() -> None:
    assert "rank_from_zero" not in predictions(Question("reciprocal_rank", [1, 0]))


@each(
    ("question", "typed", "verdict"),
    [
        (Question("precision", [1, 1, 0]), 66.7, "percent_without_sign"),
        (Question("recall", [1, 1, 0], pool=[1, 1, 0, 1]), 67, "percent_without_sign"),
        (Question("average_precision", [1, 0, 1, 0, 1]), 0.757, "rounded_each_term"),  # (1 + 0.67 + 0.6) / 3
        (Question("precision", [1, 1, 0]), 0.67, "fewer_decimals"),
        (Question("precision", [1, 1, 0]), 0.666, "truncated"),
    ],
)
def test_roundings_of_shares(question: Question, typed: float, verdict: str) -> None:
    diagnosis = diagnose(question, typed)
    assert diagnosis is not None
    assert diagnosis.id == verdict


@each("typed", [0.3, 0.33])
def test_nothing_is_named_from_fewer_places_than_asked(typed: float) -> None:
    """1/3 is what `rank_plus_one` leads to; 0.3 and 0.33 may be guesses."""
    question = Question("reciprocal_rank", [0, 1, 0])
    assert round(predictions(question)["rank_plus_one"], 3) == 0.333
    assert diagnose(question, typed) is None


def test_the_row_that_a_mistake_gets_wrong() -> None:
    row = differing_row(Question("average_precision", [0, 1, 0, 1]), "irrelevant_ranks_noted")
    assert row is not None
    assert (row.rank, row.right, row.ideal) == (3, 0.0, False)
    assert differing_row(Question("precision", [1, 0, 1], k=2), "count_not_share") is None
