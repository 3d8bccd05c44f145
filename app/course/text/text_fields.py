"""Finds every text of a piece of content, with the path to it."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeVar, get_args

from pydantic import BaseModel

from app.course.text.model_base import MarkdownMarker

FieldPath = tuple[str | int, ...]
DeclaredFigures = frozenset[str]
Model = TypeVar("Model", bound=BaseModel)


def texts_with_paths(
    content_value: Any,
    path: FieldPath = (),
    is_text: bool = False,
    declared_figures: DeclaredFigures = frozenset(),
) -> Iterator[tuple[FieldPath, str, DeclaredFigures]]:
    """Path, text, and the figures that the parts around it declare: as `literal` or as `published`."""
    if isinstance(content_value, BaseModel):
        model_class = type(content_value)
        declared_figures |= _declared_figures(content_value)
        for field_name in model_class.model_fields:
            field_value = getattr(content_value, field_name)
            yield from texts_with_paths(
                field_value, (*path, field_name), _is_text(model_class, field_name), declared_figures
            )
    elif isinstance(content_value, str) and is_text:
        yield path, content_value, declared_figures
    elif isinstance(content_value, list):
        for element_index, element in enumerate(content_value):
            yield from texts_with_paths(element, (*path, element_index), is_text, declared_figures)
    elif isinstance(content_value, dict):
        for element_key, element in content_value.items():
            yield from texts_with_paths(element, (*path, element_key), is_text, declared_figures)


def _declared_figures(content_part: BaseModel) -> DeclaredFigures:
    literal = getattr(content_part, "literal", {})
    published = getattr(content_part, "published", {})
    return frozenset(literal).union(published.values())


def with_changed_texts(content_part: Model, change_text: Callable[[str], str]) -> Model:
    """The same piece with every text changed."""
    model_class = type(content_part)
    changed_fields = {}
    for field_name in model_class.model_fields:
        field_value = getattr(content_part, field_name)
        changed_fields[field_name] = _change_value(
            field_value, _is_text(model_class, field_name), change_text
        )
    return content_part.model_copy(update=changed_fields)


def _change_value(content_value: Any, is_text: bool, change_text: Callable[[str], str]) -> Any:
    if isinstance(content_value, BaseModel):
        return with_changed_texts(content_value, change_text)
    if isinstance(content_value, list):
        return [_change_value(element, is_text, change_text) for element in content_value]
    if isinstance(content_value, dict):
        return {key: _change_value(element, is_text, change_text) for key, element in content_value.items()}
    if isinstance(content_value, str) and is_text:
        return change_text(content_value)
    return content_value


@lru_cache(512)
def _is_text(model_class: type[BaseModel], field_name: str) -> bool:
    field_info = model_class.model_fields[field_name]
    return _holds_marker(field_info.metadata) or _is_marked(field_info.annotation)


def _is_marked(annotation: Any) -> bool:
    metadata = getattr(annotation, "__metadata__", ())
    return _holds_marker(metadata) or any(map(_is_marked, get_args(annotation)))


def _holds_marker(metadata: Iterable[Any]) -> bool:
    return any(isinstance(metadata_entry, MarkdownMarker) for metadata_entry in metadata)
