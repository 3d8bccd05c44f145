"""How much a rank still counts: 1/log2(rank + 1) for ranks 1 to 10."""

from app.course.items import rounding
from app.course.learning.figures.svg import WIDTH, circle, drawing, fitting_x, line, tag, text

HEIGHT, TOP_Y, FLOOR_Y, LEFT_X = 200, 26, 160, 18
PRINTED_RANKS = {1, 2, 3, 4, 5, 10}
"""Ranks whose weight is printed; more would touch."""


def draw() -> str:
    """The curve of weights."""
    table_rows = rounding.discount_table()
    rank_distance = (WIDTH - 2 * LEFT_X) / (len(table_rows) - 1)
    dots = []
    corners = []
    point_clauses = []
    for rank, _, discount in table_rows:
        x = LEFT_X + (rank - 1) * rank_distance
        y = FLOOR_Y - discount * (FLOOR_Y - TOP_Y)
        dots.append(_labelled_dot(rank, discount, x, y))
        corners.append(f"{x:.1f},{y:.1f}")
        point_clauses.append(f"第{rank}位{discount:.3f}")
    axis = line("axis", LEFT_X, WIDTH - LEFT_X, FLOOR_Y)
    curve = tag("polyline", class_="curve", points=" ".join(corners))
    axis_label = text("名次", WIDTH / 2, HEIGHT - 6)
    return drawing(
        "discount", HEIGHT, "折损：每个名次还算几成", "；".join(point_clauses), axis, curve, *dots, axis_label
    )


def _labelled_dot(rank: int, discount: float, x: float, y: float) -> str:
    labelled_dot = circle("dot", x, y, 4) + text(str(rank), x, FLOOR_Y + 17)
    if rank not in PRINTED_RANKS:
        return labelled_dot
    printed_discount_text = f"{discount:.2f}"
    return labelled_dot + text(printed_discount_text, fitting_x(printed_discount_text, x), y - 9, "value")
