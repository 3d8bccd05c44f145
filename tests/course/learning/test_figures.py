"""Figures: well-formed, told in words too, themed by classes alone, with the numbers of the engine."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from app.course.items.examples import Document, Example
from app.course.learning import figures
from app.course.learning.figures import contributions
from app.course.learning.figures.svg import WIDTH, text_width
from app.engine import ndcg
from tests.tables import each

SVG = "{http://www.w3.org/2000/svg}"
LISTS: dict[str, list[float | None]] = {
    "four": [1, 3, 2, 0],
    "one": [3],
    "one of nothing": [0],
    "nothing": [0, 0, 0],
    "all the same": [2, 2, 2],
    "unjudged": [None, 3, None],
    "twelve": [3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2],
    "worst order": [0, 0, 0, 3],
    "large": [30, 0.5, 12.25],
}
NAMES = ["contributions", "candy_row", "range", "discount_curve", "stairs", "s_curve", "click_models"]
CASES = [pytest.param(name, one, id=f"{name}-{one}") for name in NAMES for one in LISTS]


def example(name: str, **more: object) -> Example:
    documents = [Document(title="一篇", grade=grade) for grade in LISTS[name]]
    return Example.model_validate({"title": "<一排> & 糖", "documents": documents, **more})


def svg_tree(svg: str) -> ET.Element:
    return ET.fromstring(svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in svg_tree(svg).iter(f"{SVG}text")]


@each(("name", "drawing"), CASES)
def test_a_figure_is_well_formed_and_told_in_words(name: str, drawing: str) -> None:
    picture = svg_tree(figures.draw(name, example(drawing)))
    assert picture.get("role") == "img"
    assert [child.tag for child in picture][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert all(picture[place].text for place in (0, 1))


@each(("name", "drawing"), CASES)
def test_a_figure_has_classes_and_no_style(name: str, drawing: str) -> None:
    for part in svg_tree(figures.draw(name, example(drawing))).iter():
        assert not {"style", "fill", "stroke", "id", "onclick", "href"} & set(part.keys())
        if part.tag.removeprefix(SVG) not in ("title", "desc"):
            assert part.get("class")


@each(("name", "drawing"), CASES)
def test_every_number_in_a_drawing_is_a_number(name: str, drawing: str) -> None:
    svg = figures.draw(name, example(drawing))
    assert "nan" not in svg
    assert "inf" not in svg
    assert not re.search(r"\de[-+]\d", svg)


@each(("name", "drawing"), CASES)
def test_texts_stay_inside_the_drawing_and_apart(name: str, drawing: str) -> None:
    """Measured by the width of letters as the stylesheet sets them; a little tolerance for thin ones."""
    rows: dict[str, list[tuple[float, float]]] = {}
    for part in svg_tree(figures.draw(name, example(drawing))).iter(f"{SVG}text"):
        x, wide = float(part.get("x", "")), text_width(part.text or "")
        left = x if part.get("text-anchor") == "start" else x - wide / 2
        assert left >= -1, part.text
        assert left + wide <= WIDTH + 1, part.text
        rows.setdefault(f"{part.get('y')} {part.get('class')}", []).append((left, left + wide))
    for spans in rows.values():
        spans.sort()
        for (_, end), (begin, _) in pairwise(spans):
            assert end <= begin + 4


def test_what_an_author_writes_is_escaped() -> None:
    assert "&lt;一排&gt; &amp; 糖" in figures.draw("candy_row", example("four"))


def test_contributions_print_the_terms_of_the_engine() -> None:
    worked_example = example("four")
    svg = figures.draw("contributions", worked_example)
    assert [text for text in texts(svg) if "." in text] == [
        f"{term.value:.2f}" for term in worked_example.trace.terms
    ]
    described = svg_tree(svg)[1].text or ""
    system, ideal = "第1位1.00；第2位1.89；第3位1.00；第4位0.00", "第1位3.00；第2位1.26；第3位0.50；第4位0.00"
    assert described == f"系统：{system}。理想：{ideal}。"


@each(("opened", "ideal"), [(0, 0), (1, 0), (4, 0), (4, 2), (None, None)])
def test_contributions_grow_as_terms_are_opened(opened: int | None, ideal: int | None) -> None:
    picture = svg_tree(contributions.draw(example("four"), opened, ideal))
    bars = [bar.get("class") for bar in picture.iter(f"{SVG}rect") if bar.get("y") != "176"]
    assert bars.count("bar-own") == (4 if opened is None else opened)
    assert bars.count("bar-ideal") == (4 if ideal is None else ideal)
    if opened == 0:
        assert picture[1].text == "系统：还没翻开。理想：还没翻开。"


def test_what_is_not_open_yet_is_not_told() -> None:
    svg = contributions.draw(example("four"), 1, 0)
    assert "1.89" not in svg
    assert "3.00" not in svg


def test_bars_are_as_high_as_their_terms() -> None:
    worked_example = example("four")
    bars = [
        bar
        for bar in svg_tree(figures.draw("contributions", worked_example)).iter(f"{SVG}rect")
        if bar.get("y") != "176"
    ]
    heights = [float(bar.get("height", "")) for bar in bars if bar.get("class") == "bar-own"]
    values = [term.value for term in worked_example.trace.terms]
    assert heights[1] / heights[0] == pytest.approx(values[1] / values[0], abs=0.01)
    assert heights[3] == 0


def test_contributions_with_a_pool_larger_than_the_list() -> None:
    svg = figures.draw("contributions", example("four", k=6, pool=[1, 3, 2, 0, 3, 3]))
    assert "第6位" in texts(svg)


def test_the_range_prints_what_the_engine_says() -> None:
    worked_example = example("four")
    spread = worked_example.range
    assert {
        f"最差 {spread.worst:.3f}",
        f"乱排平均 {spread.mean:.3f}",
        f"这个系统 {worked_example.trace.ndcg:.3f}",
    } <= set(texts(figures.draw("range", worked_example)))


def test_the_curve_prints_the_weights_and_needs_no_example() -> None:
    svg = figures.draw("discount_curve", None)
    assert [text for text in texts(svg) if "." in text] == ["1.00", "0.63", "0.50", "0.43", "0.39", "0.29"]
    assert "第10位0.289" in (svg_tree(svg)[1].text or "")


def test_a_row_of_candies_names_each_grade() -> None:
    svg = figures.draw("candy_row", example("unjudged"))
    assert [text for text in texts(svg) if not text.startswith("第")] == ["？", "3", "？"]
    assert svg_tree(svg)[1].text == "第1位甜度？，第2位甜度3，第3位甜度？"


def test_twelve_candies_do_not_touch() -> None:
    circles = list(svg_tree(figures.draw("candy_row", example("twelve"))).iter(f"{SVG}circle"))
    shells = sorted(
        float(path_element.get("cx", ""))
        for path_element in circles
        if path_element.get("class") == "candy-shell"
    )
    radius = float(circles[0].get("r", ""))
    wings = [
        path_element.get("d", "")
        for path_element in svg_tree(figures.draw("candy_row", example("twelve"))).iter(f"{SVG}path")
    ]
    wing = float(re.findall(r"l-([\d.]+)", wings[0])[0])
    assert shells[1] - shells[0] >= 2 * (radius + wing) - 0.5


def test_a_figure_without_its_example_is_refused() -> None:
    with pytest.raises(ValueError, match="candy_row"):
        figures.draw("candy_row", None)


def test_the_stairs_stand_where_the_engine_has_them() -> None:
    svg = figures.draw("stairs", example("four"))
    printed = [text for text in texts(svg) if re.fullmatch(r"0\.\d{3}", text)]
    orders = [[1, 2, 0, 3], [1, 2, 3, 0], [1, 3, 2, 0], [3, 1, 2, 0]]
    assert printed == [f"{ndcg(order):.3f}" for order in orders]
    described = svg_tree(svg)[1].text or ""
    assert "B的模型分从低到高：−1到0，排第4位" in described
    assert "3到4，排第1位" in described


def test_the_sweetest_document_moves_and_its_neighbours_are_named() -> None:
    named = [text for text in texts(figures.draw("stairs", example("four"))) if text in "ABCD"]
    assert sorted(named) == ["A", "C", "D"]


def test_a_list_of_equals_is_one_level() -> None:
    printed = [text for text in texts(figures.draw("stairs", example("all the same"))) if "." in text]
    assert set(printed) == {"1.000", "0.9"}


def test_the_s_prints_the_surprise_of_five_gaps() -> None:
    printed = [text for text in texts(figures.draw("s_curve", None)) if "." in text]
    assert printed == ["0.881", "0.731", "0.500", "0.269", "0.119"]


def test_two_of_three_readers_read_on_where_the_first_result_turns_poor() -> None:
    """By hand: one half clicks what it sees; in the third model one half of those is satisfied."""
    svg = figures.draw("click_models", None)
    printed = [int(text) for text in texts(svg) if text.isdecimal()]
    pairs = [tuple(printed[place : place + 2]) for place in range(0, len(printed), 2)]
    assert pairs[:5] == [(100, 100), (50, 50), (33, 33), (25, 25), (20, 20)]
    assert pairs[5:10] == [(100, 100), (50, 100), (25, 50), (13, 25), (6, 13)]
    assert pairs[10:] == [(100, 100), (75, 100), (56, 75), (42, 56), (32, 42)]
    assert "级联：点了就走，从第1位起100、50、25、13、6；第1位换成没人点的，100、100、50、25、13" in svg
