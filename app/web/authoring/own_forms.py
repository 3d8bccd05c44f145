"""A question of own content in a form beside its look: the fields of its kind, over the same text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.course import Course, Fault
from app.course.authoring import item_forms
from app.course.authoring.item_forms import SKILL_FIELD, TITLE_FIELD, FieldPlace, WrittenItem
from app.course.authoring.yaml_edits import UnfitText
from app.course.exercises.exercises import offered_exercises
from app.course.items.kinds.form_fields import INPUT_PREFIX, FormField
from app.course.text import untrusted
from app.web.assignments.part_views import KIND_WORDS
from app.web.site.posted_forms import PostedForm
from app.web.site.requests import CallerRequest


class PostedText(NamedTuple):
    """What the editor sent: the text with what was typed into a form. `item`: the one whose form is open
    next, none in the view of the text; `error`: why something could not be put in."""

    text: str
    item_id: str = ""
    error: str = ""


class PictureBox(NamedTuple):
    """Where a picture is sent from the editor. `markdown_line`: what shows the one that was just sent; `alt`:
    what was said of one that was refused."""

    markdown_line: str = ""
    alt: str = ""
    is_open: bool = False


CLOSED_BOX = PictureBox()


async def posted_text(request: CallerRequest) -> PostedText:
    """The text of the editor, in whichever view it was changed."""
    form = request.form
    if not form.text("edited") and not form.text("item") and not form.text("add"):
        return PostedText(untrusted.with_plain_line_ends(form.text("text")))
    return await request.site.off_loop.run(text_with_form, form, request.course)


def text_with_form(form: PostedForm, main_course: Course) -> PostedText:
    """The text with what was typed into the form of an item, and one more item where that was asked for."""
    text = untrusted.with_plain_line_ends(form.text("text"))
    edited_id = form.text("edited")
    item_id = form.text("item") or edited_id
    try:
        if edited_id:
            text = item_forms.with_typed_fields(text, edited_id, typed_texts(form), main_course)
        if form.text("add"):
            text, item_id = item_forms.with_new_item(text, form.text("kind"))
    except UnfitText as error:
        return PostedText(text, edited_id, f"{error}。")
    if form.text("view") == "text":
        item_id = ""
    return PostedText(text, item_id)


def typed_texts(form: PostedForm) -> dict[str, str]:
    """What was typed into the fields of an item."""
    texts = {}
    for name in form.fields:
        if name.startswith(INPUT_PREFIX):
            texts[name] = untrusted.with_plain_line_ends(form.text(name))
    return texts


@dataclass(frozen=True)
class FormView:
    """The form of an item. `names`: what may be named in a field, by the list that the field asks for."""

    item: WrittenItem
    names: Mapping[str, Mapping[str, str]]
    title_field: FormField = TITLE_FIELD
    skill_field: FormField = SKILL_FIELD

    @property
    def kind(self) -> str:
        return KIND_WORDS[self.item.kind]

    @property
    def comments(self) -> str:
        """The lines with remarks, as a sentence lists them."""
        return "、".join(map(str, self.item.comment_line_numbers))

    def place_by_fault(self, faults: Sequence[Fault]) -> dict[Fault, FieldPlace]:
        """The fields in which faults are; without those that are elsewhere in the text."""
        place_by_fault = {}
        for fault in faults:
            place = item_forms.field_place_of(fault, self.item)
            if place:
                place_by_fault[fault] = place
        return place_by_fault


def form_view(text: str, item_id: str, main_course: Course, typed: Mapping[str, str]) -> FormView:
    """The form of an item; raises `UnfitText`. `typed`: what could not be put into the text, shown again."""
    item = item_forms.written_item(text, item_id, main_course)
    for field in item.form:
        field.put(item.body, typed)
    skills = {skill.name: "" for skill in main_course.skills.values()}
    examples = {example_id: example.title for example_id, example in main_course.examples.items()}
    exercises = {
        exercise_id: exercise.title
        for exercise_id, exercise in offered_exercises(main_course.exercises).items()
    }
    return FormView(item, {"skills": skills, "examples": examples, "exercises": exercises})
