"""JSON Schema of the content files, for editors."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from app.course.content import model
from app.course.games import Games
from app.course.reference.errata import ErrataFile

FILES: Mapping[str, type[BaseModel]] = {
    "course.yaml": model.Outline,
    "lesson.yaml": model.Lesson,
    "games.yaml": Games,
    "errata.yaml": ErrataFile,
    **{f"{kind}.yaml": file_model for kind, file_model in model.FILES_OF_PIECES.items()},
}


def schema() -> dict[str, Any]:
    """A schema for each file name.

    >>> sorted(schema())[:3]
    ['bands.yaml', 'cards.yaml', 'code.yaml']
    """
    return {file: _closed(_schema_of(file_model)) for file, file_model in FILES.items()}


def _schema_of(file_model: type[BaseModel]) -> dict[str, Any]:
    whole = file_model.model_json_schema()
    if issubclass(file_model, model.WrappedFile):
        return {**whole["properties"][file_model.field_name()], "$defs": whole.get("$defs", {})}
    return whole


def _closed(part: Any) -> Any:
    """Mappings by id take ids only: pydantic says how keys look, but not that others are wrong."""
    if isinstance(part, list):
        return [_closed(element) for element in part]
    if not isinstance(part, dict):
        return part
    closed = {key: _closed(element) for key, element in part.items()}
    if "patternProperties" in part:
        closed["additionalProperties"] = False
    return closed
