"""Wrong relevance: which documents are taken to count, and for how much."""

from app.engine.misconceptions.misconception import Misconception, Quantities, replaced
from app.engine.misconceptions.shares import Worth
from app.engine.misconceptions.working import candidates
from app.engine.questions import Question

COUNTED: Quantities = ("precision", "recall")
BY_THRESHOLD: Quantities = (*COUNTED, "average_precision", "reciprocal_rank")


def highest_grade(question: Question) -> float:
    """Return the highest grade of the pool, or of the list where there is none.

    >>> highest_grade(Question("recall", [1, None], pool=[1, 3]))
    3
    """
    return max(grade or 0 for grade in candidates(question))


def grade_itself(question: Question) -> Worth:  # noqa: ARG001
    """Return the grade as the worth of a document."""
    return lambda grade: grade or 0.0


def highest_alone(question: Question) -> Worth:
    """Return 1 for the highest grade there is, else 0."""
    highest = highest_grade(question)
    return lambda grade: float(grade == highest)


class WrongRelevance(Misconception):
    """A wrong idea of what a document counts for."""

    step = "相关"


class GradesForHits(WrongRelevance):
    """Grades are added up where relevant documents are counted."""

    id = "grades_for_hits"
    name = "把甜度当成了个数"
    thoughts = ("甜度是三，就顶三篇。", "有几分甜就加几分，跟CG一样。")
    said = "你把甜度（等级）加了起来"
    hint = "这把尺子只问相关不相关，再甜也只算一篇，数个数就行。"
    quantities = COUNTED
    instead = replaced(worth=grade_itself)

    def fits(self, question: Question) -> bool:
        return highest_grade(question) > 1


class OnlySweetestRelevant(WrongRelevance):
    """Only the highest grade counts as relevant."""

    id = "only_sweetest_relevant"
    name = "只把最甜的算作相关"
    thoughts = ("沾一点边不能算相关。", "相关就是满分的那几篇。")
    said = "你只数了最甜的那几篇"
    hint = "只要不是零，甜度（等级）高低都算相关，淡一点的也要数进去。"
    quantities = BY_THRESHOLD
    instead = replaced(worth=highest_alone)

    def fits(self, question: Question) -> bool:
        return highest_grade(question) > 1


RELEVANCE_MODELS = (GradesForHits(), OnlySweetestRelevant())
