"""Shares, written again by hand: the measures beside NDCG, and what goes wrong in them."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TypeAlias

import pytest

from app.engine import Question, answer, diagnose, differing_row, predictions
from app.engine.questions import SHARE_QUANTITIES
from tests.tables import each

QUESTIONS = 2500
Figures: TypeAlias = Mapping[str, Fraction | float | None]


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
        quantity = dice.choice(sorted(SHARE_QUANTITIES))
        if quantity == "auc":
            grades[:2], cutoff, pool = [0, 2], None, None
        questions.append(Question(quantity, grades, cutoff, pool=pool))
    return questions


@dataclass(frozen=True)
class Listed:
    """Who is relevant: of the list, of the pool, down to the cutoff; and at which ranks."""

    hits: list[bool]
    pool: list[bool]
    cutoff: int
    top: list[bool]
    ranks: list[int]


def listed(question: Question) -> Listed:
    hits = [bool(grade) for grade in question.grades]
    pool = [bool(grade) for grade in question.pool or question.grades]
    cutoff = question.k or len(hits)
    top = hits[:cutoff]
    ranks = [rank for rank, hit in enumerate(top, start=1) if hit]
    return Listed(hits, pool, cutoff, top, ranks)


def precision_by_hand(_: Question, listed_grades: Listed) -> Figures:
    return {
        "precision": over(len(listed_grades.ranks), listed_grades.cutoff),
        "recall_for_precision": over(len(listed_grades.ranks), sum(listed_grades.pool)),
        "relevant_to_irrelevant": over(
            len(listed_grades.ranks), listed_grades.cutoff - len(listed_grades.ranks)
        ),
        "divided_by_all_ranks": over(len(listed_grades.ranks), len(listed_grades.hits)),
        "k_ignored": over(sum(listed_grades.hits), len(listed_grades.hits)),
        "count_not_share": len(listed_grades.ranks),
    }


def recall_by_hand(_: Question, listed_grades: Listed) -> Figures:
    return {
        "recall": over(len(listed_grades.ranks), sum(listed_grades.pool)),
        "precision_for_recall": over(len(listed_grades.ranks), listed_grades.cutoff),
        "found_to_missed": over(len(listed_grades.ranks), sum(listed_grades.pool) - len(listed_grades.ranks)),
        "divided_by_found": over(len(listed_grades.ranks), sum(listed_grades.hits)),
        "k_ignored": over(sum(listed_grades.hits), sum(listed_grades.pool)),
        "count_not_share": len(listed_grades.ranks),
    }


def average_precision_by_hand(_: Question, listed_grades: Listed) -> Figures:
    at = {
        rank: Fraction(sum(listed_grades.top[:rank]), rank) for rank in range(1, len(listed_grades.top) + 1)
    }
    total = sum((at[rank] for rank in listed_grades.ranks), Fraction(0))
    return {
        "average_precision": over(total, sum(listed_grades.pool)),
        "irrelevant_ranks_noted": over(sum(at.values()), sum(listed_grades.pool)),
        "mean_of_all_precisions": over(sum(at.values()), listed_grades.cutoff),
        "reciprocals_of_ranks": over(
            sum(Fraction(1, rank) for rank in listed_grades.ranks), sum(listed_grades.pool)
        ),
        "precision_for_average": over(len(listed_grades.ranks), listed_grades.cutoff),
        "divided_by_found": over(total, sum(listed_grades.hits)),
        "divided_by_all_ranks": over(total, len(listed_grades.hits)),
        "count_not_share": total,
    }


def reciprocal_rank_by_hand(_: Question, listed_grades: Listed) -> Figures:
    if not listed_grades.ranks:
        return {"reciprocal_rank": 0}
    first = listed_grades.ranks[0]
    return {
        "reciprocal_rank": Fraction(1, first),
        "last_relevant_rank": Fraction(1, listed_grades.ranks[-1]),
        "rank_from_zero": over(1, first - 1),
        "rank_plus_one": Fraction(1, first + 1),
        "rank_not_turned": first,
        "discount_for_reciprocal": 1 / math.log2(first + 1),
        "mean_of_reciprocals": sum(Fraction(1, rank) for rank in listed_grades.ranks)
        / len(listed_grades.ranks),
        "reciprocal_of_mean_rank": Fraction(len(listed_grades.ranks), sum(listed_grades.ranks)),
    }


def auc_by_hand(_: Question, listed_grades: Listed) -> Figures:
    hit_pairs = [
        (hit, two)
        for hit in hits_at(listed_grades.hits)
        for two in range(len(listed_grades.hits))
        if not listed_grades.hits[two]
    ]
    won = sum(hit < two for hit, two in hit_pairs)
    pairs = [
        (listed_grades.hits[place], listed_grades.hits[place + 1])
        for place in range(len(listed_grades.hits) - 1)
    ]
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    return {
        "auc": over(won, len(hit_pairs)),
        "pairs_upside_down": over(len(hit_pairs) - won, len(hit_pairs)),
        "neighbours_alone": over(sum(first for first, _ in differing), len(differing)),
        "divided_by_every_pair": Fraction(won * 2, len(listed_grades.hits) * (len(listed_grades.hits) - 1)),
        "count_not_share": won,
    }


def err_by_hand(question: Question, listed_grades: Listed) -> Figures:
    chances = [Fraction(2 ** int(grade or 0) - 1, 16) for grade in question.grades[: listed_grades.cutoff]]
    return {
        "err": walked(chances, lambda rank: Fraction(1, rank)),
        "rank_forgotten": walked(chances, lambda _: Fraction(1)),
        "log_for_rank": walked(chances, lambda rank: 1 / math.log2(rank + 1)),
        "readers_never_leave": sum(chance / rank for rank, chance in enumerate(chances, start=1)),
    }


def rbp_by_hand(_: Question, listed_grades: Listed) -> Figures:
    weights = [Fraction(4, 5) ** (rank - 1) for rank in range(1, len(listed_grades.top) + 1)]
    total = sum((weights[rank - 1] for rank in listed_grades.ranks), Fraction(0))
    return {
        "rbp": total / 5,
        "patience_from_first": total * 4 / 25,
        "patience_swapped": sum(Fraction(1, 5) ** (rank - 1) for rank in listed_grades.ranks)
        * Fraction(4, 5),
        "patience_once": sum(Fraction(4, 5) if rank > 1 else 1 for rank in listed_grades.ranks) / Fraction(5),
        "patience_not_scaled": total,
        "patience_of_list": total / sum(weights),
    }


BY_HAND = {
    "precision": precision_by_hand,
    "recall": recall_by_hand,
    "average_precision": average_precision_by_hand,
    "reciprocal_rank": reciprocal_rank_by_hand,
    "auc": auc_by_hand,
    "err": err_by_hand,
    "rbp": rbp_by_hand,
}


def by_hand(question: Question) -> Figures:
    """The answer, under the name of the quantity, and the mistakes; None where something is divided by 0."""
    return BY_HAND[question.quantity](question, listed(question))


def hits_at(hits: list[bool]) -> list[int]:
    return [place for place, hit in enumerate(hits) if hit]


def walked(chances: list[Fraction], weight: Callable[[int], Fraction | float]) -> Fraction | float:
    """What readers bring in who leave as soon as they are satisfied."""
    still_reading, total = Fraction(1), Fraction(0)
    for rank, chance in enumerate(chances, start=1):
        total += still_reading * chance * weight(rank)  # type: ignore[assignment]
        still_reading *= 1 - chance
    return total


def over(part: Fraction | int, whole: int) -> Fraction | None:
    return Fraction(part) / whole if whole else None


def test_answers_and_mistakes_are_those_of_plain_fractions() -> None:
    compared = dict.fromkeys(SHARE_QUANTITIES, 0)
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
    assert min(compared.values()) > 250, compared


@each(
    ("question", "expected"),
    [
        (
            Question("precision", [3, 0, 2, 0, 1], k=3, pool=[3, 0, 2, 0, 1, 1, 1]),
            {
                "k_ignored": 3 / 5,
                "cut_one_later": 2 / 4,
                "share_lost": 1 / 3,
                "reciprocal_rank_given": 1,
                "grades_for_hits": 5 / 3,
                "only_sweetest_relevant": 1 / 3,
                "average_precision_given": (1 / 1 + 2 / 3) / 5,
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
                "average_precision_given": (1 / 1 + 2 / 3) / 4,
                "reciprocal_rank_given": 1,
                "precision_for_recall": 2 / 3,
                "divided_by_all_ranks": 2 / 5,
                "divided_by_found": 2 / 3,
                "divided_by_pool": 2 / 7,
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
                "reciprocal_rank_given": 1 / 2,
                "recall_for_average": 2 / 3,
                "divided_by_all_ranks": (1 / 2 + 2 / 3) / 4,
                "divided_by_found": (1 / 2 + 2 / 3) / 2,
                "divided_by_pool": (1 / 2 + 2 / 3) / 5,
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
                "average_precision_given": (1 / 3 + 2 / 4 + 3 / 6) / 3,
                "precision_for_reciprocal": 3 / 6,
            },
        ),
        (
            Question("auc", [1, 0, 3, 0]),
            {
                "only_sweetest_relevant": 1 / 3,
                "graded_pairs": 3 / 5,
                "pairs_upside_down": 1 / 4,
                "neighbours_alone": 2 / 3,
                "count_not_share": 3,
                "divided_by_every_pair": 3 / 6,
            },
        ),
        (
            Question("err", [1, 0, 3]),
            {
                "linear_chance": 1 / 4 + (3 / 4) * (3 / 4) / 3,
                "chance_without_minus_one": 2 / 16
                + (14 / 16) * (1 / 16) / 2
                + (14 / 16) * (15 / 16) * 0.5 / 3,
                "scale_of_list": 1 / 8 + (7 / 8) * (7 / 8) / 3,
                "readers_never_leave": 1 / 16 + (7 / 16) / 3,
                "rank_forgotten": 1 / 16 + (15 / 16) * (7 / 16),
                "log_for_rank": 1 / 16 + (15 / 16) * (7 / 16) / 2,
                "reciprocal_rank_given": 1,
            },
        ),
        (
            Question("rbp", [1, 0, 3]),
            {
                "grades_for_hits": (1 + 3 * 0.64) * 0.2,
                "only_sweetest_relevant": 0.64 * 0.2,
                "patience_from_first": (0.8 + 0.512) * 0.2,
                "patience_swapped": (1 + 0.04) * 0.8,
                "patience_once": 1.8 * 0.2,
                "patience_not_scaled": 1.64,
                "patience_of_list": 1.64 / 2.44,
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
    assert diagnosis.code == verdict


@each("typed", [0.3, 0.33])
def test_nothing_is_named_from_fewer_places_than_asked(typed: float) -> None:
    """1/3 is what `rank_plus_one` leads to; 0.3 and 0.33 may be guesses."""
    question = Question("reciprocal_rank", [0, 1, 0])
    assert round(predictions(question)["rank_plus_one"], 3) == 0.333
    assert diagnose(question, typed) is None


def test_the_row_that_a_mistake_gets_wrong() -> None:
    row = differing_row(Question("average_precision", [0, 1, 0, 1]), "irrelevant_ranks_noted")
    assert row is not None
    assert (row.rank, row.right_amount, row.is_ideal) == (3, 0.0, False)
    assert differing_row(Question("precision", [1, 0, 1], k=2), "count_not_share") is None
