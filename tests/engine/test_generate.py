"""Variants keep what they promise, for thousands of seeds, and never change."""

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from app.engine import (
    FIXED_MISCONCEPTION_IDS,
    LEVELS,
    MISCONCEPTIONS,
    Diagnosis,
    Misconception,
    Question,
    answer,
    diagnose,
    generate,
    generator_names,
    misconception_ids_told_apart,
    ndcg,
    predictions,
    shown_misconception_ids,
)
from app.engine.generate.skill_kinds import SIZE_BY_LEVEL
from app.engine.generate.skills import LIST_SKILL_BY_NAME
from app.engine.misconceptions.wrong_figure import early_rounded_values
from app.engine.rounding import rounded_figure
from tests.tables import each

ROOT = Path(__file__).parents[2]
FROZEN = ROOT / "tests" / "data" / "generated_questions.json"
SEEDS = 60  # for each skill and level: some 3,800 variants
LISTS = tuple(LIST_SKILL_BY_NAME)
"""The skills about a list; those about a table: `test_labelling.py` and `test_significance.py`."""
KINDS = [(skill, level) for skill in LISTS for level in LEVELS]
GIVEN_OUT_FIRST = 21
"""The skills that were there when seeds were first given out; what came later stands after them."""
LONGEST_LIST = {
    "precision": 8,
    "reciprocal-rank": 8,
    "gain@2": 8,
    "gain-exponential@2": 8,
    "discount@2": 10,
    "discount-far@2": 10,
    "discount@3": 10,
    "discount-far@3": 10,
    "term@3": 8,
    "reciprocal-rank@2": 8,
}
SECOND_VERSIONS = 28
"""After so many skills stand those that were drawn anew, under names of their own."""
WITH_A_RIGHT_ONE = 32
"""After so many stands the order that has something right in it."""
NOTHING_NEAR = 33
"""After so many stand those in which no mistake is taken for right."""
NO_TRUTH = 37
"""After so many stand those in which some mistakes never lead to the truth."""
MORE_ANSWERS = 42
"""After so many stand those whose easiest level asks for more than one or two numbers."""
EACH_KIND = each(("skill", "level"), KINDS)


@cache
def variants(skill: str, level: int) -> list[Question]:
    return [list_question(skill, level, seed) for seed in range(SEEDS)]


def list_question(skill: str, level: int, seed: int) -> Question:
    question = generate(skill, level, seed)
    assert isinstance(question, Question)
    return question


def are_apart(first: float, second: float) -> bool:
    return abs(first - second) >= 0.003 + 0.003 * max(first, second)


@cache
def predicted(question: Question) -> Mapping[str, float]:
    """Mistake → its number: most tests ask it of the same questions."""
    return predictions(question)


@cache
def verdict_on(question: Question, value: float) -> Diagnosis | None:
    """What is said of a number: several tests try the same mistakes."""
    return diagnose(question, rounded_figure(value, 3))


def wrongs(question: Question, skill: str) -> dict[str, float]:
    """Mistake → its number, for those that the skill promises to tell apart."""
    wrong = predicted(question)
    names = misconception_ids_told_apart(skill)
    if LIST_SKILL_BY_NAME[skill].asks_any_grade:
        names = tuple(name for name in names if name in wrong)
        assert len(names) >= 2
    return {name: wrong[name] for name in names}


def documents(question: Question) -> list[float | None]:
    return list(question.grades if question.pool is None else question.pool)


# --- the promises ------------------------------------------------------------------------------------------


@EACH_KIND
def test_the_mistakes_and_the_truth_are_apart(skill: str, level: int) -> None:
    for question in variants(skill, level):
        figures = sorted([answer(question), *wrongs(question, skill).values()])
        assert all(are_apart(*neighbours) for neighbours in pairwise(figures)), question


@EACH_KIND
def test_every_mistake_is_recognised(skill: str, level: int) -> None:
    for question in variants(skill, level)[:20]:
        for name, figure in wrongs(question, skill).items():
            diagnosis = verdict_on(question, figure)
            assert diagnosis is not None
            offered = set(diagnosis.code.split("|"))
            assert offered & set(misconception_ids_told_apart(skill)) == {name}, (question, name)


