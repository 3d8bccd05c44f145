"""总评 as its teacher meets it: the form, the sentence, the formula that a spreadsheet computes."""

import io
import re
import zipfile
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from app.records.assignments.values import AssignmentRow
from app.records.classes.values import ClassRow
from app.records.grading.totals.gradebook_totals import total_marks
from app.records.grading.totals.weighted_marks import counted_weights, out_of_hundred
from app.records.grading.values import (
    Gradebook,
    GradebookCell,
    GradebookColumn,
    GradebookRow,
    GradebookStudent,
    MarkSum,
)
from app.web.grading.gradebook import SortOrder
from app.web.grading.gradebook_files import gradebook_workbook
from app.web.grading.total_formulas import excel_formula, weight_formulas
from app.web.site.posted_forms import MOST_FIELDS
from tests.records.grading.random_rows import random_row, total_share
from tests.web.cast import Reader
from tests.web.graded import DAY, NOW, Term
from tests.web.grading.open_books import body, book, downloaded_file, sheet_of, teacher, term
from tests.web.pages import filled

__all__ = ["teacher", "term"]


def cells_of(page: Any) -> dict[str, str]:
    return {row.one("th").text: row.one("td", class_="total").text for row in body(page)}


def test_the_teacher_says_what_counts_and_the_page_says_how(teacher: Reader, term: Term) -> None:
    week, exam = term.assign("第一周", due_at=NOW + DAY), term.assign("期末", due_at=NOW + DAY)
    term.do("小糖", week, "rrr")
    term.do("小序", week, "rrr")
    term.do("小序", exam, "rw-")
    term.now += 3 * DAY
    page = teacher.open(book(term))
    assert "总评＝得分加起来÷满分加起来×100。缺交不算进去。" in page.main.text
    assert cells_of(page)["小糖"] == "100"
    form = teacher.open(f"{book(term)}/total").form(f"{book(term)}/total")
    page = teacher.submit(form, missing="zero")
    assert "缺交记0分" in page.main.text
    assert cells_of(page) == {"小糖": "50", "小序": "60", "小方": "0", "小圆": "0"}
    fields = [field for field in filled(form) if field[0] not in ("category", "share", "weighing", "seen")]
    fields = [field for field in fields if not field[0].startswith("category-")]
    fields += [("weighing", "categories"), ("category", "平时"), ("share", "40%")]
    fields += [
        ("category", "期末"),
        ("share", "60"),
        (f"category-{week}", "平时"),
        (f"category-{exam}", "期末"),
    ]
    teacher.post(f"{book(term)}/total", fields)
    page = teacher.open(book(term))
    assert "总评＝平时得分率×40＋期末得分率×60；" in page.main.text
    assert cells_of(page)["小序"] == "52"
    assert "改了总评的算法" in teacher.open(f"/classrooms/{term.classroom}/audit").main.text


@pytest.mark.parametrize(
    ("name", "typed", "words"),
    [("share", "四十", "“平时”的占比写一个数，比如40。写的是“四十”"), ("share", "-1", "0到1000")],
)
def test_what_was_typed_wrongly_is_there_to_be_put_right(
    teacher: Reader, term: Term, name: str, typed: str, words: str
) -> None:
    week = term.assign("第一周")
    fields = [("weighing", "categories"), ("missing", "zero"), ("category", "平时"), (name, typed)]
    fields += [("shown", str(week)), (f"weight-{week}", "2"), (f"category-{week}", "平时")]
    response = teacher.client.post(f"{book(term)}/total", data=dict(fields))
    assert response.status_code == 422
    assert words in response.text
    assert f'value="{typed}"' in response.text
    assert cells_of(teacher.open(book(term)))["小糖"] == "—"


@pytest.mark.parametrize("figures", [("60", ""), ("", "1")], ids=["share", "dropped"])
def test_a_category_without_a_name_is_asked_for_it(
    teacher: Reader, term: Term, figures: tuple[str, str]
) -> None:
    fields = [("weighing", "categories"), ("category", "平时"), ("share", "40"), ("dropped", "")]
    fields += [("category", " "), ("share", figures[0]), ("dropped", figures[1])]
    response = teacher.post(f"{book(term)}/total", fields)
    assert response.status_code == 422
    assert "没写类别的名字" in response.text


