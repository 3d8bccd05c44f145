"""Finds every text of a piece of content, with the path to it."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, get_args

from pydantic import BaseModel

from app.course.part import TextMark

Path = tuple[str | int, ...]


def texts(part: BaseModel, path: Path = ()) -> Iterator[tuple[Path, str, frozenset[str]]]:
    """Path, text, and the figures that the part declares: as `literal`, or as `published` somewhere."""
    published = getattr(part, "published", {}).values()
    allowed = frozenset([*getattr(part, "literal", {}), *published])
    for name in type(part).model_fields:
        value = getattr(part, name)
        yield from _within(value, (*path, name), _is_text(type(part), name), allowed)


def _within(
    value: Any, path: Path, is_text: bool, allowed: frozenset[str]
) -> Iterator[tuple[Path, str, frozenset[str]]]:
    if isinstance(value, BaseModel):
        for inner, text, own in texts(value, path):
            yield inner, text, own | allowed
    elif isinstance(value, str) and is_text:
        yield path, value, allowed
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _within(one, (*path, number), is_text, allowed)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _within(one, (*path, key), is_text, allowed)


@lru_cache(512)
def _is_text(model: type[BaseModel], name: str) -> bool:
    field = model.model_fields[name]
    return any(isinstance(mark, TextMark) for mark in field.metadata) or _marked(field.annotation)


def _marked(annotation: Any) -> bool:
    marks = getattr(annotation, "__metadata__", ())
    return any(isinstance(mark, TextMark) for mark in marks) or any(map(_marked, get_args(annotation)))
