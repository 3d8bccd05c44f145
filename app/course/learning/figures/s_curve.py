"""How surprised a model is that looks at pairs: the smooth S over the gap of two scores."""

from app.course.items.printed_figures import signed_text
from app.course.learning.figures.svg import WIDTH, circle, drawing, line, tag, text
from app.engine.pairwise import lambdarank

HEIGHT, TOP_Y, FLOOR_Y, LEFT_X, RIGHT_X = 196, 26, 150, 34, 346
FARTHEST_GAP, STRETCH_COUNT = 4, 32
"""Gaps are drawn from -4 to 4, by so many stretches of a line."""
PRINTED_GAPS = (-2, -1, 0, 1, 2)
"""Gaps whose surprise is printed."""


def draw() -> str:
    """The curve, with five gaps named."""
    corners = []
    for point_index in range(STRETCH_COUNT + 1):
        gap = FARTHEST_GAP * (2 * point_index / STRETCH_COUNT - 1)
        corners.append(f"{_x_of_gap(gap):.1f},{_y_of_share(surprise_share_of_gap(gap)):.1f}")
    dots = []
    point_clauses = []
    for gap in PRINTED_GAPS:
        printed_surprise_text = f"{surprise_share_of_gap(gap):.3f}"
        dots.append(_labelled_dot(gap, printed_surprise_text))
        point_clauses.append(f"分差{signed_text(gap)}，吃惊{printed_surprise_text}")
    curve = tag("polyline", class_="curve", points=" ".join(corners))
    shapes = [
        line("axis", LEFT_X, RIGHT_X, FLOOR_Y),
        text("1", LEFT_X - 12, TOP_Y + 5),
        text("0", LEFT_X - 12, FLOOR_Y + 5),
        curve,
        *dots,
        text("排反了", LEFT_X, HEIGHT - 6, "label", "start"),
        text("分差", WIDTH / 2, HEIGHT - 6),
        text("排对了", RIGHT_X - 40, HEIGHT - 6, "label", "start"),
    ]
    return drawing("surprise", HEIGHT, "吃惊：一条平滑的S", "；".join(point_clauses), *shapes)


def surprise_share_of_gap(gap: float) -> float:
    """The surprise of a pair: the score of the one that belongs in front is higher by `gap`.

    >>> round(surprise_share_of_gap(-1), 3), surprise_share_of_gap(0)
    (0.731, 0.5)
    """
    [only_pair] = lambdarank.pairs([1, 0], [float(gap), 0.0])
    return only_pair.rho


def _labelled_dot(gap: int, printed_surprise_text: str) -> str:
    x, y = _x_of_gap(gap), _y_of_share(surprise_share_of_gap(gap))
    label_shift = 26
    labelled_dot = circle("dot", x, y, 4) + text(signed_text(gap), x, FLOOR_Y + 18)
    return labelled_dot + text(printed_surprise_text, x + label_shift, y - 4, "value")


def _x_of_gap(gap: float) -> float:
    width_share = (gap + FARTHEST_GAP) / (2 * FARTHEST_GAP)
    return LEFT_X + width_share * (RIGHT_X - LEFT_X)


def _y_of_share(surprise_share: float) -> float:
    return FLOOR_Y - surprise_share * (FLOOR_Y - TOP_Y)