def test_a_term_of_many_assignments_fits_into_the_form(teacher: Reader, term: Term) -> None:
    """A form has four fields for a column; one with more fields than any of ours is refused."""
    for number in range(101):
        term.assign(f"第{number}次")
    form = teacher.open(f"{book(term)}/total").form(f"{book(term)}/total")
    assert len([name for name, _ in filled(form) if name == "shown"]) > 100
    page = teacher.submit(form, missing="zero")
    assert "缺交记0分" in page.main.text
    for most_fields, status in ((MOST_FIELDS, 303), (MOST_FIELDS + 1, 422)):
        fields = [("counted", "0")] * most_fields
        response = teacher.post(f"{book(term)}/total", fields, htmx=True)
        assert response.status_code == status
    assert "一次最多收1300格" in response.text


def test_an_assignment_out_of_the_total_is_named(teacher: Reader, term: Term) -> None:
    week = term.assign("第一周")
    form = teacher.open(f"{book(term)}/total").form(f"{book(term)}/total")
    fields = [field for field in filled(form) if field[0] != "counted"]
    teacher.post(f"{book(term)}/total", fields)
    assert "不计入：第一周" in teacher.open(book(term)).main.text
    page = teacher.submit(teacher.open(f"{book(term)}/total").form(f"{book(term)}/total"), counted=str(week))
    assert "不计入" not in page.main.text


def test_who_saves_an_older_form_is_told_that_the_rules_have_changed(teacher: Reader, term: Term) -> None:
    """What they typed is there, and counts once it is sent again; a second click is none of somebody else."""
    week = term.assign("第一周")
    form = teacher.open(f"{book(term)}/total").form(f"{book(term)}/total")
    for _ in range(2):
        teacher.submit(form, missing="zero")
    typed_weight: dict[str, Any] = {f"weight-{week}": "3"}
    page = teacher.submit(form, status=422, **typed_weight)
    assert "总评的算法刚才有人改过" in page.main.text
    assert "缺交记0分" in page.main.one("p", class_="lead").text
    assert page.by_id(f"weight-{week}")["value"] == "3"
    page = teacher.submit(page.form(f"{book(term)}/total"))
    assert "缺交不算进去" in page.main.text


def test_the_workbook_has_the_formula_and_its_value(teacher: Reader, term: Term) -> None:
    week = term.assign("第一周", due_at=NOW + DAY)
    term.do("小糖", week, "rrr")
    content, _ = downloaded_file(teacher, f"{book(term)}.xlsx")
    sheet = sheet_of(content)
    assert sheet[0][6:] == ["总评", "座号"]
    assert sheet[1][6] == 100.0, "what a program reads that computes nothing"
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        xml = archive.read("xl/worksheets/sheet1.xml").decode()
    assert re.search(r'<c r="G2"[^>]*><f>IF\([^<]*N\(F2\)[^<]*</f><v>100(\.0)?</v></c>', xml)


def test_the_lowest_left_out_is_told_and_stands_on_a_sheet_of_its_own(teacher: Reader, term: Term) -> None:
    """Each mark has a weight on the second sheet, from which 总评 is computed."""
    works = [term.assign(title, due_at=NOW + DAY) for title in ("第一周", "第二周")]
    term.do("小糖", works[0], "rrr")
    term.do("小糖", works[1], "rw-")
    fields = [("weighing", "categories"), ("missing", "left_out"), ("category", "平时"), ("share", "100")]
    for work in works:
        rule = [("shown", str(work)), ("counted", str(work)), (f"category-{work}", "平时")]
        fields += [*rule, (f"weight-{work}", "1")]
    for dropped, total, words in (("1", "100", "平时去掉得分率最低的1份（至少留1份）"), ("", "60", "")):
        teacher.post(f"{book(term)}/total", [*fields, ("dropped", dropped)])
        page = teacher.open(book(term))
        assert (cells_of(page)["小糖"], "去掉" in page.main.text) == (total, bool(words))
        assert words in page.main.text
        content, _ = downloaded_file(teacher, f"{book(term)}.xlsx")
        workbook_of_book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        assert workbook_of_book.sheet_names == (["成绩册", "计入"] if dropped else ["成绩册"])
        if dropped:
            assert workbook_of_book.get_sheet_by_name("计入").to_python()[1][-2:] == [10.0, 0.0]
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                xml = archive.read("xl/worksheets/sheet2.xml").decode()
            [weight_of_week, _] = re.findall(r"<f>([^<]*)</f>", xml)[:2]
            assert set(re.findall(r"[^(*+]*[A-Z]+2\b", weight_of_week)) == {"成绩册!F2", "成绩册!G2"}
    response = teacher.client.post(f"{book(term)}/total", data=dict(fields) | {"dropped": "10"})
    assert "写0到9" in response.text
    response = teacher.client.post(f"{book(term)}/total", data=dict(fields) | {"dropped": "一"})
    assert "写一个整数。写的是“一”" in response.text
    assert 'value="一"' in response.text


