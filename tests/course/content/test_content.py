"""The content we publish: it loads, it proves itself, it holds what was promised."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app import engine
from app.course import Stage, coverage_warnings, proof_fault_words
from app.course.content.model import Section
from app.course.items.asked_tables import AskedCoins
from app.course.items.kinds import (
    AskedQuantity,
    Generated,
    MultipleChoice,
    Numeric,
    Order,
    ShortAnswer,
    SingleChoice,
    Spot,
    Steps,
    TrueFalse,
)
from app.course.learning.figures_in_text import ListValue
from app.course.learning.steps import Ask, ExampleStep, Figure, Recap, Say, ToyStep
from app.course.text.markdown import TERM_PATTERN
from app.course.text.text_fields import texts_with_paths
from app.engine.misconceptions.misconception import NeighbourGiven
from tests.published import published
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]
SEED = {
    one["id"]: one for one in json.loads((ROOT / "tests/data/seed_examples.json").read_text(encoding="utf-8"))
}
SOURCES = {"学习对话", "学习笔记", "指数增益文章", "计算笔记", "口红博文"}
NAMED = [
    "two-systems-a", "two-systems-b", "dcg-at-3-quiz", "why-normalise-b", "ndcg-at-3-guided",
    "chengdu-3-days", "chengdu-food", "short-video",
    "full-walk", "dcg-at-4", "movies-at-5", "movies-at-3", "cg-at-4", "five-documents",
    "lipstick-a", "lipstick-b", "who-knows-me-x", "who-knows-me-y",
]  # fmt: skip
WRONG = {name for name, one in SEED.items() if one["verdict"].startswith("wrong")}
"""Of these the source prints figures that its own list does not give."""

COURSE = published()
OWN = {
    name: item
    for name, item in COURSE.items.items()
    if not name.endswith("-turn")
    and not name.startswith("practice-")
    and name not in COURSE.case_id_by_item_id
}


def test_every_promise_of_every_item_holds() -> None:
    assert list(proof_fault_words(COURSE)) == []


def test_every_promise_of_the_whole_holds() -> None:
    """Every knowledge point is taught, asked often enough and has a card; every stage has its quiz."""
    assert list(coverage_warnings(COURSE)) == []


def test_all_stages_are_there() -> None:
    assert [stage.number for stage in COURSE.stages if stage.lesson] == list(range(1, 10))


def asked_numbers_of_the_first_stages() -> list[tuple[str, Numeric]]:
    """What the text of the first two stages asks, but for sums without a discount."""
    numbers = []
    for item_id in {step.item for step in COURSE.steps if isinstance(step, Ask)}:
        item = COURSE.items[item_id]
        stage, _section = COURSE.section_by_item_id[item_id]
        if stage in COURSE.stages[:2] and isinstance(item, Numeric) and item.skill != "cg":
            numbers.append((item_id, item))
    return numbers


@each(("item_id", "item"), asked_numbers_of_the_first_stages())
def test_a_beginners_wrong_number_names_one_mistake(item_id: str, item: Numeric) -> None:
    """A ratio of 1 is an exception: where nothing is cut off, several mistakes must lead there."""
    mistakes: dict[float, list[str]] = {}
    for mistake, value in engine.predictions(item.question.engine_question).items():
        if isinstance(engine.MISCONCEPTIONS[mistake], NeighbourGiven):
            continue  # gives way where a broken step leads to the same number
        mistakes.setdefault(round(value, item.decimals), []).append(mistake)
    if item.question.engine_question.quantity == "ndcg":
        mistakes.pop(1.0, None)
    assert {value: names for value, names in mistakes.items() if len(names) > 1} == {}


@each(
    ("item_id", "answer"),
    [
        ("dcg-guided", "3.893"),
        ("idcg-guided", "4.262"),
        ("ndcg-guided", "0.913"),
        ("ndcg-upside-down", "0.582"),
        ("ltr-swap-head", "0.973"),
        ("lbl-judge-kappa", "0.711"),
        ("app-quiz-ceiling", "0.457"),
    ],
)
def test_what_was_right_stays_right(item_id: str, answer: str) -> None:
    """An id keeps its numbers: an answer that waits in an assignment is marked by it."""
    assert COURSE.items[item_id].mark((answer,), 1).verdict == "right"


ASKED_BY_FORMER_QUIZZES = {"app-quiz-ceiling"}
KEPT_FOR_THEIR_IDS = {
    "ltr-swap-head": {"exponential_for_linear"},
    "lbl-judge-kappa": {"chance_of_both_mixed"},
    "app-quiz-ceiling": {"log_forgotten"},
}


def test_no_mistake_comes_out_right() -> None:
    accepted_mistakes: dict[str, set[str]] = {}
    for item_id, item in COURSE.items.items():
        if not isinstance(item, Numeric):
            continue
        question = item.question.engine_question
        for mistake, value in engine.predictions(question).items():
            if item.mark((f"{value:.{item.decimals}f}",), 1).verdict == "right":
                accepted_mistakes.setdefault(item_id, set()).add(mistake)
    assert accepted_mistakes == KEPT_FOR_THEIR_IDS


def test_the_first_thing_asked_is_a_guess() -> None:
    first = COURSE.steps[0]
    assert isinstance(first, Ask)
    assert first.probe


def test_a_section_is_five_minutes_and_six_steps_at_most() -> None:
    for stage in COURSE.stages:
        for section in stage.lesson.sections if stage.lesson else ():
            assert 1 <= len(section.steps) <= 6
            assert 1 <= section.minutes <= 5
            assert any(step.has_action for step in section.steps), section.id


READY = [stage for stage in COURSE.stages if stage.lesson]


@each("stage", READY)
def test_a_stage_teaches_in_every_tone_and_looks_back(stage: Stage) -> None:
    steps = [step for section in stage.sections for step in section.steps]
    say_steps = [step for step in steps if isinstance(step, Say)]
    assert {"analogy", "joke", "verse", "idea"} <= {step.tone for step in say_steps}
    assert any(isinstance(step, Figure | ToyStep) for step in steps)
    assert sum(bool(step.another_way) for step in say_steps) >= 4
    assert {step.source for step in say_steps if step.tone == "idea"} <= SOURCES
    looked_back = [step.item for step in steps if isinstance(step, Recap) and step.item]
    homes = [COURSE.section_by_skill_id[COURSE.items[item].skill] for item in looked_back]
    last = stage.sections.index(stage.quiz) - 1 if stage.quiz else -1
    assert any(section != stage.sections[last] for _, section in homes)


@each("stage", READY)
def test_a_quiz_closes_a_stage_in_a_quarter_of_an_hour(stage: Stage) -> None:
    assert stage.quiz
    assert 6 <= len(stage.quiz.steps) <= 10
    assert 5 <= stage.quiz.minutes <= 20


def test_the_placement_asks_six_questions_and_shuffles_their_options() -> None:
    assert len(COURSE.placement) == 6
    for entry in COURSE.placement:
        item = COURSE.items[entry.item]
        assert isinstance(item, SingleChoice)
        assert not item.has_one_try_only
        assert item.shuffle


def test_there_are_at_least_110_items_of_every_kind_and_30_to_compute() -> None:
    assert len(OWN) >= 110
    kinds = {SingleChoice, MultipleChoice, TrueFalse, Numeric, Order, Steps, Spot, ShortAnswer, Generated}
    assert {type(item) for item in OWN.values()} >= kinds
    assert sum(isinstance(item, Numeric | Steps | Generated) for item in OWN.values()) >= 30


def test_every_kind_of_step_is_used() -> None:
    kinds = {"say", "ask", "example", "figure", "cards", "code", "lab", "recap"}
    assert {step.kind for step in COURSE.steps} >= kinds


def test_there_is_another_way_to_say_it_in_at_least_20_places() -> None:
    assert sum(isinstance(step, Say) and bool(step.another_way) for step in COURSE.steps) >= 20


@each("name", sorted(OWN))
def test_an_item_is_reached(name: str) -> None:
    item_ids = {step.asked_item_id for step in COURSE.steps}
    easier = {item.easier for item in OWN.values()}
    placed = {entry.item for entry in COURSE.placement}
    item = OWN[name]
    is_of_former_exercise = isinstance(item, Generated) and COURSE.exercises[item.exercise].superseded_by
    if is_of_former_exercise or name in ASKED_BY_FORMER_QUIZZES:
        return  # whoever was given it keeps it
    assert name in item_ids | easier | placed | set(COURSE.item_id_by_twin_id)


@each("name", sorted(OWN))
def test_an_item_helps(name: str) -> None:
    """Every wrong option says something; hints go from a nudge to nearly the answer; the end explains."""
    item = OWN[name]
    if isinstance(item, SingleChoice | MultipleChoice):
        feedback = [option.feedback for option in item.options]
        assert len(set(feedback)) == len(feedback)
        assert min(map(len, feedback)) >= 8
    variant = COURSE.variant(name, 0)
    assert variant.explanation or isinstance(item, Generated | ShortAnswer)  # a model answer explains
    assert len(variant.hints) >= 2 or name in COURSE.probe_ids
    assert not item.easier or item.easier != name


@each("name", sorted(COURSE.items))
def test_an_item_can_be_read_marked_and_shown_in_every_variant(name: str) -> None:
    for seed in range(3):
        item = COURSE.variant(name, seed)
        assert all("<" in COURSE.html(text) for _, text, _ in texts_with_paths(item))
        for line in item.solution():
            assert COURSE.line_html(line)


@each("name", NAMED)
def test_the_named_examples_have_the_grades_of_the_source(name: str) -> None:
    example, seed = COURSE.examples[name], SEED[name]
    assert example.grades == seed["grades"]
    assert (example.cutoff, example.gain, example.pool) == (seed["k"], seed["gain"], seed["pool"])
    for quantity, value in seed["true"].items():
        assert getattr(example.trace, quantity) == pytest.approx(value, abs=1e-9)


@each("name", sorted(set(COURSE.examples) - WRONG))
def test_a_published_figure_is_near_the_engine_s(name: str) -> None:
    """Sources round their steps: the last digit may differ by one."""
    example = COURSE.examples[name]
    for quantity, printed in example.published.items():
        decimals = len(printed.partition(".")[2])
        assert getattr(example.trace, quantity) == pytest.approx(float(printed), abs=1.01 * 10**-decimals)


@each("name", sorted(set(COURSE.examples) & WRONG))
def test_a_wrong_figure_of_a_source_is_kept_with_its_source(name: str) -> None:
    example = COURSE.examples[name]
    assert example.source
    assert example.published
    for quantity, printed in example.published.items():
        assert getattr(example.trace, quantity) != pytest.approx(float(printed), abs=0.01)


@each("name", NAMED)
def test_the_named_examples_are_used(name: str) -> None:
    """In a step, a figure, a question, or as a number in a text."""
    opened = {step.target_id_by_field().get("example") for step in COURSE.steps}
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "content").rglob("*.yaml"))
    assert name in opened or f"{{{{ {name}." in text or f"example: {name}" in text


def every_text() -> list[str]:
    parts: list[Any] = [stage.lesson for stage in COURSE.stages if stage.lesson]
    parts += [
        *COURSE.items.values(),
        *COURSE.examples.values(),
        *COURSE.glossary,
        *COURSE.code_exercises.values(),
    ]
    return [text for part in parts for _, text, _ in texts_with_paths(part)]


def test_no_mark_of_markdown_or_latex_is_left_in_what_is_shown() -> None:
    for text in every_text():
        plain_text = re.sub(r"<code.*?</code>|<[^>]*>", "", COURSE.html(text), flags=re.DOTALL)
        assert not re.search(r"\*\*|\$|\{\{|\\[a-z]", plain_text), text


def test_texts_are_chinese_with_full_width_punctuation_and_no_typed_spaces() -> None:
    for text in every_text():
        plain = re.sub(r"\$[^$]*\$|\{\{.*?\}\}|`[^`]*`", "", text)
        assert not re.search(r"[\u4e00-\u9fff][,;:!?]", plain), text
        assert not re.search(
            r"[\u4e00-\u9fff] [A-Za-z0-9\u4e00-\u9fff]|[A-Za-z0-9] [\u4e00-\u9fff]", plain
        ), text


def test_the_second_stage_shows_what_was_promised() -> None:
    text = (ROOT / "content/02-definitions/lesson.yaml").read_text(encoding="utf-8")
    opened = {step.example for step in COURSE.steps if isinstance(step, ExampleStep)}
    assert {"chengdu-food", "short-video"} <= opened
    assert "id: play-range" in text, "worst, random and best beside the first NDCG"
    gains = {value.gain for value in COURSE.value_by_name.values() if isinstance(value, ListValue)}
    assert gains == {"exponential", "linear"}


def test_two_gains_give_one_list_two_answers() -> None:
    values = {
        name: COURSE.value_by_name[name].figure()
        for name in COURSE.value_by_name
        if name.endswith(("linear", "exponential"))
    }
    assert len({round(value, 3) for value in values.values()}) == len(values) >= 2


def test_knowledge_points_are_told_in_the_order_in_which_they_build_on_each_other() -> None:
    skills = list(COURSE.skills)
    assert 25 <= len(skills) <= 60
    assert len({skill.name for skill in COURSE.skills.values()}) == len(skills)
    for name, skill in COURSE.skills.items():
        assert all(skills.index(need) < skills.index(name) for need in skill.needs), name


def test_an_idea_names_its_source() -> None:
    ideas = [step for step in COURSE.steps if isinstance(step, Say) and step.tone == "idea"]
    assert ideas
    assert all(step.source for step in ideas)


def test_the_glossary_has_the_words_of_the_course() -> None:
    words = {term.zh for term in COURSE.glossary}
    assert {"增益", "折损", "理想排序", "并列", "评判池", "准确率", "精确率", "召回率"} <= words
    assert len({term.en for term in COURSE.glossary}) == len({term.zh for term in COURSE.glossary})
    assert 40 <= len({term.en for term in COURSE.glossary}) == len(COURSE.glossary) <= 110


SECTIONS = [one for stage in COURSE.stages for one in stage.sections if one is not stage.quiz]


@each("section", SECTIONS)
def test_a_section_leads_to_the_glossary_at_the_first_use_of_a_term(section: Section) -> None:
    """Once each: a link at every use would be a thicket."""
    linked = [match[1] for _, text, _ in texts_with_paths(section) for match in TERM_PATTERN.finditer(text)]
    assert linked
    assert len(set(linked)) == len(linked)


@each("name", sorted(COURSE.examples))
@each("figure", ["contributions", "candy_row", "range", "discount_curve"])
def test_every_figure_of_every_example_is_drawn(name: str, figure: str) -> None:
    assert COURSE.figure(figure, name).endswith("</svg>")


def test_the_ruler_of_chengdu_food_is_the_one_of_the_lesson() -> None:
    spread = COURSE.examples["chengdu-food"].range
    assert spread == engine.ndcg_range([4, 1, 3, 4, 0], 5)
    assert spread.worst < spread.mean < COURSE.examples["chengdu-food"].trace.ndcg < spread.best


def test_learners_are_asked_again_after_an_easy_guess() -> None:
    """Three options or fewer, and true or false, have a twin; a twin is nobody else's."""
    for name, item in OWN.items():
        if item.has_one_try_only and name not in COURSE.item_id_by_twin_id and name not in COURSE.probe_ids:
            assert item.twin in COURSE.items
    assert len(set(COURSE.item_id_by_twin_id)) == sum(1 for item in COURSE.items.values() if item.twin)


