"""Finds every text of a piece of content, with the path to it."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeVar, get_args

from pydantic import BaseModel

from app.course.text.model_base import TextMark

FieldPath = tuple[str | int, ...]
DeclaredFigures = frozenset[str]
Model = TypeVar("Model", bound=BaseModel)


def marked_texts(
    value: Any, path: FieldPath = (), is_text: bool = False, declared_figures: DeclaredFigures = frozenset()
) -> Iterator[tuple[FieldPath, str, DeclaredFigures]]:
    """Path, text, and the figures that the parts around it declare: as `literal` or as `published`."""
    if isinstance(value, BaseModel):
        model = type(value)
        declared_figures |= _declared_figures(value)
        for field_name in model.model_fields:
            field = getattr(value, field_name)
            yield from marked_texts(field, (*path, field_name), _is_text(model, field_name), declared_figures)
    elif isinstance(value, str) and is_text:
        yield path, value, declared_figures
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from marked_texts(element, (*path, index), is_text, declared_figures)
    elif isinstance(value, dict):
        for key, element in value.items():
            yield from marked_texts(element, (*path, key), is_text, declared_figures)


def _declared_figures(content_part: BaseModel) -> DeclaredFigures:
    literal = getattr(content_part, "literal", {})
    published = getattr(content_part, "published", {})
    return frozenset(literal).union(published.values())


def with_changed_texts(part: Model, change_text: Callable[[str], str]) -> Model:
    """The same piece with every text changed."""
    model = type(part)
    changed_fields = {}
    for field_name in model.model_fields:
        field = getattr(part, field_name)
        changed_fields[field_name] = _change_value(field, _is_text(model, field_name), change_text)
    return part.model_copy(update=changed_fields)


def _change_value(value: Any, is_text: bool, change_text: Callable[[str], str]) -> Any:
    if isinstance(value, BaseModel):
        return with_changed_texts(value, change_text)
    if isinstance(value, list):
        return [_change_value(element, is_text, change_text) for element in value]
    if isinstance(value, str) and is_text:
        return change_text(value)
    return value


@lru_cache(512)
def _is_text(model: type[BaseModel], field_name: str) -> bool:
    field_info = model.model_fields[field_name]
    return _holds_mark(field_info.metadata) or _is_marked(field_info.annotation)


def _is_marked(annotation: Any) -> bool:
    marks = getattr(annotation, "__metadata__", ())
    return _holds_mark(marks) or any(map(_is_marked, get_args(annotation)))


def _holds_mark(marks: Iterable[Any]) -> bool:
    return any(isinstance(mark, TextMark) for mark in marks)
