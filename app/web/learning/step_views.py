"""The steps of a section, one presenter for each kind: what `templates/learning/steps/<kind>.html` needs.

A new kind stands in one of the two tables below; `tests/web/learning/test_step_views.py` renders every kind.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from app.course import Course
from app.course.learning.labs import lambdarank
from app.course.learning.steps import (
    AnyStep,
    Ask,
    CardsStep,
    CodeStep,
    ExampleStep,
    Figure,
    GameStep,
    Lab,
    Recap,
    Say,
    ToyStep,
    WorkbenchLab,
)
from app.records.learning.values import RevealState
from app.web.games.game_views import card as game_card
from app.web.items.item_views import family, item_state, render_item
from app.web.learning import labs, toys, workbench_labs
from app.web.learning.code import exercise_view
from app.web.learning.example_views import (
    ExamplePlace,
    ExampleState,
    asks_turn,
    render_example,
    state_after,
)
from app.web.learning.section_position import SectionPosition
from app.web.site import slots
from app.web.site.requests import Typed
from app.web.site.responses import markup

Context = dict[str, Any]


def render_step(at: SectionPosition, step: AnyStep, typed: Typed | None = None) -> Markup:
    """A step as this reader sees it; one that looks the same to everybody is rendered once."""
    template = f"learning/steps/{step.kind}.html"
    if step.kind in PERSONAL:
        return at.site.render(template, step=PERSONAL[step.kind](at, step, typed))
    key = (at.course.digest, at.section.id, step.id)
    present = SHARED[step.kind]
    return markup(at.site.cached(key, lambda: at.site.render(template, step=present(at.course, step))))


def say(course: Course, step: Say) -> Context:
    """Words of the tutor."""
    return {
        "tone": step.tone,
        "html": markup(course.html(step.text)),
        "another_way": markup(course.html(step.another_way or "")),
        "source": step.source,
    }


def figure(course: Course, step: Figure) -> Context:
    """A drawing with its caption."""
    return {
        "svg": markup(course.figure(step.figure, step.example)),
        "caption": markup(course.line(step.caption or "")),
    }


def code(course: Course, step: CodeStep) -> Context:
    """An exercise in Python."""
    return {"code": exercise_view(course, step.exercise)}


def game(course: Course, step: GameStep) -> Context:
    """The card that leads to a game."""
    return {"id": step.id, **game_card(course, step.game)}


SHARED: Mapping[str, Callable[[Course, Any], Context]] = {
    "say": say,
    "figure": figure,
    "code": code,
    "game": game,
}
"""Kinds of steps that look the same to everybody."""


def ask(at: SectionPosition, step: Ask, typed: Typed | None) -> Context:
    """An item with the answers it already has."""
    examples = [at.course.examples[example] for example in step.rows]
    return {"rows": examples, "item_html": render_lesson_item(at, step.item, typed, probe=step.probe)}


def recap(at: SectionPosition, step: Recap, typed: Typed | None) -> Context:
    """Points to keep, a table, and often an item of before."""
    item_html = None
    if step.item:
        item_html = render_lesson_item(at, step.item, typed)
    return {
        "points": [markup(at.course.line(point)) for point in step.points],
        "table": markup(at.course.html(step.table or "")),
        "item_html": item_html,
    }


def example(at: SectionPosition, step: ExampleStep, typed: Typed | None) -> Context:
    """An example, opened as far as this learner has come; when all is open, 换你."""
    course = at.course
    reveal = at.lesson.reveals.get(course.ref(step.example), RevealState())
    place = ExamplePlace(at.stage, at.section, step)
    closed = ExampleState(step.example, 0, step.until, place.name)
    state = state_after(course, closed, reveal.shown, reveal.guesses, typed)
    if asks_turn(course, state):
        turn = render_lesson_item(at, course.turn_of(step.example), typed)
        state = replace(state, turn=str(turn))
    return {"example_html": render_example(at.site, state)}


def cards(at: SectionPosition, step: CardsStep, _typed: Typed | None) -> Context:
    """A set of cards, and the way into the deck for those that are not there yet."""
    course = at.course
    return {
        "id": step.id,
        "ids": step.cards,
        "cards": [card_sides(course, card_id) for card_id in step.cards],
        "own": at.site.own,
        "collected": at.lesson.collected.issuperset(map(course.ref, step.cards)),
        "next": markup(f"{slots.NEXT}#step-{step.id}"),
        "guest_field": slots.GUEST,
    }


def lab(at: SectionPosition, step: Lab | WorkbenchLab, _typed: Typed | None) -> Context:
    """A lab, as far as the address says."""
    if isinstance(step, WorkbenchLab):
        return {"lab": step.lab, "lab_html": workbench_labs.render_workbench(at.site, step)}
    query = at.lab_query or {}
    if "lab" in query and query["lab"][-1] != step.id:
        query = {}
    place = labs.lab_place(at.stage, at.section, step, at.step)
    view = labs.view(place, lambdarank.read(query, place.start), query)
    return {"lab": step.lab, "lab_html": labs.render_lab(at.site, view)}


def play(at: SectionPosition, step: ToyStep, _typed: Typed | None) -> Context:
    """A movable row of candies, as far as the address says."""
    toy = toys.lesson_toy(at.course, at.stage, at.section, step, at.toy_query or {})
    return {"toy_html": toys.render_toy(at.site, toy)}


PERSONAL: Mapping[str, Callable[[SectionPosition, Any, Typed | None], Context]] = {
    "ask": ask,
    "recap": recap,
    "example": example,
    "cards": cards,
    "lab": lab,
    "play": play,
}
"""Kinds of steps that depend on their reader, or on the address."""


def render_lesson_item(
    at: SectionPosition, item_id: str, typed: Typed | None = None, probe: bool = False
) -> Markup:
    """An item in its lesson, with the answers it already has."""
    if typed and typed.item not in family(at.course, item_id):
        typed = None
    lesson = at.lesson
    state = item_state(
        at.course, item_id, lesson.responses, lesson.hints, seed=at.seed, probe=probe, typed=typed
    )
    return render_item(at.site, state)


def card_sides(course: Course, card_id: str) -> Context:
    """A flashcard with both its sides."""
    card = course.cards[card_id]
    return {"id": card_id, "front": markup(course.line(card.front)), "back": markup(course.html(card.back))}
