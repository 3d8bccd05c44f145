"""Drills of one assignment: as much to compute for everybody, nothing asked twice, and always the same."""

from collections.abc import Mapping
from typing import Any

import pytest

from app import engine
from app.course.assignments import question_seeds
from app.course.assignments.question_seeds import (
    DrilledQuestion,
    drawn_seed_by_question_number_of,
    shuffled_questions,
)
from app.course.assignments.question_sets import QuestionSet, SeedSource, hmac_key_of, question_seed
from tests.course.assignments.drills import COURSES
from tests.course.assignments.made_parts import Part

KEY = hmac_key_of("5e" * 32, 12)
DRILL = Part(11, "practice", "content:dcg-at-k", level=3, count=4)
FEW_ANSWERS = Part(12, "practice", "content:discount", level=1, count=2)
SAME = Part(13, "practice", "content:term", level=2, same=True)
ITEM = Part(14, "item", "content:dcg-at-3")
PARTS = (ITEM, DRILL, FEW_ANSWERS, SAME)
STUDENTS = range(1, 41)
DRAWN = {
    2: 2_069_825_818,
    3: 2_106_072_491,
    4: 1_212_389_558,
    5: 1_254_780_076,
    6: 1_598_944_717,
    7: 1_286_603_213,
    8: 1_004_043_210,
}


def paper(student: int, attempt_number: int = 1) -> QuestionSet:
    return QuestionSet(COURSES, PARTS, 7, student, attempt_number, KEY)


def variants(seeds: Mapping[int, int]) -> list[Any]:
    """What is asked under these seeds, question by question."""
    kinds = {2: ("dcg-at-k", 3), 6: ("discount", 1), 8: ("term", 2)}
    questions = []
    for number, seed in sorted(seeds.items()):
        _, kind = max((first, kind) for first, kind in kinds.items() if first <= number)
        questions.append(engine.generate(*kind, seed))
    return questions


def formula_seeds(question_set: QuestionSet) -> dict[int, int]:
    return {
        assigned_question.number: question_set.variant_seed_of(assigned_question)
        for assigned_question in question_set.questions[1:]
    }


def test_everybody_has_as_much_to_compute() -> None:
    """Without the draw they have not."""
    for seeds_of, counts in ((drawn_seed_by_question_number_of, {1}), (formula_seeds, set())):
        workloads = [tuple(map(engine.workload, variants(seeds_of(paper(student))))) for student in STUDENTS]
        kinds = {len(set(column)) for column in list(zip(*workloads, strict=True))[:6]}
        assert kinds == counts or (not counts and min(kinds) > 1)


def test_no_paper_asks_for_the_same_number_twice() -> None:
    """Also where a drill has few answers; without the draw it happens."""
    repeated = {drawn_seed_by_question_number_of: 0, formula_seeds: 0}
    for seeds_of in repeated:
        for student in STUDENTS:
            questions = variants(seeds_of(paper(student)))
            figures = [(question.quantity, round(engine.answer(question), 3)) for question in questions]
            repeated[seeds_of] += len(figures) != len(set(figures))
    assert repeated[drawn_seed_by_question_number_of] == 0
    assert repeated[formula_seeds] > 0


def test_numbers_are_each_students_own_but_for_those_that_all_share() -> None:
    drawn = [drawn_seed_by_question_number_of(paper(student)) for student in STUDENTS]
    assert {tuple(seeds) for seeds in map(sorted, drawn)} == {(2, 3, 4, 5, 6, 7, 8)}, "a fixed item has none"
    assert len({seeds[8] for seeds in drawn}) == 1
    assert len({seeds[2] for seeds in drawn}) > 30
    assert drawn_seed_by_question_number_of(paper(1, 2)) != drawn_seed_by_question_number_of(paper(1))


