"""Clicks on a document that was shown at several positions, under the position-based model.

A click is a look and a liking: ``P(click) = P(look at the position) × P(like the document)``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from app.engine.checks import checked_number, checked_whole_number, entries_of, refusal
from app.engine.questions import TableQuestion
from app.engine.terms import sum_in_order


@dataclass(frozen=True, slots=True)
class Position:
    """A position: how often the document was shown there, how often it was clicked, and the propensity.

    propensity: the chance that somebody looks at the position at all, above 0 and at most 1.
    """

    shown_times: int
    clicks: int
    propensity: float

    def __post_init__(self) -> None:
        shown_times = checked_whole_number(self.shown_times, "shown_times", 1)
        object.__setattr__(self, "shown_times", shown_times)
        object.__setattr__(self, "clicks", checked_whole_number(self.clicks, "clicks", 0, shown_times))
        propensity = checked_number(self.propensity, "propensity")
        if not 0 < propensity <= 1:
            raise refusal("propensity", self.propensity, "a number above 0 and at most 1")
        object.__setattr__(self, "propensity", propensity)


@dataclass(frozen=True, slots=True)
class Clicks(TableQuestion):
    """The inverse propensity score, asked of the positions at which one document was shown.

    一道数值题：同一篇文档在几个位置上摆过，人人都看到的话，有几成会点？

    positions: at least one; kept as a tuple. Raises ValueError without one.

    >>> Clicks([Position(100, 40, 0.8), Position(100, 15, 0.25)]).figure()
    0.55
    """

    quantity: ClassVar[str] = "ips"
    positions: Sequence[Position]

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", _checked_positions(self.positions))

    def figure(self) -> float:
        """Return the estimate."""
        return ips(self.positions)


def ips(positions: Sequence[Position]) -> float:
    """Return how often the document would be clicked if every position were looked at.

    每次点击按1÷被看到的机会加权，加起来，再除以摆出的总次数。

    A share; above 1 by bad luck alone, where propensities are small. Raises ValueError without a position.
    Source: Horvitz and Thompson 1952; for clicks Joachims, Swaminathan and Schnabel 2017.

    >>> ips([Position(100, 40, 0.8), Position(100, 15, 0.25)])   # (50 + 60) / 200
    0.55
    """
    checked_positions = _checked_positions(positions)
    weighted_click_count = sum_in_order(
        position.clicks / position.propensity for position in checked_positions
    )
    return weighted_click_count / sum(position.shown_times for position in checked_positions)


def deviation_of_ips(liking: float, positions: Sequence[Position]) -> float:
    """Return the standard deviation of the estimate, if the document is liked by so many of those who look.

    IPS的标准差：真实的喜欢率是liking时，这样摆一遍，估出来的数会晃多少。机会越小，晃得越凶。

    A showing adds 1 / propensity with chance propensity × liking: variance liking / propensity − liking².
    Clicks are not read. Raises ValueError for a liking outside 0 to 1 and without a position.

    >>> [round(deviation_of_ips(0.5, [Position(100, 0, propensity)]), 3) for propensity in (1.0, 0.1)]
    [0.05, 0.218]
    """
    liking_rate = checked_number(liking, "liking")
    if not 0 <= liking_rate <= 1:
        raise refusal("liking", liking, "a number from 0 to 1")
    checked_positions = _checked_positions(positions)
    variance = sum_in_order(
        position.shown_times * (liking_rate / position.propensity - liking_rate**2)
        for position in checked_positions
    )
    return float(variance**0.5 / sum(position.shown_times for position in checked_positions))


def _checked_positions(positions: Any) -> tuple[Position, ...]:
    checked_positions = tuple(entries_of(positions, "positions"))
    if not checked_positions or not all(isinstance(position, Position) for position in checked_positions):
        raise refusal("positions", positions, "at least one Position")
    return checked_positions
