"""Figures: SVG drawn here, themed by CSS, each with a title and a description."""

from app.course.examples import Example
from app.course.figures import candy_row, contributions, discount_curve, range


def draw(name: str, example: Example | None) -> str:
    """The SVG of a figure by its name; the curve alone needs no example."""
    if name == "discount_curve":
        return discount_curve.draw(example)
    if example is None:
        raise ValueError(f"figure {name!r} needs an example")
    return {"contributions": contributions.draw, "candy_row": candy_row.draw, "range": range.draw}[name](example)
