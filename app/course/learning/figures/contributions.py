"""What each rank contributes, beside the ideal: bars that grow as terms are opened."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from app import engine
from app.course.items.examples import Example
from app.course.learning.figures.svg import WIDTH, drawing, line, rank_label, tag, text

HEIGHT, TOP_Y, FLOOR_Y, LEFT_X, LEGEND_Y = 190, 24, 150, 12, 176
SYSTEM_BAR_SHARE, IDEAL_BAR_SHARE = 0.44, 0.72
"""Widths of the bars, as shares of the room of a rank: the ideal stands behind the own."""


def draw(
    example: Example, opened_term_count: int | None = None, opened_ideal_term_count: int | None = None
) -> str:
    """So many opened terms of the system, and of the ideal, are drawn; None: all."""
    bar_scale = _BarScale.for_trace(example.trace)
    terms = example.trace.terms[:opened_term_count]
    ideal_terms = example.trace.ideal_terms[:opened_ideal_term_count]
    shapes = [line("axis", LEFT_X, WIDTH - LEFT_X, FLOOR_Y)]
    shapes += [bar_scale.bar_of(term, IDEAL_BAR_SHARE, "bar-ideal") for term in ideal_terms]
    shapes += [bar_scale.bar_of(term, SYSTEM_BAR_SHARE, "bar-own") for term in terms]
    shapes += map(bar_scale.value_label, terms)
    shapes += map(bar_scale.rank_name, range(1, bar_scale.rank_count + 1))
    shapes.append(_legend("bar-own", LEFT_X, "系统的排序"))
    if ideal_terms:
        shapes.append(_legend("bar-ideal", 120, "理想排序"))
    title = f"{example.title}：每一位贡献多少"
    description = f"系统：{_term_list_words(terms)}。理想：{_term_list_words(ideal_terms)}。"
    return drawing("contributions", HEIGHT, title, description, *shapes)


class _BarScale(NamedTuple):
    """Bars for so many ranks, `rank_width` apart, and `height_per_unit` high for a term of 1."""

    rank_count: int
    rank_width: float
    height_per_unit: float

    @classmethod
    def for_trace(cls, trace: engine.Trace) -> Self:
        """Bars that hold the highest term of both rankings."""
        rank_count = max(len(trace.terms), len(trace.ideal_terms))
        term_values = [term.value for term in (*trace.terms, *trace.ideal_terms)]
        highest_term_value = max(1e-9, *term_values)
        return cls(rank_count, (WIDTH - 2 * LEFT_X) / rank_count, (FLOOR_Y - TOP_Y) / highest_term_value)

    def bar_of(self, term: engine.Term, width_share: float, css_class: str) -> str:
        width = self.rank_width * width_share
        height = self._height(term)
        x = self._middle_x(term.rank) - width / 2
        return tag("rect", class_=css_class, x=x, y=FLOOR_Y - height, width=width, height=height, rx=3)

    def value_label(self, term: engine.Term) -> str:
        y = FLOOR_Y - self._height(term) - 6
        return text(f"{term.value:.2f}", self._middle_x(term.rank), y, "value")

    def rank_name(self, rank: int) -> str:
        return text(rank_label(rank, self.rank_width), self._middle_x(rank), FLOOR_Y + 18)

    def _height(self, term: engine.Term) -> float:
        return term.value * self.height_per_unit

    def _middle_x(self, rank: int) -> float:
        return LEFT_X + (rank - 0.5) * self.rank_width


def _legend(css_class: str, x: float, label: str) -> str:
    swatch = tag("rect", class_=css_class, x=x, y=LEGEND_Y, width=12, height=10, rx=2)
    return swatch + text(label, x + 18, LEGEND_Y + 9, "label", "start")


def _term_list_words(terms: Sequence[engine.Term]) -> str:
    term_clauses = [f"第{term.rank}位{term.value:.2f}" for term in terms]
    return "；".join(term_clauses) or "还没翻开"
