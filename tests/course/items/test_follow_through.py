"""The table of a calculation: one slip costs one step, the rest is judged on the learner's own numbers."""

import math
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import engine
from app.course.items.follow_through import JudgedCell, Table, TableCell
from app.engine import AnyQuestion, Question, answer, predictions
from tests.tables import each

GRADES = [3, 2, 0, 1]
LINEAR = Table(Question("ndcg", GRADES, k=4))


def truth_of(
    grades: Sequence[float], pool: Sequence[float] | None, k: int, exponential: bool
) -> Mapping[str, float]:
    """The table worked out once more, by a hand of its own."""

    def gain(grade: float) -> float:
        return 2**grade - 1 if exponential else grade

    cells: dict[str, float] = {}
    for rank, grade in enumerate(grades[:k], 1):
        weight = 1 / (math.log(rank + 1) / math.log(2))
        cells |= {f"gain-{rank}": gain(grade), f"discount-{rank}": weight}
        cells |= {f"term-{rank}": gain(grade) * weight}
    cells["dcg"] = sum(value for name, value in cells.items() if name.startswith("term"))
    for rank, grade in enumerate(sorted(pool or grades, reverse=True)[:k], 1):
        cells |= {f"ideal-{rank}": grade, f"ideal-term-{rank}": gain(grade) / math.log2(rank + 1)}
    cells["idcg"] = sum(value for name, value in cells.items() if name.startswith("ideal-term"))
    cells["ndcg"] = cells["dcg"] / cells["idcg"] if cells["idcg"] else 0.0
    return cells


def worked(table: Table, **wrong: float) -> dict[str, float]:
    """A learner who works honestly, three decimals a cell, with these slips on the way."""
    slips = {name.replace("_", "-"): value for name, value in wrong.items()}
    truth, own = table.true_value_by_cell_name(), dict[str, float]()
    for cell in table.cells:
        own[cell.name] = slips.get(cell.name, round(from_own(cell, own, truth), 3))
    return own


def from_own(cell: TableCell, own: Mapping[str, float], truth: Mapping[str, float]) -> float:
    match cell.column:
        case "term":
            return own[f"gain-{cell.rank}"] * own[f"discount-{cell.rank}"]
        case "ideal-term":
            return own[f"ideal-{cell.rank}"] * own[f"discount-{cell.rank}"]
        case "dcg":
            return sum(value for name, value in own.items() if name.startswith("term"))
        case "idcg":
            return sum(value for name, value in own.items() if name.startswith("ideal-term"))
        case "ndcg":
            return own["dcg"] / own["idcg"]
    return truth[cell.name]


def wrong(judged: Sequence[JudgedCell]) -> list[str]:
    return [judgement.cell.name for judgement in judged if judgement.verdict == "wrong"]


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=8),
    st.lists(st.integers(0, 4), max_size=3),
    st.integers(1, 8),
    st.booleans(),
)
def test_the_truth_is_that_of_a_second_hand(
    grades: list[int], more: list[int], k: int, exponential: bool
) -> None:
    k, pool = min(k, len(grades)), [*grades, *more] if more else None
    table = Table(Question("ndcg", grades, k, "exponential" if exponential else "linear", pool))
    expected = truth_of(grades, pool, k, exponential)
    assert table.true_value_by_cell_name() == pytest.approx(expected)
    assert wrong(table.judge({name: round(value, 3) for name, value in expected.items()}, 3)) == []


def test_honest_work_is_right_in_every_cell() -> None:
    assert wrong(LINEAR.judge(worked(LINEAR), 3)) == []


@each(
    ("slip", "value"),
    [
        ("gain_2", 3),
        ("discount_2", 0.5),
        ("term_2", 2),
        ("dcg", 6),
        ("ideal_2", 3),
        ("ideal_2", 4),  # a grade that nothing in the list has
        ("idcg", 5),
        ("ndcg", 1.3),
    ],
)
def test_one_slip_costs_one_step(slip: str, value: float) -> None:
    judged = LINEAR.judge(worked(LINEAR, **{slip: value}), 3)
    assert wrong(judged) == [slip.replace("_", "-")]


def test_what_follows_a_slip_is_right_by_the_learners_own_numbers() -> None:
    judged = {judgement.cell.name: judgement for judgement in LINEAR.judge(worked(LINEAR, discount_1=0.5), 3)}
    assert [name for name, judgement in judged.items() if judgement.follows_own_number] == [
        "term-1", "dcg", "ideal-term-1", "idcg", "ndcg",
    ]  # fmt: skip
    assert not judged["term-2"].follows_own_number


