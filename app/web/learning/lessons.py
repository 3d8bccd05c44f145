"""Lessons: the overview of a stage, and a section as a paced dialogue."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from app.course import Course
from app.course.content.model import Section
from app.course.learning.labs.lambdarank import Query
from app.course.learning.steps import AnyStep, Ask, ExampleStep, Recap, Say
from app.records.accounts.values import Caller
from app.records.learning import lesson_progress
from app.records.learning.values import LessonPageData, Target
from app.records.practice import learner_pages
from app.web.learning.section_position import (
    SectionPosition,
    fields_of,
    find,
    find_stage,
    look_at,
    needs_of,
    number_in,
)
from app.web.learning.stage_views import (
    resume_url,
    section_url,
    stage_card,
    warm_up_count,
    warm_up_name,
)
from app.web.learning.step_views import render_step
from app.web.site import slots
from app.web.site.clock import now
from app.web.site.contexts import AnswerContext
from app.web.site.requests import CallerDep, Now, SiteDep, Typed, caller_of, read_form, typed_in
from app.web.site.responses import fragment, kept_page, markup, page, see, wants_fragment
from app.web.site.site import site_of

router = APIRouter()


async def show_section(request: Request) -> Response:
    """A section, as far as the address says, or else the place that was saved."""
    site = site_of(request)
    stage, section = find(site.course, **request.path_params)
    lesson, warm_up = await site.db.glance(
        learner_pages.load_section_page,
        caller_of(request),
        *needs_of(site.course, stage, section),
        warm_up_name(site.course),
        now(),
    )
    step = step_of(request, section, lesson)
    at = SectionPosition(site, stage, section, lesson, step, lab_query(request))
    parts = {slots.STEPS: steps_so_far(at, typed_in(request)), slots.WARM_UP: []}
    if count := warm_up_count(site.course, warm_up):
        parts[slots.WARM_UP] = [site.render("learning/_warm_up.html", count=count)]
    return kept_page(
        request,
        "learning/section",
        at.key,
        lambda: frame(at),
        parts,
        at.own,
        signed_in=lesson.learner_id is not None,
    )


async def keep_place(request: Request) -> Response:
    """下一步: keep the place, show the step that comes."""
    site = site_of(request)
    stage, section = find(site.course, **request.path_params)
    form = await read_form(request)
    total = len(section.steps)
    step = min(max(1, form.number("step")), total + 1)
    place = await site.db.write(
        lesson_progress.advance,
        caller_of(request, form),
        site.course.ref(stage.id),
        section,
        step,
        now(),
    )
    if not wants_fragment(request):
        url = f"{section_url(stage, section)}?step={step}#{anchor(section, step)}"
        return see(request, url, token=place.token)
    lesson = await look_at(site, Caller(place.token), stage, section)
    at = SectionPosition(site, stage, section, lesson, step)
    return fragment(request, next_step(at), token=place.token)


HOT = (
    Route("/lessons/{stage_id}/{section_id}", show_section),
    Route("/lessons/{stage_id}/{section_id}/places", keep_place, methods=["POST"]),
)
"""What a class asks for all the time: matched first, without FastAPI's parameters."""


@router.post("/lessons/{stage_id}/rounds")
async def begin_again(
    request: Request, site: SiteDep, caller: CallerDep, now: Now, stage_id: str
) -> Response:
    """重学: a new round; what was answered before stays in the log."""
    stage = find_stage(site.course, stage_id)
    section = stage.sections[0]
    place = await site.db.write(lesson_progress.again, caller, site.course.ref(stage.id), section, now)
    return see(request, section_url(stage, section), token=place.token)


@router.get("/lessons/{stage_id}")
async def overview(request: Request, site: SiteDep, caller: CallerDep, now: Now, stage_id: str) -> Response:
    """Goals and sections of a stage."""
    course = site.course
    stage = find_stage(course, stage_id)
    lesson, warm_up = await site.db.read(
        learner_pages.load_stage_page, caller, course.ref(stage.id), warm_up_name(course), now
    )
    card = stage_card(course, stage, lesson.places)
    return page(
        request,
        "learning/lesson",
        signed_in=lesson.learner_id is not None,
        page="lesson",
        title=stage.title,
        stage=card,
        goals=[markup(course.line(goal)) for goal in stage.goals],
        resume_url=resume_url(course, stage, lesson.places),
        begun=card.state != "new",
        again_action=f"/lessons/{stage.id}/rounds",
        warm_up=warm_up_count(course, warm_up),
    )


def step_of(request: Request, section: Section, lesson: LessonPageData) -> int:
    """The step of the address, by its number or its id, else the one that was saved, else the first.

    A lab keeps the address of the step at which it was tried; who has gone on since sees the farther one.
    """
    total = len(section.steps)
    place = lesson.place(section.id)
    furthest = 1
    if place and place.done:
        furthest = total + 1
    elif place:
        furthest = section.number_at(place.step_id, place.step)
    name = request.query_params.get("step", "")
    number = number_in(name) or section.number_of(name)
    if number is None:
        return furthest
    step = min(max(1, number), total + 1)
    if "lab" in request.query_params:
        return max(step, furthest)
    return step


def lab_query(request: Request) -> Query | None:
    """The fields of the address, where it is about a lab."""
    if "lab" not in request.query_params:
        return None
    return fields_of(request)


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


def steps_so_far(at: SectionPosition, typed: Typed | None = None) -> list[str]:
    """The steps that are open, with the slots of their items; each is kept for all to whom it looks alike."""
    steps: list[str] = []
    for step in at.section.steps[: at.step]:
        render = partial(whole_step, at, step, typed)
        if typed or at.lab_query:
            steps.append(render())
        else:
            steps.append(at.site.cached(at.step_key(step), render))
    return steps


def whole_step(at: SectionPosition, step: AnyStep, typed: Typed | None = None) -> Markup:
    """One step, as the page shows it and 下一步 returns it."""
    card_url = None
    if isinstance(step, JOTTED) and not at.site.own:
        path = f"/cards/new?step={at.stage.id}.{at.section.id}.{step.id}"
        card_url = markup(f"{path}&amp;seed={slots.SEED}")
    context = {
        "id": step.id,
        "was": step.was,
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
    return {
        "at": at,
        "stage": stage_card(at.course, at.stage, at.lesson.places, at.site.own),
        "section_number": at.stage.sections.index(at.section) + 1,
        "next_url": f"{at.url}?step={at.step + 1}#{anchor(at.section, at.step + 1)}",
    }


def anchor(section: Section, step: int) -> str:
    """The place of a step on the page of its section; past the last step, that of the end."""
    if step > len(section.steps):
        return "moves-finish"
    return f"step-{section.steps[step - 1].id}"


def target_of(course: Course, name: str, seed: int) -> Target:
    """The attempt at a lesson, in its present round."""
    return Target(source="lesson", ref=course.ref(find_stage(course, name).id), seed=seed)


def page_of(course: Course, ref: str) -> tuple[str, str] | None:
    """Address and title of the lesson that an attempt was made at."""
    stage = course.stage(ref)
    if stage is None:
        return None
    return f"/lessons/{ref}", stage.title


CONTEXT = AnswerContext("lessons", target_of, page_of)
