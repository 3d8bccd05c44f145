"""Finds every text of a piece of content, with the path to it."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeVar, get_args

from pydantic import BaseModel

from app.course.text.model_base import TextMark

Path = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)


def texts(
    value: Any, path: Path = (), is_text: bool = False, figures: frozenset[str] = frozenset()
) -> Iterator[tuple[Path, str, frozenset[str]]]:
    """Path, text, and the figures that the parts around it declare: as `literal` or as `published`."""
    if isinstance(value, BaseModel):
        figures |= {*getattr(value, "literal", {}), *getattr(value, "published", {}).values()}
        for name in type(value).model_fields:
            yield from texts(getattr(value, name), (*path, name), _is_text(type(value), name), figures)
    elif isinstance(value, str) and is_text:
        yield path, value, figures
    elif isinstance(value, list):
        for number, element in enumerate(value):
            yield from texts(element, (*path, number), is_text, figures)
    elif isinstance(value, dict):
        for key, element in value.items():
            yield from texts(element, (*path, key), is_text, figures)


def mapped(part: Model, change: Callable[[str], str]) -> Model:
    """The same piece with every text changed."""
    update = {}
    for name in type(part).model_fields:
        update[name] = _changed(getattr(part, name), _is_text(type(part), name), change)
    return part.model_copy(update=update)


def _changed(value: Any, is_text: bool, change: Callable[[str], str]) -> Any:
    if isinstance(value, BaseModel):
        return mapped(value, change)
    if isinstance(value, list):
        return [_changed(element, is_text, change) for element in value]
    if isinstance(value, str) and is_text:
        return change(value)
    return value


@lru_cache(512)
def _is_text(model: type[BaseModel], name: str) -> bool:
    field = model.model_fields[name]
    return any(isinstance(mark, TextMark) for mark in field.metadata) or _marked(field.annotation)


def _marked(annotation: Any) -> bool:
    marks = getattr(annotation, "__metadata__", ())
    return any(isinstance(mark, TextMark) for mark in marks) or any(map(_marked, get_args(annotation)))
