"""Mere guesses: three wrong answers within seconds, at a question that another one follows."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from app.course.content.refs import is_practice_attempt
from app.course.items.marks import are_guesses, is_on_pause

NOON = datetime(2026, 9, 7, 4, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Answer:
    verdict: str
    created_at: datetime


def answers(*seconds: float, verdicts: str = "") -> list[Answer]:
    names = {"-": "wrong", "+": "right", "?": "shown"}
    signs = verdicts or "-" * len(seconds)
    return [
        Answer(names[sign], NOON + timedelta(seconds=second))
        for sign, second in zip(signs, seconds, strict=True)
    ]


@pytest.mark.parametrize(
    ("tries", "guessed"),
    [
        (answers(), False),
        (answers(0, 2), False),
        (answers(0, 2, 4), True),
        (answers(0, 6, 12), True),
        (answers(0, 6, 12.5), False),
        (answers(0, 60, 62, 64), True),
        (answers(0, 2, 4, verdicts="--+"), False),
        (answers(0, 2, 4, verdicts="-?-"), False),
    ],
)
def test_three_wrong_within_twelve_seconds(tries: list[Answer], guessed: bool) -> None:
    assert are_guesses(tries) is guessed


def test_only_in_practice() -> None:
    for attempt in ("content:practice-dcg-2-9", "content:item-beijing-zero.7", "content:item-beijing-zero"):
        assert is_practice_attempt(attempt)
    for attempt in ("content:definitions", "content:placement", "content:warm-up-2026-09-07"):
        assert not is_practice_attempt(attempt)


def test_the_pause_runs_out_by_itself() -> None:
    tries = answers(0, 2, 4)
    pauses = [is_on_pause(tries, NOON + timedelta(seconds=second)) for second in (4, 14, 24, 3600)]
    assert pauses == [True, True, False, False]
    assert not is_on_pause(answers(0, 60, 120), NOON + timedelta(seconds=121))
