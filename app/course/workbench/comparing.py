"""The convention card: what every library prints for a list, and from one to another axis by axis."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any, NamedTuple

from app.course.workbench.evaluating import ListEvaluation
from app.engine.conventions import CONVENTIONS, Convention
from app.engine.rounding import FLOAT_NOISE

COMPARED_AXES = ("gain", "discount", "fractional", "pool", "cut", "ties", "single", "zero_ideal", "decimals")
"""In the order in which a lesson would change them: what a grade is worth first, how it is printed last."""
AXES_BELOW_ZERO = ("negative",)
"""Compared as well where a grade stands below 0."""
MOST_AXES_IN_EVERY_ORDER = 5
"""Of so many axes every order is tried."""


class FigureGroup(NamedTuple):
    """Libraries that compute the same figure, to however many places they print it; in full in `figure`.

    None: they leave the query out.
    """

    figure: float | None
    conventions: tuple[Convention, ...]


class ConventionCard(NamedTuple):
    """Every library for one list: figures from high to low, each once, and who refuses the list, and why."""

    groups: tuple[FigureGroup, ...]
    conventions_with_refusals: tuple[tuple[Convention, str], ...]

    @property
    def is_unanimous(self) -> bool:
        """Whether all that compute the list print one figure."""
        return len(self.groups) <= 1


class AxisChange(NamedTuple):
    """One answer changed, and what that does to the figure; the answers are values of the field of `axis`.

    ndcg: None where the query is left out; ndcg_change: None from or to such a one.
    """

    axis: str
    answer_before: Any
    answer_after: Any
    ndcg: float | None
    ndcg_change: float | None


class ConventionComparison(NamedTuple):
    """From one convention to another. unseen_axes: axes in which they differ, but not on this list."""

    axis_changes: tuple[AxisChange, ...]
    unseen_axes: tuple[str, ...]


def convention_card_of(evaluation: ListEvaluation) -> ConventionCard:
    """What all libraries make of a list.

    >>> from app.course.workbench.state import read_state
    >>> card = convention_card_of(ListEvaluation(read_state({"list": ["3 0\\n2 0"]}).state))
    >>> [round(group.figure, 3) for group in card.groups]
    [1.0, 0.957, 0.917, 0.913, 0.834]
    """
    figure_groups: list[FigureGroup] = []
    conventions_with_refusals: list[tuple[Convention, str]] = []
    for convention in CONVENTIONS.values():
        refusal_words = evaluation.refusal_words(convention)
        if refusal_words:
            conventions_with_refusals.append((convention, refusal_words))
        else:
            unrounded_convention = replace(convention, decimals=None)
            _add_to_groups(figure_groups, convention, evaluation.ndcg(unrounded_convention))
    figure_groups.sort(key=_high_to_low_key)
    return ConventionCard(tuple(figure_groups), tuple(conventions_with_refusals))


def compare_conventions(
    evaluation: ListEvaluation, our_convention: Convention, their_convention: Convention
) -> ConventionComparison:
    """From our figure to theirs, one answer at a time, by the fewest answers that lead there.

    Neither convention may refuse the list. Changes without an effect are left out, unless an answer shows
    only together with another one.

    >>> from app.course.workbench.state import read_state
    >>> evaluation = ListEvaluation(read_state({"list": ["3 2 3 0 1 2"]}).state)
    >>> changes = compare_conventions(evaluation, CONVENTIONS["course"], CONVENTIONS["lightgbm"]).axis_changes
    >>> [(change.axis, change.answer_after, round(change.ndcg_change, 3)) for change in changes]
    [('gain', 'exponential', -0.012)]
    """
    compared_axes: tuple[str, ...] = COMPARED_AXES
    if evaluation.listed_documents.first_negative_grade is not None:
        compared_axes = (*AXES_BELOW_ZERO, *COMPARED_AXES)
    different_axes = [
        axis for axis in compared_axes if getattr(our_convention, axis) != getattr(their_convention, axis)
    ]
    needed_axes = _fewest_axes(evaluation, our_convention, their_convention, different_axes)
    axes_in_order = _order_that_shows_every_change(evaluation, our_convention, their_convention, needed_axes)
    unseen_axes = tuple(axis for axis in different_axes if axis not in needed_axes)
    return ConventionComparison(
        tuple(_axis_changes(evaluation, our_convention, their_convention, axes_in_order)), unseen_axes
    )


def _add_to_groups(figure_groups: list[FigureGroup], convention: Convention, figure: float | None) -> None:
    for group_index, figure_group in enumerate(figure_groups):
        if are_same_figure(figure_group.figure, figure):
            figure_groups[group_index] = FigureGroup(
                figure_group.figure, (*figure_group.conventions, convention)
            )
            return
    figure_groups.append(FigureGroup(figure, (convention,)))


def are_same_figure(first_figure: float | None, second_figure: float | None) -> bool:
    """Whether two figures are one.

    >>> are_same_figure(0.1 + 0.2, 0.3), are_same_figure(None, 0.0)
    (True, False)
    """
    if first_figure is None or second_figure is None:
        return first_figure is second_figure
    return abs(first_figure - second_figure) < FLOAT_NOISE


def _high_to_low_key(figure_group: FigureGroup) -> tuple[bool, float]:
    return figure_group.figure is None, -(figure_group.figure or 0.0)


def _fewest_axes(
    evaluation: ListEvaluation,
    our_convention: Convention,
    their_convention: Convention,
    different_axes: Sequence[str],
) -> tuple[str, ...]:
    """The fewest axes that make our figure theirs."""
    their_ndcg = evaluation.ndcg(their_convention)
    for axis_count in range(len(different_axes)):
        for axes in combinations(different_axes, axis_count):
            if are_same_figure(
                evaluation.ndcg(_with_their_answers(our_convention, their_convention, axes)), their_ndcg
            ):
                return axes
    return tuple(different_axes)


def _order_that_shows_every_change(
    evaluation: ListEvaluation,
    our_convention: Convention,
    their_convention: Convention,
    axes: tuple[str, ...],
) -> tuple[str, ...]:
    """The axes in an order in which each changes the figure, if there is one."""
    if len(axes) > MOST_AXES_IN_EVERY_ORDER:
        return axes
    for axes_in_order in permutations(axes):
        axis_changes = _axis_changes(evaluation, our_convention, their_convention, axes_in_order)
        if all(map(_shows_change, axis_changes)):
            return axes_in_order
    return axes


def _shows_change(axis_change: AxisChange) -> bool:
    return axis_change.ndcg_change is None or abs(axis_change.ndcg_change) >= FLOAT_NOISE


def _axis_changes(
    evaluation: ListEvaluation, our_convention: Convention, their_convention: Convention, axes: Sequence[str]
) -> list[AxisChange]:
    axis_changes = []
    convention = our_convention
    ndcg = evaluation.ndcg(our_convention)
    for axis in axes:
        next_convention = _with_their_answers(convention, their_convention, [axis])
        next_ndcg = evaluation.ndcg(next_convention)
        axis_change = AxisChange(
            axis,
            getattr(convention, axis),
            getattr(next_convention, axis),
            next_ndcg,
            _ndcg_change(ndcg, next_ndcg),
        )
        axis_changes.append(axis_change)
        convention, ndcg = next_convention, next_ndcg
    return axis_changes


def _ndcg_change(ndcg: float | None, next_ndcg: float | None) -> float | None:
    """By how much a figure changes; None where it comes or goes.

    >>> _ndcg_change(0.5, 0.75), _ndcg_change(None, 0.75), _ndcg_change(None, None)
    (0.25, None, 0.0)
    """
    if are_same_figure(ndcg, next_ndcg):
        return 0.0
    if ndcg is None or next_ndcg is None:
        return None
    return next_ndcg - ndcg


def _with_their_answers(
    our_convention: Convention, their_convention: Convention, axes: Sequence[str]
) -> Convention:
    """Our convention with their answers on some axes."""
    their_answer_by_axis: dict[str, Any] = {axis: getattr(their_convention, axis) for axis in axes}
    return replace(our_convention, name="", **their_answer_by_axis)
