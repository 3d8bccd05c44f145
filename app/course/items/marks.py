"""What marking an answer gives."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["right", "wrong"]
Mood = Literal["pleased", "puzzled", "thinking"]

WHOLE = 0.999
"""A right answer with less was reached together with the tutor, who filled steps; 0 is what never earns."""


class Unreadable(ValueError):
    """The answer cannot be read: it is not wrong, it costs no try; the message says how to write it."""


@dataclass(frozen=True)
class Mark:
    """An answer, marked: `score` 0..1, `value` as it was understood, `feedback` in Markdown.

    `misconception`: what made a wrong number, as `mistakes.code` writes it; None where nothing explains it.
    """

    verdict: Verdict
    value: str
    feedback: tuple[str, ...] = ()
    score: float = 0.0
    misconception: str | None = None


def is_shared(score: float) -> bool:
    """Whether a right answer was reached together with the tutor.

    >>> is_shared(4 / 6), is_shared(1.0), is_shared(0.0)
    (True, False, False)
    """
    return 0 < score < WHOLE


def right(value: str, *feedback: str) -> Mark:
    return Mark("right", value, tuple(filter(None, feedback)), 1.0)


def wrong(value: str, *feedback: str, score: float = 0.0, misconception: str | None = None) -> Mark:
    return Mark("wrong", value, tuple(filter(None, feedback)), score, misconception)
