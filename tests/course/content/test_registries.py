"""Adding a kind is copying a neighbour: each kind stands in its registry, has its module and its template."""

from importlib import import_module
from pathlib import Path
from typing import get_args

from app.course import schema_by_file
from app.course.items import kinds as item_kinds
from app.course.items.kinds import AnyItem, Item
from app.course.learning import figures, steps
from app.course.learning.steps import AnyStep, DifferencesFigure, Figure, Step
from app.course.questions.question_exports import plain_draft
from app.web.items import kinds as item_views
from tests.course.content.registered_kinds import kinds, members
from tests.course.small import course
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]


ITEMS, STEPS = kinds(AnyItem), kinds(AnyStep)
ANSWERED = {kind: one for kind, one in ITEMS.items() if one is not item_kinds.Generated}
"""The kinds that are shown and answered; a generated item is what it makes."""


SHARED = {"__init__", "base", "form_fields"}
"""Modules that are no kind, but what kinds have in common."""


def modules(folder: str) -> set[str]:
    return {path.stem for path in (ROOT / "app/course" / folder).glob("*.py")} - SHARED


@each("name", sorted(modules("items/kinds")))
def test_every_kind_of_item_is_registered(name: str) -> None:
    module = import_module(f"app.course.items.kinds.{name}")
    kinds_of_module = [
        variable
        for variable in vars(module).values()
        if isinstance(variable, type)
        and variable.__module__ == module.__name__
        and is_item_of_a_kind(variable)
    ]
    assert kinds_of_module, f"no class in {module.__file__} says of which kind it is"
    for item_class in kinds_of_module:
        is_registered = item_class in ITEMS.values()
        assert is_registered, f"AnyItem in app/course/items/kinds/__init__.py lacks {item_class}"


def is_item_of_a_kind(variable: type) -> bool:
    return issubclass(variable, Item) and bool(get_args(variable.model_fields["kind"].annotation))


def test_every_kind_of_item_is_shown() -> None:
    unseen = set(ANSWERED.values()) - set(item_views.KIND_VIEW_MAKER_BY_ITEM_CLASS)
    assert not unseen, f"KIND_VIEW_MAKER_BY_ITEM_CLASS in app/web/items/kinds/__init__.py lacks {unseen}"


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
    template = ROOT / f"templates/items/_{kind}.html"
    assert template.is_file(), f"write {template.relative_to(ROOT)}"
    assert ITEMS[kind].__doc__


@each("kind", STEPS)
def test_every_kind_of_step_has_its_template_its_word_and_a_docstring(kind: str) -> None:
    assert (ROOT / f"templates/learning/steps/{kind}.html").is_file()
    assert STEPS[kind].KIND_WORD
    assert STEPS[kind].__doc__


@each("kind", ITEMS)
def test_every_kind_of_item_can_be_written(kind: str) -> None:
    """A teacher is shown what one looks like."""
    example = ROOT / f"templates/authoring/yaml/{kind}.yaml"
    assert example.is_file(), f"write {example.relative_to(ROOT)}"


@each("kind", ITEMS)
def test_every_kind_of_item_says_what_it_is_called_how_it_is_written_and_who_has_it(kind: str) -> None:
    for name in ("KIND_WORD", "FORM", "IS_IN_OTHER_PROGRAMS"):
        own_value = getattr(ITEMS[kind], name, None)
        assert own_value not in (None, "", ()), f"{ITEMS[kind]} says no {name}"


@each("kind", ANSWERED)
def test_every_kind_of_item_keeps_its_promises(kind: str) -> None:
    """What an item has to say of itself is its own; the small course, which the tests use, has one."""
    for verb in ("_judge", "solution", "choices", "key_text", "proofs"):
        assert getattr(ITEMS[kind], verb) is not getattr(Item, verb), f"{ITEMS[kind]} has no {verb}"
    in_small_course = any(isinstance(item, ITEMS[kind]) for item in course().items.values())
    assert in_small_course, f"tests/course/small.py has no item of the kind {kind}"


@each("kind", [kind for kind in ITEMS if getattr(ITEMS[kind], "IS_IN_OTHER_PROGRAMS", True)])
def test_a_kind_that_other_programs_have_is_written_for_them(kind: str) -> None:
    item = next(item for item in course().items.values() if isinstance(item, ITEMS[kind]))
    draft = plain_draft(item, course())
    assert draft is not None, "the item of the small course has nothing but plain text"
    assert draft.kind == kind


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
