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
from app.records.practice import learner_pages
from app.web.learning import warm_up_views
from app.web.learning.section_position import SectionPosition
from app.web.learning.section_views import anchor, frame, next_step, steps_so_far
from app.web.learning.stage_views import resume_url, section_url, stage_card
from app.web.site import slots
from app.web.site.clock import now
from app.web.site.contexts import AnswerContext
from app.web.site.dependencies import CallerDep, Now, SiteDep
from app.web.site.requests import caller_of, read_form, typed_in
from app.web.site.responses import fragment, kept_page, markup, page, see, wants_fragment
from app.web.site.site import Site, site_of

router = APIRouter()


async def show_section(request: Request) -> Response:
    """A section, as far as the address says, or else the place that was saved."""
    site = site_of(request)
    stage, section = find(site.course, **request.path_params)
    lesson, warm_up = await site.db.read(
        learner_pages.load_section_page,
        caller_of(request),
        *needs_of(site.course, stage, section),
        warm_up_views.name(site.course),
        now(),
    )
    step = step_of(request, section, lesson)
    at = SectionPosition(site, stage, section, lesson, step, lab_query(request))
    steps = steps_so_far(at, typed_in(request))
    parts = {slots.WARM_UP: warm_up_line(site, warm_up), slots.STEPS: steps, **at.own}
    return kept_page(
        request,
        "learning/section",
        at.key,
        lambda: frame(at),
        parts,
        known=lesson.learner_id is not None,
    )


async def keep_place(request: Request) -> Response:
    """下一步: keep the place, show the step that comes."""
    site = site_of(request)
    stage, section = find(site.course, **request.path_params)
    form = await read_form(request)
    total = len(section.steps)
    step = min(max(1, form.number("step")), total + 1)
    place = await site.db.write(
        lesson_progress.keep,
        caller_of(request, form),
        site.course.ref(stage.id),
        section.id,
        min(step, total),
        step > total,
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
    place = await site.db.write(lesson_progress.again, caller, site.course.ref(stage.id), section.id, now)
    return see(request, section_url(stage, section), token=place.token)


@router.get("/lessons/{stage_id}")
async def overview(request: Request, site: SiteDep, caller: CallerDep, now: Now, stage_id: str) -> Response:
    """Goals and sections of a stage."""
    course = site.course
    stage = find_stage(course, stage_id)
    lesson, warm_up = await site.db.read(
        learner_pages.load_stage_page, caller, course.ref(stage.id), warm_up_views.name(course), now
    )
    card = stage_card(course, stage, lesson.places)
    return page(
        request,
        "learning/lesson",
        known=lesson.learner_id is not None,
        page="lesson",
        title=stage.title,
        stage=card,
        goals=[markup(course.line(goal)) for goal in stage.goals],
        resume_url=resume_url(course, stage, lesson.places),
        begun=card.state != "new",
        again_action=f"/lessons/{stage.id}/rounds",
        warm_up=warm_up_views.offer(course, warm_up),
    )


def find_stage(course: Course, stage_id: str) -> Stage:
    """A stage with its lesson; NotFound while it has none."""
    stage = course.stage(stage_id)
    if stage is None or stage.lesson is None:
        raise NotFound("没有这一段课文，也许它还在熬糖。")
    return stage


def find(course: Course, stage_id: str, section_id: str) -> tuple[Stage, Section]:
    """A section and its stage; NotFound for what is not there."""
    stage = find_stage(course, stage_id)
    section = stage.section(section_id)
    if section is None:
        raise NotFound(f"《{stage.title}》里没有这一节。")
    return stage, section


async def look_at(site: Site, caller: Caller, stage: Stage, section: Section) -> LessonPageData:
    """All that the page of a section must know of its reader."""
    return await site.db.read(lesson_pages.load_lesson, caller, *needs_of(site.course, stage, section))


def needs_of(course: Course, stage: Stage, section: Section) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """What is to be read for a section: its stage, its examples and the cards that it offers, as refs."""
    examples = tuple(course.ref(step.example) for step in section.steps if isinstance(step, ExampleStep))
    cards = tuple(map(course.ref, cards_of(course, stage, section)))
    return course.ref(stage.id), examples, cards


def cards_of(course: Course, stage: Stage, section: Section) -> list[str]:
    """The cards that a section offers to collect: those of its steps, after the 小测 all of the stage."""
    if isinstance(section, Quiz):
        return list(course.card_sets[stage.id])
    cards: list[str] = []
    for step in section.steps:
        if isinstance(step, CardsStep):
            cards += step.cards
    return cards


def warm_up_line(site: Site, warm_up: WarmUpData) -> Markup:
    """The offer of a warm-up above the steps, where there is one."""
    offer = warm_up_views.offer(site.course, warm_up)
    if offer is None:
        return slots.NOTHING
    return site.render("learning/_warm_up.html", offer=offer)


def step_of(request: Request, section: Section, lesson: LessonPageData) -> int:
    """The step of the address, else the one that was saved, else the first.

    A lab keeps the address of the step at which it was tried; who has gone on since sees the farther one.
    """
    total = len(section.steps)
    place = lesson.place(section.id)
    furthest = 1
    if place and place.done:
        furthest = total + 1
    elif place:
        furthest = min(place.step, total)
    number = number_in(request.query_params.get("step", ""))
    if number is None:
        return furthest
    step = min(max(1, number), total + 1)
    if "lab" in request.query_params:
        return max(step, furthest)
    return step


def number_in(text: str) -> int | None:
    """A number of at most three digits in an address; None for everything else.

    >>> number_in("12"), number_in("1234"), number_in("二")
    (12, None, None)
    """
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        return None
    return int(text)


def lab_query(request: Request) -> Query | None:
    """The fields of the address, where it is about a lab."""
    if "lab" not in request.query_params:
        return None
    return fields_of(request)


def fields_of(request: Request) -> Query:
    """The fields of an address; empty ones say nothing."""
    query = request.query_params
    return {name: query.getlist(name) for name in query}


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
