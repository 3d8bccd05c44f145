"""起点测试: a few questions one after another, and then where to begin, and why."""

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.records.db.errors import NotFound
from app.records.learning.attempts import load_item_log
from app.records.learning.values import ItemLog, Target
from app.web.items.item_views import item_state, render_item
from app.web.practice.placement_views import answered, recommendation
from app.web.site import slots
from app.web.site.contexts import AnswerContext
from app.web.site.dependencies import CallerDep, SiteDep
from app.web.site.requests import Typed, typed_in
from app.web.site.responses import page
from app.web.site.site import Site

router = APIRouter()
URL, NAME = "/placement", "questions"
"""Answers are posted to `/placement/questions/responses`."""


@router.get(URL)
async def placement(request: Request, site: SiteDep, caller: CallerDep, step: str = "") -> Response:
    """The question of the address, else the first one that is open; after the last one, where to begin."""
    course = site.course
    if not course.placement:
        raise NotFound("这门课没有起点测试，从第一段学起就好。")
    refs = tuple(course.ref(entry.item) for entry in course.placement)
    log = await site.db.read(load_item_log, caller, target(course), refs[0], refs)
    number, total = step_number(course, step, log), len(course.placement)
    recommended, html = None, None
    if number > total:
        recommended = recommendation(course, answered(course, log.responses))
    else:
        html = question_html(site, log, number, typed_in(request))
    return page(
        request,
        "practice/placement",
        known=log.learner_id is not None,
        page="placement",
        title="从哪里开始",
        step=number,
        total=total,
        recommendation=recommended,
        item_html=html,
    )


def step_number(course: Course, step: str, log: ItemLog) -> int:
    """Which question; one past the last is the recommendation."""
    after_last = len(course.placement) + 1
    if step.isascii() and step.isdigit() and len(step) < 4:
        return min(max(1, int(step)), after_last)
    right_by_item = answered(course, log.responses)
    for number, entry in enumerate(course.placement, 1):
        if entry.item not in right_by_item:
            return number
    return after_last


def question_html(site: Site, log: ItemLog, step: int, typed: Typed | None) -> Markup:
    """The question, with its answer if there is one."""
    item = site.course.placement[step - 1].item
    state = item_state(site.course, item, log.responses, log.hints, seed=log.seed, probe=True, typed=typed)
    base = f"/attempts/{log.attempt_id}" if log.attempt_id else f"{URL}/{NAME}"
    return slots.fill(render_item(site, state), {slots.BASE: base, slots.NEXT: f"{URL}?step={step}"})


def target(course: Course) -> Target:
    """The one attempt of a learner."""
    return Target(source="practice", ref=course.ref("placement"))


def target_of(course: Course, name: str, _seed: int) -> Target:
    """The attempt to which answers are posted."""
    if name != NAME or not course.placement:
        raise NotFound("没有这个起点测试。")
    return target(course)


def page_of(_course: Course, ref: str) -> tuple[str, str] | None:
    return (URL, "起点测试") if ref == "placement" else None


CONTEXT = AnswerContext("placement", target_of, page_of)