@each("skill", LISTS)
def test_every_mistake_is_named_alone_in_a_third_of_the_variants(skill: str) -> None:
    drawn_variants = [question for level in LEVELS for question in variants(skill, level)[:20]]
    for name in misconception_ids_told_apart(skill):
        figures = [wrongs(question, skill).get(name) for question in drawn_variants]
        showing = [pair for pair in zip(drawn_variants, figures, strict=True) if pair[1] is not None]
        verdicts = [verdict_on(question, figure or 0) for question, figure in showing]
        named = sum(verdict is not None and verdict.code == name for verdict in verdicts)
        assert 3 * len(showing) >= len(drawn_variants)
        assert 3 * named >= len(showing), (name, named)


@EACH_KIND
def test_rounded_weights_do_not_blur_the_mistakes(skill: str, level: int) -> None:
    expect_no_blur(variants(skill, level)[:6], skill)


@pytest.mark.long
@EACH_KIND
def test_rounded_weights_blur_the_mistakes_of_no_variant(skill: str, level: int) -> None:
    expect_no_blur(variants(skill, level)[:20], skill)


def expect_no_blur(questions: list[Question], skill: str) -> None:
    for question in questions:
        room = 0.0005 + 0.00076 * answer(question)  # what the printed table makes right
        accepted = (answer(question) - room, answer(question) + room)
        for name in wrongs(question, skill):
            for value in MISCONCEPTIONS[name].compute_on_paper(question):
                diagnosis = diagnose(question, rounded_figure(value, 3), accepted=accepted)
                assert diagnosis is not None, (question, name)
                offered = set(diagnosis.code.split("|"))
                assert offered & set(misconception_ids_told_apart(skill)) == {name}, (question, name)


@each("skill", LISTS[NO_TRUTH:])
def test_some_mistakes_never_lead_to_the_truth(skill: str) -> None:
    """Nor do their mirrors: in the version before, a sixth to a half of the questions took them for right."""
    for question in (question for level in LEVELS for question in variants(skill, level)):
        for name in LIST_SKILL_BY_NAME[skill].always_wrong_misconception_ids:
            for model in filter(None, (MISCONCEPTIONS[name], MISCONCEPTIONS[name].mirror_model)):
                if model.applies(question):
                    assert abs(model.compute(question) - answer(question)) > 1e-6, (question, model)


@EACH_KIND
def test_early_rounding_is_not_taken_for_a_mistake(skill: str, level: int) -> None:
    for question in variants(skill, level):
        figures = wrongs(question, skill).values()
        for early in early_rounded_values(question, 3):
            assert all(are_apart(figure, early) for figure in figures)


@EACH_KIND
def test_the_grades_can_be_dressed(skill: str, level: int) -> None:
    for question in variants(skill, level):
        grades, all_grades = list(question.grades), documents(question)
        assert set(all_grades) <= set(range(5 if level == 3 else 4))
        assert {type(grade) for grade in all_grades} == {int}
        assert 3 <= len(grades) <= LONGEST_LIST.get(skill, 6)
        assert len(all_grades) <= max(8, LONGEST_LIST.get(skill, 6))
        assert all(all_grades.count(grade) <= 4 for grade in range(4))
        assert all_grades.count(4) <= 2
        assert any(grades)
        assert answer(question) > 0 or LIST_SKILL_BY_NAME[skill].asks_any_grade


@EACH_KIND
def test_there_is_something_to_put_in_order(skill: str, level: int) -> None:
    for question in variants(skill, level):
        assert list(question.grades) != sorted(question.grades, reverse=True)  # type: ignore[type-var]
        if LIST_SKILL_BY_NAME[skill].quantity in ("idcg", "ndcg"):
            assert ndcg(question.grades, question.k, question.gain, pool=question.pool) < 1 - 1e-9


@EACH_KIND
def test_the_level_decides_the_size(skill: str, level: int) -> None:
    size, generator = SIZE_BY_LEVEL[level], LIST_SKILL_BY_NAME[skill]
    first, last = (generator.rank_bounds_by_level or {}).get(level, size.rank_bounds)
    for question in variants(skill, level):
        length = len(question.grades)
        fewest, most = (generator.document_bounds_by_level or {}).get(level, size.document_bounds)
        assert fewest <= length <= max(most, question.rank or 0)
        assert question.quantity == generator.quantity
        assert question.gain == generator.gain
        assert question.rank is None or first <= question.rank <= last
        if generator.has_pool:
            assert generator.is_cut or question.k == length
            assert (
                size.unlisted_document_bounds[0]
                <= len(documents(question)) - length
                <= size.unlisted_document_bounds[1]
            )
            assert documents(question)[:length] == list(question.grades)
        if generator.is_cut:
            assert question.k is not None
            assert 2 <= question.k < length
        elif not generator.has_pool:
            assert question.k is None


