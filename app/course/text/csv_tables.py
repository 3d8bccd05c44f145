"""Tables of CSV. Those of strangers are read: short ones in place, long ones in a process of their own; ours
are written for spreadsheets.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from app.course.text import csv_reader, sandbox
from app.course.text.csv_reader import CsvReading

CSV_READER = Path(csv_reader.__file__)
LONGEST_READ_IN_PLACE = 20_000
"""Characters of a table that is read in place: that takes 10 ms, whatever is in it, and a process 60 ms to
start. Two hundred students are some 6000."""
UTF8_MARK = "\ufeff"
"""By which spreadsheets know the encoding of a file."""
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for a formula at the beginning of a cell, some also in full width."""
FORMULA_SIGN = "'"
"""Before such a cell: a spreadsheet then takes it for text."""


def read(table_text: str, separator: str) -> CsvReading:
    """The rows of a table; raises `sandbox.ProgramStopped` where reading it took too much.

    >>> read("小糖;01", ";").rows
    [(1, ['小糖', '01'])]
    """
    if len(table_text) <= LONGEST_READ_IN_PLACE:
        return csv_reader.read(table_text, separator)
    reader_input = f"{separator}{table_text}".encode("utf-8", "surrogatepass")
    return CsvReading(*sandbox.json_output(CSV_READER, reader_input))


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """CSV that spreadsheets open as it is meant: with a mark of UTF-8, and no cell taken for a formula.

    >>> csv_text([["a", "=1+1", None]])
    "\\ufeffa,'=1+1,\\r\\n"
    """
    csv_file = io.StringIO()
    csv_file.write(UTF8_MARK)
    writer = csv.writer(csv_file)
    for row in rows:
        writer.writerow([_with_formula_sign(cell_value) for cell_value in row])
    return csv_file.getvalue()


def _with_formula_sign(cell_value: object) -> str:
    """A value as the text of a cell that is no formula. One that has the sign already gets another: both come
    back as they were."""
    cell = "" if cell_value is None else str(cell_value)
    if cell.lstrip(FORMULA_SIGN).startswith(FORMULA_SIGNS):
        return FORMULA_SIGN + cell
    return cell


def without_formula_sign(cell_text: str) -> str:
    """A cell as it was before `csv_text` wrote it.

    >>> without_formula_sign("'=1+1"), without_formula_sign("''=1+1"), without_formula_sign("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    if cell_text.lstrip(FORMULA_SIGN).startswith(FORMULA_SIGNS):
        return cell_text.removeprefix(FORMULA_SIGN)
    return cell_text
