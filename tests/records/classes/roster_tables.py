"""Rosters as files."""

import io
import zipfile
from collections.abc import Sequence

import xlsxwriter  # type: ignore[import-untyped]

ROWS = [["学号", "姓名"], ["2026010001", "王小明"], ["2026010002", "欧阳娜娜"], ["2026010003", "𠮷野"]]


def csv_text(rows: list[list[str]] = ROWS, mark: str = ",", end: str = "\r\n") -> str:
    return end.join(mark.join(cells) for cells in rows) + end


def workbook(rows: Sequence[Sequence[object]], sheets: int = 1) -> bytes:
    """A file as Excel writes it: numbers are numbers, the first sheets may be empty."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True, "default_date_format": "yyyy-mm-dd"}) as book:
        for number in range(sheets):
            sheet = book.add_worksheet()
            for line, cells in enumerate(rows if number == sheets - 1 else []):
                sheet.write_row(line, 0, cells)
    return out.getvalue()


def sheet(cells: str, copies: int = 0) -> bytes:
    """A workbook with this in its one sheet, and so many files more."""
    out = io.BytesIO()
    head = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    with (
        zipfile.ZipFile(io.BytesIO(workbook([["姓名"]]))) as good,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        for name in good.namelist():
            content = good.read(name)
            if name == "xl/worksheets/sheet1.xml":
                content = f"{head}{cells}</sheetData></worksheet>".encode()
            packed.writestr(name, content)
        for number in range(copies):
            packed.writestr(f"xl/more{number}.xml", b"")
    return out.getvalue()
