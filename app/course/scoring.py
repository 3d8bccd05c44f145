"""糖 and 连对: what practice earns. Points only grow; a streak counts what was right at once in a row."""

from collections.abc import Iterable
from dataclasses import dataclass

CLEAN, LATER = 3, 1
"""What an answer earns: right at once; right with hints, or 改正."""


@dataclass(frozen=True)
class Score:
    """What practice has earned. `today`: how many questions were answered today."""

    points: int = 0
    streak: int = 0
    today: int = 0


def points(clean: int, later: int) -> int:
    """Points never fall: a wrong answer takes none away.

    >>> points(clean=5, later=2)
    17
    """
    return CLEAN * clean + LATER * later


def streak(results: Iterable[bool | None]) -> int:
    """How many of the last first answers were right at once, newest first; None (with hints) is passed over.

    >>> streak([True, None, True, False, True])
    2
    """
    found = 0
    for clean in results:
        if clean is False:
            break
        found += clean is True
    return found
