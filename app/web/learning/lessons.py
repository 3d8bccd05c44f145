"""Lessons: the overview of a stage, and a section as a paced dialogue."""

from collections.abc import Sequence
from functools import partial

from fastapi import Request
from starlette.responses import Response
from starlette.routing import Route

from app.course import Course, Stage
from app.course.content.model import Section
from app.course.text.typed import AddressFields
from app.records.accounts.values import Caller
from app.records.db.session import VerbSession
from app.records.db.trails import read_result_and_trail
from app.records.learning import lesson_progress
from app.records.learning.values import AttemptKey, LessonPageData, WarmUpData
from app.records.practice import learner_pages
from app.web.items.answer_contexts import AnswerContext
from app.web.items.typed_answers import (
    TypedAnswer,
    path_and_typed_answers,
    path_with_answers,
    typed_answer_of_form,
    typed_answers_of_address,
    untouched_answer,
)
from app.web.learning.known_pages import keep_page
from app.web.learning.section_position import (
    SectionPosition,
    known_stage,
    known_stage_and_section,
    read_lesson,
    stage_and_example_and_card_refs,
)
from app.web.learning.stage_views import (
    count_warm_up_questions,
    resume_url,
    section_url,
    stage_view,
    warm_up_ref_prefix,
)
from app.web.learning.step_views import key_of_step, step_html
from app.web.site import clock, slots
from app.web.site.packing import PackedPage
from app.web.site.rendering import line_htmls
from app.web.site.requests import (
    CallerRequest,
    RequestDep,
    address_fields_of,
    caller_of,
    read_request,
    small_number_of_text,
)
from app.web.site.responses import NOT_FOR_CRAWLERS, Context, kept_page
from app.web.site.routing import LazyRouter
from app.web.site.site import site_of

router = LazyRouter()


async def show_section(http: Request) -> Response:
    """A section, as far as the address says, or else the place that was saved."""
    site = site_of(http)
    stage, section = known_stage_and_section(site.course, **http.path_params)
    refs_of_section = stage_and_example_and_card_refs(site.course, stage, section)
    caller, warm_up_prefix, asked_at = caller_of(http), warm_up_ref_prefix(site.course), clock.now()

    def load_lesson_and_warm_up(session: VerbSession) -> tuple[LessonPageData, WarmUpData]:
        return learner_pages.load_section_and_warm_up(
            session, caller, *refs_of_section, warm_up_prefix, asked_at
        )

    (lesson_data, warm_up_data), trail = await site.db.glance(read_result_and_trail, load_lesson_and_warm_up)
    step_number = step_number_of(http, section, lesson_data)
    lab_and_toy_fields = fields_if_about(http, "lab"), fields_if_about(http, "toy")
    section_position = SectionPosition(
        site, stage, section, lesson_data, step_number, *lab_and_toy_fields, typed_answers_of_address(http)
    )
    warm_up_htmls = []
    if warm_up_question_count := count_warm_up_questions(site.course, warm_up_data):
        warm_up_htmls = [site.render("learning/_warm_up.html", question_count=warm_up_question_count)]
    packed_page = section_page(http, section_position, warm_up_htmls)
    if learner_pages.has_answered_lately(lesson_data, asked_at) and http.query_params.keys() <= {"step"}:
        keep_page(http, packed_page, trail, learner_pages.busy_until(lesson_data))
    http_response = packed_page.response(http)
    if section_position.toy_fields:
        http_response.headers.update(NOT_FOR_CRAWLERS)
    return http_response


def section_page(
    http: Request, section_position: SectionPosition, warm_up_htmls: Sequence[str] = ()
) -> PackedPage:
    """The page of a section; its frame is rendered once for all who have come as far."""
    htmls_by_slot = {slots.STEPS: htmls_of_open_steps(section_position), slots.WARM_UP: warm_up_htmls}
    is_signed_in = section_position.lesson_data.learner_id is not None
    template_name = "learning/section"
    return kept_page(
        http,
        template_name,
        section_position.page_key,
        lambda: frame_context(section_position),
        htmls_by_slot,
        section_position.text_by_slot,
        is_signed_in=is_signed_in,
    )


