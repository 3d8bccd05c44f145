"""How much a rank still counts: 1/log2(rank + 1) for ranks 1 to 10."""

from app.course.items import rounding
from app.course.learning.figures.svg import WIDTH, circle, drawing, line, middle_inside, tag, text

HEIGHT, TOP, FLOOR, LEFT = 200, 26, 160, 18
PRINTED_RANKS = {1, 2, 3, 4, 5, 10}
"""Ranks whose weight is printed; more would touch."""


def draw() -> str:
    """The curve of weights."""
    table = rounding.discount_table()
    step = (WIDTH - 2 * LEFT) / (len(table) - 1)
    dots = []
    corners = []
    point_words = []
    for rank, _, weight in table:
        x = LEFT + (rank - 1) * step
        y = FLOOR - weight * (FLOOR - TOP)
        dots.append(_point(rank, weight, x, y))
        corners.append(f"{x:.1f},{y:.1f}")
        point_words.append(f"第{rank}位{weight:.3f}")
    axis = line("axis", LEFT, WIDTH - LEFT, FLOOR)
    curve = tag("polyline", class_="curve", points=" ".join(corners))
    label = text("名次", WIDTH / 2, HEIGHT - 6)
    return drawing(
        "discount", HEIGHT, "折损：每个名次还算几成", "；".join(point_words), axis, curve, *dots, label
    )


def _point(rank: int, weight: float, x: float, y: float) -> str:
    point = circle("dot", x, y, 4) + text(str(rank), x, FLOOR + 17)
    if rank not in PRINTED_RANKS:
        return point
    printed_weight = f"{weight:.2f}"
    return point + text(printed_weight, middle_inside(printed_weight, x), y - 9, "value")
