"""What each stage promises of its own, beyond what `check` asks of every course."""

import re
from collections.abc import Iterator
from pathlib import Path

from app.course import Stage
from app.course.content.model import Lesson, Section
from app.course.items.kinds import Item, Steps
from app.course.learning.steps import (
    Ask,
    CardsStep,
    CodeStep,
    DifferencesFigure,
    ExampleStep,
    Lab,
    Recap,
    Say,
    ToyStep,
)
from app.course.text.markdown import TERM_PATTERN
from app.course.text.text_fields import texts_with_paths
from app.engine import significance
from tests.course.content.reading_pace import PACE
from tests.published import published
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]
TOOLS = ["scikit-learn", "torchmetrics", "trec_eval", "ranx", "LightGBM", "XGBoost", "RankLib"]
FAMILIES = {
    "pointwise", "pairwise", "listwise", "piecewise-constant", "gradient", "ranknet", "lambdarank", "lambda",
    "delta-ndcg", "lambdamart", "surrogate", "listnet", "softrank", "approxndcg", "truncation-level",
}  # fmt: skip
RULERS = {
    "accuracy", "precision", "recall", "reciprocal_rank", "average_precision", "auc", "err", "rbp", "ndcg",
}  # fmt: skip

COURSE = published()
STAGES = {stage.id: stage for stage in COURSE.stages}
LATER = list(COURSE.stages[1:])


POINTING_OUT_OF_THE_ITEM = re.compile(
    r"[查看]那张|从表里|这一节|[上下]一[节题]|下一步看|刚才|刚刚[教讲]|路牌|第\d节|那张清单"
)


@each("item", [item for item_id, item in COURSE.items.items() if not item_id.endswith("-turn")])
def test_an_item_can_be_read_without_its_lesson(item: Item) -> None:
    """It comes back in practice, in the notebook of mistakes, in assignments: there is no table above it."""
    pointing = [text for _, text, _ in texts_with_paths(item) if POINTING_OUT_OF_THE_ITEM.search(text)]
    assert pointing == []


def lessons(stage: str) -> Iterator[Section]:
    """The sections of a stage without its 小测."""
    return (section for section in STAGES[stage].sections if section is not STAGES[stage].quiz)


def stage_text(stage: str) -> str:
    """Everything that the steps of a stage say."""
    return "\n".join(text for section in lessons(stage) for _, text, _ in texts_with_paths(section))


def earlier(item: str, stage: Stage) -> bool:
    """Whether an item asks for something that was at home before this stage."""
    return COURSE.section_by_skill_id[COURSE.items[item].skill][0].number < stage.number


@each("stage", COURSE.stages)
def test_a_stage_says_in_plain_words_what_it_is_for(stage: Stage) -> None:
    assert stage.lesson
    assert 3 <= len(stage.lesson.goals) <= 6
    assert all(len(goal) >= 10 and "$" not in goal for goal in stage.lesson.goals)


@each("stage", COURSE.stages)
def test_a_stage_opens_with_a_scene_and_not_with_a_formula(stage: Stage) -> None:
    scene = next(step for step in stage.sections[0].steps if isinstance(step, Say))
    assert scene.tone in {"plain", "analogy", "joke"}
    assert "$" not in scene.text.splitlines()[0]


@each("stage", LATER)
def test_a_stage_looks_back_at_an_earlier_one(stage: Stage) -> None:
    steps = [step for section in stage.sections for step in section.steps]
    assert any(isinstance(step, Recap) and step.item and earlier(step.item, stage) for step in steps)


@each("stage", LATER)
def test_about_a_third_of_a_quiz_comes_from_earlier_stages(stage: Stage) -> None:
    assert stage.quiz
    item_ids = [step.item for step in stage.quiz.steps if isinstance(step, Ask)]
    old = sum(earlier(item, stage) for item in item_ids)
    assert len(item_ids) <= 3 * old + 1
    assert old < len(item_ids)


