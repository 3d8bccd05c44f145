"""Marks that are not final: of the best attempt, by every way in which unread words may yet be marked."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from app.records.grading.marks import HandedInAttempt, mark_of, waiting_count_of

QUARTERS = st.integers(0, 40).map(lambda quarters: quarters / 4)
FACTORS = st.sampled_from([1.0, 0.5, 0.75])


@st.composite
def attempts_handed_in(draw: st.DrawFn) -> list[HandedInAttempt]:
    attempts = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        waiting = draw(st.integers(0, 2))
        open_points = waiting * draw(st.sampled_from([0.25, 1.0, 3.5]))
        points, factor = draw(QUARTERS), draw(FACTORS)
        attempts.append(
            HandedInAttempt(number, points, factor, waiting_count=waiting, open_points=open_points)
        )
    return attempts


def marks_that_may_be(attempts: Sequence[HandedInAttempt]) -> set[Fraction]:
    """The best mark by each way in which the answers that wait may earn nothing, half, or all."""
    outcomes = []
    for attempt in attempts:
        shares = (Fraction(0), Fraction(1, 2), Fraction(1))
        worths = {
            (Fraction(attempt.points) + share * Fraction(attempt.open_points)) * Fraction(attempt.late_factor)
            for share in shares
        }
        outcomes.append(worths)
    return {max(worths) for worths in product(*outcomes)}


@given(attempts_handed_in())
def test_the_best_mark_is_open_just_while_marking_can_change_it(attempts: list[HandedInAttempt]) -> None:
    marks = marks_that_may_be(attempts)
    assert bool(waiting_count_of("best", attempts)) == (len(marks) > 1)
    assert mark_of("best", attempts) == min(marks), "what stands meanwhile is what is sure"


@given(attempts_handed_in())
def test_only_answers_that_can_change_the_mark_are_counted(attempts: list[HandedInAttempt]) -> None:
    """Of what waits elsewhere nothing is said: with these marked, the mark is final."""
    assert waiting_count_of("best", attempts) <= sum(attempt.waiting_count for attempt in attempts)
    best_mark = mark_of("best", attempts)
    expected_count = 0
    for attempt in attempts:
        if attempt.highest_counted_points > (best_mark or 0.0):
            expected_count += attempt.waiting_count
    assert waiting_count_of("best", attempts) == expected_count
    assert waiting_count_of("last", attempts) == attempts[-1].waiting_count
    assert waiting_count_of("first", attempts) == attempts[0].waiting_count
    assert waiting_count_of("best", attempts, hand_points=1.0) == 0


def test_words_that_waited_so_far_without_a_figure_of_theirs_keep_only_their_own_attempt_open() -> None:
    assert waiting_count_of("best", [HandedInAttempt(1, 5, waiting_count=2)]) == 2
    assert waiting_count_of("best", [HandedInAttempt(1, 5), HandedInAttempt(2, 4, waiting_count=2)]) == 0
    assert waiting_count_of("best", []) == 0
