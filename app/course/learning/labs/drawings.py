"""The two drawings of the lab: NDCG so far, and the documents with the forces on them."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from app.course.items.printed_figures import signed_text
from app.course.learning.figures.svg import WIDTH, circle, drawing, fitting_x, line, tag, text
from app.course.learning.labs.lambdarank import WORDS_BY_WEIGHT
from app.course.learning.labs.walk import LEAST_PRINTED_FORCE, STEPS_AHEAD, Walk
from app.engine.pairwise.descent import DescentState

LINE_HEIGHT, TOP_Y, FLOOR_Y, LEFT_X, RIGHT_X, LEGEND_Y = 190, 26, 138, 40, 330, 180
ROW_HEIGHT, FIRST_ROW_Y, CANDY_RADIUS, LONGEST_ARROW = 50, 22, 12, 44
"""Of the documents: a row's height, the first row, the radius of a candy, the longest arrow."""
LOW_SCORE_X, HIGH_SCORE_X = 76, 236
"""Where the lowest and the highest score stand."""

Point = tuple[float, float]


def ndcg_line_svg(walk: Walk) -> str:
    """NDCG step by step: the chosen way, and the alternative dashed."""
    plot = _Plot.for_walk(walk)
    points = plot.points(walk.states_so_far)
    chosen_name, alternative_name = _names_of_way_and_alternative(walk)
    shapes = plot.frame()
    shapes.append(_curve("curve curve-other", plot.points(walk.other_states)))
    shapes.append(_curve("curve", points))
    shapes += [circle("dot", x, y, 3) for x, y in points]
    shapes.append(_present_dot(f"{walk.present_state.ndcg:.3f}", *points[-1]))
    shapes.append(_legend("curve", LEFT_X, chosen_name))
    shapes.append(_legend("curve curve-other", 190, alternative_name))
    description = f"{chosen_name}：{_ndcg_by_step_words(walk.states_so_far)}。"
    description += f"{alternative_name}：{_ndcg_by_step_words(walk.other_states)}。"
    return drawing("lab-line", LINE_HEIGHT, f"{walk.measure_name}一步步的变化", description, *shapes)


class _Plot(NamedTuple):
    """Where the NDCG after so many steps stands: from `bottom_ndcg` to 1, and from none to the most steps."""

    bottom_ndcg: float
    step_count_of_axis: int

    @classmethod
    def for_walk(cls, walk: Walk) -> Self:
        lowest_ndcg = min(descent_state.ndcg for descent_state in (*walk.states_so_far, *walk.other_states))
        return cls(max(0.0, lowest_ndcg - 0.1), max(STEPS_AHEAD, walk.setting.steps))

    def points(self, states: Sequence[DescentState]) -> list[Point]:
        points = []
        for walked_step_count, descent_state in enumerate(states):
            x = LEFT_X + (RIGHT_X - LEFT_X) * walked_step_count / self.step_count_of_axis
            y = FLOOR_Y - (FLOOR_Y - TOP_Y) * (descent_state.ndcg - self.bottom_ndcg) / (1 - self.bottom_ndcg)
            points.append((x, y))
        return points

    def frame(self) -> list[str]:
        return [
            line("grid", LEFT_X, RIGHT_X, TOP_Y),
            line("axis", LEFT_X, RIGHT_X, FLOOR_Y),
            text("1", LEFT_X - 8, TOP_Y + 5, "label", "end"),
            text(f"{self.bottom_ndcg:.2f}", LEFT_X - 8, FLOOR_Y + 5, "label", "end"),
            text("0步", LEFT_X, FLOOR_Y + 18),
            text(f"{self.step_count_of_axis}步", RIGHT_X, FLOOR_Y + 18),
        ]


def _curve(css_class: str, points: Sequence[Point]) -> str:
    corners = [f"{x:.1f},{y:.1f}" for x, y in points]
    return tag("polyline", class_=css_class, points=" ".join(corners))


def _present_dot(printed_ndcg_text: str, x: float, y: float) -> str:
    dot = circle("dot", x, y, 6)
    return dot + text(printed_ndcg_text, fitting_x(printed_ndcg_text, x), y - 11, "value")


def _names_of_way_and_alternative(walk: Walk) -> tuple[str, str]:
    """The name of the chosen way, and that of the alternative."""
    if walk.setting.weight == "ndcg":
        return WORDS_BY_WEIGHT["ndcg"], WORDS_BY_WEIGHT["none"]
    return WORDS_BY_WEIGHT["none"], WORDS_BY_WEIGHT["ndcg"]


def _legend(css_class: str, x: float, label: str) -> str:
    swatch = line(css_class, x, x + 24, LEGEND_Y - 4)
    return swatch + text(label, x + 32, LEGEND_Y, "label", "start")


