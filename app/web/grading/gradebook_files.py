"""The gradebook as files: CSV for any spreadsheet, and a workbook that shows what the page shows."""

import io
from collections.abc import Sequence
from typing import Any

from app.course.cards import card_files
from app.records.grading.marks import percent, short
from app.records.grading.values import Gradebook, GradebookRow
from app.web.grading.gradebook_views import PLACES, Sort, average, band, ordered, words

FILLS = {1: "#fbe7de", 2: "#fdf3df", 3: "#f9dca8", 4: "#f2b24c"}
"""The caramel of the page; a workbook is always light."""
HEAD = ("学号", "姓名", "在不在班", "得分率", "缺交")


def head(book: Gradebook) -> list[str]:
    return [*HEAD, *(f"{one.assignment.title}（满分{short(one.total)}）" for one in book.columns)]


def csv(book: Gradebook, sort: Sort) -> str:
    """The table as CSV: marks are plain numbers, without a mark it says why."""
    return card_files.table([head(book), *(line(book, row) for row in ordered(book, sort)), foot(book)])


def line(book: Gradebook, row: GradebookRow) -> list[object]:
    pupil = row.pupil
    cells = [words(cell, column.questions)[0] for cell, column in zip(row.cells, book.columns, strict=True)]
    return [
        pupil.number, pupil.name, PLACES[pupil.place], percent(row.sum.share), row.sum.missing or "", *cells
    ]  # fmt: skip


def foot(book: Gradebook) -> list[object]:
    return ["", "班级平均", "", "", "", *(average(one) for one in book.columns)]


def workbook(book: Gradebook, sort: Sort) -> bytes:
    """The table as an Excel file: heads stay in sight, marks are numbers and wear their colour.

    What is said to a mark (迟交) stands in the format of its cell: it is read there, and the cell adds up.
    """
    import xlsxwriter  # type: ignore[import-untyped]  # slow to load, and seldom asked for

    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(out, options) as file:
        Writing(file, file.add_worksheet("成绩册")).table(book, ordered(book, sort))
    return out.getvalue()


class Writing:
    """A sheet that is being written; a format is made once for each look."""

    def __init__(self, file: Any, sheet: Any) -> None:
        self.file, self.sheet = file, sheet
        self._formats: dict[tuple[int, str], Any] = {}

    def table(self, book: Gradebook, rows: Sequence[GradebookRow]) -> None:
        bold = self.file.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1})
        for index, text in enumerate(head(book)):
            self.sheet.write_string(0, index, text, bold)
        for number, row in enumerate(rows, 1):
            self.row(number, row, book)
        self.foot(len(rows) + 1, book)
        self.sheet.freeze_panes(1, 2)
        self.sheet.set_column(0, 1, 12)
        self.sheet.set_column(2, len(HEAD) - 1, 9)
        self.sheet.set_column(len(HEAD), len(HEAD) + len(book.columns), 13)

    def row(self, number: int, row: GradebookRow, book: Gradebook) -> None:
        pupil = row.pupil
        for index, text in enumerate((pupil.number, pupil.name, PLACES[pupil.place])):
            self.sheet.write_string(number, index, text)
        if row.sum.share is not None:
            self.sheet.write_number(number, 3, row.sum.share, self.look(band(row.sum.share, 1.0), "0%"))
        if row.sum.missing:
            self.sheet.write_number(number, 4, row.sum.missing)
        for index, (cell, column) in enumerate(zip(row.cells, book.columns, strict=True), len(HEAD)):
            text, told = words(cell, column.questions)
            if cell.points is None:
                self.sheet.write_string(number, index, text, self.look(0, "@"))
            else:
                form = f'General" {told}"' if told else "General"
                look = self.look(band(cell.points, column.total), form)
                self.sheet.write_number(number, index, float(text), look)

    def foot(self, number: int, book: Gradebook) -> None:
        bold = self.file.add_format({"bold": True, "top": 1, "num_format": "0.0"})
        self.sheet.write_string(number, 1, "班级平均", bold)
        for index, column in enumerate(book.columns, len(HEAD)):
            if column.sum.mean is not None:
                self.sheet.write_number(number, index, column.sum.mean, bold)

    def look(self, shade: int, form: str) -> Any:
        if (shade, form) not in self._formats:
            fill = {"bg_color": FILLS[shade]} if shade else {"font_color": "#6a5546"}
            self._formats[shade, form] = self.file.add_format({"num_format": form, **fill})
        return self._formats[shade, form]
