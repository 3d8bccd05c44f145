"""What a move is to a game, and what it comes to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

State = TypeVar("State")
RAW_SEPARATOR = ";"
"""Between the answers of a move that sends several."""


class MadeMove(Protocol):
    """A move that was made and kept."""

    @property
    def move(self) -> str: ...
    @property
    def raw(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def misconception(self) -> str | None: ...


@dataclass(frozen=True)
class JudgedMove:
    """What is kept of a move beside the move itself; `outcome`, `score` and `total` with the last one."""

    step: str
    verdict: str
    value: str | None = None
    misconception: str | None = None
    outcome: str | None = None
    score: int | None = None
    total: int | None = None


class ScoredState(Protocol):
    """Where a play stands that ends with a score."""

    @property
    def is_over(self) -> bool: ...
    @property
    def score(self) -> int: ...


def state_after(
    state: State, moves: Sequence[MadeMove], make_move: Callable[[State, str, str], State | None]
) -> State:
    """Where a play stands after these moves; one that was not to be made changes nothing."""
    for move in moves:
        state = make_move(state, move.move, move.raw) or state
    return state


def judged_move(step: str, verdict: str, new_state: ScoredState, total: int) -> JudgedMove:
    """A move with its verdict, and with the result where it was the last one."""
    if new_state.is_over:
        return JudgedMove(step, verdict, outcome="done", score=new_state.score, total=total)
    return JudgedMove(step, verdict)
