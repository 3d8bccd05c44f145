"""A question of own content in a form beside its look: the fields of its kind, over the same text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.course import Course, Fault
from app.course.authoring import item_forms
from app.course.authoring.item_forms import SKILL_FIELD, TITLE_FIELD, FieldPlace, WrittenItem
from app.course.exercises.exercises import offered_exercises
from app.course.items.kinds.form_fields import FormField
from app.web.assignments.part_views import WORD_BY_ITEM_KIND


@dataclass(frozen=True)
class ItemFormView:
    """The form of an item. `names`: what may be named in a field, by the list that the field asks for."""

    item: WrittenItem
    names: Mapping[str, Mapping[str, str]]
    title_field: FormField = TITLE_FIELD
    skill_field: FormField = SKILL_FIELD

    @property
    def kind(self) -> str:
        return WORD_BY_ITEM_KIND[self.item.kind]

    @property
    def comments(self) -> str:
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


def form_view(
    content_text: str, item_id: str, main_course: Course, typed_text_by_field: Mapping[str, str]
) -> ItemFormView:
    """The form of an item; raises `UnfitText`. `typed_text_by_field`: what could not be put into the text,
    and is shown again."""
    item = item_forms.written_item(content_text, item_id, main_course)
    for field in item.form:
        field.put(item.body, typed_text_by_field)
    skills = {skill.name: "" for skill in main_course.skills.values()}
    examples = {example_id: example.title for example_id, example in main_course.examples.items()}
    exercises = {
        exercise_id: exercise.title
        for exercise_id, exercise in offered_exercises(main_course.exercises).items()
    }
    return ItemFormView(item, {"skills": skills, "examples": examples, "exercises": exercises})
