"""Where an NDCG lies between the worst and the best order of the same documents."""

from collections.abc import Sequence

from app.course.items.examples import Example
from app.course.learning.figures.svg import WIDTH, circle, drawing, fitting_x, line, tag, text
from app.engine import NdcgRange
from app.engine.rounding import FLOAT_NOISE

HEIGHT, LINE_Y, LEFT_X = 132, 58, 26
LABEL_ROWS = (LINE_Y + 20, LINE_Y + 40, LINE_Y + 58, LINE_Y + 76)
"""Below the line: its ends, the worst, the mean, a best below 1; a row each, so that they never touch."""


def draw(example: Example) -> str:
    """Worst, mean of all orders, this order, best, on a line from 0 to 1."""
    return draw_ruler(f"{example.title}：NDCG的尺子", example.range, example.trace.ndcg, "这个系统")


def draw_ruler(
    title: str, ndcg_range: NdcgRange, list_ndcg: float, list_label: str, marked_ndcgs: Sequence[float] = ()
) -> str:
    """The line for any list; `marked_ndcgs` are marked on it, as the ends are."""
    shapes = [_stretch("axis", 0, 1)]
    shapes += map(_tick, marked_ndcgs)
    shapes.append(_stretch("reach", ndcg_range.worst, ndcg_range.best))
    shapes += [
        text(f"{end_ndcg:g}", _x_of_ndcg(end_ndcg), LABEL_ROWS[0]) for end_ndcg in (0, *marked_ndcgs, 1)
    ]
    shapes.append(_labelled_quiet_dot("最差", ndcg_range.worst, LABEL_ROWS[1]))
    shapes.append(_labelled_quiet_dot("乱排平均", ndcg_range.mean, LABEL_ROWS[2]))
    height = HEIGHT
    if ndcg_range.best < 1 - FLOAT_NOISE:
        shapes.append(_labelled_quiet_dot("最好", ndcg_range.best, LABEL_ROWS[3]))
        height += 18
    shapes.append(_labelled_dot(list_label, list_ndcg, 8, LINE_Y - 18, "dot", "value"))
    description = f"最差{ndcg_range.worst:.3f}，乱排平均{ndcg_range.mean:.3f}，"
    description += f"{list_label}{list_ndcg:.3f}，最好{ndcg_range.best:.3f}。"
    return drawing("range", height, title, description, *shapes)


def _stretch(css_class: str, start_ndcg: float, end_ndcg: float) -> str:
    return line(css_class, _x_of_ndcg(start_ndcg), _x_of_ndcg(end_ndcg), LINE_Y)


def _tick(ndcg: float) -> str:
    x = _x_of_ndcg(ndcg)
    return tag("line", class_="axis", x1=x, x2=x, y1=LINE_Y - 7, y2=LINE_Y + 7)


def _labelled_quiet_dot(label: str, ndcg: float, y: float) -> str:
    return _labelled_dot(label, ndcg, 5, y, "dot dot-quiet", "label")


def _labelled_dot(label: str, ndcg: float, radius: int, y: float, dot_class: str, label_class: str) -> str:
    x = _x_of_ndcg(ndcg)
    label_words = f"{label} {ndcg:.3f}"
    labelled_dot = circle(dot_class, x, LINE_Y, radius)
    return labelled_dot + text(label_words, fitting_x(label_words, x), y, label_class)


def _x_of_ndcg(ndcg: float) -> float:
    return LEFT_X + ndcg * (WIDTH - 2 * LEFT_X)
