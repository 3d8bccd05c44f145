"""指标段位: bands of sources, and one's own list as it is typed."""

import pytest

from app import engine
from app.course.learning.figures import range as ruler
from app.course.reference.bands import BandTable, OwnList, UnusableList, read_own_list
from tests.course.small import FILES, faults, parsed
from tests.tables import each

BANDS = """\
- source: 老书
  measure: NDCG@10
  rows:
    - {low: 0.9, high: 1.0, stars: 5, said: 很好}
    - {high: 0.9, stars: 1, said: 不好}
  remark: 那壶茶排到最差也有{{ tea.worst | 2 }}。
"""


def with_bands(text: str = BANDS) -> dict[str, str]:
    return {**FILES, "bands.yaml": text}


@each(
    ("typed", "grades"),
    [
        ("4 1 3 4 0", [4, 1, 3, 4, 0]),
        ("4,1,3", [4, 1, 3]),
        ("４，１、３；０", [4, 1, 3, 0]),
        ("  [4, 1, 3]  ", [4, 1, 3]),
        ("3 ? 1", [3, None, 1]),
        ("3 未标注 ？ -", [3, None, None, None]),
        ("2.5 1。5", [2.5, 1.5]),
        ("3\n2\n1", [3, 2, 1]),
        ("0", [0]),
    ],
)
def test_grades_are_read_as_people_write_them(typed: str, grades: list[float | None]) -> None:
    assert read_own_list(typed).grades == grades


@each(
    ("field", "typed", "message"),
    [
        ("grades", "", "还没写甜度。从第1位写起"),
        ("grades", "  ，  ", "还没写甜度"),
        ("grades", "4 甜 3", "认不出“甜”"),
        ("grades", "4 <script> 3", "认不出“<script>”"),
        ("grades", "3 -1", "“-1”不像甜度"),
        ("grades", "41340", "“41340”不像甜度：写0到30之间的数，数与数之间空开"),
        ("grades", "1 " * 51, "最多写50个甜度，这里有51个"),
        ("k", "0", "“0”不能当k"),
        ("k", "三", "“三”不能当k"),
        ("k", "2.5", "“2.5”不能当k"),
        ("k", "99999", "“99999”不能当k"),
        ("more", "3 x", "认不出“x”"),
    ],
)
def test_what_cannot_be_read_is_told_where_it_stands(field: str, typed: str, message: str) -> None:
    with pytest.raises(UnusableList, match=message.replace("?", r"\?")) as refused:
        read_own_list(**{"grades": "3 2 1", field: typed})
    assert refused.value.field == field


def test_the_rest_of_the_form() -> None:
    own = read_own_list("3 0", k="２", gain="exponential", more="2")
    assert (own.k, own.gain, own.pool) == (2, "exponential", [3, 0, 2])
    assert read_own_list("3 0", gain="cubic").gain == "linear"
    assert read_own_list("3 0").pool is None
    assert "线性增益" in read_own_list("3 0").convention_words


def test_the_four_numbers_are_the_engine_s() -> None:
    own = OwnList([4, 1, 3, 4, 0], 5)
    assert own.ndcg == engine.ndcg([4, 1, 3, 4, 0], 5)
    assert own.ndcg_range == engine.ndcg_range([4, 1, 3, 4, 0], 5)
    assert not own.has_no_sweet_grade
    assert OwnList([0, None]).has_no_sweet_grade
    assert not OwnList([0], unlisted_grades=[2]).has_no_sweet_grade


def test_bands_belong_to_the_course() -> None:
    [table] = parsed(with_bands()).bands
    assert (table.source, [row.label for row in table.rows]) == ("老书", ["0.9–1.0", "0.9以下"])
    assert [table.stars(value) for value in (1.0, 0.9, 0.899, 0.0)] == [5, 5, 1, 1]
    assert parsed(FILES).bands == ()


@each(
    ("old", "new", "message"),
    [
        ("{{ tea.worst | 2 }}", "0.64", "“0.64”是手写的数字"),
        ("low: 0.9", "low: 1.9", "不能大于1"),
        ("low: 0.9, high: 1.0", "low: 0.9, high: 0.5", "low不能大于high"),
        ("source: 老书", "sauce: 老书", "没有这个字段，可能拼错了"),
    ],
)
def test_a_table_that_does_not_work_is_refused(old: str, new: str, message: str) -> None:
    assert any(message in line for line in faults(with_bands(BANDS.replace(old, new))))


def test_a_table_without_stars_gives_none() -> None:
    table = BandTable.model_validate(
        {"source": "书", "measure": "NDCG", "rows": [{"high": 0.8, "said": "差"}], "remark": "好。"}
    )
    assert table.stars(0.5) is None


@each("edges", [(), (0.6, 0.7, 0.8, 0.9)])
def test_the_ruler_is_drawn_for_any_list(edges: tuple[float, ...]) -> None:
    own = OwnList([1, 0], 2, unlisted_grades=[3, 2])
    svg = ruler.draw_ruler("尺子", own.ndcg_range, own.ndcg, "我", edges)
    assert f"我 {own.ndcg:.3f}" in svg
    assert f"最好 {own.ndcg_range.best:.3f}" in svg, "a best below 1 is marked"
    assert svg.count('class="axis"') == 1 + len(edges)
    assert "最好 1.000" not in ruler.draw_ruler("尺子", engine.ndcg_range([1, 0]), 1.0, "我")