def _ndcg_by_step_words(states: Sequence[DescentState]) -> str:
    return "，".join(
        f"第{walked_step_count}步{descent_state.ndcg:.3f}"
        for walked_step_count, descent_state in enumerate(states)
    )


def documents_svg(walk: Walk) -> str:
    """The documents in their order, each at its score, with an arrow for the force on it."""
    scores: list[float] = []
    forces: list[float] = []
    for descent_state in walk.states_ahead:
        scores += descent_state.scores
        forces += map(abs, descent_state.grad)
    lowest_score = min(scores)
    score_range = max(scores) - lowest_score
    strongest_force = max(forces) or 1.0
    shapes = []
    for row_index, document_index in enumerate(walk.ranking):
        score_share = 0.5
        if score_range > 0:
            score_share = (walk.present_state.scores[document_index] - lowest_score) / score_range
        x = LOW_SCORE_X + (HIGH_SCORE_X - LOW_SCORE_X) * score_share
        relative_force = _printed_push(walk, document_index) / strongest_force
        shapes.append(_document(walk, document_index, row_index, x, relative_force))
    foot_y = FIRST_ROW_Y + ROW_HEIGHT * len(shapes)
    shapes.append(text("模型分低", LOW_SCORE_X, foot_y))
    shapes.append(text("模型分高", HIGH_SCORE_X, foot_y))
    description = "；".join(_document_words(walk, document_index) for document_index in walk.ranking)
    return drawing("lab-documents", foot_y + 8, "四篇文档的模型分和受力", f"{description}。", *shapes)


def _document(walk: Walk, document_index: int, row_index: int, x: float, relative_force: float) -> str:
    y = FIRST_ROW_Y + ROW_HEIGHT * row_index
    lab_setting = walk.setting
    present_score_text = score_text(walk.present_state.scores[document_index])
    push_text = signed_force_text(-walk.present_state.grad[document_index])
    document_svg = line("grid", 28, 288, y)
    document_svg += text(str(row_index + 1), 12, y + 6, "value lab-rank")
    document_svg += _arrow(x, y, relative_force)
    document_svg += _candy(x, y, lab_setting.grades[document_index])
    document_svg += text(lab_setting.names[document_index], x, y + 27)
    document_svg += text(present_score_text, WIDTH - 4, y + 1, "value", "end")
    document_svg += text(push_text, WIDTH - 4, y + 18, "label", "end")
    return document_svg


def _printed_push(walk: Walk, document_index: int) -> float:
    """The force on a document, up above 0; what is printed as 0 is 0."""
    push = -walk.present_state.grad[document_index]
    if abs(push) < LEAST_PRINTED_FORCE:
        return 0.0
    return push


def _arrow(x: float, y: float, relative_force: float) -> str:
    if relative_force == 0:
        return ""
    x_direction = -1
    css_class = "push-down"
    if relative_force > 0:
        x_direction = 1
        css_class = "push-up"
    begin_x = x + x_direction * (CANDY_RADIUS + 1)
    tip_x = begin_x + x_direction * max(7.0, LONGEST_ARROW * abs(relative_force))
    arrow_head = tag("path", class_=css_class, d=f"M{tip_x:.1f} {y} l{-x_direction * 7} -5 v10 z")
    return line(css_class, begin_x, tip_x - x_direction * 5, y) + arrow_head


def _candy(x: float, y: float, grade: int) -> str:
    shell_circle = circle("candy-shell", x, y, CANDY_RADIUS)
    if not grade:
        return shell_circle + text("0", x, y + 5, "candy-grade")
    fill_circle = circle("candy-fill", x, y, CANDY_RADIUS * (grade / 4) ** 0.5)
    css_class = "candy-grade"
    if grade > 1:
        css_class = "candy-grade candy-sweet"
    return shell_circle + fill_circle + text(str(grade), x, y + 5, css_class)


def _document_words(walk: Walk, document_index: int) -> str:
    lab_setting = walk.setting
    present_state = walk.present_state
    document_name, grade = lab_setting.names[document_index], lab_setting.grades[document_index]
    place_words = f"第{present_state.ranks[document_index]}位{document_name}，甜度{grade}"
    present_score_text = score_text(present_state.scores[document_index])
    push_text = signed_force_text(-present_state.grad[document_index])
    return f"{place_words}，模型分{present_score_text}，受力{push_text}"


def score_text(score: float) -> str:
    """A score, with a true minus sign.

    >>> score_text(-0.25)
    '−0.250'
    """
    return signed_text(score, ".3f")


def signed_force_text(force: float) -> str:
    """A force with its direction: up is +.

    >>> signed_force_text(0.25), signed_force_text(-0.25), signed_force_text(-1e-12)
    ('+0.250', '−0.250', '0')
    """
    if abs(force) < LEAST_PRINTED_FORCE:
        return "0"
    return signed_text(force, "+.3f")
