"""The gradebook as a table: heat that also reads without its colour, in the order that was asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from markupsafe import Markup

from app.records.grading.marks import percent, short
from app.records.grading.values import Gradebook, GradebookCell, GradebookColumn, GradebookRow

BANDS = ((0.9, 4), (0.75, 3), (0.6, 2), (0.0, 1))
LEGEND = ((4, "九成以上"), (3, "七成五以上"), (2, "及格"), (1, "不到六成"))
BLANK = {
    "exempt": "免",
    "gone": "—",
    "soon": "没开放",
    "new": "没开始",
    "missing": "缺交",
    "done": "交了",
    "late": "迟交",
}
PLACES = {"here": "", "removed": "已移出", "moved": "已换班"}


def band(points: float | None, total: float) -> int:
    """How dark a mark is: 0 (nothing to show) to 4.

    >>> band(9, 10), band(0, 10), band(None, 10), band(0, 0)
    (4, 1, 0, 0)
    """
    if points is None or not total:
        return 0
    return next(number for least, number in BANDS if points / total >= least - 1e-9)


def words(cell: GradebookCell, questions: int) -> tuple[str, str]:
    """What stands in a cell: the mark, or how far the student is; and the note to it.

    >>> words(GradebookCell("late", 8.5), 10), words(GradebookCell("begun", None, 3), 10)
    (('8.5', '迟交'), ('做到3/10题', ''))
    >>> words(GradebookCell("new", 7, 0, True), 9)
    ('7', '改过分')
    """
    if cell.points is None:
        if cell.state != "begun":
            return BLANK[cell.state], ""
        if not questions:
            return "做着", ""
        return f"做到{cell.done}/{questions}题", ""
    notes = []
    if cell.state == "late":
        notes.append("迟交")
    elif cell.collected:
        notes.append("收卷")
    if cell.by_hand:
        notes.append("改过分")
    return short(cell.points), "，".join(notes)


@lru_cache(4096)
def cell_html(cell: GradebookCell, total: float, questions: int) -> tuple[str, str]:
    """A cell before and after its address, the same for many students; without an address nothing after."""
    word, note = words(cell, questions)
    if not total and cell.points is not None and not cell.by_hand:
        word = BLANK[cell.state]  # worth nothing: that it was handed in is all there is to say
    style = f"heat b{band(cell.points, total)}"
    if cell.points is None:
        style += f" is-{cell.state}"
        if cell.state in ("exempt", "gone"):
            return f'<td class="{style}">{word}</td>', ""
    if note:
        word += f"<small>{note}</small>"
    return f'<td class="{style}"><a href="', f'">{word}</a></td>'


@dataclass(frozen=True)
class RowView:
    """A student with their share of all points and their cells as HTML."""

    row: GradebookRow
    place: str
    share: str
    band: int
    missing: int
    cells: Markup


@dataclass(frozen=True)
class Sort:
    """By what the rows are sorted: `key` is roster, name, average or the id of an assignment."""

    key: str = "roster"
    down: bool = False

    @property
    def text(self) -> str:
        """The order as the address names it."""
        if self.down:
            return f"-{self.key}"
        return self.key

    def link(self, key: str) -> str:
        """The order that a click on a head gives: marks from the best; of the present column the reverse."""
        down = key not in ("roster", "name")
        if key == self.key:
            down = not self.down
        return f"?sort={Sort(key, down).text}"

    def direction(self, key: str) -> Literal["ascending", "descending", "none"]:
        """The direction in which a column is sorted, for the head of the column."""
        if key != self.key:
            return "none"
        if self.down:
            return "descending"
        return "ascending"


def sort_of(text: str, book: Gradebook) -> Sort:
    """The order in an address; the roster where it names no column.

    >>> sort_of("-name", Gradebook(None)), sort_of("-99", Gradebook(None)).text
    (Sort(key='name', down=True), 'roster')
    """
    key = text.removeprefix("-")
    columns = [str(column.assignment.id) for column in book.columns]
    if key not in ("roster", "name", "average", *columns):
        return Sort()
    return Sort(key, text.startswith("-"))


def ordered(book: Gradebook, sort: Sort) -> Sequence[GradebookRow]:
    """The rows in an order: those without a mark last in both directions, students who left after all."""
    key = sort_key(book, sort.key)
    rows = list(book.rows)
    if key:
        unmarked = [row for row in rows if key(row) is None]
        marked = [row for row in rows if key(row) is not None]
        marked.sort(key=key, reverse=sort.down)
        rows = marked + unmarked
    elif sort.down:
        rows.reverse()
    rows.sort(key=lambda row: row.pupil.place != "here")
    return rows


def sort_key(book: Gradebook, name: str) -> Callable[[GradebookRow], Any] | None:
    """What rows are compared by; None for the order of the roster."""
    if name == "roster":
        return None
    if name == "name":
        return lambda row: row.pupil.name.encode("gb18030", "replace")  # by sound, as a register is
    if name == "average":
        return lambda row: row.sum.share
    index = [str(column.assignment.id) for column in book.columns].index(name)
    return lambda row: row.cells[index].points


def rows(book: Gradebook, sort: Sort) -> list[RowView]:
    """Every row of the table."""
    classroom_url = f"/classrooms/{book.row.id}"
    urls = [f"{classroom_url}/assignments/{column.assignment.id}/students/" for column in book.columns]
    return [row_view(row, book.columns, urls) for row in ordered(book, sort)]


def row_view(row: GradebookRow, columns: Sequence[GradebookColumn], urls: Sequence[str]) -> RowView:
    """`urls`: for each column, what the address of a cell begins with."""
    cells = []
    for cell, column, url in zip(row.cells, columns, urls, strict=True):
        before, after = cell_html(cell, column.total, column.questions)
        if after:
            cells.append(f"{before}{url}{row.pupil.id}{after}")
        else:
            cells.append(before)
    share = row.sum.share
    return RowView(
        row=row,
        place=PLACES[row.pupil.place],
        share=percent(share),
        band=band(share, 1.0),
        missing=row.sum.missing,
        cells=Markup("".join(cells)),  # noqa: S704  # numbers, and words of ours
    )


def average(column: GradebookColumn) -> str:
    """The mean mark of the class at an assignment."""
    mean = column.sum.mean
    if mean is not None:
        return short(mean)
    return "—"
