"""What each rank contributes, beside the ideal: bars that grow as terms are opened."""

from collections.abc import Sequence

from app import engine
from app.course.items.examples import Example
from app.course.learning.figures.svg import WIDTH, drawing, line, rank_label, tag, text

HEIGHT, TOP, FLOOR, LEFT, LEGEND = 190, 24, 150, 12, 176
OWN, IDEAL = 0.44, 0.72
"""Widths of the bars, as shares of the room of a rank: the ideal stands behind the own."""


def draw(example: Example, opened: int | None = None, ideal_opened: int | None = None) -> str:
    """`opened` terms of the system and `ideal_opened` of the ideal are drawn; None: all."""
    terms = example.trace.terms
    ideal = example.trace.ideal_terms
    count = max(len(terms), len(ideal))
    step = (WIDTH - 2 * LEFT) / count
    scale = (FLOOR - TOP) / max(1e-9, *(term.value for term in (*terms, *ideal)))
    terms = terms[:opened]
    ideal = ideal[:ideal_opened]
    shapes = [
        line("axis", LEFT, WIDTH - LEFT, FLOOR),
        *(_bar(term, step, IDEAL, scale, "bar-ideal") for term in ideal),
        *(_bar(term, step, OWN, scale, "bar-own") for term in terms),
        *(_value(term, step, scale) for term in terms),
        *(_rank(rank, step) for rank in range(1, count + 1)),
        _legend("bar-own", LEFT, "系统的排序"),
    ]
    if ideal:
        shapes.append(_legend("bar-ideal", 120, "理想排序"))
    described = f"系统：{_listed(terms)}。理想：{_listed(ideal)}。"
    return drawing("contributions", HEIGHT, f"{example.title}：每一位贡献多少", described, *shapes)


def _bar(term: engine.Term, step: float, share: float, scale: float, class_: str) -> str:
    x = _middle(term.rank, step) - step * share / 2
    height = term.value * scale
    return tag("rect", class_=class_, x=x, y=FLOOR - height, width=step * share, height=height, rx=3)


def _value(term: engine.Term, step: float, scale: float) -> str:
    return text(f"{term.value:.2f}", _middle(term.rank, step), FLOOR - term.value * scale - 6, "value")


def _rank(rank: int, step: float) -> str:
    return text(rank_label(rank, step), _middle(rank, step), FLOOR + 18)


def _middle(rank: int, step: float) -> float:
    return LEFT + (rank - 0.5) * step


def _legend(class_: str, x: float, label: str) -> str:
    mark = tag("rect", class_=class_, x=x, y=LEGEND, width=12, height=10, rx=2)
    return mark + text(label, x + 18, LEGEND + 9, "label", "start")


def _listed(terms: Sequence[engine.Term]) -> str:
    return "；".join(f"第{term.rank}位{term.value:.2f}" for term in terms) or "还没翻开"
