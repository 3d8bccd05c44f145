"""误区分布 as a page shows it: by the step of the formula, with an answer that shows each."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.course import Course
from app.course.assignments.question_sets import item_of
from app.course.content.misconception_names import LEVEL, STEPS, NamedMisconception, named, showing
from app.course.exercises.exercises import practice_id
from app.course.items.kinds import Generated
from app.engine.diagnosis import ROUNDING
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.assignments import LONGEST_TITLE
from app.records.classes.values import Student
from app.records.insight.misconceptions import ClassMisconception, ClassMisconceptions, ExampleAnswer
from app.web.insight.question_words import Courses, ShownAnswer, Title, shown, titled


@dataclass(frozen=True)
class MistakeView:
    """A mistake with who makes it, and the titles of the exercises against it.

    `maybe`: what else some answers may come from; `remedies`: the practice against it that there is already.
    """

    named: NamedMisconception
    students: Sequence[tuple[Student, int]]
    total: int
    share: float
    title: Title | None
    example: ShownAnswer | None
    exercises: Sequence[str]
    maybe: Sequence[str]
    remedies: Sequence[AssignedTask]

    @property
    def is_rounding(self) -> bool:
        """Whether the way is right and only the last step went wrong."""
        return self.named.step == ROUNDING


@dataclass(frozen=True)
class StepView:
    """The mistakes at one step of the formula; `students`: how many make one of them."""

    step: str
    mistakes: Sequence[MistakeView]
    students: int

    @property
    def common(self) -> Sequence[MistakeView]:
        """What more than one makes; where there is no such thing, all."""
        return [one for one in self.mistakes if len(one.students) > 1] or self.mistakes

    @property
    def rare(self) -> Sequence[MistakeView]:
        return [one for one in self.mistakes if one not in self.common]


def steps(course: Course, courses: Courses, look: ClassMisconceptions) -> list[StepView]:
    """The mistakes by step, the step at which most stumble first."""
    views = [view(course, courses, look, one) for one in look.mistakes]
    found = [step_view(step, [one for one in views if one.named.step == step]) for step in STEPS]
    return sorted((one for one in found if one.mistakes), key=lambda one: -one.students)


def step_view(step: str, mistakes: Sequence[MistakeView]) -> StepView:
    students = {student.id for one in mistakes for student, _ in one.students}
    return StepView(step, mistakes, len(students))


def view(course: Course, courses: Courses, look: ClassMisconceptions, one: ClassMisconception) -> MistakeView:
    students = [(look.students[place], times) for place, times in one.times.items()]
    students.sort(key=lambda pair: -pair[1])
    title = title_of(one.code)
    return MistakeView(
        named=named(one.code),
        students=students,
        total=one.total,
        share=len(students) / max(look.answered, len(students)),
        title=titled(courses, one.example.item) if one.example else None,
        example=shown(courses, one.example),
        exercises=[course.exercises[name].title for name in remedy(course, one)],
        maybe=[named(other).name for other in one.maybe],
        remedies=[task for task in look.tasks if task.title == title],
    )


def title_of(mistake: str) -> str:
    """What the practice against a mistake is called; by this it is found again."""
    return f"针对练习：{named(mistake).name}"[:LONGEST_TITLE]


def remedy(course: Course, one: ClassMisconception) -> Sequence[str]:
    """The exercises against a mistake."""
    return showing(course.exercises, one.code, exercise_of(course, one.example))


def exercise_of(course: Course, example: ExampleAnswer | None) -> str | None:
    """The exercise in which a mistake was made, if it was practice."""
    item = course.items.get(course.bare(item_of(example.item))) if example else None
    return item.exercise if isinstance(item, Generated) else None


def parts(course: Course, one: ClassMisconception) -> list[tuple[str, int]]:
    """What the practice against a mistake consists of: ref and level of each exercise."""
    known = [name for name in remedy(course, one) if practice_id(name, LEVEL) in course.items]
    return [(course.ref(name), LEVEL) for name in known]
