"""The two drawings of the lab: NDCG so far, and the documents with the forces on them."""

from collections.abc import Sequence

from app.course.learning.figures.svg import WIDTH, drawing, inside, tag, text
from app.course.learning.labs.lambdarank import WEIGHTS
from app.course.learning.labs.walk import AHEAD, STILL, Walk

LINE_HEIGHT, TOP, FLOOR, LEFT, RIGHT, LEGEND = 190, 26, 138, 40, 330, 180
ROW, FIRST, CANDY, REACH = 50, 22, 12, 44
"""Of the documents: a row's height, the first row, the radius of a candy, the longest arrow."""
LOW, HIGH = 76, 236
"""Where the lowest and the highest score stand."""


def ndcg_line(walk: Walk) -> str:
    """NDCG step by step: the chosen way, and the other one dashed."""
    own = [state.ndcg for state in walk.so_far]
    other = [state.ndcg for state in walk.other]
    bottom = max(0.0, min(*own, *other) - 0.1)
    last = max(AHEAD, len(own) - 1)

    def at(step: int, value: float) -> tuple[float, float]:
        x = LEFT + (RIGHT - LEFT) * step / last
        return x, FLOOR - (FLOOR - TOP) * (value - bottom) / (1 - bottom)

    parts = [
        *_frame(bottom, last),
        _curve("curve curve-other", [at(step, value) for step, value in enumerate(other)]),
        _curve("curve", [at(step, value) for step, value in enumerate(own)]),
        *(tag("circle", class_="dot", cx=x, cy=y, r=3) for x, y in map(at, range(len(own)), own)),
        _here(f"{own[-1]:.3f}", *at(len(own) - 1, own[-1])),
        *_legend(walk),
    ]
    described = f"{_named(walk, own)}。{_named(walk, other, other=True)}。"
    return drawing("lab-line", LINE_HEIGHT, f"{walk.measure}一步步的变化", described, *parts)


def _frame(bottom: float, last: int) -> list[str]:
    return [
        tag("line", class_="grid", x1=LEFT, x2=RIGHT, y1=TOP, y2=TOP),
        tag("line", class_="axis", x1=LEFT, x2=RIGHT, y1=FLOOR, y2=FLOOR),
        text("1", LEFT - 8, TOP + 5, "label", "end"),
        text(f"{bottom:.2f}", LEFT - 8, FLOOR + 5, "label", "end"),
        text("0步", LEFT, FLOOR + 18),
        text(f"{last}步", RIGHT, FLOOR + 18),
    ]


def _curve(class_: str, points: Sequence[tuple[float, float]]) -> str:
    return tag("polyline", class_=class_, points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points))


def _here(printed: str, x: float, y: float) -> str:
    dot = tag("circle", class_="dot", cx=x, cy=y, r=6)
    return dot + text(printed, inside(printed, x), y - 11, "value")


def _legend(walk: Walk) -> list[str]:
    chosen = walk.setting.weight
    entries = [("curve", LEFT, WEIGHTS[chosen])]
    entries += [("curve curve-other", 190, name) for weight, name in WEIGHTS.items() if weight != chosen]
    return [
        tag("line", class_=class_, x1=x, x2=x + 24, y1=LEGEND - 4, y2=LEGEND - 4)
        + text(name, x + 32, LEGEND, "label", "start")
        for class_, x, name in entries
    ]


def _named(walk: Walk, values: Sequence[float], other: bool = False) -> str:
    chosen = walk.setting.weight
    name = next(name for weight, name in WEIGHTS.items() if (weight != chosen) == other)
    return f"{name}：" + "，".join(f"第{step}步{value:.3f}" for step, value in enumerate(values))


def documents(walk: Walk) -> str:
    """The documents in their order, each at its score, with an arrow for the force on it."""
    scores = [score for state in walk.ahead for score in state.scores]
    low, high = min(scores), max(scores)
    strongest = max(abs(slope) for state in walk.ahead for slope in state.grad) or 1.0

    def across(score: float) -> float:
        return LOW + (HIGH - LOW) * ((score - low) / (high - low) if high > low else 0.5)

    rows = [
        _document(walk, place, row, across(walk.now.scores[place]), _push(walk, place) / strongest)
        for row, place in enumerate(walk.ranking)
    ]
    foot = FIRST + ROW * len(rows)
    ends = text("得分低", LOW, foot) + text("得分高", HIGH, foot)
    described = "；".join(_described(walk, place) for place in walk.ranking)
    return drawing("lab-documents", foot + 8, "四篇文档的得分和受力", f"{described}。", *rows, ends)


def _document(walk: Walk, place: int, row: int, x: float, force: float) -> str:
    y, setting = FIRST + ROW * row, walk.setting
    return "".join(
        (
            tag("line", class_="grid", x1=28, x2=288, y1=y, y2=y),
            text(str(row + 1), 12, y + 6, "value lab-rank"),
            _arrow(x, y, force),
            _candy(x, y, setting.grades[place]),
            text(setting.names[place], x, y + 27),
            text(plain(walk.now.scores[place]), WIDTH - 4, y + 1, "value", "end"),
            text(signed(-walk.now.grad[place]), WIDTH - 4, y + 18, "label", "end"),
        )
    )


def _push(walk: Walk, place: int) -> float:
    """The force on a document, up above 0; what is printed as 0 is 0."""
    push = -walk.now.grad[place]
    return push if abs(push) >= STILL else 0.0


def _arrow(x: float, y: float, force: float) -> str:
    if force == 0:
        return ""
    way = 1 if force > 0 else -1
    start, class_ = x + way * (CANDY + 1), "push-up" if way > 0 else "push-down"
    tip = start + way * max(7.0, REACH * abs(force))
    shaft = tag("line", class_=class_, x1=start, x2=tip - way * 5, y1=y, y2=y)
    return shaft + tag("path", class_=class_, d=f"M{tip:.1f} {y} l{-way * 7} -5 v10 z")


def _candy(x: float, y: float, grade: int) -> str:
    level = grade / 4
    fill = tag("circle", class_="candy-fill", cx=x, cy=y, r=CANDY * level**0.5) if grade else ""
    sweet = "candy-grade candy-sweet" if level > 0.3 else "candy-grade"
    return tag("circle", class_="candy-shell", cx=x, cy=y, r=CANDY) + fill + text(str(grade), x, y + 5, sweet)


def _described(walk: Walk, place: int) -> str:
    setting, now = walk.setting, walk.now
    return (
        f"第{now.ranks[place]}名{setting.names[place]}，甜度{setting.grades[place]}，"
        f"得分{plain(now.scores[place])}，受力{signed(-now.grad[place])}"
    )


def plain(score: float) -> str:
    """A score, with a true minus sign.

    >>> plain(-0.25)
    '−0.250'
    """
    return f"{score:.3f}".replace("-", "−")


def signed(force: float) -> str:
    """A force with its direction: up is +.

    >>> signed(0.25), signed(-0.25), signed(-1e-12)
    ('+0.250', '−0.250', '0')
    """
    if abs(force) < STILL:
        return "0"
    return f"{'+' if force > 0 else '−'}{abs(force):.3f}"
