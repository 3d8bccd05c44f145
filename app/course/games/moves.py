"""What a move is to a game, and what it comes to."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

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
    def misconception_code(self) -> str | None: ...


class JudgedMove(NamedTuple):
    """What is kept of a move beside the move itself; `outcome`, `score` and `total` with the last one."""

    step: str
    verdict: str
    value: str | None = None
    misconception_code: str | None = None
    outcome: str | None = None
    score: int | None = None
    total: int | None = None


class NamedRound(Protocol):
    """A round that has words of its own."""

    @property
    def kind(self) -> str: ...


@dataclass(frozen=True)
class PlayState(ABC):
    """Where a play of rounds stands. Each game says what a move leads to, whether a guess was right, when a
    play is over and what it is worth. The state in which a play begins judges its moves for the records.
    """

    seed: int
    round_index: int = 0

    @property
    @abstractmethod
    def round(self) -> NamedRound: ...

    @property
    @abstractmethod
    def is_over(self) -> bool: ...

    @property
    @abstractmethod
    def score(self) -> int: ...

    @property
    @abstractmethod
    def highest_score(self) -> int: ...

    @property
    @abstractmethod
    def is_guess_right(self) -> bool:
        """Whether the last guess was."""

    @property
    def step_name(self) -> str:
        """What the records call the part of a play in which a move was made."""
        return f"{self.round_index + 1}"

    @abstractmethod
    def after_move(self, move_name: str, raw_move: str) -> Self | None:
        """The state after one move; None for a move that is not to be made now."""

    def after_moves(self, made_moves: Sequence[MadeMove]) -> Self:
        """The state after these moves; one that was not to be made changes nothing."""
        play_state = self
        for made_move in made_moves:
            play_state = play_state.after_move(made_move.move, made_move.raw) or play_state
        return play_state

    def judge(self, made_moves: Sequence[MadeMove], move_name: str, raw_move: str) -> JudgedMove | None:
        """What a move after these comes to; None if it is not to be made now. Raises as `after_move` does."""
        state_before = self.after_moves(made_moves)
        state_after = state_before.after_move(move_name, raw_move)
        if state_after is None:
            return None
        verdict = move_name
        if move_name == "guess":
            verdict = "right" if state_after.is_guess_right else "wrong"
        if not state_after.is_over:
            return JudgedMove(state_before.step_name, verdict)
        return JudgedMove(
            state_before.step_name,
            verdict,
            outcome="done",
            score=state_after.score,
            total=state_after.highest_score,
        )
