"""How much a rank still counts: 1/log2(rank + 1) for ranks 1 to 10."""

from app.course import contracts
from app.course.examples import Example
from app.course.figures.svg import WIDTH, drawing, tag, text

HEIGHT, TOP, FLOOR, LEFT = 200, 26, 160, 18


def draw(example: Example | None = None) -> str:
    """The curve of weights; the example is not needed."""
    weights = [(rank, weight) for rank, _, weight in contracts.table()]
    step = (WIDTH - 2 * LEFT) / (len(weights) - 1)
    points = [(LEFT + (rank - 1) * step, FLOOR - weight * (FLOOR - TOP), rank, weight) for rank, weight in weights]
    parts = [tag("line", class_="axis", x1=LEFT, x2=WIDTH - LEFT, y1=FLOOR, y2=FLOOR)]
    parts.append(tag("polyline", class_="curve", points=" ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in points)))
    for x, y, rank, weight in points:
        parts.append(tag("circle", class_="dot", cx=x, cy=y, r=4))
        parts.append(text(str(rank), x, FLOOR + 17))
        if rank <= 5 or rank == 10:
            parts.append(text(f"{weight:.2f}", x + (4 if rank == 1 else 0), y - 9, "value"))
    parts.append(text("名次", WIDTH / 2, HEIGHT - 6))
    described = "；".join(f"第 {rank} 位 {weight:.3f}" for rank, weight in weights)
    return drawing("discount", HEIGHT, "折损：每个名次还算几成", described, *parts)