@each("stage", COURSE.stages)
def test_who_is_stuck_finds_an_easier_question_in_every_stage(stage: Stage) -> None:
    assert sum(COURSE.items[item].easier is not None for item in stage.asked_item_ids) >= 2


def test_the_second_stage_measures_a_list_by_its_worst_mean_and_best() -> None:
    toys = [step for lesson in lessons("definitions") for step in lesson.steps if isinstance(step, ToyStep)]
    assert "worst" in {toy.task.kind for toy in toys}, "its strip shows all three"


def test_rows_move_in_the_first_four_stages() -> None:
    moving = ("concepts", "definitions", "practice", "code")
    toys = [
        step
        for name in moving
        for lesson in lessons(name)
        for step in lesson.steps
        if isinstance(step, ToyStep)
    ]
    assert len(toys) == 19
    assert {toy.task.kind for toy in toys} == {"reach", "hit", "worsen", "worst", "flip", "swap"}


def test_the_first_example_is_opened_in_the_first_section() -> None:
    [section, *_] = lessons("concepts")
    assert "example" in [step.kind for step in section.steps[:4]], "nine taps from the home page"


def test_the_tables_of_the_third_stage_fade_until_nothing_is_given() -> None:
    questions = [
        COURSE.items[step.item] for s in lessons("practice") for step in s.steps if isinstance(step, Ask)
    ]
    tables = [item for item in questions if isinstance(item, Steps) and item.question.gain == "linear"]
    assert len(tables) >= 4
    assert all(table.given for table in tables[:-1])
    assert not tables[-1].given


def test_the_third_stage_has_lists_of_its_own_beside_those_of_the_sources() -> None:
    text = (ROOT / "content/03-practice/examples.yaml").read_text(encoding="utf-8")
    practised = [example for name, example in COURSE.examples.items() if f"\n{name}:" in f"\n{text}"]
    assert len([example for example in practised if example.source]) >= 8
    own = [
        tuple(document.title for document in example.documents) for example in practised if not example.source
    ]
    assert len(set(own)) >= 8


def test_the_third_stage_reads_one_list_to_three_and_to_five() -> None:
    opened = {
        step.example
        for lesson in lessons("practice")
        for step in lesson.steps
        if isinstance(step, ExampleStep)
    }
    films = COURSE.examples["movies-at-3"], COURSE.examples["movies-at-5"]
    assert "movies-at-3" in opened
    assert [lesson.cutoff for lesson in films] == [3, 5]
    assert films[0].grades == films[1].grades
    assert "movies-at-5.ndcg" in stage_text("practice")


def test_the_fourth_stage_writes_the_formula_and_mends_what_was_borrowed() -> None:
    written = {
        step.exercise for lesson in lessons("code") for step in lesson.steps if isinstance(step, CodeStep)
    }
    assert {"code-gain", "code-dcg", "code-ideal", "code-ndcg", "code-ties", "code-mend-article"} <= written
    assert written == set(COURSE.code_exercises)


@each("tool", TOOLS)
def test_the_fourth_stage_tells_what_a_tool_computes(tool: str) -> None:
    assert stage_text("code").count(tool) >= 2


@each("field", ["搜索", "推荐", "问答", "电商", "翻译", "摘要"])
def test_the_fifth_stage_enters_every_field_of_use(field: str) -> None:
    assert field in stage_text("applications")
    titles = [example.title for example in COURSE.examples.values()]
    assert any(title.startswith(f"{field}：") for title in titles), "with a list of its own"


def test_the_sixth_stage_lays_every_ruler_on_the_same_lists() -> None:
    values = [value for value in COURSE.value_by_name if value.startswith(("cmp-a-", "cmp-b-"))]
    measured = {COURSE.value_by_name[value].quantity for value in values}
    assert measured >= RULERS
    assert all(f"{{{{ {value} |" in stage_text("comparison") for value in values if "-bigger" not in value)


