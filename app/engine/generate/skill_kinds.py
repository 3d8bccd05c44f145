"""What is practised with a list of grades, or with a table: how it is drawn, and which mistakes must show."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from app.engine.generate.random_stream import RandomStream
from app.engine.questions import RANK_QUANTITIES, Question, TableQuestion

TOP_GRADE = 4
MOST_DOCUMENTS_OF_GRADE = 4  # documents of one grade in one question: as many as a scene has titles for
MOST_DOCUMENTS_OF_TOP_GRADE = 2

Bounds: TypeAlias = tuple[int, int]
"""Fewest and most, both included."""


class LevelSize(NamedTuple):
    """How large the questions of a level are.

    document_bounds: shortest and longest list. top_grade: the highest one. rank_bounds: first and last rank
    asked about. unlisted_document_bounds: fewest and most judged documents that the system did not return,
    where there is a pool.
    """

    document_bounds: Bounds
    top_grade: int
    rank_bounds: Bounds
    unlisted_document_bounds: Bounds


SIZE_BY_LEVEL: Mapping[int, LevelSize] = MappingProxyType(
    {
        1: LevelSize((3, 4), top_grade=3, rank_bounds=(2, 3), unlisted_document_bounds=(1, 2)),
        2: LevelSize((4, 5), top_grade=3, rank_bounds=(2, 4), unlisted_document_bounds=(2, 2)),
        3: LevelSize((5, 6), top_grade=4, rank_bounds=(2, 6), unlisted_document_bounds=(2, 2)),
    }
)


class ListSkill(NamedTuple):
    """What is practised: a quantity under its conventions, and the mistakes that must show.

    is_cut: ``k`` is below the length of the list. has_pool: there are judged documents that were not
    returned, and ``k`` is the length of the list, unless it is cut. rank_bounds_by_level,
    document_bounds_by_level: where they differ from those of the level. extra_zero_count: so many more
    chances of a grade of 0. leading_zero_bounds: fewest and most grades of 0 that the list begins with.
    hidden_misconception_ids: those that lie apart from the truth too, but share their number with another one
    in every variant, so that they are never named. Both lists are fixed once seeds were given out: what
    drawing asks for decides the numbers of a seed. A mistake that is described later names the skill itself,
    by ``mostly_showing_generators``.
    asks_any_grade: a grade of 0 or 1 may be asked for, where some mistakes lead to the truth itself; told
    apart are those that do not. least_top_grade: the sweetest of the list has at least this grade.
    never_right_misconception_ids: fixed as well; none of them, told apart or not, leads to a number that
    would be taken for the right one. One that leads to the truth itself may: there it does no harm.
    always_wrong_misconception_ids: those whose learners would be told right too often by it, fixed as well:
    neither they nor their mirrors lead to the truth.
    """

    quantity: str
    told_apart_misconception_ids: tuple[str, ...]
    gain: str = "linear"
    is_cut: bool = False
    has_pool: bool = False
    rank_bounds_by_level: Mapping[int, Bounds] | None = None
    document_bounds_by_level: Mapping[int, Bounds] | None = None
    extra_zero_count: int = 0
    leading_zero_bounds: Bounds | None = None
    hidden_misconception_ids: tuple[str, ...] = ()
    asks_any_grade: bool = False
    least_top_grade: int = 0
    never_right_misconception_ids: Collection[str] = ()
    always_wrong_misconception_ids: tuple[str, ...] = ()

    def draw(self, level: int, random_stream: RandomStream) -> Question | None:
        """One draw of a question: None if its grades break a promise.

        The numbers are taken from the stream in a fixed order: another one would give every seed that was
        handed out another question.
        """
        level_size = SIZE_BY_LEVEL[level]
        rank = None
        if self.quantity in RANK_QUANTITIES:
            rank_bounds = (self.rank_bounds_by_level or {}).get(level, level_size.rank_bounds)
            rank = random_stream.between(*rank_bounds)
        length_bounds = (self.document_bounds_by_level or {}).get(level, level_size.document_bounds)
        list_length = max(random_stream.between(*length_bounds), rank or 0)
        unlisted_document_count = 0
        if self.has_pool:
            unlisted_document_count = random_stream.between(*level_size.unlisted_document_bounds)
        grades = self._draw_grades(list_length + unlisted_document_count, level_size.top_grade, random_stream)
        k = list_length if self.has_pool else None
        if self.is_cut:
            k = random_stream.between(2, list_length - 1)
        if not self._may_be_asked(grades, list_length):
            return None
        pool = grades if self.has_pool else None
        return Question(self.quantity, grades[:list_length], k, self.gain, pool, rank)

    def _draw_grades(self, document_count: int, top_grade: int, random_stream: RandomStream) -> list[int]:
        least_draw = -self.extra_zero_count  # below 0 counts as 0
        grades = [max(0, random_stream.between(least_draw, top_grade)) for _ in range(document_count)]
        if self.leading_zero_bounds:
            zero_count = random_stream.between(*self.leading_zero_bounds)
            grades[:zero_count] = [0] * zero_count
        return grades

    def _may_be_asked(self, grades: Sequence[int], list_length: int) -> bool:
        listed_grades = list(grades[:list_length])
        if not any(listed_grades) or listed_grades == sorted(listed_grades, reverse=True):
            return False
        if self.quantity == "auc" and all(listed_grades):  # nobody to win a pair from
            return False
        if max(listed_grades) < self.least_top_grade:
            return False
        return all(grades.count(grade) <= _most_documents_of(grade) for grade in set(grades))


def _most_documents_of(grade: int) -> int:
    if grade < TOP_GRADE:
        return MOST_DOCUMENTS_OF_GRADE
    return MOST_DOCUMENTS_OF_TOP_GRADE


class TableSkill(NamedTuple):
    """What is practised: a figure of a table, how it is drawn, and the mistakes that must show.

    draw: from a level and a stream to a question, or None where the table would be a poor one.
    told_apart_misconception_ids, hidden_misconception_ids, never_right_misconception_ids,
    always_wrong_misconception_ids: as of ``ListSkill``.
    """

    quantity: str
    draw: Callable[[int, RandomStream], TableQuestion | None]
    told_apart_misconception_ids: tuple[str, ...]
    hidden_misconception_ids: tuple[str, ...] = ()
    never_right_misconception_ids: Collection[str] = ()
    always_wrong_misconception_ids: tuple[str, ...] = ()
