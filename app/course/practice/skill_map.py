"""The map of knowledge points: one band a stage, what is needed first stands higher, lines lead down.

A line reaches to the next band at most, and keeps to the lanes between the boxes, so that it can be followed.
A box leads to its row in the list, where state and next step are said. States differ in more than colour: a
dashed border for what was not met, a bar as long as how much is there, a mark for what is held.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.course.learning.figures.svg import drawing, tag, text, width

UNITS = 300
"""How wide the map is drawn: on the narrowest phone a unit is a pixel, and names can be read."""
NODE, HIGH = 92.0, 42.0
ROW, TITLE = 62.0, 32.0
LONGEST_LINE = 80.0
"""How wide a line in a node may be; a word that is wider, and cannot be broken, is squeezed."""
LANES = (100.0, 200.0, 150.0)
"""Where a line may pass a row: between its boxes, whether it has one, two or three."""
CLEAR = 3.0
MARKS = {"mastered": "✓", "remembered": "★"}


@dataclass(frozen=True)
class MapNode:
    """A point as the map shows it. `needs`: where lines come from; `share` of what is wanted is there."""

    id: str
    name: str
    needs: Sequence[str]
    state: str
    share: float


Point = tuple[float, float]
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
    placed_nodes: dict[str, PlacedNode] = {}
    titles = []
    y = 0.0
    for row_index, (title, points) in enumerate(bands):
        titles.append(text(title, 0.0, y + 16, "band", "start"))
        y += TITLE
        for row in _rows(points):
            for column, skill in enumerate(row):
                x = (column + 0.5) * UNITS / len(row)
                placed_nodes[skill.id] = PlacedNode(skill, row_index, x, y + HIGH / 2)
            y += ROW
    nodes: list[PlacedNode] = []
    for _, points in bands:
        nodes += [placed_nodes[skill.id] for skill in points]
    lines = []
    for node in nodes:
        for skill_id in node.point.needs:
            needed_node = placed_nodes.get(skill_id)
            if needed_node and node.band - needed_node.band <= 1:
                lines.append(_line(needed_node, node, nodes))
    boxes = map(_box, nodes)
    parts = [*lines, *titles, *boxes]
    return drawing("map", round(y), "知识点地图", description, *parts, units=UNITS, role="group")


def _rows(points: Sequence[MapNode]) -> Iterator[Sequence[MapNode]]:
    """The points of a band: each below what it needs, at most three side by side."""
    depths: dict[str, int] = {}
    for skill in points:
        depths[skill.id] = 1 + max((depths[need] for need in skill.needs if need in depths), default=0)
    for depth in sorted(set(depths.values())):
        row = [skill for skill in points if depths[skill.id] == depth]
        for start in range(0, len(row), 3):
            yield row[start : start + 3]


def _line(upper_node: PlacedNode, lower_node: PlacedNode, nodes: Sequence[PlacedNode]) -> str:
    """A way from the lower edge of one box to the upper edge of the other, beside the boxes between them."""
    begin = (upper_node.x, upper_node.y + HIGH / 2)
    end = (lower_node.x, lower_node.y - HIGH / 2)
    passed_nodes = [node for node in nodes if upper_node.y < node.y < lower_node.y]
    path = f"M{upper_node.x:.0f} {begin[1]:.0f}"
    if passed_nodes:
        lane = _lane(upper_node, lower_node, passed_nodes)
        enter = (lane, min(node.y for node in passed_nodes) - HIGH / 2)
        leave = (lane, max(node.y for node in passed_nodes) + HIGH / 2)
        path += f"{_curve(begin, enter)} L{lane:.0f} {leave[1]:.0f}{_curve(leave, end)}"
    else:
        path += _curve(begin, end)
    return tag("path", class_="need", d=path)


def _lane(upper_node: PlacedNode, lower_node: PlacedNode, passed_nodes: Sequence[PlacedNode]) -> float:
    """Where a line passes these boxes, as near to its ends as it can; at the rim where no lane is free."""
    free_lanes = [lane for lane in (upper_node.x, lower_node.x, *LANES) if _is_free(lane, passed_nodes)]
    return min(
        free_lanes, key=lambda lane: abs(lane - upper_node.x) + abs(lane - lower_node.x), default=CLEAR
    )


def _is_free(lane: float, passed: Sequence[PlacedNode]) -> bool:
    return all(abs(node.x - lane) >= NODE / 2 + CLEAR for node in passed)


def _curve(begin: Point, end: Point) -> str:
    """From a point down to another, upright at both ends."""
    bend = min(26.0, (end[1] - begin[1]) / 2)
    return (
        f" C{begin[0]:.0f} {begin[1] + bend:.0f} {end[0]:.0f} {end[1] - bend:.0f} {end[0]:.0f} {end[1]:.0f}"
    )


def _box(node: PlacedNode) -> str:
    """The box of a point with its name; a bar while it is learnt, a seal once it is held."""
    point = node.point
    left_edge = node.x - NODE / 2
    top = node.y - HIGH / 2
    parts = [
        tag("rect", class_=f"node node-{point.state}", x=left_edge, y=top, width=NODE, height=HIGH, rx=12)
    ]
    parts += _name_lines(node)
    if point.share and point.state == "learning":
        bar = (NODE - 24) * point.share
        parts.append(
            tag("rect", class_="node-bar", x=left_edge + 12, y=top + HIGH - 7, width=bar, height=4, rx=2)
        )
    if point.state in MARKS:
        seal_x = left_edge + NODE - 4
        parts.append(tag("circle", class_="node-seal", cx=seal_x, cy=top + 3, r=9.5))
        parts.append(text(MARKS[point.state], seal_x, top + 7.5, "node-mark"))
    return tag("a", "".join(parts), href=f"#point-{point.id}", tabindex=-1)


def _name_lines(node: PlacedNode) -> Iterator[str]:
    """The name of a point in the middle of its box, a little higher above a bar."""
    lines = _lines(node.point.name)
    y = node.y + 4.5 - 7.5 * (len(lines) - 1)
    if node.point.share:
        y -= 2
    for line in lines:
        squeezed_width = None
        if width(line) > LONGEST_LINE:
            squeezed_width = NODE - 8
        yield text(line, node.x, y, "node-name", squeezed_width=squeezed_width)
        y += 15


def _lines(name: str) -> list[str]:
    """A name in one or two lines that fit into a node.

    >>> _lines("折损"), _lines("LambdaRank与LambdaMART")
    (['折损'], ['LambdaRank', '与LambdaMART'])
    """
    if width(name) <= LONGEST_LINE:
        return [name]
    breaks = [index for index in range(1, len(name)) if _may_break(name, index)]
    best_break = min(breaks, key=lambda index: max(width(name[:index]), width(name[index:])))
    return [name[:best_break], name[best_break:]]


def _may_break(name: str, index: int) -> bool:
    """Not inside a Latin word, and not before a comma."""
    return not (name[index - 1].isascii() and name[index].isascii()) and name[index] not in "、，"
