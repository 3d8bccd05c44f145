"""Lessons: the overview of a stage, and a section as a paced dialogue."""

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from app.course import Course, Stage
from app.course.content.model import Quiz, Section
from app.course.learning.labs.lambdarank import Query
from app.course.learning.steps import CardsStep, ExampleStep
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.learning import lesson_pages, lesson_progress
from app.records.learning.values import LessonPageData, Target, WarmUpData
from app.records.practice import warm_ups
from app.web.learning.section_views import SectionPosition, anchor, frame, next_step, steps_so_far
from app.web.learning.stage_views import resume_url, section_url, stage_card
from app.web.learning.warm_up_views import name as warm_up_name
from app.web.learning.warm_up_views import offer
from app.web.site import slots
from app.web.site.clock import now
from app.web.site.contexts import AnswerContext
from app.web.site.requests import caller_of, read_form, typed_in
from app.web.site.responses import fragment, kept_page, markup, page, see, wants_fragment
from app.web.site.site import Site, site_of

router = APIRouter()


async def section(request: Request) -> Response:
    """A section, as far as the address or the kept place says."""
    site = site_of(request)
    stage, here = find(site.course, **request.path_params)
    wanted = warm_up_name(site.course), now(), *known_of(site.course, stage, here)
    look, warming = await site.db.read(warm_ups.beside_section, caller_of(request), *wanted)
    at = SectionPosition(site, stage, here, look, step_of(request, here, look), tried_in(request))
    steps = steps_so_far(at, typed_in(request))
    parts = {slots.WARM_UP: warm_up_line(site, warming), slots.STEPS: steps, **at.own}
    known = look.learner_id is not None
    return kept_page(request, "learning/section", at.key, lambda: frame(at), parts, known=known)


async def keep_place(request: Request) -> Response:
    """下一步: keep the place, show the step that comes."""
    site = site_of(request)
    stage, here = find(site.course, **request.path_params)
    form, total = await read_form(request), len(here.steps)
    step = min(max(1, form.number("step")), total + 1)
    person, ref = caller_of(request, form), site.course.ref(stage.id)
    kept = await site.db.write(
        lesson_progress.keep, person, ref, here.id, min(step, total), step > total, now()
    )
    if not wants_fragment(request):
        url = f"{section_url(stage, here)}?step={step}#{anchor(here, step)}"
        return see(request, url, token=kept.token)
    look = await look_at(site, Caller(kept.token), stage, here)
    return fragment(request, next_step(SectionPosition(site, stage, here, look, step)), token=kept.token)


HOT = (
    Route("/lessons/{stage_id}/{section_id}", section),
    Route("/lessons/{stage_id}/{section_id}/places", keep_place, methods=["POST"]),
)
"""What a class asks for all the time: matched first, without FastAPI's parameters."""


@router.post("/lessons/{stage_id}/rounds")
async def begin_again(request: Request, stage_id: str) -> Response:
    """重学: a new round; what was answered before stays in the log."""
    site = site_of(request)
    stage = find_stage(site.course, stage_id)
    first, person = stage.sections[0], caller_of(request, await read_form(request))
    kept = await site.db.write(lesson_progress.again, person, site.course.ref(stage.id), first.id, now())
    return see(request, section_url(stage, first), token=kept.token)


@router.get("/lessons/{stage_id}")
async def overview(request: Request, stage_id: str) -> Response:
    """Goals and sections of a stage."""
    site = site_of(request)
    course = site.course
    stage = find_stage(course, stage_id)
    look, warming = await site.db.read(
        warm_ups.beside,
        caller_of(request),
        warm_up_name(course),
        now(),
        None,
        lesson_pages.load_lesson,
        course.ref(stage.id),
    )
    card = stage_card(course, stage, look.places)
    return page(
        request,
        "learning/lesson",
        known=look.learner_id is not None,
        page="lesson",
        title=stage.title,
        stage=card,
        goals=[markup(course.line(goal)) for goal in stage.goals],
        resume_url=resume_url(course, stage, look.places),
        begun=card.state != "new",
        again_action=f"/lessons/{stage.id}/rounds",
        warm_up=offer(course, warming),
    )


def find_stage(course: Course, stage_id: str) -> Stage:
    stage = course.stage(stage_id)
    if stage is None or stage.lesson is None:
        raise NotFound("没有这一段课文，也许它还在熬糖。")
    return stage


def find(course: Course, stage_id: str, section_id: str) -> tuple[Stage, Section]:
    stage = find_stage(course, stage_id)
    found = stage.section(section_id)
    if found is None:
        raise NotFound(f"《{stage.title}》里没有这一节。")
    return stage, found


async def look_at(site: Site, person: Caller, stage: Stage, here: Section) -> LessonPageData:
    """All that the page of a section must know of its reader."""
    return await site.db.read(lesson_pages.load_lesson, person, *known_of(site.course, stage, here))


def known_of(course: Course, stage: Stage, here: Section) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """What a section must know of: its stage, its examples and the cards that it offers."""
    examples = tuple(course.ref(step.example) for step in here.steps if isinstance(step, ExampleStep))
    return course.ref(stage.id), examples, tuple(map(course.ref, cards_of(course, stage, here)))


def warm_up_line(site: Site, warming: WarmUpData) -> Markup:
    """The offer of a warm-up above the steps, where there is one."""
    found = offer(site.course, warming)
    return site.render("learning/_warm_up.html", offer=found) if found else slots.NOTHING


def cards_of(course: Course, stage: Stage, here: Section) -> tuple[str, ...]:
    """The cards that a section offers to collect: those of its steps, after the 小测 all of the stage."""
    if isinstance(here, Quiz):
        return course.card_sets[stage.id]
    return tuple(card for step in here.steps if isinstance(step, CardsStep) for card in step.cards)


def step_of(request: Request, here: Section, look: LessonPageData) -> int:
    """The step of the address, else the kept one, else the first.

    A lab keeps the address of the step at which it was tried; who has gone on since sees the farther one.
    """
    total, text = len(here.steps), request.query_params.get("step", "")
    asked = min(max(1, int(text)), total + 1) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    if asked and "lab" not in request.query_params:
        return asked
    place = look.place(here.id)
    kept = 1 if place is None else total + 1 if place.done else min(place.step, total)
    return max(asked, kept)


def tried_in(request: Request) -> Query | None:
    """What the address says of a lab."""
    query = request.query_params
    return {name: query.getlist(name) for name in query} if "lab" in query else None


def target_of(course: Course, name: str, seed: int) -> Target:
    """The attempt at a lesson, in its present round."""
    return Target(source="lesson", ref=course.ref(find_stage(course, name).id), seed=seed)


def page_of(course: Course, ref: str) -> tuple[str, str] | None:
    stage = course.stage(ref)
    return (f"/lessons/{ref}", stage.title) if stage else None


CONTEXT = AnswerContext("lessons", target_of, page_of)
