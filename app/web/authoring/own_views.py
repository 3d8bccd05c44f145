"""Beside the text of a teacher: the form of one item, what is wrong line by line, how students will see it,
what may be named."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course, Fault, Faults
from app.course.authoring import item_forms
from app.course.authoring.item_forms import SKILL_FIELD, TITLE_FIELD, FieldPlace, WrittenItem
from app.course.authoring.own_content import pickable_items
from app.course.content.model import Section
from app.course.exercises.exercises import offered_exercises
from app.course.items.kinds import KINDS, Item
from app.course.items.kinds.form_fields import FormField
from app.course.items.kinds.options import MultipleChoice
from app.course.text import untrusted
from app.course.text.markdown import has_foreign_picture, picture_names
from app.records.authoring import picture_files
from app.records.learning.values import LessonPageData
from app.settings import root
from app.web.items.feedback import worked_line_htmls
from app.web.items.item_views import item_state_from_log, render_item
from app.web.learning.section_position import SectionPosition
from app.web.learning.step_views import step_html
from app.web.site import slots
from app.web.site.rendering import line_html
from app.web.site.site import Site

MOST_SHOWN_FAULTS = 30
NAME_BY_FORM_TEMPLATE = dict(
    chain.from_iterable(kind.name_by_form_template().items() for kind in KINDS.values())
)
"""The templates of one question, which can be written by its form, by the name of their file."""
NAME_BY_TEMPLATE = {**NAME_BY_FORM_TEMPLATE, "section": "一节小课", "play": "能动的糖", "cards": "一组卡片"}
"""All templates, by the name of their file."""


class ItemFormView(NamedTuple):
    """The form of an item. `suggestions_by_list_name`: what may be named in a field, by the list that it
    asks for."""

    item: WrittenItem
    suggestions_by_list_name: Mapping[str, Mapping[str, str]]
    title_field: FormField = TITLE_FIELD
    skill_field: FormField = SKILL_FIELD

    @property
    def kind(self) -> str:
        """As the list of templates calls it."""
        return NAME_BY_FORM_TEMPLATE[self.item.kind]

    @property
    def comment_lines_words(self) -> str:
        """The lines with remarks, as a sentence lists them."""
        return "、".join(map(str, self.item.comment_line_numbers))

    def place_by_fault(self, faults: Sequence[Fault]) -> dict[Fault, FieldPlace]:
        """The fields in which faults are; without those that are elsewhere in the text."""
        place_by_fault = {}
        for fault in faults:
            field_place = item_forms.field_place_of(fault, self.item)
            if field_place:
                place_by_fault[fault] = field_place
        return place_by_fault


def view_of_item_form(
    content_text: str, item_id: str, main_course: Course, typed_text_by_field: Mapping[str, str]
) -> ItemFormView:
    """The form of an item; raises `UnfitText`. `typed_text_by_field`: what could not be put into the text,
    and is shown again."""
    written_item = item_forms.written_item(content_text, item_id, main_course)
    for form_field in written_item.form:
        form_field.put(written_item.body, typed_text_by_field)
    title_by_skill_name = {skill.name: "" for skill in main_course.skills.values()}
    example_title_by_id = {example_id: example.title for example_id, example in main_course.examples.items()}
    exercise_title_by_id = {
        exercise_id: exercise.title
        for exercise_id, exercise in offered_exercises(main_course.exercises).items()
    }
    return ItemFormView(
        written_item,
        {"skills": title_by_skill_name, "examples": example_title_by_id, "exercises": exercise_title_by_id},
    )


class AnswerKey(NamedTuple):
    """An item as its teacher checks it: the solution, and the feedback to each choice, true for those that
    are to be found."""

    item_id: str
    solution_htmls: Sequence[Markup]
    choices_with_comments: Sequence[tuple[Markup, Markup, bool]]


@dataclass(frozen=True)
class CheckedText:
    """A text with its faults, each with the words in its line; or as students see it.

    `hidden_fault_count`: how many faults are not listed; `unplaced_htmls`: the items that no section asks;
    `right_choice_count`: of the item in the form, where several may be chosen, and `has_written_kind`:
    whether its kind stands in the text, so that no tick changes it;
    `contents_words`: what it holds. `is_in_form`: whether it stands beside the form of one item, and
    `place_by_fault`: the fields of that in which faults are. `lost_picture_line_numbers`: of lines with a
    picture that is not here.
    """

    faults_with_excerpts: Sequence[tuple[Fault, str]] = ()
    hidden_fault_count: int = 0
    sections_with_htmls: Sequence[tuple[Section, Markup]] = ()
    unplaced_htmls: Sequence[Markup] = ()
    answer_keys: Sequence[AnswerKey] = ()
    contents_words: str = ""
    right_choice_count: int = 0
    has_written_kind: bool = False
    is_in_form: bool = False
    lost_picture_line_numbers: Sequence[int] = ()
    place_by_fault: Mapping[Fault, FieldPlace] = field(default_factory=dict)


def checked_text_of(
    site: Site,
    content_text: str,
    own_content_id: int,
    course_or_faults: Course | Faults,
    item_form_view: ItemFormView | None = None,
) -> CheckedText:
    """What stands beside the text, or beside the form of one item."""
    checked_text = faults_or_look_of(site, content_text, own_content_id, course_or_faults, item_form_view)
    return replace(checked_text, lost_picture_line_numbers=lost_picture_line_numbers(site, content_text))


def lost_picture_line_numbers(site: Site, content_text: str) -> list[int]:
    """The lines with pictures that are not here: they are on another site, or long gone."""
    picture_folder = picture_files.picture_folder_in(site.settings.data)
    line_numbers = []
    for line_number, line in enumerate(content_text.split("\n"), 1):
        picture_paths = [
            picture_files.picture_path(picture_folder, picture_name) for picture_name in picture_names(line)
        ]
        if has_foreign_picture(line) or not all(picture_path.is_file() for picture_path in picture_paths):
            line_numbers.append(line_number)
    return line_numbers


def faults_or_look_of(
    site: Site,
    content_text: str,
    own_content_id: int,
    course_or_faults: Course | Faults,
    item_form_view: ItemFormView | None,
) -> CheckedText:
    """The faults of a text, or its look."""
    if isinstance(course_or_faults, Faults):
        hidden_fault_count = max(0, len(course_or_faults.faults) - MOST_SHOWN_FAULTS)
        shown_faults = course_or_faults.faults[:MOST_SHOWN_FAULTS]
        place_by_fault = {} if item_form_view is None else item_form_view.place_by_fault(shown_faults)
        return CheckedText(
            faults_with_excerpts(content_text, shown_faults),
            hidden_fault_count,
            is_in_form=item_form_view is not None,
            place_by_fault=place_by_fault,
        )
    content_site = site.with_course(course_or_faults, f"/own/{own_content_id}", keeps_fragments=False)
    own_items = pickable_items(course_or_faults)
    contents_words = contents_words_of(course_or_faults, own_items, content_text)
    if item_form_view is not None:
        own_item = course_or_faults.items[item_form_view.item.id]
        right_choice_count = 0
        if isinstance(own_item, MultipleChoice):
            right_choice_count = len(own_item.right_options)
        return CheckedText(
            unplaced_htmls=[fresh_item_html(content_site, own_item)],
            answer_keys=[answer_key(course_or_faults, own_item)],
            contents_words=contents_words,
            right_choice_count=right_choice_count,
            has_written_kind="kind" in item_form_view.item.body,
            is_in_form=True,
        )
    return CheckedText(
        sections_with_htmls=list(sections_with_htmls(content_site)),
        unplaced_htmls=list(unplaced_item_htmls(content_site, own_items)),
        answer_keys=[answer_key(course_or_faults, own_item) for own_item in own_items],
        contents_words=contents_words,
    )


def faults_with_excerpts(content_text: str, faults: Sequence[Fault]) -> list[tuple[Fault, str]]:
    """The faults, each with the words that stand in its line; line 0 is the whole text."""
    lines = ["", *content_text.split("\n"), ""]
    last_line_index = len(lines) - 1
    faults_and_excerpts = []
    for fault in faults:
        line = lines[min(fault.line_number, last_line_index)].strip()
        faults_and_excerpts.append((fault, line[:60]))
    return faults_and_excerpts


def reason_not_to_keep(course_or_faults: Course | Faults) -> str:
    """Why a text may not even be kept; empty where it may."""
    if isinstance(course_or_faults, Course):
        return ""
    fault_message = course_or_faults.faults[0].message
    if fault_message in (untrusted.TOO_LARGE_WORDS, untrusted.READING_STOPPED_WORDS):
        return f"{fault_message}。"
    return ""


def title_of(content_text: str, course_or_faults: Course | Faults) -> str:
    """The title, also of a text that cannot be read to its end.

    >>> title_of("title: '甜'\\nitems: [", Faults(()))
    '甜'
    """
    if isinstance(course_or_faults, Course):
        return course_or_faults.title
    for line in content_text.split("\n"):
        if line.startswith("title:"):
            return line.removeprefix("title:").strip().strip("'\"")
    return ""


def sections_with_htmls(content_site: Site) -> Iterator[tuple[Section, Markup]]:
    """The small lessons with every step open, as they are before anything was answered."""
    [stage] = content_site.course.stages
    for section in stage.sections:
        last_step_number = len(section.steps)
        section_position = SectionPosition(content_site, stage, section, LessonPageData(), last_step_number)
        step_htmls = [step_html(section_position, step) for step in section.steps]
        yield section, inert_html(content_site, Markup("").join(step_htmls))


def unplaced_item_htmls(content_site: Site, own_items: Sequence[Item]) -> Iterator[Markup]:
    """Those items that no section asks: they are for assignments."""
    course = content_site.course
    [stage] = course.stages
    placed_item_ids: set[str] = set()
    for section in stage.sections:
        placed_item_ids.update(section.item_ids_with_twins(course.items))
    for own_item in own_items:
        if own_item.id not in placed_item_ids:
            yield fresh_item_html(content_site, own_item)


def fresh_item_html(content_site: Site, item: Item) -> Markup:
    """An item as it is before anything was answered."""
    item_state = item_state_from_log(content_site.course, item.id, LessonPageData(), seed=1)
    return inert_html(content_site, render_item(content_site, item_state))


def inert_html(content_site: Site, shown_html: str) -> Markup:
    """For a look only: nothing in it takes the focus, and no form of it goes anywhere."""
    quiet_html = shown_html.replace(" data-focus", " data-seen")
    text_by_slot = {
        slots.SENDER: slots.NOTHING,
        slots.SHOWN_AT: slots.NOTHING,
        slots.BASE: content_site.own_address,
        slots.NEXT: content_site.own_address,
    }
    return slots.fill(quiet_html, text_by_slot)


def answer_key(course: Course, item: Item) -> AnswerKey:
    variant = course.variant(item.id, 1)
    choices_with_comments = []
    for choice in variant.choices:
        choice_html, comment_html = line_html(course, choice.text), line_html(course, choice.feedback)
        choices_with_comments.append((choice_html, comment_html, choice.is_right))
    return AnswerKey(item.id, worked_line_htmls(course, variant), choices_with_comments)


def contents_words_of(course: Course, own_items: Sequence[Item], content_text: str) -> str:
    """What it holds, in a few words; a lesson only where its author wrote one."""
    [stage] = course.stages
    count_by_unit = {"道题": len(own_items), "张卡片": len(course.cards)}
    if re.search(r"^sections\s*:", content_text, re.MULTILINE):
        count_by_unit["节小课"] = len(stage.sections)
    return "、".join(f"{unit_count}{unit}" for unit, unit_count in count_by_unit.items() if unit_count)


def kinds_with_names(course: Course) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """What a text may name of the course: the kind, how it is written, and id → name."""
    name_by_skill_id = {skill_id: skill.name for skill_id, skill in course.skills.items()}
    yield "知识点", "skill: {}", name_by_skill_id
    title_by_example_id = {example_id: example.title for example_id, example in course.examples.items()}
    yield "例题", "- example: {}", title_by_example_id
    yield "术语", "[[{}]]", course.glossary_name_by_id


@cache
def without_remarks(content_text: str) -> str:
    """A template as a form takes it: its remarks say how to write the text, and would only be in the way.

    >>> without_remarks("title: 一道题  # 改这里")
    'title: 一道题'
    """
    lines = [
        line.partition(" #")[0].rstrip() for line in content_text.split("\n") if not line.startswith("#")
    ]
    return "\n".join(lines)


def template_text(template_name: str) -> str:
    """The text of a template; of one that is not there, the first."""
    if template_name not in NAME_BY_TEMPLATE:
        template_name = next(iter(NAME_BY_TEMPLATE))
    template_folder = root() / "templates" / "authoring" / "yaml"
    return (template_folder / f"{template_name}.yaml").read_text("utf-8")


MOST_CHANGED_ITEMS = 30
"""So many changed items are named in an address."""


def changed_item_ids(former_course: Course | Faults, present_course: Course | Faults) -> Sequence[str] | None:
    """The items that a text asks otherwise than before; None where one of the two has faults, or for more of
    them than are named."""
    if isinstance(former_course, Faults) or isinstance(present_course, Faults):
        return None
    changed_item_ids = [
        item_id for item_id, item in present_course.items.items() if former_course.items.get(item_id) != item
    ]
    if len(changed_item_ids) > MOST_CHANGED_ITEMS:
        return None
    return changed_item_ids
