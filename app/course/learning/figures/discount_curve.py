"""How much a rank still counts: 1/log2(rank + 1) for ranks 1 to 10."""

from app.course.items import rounding
from app.course.learning.figures.svg import WIDTH, drawing, inside, tag, text

HEIGHT, TOP, FLOOR, LEFT = 200, 26, 160, 18
NAMED = {1, 2, 3, 4, 5, 10}
"""Ranks whose weight is printed; more would touch."""


def draw() -> str:
    """The curve of weights."""
    weights = [(rank, weight) for rank, _, weight in rounding.table()]
    step = (WIDTH - 2 * LEFT) / (len(weights) - 1)
    points = [(LEFT + (rank - 1) * step, FLOOR - weight * (FLOOR - TOP)) for rank, weight in weights]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts = [
        tag("line", class_="axis", x1=LEFT, x2=WIDTH - LEFT, y1=FLOOR, y2=FLOOR),
        tag("polyline", class_="curve", points=line),
        *(_point(rank, weight, *point) for (rank, weight), point in zip(weights, points, strict=True)),
        text("名次", WIDTH / 2, HEIGHT - 6),
    ]
    described = "；".join(f"第{rank}位{weight:.3f}" for rank, weight in weights)
    return drawing("discount", HEIGHT, "折损：每个名次还算几成", described, *parts)


def _point(rank: int, weight: float, x: float, y: float) -> str:
    dot = tag("circle", class_="dot", cx=x, cy=y, r=4) + text(str(rank), x, FLOOR + 17)
    printed = f"{weight:.2f}"
    return dot + (text(printed, inside(printed, x), y - 9, "value") if rank in NAMED else "")
