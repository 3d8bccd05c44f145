"""糖 and 连对: what practice earns. Points only grow; a streak counts what was right at once in a row."""

from collections.abc import Iterable
from dataclasses import dataclass

CLEAN, LATER = 3, 1
"""What an answer earns: right at once; right with hints, or 改正."""


@dataclass(frozen=True)
class Score:
    """What practice has earned. `today`: how many questions were answered today.

    Only the last answers are looked at: `.._or_more` where they may not be all.
    """

    points: int = 0
    streak: int = 0
    streak_or_more: bool = False
    today: int = 0
    today_or_more: bool = False


def points(right_count: int, later_count: int) -> int:
    """Points never fall: a wrong answer takes none away.

    >>> points(right_count=5, later_count=2)
    17
    """
    return CLEAN * right_count + LATER * later_count


def streak(results: Iterable[bool | None]) -> int:
    """How many of the last first answers were right at once, newest first; None (with hints) is passed over.

    >>> streak([True, None, True, False, True])
    2
    """
    length = 0
    for right_at_once in results:
        if right_at_once is False:
            break
        length += right_at_once is True
    return length
