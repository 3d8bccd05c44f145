"""Courses of which questions are drawn."""

from collections.abc import Mapping
from typing import Any

from app import engine
from app.course import Course
from app.course.exercises.exercises import Exercise, practice_item_id
from app.course.items.kinds.generated import Generated


def exercises() -> Mapping[str, Exercise]:
    return {
        name: Exercise.model_construct(kind="numeric", generator=name)
        for name in ("dcg-at-k", "discount", "term")
    }


def items() -> Mapping[str, Any]:
    drills: dict[str, Any] = {"dcg-at-3": None}
    for name in exercises():
        for level in engine.LEVELS:
            item_id = practice_item_id(name, level)
            drills[item_id] = Generated(kind="generated", id=item_id, exercise=name, level=level)
    return drills


COURSES = {
    "content": Course(
        prefix="content",
        title="三种练习，一道固定的题",
        stages=(),
        placement=(),
        items=items(),
        examples={},
        value_by_name={},
        cards={},
        glossary=(),
        bands=(),
        skills={},
        scenes={},
        exercises=exercises(),
        digest="",
    )
}
