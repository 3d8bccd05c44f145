"""JSON Schema of the content files, for editors."""

from typing import Any

from pydantic import BaseModel

from app.course.content.model import (
    BandsFile,
    CardsFile,
    CodeFile,
    ExamplesFile,
    ExercisesFile,
    GlossaryFile,
    ItemsFile,
    Lesson,
    Outline,
    ScenesFile,
    SkillsFile,
)
from app.course.games import Games
from app.course.reference.errata import ErrataFile

_WHOLE: dict[str, type[BaseModel]] = {
    "course.yaml": Outline,
    "lesson.yaml": Lesson,
    "games.yaml": Games,
    "errata.yaml": ErrataFile,
}
_WRAPPED: dict[str, tuple[type[BaseModel], str]] = {
    "items.yaml": (ItemsFile, "items"),
    "code.yaml": (CodeFile, "exercises"),
    "examples.yaml": (ExamplesFile, "examples"),
    "cards.yaml": (CardsFile, "cards"),
    "bands.yaml": (BandsFile, "bands"),
    "glossary.yaml": (GlossaryFile, "terms"),
    "skills.yaml": (SkillsFile, "skills"),
    "scenes.yaml": (ScenesFile, "scenes"),
    "exercises.yaml": (ExercisesFile, "exercises"),
}


def schema() -> dict[str, Any]:
    """A schema for each file name.

    >>> sorted(schema())[:3]
    ['bands.yaml', 'cards.yaml', 'code.yaml']
    """
    inner = {file: _inner(model.model_json_schema(), field) for file, (model, field) in _WRAPPED.items()}
    whole = {file: model.model_json_schema() for file, model in _WHOLE.items()}
    return {file: _closed(one) for file, one in (whole | inner).items()}


def _inner(whole: dict[str, Any], field: str) -> dict[str, Any]:
    """Files hold the mapping or list itself, without the name around it."""
    return {**whole["properties"][field], "$defs": whole.get("$defs", {})}


def _closed(part: Any) -> Any:
    """Mappings by id take ids only: pydantic says how keys look, but not that others are wrong."""
    if isinstance(part, list):
        return [_closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    closed = {key: _closed(one) for key, one in part.items()}
    return {**closed, "additionalProperties": False} if "patternProperties" in part else closed
