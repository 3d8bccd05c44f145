"""What work is worth: which attempt counts, what a correction changes, how points are written."""

from dataclasses import dataclass

from app.records.grading.marks import (
    HandedInAttempt,
    best_share_by_question_ref_of,
    corrected_points_by_part_id_of,
    counting_attempt,
    mark_of,
    percent_text,
    read_points_by_part_id,
    shown_points_text,
    sum_of_points,
)
from tests.records.cast import NOW
from tests.tables import each


@dataclass(frozen=True)
class Part:
    id: int
    kind: str
    ref: str
    level: int = 0
    count: int = 1
    same: bool = False
    points: float = 1.0
    bank: int = 0


def test_an_attempt_is_in_time_and_handed_in_by_its_student_unless_it_is_said() -> None:
    assert HandedInAttempt(1, 6) == HandedInAttempt(1, 6, 1.0, None, False)
    assert (
        HandedInAttempt(1, 6).counted_points,
        HandedInAttempt(1, 6, 0.5).counted_points,
        HandedInAttempt(1, 6, 0.0).counted_points,
    ) == (6, 3, 0)


GOOD, LATE, BAD = HandedInAttempt(1, 6), HandedInAttempt(2, 10, 0.5), HandedInAttempt(3, 2)
COLLECTED = HandedInAttempt(1, 1, is_collected=True)
LEFT_EMPTY = HandedInAttempt(4, 0, is_collected=True)


@each(
    ("counts", "attempts", "number"),
    [
        ("best", (GOOD, LATE, BAD), 1),
        ("best", (BAD, LATE, GOOD), 1),
        ("best", (BAD, LATE), 2),
        ("last", (GOOD, LATE, BAD), 3),
        ("first", (GOOD, LATE, BAD), 1),
        ("first", (BAD, GOOD, LATE), 3),
        ("first", (COLLECTED, BAD, LATE), 3),
        ("first", (COLLECTED, COLLECTED._replace(number=2)), 1),
        ("first", (COLLECTED,), 1),
        ("last", (COLLECTED, LATE._replace(is_collected=True)), 2),
        ("last", (GOOD, BAD, COLLECTED._replace(number=4)), 4),
        ("last", (GOOD, BAD, LEFT_EMPTY._replace(waiting_count=1)), 4),
        ("last", (GOOD, BAD, LEFT_EMPTY), 3),
        ("last", (COLLECTED, LEFT_EMPTY), 1),
        ("last", (LEFT_EMPTY._replace(number=1), LEFT_EMPTY), 4),
        ("last", (GOOD, BAD._replace(points=0)), 3),
        ("best", (GOOD, GOOD._replace(number=2)), 1),
        ("best", (HandedInAttempt(1, 5), LATE), 1),
        ("best", (BAD,), 3),
        ("last", (BAD,), 3),
    ],
)
def test_which_attempt_counts(counts: str, attempts: tuple[HandedInAttempt, ...], number: int) -> None:
    attempt = counting_attempt(counts, attempts)
    assert attempt
    assert attempt.number == number
    assert mark_of(counts, attempts) == attempt.counted_points
    assert mark_of(counts, attempts, 0.0) == 0.0, "what the teacher set counts before all, nothing at all too"


def test_without_an_attempt_there_is_only_what_the_teacher_set() -> None:
    for counts in ("best", "last", "first"):
        assert counting_attempt(counts, []) is None
        assert mark_of(counts, []) is None
        assert mark_of(counts, [], 7.5) == 7.5
    assert HandedInAttempt(1, 2, 1.0, NOW, True).is_collected


def test_the_best_try_counts_wherever_it_stands() -> None:
    tries = [("a#1", 0.5), ("a#1", 1.0), ("a#1", 0.25), ("b#2", 0.0)]
    assert best_share_by_question_ref_of(tries) == {"a#1": 1.0, "b#2": 0.0}
    assert best_share_by_question_ref_of([]) == {}


TWO_QUESTIONS = Part(11, "practice", "content:term", level=1, count=2, points=2.0)
ONE_QUESTION = Part(12, "item", "content:dcg", points=3.0)
SECTION = Part(13, "section", "content:concepts/sweetness", points=4.0)
PARTS = (TWO_QUESTIONS, ONE_QUESTION, SECTION)
SHARES = {"content:practice-term-1#1": 1.0, "content:practice-term-1#2": 0.5, "content:dcg#3": 0.5}


@each(
    ("changed", "granted", "points"),
    [
        ((), (), {11: 0.5, 12: 0.25, 13: 1.5}),
        ((11,), (), {11: 3.0, 12: 0.25, 13: 1.5}),
        ((12,), (), {11: 0.5, 12: 1.5, 13: 1.5}),
        ((11, 12), (), {11: 3.0, 12: 1.5, 13: 1.5}),
        ((11,), (11,), {11: 4.0, 12: 0.25, 13: 1.5}),
        ((11, 12), (12,), {11: 3.0, 12: 3.0, 13: 1.5}),
        ((), (12,), {11: 0.5, 12: 0.25, 13: 1.5}),
    ],
)
def test_a_correction_changes_the_parts_that_it_names(
    changed: tuple[int, ...], granted: tuple[int, ...], points: dict[int, float]
) -> None:
    old_points = {11: 0.5, 12: 0.25, 13: 1.5, 99: 7.0}
    assert corrected_points_by_part_id_of(PARTS, old_points, changed, SHARES, granted) == points


def test_a_part_without_old_points_had_none() -> None:
    assert corrected_points_by_part_id_of(PARTS, {}, (12,), SHARES) == {11: 0.0, 12: 1.5, 13: 0.0}


def test_points_are_added_to_four_decimals() -> None:
    assert sum_of_points({1: 0.1, 2: 0.2}) == 0.3
    assert sum_of_points({1: 0.12344, 2: 1.00002}) == 1.1235
    assert sum_of_points({}) == 0
    assert read_points_by_part_id('{"7": 2, "11": 0.5}') == {7: 2.0, 11: 0.5}


@each(
    ("points", "text"),
    [
        (0.0, "0"),
        (0.04, "0"),
        (0.0499, "0"),
        (0.05, "0.1"),
        (0.1, "0.1"),
        (0.94, "0.9"),
        (0.95, "1"),
        (1.0, "1"),
        (2.25, "2.3"),
        (1.15, "1.2"),
        (10.0, "10"),
        (99.94, "99.9"),
        (99.95, "100"),
    ],
)
def test_points_have_at_most_one_decimal_and_halves_go_up(points: float, text: str) -> None:
    assert shown_points_text(points) == text


@each(
    ("share", "text"),
    [
        (None, ""),
        (0.0, "0%"),
        (0.0049, "0%"),
        (0.005, "1%"),
        (0.285, "29%"),
        (0.5, "50%"),
        (0.994, "99%"),
        (0.995, "100%"),
        (1.0, "100%"),
    ],
)
def test_a_share_is_a_whole_percentage(share: float | None, text: str) -> None:
    assert percent_text(share) == text
