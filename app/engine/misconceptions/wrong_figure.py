"""A learner's wrong number beside the right one, and what explains it."""

from dataclasses import dataclass

from app.engine.cumulative import FLOAT_NOISE
from app.engine.misconceptions.early_rounding import truncated
from app.engine.misconceptions.misconception import Misconception
from app.engine.questions import AnyQuestion

LARGEST_ROUNDING_SHIFT_SHARE = 0.02
"""Rounded weights move a figure by less than this share of it; farther is not looked."""


@dataclass(frozen=True, slots=True)
class WrongFigure:
    """The learner's number, the right one, and how near a figure must come to explain it.

    right_interval: of the figures that are right before they are rounded. written_decimals: places in which
    the number was written; None where only its value is known, which may have had zeros behind it.
    """

    value: float
    right_value: float
    right_interval: tuple[float, float]
    decimals: int
    # The contract lets people work with rounded weights, so that mistakes are made with them.
    allows_paper_weights: bool
    written_decimals: int | None = None

    @property
    def is_written_in_full(self) -> bool:
        """Whether it has as many places as were asked for: 0.500 is no 0.5."""
        return self.written_decimals is not None and self.written_decimals >= self.decimals

    @property
    def is_answer_to_fewer_places(self) -> bool:
        """Whether it is the answer to at least 2 places, or to 1 where no more were written; 0 never is."""
        if not self.value:
            return False
        if self.written_decimals == 1 < self.decimals and self.is_answer_to(1):
            return True
        return any(map(self.is_answer_to, range(2, self.decimals)))

    @property
    def tolerance(self) -> float:
        """Half a unit of the last place."""
        return 0.5 * 10.0**-self.decimals + FLOAT_NOISE

    def is_answer_to(self, decimals: int) -> bool:
        """Whether it is written to that many places, and a right figure comes out as it."""
        scale = 10.0**decimals
        scaled_value = self.value * scale
        if abs(scaled_value - round(scaled_value)) > FLOAT_NOISE * scale:
            return False
        half_width = 0.5 * 10.0**-decimals + FLOAT_NOISE
        lowest_value, highest_value = self.right_interval
        return lowest_value - half_width <= self.value <= highest_value + half_width

    @property
    def is_answer_to_one_place(self) -> bool:
        """Whether it has one place, where more were asked for; a whole number has none."""
        return self.decimals > 1 and self.value % 1 != 0 and self.is_answer_to(1)

    def is_cut_off(self, decimals: int) -> bool:
        """Whether it is the right figure with what stands behind so many places cut off."""
        return abs(self.value - truncated(self.right_value, decimals)) <= FLOAT_NOISE

    def is_explained_by(self, *predicted_values: float) -> bool:
        return min(predicted_values) - self.tolerance <= self.value <= max(predicted_values) + self.tolerance

    def is_explained_by_model(
        self, question: AnyQuestion, predicted_value: float, model: Misconception, *partners: Misconception
    ) -> bool:
        if self.is_explained_by(predicted_value):
            return True
        largest_distance = LARGEST_ROUNDING_SHIFT_SHARE * predicted_value + self.tolerance
        if not self.allows_paper_weights or abs(self.value - predicted_value) > largest_distance:
            return False
        paper_values = model.compute_on_paper(question, *partners)
        return self.is_explained_by(predicted_value, *paper_values)
