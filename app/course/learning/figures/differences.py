"""The differences between two systems, query by query, with their mean."""

from collections.abc import Sequence

from app.course.items.printed_figures import signed_text
from app.course.learning.figures.svg import WIDTH, drawing, fitting_x, line, tag, text, text_width
from app.engine import significance

HEIGHT, TOP_Y, FLOOR_Y, LEFT_X, RIGHT_X = 226, 46, 164, 10, 350
MOST_BARS_WITH_NUMBERS = 6
"""With more bars than that, only the longest one carries its number."""


def draw(differences: Sequence[float]) -> str:
    """A bar for every query, up where the new system wins, down where it loses; the mean as a line."""
    mean_difference = significance.mean_difference(differences)
    highest_difference, lowest_difference = max(0.0, *differences), min(0.0, *differences)
    zero_y = TOP_Y + (FLOOR_Y - TOP_Y) * highest_difference / ((highest_difference - lowest_difference) or 1)
    height_per_unit = (FLOOR_Y - TOP_Y) / ((highest_difference - lowest_difference) or 1)
    bar_distance = (RIGHT_X - LEFT_X) / len(differences)
    shapes = []
    for query_number, difference in enumerate(differences, start=1):
        middle_x = LEFT_X + (query_number - 0.5) * bar_distance
        shapes.append(_bar(difference, middle_x, bar_distance, zero_y, height_per_unit))
        shapes.append(text(str(query_number), middle_x, FLOOR_Y + 38))
        if len(differences) <= MOST_BARS_WITH_NUMBERS:
            shapes.append(_difference_label(difference, middle_x, zero_y, height_per_unit))
    mean_words = f"平均{signed_difference_text(mean_difference)}"
    mean_y = zero_y - mean_difference * height_per_unit
    shapes += [
        line("axis", LEFT_X, RIGHT_X, zero_y),
        tag("line", class_="axis", stroke_dasharray="6 4", x1=LEFT_X, x2=RIGHT_X, y1=mean_y, y2=mean_y),
        text(mean_words, RIGHT_X - text_width(mean_words) / 2, TOP_Y - 30, "value"),
        text("查询", WIDTH / 2, HEIGHT - 4),
    ]
    title = f"{len(differences)}个查询，新减旧"
    return drawing("differences", HEIGHT, title, _description(differences, mean_words), *shapes)


def _bar(
    difference: float, middle_x: float, bar_distance: float, zero_y: float, height_per_unit: float
) -> str:
    height = abs(difference) * height_per_unit
    top_y = zero_y
    css_class = "bar-lost"
    if difference > 0:
        top_y = zero_y - height
        css_class = "bar-own"
    bar_width = min(0.62 * bar_distance, 44)
    return tag(
        "rect", class_=css_class, x=middle_x - bar_width / 2, y=top_y, width=bar_width, height=height, rx=2
    )


def _difference_label(difference: float, middle_x: float, zero_y: float, height_per_unit: float) -> str:
    """The number above a bar that goes up, below one that goes down."""
    y = zero_y - difference * height_per_unit
    label_shift = 15.0
    if difference > 0:
        label_shift = -6.0
    difference_text = signed_difference_text(difference)
    return text(difference_text, fitting_x(difference_text, middle_x), y + label_shift, "value")


def signed_difference_text(difference: float) -> str:
    """A difference with its sign, to three decimals.

    >>> signed_difference_text(-0.14), signed_difference_text(0.5)
    ('−0.140', '+0.500')
    """
    return signed_text(difference, "+.3f")


def _description(differences: Sequence[float], mean_words: str) -> str:
    differences_text = "、".join(map(signed_difference_text, differences))
    won_count = sum(difference > 0 for difference in differences)
    lost_count = sum(difference < 0 for difference in differences)
    count_words = f"赢{won_count}个，输{lost_count}个"
    return f"一个查询一根柱子，往上是新的赢，往下是输：{differences_text}。{count_words}，{mean_words}。"
