"""误区分布 as a page shows it: by the step of the formula, with an answer that shows each."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.course import Course
from app.course.assignments.question_sets import item_of
from app.course.content.misconception_names import LEVEL, STEPS, NamedMisconception, named, showing
from app.course.exercises.exercises import practice_id
from app.course.items.kinds import Generated
from app.engine.diagnosis import ROUNDING
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.rules import LONGEST_TITLE
from app.records.classes.values import Student
from app.records.insight.misconceptions import ClassMisconception, ClassMisconceptions
from app.web.insight.question_words import Courses, ShownAnswer, Title, shown_answer, titled


@dataclass(frozen=True)
class MistakeView:
    """A mistake with who makes it, and the titles of the exercises against it.

    `alternatives`: what else some answers may come from; `drafts`: the practice against it so far.
    """

    named: NamedMisconception
    students: Mapping[Student, int]
    total: int
    share: float
    exercises: Sequence[str]
    alternatives: Sequence[str]
    drafts: Sequence[AssignedTask]
    title: Title | None = None
    example: ShownAnswer | None = None

    @property
    def is_rounding(self) -> bool:
        """Whether the way is right and only the last step went wrong."""
        return self.named.step == ROUNDING


@dataclass(frozen=True)
class StepView:
    """The mistakes at one step of the formula."""

    step: str
    mistakes: Sequence[MistakeView]

    @property
    def students(self) -> int:
        """How many make one of them."""
        return len(set().union(*[mistake.students for mistake in self.mistakes]))

    @property
    def common(self) -> Sequence[MistakeView]:
        """What more than one student makes; where there is no such mistake, all."""
        return [mistake for mistake in self.mistakes if len(mistake.students) > 1] or self.mistakes

    @property
    def rare(self) -> Sequence[MistakeView]:
        common = self.common
        return [mistake for mistake in self.mistakes if mistake not in common]


def step_views(course: Course, courses: Courses, data: ClassMisconceptions) -> list[StepView]:
    """The mistakes by step, the step at which most stumble first."""
    by_step = defaultdict(list)
    for mistake in data.mistakes:
        view = mistake_view(course, courses, data, mistake)
        by_step[view.named.step].append(view)
    steps = [StepView(step, by_step[step]) for step in STEPS if step in by_step]
    return sorted(steps, key=lambda step: -step.students)


def mistake_view(
    course: Course, courses: Courses, data: ClassMisconceptions, mistake: ClassMisconception
) -> MistakeView:
    students = {}
    for enrolment_id, times in sorted(mistake.times.items(), key=lambda entry: -entry[1]):
        students[data.students[enrolment_id]] = times
    draft_title = title_of_draft(mistake.code)
    title = None
    example = None
    if mistake.example:
        title = titled(courses, mistake.example.item)
        example = shown_answer(courses, mistake.example)
    return MistakeView(
        named=named(mistake.code),
        students=students,
        total=mistake.total,
        share=len(students) / max(data.answered, len(students)),
        exercises=[course.exercises[name].title for name in exercises_against(course, mistake)],
        alternatives=[named(code).name for code in mistake.alternatives],
        drafts=[task for task in data.tasks if task.title == draft_title],
        title=title,
        example=example,
    )


def title_of_draft(code: str) -> str:
    """What the practice against a mistake is called; by this it is recognized later."""
    return f"针对练习：{named(code).name}"[:LONGEST_TITLE]


def exercises_against(course: Course, mistake: ClassMisconception) -> Sequence[str]:
    """The exercises that show a mistake, that in which it was made first."""
    exercise = None
    if mistake.example:
        item = course.items.get(course.bare(item_of(mistake.example.item)))
        if isinstance(item, Generated):
            exercise = item.exercise
    return showing(course.exercises, mistake.code, exercise)


def parts_against(course: Course, mistake: ClassMisconception) -> list[tuple[str, int]]:
    """What the practice against a mistake consists of: ref and level of each exercise."""
    return [
        (course.ref(name), LEVEL)
        for name in exercises_against(course, mistake)
        if practice_id(name, LEVEL) in course.items
    ]
