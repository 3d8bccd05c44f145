"""The YAML text of own content, changed in one place: all else stays as it was typed, comments too."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, pairwise
from typing import Any, NamedTuple

import yaml

from app.course.text import sandbox, untrusted
from app.course.text.faults import Faults
from app.course.text.yaml12 import TypedNumber, YamlDocument

_OUTERMOST_KEY_PATTERN = re.compile(r"^[^\s#]")
_NUMBER_LIKE_PATTERN = re.compile(r"[-+.\d][-+.\deE_:]*")
_NUMBERED_ID_PATTERN = re.compile(r"q([0-9]{1,6})")
_COMMENT_PATTERN = re.compile(r"(?:^|\s)#")
ODD_WRITING_FAULT = "这一处的写法比较特别，表单改不了：在原文里改"
ValueByField = Mapping[str, Any]
"""Fields with their new values; None takes one away."""


class UnfitText(ValueError):
    """Own content into which nothing can be put as it stands."""


class _Dumper(yaml.SafeDumper):
    """Texts of several lines stand below a `|`; numbers as they were typed."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)


def _text_node(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    scalar_style = None
    if "\n" in text:
        scalar_style = "|"
    elif _NUMBER_LIKE_PATTERN.fullmatch(text):  # 1e5 is a text to YAML 1.1, and a number to ours
        scalar_style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=scalar_style)


def _number_node(dumper: yaml.SafeDumper, typed_number: TypedNumber) -> yaml.ScalarNode:
    yaml_tag = dumper.resolve(yaml.ScalarNode, str(typed_number), (True, False))  # type: ignore[no-untyped-call]
    return dumper.represent_scalar(yaml_tag, str(typed_number))


_Dumper.add_representer(str, _text_node)
_Dumper.add_representer(TypedNumber, _number_node)


def dump_yaml(yaml_fields: Mapping[str, Any], indent: str = "") -> str:
    """YAML of some fields, each line behind `indent`.

    >>> print(dump_yaml({"stem": "甲\\n\\n乙", "options": ["3.50", {"text": "丙", "right": True}]}), end="")
    stem: |-
      甲
    <BLANKLINE>
      乙
    options:
      - '3.50'
      - text: 丙
        right: true
    """
    yaml_text: str = yaml.dump(yaml_fields, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=10**6)
    yaml_lines = [f"{indent}{line}".rstrip() for line in yaml_text.rstrip("\n").split("\n")]
    return "\n".join(yaml_lines) + "\n"


class LineRange(NamedTuple):
    """The lines of a key and its value: from `first_line_number` to before `end_line_number`, from 1."""

    first_line_number: int
    end_line_number: int


def readable_document(yaml_text: str) -> YamlDocument:
    """A text that shall be changed; raises `UnfitText` where it cannot be read."""
    try:
        yaml_document = untrusted.read(yaml_text)
    except Faults as error:
        fault = error.faults[0]
        raise UnfitText(f"那一份里第{fault.line_number}行有错，先改好再放：{fault.message}") from error
    except sandbox.ProgramStopped as error:
        raise UnfitText(untrusted.READING_STOPPED_WORDS) from error
    if not isinstance(yaml_document.data, dict):
        raise UnfitText("那一份还没写成“title: 标题”的样子，先改好再放")
    return yaml_document


def with_fields(yaml_text: str, key_path: Sequence[str], new_value_by_field: ValueByField) -> str:
    """The text with other values in fields of the mapping at a path; whatever is not changed stays, to the
    letter. Raises `UnfitText` for a text that is written in too odd a way.

    >>> text = "items:\\n  q1:  # eins\\n    stem: 甲  # weg\\n    answer: true\\n"
    >>> print(with_fields(text, ["items", "q1"], {"stem": "乙", "hints": ["想想"]}), end="")
    items:
      q1:  # eins
        stem: 乙
        answer: true
        hints:
          - 想想
    """
    yaml_document = readable_document(yaml_text)
    wanted_data = yaml_document.data_as_typed
    changed_mapping = mapping_at_path(wanted_data, key_path)
    for field_name, new_value in new_value_by_field.items():
        if new_value is None:
            changed_mapping.pop(field_name, None)
        else:
            changed_mapping[field_name] = new_value
    yaml_lines = yaml_text.rstrip("\n").split("\n")
    extent_by_field = extent_by_field_of(yaml_document, yaml_lines, key_path)
    if extent_by_field:
        new_lines = with_changed_fields(yaml_lines, extent_by_field, new_value_by_field)
    else:
        new_lines = with_changed_mapping(yaml_document, yaml_lines, key_path, changed_mapping)
    new_text = "\n".join(new_lines) + "\n"
    # Lines are changed by where keys stand; a text may be written so that this changes something else too.
    if not holds_data(new_text, wanted_data):
        raise UnfitText(ODD_WRITING_FAULT)
    return new_text


