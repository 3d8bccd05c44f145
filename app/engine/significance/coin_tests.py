"""Tests of paired differences as questions: values that can be answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.engine.questions import TableQuestion
from app.engine.significance.shuffling import THOUSANDTHS_OF_ONE, randomisation_test, sign_test, thousandths


@dataclass(frozen=True, slots=True)
class CoinTest(TableQuestion):
    """The two-sided p of a test of the differences between two systems, query by query.

    一道p值题：一列“新减旧”的差，问碰巧也能偏成这样的机会。

    differences: 2 to 50, each from -1 to 1 with at most three decimals; kept as a tuple, so that questions
    compare and hash.
    Raises ValueError on construction, naming the argument, the value and what is allowed.
    """

    differences: Sequence[float]

    def __post_init__(self) -> None:
        exact_differences = [difference / THOUSANDTHS_OF_ONE for difference in thousandths(self.differences)]
        object.__setattr__(self, "differences", tuple(exact_differences))

    @property
    def differences_in_thousandths(self) -> list[int]:
        """The differences in whole thousandths."""
        return [round(difference * THOUSANDTHS_OF_ONE) for difference in self.differences]


@dataclass(frozen=True, slots=True)
class SignTest(CoinTest):
    """Only who won each query counts.

    >>> SignTest([0.1, 0.2, 0.1, 0.3, -0.1]).figure()
    0.375
    """

    quantity: ClassVar[str] = "sign_test"

    def figure(self) -> float:
        return sign_test(self.differences)


@dataclass(frozen=True, slots=True)
class RandomisationTest(CoinTest):
    """The mean difference counts, with its size.

    >>> RandomisationTest([0.1, 0.2, 0.3, -0.05]).figure()
    0.25
    """

    quantity: ClassVar[str] = "randomisation_test"

    def figure(self) -> float:
        return randomisation_test(self.differences)