async def keep_place(http: Request) -> Response:
    """下一步: keep the place, show the step that comes."""
    request = await read_request(http)
    stage, section = known_stage_and_section(request.course, **http.path_params)
    return await go_to_next_step(request, stage, section)


async def go_to_next_step(request: CallerRequest, stage: Stage, section: Section) -> Response:
    """The place is kept; the step that comes, or the page that shows it."""
    site, form = request.site, request.form
    number_after_last = len(section.steps) + 1
    step_number = min(max(1, form.number("step", 1)), number_after_last)
    stage_ref = site.course.ref(stage.id)
    new_place = await request.write(
        lesson_progress.advance_place, stage_ref, section, step_number, request.now
    )
    if not request.wants_fragment:
        next_step_url = f"{section_url(stage, section, site.own_address)}?step={step_number}"
        next_step_url += f"#{step_anchor(section, step_number)}"
        unsent_answer = typed_answer_of_form(form)._replace(is_refused=False)
        _, carried_answers = path_and_typed_answers(form.next_path(""), unsent_answer.item_id)
        next_step_url = path_with_answers(next_step_url, carried_answers)
        if is_begun(site.course, unsent_answer, form.number("seed", 0)):
            next_step_url = unsent_answer.url_within(next_step_url)
        return request.redirect(next_step_url, token=new_place.token)
    lesson_data = await read_lesson(site, Caller(new_place.token), stage, section)
    section_position = SectionPosition(site, stage, section, lesson_data, step_number)
    return request.fragment(next_step_html(section_position), token=new_place.token)


def is_begun(course: Course, unsent_answer: TypedAnswer, seed: int) -> bool:
    """Whether somebody has done something in the form of an item that is not sent yet."""
    if not any(unsent_answer.raw) or unsent_answer.item_id not in course.items:
        return False
    return unsent_answer.raw != untouched_answer(course.variant(unsent_answer.item_id, seed))


FREQUENT_ROUTES = (
    Route("/lessons/{stage_id}/{section_id}", show_section),
    Route("/lessons/{stage_id}/{section_id}/places", keep_place, methods=["POST"]),
)
"""What a class asks for all the time: matched first, without FastAPI's parameters."""


@router.post("/lessons/{stage_id}/rounds")
async def begin_stage_again(request: RequestDep, stage_id: str) -> Response:
    """重学: a new round; what was answered before stays in the log."""
    stage = known_stage(request.course, stage_id)
    section = stage.sections[0]
    stage_ref = request.course.ref(stage.id)
    new_place = await request.write(lesson_progress.begin_stage_again, stage_ref, section, request.now)
    return request.redirect(section_url(stage, section), token=new_place.token)


@router.get("/lessons/{stage_id}")
async def show_overview(request: RequestDep, stage_id: str) -> Response:
    """Goals and sections of a stage."""
    course = request.course
    stage = known_stage(course, stage_id)
    stage_ref = course.ref(stage.id)
    lesson_data, warm_up_data = await request.read(
        learner_pages.load_stage_and_warm_up, stage_ref, warm_up_ref_prefix(course), request.now
    )
    view_of_stage = stage_view(course, stage, lesson_data.places)
    goal_htmls = line_htmls(course, stage.goals)
    stage_resume_url = resume_url(course, stage, lesson_data.places)
    warm_up_question_count = count_warm_up_questions(course, warm_up_data)
    return request.page(
        "learning/lesson",
        is_signed_in=lesson_data.learner_id is not None,
        page="lesson",
        title=stage.title,
        stage=view_of_stage,
        goals=goal_htmls,
        resume_url=stage_resume_url,
        is_begun=view_of_stage.state != "new",
        again_action=f"/lessons/{stage.id}/rounds",
        warm_up_question_count=warm_up_question_count,
    )


