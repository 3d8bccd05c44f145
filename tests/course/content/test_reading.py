"""How the first four stages read: short, a formula and an own number early, help everywhere."""

import re
from collections import Counter
from collections.abc import Iterator

from app.course import Stage
from app.course.items.kinds import KINDS, Item, MultipleChoice, SingleChoice, Spot, TrueFalse
from app.course.learning.steps import AnyStep, Ask, CardsStep, CodeStep, Figure, Recap, Say, ToyStep
from app.course.text.text_fields import texts_with_paths
from app.settings import root
from tests.course.content.reading_pace import PACE
from tests.published import published
from tests.tables import each

COURSE = published()
FIRST_FOUR = COURSE.stages[:4]
BEFORE_TOYS = {"concepts": 1400, "definitions": 2833, "practice": 2608, "code": 3886}
"""The characters that a stage had to read before rows moved in it."""
SHARE = 0.12
"""The share of wrong options that may be answered by 'indeed …, but …'."""
CONCESSION = re.compile(r"(^|[，。；：？])可(?!以|能|惜)|确实")
OTHER_NAMES = re.compile(r"第(\d+|几|[一二三]|\$[ik]\$|k)名|位次")
"""Words for a place that are not ours: it is 第n位, and its number is 名次."""
OTHERS_SAY = re.compile(r"别人说的等级就是甜度，第\$i\$名|第一名不是你的第一名|领先第2名")
"""Where others are quoted, and races that are no rows of candies."""


def steps_of(stage: Stage) -> list[AnyStep]:
    """The steps of a stage without its 小测."""
    return [step for section in stage.lesson_sections for step in section.steps]


def words(step: AnyStep) -> int:
    """The characters to read in a step, as they are written; folded ones and questions aside."""
    if isinstance(step, Say):
        return len(step.text)
    if isinstance(step, Figure):
        return len(step.caption or "")
    if isinstance(step, ToyStep):
        return len(step.told) + len(step.task.words) + len(step.guess.ask)
    return 0


@each("stage", FIRST_FOUR)
def test_a_stage_is_shorter_to_read_than_before_rows_moved_in_it(stage: Stage) -> None:
    read = sum(map(words, steps_of(stage)))
    assert read < BEFORE_TOYS[stage.id], read


def test_the_first_formula_comes_by_step_15() -> None:
    formula = r"\DCG@k=\sum"
    numbers = [number for number, step in enumerate(COURSE.steps, 1) if formula in getattr(step, "text", "")]
    assert min(numbers) <= 15


def test_the_letters_and_the_reason_are_told_in_the_first_section() -> None:
    message = "".join(step.text for step in COURSE.stages[0].sections[0].steps if isinstance(step, Say))
    assert all(letter in message for letter in ("G，", "C，", "D，", "N，"))


@each("stage", FIRST_FOUR)
def test_a_look_back_comes_every_fifteen_steps(stage: Stage) -> None:
    since = 0
    for step in steps_of(stage):
        since += 1
        if isinstance(step, CardsStep | Recap):
            assert since <= PACE + 1, step.id
            since = 0
        elif isinstance(step, CodeStep):
            since -= 1


@each("stage", COURSE.stages)
def test_every_question_has_an_easier_one_or_a_twin(stage: Stage) -> None:
    probes = {step.item for step in steps_of(stage) if isinstance(step, Ask) and step.probe}
    helpless = []
    for name in stage.asked_item_ids:
        item = COURSE.items[name]
        is_endless = item.kind == "generated"
        if not (item.easier or item.twin or is_endless or name in probes):
            helpless.append(name)
    assert helpless == []


def wrong_words(item: Item) -> Iterator[str]:
    """What is said to each wrong choice."""
    if isinstance(item, SingleChoice | MultipleChoice):
        yield from (option.feedback for option in item.options if not option.right)
    elif isinstance(item, Spot):
        yield from (line.feedback for line in item.lines if not line.wrong)
    elif isinstance(item, TrueFalse):
        yield item.feedback.wrong


def items_about(stage: Stage) -> list[Item]:
    """What asks for a knowledge point of a stage, wherever it is asked; the errata aside."""
    skills = {name for name, place in COURSE.section_by_skill_id.items() if place.stage is stage}
    return [
        item
        for name, item in COURSE.items.items()
        if item.skill in skills and name not in COURSE.case_id_by_item_id
    ]


OF_THE_ERRATA = [COURSE.items[name] for name in COURSE.case_id_by_item_id]


@each("items", [*map(items_about, COURSE.stages), OF_THE_ERRATA])
def test_wrong_choices_are_answered_in_more_than_one_way(items: list[Item]) -> None:
    texts_told: list[str] = []
    for item in items:
        texts_told += wrong_words(item)
    conceded = [text for text in texts_told if CONCESSION.search(text)]
    assert len(conceded) < SHARE * len(texts_told), conceded


def test_what_the_page_says_below_every_question_stands_in_none() -> None:
    """可以选不止一项 stands above the choices, on screen and on paper."""
    assert [name for name, item in COURSE.items.items() if "可以多选" in item.stem] == []


@each("stage", COURSE.stages)
def test_a_place_in_a_row_has_one_name(stage: Stage) -> None:
    texts_told = [text for section in stage.sections for _, text, _ in texts_with_paths(section)]
    for item in items_about(stage):
        texts_told += [text for _, text, _ in texts_with_paths(item)]
    foreign_texts = [text for text in texts_told if OTHER_NAMES.search(OTHERS_SAY.sub("", text))]
    assert foreign_texts == []


def test_what_teachers_copy_calls_a_place_so_too() -> None:
    samples = {path.name: path.read_text() for path in (root() / "templates/authoring").rglob("*.*")}
    assert samples
    assert [name for name, sample in samples.items() if OTHER_NAMES.search(sample)] == []


@each("kind", KINDS.values())
def test_a_form_has_the_same_name_for_a_place(kind: type[Item]) -> None:
    labels = [label for form_field in kind.FORM for label in (form_field.label, form_field.note)]
    assert [label for label in labels if OTHER_NAMES.search(label) or "前几名" in label] == []


def test_no_list_is_computed_more_than_three_times() -> None:
    lists: Counter[tuple[float | None, ...]] = Counter()
    for stage in FIRST_FOUR:
        for name in stage.asked_item_ids:
            item = COURSE.items[name]
            question = getattr(item, "question", None)
            if question is not None and question.quantity in ("dcg", "idcg", "ndcg"):
                lists[tuple(question.grades)] += 1
    assert [grades for grades, times in lists.items() if times > 3] == []


@each("item", [item for item in COURSE.items.values() if item.kind == "order"])
def test_what_is_to_be_judged_does_not_carry_its_grade(item: Item) -> None:
    documents = getattr(item, "documents", [])
    assert not [document.text for document in documents if "甜度" in document.text]
