"""Where a learner stands with an item: from the answers so far to what is asked next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from app.course.items.base import Item

State = Literal["open", "right", "corrected", "shown", "ended"]


class Answered(Protocol):
    """What asking needs to know of a response."""

    @property
    def verdict(self) -> str: ...


def state(item: Item, answered: Sequence[Answered], probe: bool = False) -> State:
    """open: asked now; right: at once; corrected: later; shown: by the tutor; ended: no more tries."""
    if not answered:
        return "open"
    last = answered[-1].verdict
    if last == "right":
        return "right" if len(answered) == 1 else "corrected"
    if last == "shown":
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
