"""Courses of which questions are drawn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app import engine
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


@dataclass(frozen=True)
class Drills:
    """A course of three exercises and a fixed item."""

    exercises: Mapping[str, Exercise] = field(default_factory=exercises)
    items: Mapping[str, Any] = field(default_factory=items)

    def bare_id(self, ref: str) -> str:
        return ref.partition(":")[2]


COURSES: Any = {"content": Drills()}