def test_the_true_number_after_a_slip_is_no_second_slip() -> None:
    own = worked(LINEAR) | {"discount-2": 0.5}
    assert wrong(LINEAR.judge(own, 3)) == ["discount-2"]


def test_a_linear_gain_where_an_exponential_one_is_asked_costs_the_gains_alone() -> None:
    table = Table(Question("ndcg", GRADES, k=4, gain="exponential"))
    own = worked(LINEAR)
    assert wrong(table.judge(own, 3)) == ["gain-1", "gain-2"]


def test_what_the_tutor_fills_follows_the_learners_numbers() -> None:
    judged = {
        judgement.cell.name: judgement for judgement in LINEAR.judge({"gain-1": 5}, 3, frozenset({"term-1"}))
    }
    assert judged["term-1"].verdict == "left"
    assert judged["term-1"].shown_number == 5
    assert judged["gain-2"].verdict == "given"


@each("off", [0.002, -0.002])
def test_a_unit_too_much_is_a_slip_but_half_a_unit_is_not(off: float) -> None:
    own = worked(LINEAR)
    assert wrong(LINEAR.judge(own | {"dcg": own["dcg"] + off}, 3)) == ["dcg"]
    assert wrong(LINEAR.judge(own | {"dcg": own["dcg"] + off / 5}, 3)) == []


def test_nothing_sweet_is_a_ratio_of_0() -> None:
    table = Table(Question("ndcg", [0, 0], k=2))
    assert table.true_value_by_cell_name()["ndcg"] == 0
    assert wrong(table.judge({"dcg": 0, "idcg": 0, "ndcg": 0}, 3)) == []


def verdicts(table: Table, **own: float) -> dict[str, tuple[str, bool]]:
    """How the cells were judged that somebody filled."""
    own_numbers = {name.replace("_", "-"): value for name, value in own.items()}
    judged_cells = {judged.cell.name: judged for judged in table.judge(own_numbers, 3)}
    return {name: (judged_cells[name].verdict, judged_cells[name].follows_own_number) for name in own_numbers}


@each(("term", "verdict"), [(2.0, ("right", True)), (2.0005, ("right", True)), (2.001, ("wrong", False))])
def test_what_follows_a_slip_may_miss_half_a_unit_of_the_last_place(
    term: float, verdict: tuple[str, bool]
) -> None:
    assert verdicts(LINEAR, gain_1=2.0, discount_1=1.0, term_1=term)["term-1"] == verdict


def test_a_gain_is_exact() -> None:
    assert verdicts(LINEAR, gain_1=3.0)["gain-1"] == ("right", False)
    assert verdicts(LINEAR, gain_1=3.0004)["gain-1"] == ("wrong", False)


def test_an_ideal_term_follows_the_gain_of_the_same_grade_alone() -> None:
    """Whoever took 8 for the gain of a 3 may go on with it for the 3 of the ideal list, not for its 2."""
    table = Table(Question("ndcg", GRADES, k=4, gain="exponential"))
    judged = verdicts(table, gain_1=8.0, ideal_term_1=8.0, ideal_term_2=round(8 / math.log2(3), 3))
    assert judged == {
        "gain-1": ("wrong", False),
        "ideal-term-1": ("right", True),
        "ideal-term-2": ("wrong", False),
    }


@each(("typed", "verdict"), [(7.0, ("right", False)), (3.0, ("right", True)), (5.0, ("wrong", False))])
def test_between_two_gains_lies_neither(typed: float, verdict: tuple[str, bool]) -> None:
    table = Table(Question("ndcg", GRADES, k=4, gain="exponential"))
    assert verdicts(table, gain_1=3.0, ideal_term_1=typed)["ideal-term-1"] == verdict


def test_a_gain_that_was_given_to_a_0_is_gone_on_with_as_well() -> None:
    """Whoever forgets the 1 that is subtracted has 2⁰ = 1 for the gain of a 0."""
    table = Table(Question("ndcg", GRADES, k=4, gain="exponential"))
    judged = verdicts(table, gain_3=1.0, ideal_term_4=0.431)
    assert judged == {"gain-3": ("wrong", False), "ideal-term-4": ("right", True)}


