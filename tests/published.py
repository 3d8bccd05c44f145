"""The course that we publish, read once in every process."""

from functools import cache
from pathlib import Path

from app.course import Course, load_course

CONTENT = Path(__file__).resolve().parents[1] / "content"


@cache
def published() -> Course:
    loaded = load_course(CONTENT)
    assert isinstance(loaded, Course), str(loaded)
    return loaded
