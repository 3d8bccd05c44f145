"""Parts of an assignment."""

from dataclasses import dataclass


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
