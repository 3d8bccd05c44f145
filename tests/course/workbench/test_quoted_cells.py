"""Cells in quotes, as spreadsheets and R write them."""

from app.course.workbench.cells import cells_of
from app.course.workbench.pasting import pasted_list_of
from tests.tables import each


@each(
    ("text", "documents"),
    [
        ('title,grade\n"火锅, 特辣",3\n"冒""菜""",1', [(3, None, "火锅, 特辣"), (1, None, '冒"菜"')]),
        ('"","doc","grade"\n"1","a",3\n"2","b",0', [(3, None, "a"), (0, None, "b")]),
        ('"a","3","0.9"\n"b","0","0.8"', [(3, 0.9, "a"), (0, 0.8, "b")]),
        ('a,"3"\nb,"0"', [(3, None, "a"), (0, None, "b")]),
    ],
)
def test_quotes_hold_a_cell_together(text: str, documents: list[tuple[float, float | None, str]]) -> None:
    reading = pasted_list_of(text)
    assert [tuple(document) for document in reading.documents] == documents
    assert reading.faults == ()


@each(
    ("line", "cells"),
    [
        ('24" 显示器,3', ['24" 显示器', "3"]),
        ('"特辣" 火锅 3', ['"特辣"', "火锅", "3"]),
        ('"d1": 3, "d2": 0', ['"d1":', "3,", '"d2":', "0"]),
        ('"火锅, 3', ['"火锅', "3"]),
    ],
)
def test_other_quotes_are_letters(line: str, cells: list[str]) -> None:
    assert cells_of(line) == cells
