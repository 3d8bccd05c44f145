"""Which numbers the drills of one attempt get: as much to compute for everybody, and nothing asked twice.

Seeds are tried in a fixed order until one fits. What was drawn is kept with the attempt, so that it stays the
same whatever happens to the generators.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

from app import engine
from app.course.assignments.question_sets import AssignedQuestion, QuestionSet
from app.course.content.refs import prefix_of
from app.course.exercises.exercises import CHOICES, Exercise
from app.course.items.kinds.generated import Generated

MOST_TRIES = 200
"""So many seeds are tried for a question; then what is as long counts more than what was not asked before."""
ORDER_SALT = 100_000
"""Far above all seeds that are tried: the order of a version has nothing to do with its numbers."""
SAMPLE = 60
"""So many variants say which workload is the usual one of a drill."""


@runtime_checkable
class DrillCourse(Protocol):
    """What drawing asks of a course."""

    items: Mapping[str, Any]
    exercises: Mapping[str, Exercise]

    def bare(self, ref: str, /) -> str: ...


class DrilledQuestion:
    """A drilled question of a set, with its variants by seed."""

    def __init__(
        self, question_set: QuestionSet, question: AssignedQuestion, exercise: Exercise, level: int
    ) -> None:
        self.question_set = question_set
        self.question = question
        self.exercise = exercise
        self.level = level

    def variant(self, seed: int) -> engine.AnyQuestion:
        return engine.generate(self.exercise.generator, self.level, seed)

    def fitting_variants(self) -> Iterator[tuple[int, engine.AnyQuestion]]:
        """Seeds of the usual workload with what they ask, in the order in which they are tried. The usual one
        follows from seeds that all students and all questions of the drill share."""
        shared_question = self.question._replace(same=True, number=0)
        sample = [self.question_set.formula_seed(shared_question, salt) for salt in range(SAMPLE)]
        workload = usual_workload(self.exercise.generator, self.level, tuple(sample))
        for salt in range(MOST_TRIES):
            seed = self.question_set.formula_seed(self.question, salt)
            variant = self.variant(seed)
            if engine.workload(variant) == workload:
                yield seed, variant


@lru_cache(maxsize=1024)
def usual_workload(generator: str, level: int, sample: Sequence[int]) -> tuple[int, ...]:
    """The workload of most of these variants. A class begins together, and each asks for the same."""
    workloads = Counter(engine.workload(engine.generate(generator, level, seed)) for seed in sample)
    [(workload, _)] = workloads.most_common(1)
    return workload


def draw_seeds(question_set: QuestionSet) -> dict[int, int]:
    """The seed of each drilled question, by its number. Those that all students share are drawn first, so
    that they are the same for everybody."""
    drills = []
    for question in question_set.questions:
        drill = drill_of(question_set, question)
        if drill is not None:
            drills.append(drill)
    drills.sort(key=lambda drill: not drill.question.same)
    seeds: dict[int, int] = {}
    figures_asked: set[tuple[str, float]] = set()
    for drill in drills:
        seed = draw(drill, figures_asked)
        figures_asked.add(figure_of(drill.variant(seed)))
        seeds[drill.question.number] = seed
    return seeds


def draw(drill: DrilledQuestion, figures_asked: set[tuple[str, float]]) -> int:
    """The first seed that fits and asks for a new figure; else the first that fits, else its own."""
    first_fitting_seed = None
    for seed, variant in drill.fitting_variants():
        if first_fitting_seed is None:
            first_fitting_seed = seed
        if figure_of(variant) not in figures_asked:
            return seed
    if first_fitting_seed is None:
        return drill.question_set.formula_seed(drill.question)
    return first_fitting_seed


def mixed(question_set: QuestionSet) -> list[AssignedQuestion]:
    """The questions of a version in an order of its own, the same at every print; those of version 1 as they
    stand in the assignment."""
    if question_set.attempt_number == 1:
        return list(question_set.questions)

    def place(question: AssignedQuestion) -> int:
        return question_set.formula_seed(question._replace(same=False), ORDER_SALT)

    return sorted(question_set.questions, key=place)


def figure_of(question: engine.AnyQuestion) -> tuple[str, float]:
    """What is asked and the number that answers it, as people write it."""
    return question.quantity, round(engine.answer(question), 3)


def drill_of(question_set: QuestionSet, question: AssignedQuestion) -> DrilledQuestion | None:
    """A question as a drill; None for a fixed item, one to choose from, and one that is no longer there."""
    course: object = question_set.courses.get(prefix_of(question.ref))
    if not isinstance(course, DrillCourse):
        return None
    item = course.items.get(course.bare(question.item))
    if not isinstance(item, Generated):
        return None
    exercise = course.exercises[item.exercise]
    if exercise.generator in CHOICES:
        return None
    return DrilledQuestion(question_set, question, exercise, item.level)
