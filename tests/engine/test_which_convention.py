"""哪一家印的: four figures that differ, lists that show what they ask, and the same question for ever."""

from collections import Counter
from itertools import pairwise

import pytest

from app.engine import LEVELS, ConventionQuestion, which_convention
from app.engine.generate.which_convention import CONVENTION_LEVEL_BY_NUMBER, LEAST_PRINTED_GAP
from tests.tables import each

SEEDS = range(60)
FROZEN = {
    (1, 7): ConventionQuestion(
        grades=(2, 0, 0, 1),
        scores=(0.9, 0.8, 0.7, 0.6),
        docs=("d7", "d9", "d4", "d1"),
        k=4,
        pool=(2, 0, 0, 1, 0, 3),
        libraries=("scikit-learn", "lightgbm", "trec_eval", "ranx-burges"),
        answer="trec_eval",
    ),
    (2, 4821): ConventionQuestion(
        grades=(0, 3, 3, 1),
        scores=(0.9, 0.9, 0.8, 0.8),
        docs=("d8", "d9", "d6", "d4"),
        k=4,
        pool=(0, 3, 3, 1),
        libraries=("catboost", "scikit-learn", "trec_eval", "ranx"),
        answer="scikit-learn",
    ),
    (3, 999_999_999): ConventionQuestion(
        grades=(0, 2, 2, 0, 3),
        scores=(0.9, 0.9, 0.8, 0.7, 0.6),
        docs=("d4", "d7", "d5", "d1", "d2"),
        k=2,
        pool=(0, 2, 2, 0, 3, 1, 0),
        libraries=("scikit-learn", "catboost", "ranx-burges", "trec_eval"),
        answer="ranx-burges",
    ),
}
"""Level and seed of questions that were given out."""


@each("level", LEVELS)
def test_the_four_figures_are_apart(level: int) -> None:
    for seed in SEEDS:
        convention_question = which_convention(level, seed)
        figures = sorted(map(convention_question.printed_by, convention_question.libraries))
        assert len(set(convention_question.libraries)) == 4
        assert all(upper - lower >= LEAST_PRINTED_GAP for lower, upper in pairwise(figures)), (
            convention_question
        )


@each("level", LEVELS)
def test_a_list_is_as_its_level_says(level: int) -> None:
    rules = CONVENTION_LEVEL_BY_NUMBER[level]
    for seed in SEEDS:
        convention_question = which_convention(level, seed)
        assert rules.document_bounds[0] <= len(convention_question.grades) <= rules.document_bounds[1]
        assert (
            rules.unlisted_document_bounds[0]
            <= len(convention_question.unlisted_grades)
            <= rules.unlisted_document_bounds[1]
        )
        assert convention_question.pool[: len(convention_question.grades)] == convention_question.grades
        assert list(convention_question.scores) == sorted(convention_question.scores, reverse=True)
        assert (convention_question.k < len(convention_question.grades)) is rules.is_cut
        assert (
            len(set(convention_question.docs))
            == len(convention_question.docs)
            == len(convention_question.grades)
        )
        if not rules.has_ties:
            assert len(set(convention_question.scores)) == len(convention_question.scores)


@each("level", LEVELS)
def test_every_library_is_the_answer_now_and_then(level: int) -> None:
    answers = Counter(which_convention(level, seed).answer for seed in range(200))
    assert set(answers) == set(CONVENTION_LEVEL_BY_NUMBER[level].libraries)
    assert max(answers.values()) < 2 * 200 / len(answers)


@each(("level", "seed"), FROZEN)
def test_a_seed_that_was_issued_keeps_its_numbers(level: int, seed: int) -> None:
    assert which_convention(level, seed) == FROZEN[level, seed]


@each(("level", "seed"), [(0, 1), (4, 1), (True, 1), (1, "x"), (1, True)])
def test_a_level_or_seed_that_is_none_is_refused(level: int, seed: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        which_convention(level, seed)
