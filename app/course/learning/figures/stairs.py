"""NDCG while the score of one document moves and all others stay: stairs, and no slope to climb."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from app import engine
from app.course.items.examples import Example
from app.course.learning.figures.svg import (
    WIDTH,
    circle,
    drawing,
    fitting_x,
    line,
    tag,
    text,
    text_width,
)

HEIGHT, TOP_Y, FLOOR_Y, LEFT_X, RIGHT_X = 204, 30, 140, 34, 346
MARGIN_BELOW = 0.1
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
    bottom_ndcg = max(0.0, min(stair.ndcg for stair in stairs) - MARGIN_BELOW)
    drawing_scale = _Scale(stairs[0].lowest_score, stairs[-1].highest_score, bottom_ndcg)
    document_letter = _letter(moving_index)
    moving_score = float(len(grades) - 1 - moving_index)
    shapes = [
        line("axis", LEFT_X, RIGHT_X, FLOOR_Y),
        text("1", LEFT_X - 12, TOP_Y + 5),
        text(f"{bottom_ndcg:.1f}", LEFT_X - 16, FLOOR_Y + 5),
        *_risers(stairs, drawing_scale),
        *(_tread(stair, drawing_scale) for stair in stairs),
        *_ticks(len(grades), moving_index, drawing_scale),
        text(f"{document_letter}的模型分", WIDTH / 2, HEIGHT - 6),
    ]
    shapes += _dots(stairs, moving_score, drawing_scale)
    title = f"{example.title}：只挪{document_letter}的模型分，NDCG怎么变"
    return drawing("stairs", HEIGHT, title, _stairs_sentence(document_letter, stairs), *shapes)


def stairs_of(example: Example, moving_index: int) -> list[Stair]:
    """The stairs from the lowest score of the moving document to its highest."""
    grades = list(example.grades)
    moved_grade = grades.pop(moving_index)
    scores = [
        float(len(grades) - document_index)
        for document_index in range(len(example.grades))
        if document_index != moving_index
    ]
    jump_scores = [*reversed(scores)] or [0.0]
    lowest_scores = [jump_scores[0] - 1, *jump_scores]
    highest_scores = [*jump_scores, jump_scores[-1] + 1]
    stairs = []
    for passed_document_count in range(len(grades) + 1):
        rank = len(grades) + 1 - passed_document_count
        ranked_grades = [*grades[: rank - 1], moved_grade, *grades[rank - 1 :]]
        ndcg = engine.ndcg(ranked_grades, example.k, example.gain, pool=example.pool)
        stairs.append(
            Stair(lowest_scores[passed_document_count], highest_scores[passed_document_count], rank, ndcg)
        )
    return stairs


class _Scale(NamedTuple):
    """Where scores and NDCGs stand in the drawing."""

    lowest_score: float
    highest_score: float
    bottom_ndcg: float

    def x_of_score(self, score: float) -> float:
        width_share = (score - self.lowest_score) / (self.highest_score - self.lowest_score)
        return LEFT_X + width_share * (RIGHT_X - LEFT_X)

    def y_of_ndcg(self, ndcg: float) -> float:
        height_share = (ndcg - self.bottom_ndcg) / (1 - self.bottom_ndcg)
        return FLOOR_Y - height_share * (FLOOR_Y - TOP_Y)


def _tread(stair: Stair, scale: _Scale) -> str:
    start_x, end_x, y = (
        scale.x_of_score(stair.lowest_score),
        scale.x_of_score(stair.highest_score),
        scale.y_of_ndcg(stair.ndcg),
    )
    tread = line("curve", start_x, end_x, y)
    printed_ndcg_text = f"{stair.ndcg:.3f}"
    if end_x - start_x < text_width(printed_ndcg_text) + 4:
        return tread
    middle_x = (start_x + end_x) / 2
    return tread + text(printed_ndcg_text, fitting_x(printed_ndcg_text, middle_x), y - 10, "value")


def _dots(stairs: Sequence[Stair], moving_score: float, scale: _Scale) -> list[str]:
    """Where the moving document stands."""
    x = scale.x_of_score(moving_score)
    return [
        circle("dot", x, scale.y_of_ndcg(stair.ndcg), 5)
        for stair in stairs
        if stair.lowest_score < moving_score < stair.highest_score
    ]


def _risers(stairs: Sequence[Stair], scale: _Scale) -> list[str]:
    """Where it jumps."""
    risers = []
    for lower_stair, upper_stair in pairwise(stairs):
        x = scale.x_of_score(upper_stair.lowest_score)
        start_y, end_y = scale.y_of_ndcg(lower_stair.ndcg), scale.y_of_ndcg(upper_stair.ndcg)
        risers.append(tag("line", class_="axis", x1=x, x2=x, y1=start_y, y2=end_y))
    return risers


def _ticks(document_count: int, moving_index: int, scale: _Scale) -> list[str]:
    """The scores of the others, and whose they are."""
    tick_shapes = []
    for document_index in range(document_count):
        if document_index == moving_index:
            continue
        score = document_count - 1 - document_index
        x = scale.x_of_score(score)
        tick_shapes += [text(str(score), x, FLOOR_Y + 18), text(_letter(document_index), x, FLOOR_Y + 36)]
    return tick_shapes


def _letter(document_index: int) -> str:
    return chr(ord("A") + document_index)


def _stairs_sentence(document_letter: str, stairs: Sequence[Stair]) -> str:
    stair_clauses = [
        f"{stair.lowest_score:g}到{stair.highest_score:g}，排第{stair.rank}位，NDCG是{stair.ndcg:.3f}"
        for stair in stairs
    ]
    stairs_words = "；".join(stair_clauses).replace("-", "−")
    return f"{document_letter}的模型分从低到高：{stairs_words}。同一级上一动不动，到了边上一跳。"
