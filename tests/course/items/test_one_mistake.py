"""分步题: who makes one mistake and works on with care loses the step of that mistake, and no other.

Care is of several kinds: every number in full, three places a cell, the weights of the printed table, or its
logs.
"""

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

import pytest

from app import engine
from app.course.exercises.exercises import offered_exercises, practice_item_id
from app.course.items.follow_through import Table
from app.course.items.kinds import Steps
from app.course.items.printed_figures import rounded_text
from tests.published import published
from tests.tables import each

STEPS_EXERCISE_IDS = [
    exercise_id
    for exercise_id, exercise in offered_exercises(published().exercises).items()
    if exercise.kind == "steps"
]
each_seed_count = pytest.mark.parametrize("seed_count", [2, pytest.param(8, marks=pytest.mark.long)])

Grades = list[float]


class Mistake(NamedTuple):
    """One wrong model of one column: what it makes of a grade, of a rank, or of the ideal list."""

    column: str
    gain: Callable[[float], float] | None = None
    discount: Callable[[int], float] | None = None
    ideal_grades: Callable[[Steps], Grades] | None = None


def returned_grades(item: Steps) -> Grades:
    return [grade or 0 for grade in item.table.question.grades]


def ascending_grades(item: Steps) -> Grades:
    return sorted(grade or 0 for grade in item.table.question.pool or item.table.question.grades)


MISTAKE_BY_NAME = {
    "linear gain": Mistake("gain", gain=lambda grade: grade),
    "exponential gain": Mistake("gain", gain=lambda grade: 2.0**grade - 1),
    "power without its one": Mistake("gain", gain=lambda grade: 2.0**grade),
    "natural logarithm": Mistake("discount", discount=lambda rank: 1 / math.log(rank + 1)),
    "divided by the rank": Mistake("discount", discount=lambda rank: 1 / rank),
    "logarithm of the rank": Mistake("discount", discount=lambda rank: 1 / max(1, math.log2(rank))),
    "ideal upside down": Mistake("ideal", ideal_grades=ascending_grades),
    "ideal as returned": Mistake("ideal", ideal_grades=returned_grades),
    "ideal of what was returned": Mistake(
        "ideal", ideal_grades=lambda item: sorted(returned_grades(item), reverse=True)
    ),
}


class Care(NamedTuple):
    """How somebody works on: the weight they reckon with, and what is left of a number for the next step."""

    weight: Callable[[float], float]
    kept: Callable[[float], float]


CARE_BY_NAME = {
    "in full": Care(lambda weight: weight, lambda number: number),
    "three places a cell": Care(
        lambda weight: round(weight, 3), lambda number: float(f"{number + 1e-12:.3f}")
    ),
    "printed weights": Care(lambda weight: round(weight, 3), lambda number: number),
    "printed logs": Care(lambda weight: 1 / round(1 / weight, 3), lambda number: number),
}


def careful_numbers(item: Steps, mistake: Mistake, care: Care) -> dict[str, float]:
    """Every cell as it is worked out from the one before, with the mistake."""
    table = item.table
    true_gain = engine.GAINS[table.question.gain]
    gain = mistake.gain or true_gain
    ideal_gain = true_gain if "ideal-term" in item.given else gain
    ideal_grades = [term.grade or 0 for term in table.trace.ideal_terms]
    if mistake.ideal_grades is not None:
        wrong_grades = mistake.ideal_grades(item) + [0.0] * len(ideal_grades)
        ideal_grades = wrong_grades[: len(ideal_grades)]

    def weight(rank: int) -> float:
        return care.weight((mistake.discount or engine.discount_weight)(rank))

    numbers: dict[str, float] = {}
    for term in table.trace.terms:
        numbers[f"gain-{term.rank}"] = gain(term.grade or 0)
        numbers[f"discount-{term.rank}"] = weight(term.rank)
        numbers[f"term-{term.rank}"] = care.kept(gain(term.grade or 0) * weight(term.rank))
    numbers["dcg"] = care.kept(sum(numbers[f"term-{term.rank}"] for term in table.trace.terms))
    for rank, grade in enumerate(ideal_grades, 1):
        numbers[f"ideal-{rank}"] = grade
        numbers[f"ideal-term-{rank}"] = care.kept(ideal_gain(grade) * weight(rank))
    numbers["idcg"] = care.kept(
        sum(numbers[f"ideal-term-{rank}"] for rank in range(1, len(ideal_grades) + 1))
    )
    numbers["ndcg"] = numbers["dcg"] / numbers["idcg"] if numbers["idcg"] else 0.0
    return numbers


