"""Which questions an assignment makes, from which seeds, and what they are worth."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import pytest

from app.course.assignments.question_sets import (
    AssignedQuestion,
    AttemptPoints,
    QuestionSet,
    full_points_of,
    hmac_key_of,
    item_refs_of,
    parts_by_bank_number,
    points_of_attempt,
    question_count,
    question_seed,
    questions_of_parts,
)
from app.course.content.refs import StepPlace, prefix_of
from app.course.exercises.exercises import LAST_SEED
from app.course.items.kinds import Rubric, RubricLine
from app.course.items.marks import ItemGone, Mark, right_mark
from tests.course.assignments.made_parts import Part

ITEM = Part(11, "item", "content:dcg-at-3", points=2.0)
PRACTICE = Part(12, "practice", "own-42:term", level=2, count=3, points=0.5)
SECTION = Part(13, "section", "content:concepts/sweetness", points=4.0)
SAME = Part(14, "practice", "content:gain", level=1, same=True)


# Seeds. The literals are those of assignments that stand in databases: their questions must not change.


def test_the_seed_of_a_question_never_changes() -> None:
    assert question_seed(7, 31, 1, 2) == 73_783_025
    assert question_seed(7, 31, 1, 2, is_same_for_all=True) == 327_429_959
    assert LAST_SEED == 999_999_999


KEY = hmac_key_of("5e" * 32, 12)


def test_the_seed_of_a_question_with_a_secret_never_changes() -> None:
    assert question_seed(7, 31, 1, 2, hmac_key=KEY) == 1_741_826_769
    assert question_seed(7, 31, 1, 2, is_same_for_all=True, hmac_key=KEY) == 1_848_022_429


def test_every_secret_and_every_assignment_has_its_own_numbers() -> None:
    keys = (KEY, hmac_key_of("5f" * 32, 12), hmac_key_of("5e" * 32, 13), b"")
    assert len({question_seed(7, 31, 1, 2, hmac_key=key) for key in keys}) == 4
    assert hmac_key_of("", 12) == b"", "from before there was a secret"


def test_no_address_of_practice_reaches_a_seed_with_a_secret() -> None:
    seeds = [question_seed(seed, 31, 1, 2, hmac_key=KEY) for seed in range(2000)]
    assert LAST_SEED < min(seeds) < max(seeds) <= 2**31 - 1
    assert len(set(seeds)) == 2000


def test_a_second_attempt_shows_other_numbers() -> None:
    seeds = {question_seed(7, 31, attempt_number, 2) for attempt_number in range(1, 6)}
    assert len(seeds) == 5


def test_each_student_assignment_and_question_has_its_own_numbers() -> None:
    plain = question_seed(7, 31, 1, 2)
    assert plain not in {question_seed(8, 31, 1, 2), question_seed(7, 32, 1, 2), question_seed(7, 31, 1, 3)}
    assert question_seed(7, 3, 11, 2) != question_seed(7, 31, 1, 2), "3 and 11 are not 31 and 1"


def test_the_same_for_all_is_the_same_in_every_attempt() -> None:
    assert question_seed(7, 31, 1, 2, is_same_for_all=True) == question_seed(
        7, 32, 5, 2, is_same_for_all=True
    )
    assert question_seed(7, 31, 1, 2, is_same_for_all=True) != question_seed(
        8, 31, 1, 2, is_same_for_all=True
    )
    assert question_seed(7, 31, 1, 2, is_same_for_all=True) != question_seed(
        7, 31, 1, 3, is_same_for_all=True
    )
    assert question_seed(7, 31, 1, 2, is_same_for_all=True) != question_seed(7, 31, 1, 2)


def test_seeds_count_from_one_to_the_last() -> None:
    seeds = [question_seed(seed, 31, 1, 2) for seed in range(2000)]
    assert 1 <= min(seeds) < LAST_SEED // 100
    assert LAST_SEED - LAST_SEED // 100 < max(seeds) <= LAST_SEED


# Questions.


def test_questions_are_numbered_through_the_whole_set() -> None:
    assert questions_of_parts([ITEM, SECTION, PRACTICE]) == (
        AssignedQuestion(1, "content:dcg-at-3#1", 11, 2.0, False),
        AssignedQuestion(2, "own-42:practice-term-2#2", 12, 0.5, False),
        AssignedQuestion(3, "own-42:practice-term-2#3", 12, 0.5, False),
        AssignedQuestion(4, "own-42:practice-term-2#4", 12, 0.5, False),
    )


def test_the_item_of_a_question() -> None:
    first, second, *_ = questions_of_parts([ITEM, PRACTICE])
    assert (first.item_ref, second.item_ref) == ("content:dcg-at-3", "own-42:practice-term-2")
    assert item_refs_of(SECTION) == []


class Course:
    """Says what it was asked."""

    card_ids_by_stage_id: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    def __init__(self, name: str) -> None:
        self.name = name

    def mark(
        self, item: str, seed: int, raw: Sequence[str], tries: int = 1, before: Sequence[str] | None = None
    ) -> Mark:
        return right_mark(f"{self.name} {item} {seed} {list(raw)} {tries} {before}")

    def version_hash_and_body(self, item: str, seed: int = 0) -> tuple[str, str]:
        return item, f"{self.name} {seed}"

    def has_one_try_only(self, item: str) -> bool:
        return item.startswith("own-42")

    def rubric(self, _item: str) -> Rubric:
        return ()

    @property
    def ref_by_twin_ref(self) -> dict[str, str]:
        return {}

    def refs_asked_in_section(
        self, _stage: str, _section: str, _furthest_step: StepPlace | None = None
    ) -> frozenset[str]:
        return frozenset()


COURSES = {"content": Course("built in"), "own-42": Course("of one's own")}
PARTS = (ITEM, PRACTICE, SAME)


@pytest.fixture
def paper() -> QuestionSet:
    return QuestionSet(COURSES, PARTS, 7, 31)


def test_a_set_asks_each_course_with_the_seed_of_the_question(paper: QuestionSet) -> None:
    item, own = "content:dcg-at-3#1", "own-42:practice-term-2#3"
    first, third = question_seed(7, 31, 1, 1), question_seed(7, 31, 1, 3)
    second_mark = paper.mark(item, 99, ("4",), 2, ("3",))
    assert second_mark.understood_answer == f"built in {item} {first} ['4'] 2 ('3',)"
    assert paper.mark(own, 99, ("4",)).understood_answer == f"of one's own {own} {third} ['4'] 1 None"
    assert paper.version_hash_and_body(item) == (item, f"built in {first}")
    assert paper.version_hash_and_body(own, 99) == (own, f"of one's own {third}")
    assert (paper.has_one_try_only(item), paper.has_one_try_only(own)) == (False, True)


def test_a_set_has_other_numbers_in_each_attempt_and_for_each_student(paper: QuestionSet) -> None:
    again, neighbour = replace(paper, attempt_number=2), replace(paper, enrolment_id=32)
    *own_seeds, same_seed = paper.seed_by_question_ref.values()
    for other_paper in (again, neighbour):
        *other_seeds, other_same_seed = other_paper.seed_by_question_ref.values()
        assert not set(own_seeds) & set(other_seeds)
        assert same_seed == other_same_seed
    assert (
        QuestionSet(COURSES, PARTS, 7).seed_by_question_ref
        == QuestionSet(COURSES, PARTS, 7, 0, 1).seed_by_question_ref
    )


def test_numbers_that_were_drawn_for_a_question_come_before_those_of_its_formula(paper: QuestionSet) -> None:
    """The others keep theirs."""
    drawn_paper = replace(paper, drawn_seed_by_question_number={2: 4711})
    own = "own-42:practice-term-2#2"
    assert drawn_paper.seed_by_question_ref == {**paper.seed_by_question_ref, own: 4711}
    assert drawn_paper.mark(own, 99, ("4",)).understood_answer == f"of one's own {own} 4711 ['4'] 1 None"


def test_what_is_not_in_the_set_is_refused(paper: QuestionSet) -> None:
    with pytest.raises(KeyError):
        paper.mark("content:dcg-at-3#2", 0, ())
    with pytest.raises(KeyError):
        paper.version_hash_and_body("content:dcg-at-3#2")
    with pytest.raises(ItemGone):
        paper.has_one_try_only("gone:dcg#1")
    assert (prefix_of("own-42:q1#4"), prefix_of("a:b:c")) == ("own-42", "a")


# Points.


def test_points_are_added_up_part_by_part() -> None:
    scores = {"content:dcg-at-3#1": 0.5, "own-42:practice-term-2#2": 1.0, "own-42:practice-term-2#4": 1 / 3}
    earned = points_of_attempt([ITEM, PRACTICE, SECTION], scores, {13: 0.25})
    assert earned == AttemptPoints(2.6667, 7.5, {11: 1.0, 12: 0.6667, 13: 1.0})


def test_nothing_done_earns_nothing() -> None:
    assert points_of_attempt([ITEM, PRACTICE, SECTION], {}, {}) == AttemptPoints(
        0.0, 7.5, {11: 0.0, 12: 0.0, 13: 0.0}
    )


def test_what_makes_questions_is_not_counted_twice() -> None:
    """A share of a part that asks questions is not heard: its questions say what it earned."""
    assert points_of_attempt([ITEM], {"content:dcg-at-3#1": 0.5}, {11: 1.0}) == AttemptPoints(
        1.0, 2.0, {11: 1.0}
    )


def test_full_marks() -> None:
    assert (
        full_points_of([ITEM]),
        full_points_of([PRACTICE]),
        full_points_of([SECTION]),
        full_points_of([]),
    ) == (2.0, 1.5, 4.0, 0.0)
    assert full_points_of([replace(ITEM, points=0.123456)]) == 0.1235


def test_points_are_kept_to_four_decimals() -> None:
    part = replace(ITEM, points=0.123456)
    assert points_of_attempt([part], {"content:dcg-at-3#1": 1.0}, {}) == AttemptPoints(
        0.1235, 0.1235, {11: 0.1235}
    )


# Banks: each student gets some of their items.

BANK = [Part(20 + place, "item", f"content:q{place}", count=2, points=3.0, bank=1) for place in range(4)]
WITH_BANK = [ITEM, *BANK, SECTION]


def drawn_by(enrolment: int, attempt_number: int = 1) -> tuple[int, ...]:
    question_set = QuestionSet({}, WITH_BANK, 7, enrolment, attempt_number, KEY)
    return tuple(assigned_question.number for assigned_question in question_set.questions)


def test_a_bank_of_which_more_are_asked_than_there_are_asks_all() -> None:
    single = [replace(BANK[0], count=2)]
    assert (question_count(single), full_points_of(single)) == (1, 3.0)


def test_each_student_gets_so_many_of_a_bank_under_their_own_numbers() -> None:
    assert list(parts_by_bank_number(WITH_BANK)) == [1]
    draws = [drawn_by(enrolment) for enrolment in range(200)]
    assert {len(draw) for draw in draws} == {3}
    assert {draw[0] for draw in draws} == {1}, "what is in no bank everybody gets"
    assert len(set(draws)) == 6, "every pair of the four is drawn by somebody"
    counts = [sum(number in draw for draw in draws) for number in (2, 3, 4, 5)]
    assert min(counts) > 70, "none of them is drawn much less than the others"


def test_questions_with_the_same_numbers_for_all_are_drawn_for_each_student_too() -> None:
    """The numbers are shared, not the choice: else nobody would need a bank."""
    shared_bank = [replace(part, same=True) for part in BANK]
    draws = {
        tuple(QuestionSet({}, shared_bank, 7, enrolment, 1, KEY).seed_by_question_ref)
        for enrolment in range(200)
    }
    assert len(draws) == 6


DRAWS_OF_TWELVE_STUDENTS = [
    (1, 2, 3),
    (1, 2, 5),
    (1, 2, 3),
    (1, 3, 4),
    (1, 2, 4),
    (1, 2, 5),
    (1, 2, 4),
    (1, 4, 5),
    (1, 2, 4),
    (1, 3, 5),
    (1, 2, 3),
    (1, 2, 4),
]


def test_a_draw_stays_and_a_second_attempt_draws_anew() -> None:
    assert drawn_by(31) == drawn_by(31)
    assert len({drawn_by(31, attempt_number) for attempt_number in range(1, 9)}) > 1
    draws = [drawn_by(enrolment) for enrolment in range(31, 43)]
    assert draws == DRAWS_OF_TWELVE_STUDENTS, "of assignments that stand in databases: they must not change"


def test_what_is_asked_of_one_student_is_their_full_marks() -> None:
    question_set = QuestionSet({}, WITH_BANK, 7, 31, 1, KEY)
    assert [part.id for part in WITH_BANK if question_set.asks_question(part.id)] == [11, 20, 21, 13]
    assert question_count(WITH_BANK) == len(question_set.questions) == 3
    assert full_points_of(WITH_BANK) == 2.0 + 2 * 3.0 + 4.0
    earned = {assigned_question.ref: 1.0 for assigned_question in question_set.questions}
    assert points_of_attempt(WITH_BANK, earned, {13: 1.0}).points == full_points_of(WITH_BANK), (
        "full marks can be reached"
    )
    assert (question_count([ITEM, PRACTICE, SECTION]), full_points_of([ITEM, PRACTICE, SECTION])) == (4, 7.5)


class WordCourse(Course):
    """Nobody judges what is written; where it has a rubric, a teacher does."""

    def __init__(self, name: str, rubric: Rubric = ()) -> None:
        super().__init__(name)
        self.lines = rubric

    def mark(
        self, item: str, seed: int, raw: Sequence[str], tries: int = 1, before: Sequence[str] | None = None
    ) -> Mark:
        marked = super().mark(item, seed, raw, tries, before)
        return marked._replace(verdict="right" if raw[0] else "wrong", score=0.5 if raw[0] == "half" else 0.0)

    def rubric(self, _item: str) -> Rubric:
        return self.lines


def test_each_question_has_the_rubric_of_its_own_item() -> None:
    lines = [RubricLine(text="一屏几条", points=2)]

    class MixedCourse(Course):
        def rubric(self, item: str) -> Rubric:
            return lines if item.startswith("content:why#") else ()

    mixed_set = QuestionSet(
        {"content": MixedCourse("mixed")}, [ITEM, replace(ITEM, id=15, ref="content:why")], 7
    )
    assert [mixed_set.rubric(assigned_question.ref) for assigned_question in mixed_set.questions] == [
        (),
        lines,
    ]


def test_words_that_nobody_judges_earn_their_points_and_those_of_a_rubric_wait() -> None:
    lines = [RubricLine(text="一屏几条", points=2)]
    scores = []
    for course in (WordCourse("alone"), WordCourse("read", lines)):
        question_set = QuestionSet({"content": course}, [ITEM], 7, 31)
        scores.append(
            [question_set.mark("content:dcg-at-3#1", 0, (text,)).score for text in ("因为", "half", "")]
        )
    assert scores == [[1.0, 0.5, 0.0], [0.0, 0.5, 0.0]]
