"""The convention card: what every library prints for a list, and from one to another axis by axis."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any

from app.course.workbench.evaluating import ListScores
from app.engine.conventions import CONVENTIONS, Convention
from app.engine.cumulative import FLOAT_NOISE

COMPARED_AXES = ("gain", "discount", "fractional", "pool", "cut", "ties", "single", "zero_ideal", "decimals")
"""In the order in which a lesson would change them: what a grade is worth first, how it is printed last."""
MOST_AXES_ORDERED = 5
"""Of so many axes every order is tried."""


@dataclass(frozen=True)
class FigureGroup:
    """Libraries that compute the same figure, to however many places they print it; in full in `value`.

    None: they leave the query out.
    """

    value: float | None
    conventions: tuple[Convention, ...]


@dataclass(frozen=True)
class ConventionCard:
    """Every library for one list: figures from high to low, each once, and who refuses the list, and why."""

    groups: tuple[FigureGroup, ...]
    refusals: tuple[tuple[Convention, str], ...]

    @property
    def is_unanimous(self) -> bool:
        """Whether all that compute the list print one figure."""
        return len(self.groups) <= 1


@dataclass(frozen=True)
class AxisStep:
    """One answer changed, and what that does to the figure; before, after: values of the field of `axis`."""

    axis: str
    before: Any
    after: Any
    value: float
    delta: float


@dataclass(frozen=True)
class AxisWay:
    """From one convention to another. unseen: axes in which they differ, but not on this list."""

    steps: tuple[AxisStep, ...]
    unseen: tuple[str, ...]


def card_of(scores: ListScores) -> ConventionCard:
    """What all libraries make of a list.

    >>> from app.course.workbench.state import read
    >>> card = card_of(ListScores(read({"list": ["3 0\\n2 0"]}).state))
    >>> [round(group.value, 3) for group in card.groups]
    [1.0, 0.957, 0.917, 0.913, 0.834]
    """
    groups: list[FigureGroup] = []
    refusals: list[tuple[Convention, str]] = []
    for convention in CONVENTIONS.values():
        refusal = scores.refusal(convention)
        if refusal:
            refusals.append((convention, refusal))
        else:
            unrounded_convention = replace(convention, decimals=None)
            _add_to_groups(groups, convention, scores.value(unrounded_convention))
    groups.sort(key=_from_high_to_low)
    return ConventionCard(tuple(groups), tuple(refusals))


def axis_way(scores: ListScores, our_convention: Convention, their_convention: Convention) -> AxisWay:
    """From our figure to theirs, one answer at a time, by the fewest answers that lead there.

    Neither convention may refuse the list. Steps that change nothing are left out, unless an answer shows
    only together with another one.

    >>> from app.course.workbench.state import read
    >>> scores = ListScores(read({"list": ["3 2 3 0 1 2"]}).state)
    >>> steps = axis_way(scores, CONVENTIONS["course"], CONVENTIONS["lightgbm"]).steps
    >>> [(step.axis, step.after, round(step.delta, 3)) for step in steps]
    [('gain', 'exponential', -0.012)]
    """
    different_axes = [
        axis for axis in COMPARED_AXES if getattr(our_convention, axis) != getattr(their_convention, axis)
    ]
    needed_axes = _fewest_axes(scores, our_convention, their_convention, different_axes)
    axes_in_order = _telling_order(scores, our_convention, their_convention, needed_axes)
    unseen_axes = tuple(axis for axis in different_axes if axis not in needed_axes)
    return AxisWay(tuple(_steps(scores, our_convention, their_convention, axes_in_order)), unseen_axes)


def _add_to_groups(groups: list[FigureGroup], convention: Convention, value: float | None) -> None:
    for index, group in enumerate(groups):
        if is_same(group.value, value):
            groups[index] = FigureGroup(group.value, (*group.conventions, convention))
            return
    groups.append(FigureGroup(value, (convention,)))


def is_same(first_number: float | None, second_number: float | None) -> bool:
    """Whether two figures are one.

    >>> is_same(0.1 + 0.2, 0.3), is_same(None, 0.0)
    (True, False)
    """
    if first_number is None or second_number is None:
        return first_number is second_number
    return abs(first_number - second_number) < FLOAT_NOISE


def _from_high_to_low(group: FigureGroup) -> tuple[bool, float]:
    return group.value is None, -(group.value or 0.0)


def _fewest_axes(
    scores: ListScores,
    our_convention: Convention,
    their_convention: Convention,
    different_axes: Sequence[str],
) -> tuple[str, ...]:
    """The fewest axes that make our figure theirs."""
    their_value = scores.value(their_convention)
    for count in range(len(different_axes)):
        for axes in combinations(different_axes, count):
            if is_same(
                scores.value(_with_their_answers(our_convention, their_convention, axes)), their_value
            ):
                return axes
    return tuple(different_axes)


def _telling_order(
    scores: ListScores, our_convention: Convention, their_convention: Convention, axes: tuple[str, ...]
) -> tuple[str, ...]:
    """The axes in an order in which each changes the figure, if there is one."""
    if len(axes) > MOST_AXES_ORDERED:
        return axes
    for axes_in_order in permutations(axes):
        steps = _steps(scores, our_convention, their_convention, axes_in_order)
        if all(abs(step.delta) >= FLOAT_NOISE for step in steps):
            return axes_in_order
    return axes


def _steps(
    scores: ListScores, our_convention: Convention, their_convention: Convention, axes: Sequence[str]
) -> list[AxisStep]:
    steps = []
    convention = our_convention
    figure = scores.value(our_convention) or 0.0
    for axis in axes:
        next_convention = _with_their_answers(convention, their_convention, [axis])
        value = scores.value(next_convention) or 0.0
        step = AxisStep(
            axis, getattr(convention, axis), getattr(next_convention, axis), value, value - figure
        )
        steps.append(step)
        convention, figure = next_convention, value
    return steps


def _with_their_answers(
    our_convention: Convention, their_convention: Convention, axes: Sequence[str]
) -> Convention:
    """Our convention with their answers on some axes."""
    answers: dict[str, Any] = {axis: getattr(their_convention, axis) for axis in axes}
    return replace(our_convention, name="", **answers)
