"""The map of knowledge points: one band a stage, what is needed first stands higher, lines lead down.

A line reaches to the next band at most, so that it can be followed. States differ in more than colour: a
dashed border for what was not met, a bar as long as how much is there, a mark for what is held.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.course.learning.figures.svg import WIDTH, drawing, tag, text, width

NODE, HIGH = 108.0, 44.0
ROW, TITLE = 66.0, 34.0
LONGEST = 100.0
"""How wide a line in a node may be."""
MARKS = {"mastered": "✓", "remembered": "★"}


@dataclass(frozen=True)
class MapNode:
    """A point as the map shows it. `needs`: where lines come from; `share` of what is wanted is there."""

    id: str
    name: str
    needs: Sequence[str]
    state: str
    share: float


Band = tuple[str, Sequence[MapNode]]


@dataclass(frozen=True)
class PlacedNode:
    """A point in the drawing: the number of its band, the middle of its box."""

    point: MapNode
    band: int
    x: float
    y: float


def draw(bands: Sequence[Band], description: str) -> str:
    """The map: bands from above to below, lines under the nodes."""
    placed: dict[str, PlacedNode] = {}
    titles = []
    y = 0.0
    for number, (title, points) in enumerate(bands):
        titles.append(text(title, 0.0, y + 16, "band", "start"))
        y += TITLE
        for row in _rows(points):
            for column, point in enumerate(row):
                x = (column + 0.5) * WIDTH / len(row)
                placed[point.id] = PlacedNode(point, number, x, y + HIGH / 2)
            y += ROW
    nodes = [placed[point.id] for _, points in bands for point in points]
    lines = []
    for node in nodes:
        needs = [placed[need] for need in node.point.needs if need in placed]
        lines += [_line(need, node) for need in needs if node.band - need.band <= 1]
    boxes = map(_box, nodes)
    return drawing("map", round(y), "知识点地图", description, *lines, *titles, *boxes)


def _rows(points: Sequence[MapNode]) -> Iterator[Sequence[MapNode]]:
    """The points of a band: each below what it needs, at most three side by side."""
    depths: dict[str, int] = {}
    for point in points:
        depths[point.id] = 1 + max((depths[need] for need in point.needs if need in depths), default=0)
    for depth in sorted(set(depths.values())):
        row = [point for point in points if depths[point.id] == depth]
        for start in range(0, len(row), 3):
            yield row[start : start + 3]


def _line(above: PlacedNode, below: PlacedNode) -> str:
    """A curve from the lower edge of one box to the upper edge of the other."""
    start, end = above.y + HIGH / 2, below.y - HIGH / 2
    bend = min(26.0, (end - start) / 2)
    path = f"M{above.x:.0f} {start:.0f} C{above.x:.0f} {start + bend:.0f}"
    path += f" {below.x:.0f} {end - bend:.0f} {below.x:.0f} {end:.0f}"
    return tag("path", class_="need", d=path)


def _box(node: PlacedNode) -> str:
    """The box of a point with its name; a bar while it is learnt, a seal once it is held."""
    point = node.point
    left = node.x - NODE / 2
    top = node.y - HIGH / 2
    parts = [tag("rect", class_=f"node node-{point.state}", x=left, y=top, width=NODE, height=HIGH, rx=12)]
    parts += _name_lines(node)
    if point.share and point.state == "learning":
        bar = (NODE - 24) * point.share
        parts.append(tag("rect", class_="node-bar", x=left + 12, y=top + HIGH - 7, width=bar, height=4, rx=2))
    if point.state in MARKS:
        seal_x = left + NODE - 4
        parts.append(tag("circle", class_="node-seal", cx=seal_x, cy=top + 3, r=9.5))
        parts.append(text(MARKS[point.state], seal_x, top + 7.5, "node-mark"))
    return tag("g", "".join(parts))


def _name_lines(node: PlacedNode) -> Iterator[str]:
    """The name of a point in the middle of its box, a little higher above a bar."""
    lines = _lines(node.point.name)
    y = node.y + 4.5 - 7.5 * (len(lines) - 1)
    if node.point.share:
        y -= 2
    for line in lines:
        yield text(line, node.x, y, "node-name")
        y += 15


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
