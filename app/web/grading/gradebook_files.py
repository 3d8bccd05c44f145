"""The gradebook as files: CSV for any spreadsheet, and a workbook that shows what the page shows."""

import io
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from starlette.responses import Response

from app.course.text import csv_tables
from app.records.classes.roster_columns import AVERAGES_NAME, MEMBERSHIP_HEADING
from app.records.grading.marks import percent_text, shown_points_text
from app.records.grading.totals import gradebook_totals
from app.records.grading.totals.weighted_marks import counted_weights
from app.records.grading.values import Gradebook, GradebookCell, GradebookColumn, GradebookRow
from app.web.classes.classrooms import CLASSROOM_ADDRESS, ClassDep, ClassRequest
from app.web.grading import total_formulas
from app.web.grading.gradebook import (
    WORD_BY_MEMBERSHIP,
    SortOrder,
    average_text,
    is_unscored,
    load_gradebook,
    order_rows,
    shade_of,
    sort_of,
    word_and_note,
)
from app.web.site.responses import attachment_header
from app.web.site.routing import LazyRouter

router = LazyRouter()
MEDIA_TYPE_BY_SUFFIX = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

COLOUR_BY_SHADE = {1: "#fbe7de", 2: "#fdf3df", 3: "#f9dca8", 4: "#f2b24c"}
"""The caramel of the page; a workbook is always light."""
FIRST_HEADINGS = ("学号", "姓名", MEMBERSHIP_HEADING, "得分率", "缺交")
LAST_HEADINGS = ("总评", "座号")


@router.get(CLASSROOM_ADDRESS + "/gradebook.csv")
async def download_csv(request: ClassDep, sort: str = "") -> Response:
    """For any spreadsheet, in the order of the page."""
    class_gradebook = await load_gradebook(request)
    file_body = gradebook_csv(class_gradebook, sort_of(sort, class_gradebook))
    return file_response(request, class_gradebook, "csv", file_body)


@router.get(CLASSROOM_ADDRESS + "/gradebook.xlsx")
async def download_workbook(request: ClassDep, sort: str = "") -> Response:
    """For Excel, with its colours; written off the event loop, for it takes a while."""
    class_gradebook = await load_gradebook(request)
    file_body = await request.site.off_loop.run(
        gradebook_workbook, class_gradebook, sort_of(sort, class_gradebook)
    )
    return file_response(request, class_gradebook, "xlsx", file_body)


def file_response(
    request: ClassRequest, class_gradebook: Gradebook, suffix: str, file_body: str | bytes
) -> Response:
    """The file, under a name with class and day; old browsers take the plain one."""
    download_day = request.now.astimezone(ZoneInfo(request.site.settings.time_zone)).date()
    file_name = f"{class_gradebook.classroom.name}成绩册{download_day}.{suffix}"
    disposition = attachment_header(file_name, f"gradebook-{class_gradebook.classroom.id}.{suffix}")
    headers = {"Content-Disposition": disposition}
    return Response(file_body, media_type=MEDIA_TYPE_BY_SUFFIX[suffix], headers=headers)


def gradebook_csv(class_gradebook: Gradebook, sort_order: SortOrder) -> str:
    """The table as CSV: marks are plain numbers; without a mark stands why."""
    csv_rows = [
        csv_row(class_gradebook, student_row) for student_row in order_rows(class_gradebook, sort_order)
    ]
    return csv_tables.csv_text([headings(class_gradebook), *csv_rows, averages_row(class_gradebook)])


def headings(class_gradebook: Gradebook) -> list[str]:
    column_titles = [f"{column.title}（满分{column.full_marks_text}）" for column in class_gradebook.columns]
    return [*FIRST_HEADINGS, *column_titles, *last_headings(class_gradebook)]


def last_headings(class_gradebook: Gradebook) -> list[str]:
    """What stands behind the marks; the group last, where the class has groups."""
    if class_gradebook.groups:
        return [*LAST_HEADINGS, "小组"]
    return list(LAST_HEADINGS)


def group_name(class_gradebook: Gradebook, student_row: GradebookRow) -> str:
    """The group of a student; nothing where they are in none."""
    name_by_group_id = {class_group.id: class_group.name for class_group in class_gradebook.groups}
    return name_by_group_id.get(student_row.student.group_id or 0, "")


