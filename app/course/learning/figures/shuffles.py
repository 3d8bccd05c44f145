"""All shuffles of a few queries: where their mean differences fall, and which lie as far from 0 as ours."""

from collections import Counter
from collections.abc import Sequence

from app.course.learning.figures.differences import signed_difference_text
from app.course.learning.figures.svg import WIDTH, circle, drawing, fitting_x, line, tag, text
from app.engine import significance
from app.engine.rounding import FLOAT_NOISE

HEIGHT, TOP_Y, FLOOR_Y, LEFT_X, RIGHT_X = 150, 28, 98, 22, 338
MOST_QUERIES = 5
"""Thirty-two dots can be told apart on a phone."""
COLUMN_COUNT, DOT_RADIUS = 28, 5.0


def draw(differences: Sequence[float]) -> str:
    """A dot for every shuffle; the far ones in colour, and ours between two lines."""
    shuffled_means = significance.shuffled_means(differences)
    observed_distance = abs(significance.mean_difference(differences))
    farthest_mean = max(shuffled_means) or 1.0
    dot_count_by_column: Counter[int] = Counter()
    dots = []
    far_shuffle_count = 0
    for shuffled_mean in shuffled_means:
        column_index = _column_of(shuffled_mean, farthest_mean)
        dot_count_by_column[column_index] += 1
        css_class = "dot-quiet"
        if abs(shuffled_mean) >= observed_distance - FLOAT_NOISE:
            css_class = "dot"
            far_shuffle_count += 1
        x = _x_of_column(column_index)
        dots.append(
            circle(
                css_class, x, FLOOR_Y + 3 - dot_count_by_column[column_index] * 2.2 * DOT_RADIUS, DOT_RADIUS
            )
        )
    shapes = [
        line("axis", LEFT_X - 12, RIGHT_X + 12, FLOOR_Y),
        *_edges(observed_distance, farthest_mean),
        *dots,
    ]
    shapes.append(text("平均差", WIDTH / 2, HEIGHT - 6))
    title = f"{len(differences)}个查询，{len(shuffled_means)}种对调"
    far_words = f"平均差离0至少{observed_distance:.3f}的有{far_shuffle_count}个"
    description = f"每种对调一个点。{far_words}，占{len(shuffled_means)}个里的{far_shuffle_count}个。"
    return drawing("shuffles", HEIGHT, title, description, *shapes)


def _column_of(mean: float, farthest_mean: float) -> int:
    return round((mean / farthest_mean + 1) / 2 * COLUMN_COUNT)


def _x_of_column(column_index: int) -> float:
    return LEFT_X + (RIGHT_X - LEFT_X) * column_index / COLUMN_COUNT


def _edges(observed_distance: float, farthest_mean: float) -> list[str]:
    """From where on a shuffle lies as far as ours, on both sides: just before the dots that do."""
    shapes = [text("0", (LEFT_X + RIGHT_X) / 2, FLOOR_Y + 18)]
    edge_gap = DOT_RADIUS + 2
    for edge_mean, edge_shift in ((-observed_distance, edge_gap), (observed_distance, -edge_gap)):
        x = _x_of_column(_column_of(edge_mean, farthest_mean)) + edge_shift
        shapes.append(tag("line", class_="axis", stroke_dasharray="6 4", x1=x, x2=x, y1=TOP_Y, y2=FLOOR_Y))
        printed_edge_text = signed_difference_text(edge_mean)
        shapes.append(text(printed_edge_text, fitting_x(printed_edge_text, x), TOP_Y - 8, "value"))
    return shapes