def test_the_seventh_stage_names_and_links_its_families() -> None:
    linked = {match[1] for match in TERM_PATTERN.finditer(stage_text("optimisation"))}
    assert linked >= FAMILIES


def test_the_seventh_stage_looks_back_before_it_tires() -> None:
    """Its sections are full, so that the cards come a little later than in the first four."""
    since = 0
    for section in lessons("optimisation"):
        for step in section.steps:
            since += 1
            if isinstance(step, CardsStep | Recap):
                assert since <= PACE + 3, step.id
                since = 0


def test_the_lab_starts_with_the_four_videos_in_a_worse_order() -> None:
    [lab] = [step for lesson in lessons("optimisation") for step in lesson.steps if isinstance(step, Lab)]
    videos = dict(zip("ABCD", COURSE.examples["short-video"].grades, strict=True))
    assert dict(zip(lab.start.names, lab.start.grades, strict=True)) == videos
    assert lab.start.scores == [3, 2, 1, 0]


def test_rows_move_in_the_last_three_stages_too() -> None:
    moving = ("applications", "comparison", "optimisation")
    toys = [
        step
        for name in moving
        for lesson in lessons(name)
        for step in lesson.steps
        if isinstance(step, ToyStep)
    ]
    assert len(toys) >= 6
    assert {handle for toy in toys for handle in toy.handles} >= {"k", "grade", "order", "swap"}


THREE_QUERIES = ("first", "second", "third")


def test_the_eighth_stage_goes_on_with_the_three_queries_of_the_fifth() -> None:
    differences = []
    for query in THREE_QUERIES:
        new, old = COURSE.value_by_name[f"app-new-{query}"], COURSE.value_by_name[f"app-old-{query}"]
        differences.append(round(new.figure() - old.figure(), 3))
    steps = [step for lesson in lessons("significance") for step in lesson.steps]
    drawn = next(step for step in steps if isinstance(step, DifferencesFigure))
    assert drawn.differences == differences


def test_the_sums_that_the_eighth_stage_prints_are_those_of_all_shuffles() -> None:
    three = significance.shuffled_means([-0.078, -0.14, 0.5])
    sums = sorted({f"{3 * mean:.3f}" for mean in three if mean > 0})
    assert "、".join(sums) in stage_text("significance")


def test_rows_move_and_differences_are_drawn_in_the_eighth_stage() -> None:
    steps = [step for lesson in lessons("significance") for step in lesson.steps]
    assert {step.id for step in steps if isinstance(step, ToyStep)} == {
        "play-turn-one",
        "play-swing",
        "play-find-a-k",
    }
    assert {step.figure for step in steps if isinstance(step, DifferencesFigure)} == {
        "differences",
        "shuffles",
    }


@each("skill", ["query-variance", "intervals", "multiple-comparisons", "power", "interleaving"])
def test_a_knowledge_point_of_the_eighth_stage_has_six_items(skill: str) -> None:
    assert sum(item.skill == skill for item in COURSE.items.values()) >= 6


def test_a_look_back_comes_every_fifteen_steps_of_the_eighth_stage() -> None:
    since = 0
    for section in lessons("significance"):
        for step in section.steps:
            since += 1
            if isinstance(step, CardsStep | Recap):
                assert since <= PACE + 1, step.id
                since = 0


class Riddle(Say):
    """A kind of step that does not exist yet, and asks an item under a name of its own."""

    riddle: str

    @property
    def asked_item_id(self) -> str:
        return self.riddle


def test_a_stage_asks_what_any_step_asks_and_its_recaps_last() -> None:
    steps = [
        Recap(id="a", kind="recap", points=["记"], item="last"),
        Ask(id="b", kind="ask", item="guess", probe=True),
        Riddle(id="c", kind="say", text="猜", riddle="first"),
    ]
    section = Section.model_construct(steps=steps)
    stage = Stage("s", 1, "甲", "乙", Lesson.model_construct(sections=[section]))
    assert stage.asked_item_ids == ("first", "last")
