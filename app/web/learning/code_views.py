"""An exercise in Python as its template needs it."""

from typing import Any

from app.course import Course
from app.web.site.responses import markup


def exercise_view(course: Course, exercise_id: str) -> dict[str, Any]:
    """The context of `learning/_code_exercise.html`; the same for everybody."""
    exercise = course.code[exercise_id]
    usual = [
        {**one.model_dump(exclude={"hint"}), "hint": markup(course.html(one.hint))} for one in exercise.usual
    ]
    return {
        "id": exercise.id,
        "title": exercise.title,
        "minutes": exercise.minutes,
        "task": markup(course.html(exercise.task)),
        "starter": exercise.starter.rstrip("\n"),
        "lines": exercise.starter.count("\n"),
        "tests": exercise.tests,
        "hints": [markup(course.html(hint)) for hint in exercise.hints],
        "usual": usual,
        "solution": exercise.solution.rstrip("\n"),
        "source": exercise.source,
        "explanation": markup(course.html(exercise.explanation)),
    }


def exercise_link(course: Course, exercise_id: str) -> dict[str, Any]:
    """An exercise in a list."""
    exercise = course.code[exercise_id]
    summary = markup(course.line(exercise.summary))
    url = f"/code/{exercise_id}"
    return {"title": exercise.title, "summary": summary, "minutes": exercise.minutes, "url": url}
