"""An item of own content in a form: what stands in its fields, and the text with what was typed into them.

The text is the one truth, and a form is a second look at it: it changes only the fields in which something
else was typed.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from app.course.authoring.own_skills import chosen_skill, with_skill
from app.course.authoring.shorthand import kind_of
from app.course.authoring.yaml_edits import (
    UnfitText,
    comment_line_numbers,
    mapping_at_path,
    readable_document,
    unused_item_ids,
    with_entry,
    with_fields,
)
from app.course.content.course import Course
from app.course.items.kinds import KINDS
from app.course.items.kinds.form_fields import FormField, ItemBody, RowsField, TextByInput
from app.course.text.faults import Fault

TITLE_FIELD = FormField("title", "这一份叫什么")
SKILL_FIELD = FormField(
    "skill", "考什么知识点", "课程里的挑一个，别的随便写；空着就跟着整份", suggestion_list_name="skills"
)
NEW_STEM = "新的一题"
LONGEST_STEM_LINE = 80


class ListedItem(NamedTuple):
    """An item of a text that a form can open. `stem_line`: how it begins; empty of what an exercise asks."""

    id: str
    stem_line: str


class WrittenItem(NamedTuple):
    """An item as it stands in a text. `skill`: the name of its knowledge point, empty where it has that of
    the whole text; `comment_line_numbers`: the lines of remarks that go when the field around them is
    changed; `items_in_text`: those of the text that a form can open, this one among them.
    """

    id: str
    kind: str
    body: ItemBody
    title: str = ""
    skill: str = ""
    comment_line_numbers: Sequence[int] = ()
    items_in_text: Sequence[ListedItem] = ()

    @property
    def number(self) -> int:
        """Its place among them, from 1."""
        return 1 + [listed_item.id for listed_item in self.items_in_text].index(self.id)

    @property
    def form(self) -> Sequence[FormField]:
        return KINDS[self.kind].FORM


def written_item(content_text: str, item_id: str, main_course: Course) -> WrittenItem:
    """An item of a text; raises `UnfitText` where the text cannot be read, or has no such item."""
    yaml_document = readable_document(content_text)
    data_as_typed = yaml_document.data_as_typed
    key_path = ["items", item_id]
    item_body = deepcopy(mapping_at_path(data_as_typed, key_path))
    remark_line_numbers = comment_line_numbers(yaml_document, key_path)
    item_kind = item_body.get("kind") or kind_of(item_body)
    if not isinstance(item_kind, str) or item_kind not in KINDS:
        raise UnfitText(f"看不出“{item_id}”是哪一种题，表单打不开：在原文里写上kind")
    item_skill_name = skill_name(item_body.get("skill"), data_as_typed, main_course)
    title = TITLE_FIELD.input_text(data_as_typed)
    items_in_text = listed_items_of(yaml_document.data)
    return WrittenItem(
        item_id, item_kind, item_body, title, item_skill_name, remark_line_numbers, items_in_text
    )


def skill_name(skill_id: Any, course_data: Mapping[Any, Any], main_course: Course) -> str:
    """What a knowledge point is called, in the course or in the text itself; its id where nobody says."""
    if not isinstance(skill_id, str):
        return ""
    if skill_id in main_course.skills:
        return main_course.skills[skill_id].name
    skill_by_own_id = course_data.get("skills")
    written_skill = None
    if isinstance(skill_by_own_id, dict):
        written_skill = skill_by_own_id.get(skill_id)
    if isinstance(written_skill, dict):
        written_skill = written_skill.get("name")
    return str(written_skill or skill_id)


def with_typed_fields(
    content_text: str, item_id: str, text_by_input: TextByInput, main_course: Course
) -> str:
    """The text with what was typed into the form of an item; raises `UnfitText`."""
    content_text = with_title(content_text, text_by_input)
    former_item = written_item(content_text, item_id, main_course)
    item_body = deepcopy(former_item.body)
    for form_field in former_item.form:
        form_field.put(item_body, text_by_input)
    typed_skill_name = " ".join(text_by_input.get(SKILL_FIELD.input_name, former_item.skill).split())
    if typed_skill_name != former_item.skill:
        item_body.pop("skill", None)
    if typed_skill_name and typed_skill_name != former_item.skill:
        new_skill = chosen_skill(typed_skill_name, main_course, content_text)
        content_text = with_skill(content_text, readable_document(content_text).data, new_skill)
        item_body["skill"] = new_skill.id
    new_value_by_field = {}
    for field_name in former_item.body | item_body:
        if item_body.get(field_name) != former_item.body.get(field_name):
            new_value_by_field[field_name] = item_body.get(field_name)
    if new_value_by_field:
        return with_fields(content_text, ["items", item_id], new_value_by_field)
    return content_text


def with_title(content_text: str, text_by_input: TextByInput) -> str:
    """The text with another title, where one was typed."""
    data_as_typed = dict(readable_document(content_text).data_as_typed)
    title = data_as_typed.get("title")
    TITLE_FIELD.put(data_as_typed, text_by_input)
    if data_as_typed.get("title") in (title, None):
        return content_text
    return with_fields(content_text, [], {"title": data_as_typed["title"]})


def text_and_new_item_id(content_text: str, item_kind: str, last_item_number: int = 0) -> tuple[str, str]:
    """The text with one more item of a kind, still to be filled in, and its id; raises `UnfitText`.

    `last_item_number`: of the items that were ever stored, as `OwnCourse` keeps it.
    """
    item_by_id = readable_document(content_text).data.get("items") or {}
    if item_kind not in KINDS or not isinstance(item_by_id, dict):
        raise UnfitText("这里加不了题：先把原文里的items改好")
    item_id = next(unused_item_ids(item_by_id, last_item_number))
    item_body: ItemBody = {"kind": item_kind, "stem": NEW_STEM}
    if item_kind == "generated":
        item_body = {"kind": item_kind, "exercise": "dcg", "level": 1}
    return with_entry(content_text, "items", {item_id: item_body}), item_id


def listed_items(content_text: str) -> list[ListedItem]:
    """The items of a text that a form can open, in their order; none of a text that cannot be read."""
    try:
        yaml_document = readable_document(content_text)
    except UnfitText:
        return []
    return listed_items_of(yaml_document.data)


def listed_items_of(course_data: Mapping[Any, Any]) -> list[ListedItem]:
    """The same of a text that was read."""
    item_by_id = course_data.get("items")
    if not isinstance(item_by_id, dict):
        return []
    return [
        ListedItem(str(item_id), stem_line_of(item_body))
        for item_id, item_body in item_by_id.items()
        if isinstance(item_body, dict)
    ]


def stem_line_of(item_body: ItemBody) -> str:
    """The begin of a stem in one line.

    >>> stem_line_of({"stem": "越甜\\n越靠前？"}), stem_line_of({"exercise": "dcg"})
    ('越甜 越靠前？', '')
    """
    stem = item_body.get("stem")
    if not isinstance(stem, str):
        return ""
    return " ".join(stem[:LONGEST_STEM_LINE].split())


class FieldPlace(NamedTuple):
    """Where in a form something is wrong: the id of the input, and what the field is called."""

    input_name: str
    label: str


def field_place_of(fault: Fault, item: WrittenItem) -> FieldPlace | None:
    """The field of a form in which a fault is; None for one that is elsewhere in the text.

    >>> item = WrittenItem("q1", "single", {})
    >>> field_place_of(Fault("", 9, "items.q1.options.1.feedback", "!"), item)
    FieldPlace(input_name='f-options-1-feedback', label='选项2：反馈')
    >>> field_place_of(Fault("", 3, "items.q2.stem", "!"), item)
    """
    key_path = fault.path.split(".")
    for form_field in (TITLE_FIELD, SKILL_FIELD):
        if key_path == [form_field.name]:
            return FieldPlace(form_field.input_name, form_field.label)
    if key_path[:2] != ["items", item.id]:
        return None
    field_name = ".".join(key_path[2:])
    for form_field in (SKILL_FIELD, *item.form):
        if is_within(field_name, form_field.name):
            return field_place_of_path(form_field, item.body, key_path[3 + form_field.name.count(".") :])
    for form_field in item.form:
        if is_within(form_field.name, field_name):
            return field_place_of_path(form_field, item.body, [])
    return field_place_of_path(item.form[0], item.body, [])


def is_within(field_name: str, outer_field_name: str) -> bool:
    """Whether keys lead to a field, or into it."""
    return f"{field_name}.".startswith(f"{outer_field_name}.")


def field_place_of_path(form_field: FormField, item_body: ItemBody, key_path: Sequence[str]) -> FieldPlace:
    """The input of a field to which the rest of a path leads."""
    if not isinstance(form_field, RowsField):
        return FieldPlace(form_field.input_name, form_field.label)
    row_index = 0
    input_label = form_field.label
    if key_path and key_path[0].isdecimal():
        row_index = int(key_path[0])
    column = form_field.column_at_path(item_body, row_index, key_path[1:])
    if key_path:
        input_label = f"{input_label}{row_index + 1}"
        if column.label:
            input_label = f"{input_label}：{column.label}"
    return FieldPlace(form_field.cell_input_name(row_index, column), input_label)
