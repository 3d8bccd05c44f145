"""What a move is to a game, and what it comes to."""

from dataclasses import dataclass
from typing import Protocol


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
