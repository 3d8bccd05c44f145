"""What a teacher reads of a student or a class at a skill: a band from first tries alone."""

from app.course.practice.mastery import WINDOW_LENGTH
from app.course.practice.skill_states import NAME_BY_MASTERY

STRENGTH_WORDS = ("没做过", "刚起步", "一半一半", "多半会", "很稳")
"""What a teacher reads of a student or a class at a skill; the number in it is the band."""
LEAST_SHARES_WITH_BANDS = ((0.85, 4), (0.65, 3), (0.4, 2), (0.0, 1))
"""From which share of first tries on that were right; always shown with how many there were."""
STRONGEST_BAND = len(STRENGTH_WORDS) - 1
FIRM_BAND = 3
"""From this band on others may build on a skill: 多半会."""
STRENGTH_RULE = (
    f"一次就对的题数/做过的题数，看了提示的不算对：{LEAST_SHARES_WITH_BANDS[0][0]:.0%}起{STRENGTH_WORDS[4]}，"
    f"{LEAST_SHARES_WITH_BANDS[1][0]:.0%}起{STRENGTH_WORDS[3]}，{LEAST_SHARES_WITH_BANDS[2][0]:.0%}起{STRENGTH_WORDS[2]}。"
    f"同学自己看到的“{NAME_BY_MASTERY['mastered']}”另看最近{WINDOW_LENGTH}道和隔天。"
)
"""The rule of what teachers read, as their pages tell it."""


def strength_band(right_count: int, answered_count: int) -> int:
    """How firmly somebody stands, from 0 (nothing tried yet) to 4: `right_count` of the first tries.

    >>> [strength_band(right, 20) for right in (0, 8, 13, 17)], strength_band(0, 0)
    ([1, 2, 3, 4], 0)
    """
    if not answered_count:
        return 0
    right_share = right_count / answered_count
    return next(band for least_share, band in LEAST_SHARES_WITH_BANDS if right_share >= least_share)