def wrong_columns(item: Steps, numbers: dict[str, float]) -> set[str]:
    typed_texts = [rounded_text(numbers[cell.name], item.decimals) for cell in item.blanks]
    return {judged.cell.column for judged in item.judged_cells(typed_texts) if judged.verdict == "wrong"}


def practice_tables(exercise_id: str, seed_count: int) -> Iterable[Steps]:
    for level in engine.LEVELS:
        for seed in range(seed_count):
            item = published().variant(practice_item_id(exercise_id, level), seed)
            assert isinstance(item, Steps)
            yield item


@each_seed_count
@each("exercise_id", STEPS_EXERCISE_IDS)
@each("mistake_name", MISTAKE_BY_NAME)
def test_one_mistake_costs_its_own_step_however_carefully_one_goes_on(
    exercise_id: str, mistake_name: str, seed_count: int
) -> None:
    mistake = MISTAKE_BY_NAME[mistake_name]
    for item in practice_tables(exercise_id, seed_count):
        if mistake.column not in {cell.column for cell in item.blanks}:
            continue
        if mistake_name == "power without its one" and item.table.question.gain == "linear":
            continue  # two mistakes at once: another formula, and that one wrong
        for care_name, care in CARE_BY_NAME.items():
            columns = wrong_columns(item, careful_numbers(item, mistake, care))
            assert columns <= {mistake.column}, (care_name, item.table.question)


@each_seed_count
@each("exercise_id", STEPS_EXERCISE_IDS)
@each("care_name", CARE_BY_NAME)
def test_no_mistake_costs_nothing(exercise_id: str, care_name: str, seed_count: int) -> None:
    for item in practice_tables(exercise_id, seed_count):
        assert wrong_columns(item, careful_numbers(item, Mistake(""), CARE_BY_NAME[care_name])) == set()


@each("third_discount", ["1/3", "0.333", "0.3333"])
@each(("third_term", "dcg"), [("1", "5"), ("0.999", "4.999")])
def test_a_number_is_gone_on_with_as_it_was_before_it_was_rounded(
    third_discount: str, third_term: str, dcg: str
) -> None:
    """Divided by the rank; 3 × ⅓ is 1, and 3 × 0.333 is 0.999."""
    item = Steps.model_validate(
        {
            "kind": "steps",
            "id": "table",
            "skill": "dcg",
            "stem": "把这张表填完。",
            "hints": ["先填折损。", "再填各项。"],
            "question": {"quantity": "dcg", "grades": [3, 2, 3]},
        }
    )
    mark = item.mark(["3", "1", "3", "2", "0.5", "1", "3", third_discount, third_term, dcg])
    assert mark.score == 0.75


@each("ideal_dcg", [0.0, 0.0004])
def test_a_sum_of_next_to_nothing_excuses_no_ratio(ideal_dcg: float) -> None:
    table = Table(engine.Question("ndcg", [3, 2]))
    judged_cells = table.judge({"idcg": ideal_dcg, "ndcg": 5.0}, 3)
    assert [judged.verdict for judged in judged_cells[-2:]] == ["wrong", "wrong"]


def test_a_second_slip_is_still_a_slip() -> None:
    """Half a unit for each number before it, and no more."""
    table = Table(engine.Question("dcg", [3, 2, 3]))
    names = [cell.name for cell in table.cells]
    for dcg, verdict in ((4.998, "right"), (4.997, "wrong"), (5.001, "wrong")):
        numbers = dict(zip(names, [3, 1, 3, 2, 0.5, 1, 3, 0.333, 0.999, dcg], strict=True))
        assert table.judge(numbers, 3)[-1].verdict == verdict, dcg
