"""Wrong relevance: which documents are taken to count, and for how much."""

from app.engine.misconceptions.misconception import Misconception, Quantities, wrong_steps_with
from app.engine.misconceptions.shares import WorthOfGrade, chance_on_scale
from app.engine.misconceptions.working import candidate_grades
from app.engine.questions import HIGHEST_GRADE_OF_SCALE, Question

PRECISION_AND_RECALL: Quantities = ("precision", "recall")
QUANTITIES_WITH_THRESHOLD: Quantities = (
    *PRECISION_AND_RECALL,
    "average_precision",
    "reciprocal_rank",
    "auc",
    "rbp",
)
ERR_ONLY: Quantities = ("err",)


def highest_grade(question: Question) -> float:
    """Return the highest grade of the pool, or of the list where there is none.

    >>> highest_grade(Question("recall", [1, None], pool=[1, 3]))
    3
    """
    return max(grade or 0 for grade in candidate_grades(question))


def worth_of_grade(question: Question) -> WorthOfGrade:  # noqa: ARG001
    """Return the grade as the worth of a document."""
    return lambda grade: grade or 0.0


def worth_of_highest_grade(question: Question) -> WorthOfGrade:
    """Return 1 for the highest grade there is, else 0."""
    top_grade = highest_grade(question)
    return lambda grade: float(grade == top_grade)


def worth_of_linear_chance(question: Question) -> WorthOfGrade:  # noqa: ARG001
    """Return the grade over the highest of the scale."""
    return lambda grade: (grade or 0) / HIGHEST_GRADE_OF_SCALE


def worth_of_power_chance(question: Question) -> WorthOfGrade:  # noqa: ARG001
    """Return ``2**grade / 2**highest``; an unjudged document has no chance."""
    return lambda grade: 0.0 if grade is None else 2.0 ** (grade - HIGHEST_GRADE_OF_SCALE)


def worth_of_chance_in_list(question: Question) -> WorthOfGrade:
    """Return the chance on a scale that ends with the highest grade of the list."""
    top_grade = max(grade or 0 for grade in question.grades)
    return lambda grade: chance_on_scale(grade or 0, top_grade)


class WrongRelevance(Misconception):
    """A wrong idea of what a document counts for."""

    step = "相关"


class GradesForHits(WrongRelevance):
    """Grades are added up where relevant documents are counted."""

    id = "grades_for_hits"
    name = "把甜度当成了个数"
    thoughts = ("甜度是三，就顶三篇。", "有几分甜就加几分，跟CG一样。")
    mistake_clause = "你把甜度加了起来"
    hint = "这把尺子只问相关不相关，再甜也只算一篇。"
    quantities = (*PRECISION_AND_RECALL, "rbp")
    wrong_steps = wrong_steps_with(worth=worth_of_grade)

    def fits(self, question: Question) -> bool:
        return highest_grade(question) > 1


class OnlySweetestRelevant(WrongRelevance):
    """Only the highest grade counts as relevant."""

    id = "only_sweetest_relevant"
    name = "只把最甜的算作相关"
    thoughts = ("沾一点边不能算相关。", "相关就是满分的那几篇。")
    mistake_clause = "你只数了最甜的那几篇"
    hint = "只要不是0，甜度高低都算相关，1分甜的也要数进去。"
    quantities = QUANTITIES_WITH_THRESHOLD
    mostly_showing_generators = ("precision", "average-precision", "auc", "rbp")
    wrong_steps = wrong_steps_with(worth=worth_of_highest_grade)

    def fits(self, question: Question) -> bool:
        return highest_grade(question) > 1


class GradedPairs(WrongRelevance):
    """Every pair of different grades is compared."""

    id = "graded_pairs"
    name = "甜度不同的都配了对"
    thoughts = ("更甜的都该排在前面，三和一也要比。",)
    mistake_clause = "你把甜度不同的都配成了对"
    hint = "只拿一篇相关的和一篇不相关的配对，两篇都相关，谁更甜都不比。"
    quantities = ("auc",)
    wrong_steps = wrong_steps_with(worth=worth_of_grade)

    def fits(self, question: Question) -> bool:
        return highest_grade(question) > 1


class LinearChance(WrongRelevance):
    """``grade / 4``."""

    id = "linear_chance"
    name = "满意的机会没有做乘方"
    thoughts = ("甜度占满分的几成，机会就是几成。",)
    mistake_clause = "你拿甜度直接除以满分当机会"
    hint = "分子先求2的甜度次方，再减1，分母是满分那一级的乘方。"
    quantities = ERR_ONLY
    wrong_steps = wrong_steps_with(worth=worth_of_linear_chance)


class ChanceWithoutMinusOne(WrongRelevance):
    """``2**grade / 16``."""

    id = "chance_without_minus_one"
    name = "满意的机会忘了减1"
    thoughts = ("机会就是两个乘方相除。",)
    mistake_clause = "你算机会的时候没有减1"
    hint = "分子是2的甜度次方再减1，这样甜度是0的才没人满意。"
    quantities = ERR_ONLY
    wrong_steps = wrong_steps_with(worth=worth_of_power_chance)


class ScaleOfList(WrongRelevance):
    """The highest grade of the list stands for that of the scale."""

    id = "scale_of_list"
    name = "满分取了这一列最甜的"
    thoughts = ("最甜的那颗就是满分。",)
    mistake_clause = "你把这一列里最甜的当成了满分"
    hint = "满分是整套标准的最高一级，题目里讲好了，这一列里没有满分的也不能换。"
    quantities = ERR_ONLY
    mostly_showing_generators = ("err",)
    wrong_steps = wrong_steps_with(worth=worth_of_chance_in_list)

    def fits(self, question: Question) -> bool:
        return max(grade or 0 for grade in question.grades) < HIGHEST_GRADE_OF_SCALE


RELEVANCE_MODELS = (
    GradesForHits(),
    OnlySweetestRelevant(),
    GradedPairs(),
    LinearChance(),
    ChanceWithoutMinusOne(),
    ScaleOfList(),
)