@EACH_KIND
def test_seeds_give_variety(skill: str, level: int) -> None:
    drawn_variants = variants(skill, level)
    assert len(set(drawn_variants)) >= 25
    assert len({round(answer(question), 3) for question in drawn_variants}) >= 2


# --- the table ---------------------------------------------------------------------------------------------


def test_there_are_enough_skills() -> None:
    assert len(generator_names()) >= 12
    assert {"gain", "discount", "term", "cg", "dcg", "ideal-order", "idcg", "ndcg"} <= set(generator_names())
    assert LEVELS == (1, 2, 3)


@each("skill", generator_names())
def test_a_skill_tells_four_to_eight_mistakes_apart(skill: str) -> None:
    models = misconception_ids_told_apart(skill)
    assert 4 <= len(models) <= 8
    assert len(set(models)) == len(models)
    assert set(models) <= set(MISCONCEPTIONS)


def test_every_mistake_of_a_list_is_practised_somewhere() -> None:
    practised = {name for skill in generator_names() for name in shown_misconception_ids(skill)}
    only_upside_down = {"upside_down_is_zero"}  # no generator is bound to draw such a list
    unpractised = set(MISCONCEPTIONS) - practised - only_upside_down
    assert not unpractised, f"{unpractised}: name in mostly_showing_generators whose questions show it"


@each("model", MISCONCEPTIONS.values())
def test_a_mistake_names_generators_that_are_there_and_do_not_show_it_anyway(model: Misconception) -> None:
    for generator in model.mostly_showing_generators:
        assert model.id not in misconception_ids_told_apart(generator), generator


def test_what_is_mostly_shown_is_named_in_most_variants() -> None:
    for skill in LISTS:
        for name in set(shown_misconception_ids(skill)) - set(misconception_ids_told_apart(skill)):
            drawn_variants = [question for level in LEVELS for question in variants(skill, level)[:20]]
            figures = [predicted(question).get(name) for question in drawn_variants]
            verdicts = [
                verdict_on(question, figure)
                for question, figure in zip(drawn_variants, figures, strict=True)
                if figure is not None
            ]
            named = sum(verdict is not None and verdict.code == name for verdict in verdicts)
            assert 2 * named >= len(drawn_variants), (skill, name, named)


# --- always the same ---------------------------------------------------------------------------------------


@each(
    ("group", "expected"),
    [
        (LISTS[:GIVEN_OUT_FIRST], "e9ec699be9faa4564ed4400e24036c4ff7c8a9b579fe54c85762f9902e209eaf"),
        (
            LISTS[GIVEN_OUT_FIRST:SECOND_VERSIONS],
            "a4e76cf139e8c9639994a63940f9bd2db88eeec795dabcf0e0ddf5b40e9c13c7",
        ),
        (
            LISTS[SECOND_VERSIONS:WITH_A_RIGHT_ONE],
            "cf479d18731d4ecb172c01f29b3d78ae2f4a6b0fba481a9af33310f512942fdf",
        ),
        (
            LISTS[WITH_A_RIGHT_ONE:NOTHING_NEAR],
            "2e7bdbdfb1b412bcdfa8e339cad1aaf1076f60ad5bf3ab28dbd05ad7cec0e1ca",
        ),
        (LISTS[NOTHING_NEAR:NO_TRUTH], "cd8545fb03fc170c26b4095600418ad94eedaac25e317a663de27d7a17e358b2"),
        (LISTS[NO_TRUTH:MORE_ANSWERS], "6e4d6669ae741bb67f3d4ae37e5e41fe129f8d59e98fd8a5ea44526067bf7ee0"),
        (LISTS[MORE_ANSWERS:], "819e01cedd2ea00901ec28cedf849219c3a2c365f846bc487c1e48f0b2be3db9"),
    ],
)
def test_seeds_that_were_given_out_keep_their_numbers(group: tuple[str, ...], expected: str) -> None:
    """756 variants, summed up before further mistakes were described: what drawing asks of them is fixed.

    And those of the measures beside NDCG and those drawn anew, each summed up on the day they came.
    """
    digest = hashlib.sha256()
    for skill in group:
        for level in LEVELS:
            for seed in range(1, 13):
                question = list_question(skill, level, seed)
                pool = None if question.pool is None else list(question.pool)
                form = (
                    skill,
                    level,
                    seed,
                    question.quantity,
                    list(question.grades),
                    question.k,
                    question.gain,
                    pool,
                    question.rank,
                )
                digest.update(repr(form).encode())
    assert digest.hexdigest() == expected


