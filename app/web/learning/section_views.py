"""A section as a learner sees it: the steps so far, what surrounds them, and the moves below."""

from typing import Any

from markupsafe import Markup

from app.course.content.model import Section
from app.course.learning.steps import AnyStep, Ask, ExampleStep, Recap, Say
from app.web.learning.section_position import SectionPosition
from app.web.learning.stage_views import section_card, stage_card
from app.web.learning.step_views import render_step
from app.web.site import slots
from app.web.site.requests import Typed
from app.web.site.responses import markup

JOTTED = (Say, Ask, ExampleStep, Recap)
"""Steps of which a card can be made: 记一张."""


def frame(at: SectionPosition) -> dict[str, Any]:
    """The context of `learning/section.html`: everything but the steps."""
    return {
        "page": "lesson",
        "title": f"{at.section.title}·{at.stage.title}",
        "steps": slots.STEPS,
        "warm_up": slots.WARM_UP,
        **moves(at),
    }


def steps_so_far(at: SectionPosition, typed: Typed | None = None) -> Markup:
    """The steps that are open, with the slots of their items; cached for all who have come as far."""

    def render() -> str:
        return "".join(whole_step(at, step, typed) for step in at.section.steps[: at.step])

    if typed or at.lab_query:
        return markup(render())
    return markup(at.site.cached(at.steps_key, render))


def whole_step(at: SectionPosition, step: AnyStep, typed: Typed | None = None) -> Markup:
    """One step, as the page shows it and 下一步 returns it."""
    card_url = None
    if isinstance(step, JOTTED) and not at.site.own:
        card_url = f"/cards/new?step={at.stage.id}.{at.section.id}.{step.id}&seed={at.seed}"
    context = {
        "id": step.id,
        "kind": step.kind,
        "html": render_step(at, step, typed),
        "card_url": card_url,
    }
    return at.site.render("learning/_step.html", step=context)


def next_step(at: SectionPosition) -> str:
    """The fragment of 下一步: the step that comes, and the moves after it."""
    below = at.site.render("learning/_moves.html", **moves(at), oob=True, guest_field=slots.NOTHING)
    if at.finished:
        return below
    return slots.fill(whole_step(at, at.section.steps[at.step - 1]), at.own) + below


def moves(at: SectionPosition) -> dict[str, Any]:
    """The context of `learning/_moves.html`, and of the page around it."""
    next_section = at.stage.next_section(at.section.id)
    next_section_card = None
    if next_section:
        next_section_card = section_card(at.stage, next_section, None, at.site.own)
    next_stage = at.course.next_stage(at.stage.id)
    next_stage_card = None
    if next_stage:
        next_stage_card = stage_card(at.course, next_stage, ())
    return {
        "at": at,
        "stage": stage_card(at.course, at.stage, at.lesson.places, at.site.own),
        "section_number": at.stage.sections.index(at.section) + 1,
        "next_url": f"{at.url}?step={at.step + 1}#{anchor(at.section, at.step + 1)}",
        "next_section": next_section_card,
        "next_stage": next_stage_card,
    }


def anchor(section: Section, step: int) -> str:
    """The place of a step on the page of its section; past the last step, that of the end."""
    if step > len(section.steps):
        return "moves-finish"
    return f"step-{section.steps[step - 1].id}"
