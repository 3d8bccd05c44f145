"""Ids of options whose words were changed: what was answered is kept by them, so they stay.

An option that is written without an id has one that is made from its words.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from app.course.authoring.yaml_edits import (
    UnfitText,
    holds_data,
    mapping_at_path,
    readable_document,
    with_fields,
)
from app.course.content.course import Course
from app.course.items.kinds import Item, Order, Spot
from app.course.text.yaml12 import Key

_ENTRY_LINE_PATTERN = re.compile(r"(?P<before>\s*-\s+)(?P<entry>\S.*)")


def with_former_option_ids(
    content_text: str, former_course: Course, present_course: Course, item_ids: Collection[str]
) -> str:
    """The text of `present_course` with the id of `former_course` at every option of these items that has
    other words at its old place, where it is the only one of its item; a text too odd to be changed stays.
    """
    for item_id in item_ids:
        if item_id not in former_course.items or item_id not in present_course.items:
            continue
        present_item = present_course.items[item_id]
        former_option_ids = option_ids(former_course.items[item_id])
        option_index = only_change(former_option_ids, option_ids(present_item))
        if option_index is not None:
            key_path = ["items", item_id, options_field(present_item)]
            content_text = with_option_id(
                content_text, key_path, option_index, former_option_ids[option_index]
            )
    return content_text


def option_ids(item: Item) -> Sequence[str]:
    """The ids by which an answer says what was chosen or put into order; none where it is typed."""
    if isinstance(item, Order):
        return [document.id for document in item.documents]
    return [choice.id for choice in item.choices]


def options_field(item: Item) -> str:
    if isinstance(item, Order):
        return "documents"
    if isinstance(item, Spot):
        return "lines"
    return "options"


def only_change(former_option_ids: Sequence[str], present_option_ids: Sequence[str]) -> int | None:
    """Where the one id stands that is new in a list of ids; None where more has changed, or nothing.

    >>> only_change(["a", "b"], ["a", "c"]), only_change(["a", "b"], ["a", "b"])
    (1, None)
    >>> only_change(["a", "b"], ["b", "a"]), only_change(["a", "b"], ["a", "c", "b"])
    (None, None)
    """
    if len(former_option_ids) != len(present_option_ids):
        return None
    changed_indexes = []
    for index, id_before_and_after in enumerate(zip(former_option_ids, present_option_ids, strict=True)):
        if id_before_and_after[0] != id_before_and_after[1]:
            changed_indexes.append(index)
    if len(changed_indexes) == 1:
        return changed_indexes[0]
    return None


def with_option_id(content_text: str, key_path: Sequence[str], option_index: int, option_id: str) -> str:
    """The text with an id written at an option that has none; `key_path`: of the list.

    >>> text = "items:\\n  q1:\\n    options:\\n      - 甲  # eins\\n      - {text: 乙, right: true}\\n"
    >>> text = with_option_id(text, ["items", "q1", "options"], 0, "o1")
    >>> print(with_option_id(text, ["items", "q1", "options"], 1, "o2"), end="")
    items:
      q1:
        options:
          - {id: o1, text: "甲"}  # eins
          - {id: o2, text: 乙, right: true}
    """
    *outer_path, field_name = key_path
    yaml_document = readable_document(content_text)
    entry_path: Sequence[Key] = (*key_path, option_index)
    wanted_data = yaml_document.data_as_typed
    try:
        options = mapping_at_path(wanted_data, outer_path).get(field_name)
    except UnfitText:  # a key that is no text, or an item that stands elsewhere
        return content_text
    if not isinstance(options, list) or option_index >= len(options):
        return content_text
    option_fields = option_fields_of(options[option_index], yaml_document.written_value(entry_path))
    if option_fields is None:
        return content_text
    options[option_index] = {"id": option_id, **option_fields}
    text_lines = content_text.split("\n")
    line_index = yaml_document.line_number_at(entry_path) - 1
    entry_match = _ENTRY_LINE_PATTERN.fullmatch(text_lines[line_index])
    if entry_match:
        for entry_text in entry_texts(entry_match, options[option_index]):
            changed_text = "\n".join([*text_lines[:line_index], entry_text, *text_lines[line_index + 1 :]])
            if holds_data(changed_text, wanted_data):
                return changed_text
    try:
        return with_fields(content_text, outer_path, {field_name: options})
    except UnfitText:
        return content_text


def option_fields_of(option: Any, written_text: str | None) -> Mapping[str, Any] | None:
    """The fields of an option as it is written: in full, as `火锅店: 3`, or as its words alone; None where it
    has an id, or is of another shape."""
    if not isinstance(option, dict):
        return None if written_text is None else {"text": written_text}
    if "id" in option:
        return None
    if len(option) == 1 and not option.keys() & {"text", "grade"}:
        [(document_text, grade)] = option.items()
        return {"text": str(document_text), "grade": grade}
    return option


def entry_texts(entry_match: re.Match[str], option_fields: Mapping[str, Any]) -> Sequence[str]:
    """The ways in which an option with an id may be written in the place of its line; not all of them say
    the same."""
    text_before, entry_text = entry_match["before"], entry_match["entry"]
    id_text = f"id: {option_fields['id']}"
    short_fields = [id_text, f"text: {json.dumps(option_fields['text'], ensure_ascii=False)}"]
    if "grade" in option_fields:
        short_fields.append(f"grade: {option_fields['grade']}")
    return (
        f"{text_before}{{{id_text}, {entry_text.removeprefix('{').lstrip()}",
        f"{text_before}{{{', '.join(short_fields)}}}{remark_of(entry_text)}",
        f"{text_before}{id_text}\n{' ' * len(text_before)}{entry_text}",
    )


def remark_of(entry_text: str) -> str:
    """The remark at the end of a line, with the blanks before it; between quotation marks # begins none.

    >>> remark_of("甲  # eins"), remark_of('"甲 # 乙"')
    ('  # eins', '')
    """
    unquoted_start_index = max(entry_text.rfind("'"), entry_text.rfind('"')) + 1
    remark_match = re.search(r"\s#", entry_text[unquoted_start_index:])
    if remark_match is None:
        return ""
    text_before = entry_text[: unquoted_start_index + remark_match.start()].rstrip()
    return entry_text.removeprefix(text_before)
