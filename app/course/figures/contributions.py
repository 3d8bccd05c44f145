"""What each rank contributes, beside the ideal: bars that grow as terms are opened."""

from app.course.examples import Example
from app.course.figures.svg import WIDTH, drawing, tag, text

HEIGHT, TOP, FLOOR, LEFT = 190, 24, 150, 12


def draw(example: Example, opened: int | None = None, ideal_opened: int | None = None) -> str:
    """`opened` terms of the system and `ideal_opened` of the ideal are drawn; None: all."""
    terms, ideal = example.trace.terms, example.trace.ideal_terms
    shown = len(terms) if opened is None else opened
    ideal_shown = len(ideal) if ideal_opened is None else ideal_opened
    ranks = max(len(terms), len(ideal))
    step = (WIDTH - 2 * LEFT) / ranks
    scale = (FLOOR - TOP) / max(1e-9, *(term.value for term in (*terms, *ideal)))
    parts = [tag("line", class_="axis", x1=LEFT, x2=WIDTH - LEFT, y1=FLOOR, y2=FLOOR)]
    for rank in range(1, ranks + 1):
        middle = LEFT + (rank - 0.5) * step
        if rank <= ideal_shown:
            parts.append(_bar(middle - step * 0.36, step * 0.72, ideal[rank - 1].value * scale, "bar-ideal"))
        if rank <= min(shown, len(terms)):
            value = terms[rank - 1].value
            parts.append(_bar(middle - step * 0.22, step * 0.44, value * scale, "bar-own"))
            parts.append(text(f"{value:.2f}", middle, FLOOR - value * scale - 6, "value"))
        parts.append(text(f"第{rank}位", middle, FLOOR + 18))
    parts += _legend(ideal_shown > 0)
    return drawing("contributions", HEIGHT, f"{example.title}：每一位贡献多少", _described(example, shown, ideal_shown), *parts)


def _bar(x: float, width: float, height: float, class_: str) -> str:
    return tag("rect", class_=class_, x=x, y=FLOOR - height, width=width, height=height, rx=3)


def _legend(with_ideal: bool) -> list[str]:
    own = [tag("rect", class_="bar-own", x=LEFT, y=176, width=12, height=10, rx=2), text("系统的排序", 30, 185, "label", "start")]
    ideal = [tag("rect", class_="bar-ideal", x=120, y=176, width=12, height=10, rx=2), text("理想排序", 138, 185, "label", "start")]
    return own + ideal * with_ideal


def _described(example: Example, shown: int, ideal_shown: int) -> str:
    own = "；".join(f"第 {term.rank} 位 {term.value:.2f}" for term in example.trace.terms[:shown])
    best = "；".join(f"第 {term.rank} 位 {term.value:.2f}" for term in example.trace.ideal_terms[:ideal_shown])
    return f"系统：{own or '还没翻开'}。理想：{best or '还没翻开'}。"
