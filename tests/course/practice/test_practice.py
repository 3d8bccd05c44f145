"""The third stage: from a guided table to an empty one, and what was promised of its lists."""

from pathlib import Path

import pytest

from app import engine
from app.course.content import recorded_misconceptions
from app.course.content.recorded_misconceptions import exercise_ids_showing
from app.course.items.kinds import Generated, Steps
from app.course.learning.steps import Ask
from tests.published import published

ROOT = Path(__file__).resolve().parents[3]

COURSE = published()
STAGE = COURSE.stage("practice")
assert STAGE
ITEMS = [step.item for one in STAGE.sections for step in one.steps if isinstance(step, Ask)]


def test_the_help_in_a_table_fades_until_nothing_is_given() -> None:
    tables = [item for item in map(COURSE.items.__getitem__, ITEMS) if isinstance(item, Steps)]
    first, last = tables[0], next(table for table in tables if not table.given)
    assert {"gain", "discount"} <= set(first.given)
    assert len(last.blanks) == len(last.table.cells)
    shares = [len(table.blanks) / len(table.table.cells) for table in tables[: tables.index(last) + 1]]
    assert shares[-1] > max(shares[:-1])
    assert any(isinstance(COURSE.items[name], Generated) for name in ITEMS[ITEMS.index(last.id) :])


def test_there_are_at_least_eight_lists_of_daily_life_beside_those_of_the_sources() -> None:
    text = (ROOT / "content/03-practice/examples.yaml").read_text(encoding="utf-8")
    own = [
        name
        for name, example in COURSE.examples.items()
        if f"\n{name}:\n" in f"\n{text}" and not example.source
    ]
    assert len(own) >= 7
    assert len({COURSE.examples[name].query for name in own}) >= 6


def test_one_list_has_another_winner_at_another_cut() -> None:
    names = ("practice-flats-a-5", "practice-flats-b-5")
    at_five = [COURSE.value_by_name[name].figure() for name in names]
    at_three = [COURSE.examples[name].trace.ndcg for name in ("flats-a", "flats-b")]
    assert at_three[0] > at_three[1]
    assert at_five[0] < at_five[1]


def test_the_pool_turns_the_order_of_two_systems() -> None:
    first, second = COURSE.examples["gaokao-a"], COURSE.examples["gaokao-b"]
    own = [COURSE.value_by_name["practice-gaokao-a-own"].figure(), second.trace.ndcg]
    assert own[0] > own[1]
    assert first.trace.ndcg < second.trace.ndcg


def test_practice_against_a_mistake_names_it_alone() -> None:
    """Where another mistake leads to the same number, practice would tell nobody what to mend."""
    assert "gain-exponential" not in exercise_ids_showing(COURSE.exercises, "linear_for_exponential")
    assert exercise_ids_showing(COURSE.exercises, "linear_for_exponential")
    assert exercise_ids_showing(COURSE.exercises, "ideal_not_sorted", "ndcg")[0].startswith("idcg")
    assert exercise_ids_showing(COURSE.exercises, "discount_not_asked") == []
    assert exercise_ids_showing(COURSE.exercises, "natural_log", "dcg")[0] == "dcg"
    assert exercise_ids_showing(COURSE.exercises, "truncated") == []


@pytest.mark.parametrize("exercise_id", ["dcg-exponential", "dcg-at-k", "idcg-cut", "idcg-pool"])
def test_a_forgotten_log_is_practised_where_it_was_forgotten(exercise_id: str) -> None:
    assert exercise_ids_showing(COURSE.exercises, "log_forgotten", exercise_id)[0] == exercise_id


def test_an_ndcg_shows_it_as_well_and_a_log_that_was_not_the_first_is_practised_at_all() -> None:
    for skill in ("ndcg-exponential@2", "ndcg-at-k@2", "ndcg-pool@2"):
        assert "log_forgotten" in engine.shown_misconception_ids(skill)
    assert exercise_ids_showing(COURSE.exercises, "natural_log_after_first")


def test_a_variant_is_drawn_once_for_all_mistakes_and_none_after_two_exercises_that_always_show_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the first look at 误区 after a start waits for."""
    drawn_variants = []

    def draw(generator: str, level: int, seed: int) -> engine.AnyQuestion:
        drawn_variants.append((generator, seed))
        return generate(generator, level, seed)

    generate = engine.generate
    recorded_misconceptions.naming_share.cache_clear()
    recorded_misconceptions.tried_variants.cache_clear()
    monkeypatch.setattr(engine, "generate", draw)
    best_exercise_ids = exercise_ids_showing(COURSE.exercises, "natural_log")
    assert {generator for generator, _ in drawn_variants} == {
        COURSE.exercises[exercise_id].generator for exercise_id in best_exercise_ids
    }
    for misconception_id in ("gain_ignored", "ideal_not_sorted", "linear_for_exponential"):
        exercise_ids_showing(COURSE.exercises, misconception_id)
    assert len(drawn_variants) == len(set(drawn_variants))
