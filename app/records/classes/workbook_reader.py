"""A program of its own, run by `app.course.text.sandbox`: a workbook comes in, its lines go out as JSON.

It prints `{"lines": [[number, [cell, …]], …]}` of the first sheet with something in it, or
`{"refused": "a sentence"}`. Nothing of the project is imported, so that it starts quickly.
"""

import io
import json
import sys
import zipfile
from datetime import date, datetime
from typing import Any
from xml.parsers import expat

LARGEST_SHEET = 1_000_000
"""Places of a sheet, columns × rows up to the last one with something in it: the library builds them all."""
MOST_ROWS, MOST_COLUMNS = 1000, 60
"""Of the sheet that is read."""
LONGEST_CELL, MOST_CHARACTERS = 4000, 1_000_000
"""Characters of a cell that are kept, and of all cells."""
PLATFORMS_WITHOUT_MEMORY_LIMIT = ("win32", "darwin")
"""Where memory has no limit. Workbooks of old are not read there: nothing in them can be looked at before."""
BROKEN_WORKBOOK_SENTENCE = "这个Excel文件打不开。有密码的先去掉密码，或者另存成CSV再试。"


class UnfitWorkbook(ValueError):
    """A workbook that is not read, with the sentence that says why."""


def lines_of_workbook(file_bytes: bytes) -> list[tuple[int, list[Any]]]:
    """The lines of the first sheet with something in it."""
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        if file_bytes.startswith(b"PK"):
            expect_small_sheets(file_bytes)
        elif sys.platform in PLATFORMS_WITHOUT_MEMORY_LIMIT:
            raise UnfitWorkbook("这里只读.xlsx和CSV：在Excel里“另存为”，选“Excel工作簿”再试。")
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(file_bytes))
        for sheet_name in workbook.sheet_names:
            sheet = workbook.get_sheet_by_name(sheet_name)
            if sheet.start is None:
                continue
            expect_size_of_list(sheet_name, sheet.height, sheet.width)
            sheet_rows = sheet.to_python(skip_empty_area=True)
            if sheet_rows:
                return filled_lines(sheet.start[0] + 1, sheet_rows)
    except (CalamineError, zipfile.BadZipFile, expat.ExpatError, OSError, NotImplementedError) as error:
        raise UnfitWorkbook(BROKEN_WORKBOOK_SENTENCE) from error
    return []


def expect_small_sheets(file_bytes: bytes) -> None:
    """UnfitWorkbook where a sheet reaches too far. All files in it are unpacked once, which also finds
    those that are larger than they say."""
    with zipfile.ZipFile(io.BytesIO(file_bytes)) as zip_archive:
        for zip_member in zip_archive.infolist():
            member_bytes = zip_archive.read(zip_member)
            if b"sheetData" in member_bytes:
                row_count, column_count = SheetExtent(member_bytes).size
                if row_count * column_count > LARGEST_SHEET:
                    raise UnfitWorkbook(
                        f"有一页写到了第{row_count}行、第{column_count}列，太远了，多半是角落里误打了一个字。"
                        "删掉它，或者把名单复制到一份新的里再试。"
                    )


class SheetExtent:
    """How far the cells of a sheet reach that are not empty. `size`: rows and columns."""

    def __init__(self, sheet_xml: bytes) -> None:
        self.row = self.column = 0
        self.size = (0, 0)
        self._is_in_cell = False
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._refuse
        parser.Parse(sheet_xml, True)

    def _start(self, qualified_tag: str, attributes: dict[str, str]) -> None:
        bare_tag = qualified_tag.rpartition(":")[2]
        if bare_tag == "row":
            self.row = _number_or_zero(attributes.get("r", "")) or self.row + 1
            self.column = 0
        elif bare_tag == "c":
            self._is_in_cell = True
            column_letters = attributes.get("r", "").rstrip("0123456789")
            self.row = _number_or_zero(attributes.get("r", "")[len(column_letters) :]) or self.row
            self.column = column_number(column_letters) or self.column + 1
        elif self._is_in_cell:
            self.size = (max(self.size[0], self.row), max(self.size[1], self.column))

    def _end(self, qualified_tag: str) -> None:
        if qualified_tag.rpartition(":")[2] == "c":
            self._is_in_cell = False

    def _refuse(self, *_: object) -> None:
        raise UnfitWorkbook(BROKEN_WORKBOOK_SENTENCE)


def _number_or_zero(digits: str) -> int:
    if digits.isdecimal():
        return int(digits[:9])
    return 0


def column_number(column_letters: str) -> int:
    """The place of a column by its letters.

    >>> column_number("A"), column_number("XFD"), column_number("")
    (1, 16384, 0)
    """
    letters_value = 0
    for letter in column_letters.upper()[:6]:
        letters_value = 26 * letters_value + ord(letter) - ord("A") + 1
    return letters_value


def expect_size_of_list(sheet_name: str, row_count: int, column_count: int) -> None:
    """UnfitWorkbook for a sheet that is no list of students."""
    if row_count > MOST_ROWS or column_count > MOST_COLUMNS:
        raise UnfitWorkbook(
            f"“{sheet_name[:20]}”这一页有{row_count}行{column_count}列，名单最多{MOST_ROWS}行{MOST_COLUMNS}列。"
            "只留名单那一块，另存一份再试。"
        )


def filled_lines(first_line_number: int, sheet_rows: list[list[Any]]) -> list[tuple[int, list[Any]]]:
    """The rows with something in them, each cell as what JSON knows."""
    sheet_lines = []
    character_count = 0
    for line_number, sheet_row in enumerate(sheet_rows, first_line_number):
        json_cells = list(map(json_value, sheet_row))
        character_count += sum(len(str(cell)) for cell in json_cells)
        if character_count > MOST_CHARACTERS:
            raise UnfitWorkbook("这个Excel文件里的字太多了。只留名单那一页，另存一份再试。")
        if any(cell != "" for cell in json_cells):
            sheet_lines.append((line_number, json_cells))
    return sheet_lines


def json_value(cell: Any) -> Any:
    """A cell as JSON can carry it: numbers as they are, all else as text, no longer than is kept of a cell.
    A date stands as Excel shows it, so that it is no 学号 that was typed with dashes.

    >>> json_value(date(2026, 9, 1)), json_value(1.5), json_value("甜")
    ('2026/9/1', 1.5, '甜')
    """
    if isinstance(cell, datetime):
        return cell.isoformat()
    if isinstance(cell, date):
        return f"{cell.year}/{cell.month}/{cell.day}"
    if isinstance(cell, bool | int | float):
        return cell
    return str(cell)[:LONGEST_CELL]


if __name__ == "__main__":
    try:
        reader_output: dict[str, Any] = {"lines": lines_of_workbook(sys.stdin.buffer.read())}
    except UnfitWorkbook as refusal:
        reader_output = {"refused": str(refusal)}
    sys.stdout.write(json.dumps(reader_output))
