"""Cells as spreadsheets and R write them: in quotes, and with a comma before the decimals."""

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


@each(
    ("text", "documents"),
    [
        ("doc;grade;score\n火锅, 特辣;3;0,9\n冒菜;2,5;-0,8", [(3, 0.9, "火锅, 特辣"), (2.5, -0.8, "冒菜")]),
        ("3;2,5;0", [(3, None, ""), (2.5, None, ""), (0, None, "")]),
        ("3,2;1,0", [(3, None, ""), (2, None, ""), (1, None, ""), (0, None, "")]),
        ("3;2;0", [(3, None, ""), (2, None, ""), (0, None, "")]),
    ],
)
def test_a_comma_between_semicolons_stands_before_decimals(
    text: str, documents: list[tuple[float, float | None, str]]
) -> None:
    """0,9 was read as two cells, and the score as 9."""
    reading = pasted_list_of(text)
    assert [tuple(document) for document in reading.documents] == documents
    assert reading.faults == ()


def test_a_list_may_end_as_a_sentence() -> None:
    assert pasted_list_of("3，2，0，1。").grades == [3, 2, 0, 1]
    assert pasted_list_of("冒菜 1。\n火锅 3。").grades == [1, 3]


@each(
    ("text", "line_number", "piece", "decimal_text"),
    [
        ("2,5", 1, "2,5", "2.5"),
        ("3,0\n2,5\n1,5", 1, "3,0", "3.0"),
        ("火锅 2,5\n冒菜 3", 1, "2,5", "2.5"),
        ("3\n2,5", 2, "2,5", "2.5"),
    ],
)
def test_a_comma_that_may_stand_before_decimals_is_said(
    text: str, line_number: int, piece: str, decimal_text: str
) -> None:
    """2,5 was two grades without a word."""
    [fault, *_] = pasted_list_of(text).faults
    assert fault.line_number == line_number
    assert fault.fault_words == f"“{piece}”读成了两个数。要是小数，写成{decimal_text}；要是两个数，中间空一格"


@each(
    "text",
    [
        *(
            "3,2,0",
            "3, 2",
            "[3,2]",
            "3，2",
            "3,2 ,1",
            "火锅,3\n冒菜,2",
            "3,0.9\n2,1",
            "grade,score\n3,9\n2,8",
        ),
        *("1,3\n2,2\n3,0\n4,1", "d1\t3\t0,9\nd2\t0\t0,8", "火锅,2,5\n冒菜,3,4"),
    ],
)
def test_other_commas_part_cells(text: str) -> None:
    assert pasted_list_of(text).faults == ()
