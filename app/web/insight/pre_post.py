"""前测与后测: two matched forms before and after a stage, and what the class gained."""

import secrets
from collections.abc import Mapping
from math import ceil

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course, Stage
from app.course.exercises.exercises import offered
from app.records.accounts.values import Caller
from app.records.db.errors import Refused
from app.records.insight.pre_post import draft_pair, load_pre_post
from app.web.classes.classrooms import Id
from app.web.insight.misconceptions import SEEDS
from app.web.site.requests import CallerDep, FormDep, Now, SiteDep
from app.web.site.responses import page, see
from app.web.site.routing import LateRoute
from app.web.site.site import site_of

router = APIRouter(route_class=LateRoute)
LEVEL = 2
SHORTEST, LONGEST = 4, 8
"""A form asks the exercises of a stage: too few questions measure nothing, too many take a lesson."""


@router.get("/classrooms/{classroom_id}/tests")
async def show(http: Request, caller: CallerDep, classroom_id: Id) -> Response:
    """Every pair, with the gain of the class."""
    return await pairs_page(http, caller, classroom_id)


async def pairs_page(
    http: Request, caller: Caller, classroom_id: int, error: str = "", status: int = 200
) -> Response:
    site = site_of(http)
    classroom, pairs = await site.db.read(load_pre_post, caller, classroom_id)
    stages = []
    for stage in site.course.stages:
        count = sum(counts_of(site.course, stage).values())
        if count:
            stages.append((stage, count))
    return page(
        http,
        "insight/pre_post",
        signed_in=True,
        status=status,
        page="class",
        title=f"前测与后测：{classroom.name}",
        row=classroom,
        pairs=pairs,
        stages=stages,
        error=error,
    )


@router.post("/classrooms/{classroom_id}/tests")
async def create(
    http: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, classroom_id: Id
) -> Response:
    """Drafts of both forms, to be read and published."""
    course = site.course
    stage = course.stage(form.text("stage"))
    title = ""
    exercises = []
    if stage:
        title = stage.title
        for exercise_id, count in counts_of(course, stage).items():
            exercises.append((course.ref(exercise_id), LEVEL, count))
    seeds = (secrets.randbelow(SEEDS), secrets.randbelow(SEEDS))
    try:
        draft_id = await site.db.write(draft_pair, caller, classroom_id, title, exercises, seeds, now)
    except Refused as error:
        return await pairs_page(http, caller, classroom_id, str(error), 422)
    return see(http, f"/classrooms/{classroom_id}/assignments/{draft_id}")


def counts_of(course: Course, stage: Stage) -> Mapping[str, int]:
    """Exercise → how many variants of it a form asks; nothing of a stage without exercises.

    Where there are too many exercises, some are left out, evenly over the stage.
    """
    exercises = []
    for exercise_id, exercise in offered(course.exercises).items():
        taught_section = course.taught_in.get(exercise.skill)
        if taught_section and taught_section.stage is stage:
            exercises.append(exercise_id)
    if not exercises:
        return {}
    step = ceil(len(exercises) / LONGEST)
    exercises = exercises[::step]
    return dict.fromkeys(exercises, ceil(SHORTEST / len(exercises)))