def mapping_at_path(document_data: Any, key_path: Sequence[str]) -> dict[Any, Any]:
    """The mapping at a path; one that is empty is put there."""
    inner_mapping = document_data
    for key in key_path:
        if not isinstance(inner_mapping, dict) or key not in inner_mapping:
            raise UnfitText(f"原文里没有“{'.'.join(key_path)}”了：也许刚刚改了名字")
        if inner_mapping[key] is None:
            inner_mapping[key] = {}
        inner_mapping = inner_mapping[key]
    if not isinstance(inner_mapping, dict):
        raise UnfitText(ODD_WRITING_FAULT)
    return inner_mapping


def holds_data(yaml_text: str, document_data: Any) -> bool:
    """Whether a text says this and nothing else, its numbers as they were typed."""
    try:
        return repr(readable_document(yaml_text).data_as_typed) == repr(document_data)
    except UnfitText:
        return False


def extent_by_field_of(
    yaml_document: YamlDocument, yaml_lines: Sequence[str], key_path: Sequence[str]
) -> dict[str, LineRange]:
    """The lines of each field of a mapping; none where they do not stand below each other, a line or more
    each."""
    field_names_and_line_numbers = yaml_document.keys_with_line_numbers(tuple(key_path))
    first_line_numbers = [line_number for _, line_number in field_names_and_line_numbers]
    if key_path:
        first_line_numbers.insert(0, yaml_document.line_number_at(tuple(key_path)))
    if not field_names_and_line_numbers or any(
        later_line_number <= earlier_line_number
        for earlier_line_number, later_line_number in pairwise(first_line_numbers)
    ):
        return {}
    extent_by_field = {}
    end_line_numbers = [
        *first_line_numbers[1 if not key_path else 2 :],
        end_line_number_of(yaml_document, yaml_lines, key_path),
    ]
    for (field_name, first_line_number), end_line_number in zip(
        field_names_and_line_numbers, end_line_numbers, strict=True
    ):
        if not begins_with_key(yaml_lines[first_line_number - 1], field_name):
            return {}
        extent_by_field[field_name] = LineRange(
            first_line_number, end_line_number_without_tail(yaml_lines, first_line_number, end_line_number)
        )
    return extent_by_field


def end_line_number_of(
    yaml_document: YamlDocument, yaml_lines: Sequence[str], key_path: Sequence[str]
) -> int:
    """The line behind a mapping: that of the next key outside of it, or the end of the text."""
    following_line_numbers = [len(yaml_lines) + 1]
    begin_line_number = yaml_document.line_number_at(tuple(key_path)) if key_path else len(yaml_lines)
    for key_count in range(len(key_path)):
        outer_keys_with_line_numbers = yaml_document.keys_with_line_numbers(tuple(key_path[:key_count]))
        following_line_numbers += [
            line_number for _, line_number in outer_keys_with_line_numbers if line_number > begin_line_number
        ]
    return min(following_line_numbers)


def begins_with_key(line: str, field_name: str) -> bool:
    """Whether a line begins with a key, and not with a bracket before it."""
    stripped_line = line.strip()
    return stripped_line.startswith((field_name, f"'{field_name}'", f'"{field_name}"'))


def end_line_number_without_tail(
    yaml_lines: Sequence[str], first_line_number: int, end_line_number: int
) -> int:
    """The end of a field without the empty lines and the comments behind it, which belong to what follows."""
    indent = indent_of(yaml_lines[first_line_number - 1])
    while end_line_number - 1 > first_line_number:
        line = yaml_lines[end_line_number - 2]
        stripped_line = line.strip()
        is_remark = stripped_line.startswith("#") and len(indent_of(line)) <= len(indent)
        if stripped_line and not is_remark:
            break
        end_line_number -= 1
    return end_line_number


def indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]


def with_changed_fields(
    yaml_lines: Sequence[str], extent_by_field: Mapping[str, LineRange], new_value_by_field: ValueByField
) -> list[str]:
    """The lines with some fields written anew, from the last up, and new ones below the last."""
    changed_lines = list(yaml_lines)
    last_line_range = max(extent_by_field.values())
    indent = indent_of(yaml_lines[last_line_range.first_line_number - 1])
    added_fields = {
        field_name: new_value
        for field_name, new_value in new_value_by_field.items()
        if field_name not in extent_by_field and new_value is not None
    }
    if added_fields:
        changed_lines[last_line_range.end_line_number - 1 : last_line_range.end_line_number - 1] = (
            yaml_lines_of(added_fields, indent)
        )
    for field_name, line_range in sorted(
        extent_by_field.items(), key=lambda field_and_range: field_and_range[1], reverse=True
    ):
        if field_name in new_value_by_field:
            new_value = new_value_by_field[field_name]
            new_lines = [] if new_value is None else yaml_lines_of({field_name: new_value}, indent)
            changed_lines[line_range.first_line_number - 1 : line_range.end_line_number - 1] = new_lines
    return changed_lines


