"""The lab: what an address says, two ways from one start, and drawings told in words too."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from app.course.learning.figures.svg import WIDTH, text_width
from app.course.learning.labs import drawings
from app.course.learning.labs.lambdarank import MOST_STEPS, LabSetting, fields_of_setting, read
from app.course.learning.labs.walk import Walk
from app.course.text.typed import AddressFields
from app.engine.pairwise.descent import descent
from tests.tables import each

SVG = "{http://www.w3.org/2000/svg}"
SETTINGS = st.builds(
    LabSetting,
    grades=st.lists(st.integers(0, 4), min_size=4, max_size=4),
    scores=st.lists(st.integers(-40, 40).map(lambda score: score / 4), min_size=4, max_size=4),
    sigma=st.sampled_from([0.5, 1.0, 4.0]),
    rate=st.sampled_from([0.1, 0.5, 2.0, 5.0]),
    gain=st.sampled_from(["linear", "exponential"]),
    k=st.none() | st.integers(1, 4),
    weight=st.sampled_from(["ndcg", "none"]),
    fair=st.sampled_from(["force", "rate"]),
    steps=st.integers(0, MOST_STEPS),
)
SLOWLY = settings(max_examples=40)
"""A walk of forty steps takes a while on a busy machine."""
NAMES = LabSetting(names=["麻辣烫呀", "火锅底料", "凉粉两份", "串串一把"])
BAD: dict[str, tuple[list[str], str]] = {
    "steps": (["99"], "步数（steps）要是0到40的整数；写的是“99”，先按0来。"),
    "sigma": (["甜"], "σ（sigma）要是0.01到5的数；写的是“甜”，先按1来。"),
    "rate": ([""], "学习率（rate）要是0.01到5的数；现在空着，先按0.5来。"),
    "k": (["5"], "k要是1到4的整数，或者all（全部）；写的是“5”，先按全部来。"),
    "gain": (
        ["cubic"],
        "增益（gain）要是linear（线性增益）或者exponential（指数增益）；写的是“cubic”，先按指数增益来。",
    ),
    "weight": (
        ["x"],
        "看哪一路（weight）要是ndcg（LambdaRank）或者none（只看成对）；写的是“x”，先按LambdaRank来。",
    ),
    "grades": (["1", "2", "3"], "甜度（grades）要写四个，一篇文档一个；写的是“1、2、3”，先按1、2、0、3来。"),
    "scores": (["1", "2", "3", "11"], "模型分要是−10到10的数；写的是“1、2、3、11”，先按2、1.5、1、0.5来。"),
}


@SLOWLY
@given(SETTINGS, SETTINGS)
def test_an_address_says_all_of_a_setting(setting: LabSetting, start: LabSetting) -> None:
    query: dict[str, list[str]] = {}
    for name, text in fields_of_setting(setting, start):
        query.setdefault(name, []).append(text)
    assert read(query, start).setting == setting
    assert read(query, start).fault_by_field == {}


def test_an_address_is_as_people_write_numbers() -> None:
    query: AddressFields = {"sigma": ["１．５"], "rate": ["1/2"], "scores": ["−1", "０", "2", "1。5"]}
    setting = read(query, LabSetting()).setting
    assert (setting.sigma, setting.rate, setting.scores) == (1.5, 0.5, [-1.0, 0.0, 2.0, 1.5])


@each("name", BAD)
def test_what_cannot_be_read_is_said_and_the_start_stands(name: str) -> None:
    typed, sentence = BAD[name]
    reading = read({name: typed, "steps": ["3"]} if name != "steps" else {name: typed}, LabSetting())
    assert reading.fault_by_field == {name: sentence}
    assert getattr(reading.setting, name) == getattr(LabSetting(), name)
    assert reading.setting.steps == (0 if name == "steps" else 3)


@SLOWLY
@given(st.dictionaries(st.sampled_from(sorted(BAD)), st.lists(st.text(max_size=30), max_size=5)))
def test_no_address_breaks_it(query: dict[str, list[str]]) -> None:
    with_something = {name: texts for name, texts in query.items() if texts}
    LabSetting.model_validate(read(with_something, LabSetting()).setting.model_dump())


@each("fault", [{"grades": [1, 2, 3]}, {"scores": [11, 0, 0, 0]}, {"sigma": 0}, {"k": 5}])
def test_a_start_that_cannot_be_is_refused(fault: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        LabSetting.model_validate(fault)


def test_the_chosen_way_is_the_descent_of_the_engine() -> None:
    setting = LabSetting(steps=6, k=3, sigma=2.0, gain="linear")
    expected = descent(setting.grades, setting.scores, 6, 0.5, 2.0, 3, "linear", "exact")
    assert list(Walk(setting).states_so_far) == list(expected)


@SLOWLY
@given(SETTINGS)
def test_both_ways_begin_with_the_same_force(setting: LabSetting) -> None:
    walk = Walk(setting.model_copy(update={"fair": "force", "steps": 1, "weight": "ndcg"}))
    moved = [sum(pair.force for pair in walk.states_ahead[0].pairs) * walk.setting.rate]
    moved += [sum(pair.force for pair in walk.other_states[0].pairs) * walk.pairwise_rate]
    assert moved[0] == pytest.approx(moved[1])


def test_both_ways_may_have_the_same_rate_instead() -> None:
    assert Walk(LabSetting(fair="rate")).pairwise_rate == LabSetting().rate


def test_the_first_start_shows_what_the_weight_is_for() -> None:
    """LambdaRank never falls, reaches the top, and is there before pairs alone are."""
    lambdas, alone = Walk(LabSetting(steps=10)).states_so_far, Walk(LabSetting(steps=10)).other_states
    figures = [descent_state.ndcg for descent_state in lambdas]
    assert all(after >= before for before, after in pairwise(figures))
    assert figures[8] == 1.0 > alone[8].ndcg


@each(
    ("setting", "sentence"),
    [
        (LabSetting(), "起点：NDCG是0.629。"),
        (LabSetting(steps=1), "名次没变，NDCG就一动不动"),
        (LabSetting(steps=3), "丁超过了丙，NDCG从0.629涨到0.681。"),
        (LabSetting(steps=12), "早到顶了"),
        (LabSetting(steps=40), "走满40步了"),
        (LabSetting(steps=1, weight="none"), "不问换过来值多少"),
        (LabSetting(grades=[2, 2, 2, 2]), "四篇一样甜"),
        (LabSetting(k=2), "NDCG@2能涨"),
        (LabSetting(grades=[3, 2, 1, 0]), "要是它俩对调，NDCG会跌"),
        (LabSetting(grades=[0, 0, 0, 3], scores=[1, 1, 1, 1]), "把它俩对调，NDCG能涨0.569"),
        (LabSetting(grades=[3, 0, 0, 0], scores=[1, 1, 1, 1]), "要是它俩对调，NDCG会跌0.569"),
    ],
)
def test_the_tutor_says_what_happened(setting: LabSetting, sentence: str) -> None:
    assert sentence in "".join(Walk(setting).sentences())


def test_the_tutor_looks_as_it_went() -> None:
    assert [Walk(LabSetting(steps=step)).mood for step in (0, 1, 3)] == ["thinking", "thinking", "pleased"]


@SLOWLY
@given(SETTINGS)
def test_drawings_are_well_formed_and_told_in_words(setting: LabSetting) -> None:
    walk = Walk(setting)
    assert walk.sentences()
    for svg in (drawings.ndcg_line_svg(walk), drawings.documents_svg(walk)):
        picture = ET.fromstring(svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))
        assert [child.tag for child in picture][:2] == [f"{SVG}title", f"{SVG}desc"]
        assert "nan" not in svg
        assert not re.search(r"\de[-+]\d", svg)
        for part in picture.iter():
            assert not {"style", "fill", "stroke", "id", "onclick", "href"} & set(part.keys())


@SLOWLY
@given(SETTINGS.map(lambda setting: setting.model_copy(update={"names": NAMES.names})))
def test_nothing_leaves_the_drawing(setting: LabSetting) -> None:
    for svg in (drawings.ndcg_line_svg(Walk(setting)), drawings.documents_svg(Walk(setting))):
        picture = ET.fromstring(svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))
        for part in picture.iter(f"{SVG}text"):
            x, wide = float(part.get("x", "")), text_width(part.text or "")
            left = {"start": x, "middle": x - wide / 2, "end": x - wide}[part.get("text-anchor", "")]
            assert -1 <= left <= left + wide <= WIDTH + 1, part.text
        for part in picture.iter(f"{SVG}line"):
            assert all(0 <= float(part.get(end, "")) <= WIDTH for end in ("x1", "x2"))


def test_arrows_point_where_documents_go() -> None:
    walk = Walk(LabSetting())
    svg = drawings.documents_svg(walk)
    assert svg.count('<path class="push-up"') == sum(slope < 0 for slope in walk.present_state.grad)
    assert svg.count('<path class="push-down"') == sum(slope > 0 for slope in walk.present_state.grad)
    assert "第4位丁，甜度3，模型分0.500，受力+0.392" in svg


def test_the_line_tells_both_ways() -> None:
    described = drawings.ndcg_line_svg(Walk(LabSetting(steps=4)))
    assert "LambdaRank：第0步0.629，第1步0.629，第2步0.629，第3步0.681，第4步0.759。" in described
    assert "只看成对：第0步0.629" in described
