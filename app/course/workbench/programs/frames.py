"""Tables as data frames print and keep them: polars, DuckDB, psql, R; JSON of pandas, by columns and split.

A printed table becomes one that is drawn with `|`; a kept one becomes lines under a header.
"""

import re
from collections.abc import Iterator

from app.course.workbench.documents import column_index_by_role_of
from app.course.workbench.programs.dictionaries import QUOTED_STRING, unquoted_text

_DRAWN_LINE_PATTERN = re.compile(r"^[ \t]*[\u2500-\u257f].*$", re.MULTILINE)
_PLAIN_DRAWING = {
    **dict.fromkeys(range(0x2500, 0x2580), "+"),
    **dict.fromkeys(map(ord, "─━═"), "-"),
    **dict.fromkeys(map(ord, "│┃┆┇┊┋║"), "|"),
}
_VECTOR_PATTERN = re.compile(r"(?<![\w.])c\(([^()\[\]]*+)\)")
"""A vector of R."""
_TUPLE_PATTERN = re.compile(r"(?<==)(\s{0,9})\(([-+0-9.,eE\s]*+)\)")
_WHOLE_NUMBER_OF_R_PATTERN = re.compile(r"(?<![\w.])([0-9]{1,9})L(?!\w)")
_SIZE_LINE_PATTERN = re.compile(
    r"shape: \([0-9, _]{1,30}\)|Series: '.{0,80}' \[\w{1,20}\]|# A tibble: .{1,30}"
    r"|[0-9]{1,9}-element Vector\{\w{1,20}\}:|\([0-9]{1,9} rows?\)"
)
_TYPE_PATTERN = re.compile(
    r"<[a-z]{3,9}>|str|cat|enum|bool(?:ean)?|varchar|date|double|(?:big)?int|integer"
    r"|(?:[uif]|u?int|float)[0-9]{1,3}"
)
_COLUMN_PATTERN = re.compile(
    rf"(?P<key>{QUOTED_STRING})\s*+:\s*+\{{(?P<entries>(?:[^{{}}\"']|{QUOTED_STRING})*+)\}}"
)
"""A heading, and under it the cells of a column by the index of their row."""
_INDEXED_CELL_PATTERN = re.compile(
    rf"(?P<index>{QUOTED_STRING}|[0-9]{{1,9}})\s*+:\s*+(?P<text>{QUOTED_STRING}|[^\[{{,}}\s]++)"
)
_STRINGS = rf"\s*+:\s*+\[(?P<strings>(?:\s*+{QUOTED_STRING}\s*+,?)++)\]"
_HEADINGS_PATTERN = re.compile(rf"[\"']columns[\"']{_STRINGS}")
_INDEX_PATTERN = re.compile(rf"[\"']index[\"']{_STRINGS}")
_ROWS_PATTERN = re.compile(r"[\"']data[\"']\s*+:\s*+\[")
_ROW_PATTERN = re.compile(rf"[\s,]*+\[(?P<cells>(?:[^\[\]\"']|{QUOTED_STRING})*+)\]")
_CELL_PATTERN = re.compile(rf"{QUOTED_STRING}|[^\s,]++")
_SERIES_PATTERN = re.compile(rf"\s*+\{{(?P<entries>(?:[^{{}}\"']|{QUOTED_STRING})*+)\}}\s*+")

Column = dict[str, tuple[int, str]]
"""By the index of a row: where its cell begins in the text, and what stands in it."""
StartAndCells = tuple[int, list[str]]
"""Where a row begins in the text, and its cells."""
Table = tuple[list[str], list[StartAndCells]]
"""Headings, and the rows under them."""
HEADING_OF_INDEX, HEADING_OF_SERIES = "doc", "rel"


def plain_text(pasted_text: str) -> str:
    """The text with drawn tables in plain signs, and with tuples and vectors of R as lists; its lines stay.

    >>> plain_text("│ d1  ┆ 3     │\\n╞═════╪═══════╡"), plain_text("rel <- c(3L, 2L)")
    ('| d1  | 3     |\\n+-----+-------+', 'rel = [3, 2]')
    """
    pasted_text = _DRAWN_LINE_PATTERN.sub(
        lambda line_match: line_match[0].translate(_PLAIN_DRAWING), pasted_text
    )
    pasted_text = _TUPLE_PATTERN.sub(r"\1[\2]", pasted_text)
    pasted_text, vector_count = _VECTOR_PATTERN.subn(r"[\1]", pasted_text)
    if vector_count:
        pasted_text = _WHOLE_NUMBER_OF_R_PATTERN.sub(r"\1", pasted_text).replace("<-", "=")
    return pasted_text


def is_remark_on_table(line: str) -> bool:
    """Whether a line says of what size a table is, or of which types its columns are.

    >>> [*map(is_remark_on_table, ("shape: (3, 2)", "| str | i64 |", "<chr>  <dbl>"))]
    [True, True, True]
    >>> [*map(is_remark_on_table, ("| str | 3 |", "str date", "-"))]
    [False, False, False]
    """
    if _SIZE_LINE_PATTERN.fullmatch(line):
        return True
    if not line.startswith(("|", "<")):
        return False
    cells = line.replace("|", " ").split()
    return bool(cells) and all(map(_TYPE_PATTERN.fullmatch, cells))


