"""代码题: the list, and each exercise on a page of its own. What is written stays in the browser."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.records.accounts import learners
from app.records.db.errors import NotFound
from app.web.site.requests import CallerDep, SiteDep
from app.web.site.responses import markup, page

router = APIRouter()


@router.get("/code")
async def index(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """All exercises in Python, in the order of the course."""
    course = site.course
    learner_id = await site.db.read(learners.load_visitor, caller)
    return page(
        request,
        "learning/code_exercises",
        signed_in=learner_id is not None,
        page="code",
        title="代码题",
        exercises=[(exercise, markup(course.line(exercise.summary))) for exercise in course.code.values()],
    )


@router.get("/code/{exercise_id}")
async def show(request: Request, site: SiteDep, caller: CallerDep, exercise_id: str) -> Response:
    """An exercise, and the way to the next one."""
    course = site.course
    if exercise_id not in course.code:
        raise NotFound("没有这道代码题。")
    ids = list(course.code)
    following = ids[ids.index(exercise_id) + 1 :]
    learner_id = await site.db.read(learners.load_visitor, caller)
    return page(
        request,
        "learning/code_exercise",
        signed_in=learner_id is not None,
        page="code",
        title=course.code[exercise_id].title,
        code=exercise_view(course, exercise_id),
        following=[course.code[next_id] for next_id in following[:1]],
    )


def exercise_view(course: Course, exercise_id: str) -> dict[str, Any]:
    """The context of `learning/_code_exercise.html`; the same for everybody."""
    exercise = course.code[exercise_id]
    return {
        "exercise": exercise,
        "task": markup(course.html(exercise.task)),
        "hints": [markup(course.html(hint)) for hint in exercise.hints],
        "mistakes": [(mistake, markup(course.html(mistake.hint))) for mistake in exercise.usual],
        "explanation": markup(course.html(exercise.explanation)),
    }
