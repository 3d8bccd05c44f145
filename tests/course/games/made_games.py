"""Games as their words are written here."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Made:
    """A move as the records keep it."""

    move: str
    raw: str
    verdict: str
    misconception_code: str | None = None
