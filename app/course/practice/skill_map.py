"""The map of knowledge points: one band a stage, what is needed first stands higher, lines lead down.

A line reaches to the next band at most, so that it can be followed. States differ in more than colour: a
dashed border for what was not practised, a bar as long as how much is there, a mark for what is held.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.course.learning.figures.svg import WIDTH, drawing, tag, text, width

NODE, HIGH = 108.0, 44.0
ROW, TITLE = 66.0, 34.0
LONGEST = 100.0
"""How wide a line in a node may be."""
MARKS = {"mastered": "✓", "today": "今", "again": "再"}


@dataclass(frozen=True)
class MapNode:
    """A point as the map shows it. `needs`: where lines come from; `share` of what is wanted is there."""

    id: str
    name: str
    needs: Sequence[str]
    state: str
    share: float


Band = tuple[str, Sequence[MapNode]]


def draw(bands: Sequence[Band], description: str) -> str:
    """The map: bands from above to below, lines under the nodes."""
    places, titles, height = _placed(bands)
    points = [point for _, found in bands for point in found]
    band = {point.id: number for number, (_, found) in enumerate(bands) for point in found}
    pairs = [(need, point.id) for point in points for need in point.needs if need in band]
    near = [(need, name) for need, name in pairs if band[name] - band[need] <= 1]
    lines = "".join(_line(places[need], places[name]) for need, name in near)
    nodes = "".join(_node(point, *places[point.id]) for point in points)
    heads = "".join(text(title, 0.0, y, "band", "start") for title, y in titles)
    return drawing("map", round(height), "知识点地图", description, lines, heads, nodes)


def _placed(
    bands: Sequence[Band],
) -> tuple[Mapping[str, tuple[float, float]], Sequence[tuple[str, float]], float]:
    """The middle of every node, the line of every title, the height of it all."""
    places: dict[str, tuple[float, float]] = {}
    titles: list[tuple[str, float]] = []
    y = 0.0
    for title, found in bands:
        titles.append((title, y + 16))
        y += TITLE
        for row in _rows(found):
            for number, point in enumerate(row):
                places[point.id] = ((number + 0.5) * WIDTH / len(row), y + HIGH / 2)
            y += ROW
    return places, titles, y


def _rows(found: Sequence[MapNode]) -> Iterator[Sequence[MapNode]]:
    """The points of a band: each below what it needs, at most three side by side."""
    depths: dict[str, int] = {}
    for point in found:
        depths[point.id] = 1 + max((depths[need] for need in point.needs if need in depths), default=0)
    for depth in sorted(set(depths.values())):
        row = [point for point in found if depths[point.id] == depth]
        yield from (row[start : start + 3] for start in range(0, len(row), 3))


def _line(above: tuple[float, float], below: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = above, below
    start, end = y1 + HIGH / 2, y2 - HIGH / 2
    bend = min(26.0, (end - start) / 2)
    path = f"M{x1:.0f} {start:.0f} C{x1:.0f} {start + bend:.0f} {x2:.0f} {end - bend:.0f} {x2:.0f} {end:.0f}"
    return tag("path", class_="need", d=path)


def _node(point: MapNode, x: float, y: float) -> str:
    left, top = x - NODE / 2, y - HIGH / 2
    lines = _lines(point.name)
    first = y + 4.5 - 7.5 * (len(lines) - 1) - (2 if point.share else 0)
    parts = [
        tag("rect", class_=f"node node-{point.state}", x=left, y=top, width=NODE, height=HIGH, rx=12),
        *(text(line, x, first + 15 * number, "node-name") for number, line in enumerate(lines)),
    ]
    if point.share and point.state == "learning":
        bar = (NODE - 24) * point.share
        parts.append(tag("rect", class_="node-bar", x=left + 12, y=top + HIGH - 7, width=bar, height=4, rx=2))
    if mark := MARKS.get(point.state):
        parts.append(tag("circle", class_="node-seal", cx=left + NODE - 4, cy=top + 3, r=9.5))
        parts.append(text(mark, left + NODE - 4, top + 7.5, "node-mark"))
    return tag("g", "".join(parts))


def _lines(name: str) -> list[str]:
    """A name in one or two lines that fit into a node.

    >>> _lines("折损"), _lines("LambdaRank与LambdaMART")
    (['折损'], ['LambdaRank', '与LambdaMART'])
    """
    if width(name) <= LONGEST:
        return [name]
    breaks = [place for place in range(1, len(name)) if _may_break(name, place)]
    best = min(breaks, key=lambda place: max(width(name[:place]), width(name[place:])))
    return [name[:best], name[best:]]


def _may_break(name: str, place: int) -> bool:
    """Not inside a Latin word, and not before a comma."""
    return not (name[place - 1].isascii() and name[place].isascii()) and name[place] not in "、，"
