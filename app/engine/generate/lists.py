"""What is practised with a list of grades: how large it is at each level, and which mistakes must show."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

Bounds: TypeAlias = tuple[int, int]
"""Fewest and most, both included."""


class LevelSize(NamedTuple):
    """How large the questions of a level are.

    document_bounds: shortest and longest list. top_grade: the highest one. rank_bounds: first and last rank
    asked about. unseen_document_bounds: fewest and most judged documents that the system did not return,
    where there is a pool.
    """

    document_bounds: Bounds
    top_grade: int
    rank_bounds: Bounds
    unseen_document_bounds: Bounds


SMALL_LEVEL = LevelSize(
    document_bounds=(3, 4), top_grade=3, rank_bounds=(2, 3), unseen_document_bounds=(1, 2)
)
MEDIUM_LEVEL = LevelSize(
    document_bounds=(4, 5), top_grade=3, rank_bounds=(2, 4), unseen_document_bounds=(2, 2)
)
LARGE_LEVEL = LevelSize(
    document_bounds=(5, 6), top_grade=4, rank_bounds=(2, 6), unseen_document_bounds=(2, 2)
)
SIZE_BY_LEVEL: Mapping[int, LevelSize] = MappingProxyType({1: SMALL_LEVEL, 2: MEDIUM_LEVEL, 3: LARGE_LEVEL})
FAR_RANK_BOUNDS_BY_LEVEL = MappingProxyType({1: (4, 5), 2: (4, 6), 3: (5, 6)})
LONGER_LIST_BOUNDS_BY_LEVEL = MappingProxyType({1: (5, 5), 2: (5, 6), 3: (6, 6)})
"""Shares of few documents are too alike."""
LONGEST_LIST_BOUNDS_BY_LEVEL = MappingProxyType({1: (5, 6), 2: (6, 7), 3: (7, 8)})
EXTRA_ZEROS_FOR_HALF = 2  # with grades up to 3 these make 0 as likely as all others: a binary list needs both
FEW_LEADING_ZEROS_BOUNDS = (1, 3)
DEEPER_RANK_BOUNDS_BY_LEVEL = MappingProxyType({1: (2, 4), 2: (2, 6), 3: (3, 8)})
DOWN_THE_LIST_RANK_BOUNDS_BY_LEVEL = MappingProxyType({1: (2, 4), 2: (2, 7), 3: (5, 10)})
END_OF_LIST_RANK_BOUNDS_BY_LEVEL = MappingProxyType({1: (4, 7), 2: (4, 9), 3: (6, 10)})
ONE_FURTHER_RANK_BOUNDS_BY_LEVEL = MappingProxyType({1: (2, 4), 2: (2, 5), 3: (2, 6)})
"""Grade 2 at rank 3 hides too much."""


class ListSkill(NamedTuple):
    """What is practised: a quantity under its conventions, and the mistakes that must show.

    is_cut: ``k`` is below the length of the list. has_pool: there are judged documents that were not
    returned, and ``k`` is the length of the list, unless it is cut. rank_bounds_by_level,
    document_bounds_by_level: where they differ from those of the level. extra_zero_count: so many more
    chances of a grade of 0. leading_zero_bounds: fewest and most grades of 0 that the list begins with.
    hidden_mistake_ids: mistakes that lie apart from the truth too, but share their number with another one in
    every variant, so that they are never named. Both lists are fixed once seeds were given out: what drawing
    asks for decides the numbers of a seed. A mistake that is described later names the skill itself, by
    ``mostly_shown_in``.
    asks_any_grade: a grade of 0 or 1 may be asked for, where some mistakes lead to the truth itself; told
    apart are those that do not. least_top_grade: the sweetest of the list has at least this grade.
    """

    quantity: str
    told_apart_mistake_ids: tuple[str, ...]
    gain: str = "linear"
    is_cut: bool = False
    has_pool: bool = False
    rank_bounds_by_level: Mapping[int, Bounds] | None = None
    document_bounds_by_level: Mapping[int, Bounds] | None = None
    extra_zero_count: int = 0
    leading_zero_bounds: Bounds | None = None
    hidden_mistake_ids: tuple[str, ...] = ()
    asks_any_grade: bool = False
    least_top_grade: int = 0
