"""Which rows of the gradebook are shown: every case that counts as missing or failed, and the address."""

from urllib.parse import urlencode

import pytest

from app.records.assignments.values import AssignmentRow
from app.records.classes import class_members, student_numbers
from app.records.grading.values import Gradebook, GradebookCell, GradebookColumn, MarkSum
from app.web.grading.row_filter import RowFilter, row_filter_of
from tests.web.cast import Page, Reader
from tests.web.graded import DAY, NOW, TEACHER, Term
from tests.web.grading.open_books import book, names, teacher, term
from tests.web.pages import filled

__all__ = ["teacher", "term"]
COLUMN = GradebookColumn(AssignmentRow(id=7), 10.0, 1, MarkSum())


@pytest.mark.parametrize(
    ("cell", "only", "is_shown"),
    [
        (GradebookCell("missing", is_absent=True), "missing", True),
        (GradebookCell("begun", None, 2, is_absent=True), "missing", True),
        (GradebookCell("begun", None, 2), "missing", False),
        (GradebookCell("new"), "missing", False),
        (GradebookCell("exempt", is_by_hand=True), "missing", False),
        (GradebookCell("missing", 0.0, is_by_hand=True, is_absent=True), "missing", False),
        (GradebookCell("done", 5.9), "failed", True),
        (GradebookCell("done", 6.0), "failed", False),
        (GradebookCell("missing", is_absent=True), "failed", False),
    ],
)
def test_what_counts_as_missing_and_as_failed(cell: GradebookCell, only: str, is_shown: bool) -> None:
    row_filter = row_filter_of(Gradebook(None, (COLUMN,)), "", only, "")  # type: ignore[arg-type]
    assert row_filter.is_of_case(cell, COLUMN) == is_shown


def test_what_an_address_cannot_mean_is_passed_over() -> None:
    empty = Gradebook(None, (COLUMN,))  # type: ignore[arg-type]
    assert row_filter_of(empty, " 小糖 ", "nothing", "99") == RowFilter("小糖")
    assert row_filter_of(empty, "", "failed", "7") == RowFilter("", "failed", "7")


@pytest.fixture
def two_weeks(term: Term) -> list[int]:
    """小糖 did both well; 小序 failed the first; 小方 did nothing, and is excused from the second."""
    works = [term.assign(title, due_at=NOW + DAY) for title in ("第一周", "第二周")]
    for work in works:
        term.do("小糖", work, "rrr")
        term.do("小圆", work, "rrr")
    term.do("小序", works[0], "rw-")
    term.do("小序", works[1], "rrr")
    for number, name in ((10, "小糖"), (9, "小序"), (11, "小方")):
        details = (TEACHER, term.classroom, term.places[name], name, str(number), "", NOW)
        term.write(student_numbers.set_student_details, *details)
    term.now += 3 * DAY
    return works


def shown_names(page: Page) -> list[str]:
    return [name.split()[0] for name in names(page)]


def test_rows_are_found_by_name_number_and_by_what_is_wrong(
    teacher: Reader, term: Term, two_weeks: list[int]
) -> None:
    gradebook = book(term)
    first, second = two_weeks
    for query, students in (
        ("q=糖", ["小糖"]),
        ("q=%EF%BC%99", ["小序"]),
        ("q=没有这个人", []),
        ("only=missing", ["小方"]),
        ("only=failed", ["小序"]),
        (f"only=failed&work={second}", []),
        (f"only=failed&work={first}&q=小", ["小序"]),
        ("only=nonsense", ["小序", "小糖", "小方", "小圆"]),
    ):
        page = teacher.open(f"{gradebook}?{query}")
        assert shown_names(page) == students, query
        assert ("没有这样的同学" in page.main.text) == (not students)
    page = teacher.open(f"{gradebook}?only=missing&sort=-average")
    head = page.main.one("table", class_="grade-table").one("thead")
    assert all("only=missing" in link["href"] for link in head.all("a") if link["href"].startswith("?"))
    assert "只看1位，一共4位" in page.main.text
    assert not page.main.all("tfoot"), "a mean of some would look like one of all"
    form = page.main.one("details", class_="grade-find").one("form")
    fields = dict(filled(form)) | {"only": ""}
    page = teacher.open(f"{gradebook}?{urlencode(fields)}")
    assert shown_names(page) == ["小糖", "小圆", "小序", "小方"], "the order stays"


@pytest.mark.usefixtures("two_weeks")
def test_rows_are_sorted_by_number(teacher: Reader, term: Term) -> None:
    assert shown_names(teacher.open(f"{book(term)}?sort=number")) == ["小序", "小糖", "小方", "小圆"]
    assert shown_names(teacher.open(f"{book(term)}?sort=-number")) == ["小方", "小糖", "小序", "小圆"]
    assert "按学号" not in teacher.page.main.one("thead").text
    assert "按学号" in teacher.open(book(term)).main.one("thead").text
    term.write(class_members.remove_student, TEACHER, term.classroom, term.places["小方"], NOW)
    assert shown_names(teacher.open(f"{book(term)}?sort=-number"))[0] == "小糖"
