"""Where a learner stands with an item."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.course.items.marks import AnswerState, answer_outcome, answer_state, asks_twin
from tests.course.small import course
from tests.tables import each


@dataclass(frozen=True)
class Said:
    verdict: str
    score: float = 1.0


def at(item_id: str, *verdicts: str, probe: bool = False) -> AnswerState:
    return answer_state(course().items[item_id], [Said(verdict) for verdict in verdicts], probe)


@each(
    ("verdicts", "one_shot", "again"),
    [
        ((), "open", "open"),
        (("right",), "right", "right"),
        (("wrong",), "ended", "open"),
        (("wrong", "right"), "corrected", "corrected"),
        (("wrong", "wrong"), "ended", "open"),
        (("wrong", "wrong", "right"), "corrected", "corrected"),
        (("shown",), "shown", "shown"),
        (("wrong", "shown"), "shown", "shown"),
    ],
)
def test_states(verdicts: Sequence[str], one_shot: AnswerState, again: AnswerState) -> None:
    assert at("holds", *verdicts) == one_shot
    assert at("sum", *verdicts) == again
    assert at("which", *verdicts) == again


@each(("score", "expected"), [(1.0, "right"), (4 / 6, "corrected"), (0.0, "right")])
def test_what_was_reached_together_was_not_right_at_once(score: float, expected: AnswerState) -> None:
    assert answer_state(course().items["table"], [Said("right", score)]) == expected


def test_a_probe_is_asked_once_and_ends() -> None:
    assert at("which", "wrong", probe=True) == "ended"
    assert at("which", "right", probe=True) == "right"


@each(
    ("now", "is_asked"),
    [("open", False), ("right", False), ("corrected", False), ("shown", True), ("ended", True)],
)
def test_a_twin_is_asked_after_a_look_and_after_the_one_try(now: AnswerState, is_asked: bool) -> None:
    items = course().items
    assert asks_twin(items["holds"], now) is is_asked
    assert asks_twin(items["sum"], now) is is_asked
    assert not asks_twin(items["which"], now), "it has no twin"
    assert not asks_twin(items["holds"], now, is_probe=True)


@each(
    ("first", "twin", "kind"),
    [
        ("open", None, "new"),
        ("right", None, "right"),
        ("corrected", None, "corrected"),
        ("ended", None, "wrong"),
        ("shown", None, "wrong"),
        ("ended", "open", "wrong"),
        ("ended", "right", "corrected"),
        ("shown", "corrected", "corrected"),
        ("shown", "ended", "wrong"),
    ],
)
def test_the_first_try_counts_and_the_twin_is_a_correction(
    first: AnswerState, twin: AnswerState | None, kind: str
) -> None:
    assert answer_outcome(first, twin) == kind
