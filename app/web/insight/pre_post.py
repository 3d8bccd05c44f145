"""前测与后测: two matched forms before and after a stage, and what the class gained."""

import secrets
from collections.abc import Mapping, Sequence

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course, Stage
from app.records.db.errors import Refused
from app.records.insight import pre_post, suggested_drafts
from app.web.classes.classrooms import Id
from app.web.insight.misconceptions import SEEDS
from app.web.insight.pre_post_views import pairs
from app.web.site.clock import now
from app.web.site.requests import caller_of, read_form
from app.web.site.responses import page, see
from app.web.site.site import site_of

router = APIRouter()
HERE = "/classrooms/{classroom_id}/tests"
LEVEL, SHORTEST, LONGEST = 2, 4, 8
"""A form asks the exercises of a stage: too few questions measure nothing, too many take a lesson."""


@router.get(HERE)
async def show(request: Request, classroom_id: Id) -> Response:
    """Every pair, with the gain of the class."""
    return await pairs_page(request, classroom_id)


async def pairs_page(request: Request, classroom_id: int, error: str = "", status: int = 200) -> Response:
    site = site_of(request)
    look = await site.db.read(pre_post.load_pre_post, caller_of(request), classroom_id)
    stages = [(stage, sum(counts_of(site.course, stage).values())) for stage in site.course.stages]
    return page(
        request,
        "insight/pre_post",
        known=True,
        status=status,
        page="class",
        title=f"前测与后测：{look.row.name}",
        row=look.row,
        pairs=pairs(look),
        stages=[(stage, count) for stage, count in stages if count],
        error=error,
    )


@router.post(HERE)
async def create(request: Request, classroom_id: Id) -> Response:
    """Drafts of both forms, to be looked at and published."""
    site, form = site_of(request), await read_form(request)
    stage = site.course.stage(form.one("stage"))
    counts = counts_of(site.course, stage) if stage else {}
    exercises = [(site.course.ref(name), LEVEL, count) for name, count in counts.items()]
    seeds = (secrets.randbelow(SEEDS), secrets.randbelow(SEEDS))
    try:
        made = await site.db.write(
            suggested_drafts.pair,
            caller_of(request),
            classroom_id,
            stage.title if stage else "",
            exercises,
            seeds,
            now(),
        )
    except Refused as error:
        return await pairs_page(request, classroom_id, str(error), 422)
    return see(request, f"/classrooms/{classroom_id}/assignments/{made}")


def counts_of(course: Course, stage: Stage) -> Mapping[str, int]:
    """How many variants of each exercise a form asks; nothing of a stage without exercises."""
    found = exercises_of(course, stage)
    each = -(-SHORTEST // len(found)) if found else 0
    return dict.fromkeys(found, each)


def exercises_of(course: Course, stage: Stage) -> Sequence[str]:
    """The exercises of what a stage teaches, spread over it when there are too many."""
    found = [
        name
        for name, one in course.exercises.items()
        if one.skill in course.homes and course.homes[one.skill][0] is stage
    ]
    step = -(-len(found) // LONGEST)
    return found[::step] if step else found
