"""A table of a stranger, read row by row.

Also a program of its own, run by `app.course.text.sandbox` for long tables: the first character that comes in
is what stands between two cells, the others are the table; its rows go out as JSON. Nothing of the project is
imported.
"""

import csv
import io
import json
import sys
from typing import NamedTuple

MOST_ROWS, MOST_CELLS = 2000, 60
"""Rows that come out, and cells of a row; more are only counted."""
CsvRow = tuple[int, list[str]]
"""The line where a row begins, and its cells."""


class CsvReading(NamedTuple):
    """The first rows with something in them, and how many there are in all (`row_count`).

    `broken_line_number`: where a row begins that cannot be read to its end; 0 where all can.
    """

    rows: list[CsvRow]
    row_count: int
    broken_line_number: int = 0


def read(table_text: str, separator: str) -> CsvReading:
    """The rows of a table, or where it is broken; never raises for what is in it.

    >>> read("姓名,学号\\n\\n小糖,01\\n", ",")
    CsvReading(rows=[(1, ['姓名', '学号']), (3, ['小糖', '01'])], row_count=2, broken_line_number=0)
    >>> read('姓名\\n"小糖\\n', ",").broken_line_number
    2
    """
    csv_rows: list[CsvRow] = []
    row_count = 0
    line_number = 1
    try:
        row_reader = csv.reader(io.StringIO(table_text, newline=""), delimiter=separator, strict=True)
        for cells in row_reader:
            if any(map(str.strip, cells)):
                row_count += 1
                if row_count <= MOST_ROWS:
                    csv_rows.append((line_number, cells[:MOST_CELLS]))
            line_number = row_reader.line_num + 1
    except (csv.Error, TypeError, ValueError):  # the last two: no separator that Python takes for one
        return CsvReading([], row_count, line_number)
    return CsvReading(csv_rows, row_count)


if __name__ == "__main__":
    reader_input = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
    sys.stdout.write(json.dumps(read(reader_input[1:], reader_input[:1])))
