"""Sheets of variants to print, with their key and a map of wrong numbers to misconception_ids_and_names."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from app import engine
from app.course import Course
from app.course.items import rounding
from app.course.items.printed_figures import rounded_text
from app.web.items.printed import PrintedItem
from app.web.items.variants import Variant


@dataclass(frozen=True)
class SheetQuestion(PrintedItem):
    """A question on a sheet of an exercise."""

    variant: Variant


@dataclass(frozen=True)
class Sheet:
    """Questions to print; `misconception_ids_and_names`: the columns of the map, which the exercise tells
    apart."""

    questions: Sequence[SheetQuestion]
    misconception_ids_and_names: Sequence[tuple[str, str]]

    @cached_property
    def common_clauses(self) -> Sequence[str]:
        """What all questions take for granted: said once, above them."""
        clauses = self.questions[0].clauses
        for sheet_question in self.questions[1:]:
            clauses = [clause for clause in clauses if clause in sheet_question.clauses]
        return clauses

    @cached_property
    def decimal_count(self) -> int:
        """Decimals of the numbers of the map: as many as tell neighbours apart, none where all are whole."""
        misconception_ids = {misconception_id for misconception_id, _ in self.misconception_ids_and_names}
        for sheet_question in self.questions:
            for misconception_id, wrong_value in sheet_question.predicted_value_by_misconception_id.items():
                if misconception_id in misconception_ids and not rounding.is_whole_in_table(wrong_value):
                    return rounding.TABLE_DECIMALS
        return 0

    def wrong_number_text(self, sheet_question: SheetQuestion, misconception_id: str) -> str:
        """What a mistake leads to in a question, as the map prints it."""
        wrong_value = sheet_question.predicted_value_by_misconception_id.get(misconception_id)
        if wrong_value is None:
            return "—"
        return rounded_text(wrong_value, self.decimal_count)

    def own_clauses(self, sheet_question: SheetQuestion) -> Sequence[str]:
        """What only some of them take for granted: said at each."""
        return [clause for clause in sheet_question.clauses if clause not in self.common_clauses]


def sheet_of(course: Course, first_variant: Variant, question_count: int) -> Sheet:
    """`question_count` variants from the first one on."""
    sheet_questions = []
    for question_number in range(1, question_count + 1):
        variant = first_variant.variant_ahead(question_number - 1)
        item = course.variant(variant.item_id, variant.seed)
        sheet_questions.append(SheetQuestion(course, item, question_number, variant))
    if sheet_questions[0].right_number is None:  # no number is written, so none is wrong
        return Sheet(sheet_questions, ())
    exercise = course.exercises[first_variant.exercise_id]
    misconception_ids = engine.misconception_ids_told_apart(exercise.generator)
    ids_with_names = [
        (misconception_id, engine.MISCONCEPTIONS[misconception_id].name)
        for misconception_id in misconception_ids
    ]
    return Sheet(sheet_questions, ids_with_names)
