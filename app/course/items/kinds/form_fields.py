"""The form in which a teacher writes an item: its fields, what stands in each, and what that is in YAML.

Every kind lists its fields in `FORM`, beside what it asks and how it marks. A field changes a text only where
somebody typed something else than what stood in it: whatever a form does not show stays as it was written.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from app.course.text import typed
from app.course.text.yaml12 import TypedNumber

ItemBody = dict[Any, Any]
"""An item as it is written, in the short way or the long one."""
TextByInput = Mapping[str, str]
"""What was typed, by the name of its input."""
INPUT_PREFIX = "f-"
"""With which the names of inputs begin."""
UNJUDGED_WORD = "未标注"
SPARE_ROW_COUNT = 2
"""So many empty rows stand below those that are filled."""
LONGEST_NUMBER = 12
_NUMBER_PATTERN = re.compile(r"[-+]?(?:\d{1,12}(?:\.\d{0,9})?|\.\d{1,9})")
_NUMBER_SEPARATOR_PATTERN = re.compile(r"[\s,，、;；]+")


@dataclass(frozen=True)
class FormField:
    """A field with one input for one text. `name`: the keys that lead to its value, with dots between.

    `suggestion_list_name`: which names of the course may be typed, by what the page calls their list.
    """

    name: str
    label: str
    note: str = ""
    suggestion_list_name: str = ""
    widget: ClassVar[str] = "line"

    @property
    def input_name(self) -> str:
        """Name and id of the input."""
        return f"{INPUT_PREFIX}{self.name}"

    def field_text(self, yaml_value: Any) -> str:
        """What stands in the input for a value; nothing for one that it cannot hold."""
        if isinstance(yaml_value, str):
            return " ".join(yaml_value.split("\n")).strip()
        return ""

    def value(self, typed_text: str) -> Any:
        """What is written for a text that was typed."""
        return typed_text

    def input_text(self, item_body: ItemBody) -> str:
        """What stands in the input for an item."""
        return self.field_text(value_at_path(item_body, self.name.split(".")))

    def put(self, item_body: ItemBody, text_by_input: TextByInput) -> None:
        """Change an item to what was typed; what was emptied goes."""
        typed_text = text_by_input.get(self.input_name)
        if typed_text is None:
            return
        tidy_text = typed_text.strip()
        if tidy_text == self.input_text(item_body):
            return
        typed_value = None
        if tidy_text:
            typed_value = self.value(tidy_text)
        put_at_path(item_body, self.name.split("."), typed_value)


def value_at_path(item_body: Any, key_path: Sequence[str]) -> Any:
    """The value to which keys lead; None where there is none.

    >>> value_at_path({"question": {"k": 3}}, ["question", "k"])
    3
    >>> value_at_path({"question": 5}, ["question", "k"]) is None
    True
    """
    for key in key_path:
        if not isinstance(item_body, dict):
            return None
        item_body = item_body.get(key)
    return item_body


def put_at_path(item_body: ItemBody, key_path: Sequence[str], value: Any) -> None:
    """Put a value where keys lead; None takes it away, and the mapping around it when that is empty then.

    >>> item_body = {"question": {"k": 3}}
    >>> put_at_path(item_body, ["question", "k"], None); item_body
    {}
    """
    first_key, *further_keys = key_path
    if further_keys:
        inner_body = item_body.get(first_key)
        inner_body = dict(inner_body) if isinstance(inner_body, dict) else {}
        put_at_path(inner_body, further_keys, value)
        value = inner_body or None
    if value is None:
        item_body.pop(first_key, None)
    else:
        item_body[first_key] = value


def plain_number_text(typed_text: str) -> str:
    """A number as it was typed, with Chinese digits too; what is none stays a text, for the check to say so.

    >>> plain_number_text("３"), plain_number_text("三")
    (3, '三')
    """
    folded_text = (
        typed.folded_text(typed_text, LONGEST_NUMBER) if len(typed_text) <= LONGEST_NUMBER else typed_text
    )
    if _NUMBER_PATTERN.fullmatch(folded_text):
        return TypedNumber(folded_text)
    return typed_text


def grade_text_of(typed_word: str) -> str | None:
    """A number as it was typed; None for one that is not judged."""
    if typed_word == UNJUDGED_WORD:
        return None
    return plain_number_text(typed_word)


@dataclass(frozen=True)
class TextField(FormField):
    """Several lines of text."""

    widget: ClassVar[str] = "text"

    def field_text(self, yaml_value: Any) -> str:
        if isinstance(yaml_value, str):
            return yaml_value.strip()
        return ""


@dataclass(frozen=True)
class NumberField(FormField):
    """A number."""

    widget: ClassVar[str] = "number"

    def value(self, typed_text: str) -> Any:
        return plain_number_text(typed_text)


@dataclass(frozen=True)
class NumbersField(FormField):
    """A list of numbers, some of them perhaps not known.

    >>> field = NumbersField("grades", "甜度")
    >>> field.value("3，2 未标注"), field.field_text([TypedNumber("3"), None])
    ([3, 2, None], '3 未标注')
    """

    def field_text(self, yaml_value: Any) -> str:
        if not isinstance(yaml_value, list):
            return ""
        return " ".join(UNJUDGED_WORD if number is None else str(number) for number in yaml_value)

    def value(self, typed_text: str) -> Any:
        number_texts = _NUMBER_SEPARATOR_PATTERN.split(typed_text.strip(" ,，、;；"))
        return list(map(grade_text_of, number_texts))


@dataclass(frozen=True)
class WordsField(FormField):
    """A list of texts in one line, with `separator` between them.

    >>> WordsField("accept", "答案", separator=" / ").value("二 / 2")
    ['二', '2']
    """

    separator: str = " "

    def field_text(self, yaml_value: Any) -> str:
        if isinstance(yaml_value, list):
            return self.separator.join(map(str, yaml_value))
        return super().field_text(yaml_value)

    def value(self, typed_text: str) -> Any:
        entry_texts = map(str.strip, typed_text.split(self.separator))
        return list(filter(None, entry_texts))


@dataclass(frozen=True)
class ChoiceField(FormField):
    """One of several values: what each is called, by how it is written."""

    choices: Mapping[str, str] = field(default_factory=dict)
    widget: ClassVar[str] = "choice"
    bool_by_text: ClassVar[Mapping[str, Any]] = {"true": True, "false": False}

    def field_text(self, yaml_value: Any) -> str:
        if isinstance(yaml_value, bool):
            return str(yaml_value).lower()
        return super().field_text(yaml_value)

    def value(self, typed_text: str) -> Any:
        if typed_text.isdecimal():
            return plain_number_text(typed_text)
        return self.bool_by_text.get(typed_text, typed_text)


@dataclass(frozen=True)
class TickField(FormField):
    """Yes or no, in a row; no is not written."""

    widget: ClassVar[str] = "tick"

    def field_text(self, yaml_value: Any) -> str:
        return "yes" if yaml_value is True else ""

    def value(self, typed_text: str) -> Any:  # noqa: ARG002  # whatever a tick sends
        return True


def fields_of_entry(entry: Any) -> ItemBody:
    """An entry that may be written as its text alone, with its fields by name."""
    if isinstance(entry, dict):
        return entry
    if isinstance(entry, str):
        return {"text": entry}
    return {}


def entry_of_fields(entry_fields: ItemBody) -> Any:
    """An entry as it is written in short: with nothing but its text, it is that text."""
    if entry_fields.keys() == {"text"}:
        return entry_fields["text"]
    return entry_fields


class FormCell(NamedTuple):
    """An input in a row of a form: its column, its name, and the text in it."""

    column: FormField
    input_name: str
    text: str


@dataclass(frozen=True)
class FormRow:
    """A row as it stands in a form; `index` counts from 0."""

    index: int
    cells: Sequence[FormCell]


@dataclass(frozen=True)
class RowsField(FormField):
    """A list of entries, a row each. `most_rows`: how many there may be; `fields_of_entry` and
    `entry_of_fields`: an entry as it is written, with its fields by name, and back."""

    columns: Sequence[FormField] = ()
    most_rows: int = 6
    fields_of_entry: Callable[[Any], ItemBody] = fields_of_entry
    entry_of_fields: Callable[[ItemBody], Any] = entry_of_fields
    widget: ClassVar[str] = "rows"

    def rows(self, item_body: ItemBody) -> list[FormRow]:
        """The rows of a form, with some that are empty below."""
        entries = self._entries(item_body)
        row_count = max(len(entries), min(self.most_rows, len(entries) + SPARE_ROW_COUNT))
        form_rows = []
        for row_index in range(row_count):
            entry_fields = self.fields_of_entry(_entry_of_row(entries, row_index))
            form_rows.append(FormRow(row_index, list(self._cells(row_index, entry_fields))))
        return form_rows

    def _cells(self, row_index: int, entry_fields: ItemBody) -> Iterator[FormCell]:
        for column in self.columns:
            yield FormCell(column, self.cell_input_name(row_index, column), column.input_text(entry_fields))

    def cell_input_name(self, row_index: int, column: FormField) -> str:
        """Name and id of the input in a row."""
        return f"{self.input_name}-{row_index}-{column.name}"

    def column_at_path(self, item_body: ItemBody, row_index: int, inner_path: Sequence[str]) -> FormField:
        """The column that `inner_path` leads to in a row; else one whose number is unreadable; else the
        first."""
        entry_fields = self.fields_of_entry(_entry_of_row(self._entries(item_body), row_index))
        for column in self.columns:
            if column.name in inner_path:
                return column
        for column in self.columns:
            if isinstance(column, NumberField) and type(entry_fields.get(column.name)) is str:
                return column
        return self.columns[0]

    def put(self, item_body: ItemBody, text_by_input: TextByInput) -> None:
        entries = self._entries(item_body)
        changed_entries = []
        for row_index in range(len(entries) + self.most_rows):
            changed_entry = self._changed_entry(row_index, _entry_of_row(entries, row_index), text_by_input)
            if changed_entry is not None:
                changed_entries.append(changed_entry)
        if changed_entries != entries:
            put_at_path(item_body, self.name.split("."), changed_entries or None)

    def _entries(self, item_body: ItemBody) -> list[Any]:
        entries = value_at_path(item_body, self.name.split("."))
        return entries if isinstance(entries, list) else []

    def _changed_entry(self, row_index: int, entry: Any, text_by_input: TextByInput) -> Any:
        """An entry with what was typed in its row; itself where nothing else was, None where all is empty."""
        first_column = self.columns[0]
        if self.cell_input_name(row_index, first_column) not in text_by_input:  # the form had no such row
            return entry
        fields_of_changed_entry = dict(self.fields_of_entry(entry))
        text_by_column_input = {}
        is_changed = False
        for column in self.columns:
            typed_text = text_by_input.get(self.cell_input_name(row_index, column), "").strip()
            text_by_column_input[column.input_name] = typed_text
            is_changed = is_changed or typed_text != column.input_text(fields_of_changed_entry)
        if not is_changed:
            return entry
        if not any(text_by_column_input.values()):
            return None
        for column in self.columns:
            column.put(fields_of_changed_entry, text_by_column_input)
        return self.entry_of_fields(fields_of_changed_entry)


def _entry_of_row(entries: Sequence[Any], row_index: int) -> Any:
    """The entry of a row; None for an empty row below the entries."""
    if row_index < len(entries):
        return entries[row_index]
    return None


def text_rows_field(field_name: str, label: str, most_rows: int) -> RowsField:
    """A list of plain texts, a row each."""
    return RowsField(field_name, label, columns=(FormField("text", ""),), most_rows=most_rows)


STEM_FIELD = TextField("stem", "题干", "公式写在两个$中间，加粗写成**…**")
EXPLANATION_FIELD = TextField("explanation", "解析", "答完以后给学生看，可以空着")
MINUTES_FIELD = NumberField("minutes", "约几分钟", "空着算1分钟")


def item_form(*fields: FormField) -> tuple[FormField, ...]:
    """The form of a kind: the fields that only it has, between those that all items have."""
    return (STEM_FIELD, *fields, text_rows_field("hints", "提示", 4), EXPLANATION_FIELD, MINUTES_FIELD)
