"""Figures: SVG drawn here, themed by CSS, each with a title and a description."""

from collections.abc import Callable

from app.course.items.examples import Example
from app.course.learning.figures import candy_row, contributions, discount_curve
from app.course.learning.figures import range as range_

_OF_EXAMPLES: dict[str, Callable[[Example], str]] = {
    "contributions": contributions.draw,
    "candy_row": candy_row.draw,
    "range": range_.draw,
}


def draw(name: str, example: Example | None) -> str:
    """The SVG of a figure by its name; the curve alone needs no example. Raises ValueError without one."""
    if name == "discount_curve":
        return discount_curve.draw()
    if example is None:
        raise ValueError(f"figure {name!r} needs an example")
    return _OF_EXAMPLES[name](example)
