"""糖 and 连对: what practice earns. Points only grow; a streak counts what was right at once in a row."""

from collections.abc import Iterable
from typing import NamedTuple

POINTS_AT_ONCE, POINTS_LATER = 3, 1
"""What an answer earns: right at once; right with hints, or 改正."""


class Score(NamedTuple):
    """What practice has earned. `today_count`: how many questions were answered today.

    Only the last answers are looked at: `may_have_..` where they may not be all.
    """

    sugar_points: int = 0
    streak_length: int = 0
    may_have_longer_streak: bool = False
    today_count: int = 0
    may_have_more_today: bool = False


def points_earned(right_count: int, right_later_count: int) -> int:
    """Points never fall: a wrong answer takes none away.

    >>> points_earned(right_count=5, right_later_count=2)
    17
    """
    return POINTS_AT_ONCE * right_count + POINTS_LATER * right_later_count


def streak_length(right_at_once_flags: Iterable[bool | None]) -> int:
    """How many of the last first answers were right at once, newest first; None (with hints) is passed over.

    >>> streak_length([True, None, True, False, True])
    2
    """
    right_count_in_a_row = 0
    for was_right_at_once in right_at_once_flags:
        if was_right_at_once is False:
            break
        right_count_in_a_row += was_right_at_once is True
    return right_count_in_a_row
