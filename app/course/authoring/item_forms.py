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
    comment_lines,
    free_ids,
    mapping_at,
    readable,
    with_entry,
    with_fields,
)
from app.course.content.course import Course
from app.course.items.kinds import KINDS
from app.course.items.kinds.form_fields import Body, FormField, RowsField, Texts
from app.course.text.faults import Fault

TITLE_FIELD = FormField("title", "这一份叫什么")
SKILL_FIELD = FormField("skill", "考什么知识点", "课程里的挑一个，别的随便写；空着就跟着整份", names="skills")
NEW_STEM = "新的一题"


class WrittenItem(NamedTuple):
    """An item as it stands in a text. `skill`: the name of its knowledge point, empty where it has that of
    the whole text; `comments`: the lines of remarks that go when the field around them is changed."""

    id: str
    kind: str
    body: Body
    title: str = ""
    skill: str = ""
    comments: Sequence[int] = ()

    @property
    def form(self) -> Sequence[FormField]:
        return KINDS[self.kind].FORM


def written_item(text: str, item_id: str, main_course: Course) -> WrittenItem:
    """An item of a text; raises `UnfitText` where the text cannot be read, or has no such item."""
    document = readable(text)
    typed_data = document.typed_data
    path = ["items", item_id]
    body = deepcopy(mapping_at(typed_data, path))
    comments = comment_lines(document, path)
    kind = body.get("kind") or kind_of(body)
    if not isinstance(kind, str) or kind not in KINDS:
        raise UnfitText(f"看不出“{item_id}”是哪一种题，表单打不开：在原文里写上kind")
    skill = skill_name(body.get("skill"), typed_data, main_course)
    return WrittenItem(item_id, kind, body, TITLE_FIELD.text_in(typed_data), skill, comments)


def skill_name(skill_id: Any, course_data: Mapping[Any, Any], main_course: Course) -> str:
    """What a knowledge point is called, in the course or in the text itself; its id where nobody says."""
    if not isinstance(skill_id, str):
        return ""
    if skill_id in main_course.skills:
        return main_course.skills[skill_id].name
    own_skills = course_data.get("skills")
    skill = None
    if isinstance(own_skills, dict):
        skill = own_skills.get(skill_id)
    if isinstance(skill, dict):
        skill = skill.get("name")
    return str(skill or skill_id)


def with_typed_fields(text: str, item_id: str, texts: Texts, main_course: Course) -> str:
    """The text with what was typed into the form of an item; raises `UnfitText`."""
    text = with_title(text, texts)
    item = written_item(text, item_id, main_course)
    body = deepcopy(item.body)
    for field in item.form:
        field.put(body, texts)
    skill = " ".join(texts.get(SKILL_FIELD.input, item.skill).split())
    if skill != item.skill:
        body.pop("skill", None)
    if skill and skill != item.skill:
        new_skill = chosen_skill(skill, main_course, text)
        text = with_skill(text, readable(text).data, new_skill)
        body["skill"] = new_skill.id
    changes = {}
    for name in item.body | body:
        if body.get(name) != item.body.get(name):
            changes[name] = body.get(name)
    if changes:
        return with_fields(text, ["items", item_id], changes)
    return text


def with_title(text: str, texts: Texts) -> str:
    """The text with another title, where one was typed."""
    typed_data = dict(readable(text).typed_data)
    title = typed_data.get("title")
    TITLE_FIELD.put(typed_data, texts)
    if typed_data.get("title") in (title, None):
        return text
    return with_fields(text, [], {"title": typed_data["title"]})


def with_new_item(text: str, kind: str) -> tuple[str, str]:
    """The text with one more item of a kind, still to be filled in, and its id; raises `UnfitText`."""
    items = readable(text).data.get("items") or {}
    if kind not in KINDS or not isinstance(items, dict):
        raise UnfitText("这里加不了题：先把原文里的items改好")
    item_id = next(free_ids(items))
    body: Body = {"kind": kind, "stem": NEW_STEM}
    if kind == "generated":
        body = {"kind": kind, "exercise": "dcg", "level": 1}
    return with_entry(text, "items", {item_id: body}), item_id


def item_ids(text: str) -> list[str]:
    """The items of a text that a form can open, in their order; none of a text that cannot be read."""
    try:
        items = readable(text).data.get("items")
    except UnfitText:
        return []
    if not isinstance(items, dict):
        return []
    return [str(item_id) for item_id, body in items.items() if isinstance(body, dict)]


class FieldPlace(NamedTuple):
    """Where in a form something is wrong: the id of the input, and what the field is called."""

    input: str
    label: str


def place_of(fault: Fault, item: WrittenItem) -> FieldPlace | None:
    """The field of a form in which a fault is; None for one that is elsewhere in the text.

    >>> item = WrittenItem("q1", "single", {})
    >>> place_of(Fault("", 9, "items.q1.options.1.feedback", "!"), item)
    FieldPlace(input='f-options-1-feedback', label='选项2：反馈')
    >>> place_of(Fault("", 3, "items.q2.stem", "!"), item)
    """
    path = fault.path.split(".")
    for field in (TITLE_FIELD, SKILL_FIELD):
        if path == [field.name]:
            return FieldPlace(field.input, field.label)
    if path[:2] != ["items", item.id]:
        return None
    field_name = ".".join(path[2:])
    for field in (SKILL_FIELD, *item.form):
        if is_within(field_name, field.name):
            return place_in(field, item.body, path[3 + field.name.count(".") :])
    for field in item.form:
        if is_within(field.name, field_name):
            return place_in(field, item.body, [])
    return place_in(item.form[0], item.body, [])


def is_within(name: str, outer_name: str) -> bool:
    """Whether keys lead to a field, or into it."""
    return f"{name}.".startswith(f"{outer_name}.")


def place_in(field: FormField, body: Body, path: Sequence[str]) -> FieldPlace:
    """The input of a field to which the rest of a path leads."""
    if not isinstance(field, RowsField):
        return FieldPlace(field.input, field.label)
    index = 0
    label = field.label
    if path and path[0].isdecimal():
        index = int(path[0])
    column = field.column_at(body, index, path[1:])
    if path:
        label = f"{label}{index + 1}"
        if column.label:
            label = f"{label}：{column.label}"
    return FieldPlace(field.cell(index, column), label)
