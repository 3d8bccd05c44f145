"""Workings of a kappa and of an inverse propensity score, right and wrong."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Self, TypeAlias

from app.engine.labelling.agreement import CountTable, chance_agreement, observed_agreement
from app.engine.labelling.clicks import Position
from app.engine.misconceptions.working import FigureWorking, Rounding, quotient
from app.engine.terms import sum_in_order

Positions: TypeAlias = Sequence[Position]


def unrounded_figure(figure: float) -> float:
    """Return the figure as it is."""
    return figure


@dataclass(frozen=True, slots=True, eq=False)
class LabelWorking(FigureWorking):
    """One way of working out a figure of labels. rounding: what becomes of each figure on the way."""

    rounding: Rounding = unrounded_figure

    def rounded(self, rounding: Rounding) -> Self:
        return replace(self, rounding=rounding)


def chance_corrected_agreement(agreement: float, chance_agreement: float) -> float:
    """Return what is left of the agreement beyond chance, over what chance leaves to reach.

    >>> round(chance_corrected_agreement(0.8, 0.5), 3)
    0.6
    """
    return quotient(agreement - chance_agreement, 1 - chance_agreement)


@dataclass(frozen=True, slots=True, eq=False)
class AgreementWorking(LabelWorking):
    """A kappa: how often they agree, how often chance alone would agree, and what is made of both.

    >>> from app.engine.labelling import Agreement
    >>> round(AgreementWorking().value(Agreement([[6, 2], [1, 11]])), 3)
    0.681
    """

    agreement: Callable[[CountTable], float] = observed_agreement
    chance: Callable[[CountTable], float] = chance_agreement
    correction: Callable[[float, float], float] = chance_corrected_agreement

    def value(self, question: Any) -> float:
        agreement = self.rounding(self.agreement(question.table))
        chance = self.rounding(self.chance(question.table))
        return float(self.correction(agreement, chance))


def weighted_click_count(position: Position) -> float:
    """Return the clicks of a position over its propensity.

    >>> weighted_click_count(Position(100, 30, 0.5))
    60.0
    """
    return position.clicks / position.propensity


def showing_total(positions: Positions) -> float:
    """Return how often the document was shown in all."""
    return sum(position.shown_times for position in positions)


@dataclass(frozen=True, slots=True, eq=False)
class ClicksWorking(LabelWorking):
    """An inverse propensity score: what each position brings in, added up, over what there is.

    >>> from app.engine.labelling import Clicks
    >>> ClicksWorking().value(Clicks([Position(100, 40, 0.8), Position(100, 15, 0.25)]))
    0.55
    """

    amount: Callable[[Position], float] = weighted_click_count
    whole: Callable[[Positions], float] = showing_total

    def value(self, question: Any) -> float:
        amount_sum = sum_in_order(self.rounding(self.amount(position)) for position in question.positions)
        return float(quotient(amount_sum, self.whole(question.positions)))


RIGHT_LABEL_WORKING_BY_QUANTITY: Mapping[str, LabelWorking] = MappingProxyType(
    {"kappa": AgreementWorking(), "ips": ClicksWorking()}
)