def test_a_spreadsheet_computes_what_is_stored() -> None:
    """The formula of every row of random gradebooks, by the rules of a spreadsheet."""
    random = Random(81)
    for _ in range(1000):
        rules, marks = random_row(random)
        cells = tuple(GradebookCell("done", mark.points, is_absent=mark.is_absent) for mark in marks)
        columns = [
            GradebookColumn(AssignmentRow(), mark.full_marks, 1, MarkSum(), mark.rule) for mark in marks
        ]
        row = GradebookRow(GradebookStudent(1, 1, "小糖", "", NOW, "here"), cells, MarkSum())
        addresses = [f"F{number}" for number in range(len(marks))]
        formula = excel_formula(rules, columns, row, addresses)
        weights = weight_formulas(rules, columns, row, addresses)
        wanted_weights = counted_weights(total_marks(cells, columns), rules)
        sheets = dict[str, float | str | None]()
        for address, cell, text in zip(addresses, cells, weights, strict=True):
            sheets[f"成绩册!{address}"] = cell.points
            sheets[f"计入!{address}"] = text or 0.0
        for address, weight in zip(addresses, wanted_weights, strict=True):
            assert Sheets(sheets).value(f"计入!{address}") == weight, (rules, row)
        expected = out_of_hundred(total_share(total_marks(cells, columns), rules))
        value = Sheets(sheets | {"成绩册!总评": formula}).value("成绩册!总评")
        if expected is None:
            assert value == ""
        else:
            assert value == pytest.approx(expected, abs=0.1001), "a half may fall to either side"


class Sheets:
    """Cells by sheet and address, each a value or a formula; an address alone is one of the sheet that
    holds the formula, and a formula that needs itself is a fault."""

    def __init__(self, cells: Mapping[str, float | str | None]) -> None:
        self.cells = cells
        self.open_cells: list[str] = []

    def value(self, place: str) -> Any:
        content = self.cells[place]
        if not isinstance(content, str):
            return content
        assert place not in self.open_cells, f"a circle: {place} needs itself"
        self.open_cells.append(place)
        value = self.computed(content, place.partition("!")[0])
        self.open_cells.remove(place)
        return value

    def computed(self, formula: str, sheet: str) -> Any:
        """What a spreadsheet makes of a formula of ours on this sheet."""
        python = formula.removeprefix("=").replace(")=0", ")==0")
        python = re.sub(r"(?<![!\w])F[0-9]+\b", rf"{sheet}!\g<0>", python)
        python = re.sub(r"\w+!F[0-9]+\b", r'value("\g<0>")', python)
        functions = {
            "IF": lambda condition, then, other: then() if condition else other(),
            "N": lambda value: value or 0.0,
            "ISNUMBER": lambda value: value is not None,
            "ROUND": lambda number, _: out_of_hundred(number / 100),
            "MIN": min,
            "value": self.value,
        }
        return eval(lazily(python), functions)  # a formula of our own


def lazily(python: str) -> str:
    """IF computes one branch alone."""
    out = ""
    place = 0
    while (start := python.find("IF(", place)) >= 0:
        arguments, end = split_arguments(python, start + 3)
        condition, then, otherwise = map(lazily, arguments)
        out += f"{python[place:start]}IF({condition},lambda:{then},lambda:{otherwise})"
        place = end
    return out + python[place:]


def split_arguments(text: str, start: int) -> tuple[list[str], int]:
    depth, begin, arguments = 0, start, []
    for place in range(start, len(text)):
        letter = text[place]
        if letter == "," and depth == 0:
            arguments.append(text[begin:place])
            begin = place + 1
        if letter == ")" and depth == 0:
            return [*arguments, text[begin:place]], place + 1
        depth += {"(": 1, ")": -1}.get(letter, 0)
    raise AssertionError(text)


def test_too_many_assignments_for_a_formula_leave_the_value() -> None:
    columns = tuple(GradebookColumn(AssignmentRow(id=number), 10.0, 1, MarkSum()) for number in range(300))
    cells = tuple(GradebookCell("done", 7.0) for _ in columns)
    row = GradebookRow(GradebookStudent(1, 1, "小糖", "", NOW, "here"), cells, MarkSum(), 70.0)
    classroom = ClassRow(1, "高一3班", NOW, None, "ABCDEF", None)
    sheet = sheet_of(gradebook_workbook(Gradebook(classroom, columns, (row,)), SortOrder()))
    assert sheet[1][5 + 300] == 70.0