def numbered_table_lines_of(pasted_text: str) -> list[tuple[int, str]]:
    """The table of a text that keeps it by columns, or its headings and its rows apart, as numbered lines
    after its header; nothing for a text without grades in such a table.

    >>> numbered_table_lines_of("{'doc': {0: 'd1', 1: 'd2'}, 'rel': {0: 3, 1: None}}")
    [(1, 'doc\\trel'), (1, 'd1\\t3'), (1, 'd2\\tNone')]
    >>> numbered_table_lines_of('{"columns": ["doc", "rel"], "index": [0],\\n "data": [["d1", 3]]}')
    [(1, 'doc\\trel'), (2, 'd1\\t3')]
    >>> numbered_table_lines_of('{"0": 3, "1": 0}')
    [(1, 'rel'), (1, '3'), (1, '0')]
    """
    headings_and_rows = (
        _split_table_of(pasted_text) or _table_of_columns(pasted_text) or _series_of(pasted_text)
    )
    if headings_and_rows is None or "grade" not in column_index_by_role_of(headings_and_rows[0]):
        return []
    headings, starts_and_cells = headings_and_rows
    numbered_lines = [(1, "\t".join(headings))]
    line_number, former_start_index = 1, 0
    for start_index, cells in starts_and_cells:
        line_number += pasted_text.count("\n", former_start_index, start_index)
        former_start_index = start_index
        numbered_lines.append((line_number, "\t".join(cells)))
    return numbered_lines


def _split_table_of(pasted_text: str) -> Table | None:
    """The table of `{"columns": […], "index": […], "data": [[…], …]}`; names in its index are documents."""
    headings = _strings_of(_HEADINGS_PATTERN, pasted_text)
    rows_match = _ROWS_PATTERN.search(pasted_text)
    if not headings or rows_match is None:
        return None
    starts_and_cells = [*_starts_and_cells_from(pasted_text, rows_match.end())]
    index_names = _strings_of(_INDEX_PATTERN, pasted_text)
    if len(index_names) == len(starts_and_cells) and "title" not in column_index_by_role_of(headings):
        headings = [*headings, HEADING_OF_INDEX]
        starts_and_cells = [
            (start_index, [*cells, index_name])
            for (start_index, cells), index_name in zip(starts_and_cells, index_names, strict=True)
        ]
    return headings, starts_and_cells


def _strings_of(pattern: re.Pattern[str], pasted_text: str) -> list[str]:
    strings_match = pattern.search(pasted_text)
    if strings_match is None:
        return []
    return [unquoted_text(string) for string in _CELL_PATTERN.findall(strings_match["strings"])]


def _starts_and_cells_from(pasted_text: str, start_index: int) -> Iterator[StartAndCells]:
    """The lists that follow each other from there on."""
    while row_match := _ROW_PATTERN.match(pasted_text, start_index):
        yield (
            row_match.start("cells"),
            [unquoted_text(cell) for cell in _CELL_PATTERN.findall(row_match["cells"])],
        )
        start_index = row_match.end()


def _table_of_columns(pasted_text: str) -> Table | None:
    """The table of `{"doc": {"0": "d1"}, "rel": {"0": 3}}`; names in its index are documents."""
    column_by_heading: dict[str, Column] = {}
    for column_match in _COLUMN_PATTERN.finditer(pasted_text):
        column_by_heading.setdefault(unquoted_text(column_match["key"]), _matched_column(column_match))
    headings = [*column_by_heading]
    column_index_by_role = column_index_by_role_of(headings)
    if "grade" not in column_index_by_role:
        return None
    grade_column = column_by_heading[headings[column_index_by_role["grade"]]]
    if "title" not in column_index_by_role and not all(row_name.isdecimal() for row_name in grade_column):
        column_by_heading[HEADING_OF_INDEX] = {
            row_name: (start_index, row_name) for row_name, (start_index, _) in grade_column.items()
        }
    starts_and_cells = []
    for row_name, (start_index, _) in grade_column.items():
        cells = [column.get(row_name, (start_index, ""))[1] for column in column_by_heading.values()]
        starts_and_cells.append((start_index, cells))
    return [*column_by_heading], starts_and_cells


def _series_of(pasted_text: str) -> Table | None:
    """The grades of `{"0": 3, "1": 0}`, counted from 0 on."""
    series_match = _SERIES_PATTERN.fullmatch(pasted_text)
    if series_match is None:
        return None
    series_column = _matched_column(series_match)
    if len(series_column) < 2 or [*series_column] != [f"{number}" for number in range(len(series_column))]:
        return None
    return [HEADING_OF_SERIES], [(start_index, [cell]) for start_index, cell in series_column.values()]


def _matched_column(column_match: re.Match[str]) -> Column:
    """The cells of a column by their index."""
    cell_matches = _INDEXED_CELL_PATTERN.finditer(column_match.string, *column_match.span("entries"))
    return {
        unquoted_text(cell_match["index"]): (cell_match.start(), unquoted_text(cell_match["text"]))
        for cell_match in cell_matches
    }
