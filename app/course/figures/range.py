"""Where an NDCG lies between the worst and the best order of the same documents."""

from app.course.examples import Example
from app.course.figures.svg import WIDTH, drawing, tag, text

HEIGHT, LINE, LEFT = 124, 62, 26


def draw(example: Example) -> str:
    """Worst, mean of all orders, this order, best, on a line from 0 to 1."""
    spread, own = example.range, example.trace.ndcg
    parts = [tag("line", class_="axis", x1=_x(0), x2=_x(1), y1=LINE, y2=LINE)]
    parts.append(tag("line", class_="reach", x1=_x(spread.worst), x2=_x(spread.best), y1=LINE, y2=LINE))
    parts += [text("0", _x(0), LINE + 22), text("1", _x(1), LINE + 22)]
    marks = [("最差", spread.worst, LINE + 22, LINE + 40), ("乱排平均", spread.mean, LINE + 22, LINE + 40)]
    for label, value, _, below in marks:
        parts.append(tag("circle", class_="dot dot-quiet", cx=_x(value), cy=LINE, r=5))
        parts.append(text(f"{label} {value:.3f}", _x(value), below, "label", _anchor(value, spread.mean)))
    parts.append(tag("circle", class_="dot", cx=_x(own), cy=LINE, r=8))
    parts.append(text(f"这个系统 {own:.3f}", min(_x(own), WIDTH - 66), LINE - 18, "value"))
    described = f"最差 {spread.worst:.3f}，乱排平均 {spread.mean:.3f}，这个系统 {own:.3f}，最好 {spread.best:.3f}。"
    return drawing("range", HEIGHT, f"{example.title}：NDCG 的尺子", described, *parts)


def _x(value: float) -> float:
    return LEFT + value * (WIDTH - 2 * LEFT)


def _anchor(value: float, mean: float) -> str:
    """The worst is named to its left and the mean to its right, so that they never touch."""
    return "start" if value == mean else "end"
