"""成绩册: the table of a class. Its heat also reads without the colour, in the order that was asked for."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from app.records.grading import gradebook
from app.records.grading.mark_lists import NO_MARK_TEXT
from app.records.grading.marks import shown_points_text, unrounded_text
from app.records.grading.values import Gradebook, GradebookCell, GradebookColumn, GradebookRow
from app.web.classes.classrooms import CLASSROOM_ADDRESS, ClassDep, ClassRequest
from app.web.grading import total_formulas
from app.web.grading.row_filter import WORDS_BY_CASE, row_filter_of
from app.web.site.rendering import markup
from app.web.site.routing import LazyRouter

router = LazyRouter()
LEAST_SHARES_WITH_SHADES = ((0.9, 4), (0.75, 3), (0.6, 2), (0.0, 1))
SHADE_LEGEND = ((4, "九成以上"), (3, "七成五以上"), (2, "及格"), (1, "不到六成"))
WORD_BY_UNMARKED_STATE = {
    "exempt": "免",
    "gone": NO_MARK_TEXT,
    "soon": "没开放",
    "new": "没开始",
    "missing": "缺交",
    "done": "交了",
    "late": "迟交",
    "blank": NO_MARK_TEXT,
    "absent": "缺",
}
MOST_CELLS, FEWEST_COLUMNS = 2400, 8
"""So many cells a browser lays out at once without being slow; but so many assignments are always there."""
WORD_BY_MEMBERSHIP = {"here": "", "removed": "已移出", "moved": "已换班"}


class TypedColumn(NamedTuple):
    """A column of one's own as it was typed and refused: its title, its full marks, why, and which of the
    two has to be put right."""

    title: str = ""
    full_marks_text: str = ""
    error_sentence: str = ""
    refused_field: str = ""


NEW_COLUMN = TypedColumn(full_marks_text="100")
"""What the form of a new one says at first."""


async def load_gradebook(request: ClassRequest) -> Gradebook:
    return await request.read(gradebook.load_gradebook, request.now)


@router.get(CLASSROOM_ADDRESS + "/gradebook")
async def show(request: ClassDep) -> Response:
    """Students × assignments; `?sort=` orders the rows, `?columns=all` also shows what is long past, `?q=`,
    `?only=`, `?work=` and `?group=` leave out rows."""
    return await gradebook_page(request)


async def gradebook_page(request: ClassRequest, new_column: TypedColumn = NEW_COLUMN) -> Response:
    """The page; `new_column`: one that was refused, or the empty form."""
    class_gradebook = await load_gradebook(request)
    query = request.query
    row_filter = row_filter_of(
        class_gradebook,
        query.get("q", ""),
        query.get("only", ""),
        query.get("work", ""),
        request.query_number("group"),
    )
    sort_order = sort_of(query.get("sort", ""), class_gradebook)._replace(
        shows_all_columns=query.get("columns") == "all", filter_query=row_filter.query_part
    )
    shown_gradebook = class_gradebook._replace(rows=tuple(row_filter.rows(class_gradebook)))
    folded_column_count = 0
    if not sort_order.shows_all_columns:
        folded_column_count = count_folded_columns(class_gradebook, sort_order)
    return request.page(
        "grading/gradebook",
        title=f"{class_gradebook.classroom.name}的成绩册",
        classroom=class_gradebook.classroom,
        book=class_gradebook,
        sort=sort_order,
        columns=class_gradebook.columns[folded_column_count:],
        folded_column_count=folded_column_count,
        rows=rows_with_cells_html(shown_gradebook, sort_order, folded_column_count),
        row_filter=row_filter,
        case_words=WORDS_BY_CASE,
        membership_words=WORD_BY_MEMBERSHIP,
        shade_of=shade_of,
        average=average_text,
        formula=total_formulas.total_rule_words(class_gradebook.total_rules, class_gradebook.columns),
        uncounted=total_formulas.uncounted_titles(class_gradebook.total_rules, class_gradebook.columns),
        legend=SHADE_LEGEND,
        new_column=new_column,
        error_sentence=new_column.error_sentence,
    )


class SortOrder(NamedTuple):
    """By what the rows are sorted: `key` is roster, name, number, average, total or that of a column.

    `shows_all_columns`: whether columns that are folded otherwise stay open; `filter_query`: what the
    addresses carry on of the rows that are looked for.
    """

    key: str = "roster"
    is_descending: bool = False
    shows_all_columns: bool = False
    filter_query: str = ""

    @property
    def text(self) -> str:
        """The order as the address names it."""
        if self.is_descending:
            return f"-{self.key}"
        return self.key

    def address_sorted_by(self, column_key: str) -> str:
        """The order that a click on a head gives: marks from the best; of the present column the reverse."""
        is_descending = column_key not in ("roster", "name", "number")
        if column_key == self.key:
            is_descending = not self.is_descending
        sort_address = f"?sort={SortOrder(column_key, is_descending).text}"
        if self.shows_all_columns:
            sort_address += "&columns=all"
        return sort_address + self.filter_query

    def direction(self, column_key: str) -> Literal["ascending", "descending", "none"]:
        """The direction in which a column is sorted, for the head of the column."""
        if column_key != self.key:
            return "none"
        if self.is_descending:
            return "descending"
        return "ascending"


def sort_of(sort_text: str, class_gradebook: Gradebook) -> SortOrder:
    """The order in an address; the roster where it names no column.

    >>> sort_of("-name", Gradebook(None)), sort_of("-99", Gradebook(None)).text
    (SortOrder(key='name', is_descending=True, shows_all_columns=False, filter_query=''), 'roster')
    """
    column_key = sort_text.removeprefix("-")
    column_keys = [column.key for column in class_gradebook.columns]
    if column_key not in ("roster", "name", "number", "average", "total", *column_keys):
        return SortOrder()
    return SortOrder(column_key, sort_text.startswith("-"))


def count_folded_columns(class_gradebook: Gradebook, sort_order: SortOrder) -> int:
    """How many of the oldest assignments a large class does not show at first; none while sorted by one."""
    shown_column_count = max(FEWEST_COLUMNS, MOST_CELLS // max(len(class_gradebook.rows), 1))
    folded_column_count = max(0, len(class_gradebook.columns) - shown_column_count)
    if sort_order.key in [column.key for column in class_gradebook.columns[:folded_column_count]]:
        return 0
    return folded_column_count


def order_rows(class_gradebook: Gradebook, sort_order: SortOrder) -> Sequence[GradebookRow]:
    """The rows in an order: those without a mark last in both directions, students who left after all."""
    key_of_row = row_key_function(class_gradebook, sort_order.key)
    ordered_rows: list[GradebookRow] = []
    unmarked_rows = []
    for student_row in class_gradebook.rows:
        if key_of_row and key_of_row(student_row) is None:
            unmarked_rows.append(student_row)
        else:
            ordered_rows.append(student_row)
    if key_of_row:
        ordered_rows.sort(key=key_of_row, reverse=sort_order.is_descending)
    elif sort_order.is_descending:
        ordered_rows.reverse()
    ordered_rows += unmarked_rows
    ordered_rows.sort(key=lambda student_row: student_row.student.membership != "here")
    return ordered_rows


def row_key_function(class_gradebook: Gradebook, sort_name: str) -> Callable[[GradebookRow], Any] | None:
    """What rows are compared by; None for the order of the roster."""
    if sort_name == "roster":
        return None
    if sort_name == "name":
        # By sound, as a register is.
        return lambda student_row: student_row.student.name.encode("gb18030", "replace")
    if sort_name == "number":
        return student_number_key
    if sort_name == "average":
        return lambda student_row: student_row.mark_sum.earned_share
    if sort_name == "total":
        return lambda student_row: student_row.total_of_hundred
    column_index = [column.key for column in class_gradebook.columns].index(sort_name)
    return lambda student_row: student_row.cells[column_index].points


def student_number_key(student_row: GradebookRow) -> tuple[int, str] | None:
    """学号 as people order them: 10 after 9; None without one."""
    student_number = student_row.student.student_number
    if not student_number:
        return None
    return len(student_number), student_number


def rows_with_cells_html(
    class_gradebook: Gradebook, sort_order: SortOrder, folded_column_count: int = 0
) -> list[tuple[GradebookRow, Markup]]:
    """Every row of the table, with its cells as HTML, without those of the first `folded_column_count`
    columns.
    """
    class_url = f"/classrooms/{class_gradebook.classroom.id}"
    shown_columns = class_gradebook.columns[folded_column_count:]
    column_name_htmls = [Markup.escape(column.title) for column in shown_columns]
    rows_with_cells_html = []
    for student_row in order_rows(class_gradebook, sort_order):
        student_name_html = Markup.escape(student_row.student.distinct_name)
        shown_cells = student_row.cells[folded_column_count:]
        cells_html = ""
        for cell, column, column_name_html in zip(shown_cells, shown_columns, column_name_htmls, strict=True):
            css_class, shown_html, spoken_words, is_link = cell_look(
                cell, column.full_marks, column.question_count
            )
            if is_link:
                cell_url = class_url + cell_path(column, student_row.student.id)
                shown_html = (
                    f'<a href="{cell_url}" aria-label="{student_name_html}，{column_name_html}：'
                    f'{spoken_words}">{shown_html}</a>'
                )
            cells_html += f'<td class="{css_class}">{shown_html}</td>'
        rows_with_cells_html.append((student_row, markup(cells_html)))
    return rows_with_cells_html


def cell_path(column: GradebookColumn, enrolment_id: int) -> str:
    """Where a cell leads, within the class: to the work, or to the field where its mark is typed."""
    if column.assignment:
        return f"{column.path}/students/{enrolment_id}"
    return f"{column.path}#mark-{enrolment_id}"


def shade_of(points: float | None, full_marks: float) -> int:
    """How dark a mark is: 0 (nothing to show) to 4.

    >>> shade_of(9, 10), shade_of(0, 10), shade_of(None, 10), shade_of(0, 0)
    (4, 1, 0, 0)
    """
    if points is None or not full_marks:
        return 0
    return next(
        shade for least_share, shade in LEAST_SHARES_WITH_SHADES if points / full_marks >= least_share - 1e-9
    )


def is_unscored(gradebook_cell: GradebookCell, full_marks: float) -> bool:
    """Whether work was handed in that is worth nothing: that it is there is all there is to say of it."""
    return not full_marks and gradebook_cell.points is not None and not gradebook_cell.is_by_hand


def word_and_note(gradebook_cell: GradebookCell, question_count: int, full_marks: float) -> tuple[str, str]:
    """What stands in a cell: the mark, or how far the student is; and the note to it.

    `full_marks`: of the assignment, 0 where it is not scored.

    >>> word_and_note(GradebookCell("late", 8.5), 10, 10)
    ('8.5', '迟交')
    >>> word_and_note(GradebookCell("done", 12.25, is_typed=True), 0, 12.25)
    ('12.25', '')
    >>> word_and_note(GradebookCell("begun", None, 3), 10, 10)
    ('做到3/10题', '')
    >>> word_and_note(GradebookCell("begun", answered_count=3, is_absent=True), 10, 10)
    ('做到3/10题', '没交')
    >>> word_and_note(GradebookCell("done", 8, is_regraded=True), 10, 10)
    ('8', '改过分')
    >>> word_and_note(GradebookCell("new", 7, 0, True), 9, 9), word_and_note(GradebookCell("late", 0), 9, 0)
    (('7', '给的'), ('迟交', ''))
    >>> word_and_note(GradebookCell("done", waiting_count=2, points_so_far=6), 10, 10)
    ('待批2题', '已得6')
    """
    if is_unscored(gradebook_cell, full_marks):
        return WORD_BY_UNMARKED_STATE[gradebook_cell.state], ""
    if gradebook_cell.points is None:
        return word_and_note_of_unmarked(gradebook_cell, question_count)
    cell_notes = []
    if gradebook_cell.state == "late":
        cell_notes.append("迟交")
    elif gradebook_cell.is_collected:
        cell_notes.append("收卷")
    is_handed_in = gradebook_cell.state in ("done", "late")
    if gradebook_cell.is_regraded or (gradebook_cell.is_by_hand and is_handed_in):
        cell_notes.append("改过分")
    elif gradebook_cell.is_by_hand:  # nothing was handed in here: there was no mark to change
        cell_notes.append("给的")
    mark_text = shown_points_text(gradebook_cell.points)
    if gradebook_cell.is_typed:
        mark_text = unrounded_text(gradebook_cell.points)
    return mark_text, "，".join(cell_notes)


def word_and_note_of_unmarked(gradebook_cell: GradebookCell, question_count: int) -> tuple[str, str]:
    """What stands in a cell without a mark: for whom it waits, or how far the student is."""
    if gradebook_cell.waiting_count:
        return (
            f"待批{gradebook_cell.waiting_count}题",
            f"已得{shown_points_text(gradebook_cell.points_so_far)}",
        )
    if gradebook_cell.state != "begun":
        return WORD_BY_UNMARKED_STATE[gradebook_cell.state], ""
    cell_note = ""
    if gradebook_cell.is_absent:
        cell_note = "没交"
    if not question_count:
        return "做着", cell_note
    return f"做到{gradebook_cell.answered_count}/{question_count}题", cell_note


class CellLook(NamedTuple):
    """How a cell is shown, whoever the student is; `spoken_words`: in the name of its link, which by itself
    would read 7.5."""

    css_class: str
    shown_html: str
    spoken_words: str
    is_link: bool = True


@lru_cache(4096)
def cell_look(gradebook_cell: GradebookCell, full_marks: float, question_count: int) -> CellLook:
    """The same for many students; a cell of a student who is exempt or gone leads nowhere."""
    shown_word, cell_note = word_and_note(gradebook_cell, question_count, full_marks)
    css_class = f"heat b{shade_of(gradebook_cell.points, full_marks)}"
    if gradebook_cell.points is None:
        css_class += f" is-{gradebook_cell.state}"
        if gradebook_cell.state in ("exempt", "gone") and not gradebook_cell.is_by_hand:
            return CellLook(css_class, shown_word, shown_word, is_link=False)
    if not cell_note:
        return CellLook(css_class, shown_word, shown_word)
    return CellLook(css_class, f"{shown_word}<small>{cell_note}</small>", f"{shown_word}，{cell_note}")


def average_text(column: GradebookColumn) -> str:
    """The mean mark of the class at an assignment."""
    mean_mark = column.mark_sum.mean
    if mean_mark is not None:
        return shown_points_text(mean_mark)
    return NO_MARK_TEXT
