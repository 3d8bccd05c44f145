"""Where a learner stands with an item: from the answers so far to what is asked next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol

from app.course.items.kinds.base import Item
from app.course.items.marks import is_shared

State = Literal["open", "right", "corrected", "shown", "ended"]

RUSH = 3
"""So many wrong answers in a row .."""
RUSH_TIME = timedelta(seconds=12)
""".. within this time are guesses: nobody reads and reckons that fast."""
PAUSE = timedelta(seconds=20)
"""So long after guesses the calculation of the last question is shown before another one."""


class AnswerState(Protocol):
    """What asking needs to know of a response."""

    @property
    def verdict(self) -> str: ...
    @property
    def score(self) -> float: ...


class TimedAnswer(Protocol):
    """A response, and when it was given."""

    @property
    def verdict(self) -> str: ...
    @property
    def created_at(self) -> datetime: ...


def stopped(attempt: str, answers: Sequence[TimedAnswer]) -> bool:
    """Whether the tutor shows the calculation and the item is over: guesses in practice."""
    return is_practice(attempt) and rushed(answers)


def is_practice(attempt: str) -> bool:
    """Whether an attempt, as the records name it, is at a variant or at an item on a page of its own.

    >>> is_practice("content:practice-dcg-2-4821"), is_practice("content:placement")
    (True, False)
    """
    return attempt.rpartition(":")[2].startswith(("practice-", "item-"))


def rushed(answers: Sequence[TimedAnswer]) -> bool:
    """Whether the last answers were mere guesses."""
    last = answers[-RUSH:]
    if len(last) < RUSH or any(answer.verdict != "wrong" for answer in last):
        return False
    return last[-1].created_at - last[0].created_at <= RUSH_TIME


def pauses(answers: Sequence[TimedAnswer], now: datetime) -> bool:
    """Whether the last answers were guesses, a moment ago."""
    return rushed(answers) and now < answers[-1].created_at + PAUSE


def state(item: Item, answered: Sequence[AnswerState], probe: bool = False) -> State:
    """open: asked now; right: at once; corrected: later, or together; shown: by the tutor; ended: for good.

    The verdict `stopped` stands after answers that the tutor stopped.
    """
    if not answered:
        return "open"
    last = answered[-1].verdict
    if last == "right":
        at_once = len(answered) == 1 and not is_shared(answered[-1].score)
        return "right" if at_once else "corrected"
    if last in ("shown", "stopped"):
        return "shown"
    return "ended" if item.one_shot or probe else "open"


def asks_twin(item: Item, at: State, probe: bool = False) -> bool:
    """After 看答案, and after the one try of a one-shot item, the same idea is asked in another dress."""
    return not probe and item.twin is not None and at in ("shown", "ended")


@dataclass(frozen=True)
class Outcome:
    """What counts: the first try; a later success (or a twin's) is 改正."""

    kind: Literal["new", "right", "corrected", "wrong"]


def outcome(first: State, twin: State | None) -> Outcome:
    """The outcome of an item with its twin.

    >>> outcome("ended", "right").kind, outcome("right", None).kind, outcome("shown", None).kind
    ('corrected', 'right', 'wrong')
    """
    if first == "open":
        return Outcome("new")
    if first in ("right", "corrected"):
        return Outcome(first)
    return Outcome("corrected" if twin in ("right", "corrected") else "wrong")
