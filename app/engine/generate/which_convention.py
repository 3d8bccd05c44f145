"""Whose figure is it: a list with its scores, a printed figure, and four libraries that all print another."""

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from app.engine.generate.drawing import MOST_DRAWS, checked_level, checked_seed
from app.engine.generate.random_stream import RandomStream
from app.engine.scoring import scored_ndcg

EXERCISE_NAME = "which-convention"
LIBRARY_COUNT = 4
LEAST_PRINTED_GAP = 0.01
"""Figures that are worked out with weights of 3 decimals are not taken for one another."""
HIGHEST_SCORE_IN_TENTHS = 9
LAST_DOCNO_DIGIT = 9  # documents are called d1 to d9


class ConventionLevel(NamedTuple):
    """What the lists of a level are like.

    libraries: of which four are offered. document_bounds, unlisted_document_bounds: fewest and most in the
    list, and judged beside it. has_ties: whether documents may share a score. is_cut: whether k is below the
    length of the list. top_grade: the highest one.
    """

    libraries: tuple[str, ...]
    document_bounds: tuple[int, int]
    unlisted_document_bounds: tuple[int, int]
    has_ties: bool
    is_cut: bool
    top_grade: int = 3


GAIN_AND_POOL_LEVEL = ConventionLevel(
    ("scikit-learn", "lightgbm", "trec_eval", "ranx-burges"),
    document_bounds=(3, 4),
    unlisted_document_bounds=(1, 2),
    has_ties=False,
    is_cut=False,
)
TIES_LEVEL = ConventionLevel(
    ("scikit-learn", "trec_eval", "ranx", "catboost"),
    document_bounds=(4, 4),
    unlisted_document_bounds=(0, 0),
    has_ties=True,
    is_cut=False,
)
ALL_AXES_LEVEL = ConventionLevel(
    (
        "scikit-learn",
        "trec_eval",
        "gdeval",
        "ranx",
        "ranx-burges",
        "lightgbm",
        "catboost",
        "catboost-exp",
        "quepid",
        "tf-ranking",
    ),
    document_bounds=(4, 5),
    unlisted_document_bounds=(1, 2),
    has_ties=True,
    is_cut=True,
)
CONVENTION_LEVEL_BY_NUMBER: Mapping[int, ConventionLevel] = MappingProxyType(
    {1: GAIN_AND_POOL_LEVEL, 2: TIES_LEVEL, 3: ALL_AXES_LEVEL}
)


class ConventionQuestion(NamedTuple):
    """A list as libraries get it, high scores first, four of them by name, and the one whose figure is shown.

    pool: grades of all judged documents; it begins with those of the list.

    这个数是哪一家印的？

    >>> question = which_convention(1, 7)
    >>> question.answer in question.libraries, len(question.libraries)
    (True, 4)
    """

    grades: tuple[int, ...]
    scores: tuple[float, ...]
    docs: tuple[str, ...]
    k: int
    pool: tuple[int, ...]
    libraries: tuple[str, ...]
    answer: str

    @property
    def unlisted_grades(self) -> tuple[int, ...]:
        """Grades that were judged and not returned, sweetest first."""
        return tuple(sorted(self.pool[len(self.grades) :], reverse=True))

    def printed_by(self, library: str) -> float:
        """What a library prints for the list, in full."""
        ndcg = scored_ndcg(self.grades, self.scores, library, self.k, self.pool, self.docs)
        if ndcg is None:
            raise RuntimeError(f"{library} leaves a query out that has something relevant")
        return ndcg


def which_convention(level: int, seed: int) -> ConventionQuestion:
    """Return the question of a level and a seed: always the same one.

    按难度和种子出一道“哪一家印的”；同一个种子，在哪台机器上都是同一道题。

    level 1: gain and pool, 3 or 4 documents with scores of their own, 1 or 2 judged beside them.
    level 2: 4 documents, some with one score: what becomes of ties. level 3: all of it, with a cut-off.
    The list stands by score, high to low; the figures of the four libraries lie at least
    ``LEAST_PRINTED_GAP`` from one another. Raises ValueError naming the argument, the value and what is
    allowed.

    >>> which_convention(2, 5) == which_convention(2, 5)
    True
    >>> which_convention(0, 5)
    Traceback (most recent call last):
        ...
    ValueError: level = 0: expected 1, 2 or 3
    """
    convention_level = CONVENTION_LEVEL_BY_NUMBER[checked_level(level)]
    random_stream = RandomStream(f"{EXERCISE_NAME}/{level}/{checked_seed(seed)}")
    for _ in range(MOST_DRAWS):
        convention_question = _draw(convention_level, random_stream)
        if any(convention_question.grades) and _prints_differ(convention_question):
            return convention_question
    raise RuntimeError(f"no variant of {EXERCISE_NAME}, level {level}, seed {seed} in {MOST_DRAWS} draws")


def _draw(convention_level: ConventionLevel, random_stream: RandomStream) -> ConventionQuestion:
    """One draw, whatever its figures."""
    list_length = random_stream.between(*convention_level.document_bounds)
    unlisted_document_count = random_stream.between(*convention_level.unlisted_document_bounds)
    pool = tuple(
        random_stream.between(0, convention_level.top_grade)
        for _ in range(list_length + unlisted_document_count)
    )
    score_tenths = [HIGHEST_SCORE_IN_TENTHS]
    while len(score_tenths) < list_length:
        score_drop = 1
        if convention_level.has_ties:
            score_drop = random_stream.between(0, 1)
        score_tenths.append(score_tenths[-1] - score_drop)
    scores = tuple(score_in_tenths / 10 for score_in_tenths in score_tenths)
    docnos = [f"d{docno_digit}" for docno_digit in range(1, LAST_DOCNO_DIGIT + 1)]
    docs = random_stream.some_of(docnos, list_length)
    k = list_length
    if convention_level.is_cut:
        k = random_stream.between(2, list_length - 1)
    libraries = random_stream.some_of(convention_level.libraries, LIBRARY_COUNT)
    library = random_stream.one_of(libraries)
    return ConventionQuestion(pool[:list_length], scores, docs, k, pool, libraries, library)


def _prints_differ(convention_question: ConventionQuestion) -> bool:
    sorted_figures = sorted(map(convention_question.printed_by, convention_question.libraries))
    return all(
        upper_figure - lower_figure >= LEAST_PRINTED_GAP
        for lower_figure, upper_figure in pairwise(sorted_figures)
    )
