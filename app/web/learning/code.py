"""代码题: the list, and each exercise on a page of its own. What is written stays in the browser."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.accounts import learners
from app.records.db.errors import NotFound
from app.web.learning.code_views import exercise_link, exercise_view
from app.web.site.requests import caller_of
from app.web.site.responses import page
from app.web.site.site import site_of

router = APIRouter()


@router.get("/code")
async def index(request: Request) -> Response:
    """All exercises in Python, in the order of the course."""
    site = site_of(request)
    course = site.course
    known = await site.db.read(learners.load_visitor, caller_of(request)) is not None
    links = [exercise_link(course, one) for one in course.code]
    return page(request, "learning/code_exercises", known=known, page="code", title="代码题", exercises=links)


@router.get("/code/{exercise_id}")
async def show(request: Request, exercise_id: str) -> Response:
    """An exercise, and the way to the next one."""
    site = site_of(request)
    course = site.course
    if exercise_id not in course.code:
        raise NotFound("没有这道代码题。")
    known = await site.db.read(learners.load_visitor, caller_of(request)) is not None
    ids = list(course.code)
    rest = ids[ids.index(exercise_id) + 1 :]
    return page(
        request,
        "learning/code_exercise",
        known=known,
        page="code",
        title=course.code[exercise_id].title,
        code=exercise_view(course, exercise_id),
        after=exercise_link(course, rest[0]) if rest else None,
    )