def csv_row(class_gradebook: Gradebook, student_row: GradebookRow) -> list[object]:
    gradebook_student = student_row.student
    row_values: list[object] = [
        gradebook_student.student_number,
        gradebook_student.name,
        WORD_BY_MEMBERSHIP[gradebook_student.membership],
    ]
    row_values += [percent_text(student_row.mark_sum.earned_share), student_row.mark_sum.missing_count or ""]
    for cell, column in zip(student_row.cells, class_gradebook.columns, strict=True):
        row_values.append(word_and_note(cell, column.question_count, column.full_marks)[0])
    total_text = ""
    if student_row.total_of_hundred is not None:
        total_text = shown_points_text(student_row.total_of_hundred)
    row_values += [total_text, gradebook_student.seat or ""]
    if class_gradebook.groups:
        row_values.append(group_name(class_gradebook, student_row))
    return row_values


def averages_row(class_gradebook: Gradebook) -> list[object]:
    return [
        "",
        AVERAGES_NAME,
        "",
        "",
        "",
        *map(average_text, class_gradebook.columns),
        *("" for _ in last_headings(class_gradebook)),
    ]


def gradebook_workbook(class_gradebook: Gradebook, sort_order: SortOrder) -> bytes:
    """The table as an Excel file: heads stay in sight, marks are numbers and wear their colour.

    The note to a mark (迟交) stands in the format of its cell: it is read there, and the cell adds up.
    """
    import xlsxwriter  # type: ignore[import-untyped]  # slow to load, and seldom asked for

    file_buffer = io.BytesIO()
    workbook_options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(file_buffer, workbook_options) as workbook:
        SheetWriter(workbook, class_gradebook).write(order_rows(class_gradebook, sort_order))
    return file_buffer.getvalue()


