"""What each rank contributes, beside the ideal: bars that grow as terms are opened."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from app import engine
from app.course.items.examples import Example
from app.course.learning.figures.svg import WIDTH, drawing, line, rank_label, tag, text

HEIGHT, TOP, FLOOR, LEFT, LEGEND_Y = 190, 24, 150, 12, 176
SYSTEM_WIDTH, IDEAL_WIDTH = 0.44, 0.72
"""Widths of the bars, as shares of the room of a rank: the ideal stands behind the own."""


def draw(example: Example, opened_count: int | None = None, ideal_opened_count: int | None = None) -> str:
    """`opened_count` terms of the system and `ideal_opened_count` of the ideal are drawn; None: all."""
    bars = _Bars.of(example.trace)
    terms = example.trace.terms[:opened_count]
    ideal_terms = example.trace.ideal_terms[:ideal_opened_count]
    shapes = [line("axis", LEFT, WIDTH - LEFT, FLOOR)]
    shapes += [bars.bar(term, IDEAL_WIDTH, "bar-ideal") for term in ideal_terms]
    shapes += [bars.bar(term, SYSTEM_WIDTH, "bar-own") for term in terms]
    shapes += map(bars.value, terms)
    shapes += map(bars.rank, range(1, bars.count + 1))
    shapes.append(_legend("bar-own", LEFT, "系统的排序"))
    if ideal_terms:
        shapes.append(_legend("bar-ideal", 120, "理想排序"))
    title = f"{example.title}：每一位贡献多少"
    description = f"系统：{_term_list(terms)}。理想：{_term_list(ideal_terms)}。"
    return drawing("contributions", HEIGHT, title, description, *shapes)


@dataclass(frozen=True)
class _Bars:
    """Bars for so many ranks, `step` apart, and `scale` high for a term of 1."""

    count: int
    step: float
    scale: float

    @classmethod
    def of(cls, trace: engine.Trace) -> Self:
        """Bars that hold the highest term of both rankings."""
        rank_count = max(len(trace.terms), len(trace.ideal_terms))
        values = [term.value for term in (*trace.terms, *trace.ideal_terms)]
        highest_term = max(1e-9, *values)
        return cls(rank_count, (WIDTH - 2 * LEFT) / rank_count, (FLOOR - TOP) / highest_term)

    def bar(self, term: engine.Term, share: float, class_: str) -> str:
        width = self.step * share
        height = self._height(term)
        x = self._middle(term.rank) - width / 2
        return tag("rect", class_=class_, x=x, y=FLOOR - height, width=width, height=height, rx=3)

    def value(self, term: engine.Term) -> str:
        y = FLOOR - self._height(term) - 6
        return text(f"{term.value:.2f}", self._middle(term.rank), y, "value")

    def rank(self, rank: int) -> str:
        return text(rank_label(rank, self.step), self._middle(rank), FLOOR + 18)

    def _height(self, term: engine.Term) -> float:
        return term.value * self.scale

    def _middle(self, rank: int) -> float:
        return LEFT + (rank - 0.5) * self.step


def _legend(class_: str, x: float, label: str) -> str:
    mark = tag("rect", class_=class_, x=x, y=LEGEND_Y, width=12, height=10, rx=2)
    return mark + text(label, x + 18, LEGEND_Y + 9, "label", "start")


def _term_list(terms: Sequence[engine.Term]) -> str:
    term_texts = [f"第{term.rank}位{term.value:.2f}" for term in terms]
    return "；".join(term_texts) or "还没翻开"
