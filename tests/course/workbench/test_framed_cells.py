"""Lists in other brackets than Python's, and tables in Markdown."""

from app.course.workbench.pasting import pasted_list_of
from tests.tables import each


@each("text", ["(3, 2, 0)", "（3，2，0）", "［3，2，0］", "【3、2、0】", "{3,2,0}", "(3, 2, 0),"])
def test_any_brackets_may_stand_around_a_row(text: str) -> None:
    reading = pasted_list_of(text)
    assert reading.grades == [3, 2, 0]
    assert reading.faults == ()


@each("text", ["(特辣) 火锅 3", "火锅（特辣） 3", "（3"])
def test_other_brackets_are_letters(text: str) -> None:
    documents = pasted_list_of(text).documents
    assert all(document.title for document in documents)


@each(
    "text",
    [
        "| 标题 | 甜度 | 分数 |\n| --- | :---: | ---: |\n| 大理 古城 | 3 | 0.9 |\n| 冒菜 | - | 0.8 |",
        "|doc|rel|score|\n|---|---|---|\n|大理 古城|3|0.9|\n|冒菜|-|0.8|",
    ],
)
def test_a_table_in_markdown_has_its_cells_between_bars(text: str) -> None:
    reading = pasted_list_of(text)
    assert [tuple(document) for document in reading.documents] == [(3, 0.9, "大理 古城"), (None, 0.8, "冒菜")]
    assert reading.faults == ()
