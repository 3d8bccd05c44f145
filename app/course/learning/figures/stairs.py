"""NDCG while the score of one document moves and all others stay: stairs, and no slope to climb."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from app import engine
from app.course.items.examples import Example
from app.course.learning.figures.svg import WIDTH, circle, drawing, line, middle_inside, tag, text, width

HEIGHT, TOP, FLOOR, LEFT, RIGHT = 204, 30, 140, 34, 346
MARGIN = 0.1
"""So much of NDCG is drawn below the lowest stair."""


class Stair(NamedTuple):
    """Between two scores the moving document keeps its rank, and NDCG its value."""

    lowest_score: float
    highest_score: float
    rank: int
    ndcg: float


def draw(example: Example) -> str:
    """The sweetest document moves; the scores of the others fall by 1 from place to place, the last has 0."""
    grades = [grade or 0.0 for grade in example.grades]
    moving_index = grades.index(max(grades))
    stairs = stairs_of(example, moving_index)
    lowest_ndcg = max(0.0, min(stair.ndcg for stair in stairs) - MARGIN)
    scale = _Scale(stairs[0].lowest_score, stairs[-1].highest_score, lowest_ndcg)
    letter = _letter(moving_index)
    score = float(len(grades) - 1 - moving_index)
    shapes = [
        line("axis", LEFT, RIGHT, FLOOR),
        text("1", LEFT - 12, TOP + 5),
        text(f"{lowest_ndcg:.1f}", LEFT - 16, FLOOR + 5),
        *_risers(stairs, scale),
        *(_tread(stair, scale) for stair in stairs),
        *_ticks(len(grades), moving_index, scale),
        text(f"{letter}的模型分", WIDTH / 2, HEIGHT - 6),
    ]
    shapes += _dots(stairs, score, scale)
    title = f"{example.title}：只挪{letter}的模型分，NDCG怎么变"
    return drawing("stairs", HEIGHT, title, _stairs_words(letter, stairs), *shapes)


def stairs_of(example: Example, moving_index: int) -> list[Stair]:
    """The stairs from the lowest score of the moving document to its highest."""
    grades = list(example.grades)
    moved_grade = grades.pop(moving_index)
    scores = [float(len(grades) - index) for index in range(len(example.grades)) if index != moving_index]
    edges = [*reversed(scores)] or [0.0]
    lower_edges = [edges[0] - 1, *edges]
    upper_edges = [*edges, edges[-1] + 1]
    stairs = []
    for passed_count in range(len(grades) + 1):
        rank = len(grades) + 1 - passed_count
        grades_by_rank = [*grades[: rank - 1], moved_grade, *grades[rank - 1 :]]
        ndcg = engine.ndcg(grades_by_rank, example.k, example.gain, pool=example.pool)
        stairs.append(Stair(lower_edges[passed_count], upper_edges[passed_count], rank, ndcg))
    return stairs


class _Scale(NamedTuple):
    """Where scores and NDCGs stand in the drawing."""

    lowest_score: float
    highest_score: float
    lowest_ndcg: float

    def x(self, score: float) -> float:
        share = (score - self.lowest_score) / (self.highest_score - self.lowest_score)
        return LEFT + share * (RIGHT - LEFT)

    def y(self, ndcg: float) -> float:
        share = (ndcg - self.lowest_ndcg) / (1 - self.lowest_ndcg)
        return FLOOR - share * (FLOOR - TOP)


def _tread(stair: Stair, scale: _Scale) -> str:
    start, end, y = scale.x(stair.lowest_score), scale.x(stair.highest_score), scale.y(stair.ndcg)
    tread = line("curve", start, end, y)
    printed_ndcg = f"{stair.ndcg:.3f}"
    if end - start < width(printed_ndcg) + 4:
        return tread
    middle = (start + end) / 2
    return tread + text(printed_ndcg, middle_inside(printed_ndcg, middle), y - 10, "value")


def _dots(stairs: Sequence[Stair], score: float, scale: _Scale) -> list[str]:
    """Where the moving document stands."""
    x = scale.x(score)
    return [
        circle("dot", x, scale.y(stair.ndcg), 5)
        for stair in stairs
        if stair.lowest_score < score < stair.highest_score
    ]


def _risers(stairs: Sequence[Stair], scale: _Scale) -> list[str]:
    """Where it jumps."""
    risers = []
    for lower, upper in pairwise(stairs):
        x = scale.x(upper.lowest_score)
        start, end = scale.y(lower.ndcg), scale.y(upper.ndcg)
        risers.append(tag("line", class_="axis", x1=x, x2=x, y1=start, y2=end))
    return risers


def _ticks(document_count: int, moving_index: int, scale: _Scale) -> list[str]:
    """The scores of the others, and whose they are."""
    ticks = []
    for index in range(document_count):
        if index == moving_index:
            continue
        score = document_count - 1 - index
        x = scale.x(score)
        ticks += [text(str(score), x, FLOOR + 18), text(_letter(index), x, FLOOR + 36)]
    return ticks


def _letter(index: int) -> str:
    return chr(ord("A") + index)


def _stairs_words(letter: str, stairs: Sequence[Stair]) -> str:
    stair_texts = [
        f"{stair.lowest_score:g}到{stair.highest_score:g}，排第{stair.rank}位，NDCG是{stair.ndcg:.3f}"
        for stair in stairs
    ]
    stairs_text = "；".join(stair_texts).replace("-", "−")
    return f"{letter}的模型分从低到高：{stairs_text}。同一级上一动不动，到了边上一跳。"
