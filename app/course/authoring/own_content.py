"""What a teacher writes: one YAML text with a title, items, examples, cards and sections. Ids are `own-42:…`.

It is laid out as the files of a course and read by the same `parse_course`; knowledge points, terms and
examples are those of the course beside it.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import Field, ValidationError

from app.course.authoring import section_shorthand, shorthand
from app.course.content import cross_references
from app.course.content.checker import parse_course
from app.course.content.course import Course
from app.course.content.refs import own_prefix
from app.course.items.kinds import Item
from app.course.items.your_turn import turn_item_id
from app.course.learning import figures_in_text
from app.course.text import schema_messages, untrusted
from app.course.text.faults import Fault, Faults
from app.course.text.model_base import ContentPart, Id, Title
from app.course.text.text_fields import with_changed_texts
from app.course.text.yaml12 import UNREADABLE, YamlDocument

OWN_STAGE = "own"
"""The one stage of own content: `own-42:own` names its lesson."""
EMPTY_CONTENT_FAULT = "里面还没有内容：写几道题（items）、几张卡片（cards）或者一节小课（sections）"
ITEM_WORDS = (
    "options（选择）、answer（判断）、question（数值）、documents（排序）、lines（找错）、blanks（填空）、"
    "checkpoints（简答）、rubric（老师批的简答）"
)
STEP_WORDS = (
    "say（说一段）、ask（问一题）、example（例题）、figure（图）、cards（卡片）、"
    "recap（回顾）、play（能动的糖）"
)
MOST_TOYS = 8
TOO_MANY_TOYS_FAULT = f"一份内容里最多{MOST_TOYS}排能动的糖：分成几份来写"
EXAMPLE_NAME_TAKEN_FORMAT = "课程里已经有叫“{}”的例题了，换个名字"
SKILL_MISSING_FAULT = "还没说考哪个知识点：写在这道题里，或者写在最上面管整份，比如skill: dcg"
CHINESE_SIGN_PATTERN = "[\u4e00-\u9fff]"
"""What pydantic says by itself is English."""
SKILL_NAME_TAKEN_FORMAT = "课程里已经有知识点“{}”：直接用它，或者给你的换个名字"


class OwnFile(ContentPart):
    """The outermost fields of the text; what is inside of them is checked with the course."""

    title: Title
    skill: Id | None = None
    skills: dict[Any, Any] = Field(default={}, max_length=40)
    values: dict[Any, Any] = Field(default={}, max_length=40)
    examples: dict[Any, Any] = Field(default={}, max_length=20)
    items: dict[Any, Any] = Field(default={}, max_length=60)
    cards: dict[Any, Any] = Field(default={}, max_length=60)
    sections: dict[Any, Any] | None = Field(default=None, min_length=1, max_length=10)


def parse_own(content_text: str, own_content_id: int, main_course: Course) -> Course | Faults:
    """The content in a text that anybody may have written; or all its faults, each with its line. Raises
    `sandbox.ProgramStopped` where reading it took too much."""
    content_text = untrusted.with_plain_line_ends(content_text)
    try:
        yaml_document = untrusted.read(content_text)
    except Faults as error:
        return Faults(_fault_of_slip_behind(content_text, fault) for fault in error.faults)
    course = _course_or_faults(yaml_document, own_content_id, main_course)
    if isinstance(course, Faults):
        return Faults(_fault_in_words(yaml_document, fault, main_course) for fault in course.faults)
    return with_id(_with_figures(course), own_content_id, content_text, main_course)


def _course_or_faults(
    yaml_document: YamlDocument, own_content_id: int, main_course: Course
) -> Course | Faults:
    """The content of a text that is YAML; or its faults, in the words of who checks courses."""
    try:
        return parse_course(
            course_file_by_path(yaml_document, main_course), own_prefix(own_content_id), main_course
        )
    except Faults as error:
        return error
    except RecursionError:
        return Faults([Fault("", 0, "", "一层套一层，套得太深了")])


def with_id(course: Course, own_content_id: int, content_text: str, main_course: Course) -> Course:
    """The content of a text under the id that it is kept by; nothing else in it depends on the id."""
    digest_source = f"{own_content_id}\0{content_text}\0{main_course.digest}"
    digest = hashlib.sha256(digest_source.encode()).hexdigest()
    return replace(course, prefix=own_prefix(own_content_id), digest=digest[:16])


def course_file_by_path(yaml_document: YamlDocument, main_course: Course) -> Mapping[str, str | YamlDocument]:
    """The text as the files of a course; raises `Faults` when its outermost shape is wrong."""
    own_file = _own_file_of(yaml_document)
    _check_new_names(yaml_document, own_file, main_course)
    sections = section_shorthand.sections_in_full(yaml_document)
    _check_number_of_toys(yaml_document)
    if not (own_file.items or own_file.cards or own_file.examples or own_file.sections):
        raise Faults([Fault("", 0, "", EMPTY_CONTENT_FAULT)])
    title = own_file.title
    stage_entry = {"id": OWN_STAGE, "title": title, "summary": title, "folder": OWN_STAGE}
    lesson_data = {"goals": [title], "values": yaml_document.data.get("values", {}), "sections": sections}
    file_by_path = {
        "course.yaml": yaml_document.part((), {"title": title, "stages": [stage_entry]}),
        f"{OWN_STAGE}/lesson.yaml": yaml_document.part((), lesson_data),
    }
    new_skills = shorthand.complete_new_skills(yaml_document, main_course.skills.keys())
    if new_skills:
        file_by_path["skills.yaml"] = yaml_document.part(("skills",), new_skills)
    pieces_by_field = {
        "items": shorthand.complete_items(yaml_document, own_file.skill),
        "examples": shorthand.complete_examples(yaml_document),
    }
    if own_file.cards:
        pieces_by_field["cards"] = shorthand.complete_cards(yaml_document, own_file.skill)
    for field_name, written_pieces in pieces_by_field.items():
        file_by_path[f"{OWN_STAGE}/{field_name}.yaml"] = yaml_document.part((field_name,), written_pieces)
    return file_by_path


def _check_new_names(yaml_document: YamlDocument, own_file: OwnFile, main_course: Course) -> None:
    """Raises `Faults` where an example is called like one of the main course."""
    taken_names = own_file.examples.keys() & main_course.examples.keys()
    if taken_names:
        raise Faults(
            yaml_document.fault(("examples", taken_name), EXAMPLE_NAME_TAKEN_FORMAT.format(taken_name))
            for taken_name in taken_names
        )


def taken_skill_faults(content_text: str, main_course: Course) -> list[Fault]:
    """For somebody who writes a text without other faults: where it calls a knowledge point of its own like
    one of the course. Whoever reads it takes that of the course, which may be the newer one: what was written
    before must not go."""
    if "skills" not in content_text:
        return []
    yaml_document = untrusted.read(untrusted.with_plain_line_ends(content_text))
    own_skill_ids = map(str, yaml_document.data.get("skills") or ())
    return [
        yaml_document.fault(("skills", skill_id), SKILL_NAME_TAKEN_FORMAT.format(skill_id))
        for skill_id in own_skill_ids
        if skill_id in main_course.skills
    ]


def _check_number_of_toys(yaml_document: YamlDocument) -> None:
    """Raises `Faults` where there are more toys than a look takes: each is tried out before it is taken."""
    toy_paths = list(section_shorthand.toy_paths(yaml_document))
    if len(toy_paths) > MOST_TOYS:
        raise Faults([yaml_document.fault(toy_paths[MOST_TOYS], TOO_MANY_TOYS_FAULT)])


def _own_file_of(yaml_document: YamlDocument) -> OwnFile:
    try:
        return OwnFile.model_validate(yaml_document.data)
    except ValidationError as error:
        faults = [_outermost_fault(yaml_document, schema_error) for schema_error in error.errors()]
        raise Faults(faults) from error


def _outermost_fault(yaml_document: YamlDocument, schema_error: Any) -> Fault:
    if not schema_error["loc"]:
        return Fault("", 1, "", "第一行写“title: 标题”，下面写items、cards或者sections")
    if schema_error["type"] == "extra_forbidden":
        field_names_text = "、".join(OwnFile.model_fields)
        return yaml_document.fault(schema_error["loc"], f"没有这个字段；最外层可以写{field_names_text}")
    fault_words = schema_messages.words_of_error(schema_error)
    return yaml_document.fault(schema_error["loc"], fault_words, schema_error["type"])


def _fault_of_slip_behind(content_text: str, fault: Fault) -> Fault:
    if fault.kind == UNREADABLE:
        return untrusted.fault_of_typing_slip(content_text, fault)
    return fault


def _fault_in_words(yaml_document: YamlDocument, fault: Fault, main_course: Course) -> Fault:
    """What the check of a course says, with what helps somebody who writes for the first time."""
    match fault.kind:
        case "list_type":
            return _fault_at_its_cause(yaml_document, fault)
        case "string_pattern_mismatch":
            return replace(fault, message=_id_message(yaml_document, fault, main_course))
        case cross_references.UNKNOWN_SKILL:
            return _fault_at_default_skill(yaml_document, fault)
        case "union_tag_not_found":
            return replace(fault, message=_kind_message(fault))
        case "missing" if fault.path.endswith(".skill"):
            return replace(fault, message=SKILL_MISSING_FAULT)
    if re.search(CHINESE_SIGN_PATTERN, fault.message):
        return fault
    english_reason, _, _ = fault.message.partition(":")
    return replace(fault, message=f"“{english_reason}”不行：看看有没有写错、超出范围")


def _kind_message(fault: Fault) -> str:
    """What is said of an item or a step of which no word says what it is."""
    words_of_kind = ITEM_WORDS
    if fault.path.startswith("sections"):
        words_of_kind = STEP_WORDS
    return f"看不出这是哪一种，也许有个词拼错了：可以写{words_of_kind}"


def _fault_at_its_cause(yaml_document: YamlDocument, fault: Fault) -> Fault:
    """The fault of what should be a list, in the line below it where its dashes stand too close."""
    yaml_lines = yaml_document.text.split("\n")
    if 0 < fault.line_number < len(yaml_lines):
        slip_words = untrusted.typing_slip_words(yaml_lines[fault.line_number])
        if slip_words:
            return replace(fault, line_number=fault.line_number + 1, message=slip_words)
    return fault


def _id_message(yaml_document: YamlDocument, fault: Fault, main_course: Course) -> str:
    """What is said of a word that is no id: the id of a knowledge point that was called by its name."""
    key_path = fault.path.split(".")
    written_id = yaml_document.written_value(key_path) or ""
    if key_path[-1] == "skill":
        for skill_id, skill in main_course.skills.items():
            if written_id and written_id in (
                skill.name,
                skill.name.removesuffix("DCG"),
                skill.name[: len(written_id)],
            ):
                return f"知识点写它的代号：{written_id}写成{skill_id}，旁边的名单里有全部的知识点"
        return (
            f"知识点写它的代号，比如dcg，旁边有全部的；要一个自己的，先在skills里给“{written_id[:20]}”起一个"
        )
    return f"{fault.message}；“{key_path[-1][:20]}”是代号，学生看不到它"


def _fault_at_default_skill(yaml_document: YamlDocument, fault: Fault) -> Fault:
    """The fault of an item, at the top of the text where the item has its knowledge point from there."""
    if yaml_document.is_in_file(fault.path.split(".")):
        return fault
    return replace(fault, line_number=yaml_document.line_number_at(("skill",)), path="skill")


def _with_figures(course: Course) -> Course:
    """The course with all figures put into its items: what is frozen with an answer needs nothing else."""

    def with_figures_filled(text_with_figures: str) -> str:
        return figures_in_text.fill(text_with_figures, course.examples, course.value_by_name)

    filled_item_by_id = {
        item_id: with_changed_texts(item, with_figures_filled) for item_id, item in course.items.items()
    }
    return course.with_items(filled_item_by_id)


def pickable_items(course: Course) -> Sequence[Item]:
    """The items that can be put into an assignment: what a teacher wrote, without twins and 换你."""
    generated_item_ids = {*course.item_id_by_twin_id, *map(turn_item_id, course.examples)}
    return [item for item in course.items.values() if item.id not in generated_item_ids]
