"""Tables of strangers: read alike in place and apart, short ones quickly whatever is in them."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.course.text import csv_tables, sandbox
from app.course.text.csv_reader import MOST_CELLS, MOST_ROWS, read
from app.course.text.csv_tables import LONGEST_READ_IN_PLACE
from tests.rationed import rationed
from tests.tables import each

LISTED = "".join(f"同学{number},{number}\n" for number in range(4000))
PIECES = ["a,", "a\n", "\n", "\r", '"', '""', '"a', '"a",', '"\n"\n', ",", "a", "甜,", " ,", '","\n']


@each(
    ("table", "separator"),
    [
        ("姓名,学号\n\n小糖,01\n", ","),
        ("小糖\t01\r\n小序\t02\r\n", "\t"),
        ('"小\n糖",01\n小序,02\n', ","),
        ('小糖,"01\n小序,02\n', ","),
        ("小糖，01\n", "，"),
        ("a\ud800,b\n", ","),
        ("", ","),
        (" , \n", ","),
        (LISTED, ","),
        ("a," * 200, ","),
        ("a,b\n", '"'),
        ("a,b\n", "\n"),
    ],
)
def test_a_table_is_read_alike_wherever_it_is_read(
    table: str, separator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_tables, "LONGEST_READ_IN_PLACE", -1)
    apart = csv_tables.read(table, separator)
    monkeypatch.setattr(csv_tables, "LONGEST_READ_IN_PLACE", len(table))
    rows = [(line, cells) for line, cells in apart.rows]
    assert csv_tables.read(table, separator) == apart._replace(rows=rows)


def test_rows_that_are_too_many_are_counted_and_no_more() -> None:
    reading = read(LISTED, ",")
    assert (len(reading.rows), reading.row_count) == (MOST_ROWS, 4000)
    assert reading.rows[-1] == (MOST_ROWS, [f"同学{MOST_ROWS - 1}", f"{MOST_ROWS - 1}"])
    [(_, cells)] = read("a," * 200, ",").rows
    assert len(cells) == MOST_CELLS


def test_lines_with_nothing_in_them_are_no_rows() -> None:
    assert read("\n , \n小糖\n", ",").rows == [(3, ["小糖"])]


def test_what_is_no_separator_breaks_the_first_line() -> None:
    assert [read("a,b\n", separator).broken_line_number for separator in ("", "，，")] == [1, 1]


def test_a_long_table_meets_the_limits_of_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader that would take all memory is not asked for a short one: it is read in place."""
    reader = tmp_path / "reader.py"
    reader.write_text("b = bytearray(2**31)", encoding="utf-8")
    monkeypatch.setattr(csv_tables, "CSV_READER", reader)
    assert csv_tables.read("a" * LONGEST_READ_IN_PLACE, ",").row_count == 1
    with pytest.raises(sandbox.ProgramStopped):
        csv_tables.read("a" * (LONGEST_READ_IN_PLACE + 1), ",")


def test_no_short_table_keeps_a_thread_busy() -> None:
    """Ten of each worst kind within a second of processor time, of which they take a tenth."""
    program = f"""
import signal
from app.course.text import csv_tables
for piece in {PIECES!r}:
    print(repr(piece), flush=True)
    signal.setitimer(signal.ITIMER_VIRTUAL, 1)
    for _ in range(10):
        csv_tables.read((piece * csv_tables.LONGEST_READ_IN_PLACE)[:csv_tables.LONGEST_READ_IN_PLACE], ",")
"""
    rationed(program)


cells = st.text(st.sampled_from([csv_tables.FORMULA_SIGN, *csv_tables.FORMULA_SIGNS, "甜", "1"]), max_size=4)


@given(cells)
@example("'=1+1")
@example("''-5")
def test_a_cell_comes_back_as_it_was(cell: str) -> None:
    """Also one that begins with the sign itself, and what a spreadsheet takes for a formula after it."""
    csv_text = csv_tables.csv_text([["", cell]]).removeprefix(csv_tables.UTF8_MARK)
    [[_, written_cell]] = csv.reader(io.StringIO(csv_text, newline=""))
    assert not written_cell.startswith(csv_tables.FORMULA_SIGNS)
    assert csv_tables.without_formula_sign(written_cell) == cell