def test_what_all_share_is_drawn_first_and_the_same_beside_whatever_else_is_asked() -> None:
    """Both drills have the same two answers: who had the shared one first would lose it."""
    own = Part(12, "practice", "content:discount", level=1)
    shared = Part(15, "practice", "content:discount", level=1, same=True)
    sets = [QuestionSet(COURSES, (own, shared), 7, student, 1, KEY) for student in STUDENTS]
    drawn = [drawn_seed_by_question_number_of(question_set) for question_set in sets]
    assert len({seeds[2] for seeds in drawn}) == 1
    assert len({seeds[1] for seeds in drawn}) > 1


def test_one_sample_says_for_all_what_is_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = set()
    workload_of = question_seeds.usual_workload

    def usual_workload(generator: str, level: int, sample: tuple[int, ...]) -> tuple[int, ...]:
        samples.add(sample)
        return workload_of(generator, level, sample)

    wanted = tuple(question_seed(7, 0, 0, 0, True, KEY, salt) for salt in range(60))
    question_seeds.seed_by_drilled_question_number.cache_clear()
    monkeypatch.setattr(question_seeds, "usual_workload", usual_workload)
    for student in (31, 32):
        drawn_seed_by_question_number_of(paper(student))
    assert samples == {wanted}


def drill() -> DrilledQuestion:
    [assigned_question, *_] = paper(31).questions[1:]
    return DrilledQuestion(assigned_question, "dcg-at-k", 3)


def test_where_nothing_fits_a_question_has_the_seed_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_seeds, "fitting_seeds_with_questions", lambda *_: iter(()))
    source = SeedSource(7, 31, 1, KEY)
    assert question_seeds.drawn_seed(source, drill(), set()) == question_seed(7, 31, 1, 2, hmac_key=KEY)


def test_where_everything_was_asked_the_first_that_fits_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twelve are looked at; then what is as long counts more than what was not asked before."""
    variant = drill().engine_question(5)
    figure = question_seeds.asked_figure_of(variant)
    tried = iter([(seed, variant) for seed in range(100, 130)])
    monkeypatch.setattr(question_seeds, "fitting_seeds_with_questions", lambda *_: tried)
    source = SeedSource(7, 31, 1, KEY)
    assert question_seeds.drawn_seed(source, drill(), {figure}) == 100
    assert next(tried)[0] == 112
    assert question_seeds.drawn_seed(source, drill(), set()) == 113


def test_figures_are_the_same_where_people_write_the_same() -> None:
    questions = [engine.generate("dcg-at-k", 3, seed) for seed in range(1, 30)]
    assert {question_seeds.asked_figure_of(question) for question in questions} == {
        (question.quantity, round(engine.answer(question), 3)) for question in questions
    }


def test_what_was_printed_is_drawn_again() -> None:
    """The literals are those of papers that were handed out."""
    assert drawn_seed_by_question_number_of(paper(31)) == DRAWN


@pytest.mark.parametrize("courses", [{}, {"content": object()}])
def test_without_its_course_nothing_is_drawn(courses: Any) -> None:
    assert drawn_seed_by_question_number_of(QuestionSet(courses, PARTS, 7, 31, 1, KEY)) == {}


def test_what_was_drawn_comes_before_the_formula() -> None:
    question_set = QuestionSet(COURSES, PARTS, 7, 31, 1, KEY, {2: 99})
    seeds = [question_set.variant_seed_of(assigned_question) for assigned_question in question_set.questions]
    assert seeds[1] == 99
    assert seeds[2] == paper(31).variant_seed_of(question_set.questions[2])


def test_each_version_on_paper_has_its_questions_in_an_order_of_its_own() -> None:
    """Version 1 as they stand; the literals are those of papers that were handed out."""
    orders = [
        [assigned_question.number for assigned_question in shuffled_questions(paper(0, version))]
        for version in (1, 2, 3)
    ]
    assert orders == [[1, 2, 3, 4, 5, 6, 7, 8], [3, 7, 2, 1, 5, 4, 6, 8], [6, 7, 2, 5, 8, 1, 3, 4]]
