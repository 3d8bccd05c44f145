"""Which numbers the drills of one attempt get: as much to compute for everybody, and nothing asked twice.

Seeds are tried in a fixed order until one fits. What was drawn is kept with the attempt, so that it stays the
same whatever happens to the generators.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from app import engine
from app.course.assignments.question_sets import AssignedQuestion, QuestionSet, SeedSource
from app.course.content.course import Course
from app.course.content.refs import prefix_of
from app.course.items.kinds.generated import Generated

MOST_SEEDS_TRIED = 200
"""So many seeds are tried for a question."""
MOST_FITTING_SEEDS = 12
"""So many that fit are looked at; then what is as long counts more than what was not asked before."""
ORDER_SALT = 100_000
"""Far above all seeds that are tried: the order of a version has nothing to do with its numbers."""
SAMPLED_SEED_COUNT = 60
"""So many variants say which workload is the usual one of a drill."""


AskedFigure = tuple[str, float]
"""What is asked, and the number that answers it."""


class DrilledQuestion(NamedTuple):
    """A drilled question, and what makes its variants."""

    assigned_question: AssignedQuestion
    generator: str
    level: int

    def engine_question(self, seed: int) -> engine.AnyQuestion:
        return engine.generate(self.generator, self.level, seed)


@lru_cache(maxsize=1024)
def usual_workload(generator: str, level: int, sample_seeds: Sequence[int]) -> tuple[int, ...]:
    """The workload of most of these variants. A class begins together, and each asks for the same."""
    count_by_workload = Counter(
        engine.workload(engine.generate(generator, level, seed)) for seed in sample_seeds
    )
    [(workload, _)] = count_by_workload.most_common(1)
    return workload


def drawn_seed_by_question_number_of(question_set: QuestionSet) -> dict[int, int]:
    """The seed of each drilled question, by its number. Those that all students share are drawn first, so
    that they are the same for everybody."""
    drilled_questions = []
    for assigned_question in question_set.questions:
        drilled_question = drilled_question_of(question_set, assigned_question)
        if drilled_question is not None:
            drilled_questions.append(drilled_question)
    drilled_questions.sort(
        key=lambda drilled_question: not drilled_question.assigned_question.is_same_for_all
    )
    return dict(seed_by_drilled_question_number(question_set.seed_source, tuple(drilled_questions)))


@lru_cache(maxsize=512)
def seed_by_drilled_question_number(
    seed_source: SeedSource, drilled_questions: Sequence[DrilledQuestion]
) -> Mapping[int, int]:
    """The draw itself, remembered: it is done ahead where nobody waits for it."""
    seed_by_question_number: dict[int, int] = {}
    asked_figures: set[AskedFigure] = set()
    for drilled_question in drilled_questions:
        seed = drawn_seed(seed_source, drilled_question, asked_figures)
        asked_figures.add(asked_figure_of(drilled_question.engine_question(seed)))
        seed_by_question_number[drilled_question.assigned_question.number] = seed
    return seed_by_question_number


def drawn_seed(
    seed_source: SeedSource, drilled_question: DrilledQuestion, asked_figures: Collection[AskedFigure]
) -> int:
    """The first seed that fits and asks for a new figure; else the first that fits, else its own."""
    fitting_seeds = []
    for seed, engine_question in fitting_seeds_with_questions(seed_source, drilled_question):
        if asked_figure_of(engine_question) not in asked_figures:
            return seed
        fitting_seeds.append(seed)
        if len(fitting_seeds) == MOST_FITTING_SEEDS:
            break
    if fitting_seeds:
        return fitting_seeds[0]
    return seed_source.formula_seed_of(drilled_question.assigned_question)


def fitting_seeds_with_questions(
    seed_source: SeedSource, drilled_question: DrilledQuestion
) -> Iterator[tuple[int, engine.AnyQuestion]]:
    """Seeds of the usual workload with what they ask, in the order in which they are tried. The usual one
    follows from seeds that all students and all questions of the drill share."""
    shared_question = drilled_question.assigned_question._replace(is_same_for_all=True, number=0)
    sample_seeds = [seed_source.formula_seed_of(shared_question, salt) for salt in range(SAMPLED_SEED_COUNT)]
    workload = usual_workload(drilled_question.generator, drilled_question.level, tuple(sample_seeds))
    for salt in range(MOST_SEEDS_TRIED):
        seed = seed_source.formula_seed_of(drilled_question.assigned_question, salt)
        engine_question = drilled_question.engine_question(seed)
        if engine.workload(engine_question) == workload:
            yield seed, engine_question


def shuffled_questions(question_set: QuestionSet) -> list[AssignedQuestion]:
    """The questions of a version in an order of its own, the same at every print; those of version 1 as they
    stand in the assignment."""
    if question_set.attempt_number == 1:
        return list(question_set.questions)

    def order_seed(assigned_question: AssignedQuestion) -> int:
        return question_set.seed_source.formula_seed_of(
            assigned_question._replace(is_same_for_all=False), ORDER_SALT
        )

    return sorted(question_set.questions, key=order_seed)


def asked_figure_of(question: engine.AnyQuestion) -> AskedFigure:
    """What is asked and the number that answers it, as people write it."""
    return question.quantity, round(engine.answer(question), 3)


def drilled_question_of(
    question_set: QuestionSet, assigned_question: AssignedQuestion
) -> DrilledQuestion | None:
    """A question as a drill; None for a fixed item, one to choose from, and one that is no longer there."""
    course = question_set.course_by_prefix.get(prefix_of(assigned_question.ref))
    if not isinstance(course, Course):
        return None
    item = course.items.get(course.bare_id(assigned_question.item_ref))
    if not isinstance(item, Generated):
        return None
    exercise = course.exercises[item.exercise]
    if exercise.kind == "single":
        return None
    return DrilledQuestion(assigned_question, exercise.generator, item.level)
