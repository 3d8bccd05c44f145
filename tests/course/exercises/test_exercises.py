"""Variants: the same for the same seed, in titles that fit; right answers right, mistakes told apart."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from app import engine
from app.course.exercises.exercises import newest_exercise_id, offered_exercises, practice_item_id
from app.course.exercises.scenes import TITLE_COUNT_BY_GRADE
from app.course.items import rounding
from app.course.items.asked_tables import AskedSwap, AskedTable
from app.course.items.kinds import AskedQuantity, Generated, Item, Numeric, Order, SingleChoice, Steps
from app.course.items.marks import Mark
from app.course.practice.notebook import MistakeKind, mistake_kind_of
from app.course.text.model_base import NAME_BY_GAIN
from app.engine.generate.skills import LIST_SKILL_BY_NAME, SKILL_BY_NAME
from tests.course.small import FILES, changed, course, faults
from tests.published import published
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]
COURSE = published()
EVERY = [(exercise, level) for exercise in COURSE.exercises for level in engine.LEVELS]
DRESSED = [(name, level) for name, level in EVERY if COURSE.exercises[name].generator in LIST_SKILL_BY_NAME]
"""The exercises about a list, which a scene gives its titles."""
SEEDS = range(40)


def variant(exercise: str, level: int, seed: int) -> Item:
    return COURSE.variant(practice_item_id(exercise, level), seed)


def right_mark(item: Item) -> Mark:
    match item:
        case Numeric():
            return item.mark([f"{item.answer:.{item.decimals}f}"])
        case Steps():
            truth = item.table.true_value_by_cell_name()
            return item.mark([f"{truth[cell.name]:.{item.decimals}f}" for cell in item.blanks])
        case Order():
            return item.mark(
                [document.id for document in sorted(item.documents, key=lambda document: -document.grade)]
            )
        case SingleChoice():
            return item.mark([option.id for option in item.right_options])
    raise TypeError(item.kind)


def test_there_are_enough_scenes_and_exercises() -> None:
    themes = Counter(scene.theme for scene in COURSE.scenes.values())
    assert len(COURSE.scenes) >= 40
    assert len(themes) >= 6
    assert any("成都" in scene.query for scene in COURSE.scenes.values())
    assert len(COURSE.exercises) >= 12


def test_lessons_and_quizzes_ask_the_newest_version_of_an_exercise() -> None:
    asked_item_ids = {step.asked_item_id for step in COURSE.steps}
    asked_items = [item for item_id, item in COURSE.items.items() if item_id in asked_item_ids]
    asked_exercise_ids = {item.exercise for item in asked_items if isinstance(item, Generated)}
    assert asked_exercise_ids <= set(offered_exercises(COURSE.exercises))


@each(
    ("item_id", "exercise", "level"),
    [
        ("discount-of-your-own", "discount", 2),
        ("kitchen-order", "ideal-order", 2),
        ("lbl-quiz-kappa", "kappa", 2),
        ("ndcg-of-your-own", "ndcg", 1),
        ("free-ndcg", "ndcg", 2),
        ("pool-variant", "ndcg-pool", 1),
        ("cmp-fresh-ndcg", "ndcg-at-k", 1),
        ("cmp-fresh-ndcg-v2", "ndcg-at-k-v2", 1),
        ("cmp-fresh-ndcg-v3", "ndcg-at-k-v3", 1),
        ("discount-of-your-own-v2", "discount-v2", 2),
        ("exponential-variant", "term-exponential", 2),
        ("ltr-quiz-own-lambda", "lambda", 1),
        ("lbl-quiz-ips", "ips", 1),
    ],
)
def test_an_item_that_was_once_asked_keeps_its_numbers(item_id: str, exercise: str, level: int) -> None:
    item = COURSE.items[item_id]
    assert isinstance(item, Generated)
    assert (item.exercise, item.level) == (exercise, level)


@each(("exercise", "level"), EVERY)
def test_the_right_answer_of_a_variant_is_right(exercise: str, level: int) -> None:
    for seed in SEEDS[:15]:
        assert right_mark(variant(exercise, level, seed)).verdict == "right", seed


@pytest.mark.long
@each(("exercise", "level"), EVERY)
def test_the_right_answer_of_every_variant_is_right(exercise: str, level: int) -> None:
    for seed in SEEDS:
        assert right_mark(variant(exercise, level, seed)).verdict == "right", seed


@pytest.mark.parametrize("seeds", [SEEDS[:12], pytest.param(SEEDS, marks=pytest.mark.long)], ids=len)
@each(("exercise", "level"), DRESSED)
def test_titles_fit_their_grades_and_no_title_stands_twice(exercise: str, level: int, seeds: range) -> None:
    for seed in seeds:
        item = variant(exercise, level, seed)
        if isinstance(item, Order):
            graded_titles = [(document.text, document.grade) for document in item.documents]
            query = item.query
        else:
            assert isinstance(item, Numeric | Steps)
            if isinstance(item.question, AskedTable):
                assert item.question.table_markdown in item.stem
                continue
            assert item.ranking
            documents = [*item.ranking.documents, *item.ranking.unseen]
            graded_titles, query = (
                [(document.title, document.grade or 0) for document in documents],
                item.ranking.query,
            )
            listed = [document.grade for document in item.ranking.documents]
            assert isinstance(item.question, AskedQuantity)
            assert listed == item.question.grades
            assert [grade for _, grade in graded_titles] == (item.question.pool or listed)
        [scene] = [document for document in COURSE.scenes.values() if document.query == query]
        assert all(title in scene.titles[int(grade)] for title, grade in graded_titles)
        assert len(graded_titles) == len({title for title, _ in graded_titles})


@each("exercise", ["delta-ndcg", "lambda"])
@each("level", engine.LEVELS)
def test_a_swap_says_by_which_convention_it_counts(exercise: str, level: int) -> None:
    """With the other gain another number would be right."""
    for seed in SEEDS:
        item = variant(exercise, level, seed)
        assert isinstance(item, Numeric)
        assert isinstance(item.question, AskedSwap)
        for clause in (NAME_BY_GAIN[item.question.gain], "不截断", "理想从这一列里挑"):
            assert clause in item.stem, seed


@each("level", engine.LEVELS)
def test_a_hint_with_a_chance_that_the_table_may_not_have_calls_it_an_example(level: int) -> None:
    """Who reads of a place that is seen by one in five looks for it in the table."""
    for seed in SEEDS:
        item = variant("ips", level, seed)
        assert isinstance(item, Numeric)
        if "| 0.2 |" not in item.stem:
            assert item.hints[0].startswith("比方说"), seed


def test_hints_of_a_shuffle_keep_the_lesser_sum_and_not_what_it_lacks() -> None:
    """The second hint counts up to the number of the first: with the difference it counts too many."""
    first_hint, second_hint, _ = COURSE.exercises["randomisation-test"].hints
    assert "少多少" not in first_hint
    assert "小的合计记下来" in first_hint
    assert "不超过记下的那个数" in second_hint


@pytest.mark.parametrize("seeds", [SEEDS[:4], pytest.param(SEEDS[:12], marks=pytest.mark.long)], ids=len)
@each(("exercise", "level"), DRESSED)
def test_every_mistake_that_the_exercise_tells_apart_is_named(
    exercise: str, level: int, seeds: range
) -> None:
    """The number that a mistake leads to is diagnosed as that mistake, alone or among few others."""
    apart = engine.misconception_ids_told_apart(COURSE.exercises[exercise].generator)
    for seed in seeds:
        item = variant(exercise, level, seed)
        if isinstance(item, Numeric):
            for name in apart:
                value = engine.predictions(item.question.engine_question).get(name)
                if value is None:  # a gain of 0 or 1, where this mistake leads to the truth
                    assert COURSE.exercises[exercise].generator.startswith("gain")
                    continue
                misconception = item.mark([f"{value:.3f}"]).misconception_code or ""
                assert name in misconception.split("|"), (seed, name, value, misconception)


def seeds_accepting_mistakes(exercise: str, level: int, seeds: Iterable[int]) -> dict[int, set[str]]:
    """The mistakes whose number, to three places, would be marked right, though it is not the truth."""
    mistakes_by_seed: dict[int, set[str]] = {}
    for seed in seeds:
        question = engine.generate(COURSE.exercises[exercise].generator, level, seed)
        decimals = 0 if question.quantity in rounding.WHOLE_QUANTITIES else 3
        low, high = rounding.accepted_range(question, decimals)
        for mistake, value in engine.predictions(question).items():
            if low <= round(value, 3) <= high:
                mistakes_by_seed.setdefault(seed, set()).add(mistake)
    return mistakes_by_seed


KEPT_FROM_RIGHT = [
    name
    for name, exercise in COURSE.exercises.items()
    if exercise.kind == "numeric" and SKILL_BY_NAME[exercise.generator].never_right_misconception_ids
]
OFFERED_NUMBERS = [
    name for name, exercise in offered_exercises(COURSE.exercises).items() if exercise.kind == "numeric"
]


@pytest.mark.parametrize("seeds", [SEEDS, pytest.param(range(200), marks=pytest.mark.long)], ids=len)
@each("exercise", KEPT_FROM_RIGHT)
@each("level", engine.LEVELS)
def test_no_mistake_is_taken_for_right(exercise: str, level: int, seeds: range) -> None:
    assert seeds_accepting_mistakes(exercise, level, seeds) == {}


@each("exercise", OFFERED_NUMBERS)
def test_no_mistake_is_taken_for_right_in_what_is_offered(exercise: str) -> None:
    for level in engine.LEVELS:
        assert seeds_accepting_mistakes(exercise, level, SEEDS) == {}


def test_what_was_given_out_before_takes_some_mistakes_for_right() -> None:
    """One in twenty seeds or so, which stay as they are; that is why there is a second version."""
    assert len(seeds_accepting_mistakes("ndcg-pool", 2, range(100))) > 4
    assert len(KEPT_FROM_RIGHT) == 8


def test_a_newer_version_is_offered_and_the_former_one_stays() -> None:
    """What was given out keeps its numbers; practice, cards and the notebook go on with the newer."""
    now = offered_exercises(COURSE.exercises)
    assert (
        newest_exercise_id(COURSE.exercises, "gain")
        == "gain-v2"
        == newest_exercise_id(COURSE.exercises, "gain-v2")
    )
    assert "gain" not in now
    assert {"practice-gain-1", "practice-gain-v2-1"} <= set(COURSE.items)
    assert (
        COURSE.skill_credit_by_item_id["practice-gain-2"]
        == COURSE.skill_credit_by_item_id["practice-gain-v2-2"]
    )
    assert "gain-v2" in COURSE.practised_skills["gain"].exercise_ids
    assert "gain" not in COURSE.practised_skills["gain"].exercise_ids
    kinds = {mistake_kind_of(COURSE, item_id) for item_id in ("practice-gain-1", "practice-gain-v2-1")}
    assert kinds == {MistakeKind("gain", "gain-v2")}
    card = COURSE.drill_by_id["practice-gain-2"]  # an id that decks hold
    assert card.item_id == "practice-gain-v2-2"
    assert "practice-gain-v2-2" not in COURSE.drill_by_id
    assert COURSE.drill_by_id["practice-discount-2"].item_id == "practice-discount-v3-2"
    assert {"practice-discount-v2-2", "practice-discount-v3-2"}.isdisjoint(COURSE.drill_by_id)


def test_a_variant_is_the_same_on_any_machine() -> None:
    frozen = json.loads((ROOT / "tests/data/variants.json").read_text(encoding="utf-8"))
    bodies = {key: body_of(key) for key in frozen}
    assert bodies == frozen


def body_of(key: str) -> object:
    exercise, level, seed = key.rsplit("-", 2)
    return json.loads(COURSE.version_hash_and_body(practice_item_id(exercise, int(level)), int(seed))[1])


def test_neighbouring_seeds_wear_different_dresses() -> None:
    queries = [getattr(variant("dcg", 2, seed), "ranking").query for seed in range(40)]  # noqa: B009
    assert len(set(queries)) == 40


def test_what_is_frozen_is_the_variant() -> None:
    first, second = (course().version_hash_and_body("content:endless", seed) for seed in (1, 2))
    assert first[0] != second[0]
    assert json.loads(first[1])["kind"] == "numeric"


def test_a_grade_needs_its_titles() -> None:
    [line] = faults(changed("scenes.yaml", "[茶馆大全, 茶馆地图]", "[茶馆大全]"))
    assert line == f"scenes.yaml:1: tea: 甜度4要有{TITLE_COUNT_BY_GRADE[4]}个标题，这里有1个"
    [line] = faults(changed("scenes.yaml", "[修车, 理发, 配钥匙, 裁缝]", "[修车, 理发, 配钥匙, 修车]"))
    assert line == "scenes.yaml:1: tea: 同一个场景里有两个一样的标题"
    [line] = faults(changed("scenes.yaml", "    0: [车床, 河床, 牙床, 苗床]", "    7: [车床]"))
    assert "没有甜度7" in line


def test_an_unknown_generator_and_an_unknown_exercise_are_faults() -> None:
    [line] = faults(changed("exercises.yaml", "generator: dcg\n", "generator: dgc\n"))
    assert "引擎里没有出题器“dgc”" in line
    [line] = faults(changed("01-first/items.yaml", "exercise: sums", "exercise: sum"))
    assert "没有叫“sum”的练习" in line


def test_exercises_without_scenes_are_a_fault() -> None:
    files = {name: text for name, text in FILES.items() if name != "scenes.yaml"}
    [line] = faults(files)
    assert "scenes.yaml" in line


def test_a_question_of_the_engine_is_asked_as_if_it_had_been_read() -> None:
    """It is taken as it is: its body, which is frozen, is the one of a question that was read and checked."""
    for exercise, level in DRESSED:
        item = variant(exercise, level, 5)
        if isinstance(item, Numeric | Steps):
            as_read = type(item).model_validate_json(item.model_dump_json())
            assert as_read.frozen_hash_and_body() == item.frozen_hash_and_body()
            assert as_read.question.engine_question == item.question.engine_question
