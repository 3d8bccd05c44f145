"""代码题: the list, and each exercise on a page of its own. What is written stays in the browser."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records import learners
from app.records.errors import NotFound
from app.web.asking import who
from app.web.pages import page
from app.web.site import site_of
from app.web.views.code import exercise_link, exercise_view

router = APIRouter()


@router.get("/code")
async def every(request: Request) -> Response:
    """All exercises in Python, in the order of the course."""
    site = site_of(request)
    course = site.course
    known = await site.db.read(learners.present, who(request)) is not None
    links = [exercise_link(course, one) for one in course.code]
    return page(request, "codes", known=known, page="code", title="代码题", exercises=links)


@router.get("/code/{exercise_id}")
async def show(request: Request, exercise_id: str) -> Response:
    """An exercise, and the way to the next one."""
    site = site_of(request)
    course = site.course
    if exercise_id not in course.code:
        raise NotFound("没有这道代码题。")
    known = await site.db.read(learners.present, who(request)) is not None
    ids = list(course.code)
    rest = ids[ids.index(exercise_id) + 1 :]
    return page(
        request,
        "code",
        known=known,
        page="code",
        title=course.code[exercise_id].title,
        code=exercise_view(course, exercise_id),
        after=exercise_link(course, rest[0]) if rest else None,
    )
