"""代码题: the list, and each exercise on a page of its own. What is written stays in the browser."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.accounts import learners
from app.records.db.errors import NotFound
from app.web.learning.code_views import exercise_link, exercise_view
from app.web.site.dependencies import CallerDep, SiteDep
from app.web.site.responses import page

router = APIRouter()


@router.get("/code")
async def index(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """All exercises in Python, in the order of the course."""
    learner_id = await site.db.read(learners.load_visitor, caller)
    return page(
        request,
        "learning/code_exercises",
        known=learner_id is not None,
        page="code",
        title="代码题",
        exercises=[exercise_link(site.course, exercise_id) for exercise_id in site.course.code],
    )


@router.get("/code/{exercise_id}")
async def show(request: Request, site: SiteDep, caller: CallerDep, exercise_id: str) -> Response:
    """An exercise, and the way to the next one."""
    course = site.course
    if exercise_id not in course.code:
        raise NotFound("没有这道代码题。")
    ids = list(course.code)
    following = ids[ids.index(exercise_id) + 1 :]
    after = None
    if following:
        after = exercise_link(course, following[0])
    learner_id = await site.db.read(learners.load_visitor, caller)
    return page(
        request,
        "learning/code_exercise",
        known=learner_id is not None,
        page="code",
        title=course.code[exercise_id].title,
        code=exercise_view(course, exercise_id),
        after=after,
    )
