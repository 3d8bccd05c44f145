"""A ranking as a row of candies: the fuller, the sweeter; the number says it too."""

from app.course.items.examples import Example
from app.course.learning.figures.svg import WIDTH, circle, drawing, rank_label, tag, text

HEIGHT, MIDDLE_Y = 104, 48
LARGEST_RADIUS = 24.0
FULL_CANDY_GRADE = 3.0
"""A full candy, unless something is sweeter still."""


def draw(example: Example) -> str:
    """One candy a document, in the system's order."""
    grades = example.grades
    rank_width = WIDTH / len(grades)
    top_grade = max(FULL_CANDY_GRADE, *(grade or 0.0 for grade in grades))
    candies = []
    grade_sentences = []
    for rank, grade in enumerate(grades, 1):
        candies.append(_candy(rank, rank_width, grade, top_grade))
        grade_sentences.append(f"第{rank}位甜度{_grade_text(grade)}")
    return drawing("candies", HEIGHT, f"{example.title}：一排糖", "，".join(grade_sentences), *candies)


def _candy(rank: int, rank_width: float, grade: float | None, top_grade: float) -> str:
    middle_x = (rank - 0.5) * rank_width
    radius = min(LARGEST_RADIUS, rank_width * 0.36)
    wing_width = min(7.0, rank_width * 0.12)
    fill_share = (grade or 0.0) / top_grade
    left_wing = (
        f"M{middle_x - radius:.1f} {MIDDLE_Y} l{-wing_width:.1f} {-wing_width:.1f} v{2 * wing_width:.1f} z"
    )
    right_wing = (
        f"M{middle_x + radius:.1f} {MIDDLE_Y} l{wing_width:.1f} {-wing_width:.1f} v{2 * wing_width:.1f} z"
    )
    shapes = [
        tag("path", class_="candy-wing", d=f"{left_wing} {right_wing}"),
        circle("candy-shell", middle_x, MIDDLE_Y, radius),
    ]
    if fill_share:
        shapes.append(circle("candy-fill", middle_x, MIDDLE_Y, radius * fill_share**0.5))
    css_class = "candy-grade"
    if fill_share > 0.3:
        css_class = "candy-grade candy-sweet"
    shapes.append(text(_grade_text(grade), middle_x, MIDDLE_Y + 6, css_class))
    shapes.append(text(rank_label(rank, rank_width), middle_x, HEIGHT - 10))
    return "".join(shapes)


def _grade_text(grade: float | None) -> str:
    if grade is None:
        return "？"
    return f"{grade:g}"
