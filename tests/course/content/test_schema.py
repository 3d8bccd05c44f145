"""JSON Schema for editors: what the parser takes, the schema takes; a slip is seen by both."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

from app.course import schema_by_file
from app.course.text.yaml12 import YamlDocument
from tests.course.small import FILES
from tests.tables import each

CONTENT = Path(__file__).resolve().parents[3] / "content"
CONTENT_FILES = sorted(path.relative_to(CONTENT).as_posix() for path in CONTENT.rglob("*.yaml"))
TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float),
    "boolean": (bool,), "null": (type(None),),
}  # fmt: skip
KEYWORDS = {
    "$defs", "$ref", "title", "description", "default", "type", "properties", "required", "patternProperties",
    "additionalProperties", "items", "anyOf", "oneOf", "enum", "const", "pattern", "minimum", "maximum",
    "minLength", "maxLength", "minItems", "maxItems", "discriminator", "format",
    "exclusiveMinimum", "exclusiveMaximum",
}  # fmt: skip


def wrong(value: Any, rule: Any, whole: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The small part of JSON Schema that ours are made of; an unknown word is an error of this test."""
    if rule is True:
        return
    assert set(rule) <= KEYWORDS, set(rule) - KEYWORDS
    if "$ref" in rule:
        yield from wrong(value, whole["$defs"][rule["$ref"].rpartition("/")[2]], whole, path)
    if "type" in rule and not is_a(value, rule["type"]):
        yield f"{path}: no {rule['type']}"
        return
    yield from of_unions(value, rule, whole, path)
    yield from of_scalar(value, rule, path)
    if isinstance(value, list):
        yield from of_list(value, rule, whole, path)
    if isinstance(value, dict):
        yield from of_object(value, rule, whole, path)


def is_a(value: Any, kind: str) -> bool:
    """To Python True is a 1; to JSON it is not."""
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def of_unions(value: Any, rule: Mapping[str, Any], whole: Mapping[str, Any], path: str) -> Iterator[str]:
    for union in {"anyOf", "oneOf"} & set(rule):
        if all(list(wrong(value, alternative, whole, path)) for alternative in rule[union]):
            yield f"{path}: none of {union}"


def of_scalar(value: Any, rule: Mapping[str, Any], path: str) -> Iterator[str]:
    if "const" in rule and value != rule["const"]:
        yield f"{path}: not {rule['const']}"
    if "enum" in rule and value not in rule["enum"]:
        yield f"{path}: none of {rule['enum']}"
    if isinstance(value, str):
        if "pattern" in rule and not re.search(rule["pattern"], value):
            yield f"{path}: not like {rule['pattern']}"
        if not rule.get("minLength", 0) <= len(value) <= rule.get("maxLength", len(value)):
            yield f"{path}: {len(value)} letters"
    elif is_a(value, "number") and not within(value, rule):
        yield f"{path}: {value}"


def within(value: float, rule: Mapping[str, Any]) -> bool:
    inside: bool = rule.get("minimum", value) <= value <= rule.get("maximum", value)
    return inside and bool(rule.get("exclusiveMinimum", -inf) < value < rule.get("exclusiveMaximum", inf))


def of_list(value: list[Any], rule: Mapping[str, Any], whole: Mapping[str, Any], path: str) -> Iterator[str]:
    if not rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value)):
        yield f"{path}: {len(value)} items"
    for number, element in enumerate(value):
        yield from wrong(element, rule.get("items", True), whole, f"{path}.{number}")


def of_object(
    value: Mapping[str, Any], rule: Mapping[str, Any], whole: Mapping[str, Any], path: str
) -> Iterator[str]:
    properties = rule.get("properties", {})
    yield from (f"{path}.{name}: missing" for name in rule.get("required", []) if name not in value)
    for name, property_value in value.items():
        inner = properties.get(name, rule.get("additionalProperties", True))
        for pattern, of_like in rule.get("patternProperties", {}).items():
            inner = of_like if re.search(pattern, name) else inner
        if inner is False:
            yield f"{path}.{name}: unknown"
        else:
            yield from wrong(property_value, inner, whole, f"{path}.{name}")


@cache
def rules() -> Mapping[str, Any]:
    """Made once: a schema takes longer to make than to hold a file against."""
    return schema_by_file()


def faults(file: str, text: str) -> list[str]:
    rule = rules()[file.rpartition("/")[2]]
    return list(wrong(YamlDocument(file, text).data, rule, rule))


@each("file", CONTENT_FILES)
def test_the_schema_takes_the_content(file: str) -> None:
    assert faults(file, (CONTENT / file).read_text(encoding="utf-8")) == []


@each("file", FILES)
def test_the_schema_takes_the_small_course(file: str) -> None:
    assert faults(file, FILES[file]) == []


@each(
    ("file", "old", "new"),
    [
        ("01-first/items.yaml", "  hints: [先写三项。]", "  hint: [先写三项。]"),
        ("01-first/items.yaml", "kind: order", "kind: riddle"),
        ("01-first/items.yaml", "  stem: 哪个好？\n", ""),
        ("01-first/items.yaml", "  hints: [先写三项。]", "  id: sum"),
        ("01-first/examples.yaml", "grade: 2", "grade: true"),
        ("01-first/examples.yaml", "k: 3", "k: 0"),
        ("01-first/examples.yaml", "k: 3", "id: tea"),
        ("01-first/lesson.yaml", "minutes: 3", "minutes: 30"),
        ("01-first/lesson.yaml", "rank: 3}", "rank: 3, p: 1}"),
        ("01-first/lesson.yaml", "guess: compare", "guess: maybe"),
        ("skills.yaml", "order: {name", "Order: {name"),
        ("glossary.yaml", "  zh: 排名\n", ""),
        ("course.yaml", "title: 小课", "titel: 小课"),
    ],
)
def test_an_editor_sees_a_slip(file: str, old: str, new: str) -> None:
    assert old in FILES[file]
    assert faults(file, FILES[file].replace(old, new))
