"""A ranking as a row of candies: the fuller, the sweeter; the number says it too."""

from app.course.examples import Example
from app.course.figures.svg import WIDTH, drawing, tag, text

HEIGHT, MIDDLE = 104, 48


def draw(example: Example) -> str:
    """One candy a document, in the system's order."""
    grades = example.grades
    step = WIDTH / len(grades)
    radius = min(24.0, step * 0.36)
    top = max(3.0, *(grade or 0.0 for grade in grades))
    parts = [_candy((rank - 0.5) * step, radius, grade, rank, top) for rank, grade in enumerate(grades, 1)]
    described = "，".join(f"第 {rank} 位甜度 {_named(grade)}" for rank, grade in enumerate(grades, 1))
    return drawing("candies", HEIGHT, f"{example.title}：一排糖", described, *parts)


def _candy(x: float, radius: float, grade: float | None, rank: int, top: float) -> str:
    level = (grade or 0.0) / top
    wings = f"M{x - radius:.1f} {MIDDLE} l-7 -7 v14 z M{x + radius:.1f} {MIDDLE} l7 -7 v14 z"
    return "".join(
        (
            tag("path", class_="candy-wing", d=wings),
            tag("circle", class_="candy-shell", cx=x, cy=MIDDLE, r=radius),
            tag("circle", class_="candy-fill", cx=x, cy=MIDDLE, r=radius * level**0.5) if level else "",
            text(_named(grade), x, MIDDLE + 6, "candy-grade candy-sweet" if level > 0.3 else "candy-grade"),
            text(f"第{rank}位", x, HEIGHT - 10),
        )
    )


def _named(grade: float | None) -> str:
    return "？" if grade is None else f"{grade:g}"