def step_number_of(http: Request, section: Section, lesson_data: LessonPageData) -> int:
    """The step of the address, by its number or its id, else the one that was saved, else the first.

    A lab and a toy keep the address of the step at which they were tried; who has gone on since sees the
    farther one.
    """
    step_count = len(section.steps)
    lesson_place = lesson_data.place_of_section(section.id)
    furthest_step_number = 1
    if lesson_place and lesson_place.is_done:
        furthest_step_number = step_count + 1
    elif lesson_place:
        furthest_step_number = section.step_number_at(lesson_place.step_id, lesson_place.step_number)
    typed_step_text = http.query_params.get("step", "")
    named_step_number = small_number_of_text(typed_step_text) or section.step_number_of(typed_step_text)
    if named_step_number is None:
        return furthest_step_number
    step_number = min(max(1, named_step_number), step_count + 1)
    if "lab" in http.query_params or "toy" in http.query_params:
        return max(step_number, furthest_step_number)
    return step_number


def fields_if_about(http: Request, field_name: str) -> AddressFields | None:
    """The fields of the address, where it is about a `lab` or a `toy` (a movable row of candies)."""
    if field_name not in http.query_params:
        return None
    return address_fields_of(http)


def frame_context(section_position: SectionPosition) -> Context:
    """The context of `learning/section.html`: everything but the steps."""
    title = f"{section_position.section.title}·{section_position.stage.title}"
    context = {"page": "lesson", "title": title, "steps": slots.STEPS, "warm_up": slots.WARM_UP}
    return context | moves_context(section_position)


def htmls_of_open_steps(section_position: SectionPosition) -> list[str]:
    """The steps that are open, with the slots of their items; each is kept for all to whom it looks alike."""
    open_steps = section_position.section.steps[: section_position.step_number]
    if section_position.typed_answers or section_position.lab_fields or section_position.toy_fields:
        return [step_html(section_position, step) for step in open_steps]
    step_htmls: list[str] = []
    for step in open_steps:
        render = partial(step_html, section_position, step)
        step_key = key_of_step(section_position, step)
        if step_key is None:
            step_htmls.append(render())
        else:
            step_htmls.append(section_position.site.cached_html(step_key, render))
    return step_htmls


def next_step_html(section_position: SectionPosition) -> str:
    """The fragment of 下一步: the step that comes, and the moves after it."""
    context = moves_context(section_position) | {"is_out_of_band": True, "sender_field": slots.SENDER}
    moves_html = section_position.site.render("learning/_moves.html", **context)
    if section_position.is_finished:
        return moves_html
    html_of_step = step_html(
        section_position, section_position.section.steps[section_position.step_number - 1]
    )
    return slots.fill(html_of_step, section_position.text_by_slot) + moves_html


def moves_context(section_position: SectionPosition) -> Context:
    """The context of `learning/_moves.html`, and of the page around it."""
    view_of_stage = stage_view(
        section_position.course,
        section_position.stage,
        section_position.lesson_data.places,
        section_position.site.own_address,
    )
    section_number = section_position.stage.sections.index(section_position.section) + 1
    following_step_number = section_position.step_number + 1
    next_anchor = step_anchor(section_position.section, following_step_number)
    next_url = f"{section_position.url}?step={following_step_number}#{next_anchor}"
    return {
        "position": section_position,
        "stage": view_of_stage,
        "section_number": section_number,
        "next_url": next_url,
    }


def step_anchor(section: Section, step_number: int) -> str:
    """The place of a step on the page of its section; past the last step, that of the end."""
    if step_number > len(section.steps):
        return "moves-finish"
    return f"step-{section.steps[step_number - 1].id}"


def attempt_key_of(course: Course, stage_id: str, seed: int) -> AttemptKey:
    """The attempt at a lesson, in its present round."""
    stage = known_stage(course, stage_id)
    return AttemptKey(source="lesson", ref=course.ref(stage.id), seed=seed)


def url_and_title_of(course: Course, attempt_ref: str) -> tuple[str, str] | None:
    """Address and title of the lesson that an attempt was made at."""
    stage = course.stage(attempt_ref)
    if stage is None:
        return None
    return f"/lessons/{attempt_ref}", stage.title


ANSWER_CONTEXT = AnswerContext("lessons", attempt_key_of, url_and_title_of)
