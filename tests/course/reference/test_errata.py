"""勘误馆: cases are parsed and checked like everything else, and every known slip has one."""

import csv
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import numpy as np

from app.course import Course, parse_course, schema_by_file
from app.course.content.model import Section
from app.course.items.kinds import Item, MultipleChoice, SingleChoice, Spot
from app.course.learning.steps import Ask
from app.course.reference.errata import Hall, case_item_id
from app.course.text.text_fields import texts_with_paths
from tests.course.small import FILES, changed, course, faults
from tests.published import published
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]
ERRATA = "errata.yaml"

COURSE = published()
with (ROOT / "tests/data/errata_rows.csv").open(encoding="utf-8") as _file:
    ROWS = list(csv.DictReader(_file))


def test_the_item_of_a_case_is_one_of_the_course() -> None:
    item = course().items["errata-slip"]
    assert item.stem == "0.4哪里不对？"
    assert course().mark("content:errata-slip", 0, ["half"]).verdict == "right"
    assert course().case_id_by_item_id == {"errata-slip": "slip"}
    assert course().version_hash_and_body("content:errata-slip")


def test_its_figures_are_computed_and_its_published_ones_may_stand() -> None:
    [first, _] = course().errata["slip"].truth
    assert "第3位的折损是0.50。" in course().html(first)
    missing = changed(ERRATA, '    published: {第3位: "0.4"}\n', "")
    assert "errata.yaml:12: cases.slip.item.stem: “0.4”是手写的数字" in faults(missing)[0]


def test_a_course_needs_no_errata() -> None:
    without = parse_course({name: text for name, text in FILES.items() if name != ERRATA})
    assert isinstance(without, Course)
    assert without.errata == {}


@each(
    ("old", "new", "expected"),
    [
        ("    hall: print", "    hall: attic", "6: cases.slip.hall: 只能是"),
        ("    source: 小笔记\n", "", "4: cases.slip.source: 缺少这一项"),
        ("    keep: 先加1，再取对数。", "    keeps: 先加1。", "4: cases.slip.keep: 缺少这一项"),
        ("skill: dcg", "skill: dgc", "12: cases.slip.item.skill: skills.yaml里没有知识点“dgc”"),
        ("kind: single", "kind: riddle", "10: cases.slip.item: 没有“riddle”这一种"),
        ("      hints: [名次", "      id: slip\n      hints: [名次", "19: cases.slip.item.id: 不用写id"),
        ("      hints: [名次加1是几？]", "      twin: gone", "19: cases.slip.item.twin: 没有叫“gone”的题目"),
        ("  err-half:", "  half:", "2: values.half: 别的阶段已经有叫“half”的数了"),
        ("    keep:", "    goes_on_from: gone\n    keep:", "23: cases.slip.goes_on_from: 没有叫“gone”的案子"),
        (
            "    keep:",
            "    goes_on_from: slip\n    keep:",
            "23: cases.slip.goes_on_from: 从“slip”接下来又接回它自己，谁也读不到它",
        ),
        ("{{ err-half | 2 }}", "0.5", "21: cases.slip.truth.0: “0.5”是手写的数字"),
    ],
)
def test_a_slip_in_the_errata_is_told_where_it_stands(old: str, new: str, expected: str) -> None:
    assert faults(changed(ERRATA, old, new))[0].startswith(f"{ERRATA}:{expected}")


def test_a_case_and_an_item_may_not_share_an_id() -> None:
    files = dict(FILES)
    files["01-first/items.yaml"] = FILES["01-first/items.yaml"].replace("sort:", "errata-slip:")
    files["01-first/lesson.yaml"] = FILES["01-first/lesson.yaml"].replace("item: sort", "item: errata-slip")
    assert faults(files)[0].startswith(f"{ERRATA}:10: cases.slip.item: 这个id在01-first/items.yaml第")


def test_editors_know_the_errata() -> None:
    [of_cases] = schema_by_file()[ERRATA]["properties"]["cases"]["patternProperties"].values()
    assert of_cases["$ref"].endswith("/Case")


@each("row", ROWS)
def test_every_mistake_of_the_sources_has_its_case(row: dict[str, str]) -> None:
    assert COURSE.errata[row["case"]].source == row["source"]
    assert COURSE.errata[row["case"]].hall == "print"


def test_no_case_of_the_sources_is_without_a_row() -> None:
    printed = {name for name, case in COURSE.errata.items() if case.hall == "print"}
    assert printed == {row["case"] for row in ROWS}


def test_there_are_cases_of_every_hall_and_items_of_several_kinds() -> None:
    assert len(COURSE.errata) >= 65
    assert {case.hall for case in COURSE.errata.values()} == set(get_args(Hall))
    assert {"spot", "single", "numeric"} <= {case.item.kind for case in COURSE.errata.values()}


def test_what_was_shipped_hangs_first_and_what_was_printed_last() -> None:
    halls = [case.hall for case in COURSE.errata.values()]
    assert list(dict.fromkeys(halls)) == ["software", "convention", "print"]
    assert halls == sorted(halls, key=["software", "convention", "print"].index)


@each("name", [name for name, case in COURSE.errata.items() if case.hall != "print"])
def test_what_was_shipped_or_agreed_can_be_read_in_public_and_says_what_followed(name: str) -> None:
    case = COURSE.errata[name]
    assert case.links
    assert case.followed


