"""代码题: the list, and each exercise on a page of its own. What is written stays in the browser."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.course.learning.coding import CodeExercise, UsualMistake
from app.records.db.errors import NotFound
from app.web.site.rendering import line_html, text_html, text_htmls
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()


@router.get("/code")
async def index(request: RequestDep) -> Response:
    """All exercises in Python, in the order of the course."""
    course = request.course
    exercises_with_summaries = [
        (code_exercise, line_html(course, code_exercise.summary))
        for code_exercise in course.code_exercises.values()
    ]
    return request.page(
        "learning/code_exercises",
        is_signed_in=await request.is_signed_in(),
        page="code",
        title="代码题",
        exercises_with_summaries=exercises_with_summaries,
    )


@router.get("/code/{exercise_id}")
async def show(request: RequestDep, exercise_id: str) -> Response:
    """An exercise, and the way to the next one."""
    code_exercises = request.course.code_exercises
    if exercise_id not in code_exercises:
        raise NotFound("没有这道代码题。")
    exercise_ids = list(code_exercises)
    exercise_number = exercise_ids.index(exercise_id) + 1
    following_exercises = [
        code_exercises[next_exercise_id]
        for next_exercise_id in exercise_ids[exercise_number : exercise_number + 1]
    ]
    return request.page(
        "learning/code_exercise",
        is_signed_in=await request.is_signed_in(),
        page="code",
        title=code_exercises[exercise_id].title,
        code=exercise_view(request.course, exercise_id),
        following_exercises=following_exercises,
    )


class CodeView(NamedTuple):
    """The context of `learning/_code_exercise.html`; the same for everybody."""

    exercise: CodeExercise
    task_html: Markup
    hint_htmls: Sequence[Markup]
    mistakes_with_hints: Sequence[tuple[UsualMistake, Markup]]
    explanation_html: Markup


def exercise_view(course: Course, exercise_id: str) -> CodeView:
    """An exercise with its texts as HTML."""
    code_exercise = course.code_exercises[exercise_id]
    task_html = text_html(course, code_exercise.task)
    hint_htmls = text_htmls(course, code_exercise.hints)
    mistakes_with_hints = [
        (usual_mistake, text_html(course, usual_mistake.hint)) for usual_mistake in code_exercise.usual
    ]
    return CodeView(
        code_exercise,
        task_html,
        hint_htmls,
        mistakes_with_hints,
        text_html(course, code_exercise.explanation),
    )
