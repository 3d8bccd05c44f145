"""Finds every text of a piece of content, with the path to it."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeVar, get_args

from pydantic import BaseModel

from app.course.text.model_base import TextMark

Path = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)


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


def mapped(part: Model, change: Callable[[str], str]) -> Model:
    """The same piece with every text changed."""

    def of(value: Any, is_text: bool) -> Any:
        if isinstance(value, BaseModel):
            return mapped(value, change)
        if isinstance(value, list):
            return [of(one, is_text) for one in value]
        return change(value) if isinstance(value, str) and is_text else value

    fields = type(part).model_fields
    return part.model_copy(
        update={name: of(getattr(part, name), _is_text(type(part), name)) for name in fields}
    )


@lru_cache(512)
def _is_text(model: type[BaseModel], name: str) -> bool:
    field = model.model_fields[name]
    return any(isinstance(mark, TextMark) for mark in field.metadata) or _marked(field.annotation)


def _marked(annotation: Any) -> bool:
    marks = getattr(annotation, "__metadata__", ())
    return any(isinstance(mark, TextMark) for mark in marks) or any(map(_marked, get_args(annotation)))
