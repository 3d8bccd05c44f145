"""The map of knowledge points: one band a stage, what is needed first stands higher, lines lead down.

A line reaches to the next band at most, and keeps to the lanes between the boxes, so that it can be followed.
A box leads to its row in the list, where state and next step are said. States differ in more than colour: a
dashed border for what was not met, a bar as long as how much is there, a mark for what is held.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.course.learning.figures.svg import drawing, tag, text, text_width
from app.course.practice.skill_states import MasteryState

MAP_WIDTH = 300
"""How wide the map is drawn: on the narrowest phone a unit is a pixel, and names can be read."""
NODE_WIDTH, NODE_HEIGHT = 92.0, 42.0
ROW_HEIGHT, TITLE_HEIGHT = 62.0, 32.0
WIDEST_LINE = 80.0
"""How wide a line in a node may be; a word that is wider, and cannot be broken, is squeezed."""
LANE_POSITIONS = (100.0, 200.0, 150.0)
"""Where a line may pass a row: between its boxes, whether it has one, two or three."""
SPACE_BESIDE_NODE = 3.0
SEAL_BY_MASTERY = {"mastered": "✓", "remembered": "★"}


class MapNode(NamedTuple):
    """A point as the map shows it. `needed_skill_ids`: where lines come from; `reached_share`: how much of
    what is wanted is there."""

    id: str
    name: str
    needed_skill_ids: Sequence[str]
    mastery: MasteryState
    reached_share: float


Point = tuple[float, float]
Band = tuple[str, Sequence[MapNode]]


class PlacedNode(NamedTuple):
    """A node in the drawing: the number of its band from 0, and where the middle of its box is."""

    map_node: MapNode
    band_index: int
    x: float
    y: float


def draw_map(bands: Sequence[Band], description: str) -> str:
    """The map: bands from above to below, lines under the nodes."""
    node_by_id: dict[str, PlacedNode] = {}
    title_shapes = []
    y = 0.0
    for band_index, (band_title, map_nodes) in enumerate(bands):
        title_shapes.append(text(band_title, 0.0, y + 16, "band", "start"))
        y += TITLE_HEIGHT
        for node_row in _rows(map_nodes):
            for column_index, map_node in enumerate(node_row):
                x = (column_index + 0.5) * MAP_WIDTH / len(node_row)
                node_by_id[map_node.id] = PlacedNode(map_node, band_index, x, y + NODE_HEIGHT / 2)
            y += ROW_HEIGHT
    placed_nodes: list[PlacedNode] = []
    for _, map_nodes in bands:
        placed_nodes += [node_by_id[map_node.id] for map_node in map_nodes]
    connecting_lines = []
    for placed_node in placed_nodes:
        for skill_id in placed_node.map_node.needed_skill_ids:
            needed_node = node_by_id.get(skill_id)
            if needed_node and placed_node.band_index - needed_node.band_index <= 1:
                connecting_lines.append(_line(needed_node, placed_node, placed_nodes))
    boxes = map(_box, placed_nodes)
    shapes = [*connecting_lines, *title_shapes, *boxes]
    return drawing("map", round(y), "知识点地图", description, *shapes, drawing_width=MAP_WIDTH, role="group")


def _rows(map_nodes: Sequence[MapNode]) -> Iterator[Sequence[MapNode]]:
    """The points of a band: each below what it needs, at most three side by side."""
    depth_by_id: dict[str, int] = {}
    for map_node in map_nodes:
        depth_by_id[map_node.id] = 1 + max(
            (depth_by_id[needed_id] for needed_id in map_node.needed_skill_ids if needed_id in depth_by_id),
            default=0,
        )
    for depth in sorted(set(depth_by_id.values())):
        node_row = [map_node for map_node in map_nodes if depth_by_id[map_node.id] == depth]
        for start_index in range(0, len(node_row), 3):
            yield node_row[start_index : start_index + 3]


def _line(upper_node: PlacedNode, lower_node: PlacedNode, placed_nodes: Sequence[PlacedNode]) -> str:
    """A way from the lower edge of one box to the upper edge of the other, beside the boxes between them."""
    line_begin = (upper_node.x, upper_node.y + NODE_HEIGHT / 2)
    line_end = (lower_node.x, lower_node.y - NODE_HEIGHT / 2)
    passed_nodes = [
        placed_node for placed_node in placed_nodes if upper_node.y < placed_node.y < lower_node.y
    ]
    path_data = f"M{upper_node.x:.0f} {line_begin[1]:.0f}"
    if passed_nodes:
        lane_x = _lane(upper_node, lower_node, passed_nodes)
        lane_entry = (lane_x, min(placed_node.y for placed_node in passed_nodes) - NODE_HEIGHT / 2)
        lane_exit = (lane_x, max(placed_node.y for placed_node in passed_nodes) + NODE_HEIGHT / 2)
        path_data += (
            f"{_curve(line_begin, lane_entry)} L{lane_x:.0f} {lane_exit[1]:.0f}{_curve(lane_exit, line_end)}"
        )
    else:
        path_data += _curve(line_begin, line_end)
    return tag("path", class_="need", d=path_data)


def _lane(upper_node: PlacedNode, lower_node: PlacedNode, passed_nodes: Sequence[PlacedNode]) -> float:
    """Where a line passes these boxes, as near to its ends as it can; at the rim where no lane is free."""
    free_lane_xs = [
        lane_x for lane_x in (upper_node.x, lower_node.x, *LANE_POSITIONS) if _is_free(lane_x, passed_nodes)
    ]
    return min(
        free_lane_xs,
        key=lambda lane_x: abs(lane_x - upper_node.x) + abs(lane_x - lower_node.x),
        default=SPACE_BESIDE_NODE,
    )


def _is_free(lane_x: float, passed_nodes: Sequence[PlacedNode]) -> bool:
    return all(
        abs(placed_node.x - lane_x) >= NODE_WIDTH / 2 + SPACE_BESIDE_NODE for placed_node in passed_nodes
    )


def _curve(upper_point: Point, lower_point: Point) -> str:
    """From a point down to another, upright at both ends."""
    upper_x, upper_y = upper_point
    lower_x, lower_y = lower_point
    bend = min(26.0, (lower_y - upper_y) / 2)
    return (
        f" C{upper_x:.0f} {upper_y + bend:.0f} {lower_x:.0f} {lower_y - bend:.0f} {lower_x:.0f} {lower_y:.0f}"
    )


def _box(placed_node: PlacedNode) -> str:
    """The box of a point with its name; a bar while it is learnt, a seal once it is held."""
    map_node = placed_node.map_node
    left_x = placed_node.x - NODE_WIDTH / 2
    top_y = placed_node.y - NODE_HEIGHT / 2
    shapes = [
        tag(
            "rect",
            class_=f"node node-{map_node.mastery}",
            x=left_x,
            y=top_y,
            width=NODE_WIDTH,
            height=NODE_HEIGHT,
            rx=12,
        )
    ]
    shapes += _name_shapes(placed_node)
    if map_node.reached_share and map_node.mastery == "learning":
        bar_width = (NODE_WIDTH - 24) * map_node.reached_share
        shapes.append(
            tag(
                "rect",
                class_="node-bar",
                x=left_x + 12,
                y=top_y + NODE_HEIGHT - 7,
                width=bar_width,
                height=4,
                rx=2,
            )
        )
    if map_node.mastery in SEAL_BY_MASTERY:
        seal_x = left_x + NODE_WIDTH - 8
        shapes.append(tag("circle", class_="node-seal", cx=seal_x, cy=top_y + 3, r=9.5))
        shapes.append(text(SEAL_BY_MASTERY[map_node.mastery], seal_x, top_y + 7.5, "node-mark"))
    return tag("a", "".join(shapes), href=f"#point-{map_node.id}", tabindex=-1)


def _name_shapes(placed_node: PlacedNode) -> Iterator[str]:
    """The name of a point in the middle of its box, a little higher above a bar."""
    name_lines = _split_name(placed_node.map_node.name)
    y = placed_node.y + 4.5 - 7.5 * (len(name_lines) - 1)
    if placed_node.map_node.reached_share:
        y -= 2
    for name_line in name_lines:
        squeezed_width = None
        if text_width(name_line) > WIDEST_LINE:
            squeezed_width = NODE_WIDTH - 8
        yield text(name_line, placed_node.x, y, "node-name", squeezed_width=squeezed_width)
        y += 15


def _split_name(skill_name: str) -> list[str]:
    """A name in one or two lines that fit into a node.

    >>> _split_name("折损"), _split_name("LambdaRank与LambdaMART")
    (['折损'], ['LambdaRank', '与LambdaMART'])
    """
    if text_width(skill_name) <= WIDEST_LINE:
        return [skill_name]
    break_indexes = [
        character_index
        for character_index in range(1, len(skill_name))
        if _may_break(skill_name, character_index)
    ]
    best_break_index = min(
        break_indexes,
        key=lambda character_index: max(
            text_width(skill_name[:character_index]), text_width(skill_name[character_index:])
        ),
    )
    return [skill_name[:best_break_index], skill_name[best_break_index:]]


def _may_break(skill_name: str, character_index: int) -> bool:
    """Not inside a Latin word, and not before a comma."""
    return (
        not (skill_name[character_index - 1].isascii() and skill_name[character_index].isascii())
        and skill_name[character_index] not in "、，"
    )