@each(
    ("gain", "typed"),
    [("linear", -1.0), ("exponential", -0.5), ("exponential", 1023.0), ("exponential", 1024.0)],
)
def test_a_number_that_can_be_no_grade_is_wrong_and_what_follows_may_be_true(gain: str, typed: float) -> None:
    """It is worth nothing that could be gone on with."""
    table = Table(Question("ndcg", GRADES, k=4, gain=gain))
    own = {"ideal-1": typed, "ideal-term-1": table.true_value_by_cell_name()["ideal-term-1"]}
    assert wrong(table.judge(own, 3)) == ["ideal-1"]


def test_each_cell_asks_what_a_question_of_its_own_would_ask() -> None:
    """All but the order of the ideal list, which is explained as a whole."""
    table = Table(Question("ndcg", GRADES, k=3, gain="exponential"))
    answers = {}
    for cell in table.cells:
        question = table.question_of(cell)
        if question is not None:
            answers[cell.name] = answer(question)
    order = {"ideal-1", "ideal-2", "ideal-3"}
    assert answers == pytest.approx(
        {name: value for name, value in table.true_value_by_cell_name().items() if name not in order}
    )


def test_beside_what_was_typed_stands_what_was_to_be_found_from_the_numbers_before_it() -> None:
    own = {"gain-1": 5.0, "term-1": 5.0, "dcg": 1.0}
    numbers = {
        judged.cell.name: (judged.typed_number, judged.expected_number) for judged in LINEAR.judge(own, 3)
    }
    assert [numbers["gain-1"], numbers["term-1"]] == [(5, 3), (5, 5)]
    assert numbers["dcg"] == pytest.approx((1, 5 + 2 / math.log2(3) + 1 / math.log2(5)))


def test_what_was_right_an_answer_before_follows_the_numbers_of_now() -> None:
    """It counts as filled by the learner, who was right about it."""
    judged_cells = LINEAR.judge({"gain-1": 5.0, "dcg": 6.693}, 3, carried_cell_names={"term-1"})
    carried, dcg = (judged for judged in judged_cells if judged.cell.name in ("term-1", "dcg"))
    assert (carried.verdict, carried.typed_number) == ("right", 5)
    assert (dcg.verdict, dcg.follows_own_number) == ("right", True)


def test_a_right_cell_is_worth_what_is_true_of_its_own_rank() -> None:
    judged_cells = {
        judged.cell.name: judged for judged in LINEAR.judge({"term-2": 1.262, "ideal-term-2": 1.262}, 3)
    }
    for name in ("term-2", "ideal-term-2"):
        assert judged_cells[name].verdict == "right"
        assert judged_cells[name].expected_number == pytest.approx(2 / math.log2(3))


def test_an_ideal_list_may_be_longer_than_the_list() -> None:
    table = Table(Question("ndcg", [3], k=3, pool=[3, 2, 1]))
    assert table.true_value_by_cell_name()["ideal-term-3"] == pytest.approx(0.5)


@each(("decimals", "term", "ideal_term"), [(2, 4.41, 4.41), (4, 4.417, 4.417)])
def test_a_printed_weight_is_gone_on_with_in_the_places_in_which_it_stands_there(
    decimals: int, term: float, ideal_term: float
) -> None:
    """7 × 0.63 as the cell prints it, and 7 × 0.631 as the table does; in full it is 4.4165."""
    table = Table(Question("ndcg", [2, 3], k=2, gain="exponential"))
    own = {"term-2": term, "ideal-2": 3, "ideal-term-2": ideal_term}
    assert wrong(table.judge(own, decimals)) == ["ideal-2"]


def test_a_sum_has_the_true_term_or_the_learners_own_and_nothing_between_them() -> None:
    """2 × 0.5 is 1; 1.262 is true. 3 + 1.262 + 0.431 is 4.693."""
    own = {"discount-2": 0.5, "term-2": 1.262}
    assert wrong(LINEAR.judge(own | {"dcg": 4.693}, 3)) == ["discount-2"]
    assert wrong(LINEAR.judge(own | {"dcg": 4.55}, 3)) == ["discount-2", "dcg"]


def test_right_gains_excuse_no_wrong_one() -> None:
    """Of 0 and 1 a linear gain is the exponential one; that a 3 is worth 3 shows in the ideal list alone."""
    table = Table(Question("ndcg", [0, 1], k=2, gain="exponential", pool=[0, 1, 3]))
    own = {"gain-1": 0, "gain-2": 1, "ideal-term-1": 3}
    assert wrong(table.judge(own, 3)) == ["ideal-term-1"]


