"""What a class has learnt between two forms of a test, before and after."""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from app.course.insight.intervals import Interval, mean_interval
from app.course.insight.item_analysis import FEWEST_ANSWERS_FOR_FIGURES


def normalised_gain(share_before: float, share_after: float) -> float | None:
    """Hake's gain: how much of what was still missing has been learnt. None where nothing was missing.

    >>> round(normalised_gain(0.4, 0.7), 4), normalised_gain(1.0, 1.0)
    (0.5, None)
    """
    if share_before >= 1.0:
        return None
    return (share_after - share_before) / (1.0 - share_before)


class LearningGain(NamedTuple):
    """What a class gained between two tests, from those who did both. Shares of the full marks, 0 to 1."""

    student_count: int
    mean_share_before: float
    mean_share_after: float
    mean_difference: float
    interval: Interval
    normalised_gain: float | None

    @property
    def is_enough(self) -> bool:
        return self.student_count >= FEWEST_ANSWERS_FOR_FIGURES

    @property
    def is_sure(self) -> bool:
        """Whether chance alone is an unlikely explanation: the interval does not hold 0."""
        return self.interval.lower > 0 or self.interval.upper < 0


def learning_gain(share_pairs: Sequence[tuple[float, float]]) -> LearningGain | None:
    """The gain of those who did both; None while there is nobody.

    >>> measured = learning_gain([(0.2, 0.6), (0.4, 0.8), (0.6, 0.7)])
    >>> measured.student_count, round(measured.mean_difference, 3), round(measured.normalised_gain, 3)
    (3, 0.3, 0.5)
    >>> measured.is_sure
    False
    """
    if not share_pairs:
        return None
    mean_share_before = fmean(share_before for share_before, _ in share_pairs)
    mean_share_after = fmean(share_after for _, share_after in share_pairs)
    difference_interval = mean_interval(
        [share_after - share_before for share_before, share_after in share_pairs]
    )
    return LearningGain(
        len(share_pairs),
        mean_share_before,
        mean_share_after,
        mean_share_after - mean_share_before,
        difference_interval,
        normalised_gain(mean_share_before, mean_share_after),
    )