def extent_of(yaml_document: YamlDocument, yaml_lines: Sequence[str], key_path: Sequence[str]) -> LineRange:
    """The lines of a mapping with its key; raises `UnfitText` where these are not lines of their own."""
    line_range = None
    if key_path:
        line_range = extent_by_field_of(yaml_document, yaml_lines, key_path[:-1]).get(key_path[-1])
    if line_range is None:
        raise UnfitText(ODD_WRITING_FAULT)
    return line_range


def with_changed_mapping(
    yaml_document: YamlDocument,
    yaml_lines: Sequence[str],
    key_path: Sequence[str],
    changed_mapping: Mapping[Any, Any],
) -> list[str]:
    """The lines with a whole mapping written anew, where it stands in one line with its key."""
    line_range = extent_of(yaml_document, yaml_lines, key_path)
    changed_lines = list(yaml_lines)
    indent = indent_of(yaml_lines[line_range.first_line_number - 1])
    changed_lines[line_range.first_line_number - 1 : line_range.end_line_number - 1] = yaml_lines_of(
        {key_path[-1]: dict(changed_mapping)}, indent
    )
    return changed_lines


def yaml_lines_of(yaml_fields: Mapping[str, Any], indent: str) -> list[str]:
    return dump_yaml(yaml_fields, indent).rstrip("\n").split("\n")


def comment_line_numbers(yaml_document: YamlDocument, key_path: Sequence[str]) -> list[int]:
    """The lines of a mapping with a comment that goes when the field around it is changed. Raises `UnfitText`
    where the mapping is written in too odd a way to be changed."""
    yaml_lines = yaml_document.text.rstrip("\n").split("\n")
    line_ranges = list(extent_by_field_of(yaml_document, yaml_lines, key_path).values())
    if not line_ranges:
        line_ranges = [extent_of(yaml_document, yaml_lines, key_path)]
    line_numbers = chain.from_iterable(range(*line_range) for line_range in line_ranges)
    return [
        line_number for line_number in line_numbers if _COMMENT_PATTERN.search(yaml_lines[line_number - 1])
    ]


def unused_item_ids(used_item_ids: Iterable[Any], last_item_number: int = 0) -> Iterator[str]:
    """Ids for new items: q1, q2, …, behind the last that is there or (`last_item_number`) was once: what was
    answered to it is kept under its id, and must not be taken for answers to another.

    >>> next(unused_item_ids(["q1", "q4", "why"])), next(unused_item_ids(["q1"], 7))
    ('q5', 'q8')
    """
    used_numbers = [last_item_number]
    for item_id in used_item_ids:
        number_match = _NUMBERED_ID_PATTERN.fullmatch(str(item_id))
        if number_match:
            used_numbers.append(int(number_match[1]))
    for item_number in count(max(used_numbers) + 1):
        yield f"q{item_number}"


def with_entry(yaml_text: str, field_name: str, entry: Mapping[str, Any]) -> str:
    """The text with one more entry at the end of an outermost field; the field comes where it is not there.

    >>> print(with_entry("items:\\n    a: 1 # eins\\n\\ncards:\\n  b: 2\\n", "items", {"c": "3"}), end="")
    items:
        a: 1 # eins
        c: '3'
    <BLANKLINE>
    cards:
      b: 2
    """
    yaml_lines = yaml_text.rstrip("\n").split("\n")
    field_pattern = re.compile(rf"{field_name}\s*:(?P<rest>.*)")
    for line_index, line in enumerate(yaml_lines):
        field_match = field_pattern.match(line)
        if field_match is None:
            continue
        value_on_line = field_match["rest"].partition(" #")[0].strip()
        if value_on_line and not value_on_line.startswith("#"):
            raise UnfitText(
                f"那一份的第{line_index + 1}行把{field_name}写在了一行里，放不进去：换成一项一行，再放"
            )
        end_index, indent = _end_and_indent_of_entries(yaml_lines, line_index)
        return (
            "\n".join(
                [*yaml_lines[:end_index], dump_yaml(entry, indent).rstrip("\n"), *yaml_lines[end_index:]]
            )
            + "\n"
        )
    return "\n".join([*yaml_lines, f"{field_name}:", dump_yaml(entry, "  ").rstrip("\n")]) + "\n"


def _end_and_indent_of_entries(yaml_lines: Sequence[str], key_line_index: int) -> tuple[int, str]:
    """Where the entries of the field in a line end, and how far they are indented."""
    indent = ""
    end_index = key_line_index + 1
    for line_index, line in enumerate(yaml_lines[key_line_index + 1 :], key_line_index + 1):
        if _OUTERMOST_KEY_PATTERN.match(line):
            break
        stripped_line = line.strip()
        if stripped_line and (line[0] == " " or not stripped_line.startswith("#")):
            end_index = line_index + 1
        if stripped_line and not stripped_line.startswith("#"):
            indent = indent or line[: len(line) - len(line.lstrip())]
    return end_index, indent or "  "
