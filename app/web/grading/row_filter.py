"""Which rows of the gradebook are shown: found by name or number, or by what is missing or failed."""

from typing import Literal, NamedTuple
from urllib.parse import urlencode

from app.course.text.typed import name_key
from app.records.classes.groups import known_group_id
from app.records.grading.marks import is_passing_mark
from app.records.grading.values import Gradebook, GradebookCell, GradebookColumn, GradebookRow

CaseFilter = Literal["", "missing", "failed"]
WORDS_BY_CASE: dict[CaseFilter, str] = {"": "全班", "missing": "没交的", "failed": "没过的"}
LONGEST_SEARCH_TEXT = 40


class RowFilter(NamedTuple):
    """What a teacher looks for: `search_text` in names and numbers; `case`: those with something missing or
    failed, in the column with that key, or in any; the students of one group."""

    search_text: str = ""
    case: CaseFilter = ""
    column_key: str = ""
    group_id: int | None = None

    @property
    def is_set(self) -> bool:
        return bool(self.search_text or self.case or self.group_id)

    @property
    def query_part(self) -> str:
        """The filter as addresses carry it on; empty where there is none.

        >>> RowFilter("小 糖", "missing").query_part, RowFilter(column_key="7").query_part
        ('&q=%E5%B0%8F+%E7%B3%96&only=missing', '')
        """
        if not self.is_set:
            return ""
        value_by_field = {
            "q": self.search_text,
            "only": self.case,
            "work": self.column_key,
            "group": self.group_id,
        }
        filter_fields = {
            field_name: field_text for field_name, field_text in value_by_field.items() if field_text
        }
        return f"&{urlencode(filter_fields)}"

    def rows(self, class_gradebook: Gradebook) -> list[GradebookRow]:
        """The rows that are looked for, in their order."""
        rows_of_group = [
            student_row
            for student_row in class_gradebook.rows
            if self.group_id in (None, student_row.student.group_id)
        ]
        return [
            student_row
            for student_row in rows_of_group
            if self.has_text(student_row) and self.has_cell_of_case(student_row, class_gradebook)
        ]

    def has_text(self, student_row: GradebookRow) -> bool:
        """Whether name or 学号 have the text somewhere; 座号 as a whole."""
        search_key = name_key(self.search_text)
        gradebook_student = student_row.student
        is_seat_searched = gradebook_student.seat is not None and str(
            gradebook_student.seat
        ) == search_key.removesuffix("号")
        return (
            search_key in name_key(gradebook_student.name)
            or search_key in name_key(gradebook_student.student_number)
            or is_seat_searched
        )

    def has_cell_of_case(self, student_row: GradebookRow, class_gradebook: Gradebook) -> bool:
        """Whether something is missing or failed, where that is looked for."""
        if not self.case:
            return True
        for cell, column in zip(student_row.cells, class_gradebook.columns, strict=True):
            if self.column_key in ("", column.key) and self.is_of_case(cell, column):
                return True
        return False

    def is_of_case(self, gradebook_cell: GradebookCell, column: GradebookColumn) -> bool:
        if self.case == "missing":
            return gradebook_cell.is_absent and gradebook_cell.points is None
        return gradebook_cell.points is not None and not is_passing_mark(
            gradebook_cell.points, column.full_marks
        )


def row_filter_of(
    class_gradebook: Gradebook,
    search_text: str,
    wanted_case: str,
    column_key: str,
    group_id: int | None = None,
) -> RowFilter:
    """The filter in an address; what it cannot mean is passed over."""
    known_case: CaseFilter = ""
    for offered_case in WORDS_BY_CASE:
        if wanted_case == offered_case:
            known_case = offered_case
    known_column_key = ""
    if column_key in [column.key for column in class_gradebook.columns]:
        known_column_key = column_key
    return RowFilter(
        search_text.strip()[:LONGEST_SEARCH_TEXT],
        known_case,
        known_column_key,
        known_group_id(class_gradebook.groups, group_id),
    )