def test_the_small_integers_of_pandas_are_those_of_the_case() -> None:
    """What its thread prints comes from turning unsigned numbers round, as the case says."""
    values = np.array([0, 0, 0, 100, 1000, 10000, 100], dtype=np.uint32)
    largest = values[np.argsort(-values, kind="stable")][:5]
    printed = "、".join(str(value) for value in largest)
    assert f"得到{printed}。" in (COURSE.errata["tiny-integers"].followed or "")


def test_the_reversed_rows_of_lightgbm_stand_as_in_the_issue() -> None:
    """The issue draws its labels from NumPy's seed 10: written forward they are 0, 0, 1, 0, 1."""
    generator = np.random.RandomState(10)
    generator.random_sample((10, 2))
    generator.random_sample((5, 2))
    generator.choice([0, 1], 10)
    forward = generator.choice([0, 1], 5).tolist()
    case = COURSE.errata["rows-reversed"]
    told = [COURSE.html(line) for line in case.truth[:2]]
    assert case.published
    for line, grades, name in zip(told, [forward, forward[::-1]], ["正着写", "倒着写"], strict=True):
        assert "、".join(map(str, grades)) in line
        assert case.published[name] in line


def test_a_lone_three_prints_six_hundredths_for_as_many_in_the_pool_as_the_case_says() -> None:
    counts = []
    for count in range(1, 100):
        ideal_sum = math.fsum(1 / math.log2(rank + 1) for rank in range(1, count + 1))
        if f"{1 / ideal_sum:.2f}" == "0.06":
            counts.append(count)
    assert (counts[0], counts[-1]) == (65, 82)
    assert any("六十五到八十二颗3" in line for line in COURSE.errata["one-list-three-scores"].truth)


def test_what_three_of_one_candy_come_to_is_rounded_and_not_cut() -> None:
    ratio = (1 + 1 / math.log2(3) + 1 / 2) / (1 + 1 / math.log2(3))
    assert f"商≈{ratio:.3f}，超过了1" in COURSE.errata["prefers-duplicates"].truth[0]


def test_what_lessons_tell_already_hangs_last_in_its_hall() -> None:
    sections = {section.id for stage in COURSE.stages for section in stage.sections}
    cases = [(name, case.told_in) for name, case in COURSE.errata.items() if case.told_in]
    assert [section for _, section in cases if section not in sections] == []
    assert [name for name, _ in cases] == list(COURSE.errata)[-len(cases) :]


@each("address", ["http://example.org/1", "https://", "https://a b", "https://例子.org", "example.org/1"])
def test_a_link_is_a_whole_address(address: str) -> None:
    linked = changed(ERRATA, "    source: 小笔记\n", f"    source: 小笔记\n    links: ['{address}']\n")
    assert "links" in faults(linked)[0]


def case_item(name: str) -> Item:
    return COURSE.items[case_item_id(name)]


@each("name", sorted(COURSE.errata))
def test_a_case_helps_to_find_the_slip_and_then_tells_it(name: str) -> None:
    case, item = COURSE.errata[name], case_item(name)
    assert len(item.hints) == 2
    assert len(case.truth) >= 3
    assert not item.has_one_try_only, "one may look again"
    if isinstance(item, SingleChoice | MultipleChoice):
        feedbacks = [option.feedback for option in item.options]
    else:
        feedbacks = [line.feedback for line in item.lines] if isinstance(item, Spot) else []
    assert len(set(feedbacks)) == len(feedbacks)
    assert all(len(feedback) >= 8 for feedback in feedbacks)


@each("name", sorted(COURSE.errata))
def test_a_case_does_not_give_itself_away(name: str) -> None:
    """What is seen before answering holds neither the correction nor what to keep."""
    case, item = COURSE.errata[name], case_item(name)
    page_html = COURSE.html(case.story) + COURSE.html(item.stem)
    assert COURSE.line_html(case.keep) not in page_html
    if isinstance(item, Spot):
        assert COURSE.line_html(item.correction) not in page_html


@each("name", sorted(COURSE.errata))
def test_a_case_reads_as_chinese(name: str) -> None:
    for _, text, _ in texts_with_paths(COURSE.errata[name]):
        plain_text = re.sub(r"<code>.*?</code>|<[^>]*>", "", COURSE.html(text))
        assert not re.search(r"\*\*|\$|\{\{|`", plain_text), text
        plain = re.sub(r"\$[^$]*\$|\{\{.*?\}\}|`[^`]*`", "", text)
        assert not re.search(r"[\u4e00-\u9fff][,;:!?]", plain), text
        assert not re.search(
            r"[\u4e00-\u9fff] [A-Za-z0-9\u4e00-\u9fff]|[A-Za-z0-9] [\u4e00-\u9fff]", plain
        ), text


def test_the_lesson_that_a_case_is_told_in_prints_its_wrong_figure() -> None:
    """Where the case has a figure that a section could print, by itself or in what it asks."""
    section_by_id = {section.id: section for stage in COURSE.stages for section in stage.sections}
    silent = []
    for case_id, case in COURSE.errata.items():
        figures = [figure for figure in case.published.values() if re.fullmatch(r"[0-9]+\.[0-9]+", figure)]
        if case.told_in and figures:
            section_words = " ".join(map(str, _parts_of(section_by_id[case.told_in])))
            if not any(figure in section_words for figure in figures):
                silent.append(case_id)
    assert silent == []


def _parts_of(section: Section) -> Iterator[object]:
    """The steps of a section, and the items that they ask."""
    for step in section.steps:
        yield step
        if isinstance(step, Ask):
            yield COURSE.items[step.item]
