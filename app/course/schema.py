"""JSON Schema of the content files, for editors."""

from typing import Any

from app.course.model import ExamplesFile, GlossaryFile, ItemsFile, Lesson, Outline, SkillsFile


def schema() -> dict[str, Any]:
    """A schema for each file name.

    >>> sorted(schema())
    ['course.yaml', 'examples.yaml', 'glossary.yaml', 'items.yaml', 'lesson.yaml', 'skills.yaml']
    """
    wrapped = {
        "items.yaml": (ItemsFile, "items"),
        "examples.yaml": (ExamplesFile, "examples"),
        "glossary.yaml": (GlossaryFile, "terms"),
        "skills.yaml": (SkillsFile, "skills"),
    }
    inner = {file: _inner(model.model_json_schema(), field) for file, (model, field) in wrapped.items()}
    return {"course.yaml": Outline.model_json_schema(), "lesson.yaml": Lesson.model_json_schema(), **inner}


def _inner(whole: dict[str, Any], field: str) -> dict[str, Any]:
    """Files hold the mapping or list itself, without the name around it."""
    return {**whole["properties"][field], "$defs": whole.get("$defs", {})}