def test_what_counts_is_asked_and_probes_do_not_count() -> None:
    for stage in COURSE.stages:
        assert not set(COURSE.scored_item_ids(stage)) & COURSE.unscored_item_ids
    assert COURSE.scored_item_ids(COURSE.stages[0])


LISTED = re.compile(r"\d+(?:、\d+){2,}")


def test_a_list_in_a_question_is_the_list_that_is_marked() -> None:
    """Of a question that names as many grades as it computes with, in any order."""
    compared = 0
    for name, item in COURSE.items.items():
        if not isinstance(item, Numeric) or not isinstance(item.question, AskedQuantity):
            continue
        grades = [grade for grade in item.question.grades or () if grade is not None]
        lists = [[float(grade) for grade in text.split("、")] for text in LISTED.findall(item.stem)]
        alike = [sorted(listed) for listed in lists if len(listed) == len(grades)]
        compared += len(alike)
        assert not alike or sorted(grades) in alike, name
    assert compared > 90


SIGNED = re.compile(r"[+−]\d+(?:\.\d+)?(?:；[+−]\d+(?:\.\d+)?)+")


def test_differences_in_a_question_are_those_that_are_marked() -> None:
    compared = 0
    for name, item in COURSE.items.items():
        if isinstance(item, Numeric) and isinstance(item.question, AskedCoins):
            for text in SIGNED.findall(item.stem):
                listed = [float(difference.replace("−", "-")) for difference in text.split("；")]
                assert listed == item.question.differences, name
                compared += 1
    assert compared >= 3
