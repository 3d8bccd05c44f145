"""The steps of a section, one presenter for each kind: what `templates/learning/steps/<kind>.html` needs.

A new kind stands in one of the two tables below; `tests/web/learning/test_step_views.py` renders every kind,
for readers of whom different things are known.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from markupsafe import Markup

from app.course import Course
from app.course.items.your_turn import turn_item_id
from app.course.learning.figures import draw_differences
from app.course.learning.labs import lambdarank
from app.course.learning.steps import (
    AnyStep,
    Ask,
    CardsStep,
    CodeStep,
    DifferencesFigure,
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
from app.web.games.game_views import game_link_of
from app.web.items.item_views import item_and_twin_ids, item_state_from_log, render_item
from app.web.items.typed_answers import answer_typed_into
from app.web.learning import labs, toy_views, workbench_labs
from app.web.learning.code import exercise_view
from app.web.learning.example_views import (
    ExamplePlace,
    ExampleState,
    asks_turn,
    render_example,
    state_after,
)
from app.web.learning.section_position import SectionPosition
from app.web.learning.stage_views import step_name
from app.web.site import slots
from app.web.site.rendering import line_html, line_htmls, markup, text_html
from app.web.site.responses import Context
from app.web.site.site import Site

StepKey = tuple[Hashable, ...]

STEPS_WITH_CARD = (Say, Ask, ExampleStep, Recap)
"""Steps of which a card can be made: 记一张."""


def step_html(section_position: SectionPosition, step: AnyStep) -> Markup:
    """One step, as the page shows it and 下一步 returns it."""
    context = {"id": step.id, "was": step.was, "kind": step.kind, "card_url": None}
    context["name"] = None
    if not section_position.site.own_address:
        context["name"] = name_of_step = step_name(section_position.stage, section_position.section, step)
        if isinstance(step, STEPS_WITH_CARD):
            context["card_url"] = markup(f"/cards/new?step={name_of_step}&amp;seed={slots.SEED}")
    context["html"] = render_step(section_position, step)
    return section_position.site.render("learning/_step.html", step=context)


def render_step(section_position: SectionPosition, step: AnyStep) -> Markup:
    """A step as this reader sees it; one that looks the same to everybody is rendered once."""
    personal_context = PERSONAL_CONTEXT_BY_KIND.get(step.kind)
    if personal_context:
        step_context = personal_context.make_context(section_position, step)
        return render_step_by_kind(section_position.site, step, step_context)
    cache_key = (section_position.course.digest, section_position.section.id, step.id)
    make_context = SHARED_CONTEXT_BY_KIND[step.kind]
    html_of_step = section_position.site.cached_html(
        cache_key,
        lambda: render_step_by_kind(section_position.site, step, make_context(section_position.course, step)),
    )
    return markup(html_of_step)


def key_of_step(section_position: SectionPosition, step: AnyStep) -> StepKey | None:
    """What a step depends on; None where its kind does not say that, and each reader needs a rendering."""
    shared_key: StepKey = (*section_position.content_key, step.id)
    personal_context = PERSONAL_CONTEXT_BY_KIND.get(step.kind)
    if personal_context is None:
        return shared_key
    if personal_context.reader_key is None:
        return None
    return shared_key + personal_context.reader_key(section_position, step)


def render_step_by_kind(site: Site, step: AnyStep, context: Context) -> Markup:
    """A step by the template of its kind."""
    return site.render(f"learning/steps/{step.kind}.html", step=context)


def say_context(course: Course, step: Say) -> Context:
    """Words of the tutor."""
    words_html = text_html(course, step.text)
    another_way_html = text_html(course, step.another_way or "")
    return {
        "tone": step.tone,
        "html": words_html,
        "another_way": another_way_html,
        "source": step.source,
        "cited": step.cited,
    }


def figure_context(course: Course, step: Figure | DifferencesFigure) -> Context:
    """A drawing with its caption."""
    if isinstance(step, DifferencesFigure):
        figure_svg = markup(draw_differences(step.figure, step.differences))
    else:
        figure_svg = markup(course.figure(step.figure, step.example))
    caption_html = line_html(course, step.caption or "")
    return {"svg": figure_svg, "caption": caption_html}


def code_context(course: Course, code_step: CodeStep) -> Context:
    """An exercise in Python."""
    return {"code": exercise_view(course, code_step.exercise)}


def game_context(course: Course, game_step: GameStep) -> Context:
    """The way to a game."""
    return {"id": game_step.id, "game_link": game_link_of(course, game_step.game)}


SHARED_CONTEXT_BY_KIND: Mapping[str, Callable[[Course, Any], Context]] = {
    "say": say_context,
    "figure": figure_context,
    "code": code_context,
    "game": game_context,
}
"""Kinds of steps that look the same to everybody."""


class PersonalContext(NamedTuple):
    """How a kind of step is shown that depends on its reader.

    `reader_key`: all that `make_context` asks of the reader: who has the same shares one rendering. None:
    nobody shares.
    """

    make_context: Callable[[SectionPosition, Any], Context]
    reader_key: Callable[[SectionPosition, Any], StepKey] | None = None


def ask_context(section_position: SectionPosition, step: Ask) -> Context:
    """An item with the answers it already has."""
    row_examples = [section_position.course.examples[example_id] for example_id in step.rows]
    item_html = render_lesson_item(section_position, step.item, step.probe)
    return {"rows": row_examples, "item_html": item_html}


def items_key(section_position: SectionPosition, step: Ask | Recap | ExampleStep) -> StepKey:
    """Of the items that a step asks: their seed, and of each the verdicts, answers and hints."""
    item_refs = section_position.course.item_refs_by_step_ids[section_position.section.id, step.id]
    if not item_refs:
        return ()
    lesson_data = section_position.lesson_data
    hint_counts = tuple([lesson_data.hint_count_by_item_ref.get(item_ref, 0) for item_ref in item_refs])
    answers = tuple(
        [
            (item_ref, response.verdict, response.raw)
            for item_ref in item_refs
            for response in lesson_data.responses_to_item(item_ref)
        ]
    )
    return section_position.seed, answers, hint_counts


def recap_context(section_position: SectionPosition, step: Recap) -> Context:
    """Points to keep, a table, and often an item of before."""
    point_htmls = line_htmls(section_position.course, step.points)
    table_html = text_html(section_position.course, step.table or "")
    item_html = None
    if step.item:
        item_html = render_lesson_item(section_position, step.item)
    return {"points": point_htmls, "table": table_html, "item_html": item_html}


def example_context(section_position: SectionPosition, example_step: ExampleStep) -> Context:
    """An example, opened as far as this learner has come; when all is open, 换你."""
    course = section_position.course
    example_ref = course.ref(example_step.example)
    reveal_state = section_position.lesson_data.reveal_by_example_ref.get(example_ref, RevealState())
    example_place = ExamplePlace(section_position.stage, section_position.section, example_step)
    closed_state = ExampleState(example_step.example, 0, example_step.until, example_place.name)
    typed_answer = answer_typed_into(section_position.typed_answers, [example_step.example])
    example_state = state_after(
        course, closed_state, reveal_state.opened_count, reveal_state.guesses, typed_answer
    )
    if asks_turn(course, example_state):
        turn_html = render_lesson_item(section_position, turn_item_id(example_step.example))
        example_state = replace(example_state, turn_html=str(turn_html))
    return {"example_html": render_example(section_position.site, example_state)}


def example_key(section_position: SectionPosition, example_step: ExampleStep) -> StepKey:
    """How far an example is open, and its 换你."""
    example_ref = section_position.course.ref(example_step.example)
    reveal_state = section_position.lesson_data.reveal_by_example_ref.get(example_ref)
    return (*items_key(section_position, example_step), reveal_state)


def cards_context(section_position: SectionPosition, cards_step: CardsStep) -> Context:
    """A set of cards, and the way into the deck for those that are not there yet."""
    course = section_position.course
    card_refs = map(course.ref, cards_step.cards)
    context: Context = {
        "id": cards_step.id,
        "ids": cards_step.cards,
        "own": section_position.site.own_address,
    }
    context["cards"] = [card_sides_context(course, card_id) for card_id in cards_step.cards]
    context["collected"] = section_position.lesson_data.collected_card_refs.issuperset(card_refs)
    context["next"] = markup(f"{slots.NEXT}#step-{cards_step.id}")
    context["sender_field"] = slots.SENDER
    return context


def cards_key(section_position: SectionPosition, cards_step: CardsStep) -> StepKey:  # noqa: ARG001
    """The cards that are in the deck."""
    return (section_position.lesson_data.collected_card_refs,)


def lab_context(section_position: SectionPosition, step: Lab | WorkbenchLab) -> Context:
    """A lab, as far as the address says."""
    if isinstance(step, WorkbenchLab):
        return {"lab": step.lab, "lab_html": workbench_labs.render_workbench(section_position.site, step)}
    address_fields = section_position.lab_fields or {}
    if "lab" in address_fields and address_fields["lab"][-1] != step.id:
        address_fields = {}
    lab_place = labs.lab_place(
        section_position.stage,
        section_position.section,
        step,
        section_position.step_number,
        section_position.carried_fields,
    )
    lab_reading = lambdarank.read(address_fields, lab_place.start)
    lab_view = labs.lab_view_of(lab_place, lab_reading, address_fields)
    return {"lab": step.lab, "lab_html": labs.render_lab(section_position.site, lab_view)}


def lab_key(section_position: SectionPosition, step: Lab | WorkbenchLab) -> StepKey:  # noqa: ARG001
    """How far its page is open, to which a move of the lab leads back."""
    return (section_position.step_number,)


def toy_context(section_position: SectionPosition, toy_step: ToyStep) -> Context:
    """A movable row of candies, as far as the address says."""
    address_fields = section_position.toy_fields or {}
    toy_place = toy_views.toy_place_in_lesson(
        section_position.stage, section_position.section, toy_step, section_position.site.own_address
    )
    toy_place = replace(toy_place, carried_fields=section_position.carried_fields)
    toy_view = toy_views.lesson_toy(section_position.course, toy_place, toy_step, address_fields)
    return {"toy_html": toy_views.render_toy(section_position.site, toy_view)}


def toy_key(section_position: SectionPosition, toy_step: ToyStep) -> StepKey:  # noqa: ARG001
    """Nothing of its reader: a page whose address says how far a toy was moved is kept for nobody."""
    return ()


PERSONAL_CONTEXT_BY_KIND: Mapping[str, PersonalContext] = {
    "ask": PersonalContext(ask_context, items_key),
    "recap": PersonalContext(recap_context, items_key),
    "example": PersonalContext(example_context, example_key),
    "cards": PersonalContext(cards_context, cards_key),
    "lab": PersonalContext(lab_context, lab_key),
    "play": PersonalContext(toy_context, toy_key),
}
"""Kinds of steps that depend on their reader, or on the address."""


def render_lesson_item(section_position: SectionPosition, item_id: str, is_probe: bool = False) -> Markup:
    """An item in its lesson, with the answers it already has."""
    ids_of_item_and_twins = item_and_twin_ids(section_position.course, item_id)
    typed_answer = answer_typed_into(section_position.typed_answers, ids_of_item_and_twins)
    item_state = item_state_from_log(
        section_position.course,
        item_id,
        section_position.lesson_data,
        seed=section_position.seed,
        is_probe=is_probe,
        typed_answer=typed_answer,
    )
    item_html = render_item(section_position.site, item_state)
    if typed_answer is None:
        return item_html
    return slots.fill(item_html, {slots.NEXT: section_position.page_url(ids_of_item_and_twins)})


def card_sides_context(course: Course, card_id: str) -> Context:
    """A flashcard with both its sides."""
    card = course.cards[card_id]
    front_html = line_html(course, card.front)
    back_html = text_html(course, card.back)
    return {"id": card_id, "front_html": front_html, "back_html": back_html}
