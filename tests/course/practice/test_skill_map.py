"""The map of knowledge points: everything on it, within the drawing, told without colour."""

import re

from app.course.content.skills import direct_need_ids
from app.course.practice.skill_map import MAP_WIDTH, NODE_HEIGHT, NODE_WIDTH, MapNode, draw_map
from app.course.practice.skill_states import MasteryState
from tests.published import published

COURSE = published()
STATES: tuple[MasteryState, ...] = ("new", "met", "learning", "mastered", "remembered")


def bands() -> list[tuple[str, list[MapNode]]]:
    bands_of_stages = []
    for stage in COURSE.stages:
        points = [
            point
            for name, point in COURSE.practised_skills.items()
            if COURSE.section_by_skill_id[name][0] is stage
        ]
        rows = [
            MapNode(
                entry.id, entry.name, direct_need_ids(COURSE.practised_skills, entry), STATES[number % 5], 0.5
            )
            for number, entry in enumerate(points)
        ]
        bands_of_stages.append((stage.title, rows))
    return bands_of_stages


def test_every_point_stands_on_it_with_its_whole_name() -> None:
    svg = draw_map(bands(), "说明")
    names = "".join(re.findall(r'class="node-name"[^>]*>([^<]*)<', svg))
    assert names == "".join(point.name for _, points in bands() for point in points)
    assert svg.count('class="node node-') == len(COURSE.practised_skills)
    assert svg.startswith('<svg class="chart chart-map"')
    assert "<title>知识点地图</title><desc>说明</desc>" in svg


def test_nothing_stands_outside_or_on_something_else() -> None:
    svg = draw_map(bands(), "")
    height = int(re.search(r'viewBox="0 0 300 (\d+)"', svg)[1])  # type: ignore[index]
    boxes = [
        (float(x), float(y))
        for x, y in re.findall(r'<rect class="node node-[a-z]+" x="([\d.]+)" y="([\d.]+)"', svg)
    ]
    assert all(0 <= x <= MAP_WIDTH - NODE_WIDTH and 0 <= y <= height - NODE_HEIGHT for x, y in boxes)
    seal_ends = [
        float(x) + float(r) for x, r in re.findall(r'node-seal" cx="([\d.]+)" cy="[\d.]+" r="([\d.]+)"', svg)
    ]
    assert seal_ends
    assert max(seal_ends) <= MAP_WIDTH - 1, "the line around it is within too"
    pairs = [(box, other_box) for box in boxes for other_box in boxes if box < other_box]
    assert all(
        abs(box[0] - other_box[0]) >= NODE_WIDTH or abs(box[1] - other_box[1]) >= NODE_HEIGHT
        for box, other_box in pairs
    )


def test_lines_lead_down_from_what_is_needed() -> None:
    ends = re.findall(r'class="need" d="M\d+ (\d+) C.* (\d+)"', draw_map(bands(), "").replace("/><", "/>\n<"))
    assert len(ends) > 20
    assert all(int(start) < int(end) for start, end in ends)


def test_no_line_runs_behind_a_box() -> None:
    svg = draw_map(bands(), "")
    boxes = re.findall(r'<rect class="node node-[a-z]+" x="([\d.]+)" y="([\d.]+)"', svg)
    straights = re.findall(r"(\d+) (\d+) L(\d+) (\d+)", svg)
    assert straights
    for x, top, _, bottom in straights:
        for left, upper in boxes:
            is_free = not float(left) <= int(x) <= float(left) + NODE_WIDTH
            assert is_free or float(upper) + NODE_HEIGHT <= int(top) or float(upper) >= int(bottom)
    for path in re.findall(r'class="need" d="([^"]*)"', svg):
        longest = max(int(end) - int(start) for start, end in re.findall(r"(\d+) C.*? (\d+)(?= L|$)", path))
        assert longest < 3 * NODE_HEIGHT, "a curve leads from row to row"


def test_a_long_word_is_squeezed_into_its_box() -> None:
    squeezed = re.findall(r'textLength="(\d+)"[^>]*>([^<]*)<', draw_map(bands(), ""))
    assert squeezed == [("84", "与LambdaMART")]


def test_a_box_leads_to_its_row_in_the_list() -> None:
    links = re.findall(r'<a href="#point-([a-z0-9-]+)" tabindex="-1">', draw_map(bands(), ""))
    assert links == list(COURSE.practised_skills)


def test_states_differ_in_more_than_colour() -> None:
    svg = draw_map([("一", [MapNode(state, "折损", (), state, 0.5) for state in STATES])], "")
    assert re.findall(r'class="node-mark"[^>]*>(.)<', svg) == ["✓", "★"]
    assert svg.count('class="node-bar"') == 1
