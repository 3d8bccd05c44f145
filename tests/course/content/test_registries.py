"""Adding a kind is copying a neighbour: each kind stands in its registry, has its module and its template."""

from pathlib import Path
from typing import get_args

from app.course import schema_by_file
from app.course.content.proofs import PROOFS_BY_KIND
from app.course.items import kinds as item_kinds
from app.course.items.kinds import AnyItem, Item
from app.course.learning import figures, steps
from app.course.learning.steps import AnyStep, DifferencesFigure, Figure, Step
from app.course.questions.question_exports import plain_draft
from app.web.authoring.own_views import NAME_BY_TEMPLATE
from tests.course.content.registered_kinds import kinds, members
from tests.course.small import course
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]


ITEMS, STEPS = kinds(AnyItem), kinds(AnyStep)
ANSWERED = {kind: one for kind, one in ITEMS.items() if one is not item_kinds.Generated}
"""The kinds that are shown and answered; a generated item is what it makes."""


SHARED = {"__init__", "base", "form_fields", "usual_words"}
"""Modules that are no kind, but what kinds have in common."""


def modules(folder: str) -> set[str]:
    return {path.stem for path in (ROOT / "app/course" / folder).glob("*.py")} - SHARED


def test_check_knows_answers_to_every_kind() -> None:
    assert set(PROOFS_BY_KIND) == set(ANSWERED.values())


def test_every_kind_of_item_is_registered() -> None:
    of_options = {"single", "multiple", "true_false"}
    alone = {"numeric", "steps", "order", "spot", "fill", "short", "generated"}
    assert set(ITEMS) == of_options | alone
    assert modules("items/kinds") == {"options", *alone}
    assert set(ITEMS.values()) == {
        variable
        for variable in vars(item_kinds).values()
        if isinstance(variable, type) and issubclass(variable, Item) and variable is not Item
    }


def test_every_kind_of_step_is_registered() -> None:
    assert set(STEPS) == {
        "say", "ask", "example", "figure", "cards", "code", "lab", "game", "play", "recap",
    }  # fmt: skip
    assert set(members(AnyStep)) == {
        variable
        for variable in vars(steps).values()
        if isinstance(variable, type) and issubclass(variable, Step) and "kind" in variable.model_fields
    }


@each("kind", ANSWERED)
def test_every_kind_of_item_has_its_template_and_a_docstring(kind: str) -> None:
    assert (ROOT / f"templates/items/_{kind}.html").is_file()
    assert ITEMS[kind].__doc__


@each("kind", STEPS)
def test_every_kind_of_step_has_its_template_its_word_and_a_docstring(kind: str) -> None:
    assert (ROOT / f"templates/learning/steps/{kind}.html").is_file()
    assert STEPS[kind].KIND_WORD
    assert STEPS[kind].__doc__


def test_every_kind_of_item_can_be_written() -> None:
    """A teacher is shown what one looks like."""
    assert set(ITEMS) <= set(NAME_BY_TEMPLATE)


@each("kind", ANSWERED)
def test_every_kind_of_item_keeps_its_promises(kind: str) -> None:
    """What an item has to say of itself is its own; the small course, which the tests use, has one."""
    for verb in ("_judge", "solution", "choices", "key_text"):
        assert getattr(ITEMS[kind], verb) is not getattr(Item, verb), verb
    assert any(isinstance(item, ITEMS[kind]) for item in course().items.values())


@each("kind", ITEMS)
def test_of_every_kind_of_item_it_is_known_whether_other_programs_hold_it(kind: str) -> None:
    """`plain_draft` raises NotImplementedError where it is not."""
    item = next(item for item in course().items.values() if isinstance(item, ITEMS[kind]))
    draft = plain_draft(item, course())
    assert draft is None or draft.kind == kind


@each("kind", STEPS)
def test_every_kind_of_step_stands_in_the_small_course(kind: str) -> None:
    assert any(isinstance(step, STEPS[kind]) for step in course().steps)


def test_the_learner_acts_in_questions_examples_cards_and_code() -> None:
    acting = {step.id: step.has_action for step in course().steps}
    assert acting == {
        "probe": True, "words": False, "row": False, "walk": True, "true-or-not": True, "back": True,
        "sum": True, "of-tea": True, "sort": True, "table": True, "endless": True, "turn-over": True,
        "find": True, "move": True, "why": True, "try-out": True, "write": True, "play": True,
    }  # fmt: skip


def test_a_look_back_without_a_question_is_no_action() -> None:
    assert not steps.Recap(id="back", kind="recap", points=["记住。"]).has_action


@each("name", get_args(Figure.model_fields["figure"].annotation))
def test_every_figure_has_its_module_and_is_drawn(name: str) -> None:
    assert name in modules("learning/figures")
    assert figures.draw(name, course().examples["tea"]).startswith("<svg")


def test_no_figure_is_forgotten() -> None:
    names = set(get_args(Figure.model_fields["figure"].annotation))
    of_differences = set(get_args(DifferencesFigure.model_fields["figure"].annotation))
    assert modules("learning/figures") - {"svg"} == names | of_differences


@each("name", get_args(DifferencesFigure.model_fields["figure"].annotation))
def test_every_figure_of_differences_is_drawn_and_told(name: str) -> None:
    svg = figures.draw_differences(name, [-0.078, -0.14, 0.5])
    assert svg.startswith("<svg")
    assert "<title>3个查询" in svg
    assert "<desc>" in svg


def test_the_schema_for_editors_knows_every_kind_and_the_word_that_pages_have_for_it() -> None:
    items_schema = schema_by_file()["items.yaml"]
    [of_items] = items_schema["patternProperties"].values()
    title_by_kind = {}
    for kind, reference in of_items["discriminator"]["mapping"].items():
        title_by_kind[kind] = items_schema["$defs"][reference.rpartition("/")[2]]["title"]
    assert title_by_kind == {kind: item_class.KIND_WORD for kind, item_class in ITEMS.items()}
    steps_schema = schema_by_file()["lesson.yaml"]["$defs"]["Section"]["properties"]["steps"]["items"]
    assert set(steps_schema["discriminator"]["mapping"]) == set(STEPS)
