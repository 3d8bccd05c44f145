"""How many of the mistakes at a step of the formula stand open on 误区."""

from datetime import UTC, datetime

from app.course.content.recorded_misconceptions import named_misconception
from app.records.classes.values import Student
from app.web.insight.misconceptions import ClassMisconceptionView, FormulaStepView


def mistake_of(student_count: int) -> ClassMisconceptionView:
    students = [
        Student(number, number, f"同学{number}", "", datetime(2026, 9, 1, tzinfo=UTC), None, None)
        for number in range(student_count)
    ]
    return ClassMisconceptionView(
        misconception=named_misconception("natural_log"),
        occurrence_count_by_student=dict.fromkeys(students, 1),
        occurrence_count=student_count,
        share=0.5,
        exercise_titles=(),
        alternative_names=(),
        draft_tasks=(),
        question_title=None,
        shown_example=None,
    )


def step_of(*student_counts: int) -> FormulaStepView:
    return FormulaStepView("折损", [mistake_of(student_count) for student_count in student_counts])


def test_those_of_most_students_stand_open_and_the_others_are_counted() -> None:
    step = step_of(9, 6, 5, 3, 1)
    assert [*step.common_misconceptions, *step.further_misconceptions] == step.misconceptions
    assert (len(step.common_misconceptions), step.further_words) == (3, "还有2种，各最多3个人")


def test_what_one_student_makes_is_folded_away_where_others_make_something_together() -> None:
    step = step_of(2, 1)
    assert (len(step.common_misconceptions), step.further_words) == (1, "还有1种，各只有一个人")
    assert not step_of(1, 1).further_misconceptions