def test_the_fixed_misconceptions_stay_those_they_are() -> None:
    """One more or less would give some seeds another question, and some questions another 换你."""
    assert set(MISCONCEPTIONS) >= FIXED_MISCONCEPTION_IDS
    digest = hashlib.sha256(" ".join(sorted(FIXED_MISCONCEPTION_IDS)).encode())
    assert digest.hexdigest() == "44579283f2e0cf38c437f231ab5914be8b2c591295ae5e1995688b2a9c4cb7dd"


def test_a_gain_of_nothing_and_a_rank_far_down_are_asked_for() -> None:
    """As the second versions draw them; the first ones keep the seeds that were given out."""
    answers = {}
    for skill in ("gain@2", "gain-exponential@2", "discount@2", "discount-far@2"):
        for level in LEVELS:
            figures = {round(answer(question), 3) for question in variants(skill, level)}
            answers[skill, level] = figures
    assert all(
        {0, 1} <= answers[skill, level] for skill in ("gain@2", "gain-exponential@2") for level in LEVELS
    )
    assert answers["gain-exponential@2", 3] == {0, 1, 3, 7, 15}
    for skill in ("discount@2", "discount-far@2"):
        assert min(answers[skill, 3]) < min(answers[skill, 2]) < min(answers[skill, 1])
        assert len(answers[skill, 3]) >= len(answers[skill, 1]) >= 3


@each("skill", LISTS[MORE_ANSWERS:])
def test_no_number_is_the_answer_of_half_the_easiest_variants(skill: str) -> None:
    """In the version before, a term had two answers in all, and of reciprocal ranks seven in ten were 1/2."""
    answers = Counter(round(answer(list_question(skill, 1, seed)), 3) for seed in range(200))
    assert len(answers) >= 4
    assert max(answers.values()) < 0.45 * answers.total()


def test_a_row_to_be_put_in_order_has_something_that_is_right() -> None:
    """Of a bicycle pump and two wrong bicycles nobody can say which is the better answer."""
    for level in LEVELS:
        for question in variants("ideal-order@2", level):
            assert max(grade or 0 for grade in question.grades) >= 3


def frozen_form(skill: str, level: int, seed: int) -> dict[str, object]:
    return {"skill": skill, "level": level, "seed": seed, **asdict(list_question(skill, level, seed))}


def test_the_frozen_variants() -> None:
    frozen = json.loads(FROZEN.read_text("utf-8"))
    assert len(frozen) >= 100
    for row in frozen:
        again = frozen_form(row["skill"], row["level"], row["seed"])
        assert json.loads(json.dumps(again)) == row
    assert {(row["skill"], row["level"]) for row in frozen} == set(KINDS)


def test_another_process_makes_the_same() -> None:
    code = "from app.engine import generate; print([generate('ndcg-pool', 3, n) for n in range(20)])"
    texts = str([generate("ndcg-pool", 3, seed) for seed in range(20)])
    for hash_seed in ("0", "77"):
        command = [sys.executable, "-c", code]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        process = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        assert process.stdout.strip() == texts


@each(
    ("arguments", "message"),
    [
        (("juggling", 1, 1), "^skill = 'juggling': expected one of gain, "),
        (("dcg", 0, 1), "^level = 0: expected 1, 2 or 3"),
        (("dcg", True, 1), "^level = True: expected 1, 2 or 3"),
        (("dcg", 1, "x"), "^seed = 'x': expected a whole number"),
    ],
)
def test_what_cannot_be_made_is_refused(arguments: tuple[str, int, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        generate(*arguments)


@each("seed", [-1, 0, 2**70])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    assert generate("dcg", 2, seed) == generate("dcg", 2, seed)


def test_an_unknown_skill_tells_nothing_apart() -> None:
    with pytest.raises(ValueError, match=r"^skill = 'juggling'"):
        misconception_ids_told_apart("juggling")
