"""起点测试: a few questions one after another, and then where to begin, and why."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.records.db.errors import NotFound
from app.records.learning import attempts
from app.records.learning.values import ItemLog, Target
from app.web.items.item_views import item_state, render_item
from app.web.practice.placement_views import answered, recommendation
from app.web.site import slots
from app.web.site.contexts import AnswerContext
from app.web.site.requests import caller_of, typed_in
from app.web.site.responses import page
from app.web.site.site import Site, site_of

router = APIRouter()
URL, NAME = "/placement", "questions"
"""Answers are posted to `/placement/questions/responses`."""


@router.get(URL)
async def placement(request: Request) -> Response:
    """The question of the address, else the first one that is open; after the last one, where to begin."""
    site = site_of(request)
    course = site.course
    if not course.placement:
        raise NotFound("这门课没有起点测试，从第一段学起就好。")
    log = await look(request, course)
    step, total = step_of(request, course, log), len(course.placement)
    over = step > total
    return page(
        request,
        "practice/placement",
        known=log.learner_id is not None,
        page="placement",
        title="从哪里开始",
        step=step,
        total=total,
        found=recommendation(course, answered(course, log.responses)) if over else None,
        item_html=None if over else asked(request, site, log, step),
    )


async def look(request: Request, course: Course) -> ItemLog:
    """Everything this learner has answered here."""
    refs = tuple(course.ref(entry.item) for entry in course.placement)
    return await site_of(request).db.read(
        attempts.load_item_log, caller_of(request), target(course), refs[0], refs
    )


def asked(request: Request, site: Site, log: ItemLog, step: int) -> str:
    """The question, with its answer if there is one."""
    item = site.course.placement[step - 1].item
    look = item_state(
        site.course, item, log.responses, log.hints, seed=log.seed, probe=True, typed=typed_in(request)
    )
    base = f"/attempts/{log.attempt_id}" if log.attempt_id else f"{URL}/{NAME}"
    return slots.fill(render_item(site, look), {slots.BASE: base, slots.NEXT: f"{URL}?step={step}"})


def step_of(request: Request, course: Course, log: ItemLog) -> int:
    """Which question; one past the last is the recommendation."""
    text, total = request.query_params.get("step", ""), len(course.placement)
    if text.isascii() and text.isdigit() and len(text) < 4:
        return min(max(1, int(text)), total + 1)
    given = answered(course, log.responses)
    open_ones = [step for step, entry in enumerate(course.placement, 1) if entry.item not in given]
    return open_ones[0] if open_ones else total + 1


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