def test_a_gain_follows_its_mistake_to_grades_that_stand_in_the_ideal_list_alone() -> None:
    """2 for the gain of a 2, and 3 for that of a 3; 5 for the gain of a 2 is no rule for a 3."""
    table = Table(Question("ndcg", [1, 2], k=2, gain="exponential", pool=[1, 2, 3]))
    assert wrong(table.judge({"gain-2": 2, "ideal-term-1": 3}, 3)) == ["gain-2"]
    assert wrong(table.judge({"gain-2": 5, "ideal-term-1": 3}, 3)) == ["gain-2", "ideal-term-1"]


def test_a_gain_follows_no_mistake_to_a_grade_that_is_nowhere() -> None:
    table = Table(Question("ndcg", [1, 2], k=2, gain="exponential"))
    own = {"gain-2": 2, "ideal-1": 4, "ideal-term-1": 4}
    assert wrong(table.judge(own, 3)) == ["gain-2", "ideal-1", "ideal-term-1"]


def test_what_is_expected_of_an_ideal_term_goes_by_the_gain_that_was_gone_on_with() -> None:
    """3 for the gain of a 3; what is left to the tutor goes on with it."""
    table = Table(Question("ndcg", [3, 2], k=2, gain="exponential"))
    judged_cells = {
        judged.cell.name: judged
        for judged in table.judge({"gain-1": 3, "ideal-term-1": 3}, 3, frozenset({"idcg"}))
    }
    assert judged_cells["ideal-term-1"].expected_number == 3
    assert judged_cells["idcg"].expected_number == pytest.approx(3 + 3 / math.log2(3))


@each("typed", [2.9999999999, 3.0000000001])
@each("column", ["gain", "ideal"])
def test_a_whole_number_that_is_typed_with_float_noise_is_gone_on_with_as_the_whole_one(
    column: str, typed: float
) -> None:
    own = {f"{column}-1": typed, "ideal-term-1": 2.0}
    assert wrong(LINEAR.judge(own, 3)) == ["ideal-term-1"]
    assert wrong(LINEAR.judge(own | {"ideal-term-1": 3.0}, 3)) == []


def test_what_a_mistake_of_the_rank_makes_of_a_gain_is_gone_on_with_at_the_rank_of_the_ideal_list() -> None:
    """Whoever took the rank for the gain: 1, 2, 3 above, and once more 1, 2, 3 below."""
    table = Table(Question("ndcg", [1, 3, 2], k=3, pool=[5, 4, 3, 2, 1]))
    own = {f"gain-{rank}": float(rank) for rank in (1, 2, 3)}
    own |= {f"ideal-term-{rank}": round(rank / math.log2(rank + 1), 3) for rank in (1, 2, 3)}
    assert wrong(table.judge(own, 3)) == ["gain-2", "gain-3"]


@pytest.fixture
def predicted_questions(monkeypatch: pytest.MonkeyPatch) -> list[AnyQuestion]:
    """The questions of which a table asked what mistakes make of them."""
    predicted_questions: list[AnyQuestion] = []

    def counting_predictions(question: AnyQuestion) -> dict[str, float]:
        predicted_questions.append(question)
        return predictions(question)

    monkeypatch.setattr(engine, "predictions", counting_predictions)
    return predicted_questions


def gains_by_the_wrong_formula(rank_count: int) -> tuple[Table, dict[str, float]]:
    """A table of so many ranks, filled with the grades for gains that are exponential."""
    grades = [3, 2, 1, 0, 2] * (rank_count // 5)
    table = Table(Question("ndcg", grades, k=rank_count, gain="exponential"))
    return table, Table(Question("ndcg", grades, k=rank_count)).true_value_by_cell_name()


@each("rank_count", [5, 10, 20])
def test_the_mistake_in_the_gains_is_sought_once_for_each_rank_above_and_below(
    predicted_questions: list[AnyQuestion], rank_count: int
) -> None:
    predicted_questions.clear()
    table, own = gains_by_the_wrong_formula(rank_count)
    assert {judged.cell.column for judged in table.judge(own, 3) if judged.verdict == "wrong"} == {"gain"}
    assert len(predicted_questions) == 2 * rank_count


def test_no_mistake_is_sought_where_nothing_could_follow_it(predicted_questions: list[AnyQuestion]) -> None:
    """Where all gains are right, no ideal term was typed, or the wrong gains have no mistake in common."""
    table, own = gains_by_the_wrong_formula(20)
    table.judge(table.true_value_by_cell_name(), 3)
    table.judge({name: number for name, number in own.items() if not name.startswith("ideal-term")}, 3)
    assert predicted_questions == []
    table.judge(own | {"gain-1": 6.5}, 3)
    assert len(predicted_questions) == 1
