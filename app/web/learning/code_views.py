"""An exercise in Python as its template needs it."""

from typing import Any

from app.course import Course
from app.web.site.responses import markup


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


def exercise_link(course: Course, exercise_id: str) -> dict[str, Any]:
    """An exercise in a list."""
    exercise = course.code[exercise_id]
    return {
        "title": exercise.title,
        "summary": markup(course.line(exercise.summary)),
        "minutes": exercise.minutes,
        "url": f"/code/{exercise_id}",
    }
