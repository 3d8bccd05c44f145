"""误区分布: which mistakes a class makes; and practice against one of them, for those who make it.

The mistakes stand by the step of the formula, with an answer that shows each.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from starlette.responses import Response

from app.course import Course
from app.course.content.recorded_misconceptions import (
    PRACTICE_LEVEL,
    STEPS_WITH_ROUNDING,
    NamedMisconception,
    exercise_ids_showing,
    named_misconception,
)
from app.course.content.refs import item_ref_of
from app.course.exercises.exercises import practice_item_id
from app.course.items.kinds import Generated
from app.engine.diagnosis import ROUNDING_STEP
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.checked_settings import LONGEST_TITLE
from app.records.classes.values import Student
from app.records.db.errors import Refused
from app.records.insight.misconceptions import (
    ClassMisconception,
    MisconceptionsData,
    create_practice_draft,
    load_misconceptions,
)
from app.records.insight.own_mistakes import load_own_content_wrong_answers
from app.web.classes.classrooms import ClassDep, ClassRequest
from app.web.insight.own_points import wrong_answer_groups
from app.web.insight.question_words import QuestionTitle, ShownAnswer, question_title, shown_answer
from app.web.insight.scopes import AnswerScope
from app.web.site.routing import LazyRouter
from app.web.site.site import CourseByPrefix

router = LazyRouter()
MOST_UNFOLDED_STEPS = 3
MOST_UNFOLDED_MISCONCEPTIONS = 3
"""So many steps of the formula stand open, each with so many mistakes; the others are folded away."""
MOST_LINKED_NAMES = 40
"""So many names lead to their work; those of further students stand in one line."""


@router.get("/classrooms/{classroom_id}/mistakes")
async def show(request: ClassDep, assignment: str = "") -> Response:
    """By step of the formula: who, how often, and an answer that shows it."""
    answer_scope = AnswerScope(assignment)
    return await misconceptions_page(
        request, await load_misconceptions_data(request, answer_scope), answer_scope
    )


async def load_misconceptions_data(request: ClassRequest, answer_scope: AnswerScope) -> MisconceptionsData:
    earliest_at = answer_scope.earliest_at(request.now)
    return await request.read(load_misconceptions, answer_scope.assignment_id, earliest_at)


async def misconceptions_page(
    request: ClassRequest,
    misconceptions_data: MisconceptionsData,
    answer_scope: AnswerScope,
    error_sentence: str = "",
) -> Response:
    """The page; `error_sentence`: why a draft was refused."""
    course = request.course
    own_content_wrong_answers = await request.read(
        load_own_content_wrong_answers, misconceptions_data, answer_scope.earliest_at(request.now)
    )
    item_refs = [
        class_misconception.example_answer.item_ref
        for class_misconception in misconceptions_data.misconceptions
        if class_misconception.example_answer
    ]
    item_refs += [wrong_answer.item_ref for wrong_answer in own_content_wrong_answers]
    course_by_prefix = await request.site.course_by_prefix_of_refs(item_refs)
    # Exercises are tried out, once.
    formula_steps = await request.site.off_loop.run(
        formula_step_views, course, course_by_prefix, misconceptions_data
    )
    return request.page(
        "insight/misconceptions",
        title=f"误区：{misconceptions_data.classroom.name}",
        misconceptions_data=misconceptions_data,
        classroom=misconceptions_data.classroom,
        formula_steps=formula_steps,
        unfolded_step_count=MOST_UNFOLDED_STEPS,
        own_groups=wrong_answer_groups(course_by_prefix, course, own_content_wrong_answers),
        scope=answer_scope,
        error_sentence=error_sentence,
    )


@router.post("/classrooms/{classroom_id}/remedies")
async def create_draft(request: ClassDep) -> Response:
    """A draft of practice that shows this very mistake, for exactly those who make it."""
    misconception_code = request.form.text("mistake")
    answer_scope = AnswerScope(request.form.text("assignment"))
    misconceptions_data = await load_misconceptions_data(request, answer_scope)
    exercise_refs_and_levels: list[tuple[str, int]] = []
    for class_misconception in misconceptions_data.misconceptions:
        if class_misconception.misconception_id == misconception_code:
            exercise_refs_and_levels = await request.site.off_loop.run(
                practice_refs_and_levels, request.course, class_misconception
            )
    try:
        draft_id = await request.write(
            create_practice_draft,
            misconception_code,
            title_of_draft(misconception_code),
            exercise_refs_and_levels,
            answer_scope.assignment_id,
            answer_scope.earliest_at(request.now),
            request.now,
        )
    except Refused as error:
        return await misconceptions_page(request, misconceptions_data, answer_scope, str(error))
    return request.redirect_within(f"/assignments/{draft_id}")


class ClassMisconceptionView(NamedTuple):
    """A mistake with who makes it, and the titles of the exercises against it.

    `alternative_names`: what else some answers may come from; `draft_tasks`: the practice against it so far.
    """

    misconception: NamedMisconception
    occurrence_count_by_student: Mapping[Student, int]
    occurrence_count: int
    share: float
    exercise_titles: Sequence[str]
    alternative_names: Sequence[str]
    draft_tasks: Sequence[AssignedTask]
    question_title: QuestionTitle | None
    shown_example: ShownAnswer | None

    @property
    def frequent_makers(self) -> Sequence[tuple[Student, int]]:
        """Who made it most often, as far as one reads names one by one."""
        return list(self.occurrence_count_by_student.items())[:MOST_LINKED_NAMES]

    @property
    def other_makers(self) -> Sequence[Student]:
        """The rest of a large class."""
        return list(self.occurrence_count_by_student)[MOST_LINKED_NAMES:]

    @property
    def is_only_rounding(self) -> bool:
        """Whether the way is right and only the last step went wrong."""
        return self.misconception.step == ROUNDING_STEP


class FormulaStepView(NamedTuple):
    """The mistakes at one step of the formula."""

    step_name: str
    misconceptions: Sequence[ClassMisconceptionView]

    @property
    def student_count(self) -> int:
        """How many make one of them."""
        return len(
            set().union(
                *[
                    misconception_view.occurrence_count_by_student
                    for misconception_view in self.misconceptions
                ]
            )
        )

    @property
    def common_misconceptions(self) -> Sequence[ClassMisconceptionView]:
        """Those of most students; what one student alone makes only where nobody shares a mistake."""
        repeated_misconceptions = [
            misconception_view
            for misconception_view in self.misconceptions
            if len(misconception_view.occurrence_count_by_student) > 1
        ]
        return (repeated_misconceptions or self.misconceptions)[:MOST_UNFOLDED_MISCONCEPTIONS]

    @property
    def further_misconceptions(self) -> Sequence[ClassMisconceptionView]:
        """Those that are folded away."""
        return self.misconceptions[len(self.common_misconceptions) :]

    @property
    def further_words(self) -> str:
        """How many are folded away, and how many students each concerns."""
        highest_student_count = max(
            len(misconception_view.occurrence_count_by_student)
            for misconception_view in self.further_misconceptions
        )
        student_words = "各只有一个人" if highest_student_count == 1 else f"各最多{highest_student_count}个人"
        return f"还有{len(self.further_misconceptions)}种，{student_words}"


def formula_step_views(
    course: Course, course_by_prefix: CourseByPrefix, misconceptions_data: MisconceptionsData
) -> list[FormulaStepView]:
    """The mistakes by step, the step at which most stumble first."""
    misconception_views_by_step_name = defaultdict(list)
    for class_misconception in misconceptions_data.misconceptions:
        misconception_view = class_misconception_view(
            course, course_by_prefix, misconceptions_data, class_misconception
        )
        misconception_views_by_step_name[misconception_view.misconception.step].append(misconception_view)
    views_of_formula_steps = [
        FormulaStepView(step_name, misconception_views_by_step_name[step_name])
        for step_name in STEPS_WITH_ROUNDING
        if step_name in misconception_views_by_step_name
    ]
    return sorted(views_of_formula_steps, key=lambda step: -step.student_count)


def class_misconception_view(
    course: Course,
    course_by_prefix: CourseByPrefix,
    misconceptions_data: MisconceptionsData,
    class_misconception: ClassMisconception,
) -> ClassMisconceptionView:
    occurrence_count_by_student = {}
    for enrolment_id, occurrence_count in sorted(
        class_misconception.count_by_enrolment_id.items(), key=lambda entry: -entry[1]
    ):
        occurrence_count_by_student[misconceptions_data.student_by_enrolment_id[enrolment_id]] = (
            occurrence_count
        )
    draft_title = title_of_draft(class_misconception.misconception_id)
    title_of_question = None
    shown_example = None
    if class_misconception.example_answer:
        title_of_question = question_title(course_by_prefix, class_misconception.example_answer.item_ref)
        shown_example = shown_answer(course_by_prefix, class_misconception.example_answer)
    return ClassMisconceptionView(
        misconception=named_misconception(class_misconception.misconception_id),
        occurrence_count_by_student=occurrence_count_by_student,
        occurrence_count=class_misconception.occurrence_count,
        share=len(occurrence_count_by_student)
        / max(misconceptions_data.answering_student_count, len(occurrence_count_by_student)),
        exercise_titles=[
            course.exercises[exercise_id].title
            for exercise_id in exercise_ids_showing_misconception(course, class_misconception)
        ],
        alternative_names=[
            named_misconception(misconception_code).name
            for misconception_code in class_misconception.alternative_codes
        ],
        draft_tasks=[task for task in misconceptions_data.tasks if task.title == draft_title],
        question_title=title_of_question,
        shown_example=shown_example,
    )


def title_of_draft(misconception_code: str) -> str:
    """What the practice against a mistake is called; by this it is recognized later."""
    return f"针对练习：{named_misconception(misconception_code).name}"[:LONGEST_TITLE]


def exercise_ids_showing_misconception(
    course: Course, class_misconception: ClassMisconception
) -> Sequence[str]:
    """The exercises that show a mistake, that in which it was made first."""
    exercise_id = None
    if class_misconception.example_answer:
        item = course.items.get(course.bare_id(item_ref_of(class_misconception.example_answer.item_ref)))
        if isinstance(item, Generated):
            exercise_id = item.exercise
    return exercise_ids_showing(course.exercises, class_misconception.misconception_id, exercise_id)


def practice_refs_and_levels(
    course: Course, class_misconception: ClassMisconception
) -> list[tuple[str, int]]:
    """What the practice against a mistake consists of: ref and level of each exercise."""
    exercise_refs_and_levels = []
    for exercise_id in exercise_ids_showing_misconception(course, class_misconception):
        item_id = practice_item_id(exercise_id, PRACTICE_LEVEL)
        if item_id in course.items:
            exercise_refs_and_levels.append((course.ref(exercise_id), PRACTICE_LEVEL))
    return exercise_refs_and_levels
