"""Figures: SVG drawn here, themed by CSS, each with a title and a description."""

from collections.abc import Callable, Sequence

from app.course.items.examples import Example
from app.course.learning.figures import (
    candy_row,
    click_models,
    contributions,
    differences,
    discount_curve,
    s_curve,
    shuffles,
    stairs,
)
from app.course.learning.figures import range as range_

_DRAW_BY_EXAMPLE_FIGURE: dict[str, Callable[[Example], str]] = {
    "contributions": contributions.draw,
    "candy_row": candy_row.draw,
    "range": range_.draw,
    "stairs": stairs.draw,
}
_DRAW_BY_PLAIN_FIGURE: dict[str, Callable[[], str]] = {
    "discount_curve": discount_curve.draw,
    "s_curve": s_curve.draw,
    "click_models": click_models.draw,
}
_DRAW_BY_DIFFERENCE_FIGURE: dict[str, Callable[[Sequence[float]], str]] = {
    "differences": differences.draw,
    "shuffles": shuffles.draw,
}


def draw_differences(figure_name: str, differences_of_queries: Sequence[float]) -> str:
    """The SVG of a figure of the differences between two systems."""
    return _DRAW_BY_DIFFERENCE_FIGURE[figure_name](differences_of_queries)


def draw(figure_name: str, example: Example | None) -> str:
    """The SVG of a figure by its name; the curves need no example. Raises ValueError without one."""
    if not needs_example(figure_name):
        return _DRAW_BY_PLAIN_FIGURE[figure_name]()
    if example is None:
        raise ValueError(f"figure {figure_name!r} needs an example")
    return _DRAW_BY_EXAMPLE_FIGURE[figure_name](example)


def needs_example(figure_name: str) -> bool:
    """Whether a figure is drawn of an example.

    >>> needs_example("stairs"), needs_example("s_curve")
    (True, False)
    """
    return figure_name not in _DRAW_BY_PLAIN_FIGURE