class SheetWriter:
    """Writes the table into a sheet; a format is made once for each combination of colour and digits."""

    def __init__(self, workbook: Any, class_gradebook: Gradebook) -> None:
        self.workbook = workbook
        self.book = class_gradebook
        self.sheet = workbook.add_worksheet(total_formulas.MARKS_SHEET)
        self.total_format = workbook.add_format({"bold": True, "num_format": "0.0"})
        self.weights_sheet: Any = None
        if total_formulas.drops_any(class_gradebook.total_rules):
            self.weights_sheet = workbook.add_worksheet(total_formulas.WEIGHTS_SHEET)
        self._format_by_shade_and_number_format: dict[tuple[int, str], Any] = {}

    def write(self, gradebook_rows: Sequence[GradebookRow]) -> None:
        head_format = self.workbook.add_format(
            {"bold": True, "text_wrap": True, "valign": "top", "bottom": 1}
        )
        for column_index, heading in enumerate(headings(self.book)):
            self.sheet.write_string(0, column_index, heading, head_format)
            if self.weights_sheet is not None and len(FIRST_HEADINGS) <= column_index < len(
                FIRST_HEADINGS
            ) + len(self.book.columns):
                self.weights_sheet.write_string(0, column_index, heading, head_format)
        if self.weights_sheet is not None:
            self.weights_sheet.write_string(0, 1, "算进总评的分量", head_format)
        for row_index, student_row in enumerate(gradebook_rows, 1):
            self.write_row(row_index, student_row)
        self.write_foot(len(gradebook_rows) + 1)
        self.sheet.freeze_panes(1, 2)
        self.sheet.set_column(0, 1, 12)
        self.sheet.set_column(2, len(FIRST_HEADINGS) - 1, 9)
        self.sheet.set_column(len(FIRST_HEADINGS), len(FIRST_HEADINGS) + len(self.book.columns) + 1, 13)

    def write_row(self, row_index: int, student_row: GradebookRow) -> None:
        gradebook_student = student_row.student
        earned_share = student_row.mark_sum.earned_share
        for column_index, cell_text in enumerate(
            (
                gradebook_student.student_number,
                gradebook_student.name,
                WORD_BY_MEMBERSHIP[gradebook_student.membership],
            )
        ):
            self.sheet.write_string(row_index, column_index, cell_text)
        if earned_share is not None:
            self.sheet.write_number(
                row_index, 3, earned_share, self.cell_format(shade_of(earned_share, 1.0), "0%")
            )
        if student_row.mark_sum.missing_count:
            self.sheet.write_number(row_index, 4, student_row.mark_sum.missing_count)
        for column_index, cell in enumerate(student_row.cells):
            self.write_cell(
                row_index, column_index + len(FIRST_HEADINGS), cell, self.book.columns[column_index]
            )
        self.write_total(row_index, student_row)
        if gradebook_student.seat is not None:
            self.sheet.write_number(
                row_index, len(FIRST_HEADINGS) + len(student_row.cells) + 1, gradebook_student.seat
            )
        if self.book.groups:
            group_column_index = len(FIRST_HEADINGS) + len(student_row.cells) + 2
            self.sheet.write_string(row_index, group_column_index, group_name(self.book, student_row))

    def write_total(self, row_index: int, student_row: GradebookRow) -> None:
        """总评 as a formula with its value: many programs show what is stored, and compute nothing."""
        from xlsxwriter.utility import xl_rowcol_to_cell  # type: ignore[import-untyped]

        columns = self.book.columns
        mark_addresses = [
            xl_rowcol_to_cell(row_index, len(FIRST_HEADINGS) + column_index)
            for column_index in range(len(columns))
        ]
        excel_formula = total_formulas.excel_formula(
            self.book.total_rules, columns, student_row, mark_addresses
        )
        if self.weights_sheet is not None:
            self.write_weights(row_index, student_row, mark_addresses)
        row_and_column = (row_index, len(FIRST_HEADINGS) + len(columns))
        stored_total: float | str = ""
        if student_row.total_of_hundred is not None:
            stored_total = student_row.total_of_hundred
        if excel_formula:
            self.sheet.write_formula(*row_and_column, excel_formula, self.total_format, stored_total)
        elif student_row.total_of_hundred is not None:
            self.sheet.write_number(*row_and_column, student_row.total_of_hundred, self.total_format)

    def write_weights(self, row_index: int, student_row: GradebookRow, mark_addresses: Sequence[str]) -> None:
        """What each mark weighs once the lowest are left out, as formulas on the sheet of their own."""
        total_rules, columns = self.book.total_rules, self.book.columns
        weight_formulas = total_formulas.weight_formulas(total_rules, columns, student_row, mark_addresses)
        weights = counted_weights(gradebook_totals.total_marks(student_row.cells, columns), total_rules)
        self.weights_sheet.write_string(row_index, 1, student_row.student.name)
        for column_index, (formula, weight) in enumerate(
            zip(weight_formulas, weights, strict=True), len(FIRST_HEADINGS)
        ):
            if formula:
                self.weights_sheet.write_formula(row_index, column_index, formula, None, weight)
            else:
                self.weights_sheet.write_number(row_index, column_index, weight)

    def write_cell(
        self, row_index: int, column_index: int, gradebook_cell: GradebookCell, column: GradebookColumn
    ) -> None:
        cell_text, cell_note = word_and_note(gradebook_cell, column.question_count, column.full_marks)
        if gradebook_cell.points is None or is_unscored(gradebook_cell, column.full_marks):
            self.sheet.write_string(row_index, column_index, cell_text, self.cell_format(0, "@"))
            return
        number_format = "General"
        if cell_note:
            number_format = f'General" {cell_note}"'
        shade = shade_of(gradebook_cell.points, column.full_marks)
        self.sheet.write_number(
            row_index, column_index, float(cell_text), self.cell_format(shade, number_format)
        )

    def write_foot(self, row_index: int) -> None:
        foot_format = self.workbook.add_format({"bold": True, "top": 1, "num_format": "0.0"})
        self.sheet.write_string(row_index, 1, AVERAGES_NAME, foot_format)
        for column_index, column in enumerate(self.book.columns, len(FIRST_HEADINGS)):
            if column.mark_sum.mean is not None:
                self.sheet.write_number(row_index, column_index, column.mark_sum.mean, foot_format)

    def cell_format(self, shade: int, number_format: str) -> Any:
        """The format of a cell, `shade` 0 (no mark) to 4."""
        shade_and_number_format = (shade, number_format)
        if shade_and_number_format not in self._format_by_shade_and_number_format:
            colour_options = {"font_color": "#6a5546"}
            if shade:
                colour_options = {"bg_color": COLOUR_BY_SHADE[shade]}
            self._format_by_shade_and_number_format[shade_and_number_format] = self.workbook.add_format(
                {"num_format": number_format, **colour_options}
            )
        return self._format_by_shade_and_number_format[shade_and_number_format]
