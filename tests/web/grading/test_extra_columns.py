"""A column of the teacher's own as its teacher meets it: added, typed, pasted, taken out again."""

from typing import Any

import pytest

from app.records.classes import class_members, classrooms, student_numbers
from app.records.classes.values import Student
from app.records.grading import mark_lists
from app.records.grading.extra_marks import ABSENT_WORDS, EXCUSED_WORDS
from app.records.grading.values import GradebookCell
from app.web.grading.extra_columns import MOST_ROWS_IN_FORM, MarkField, fields_of_forms
from app.web.grading.gradebook import WORD_BY_UNMARKED_STATE, word_and_note
from tests.web.cast import Page, Reader
from tests.web.graded import NOW, TEACHER, Term
from tests.web.grading.open_books import body, book, downloaded_file, sheet_of, teacher, term
from tests.web.pages import refused_fields

__all__ = ["teacher", "term"]


@pytest.fixture
def column(teacher: Reader, term: Term) -> str:
    """The path of 期中; its page is open."""
    for number, (name, enrolment) in enumerate(term.places.items(), 1):
        details = (TEACHER, term.classroom, enrolment, name, f"2026010{number}", "", NOW)
        term.write(student_numbers.set_student_details, *details)
    page = teacher.open(book(term))
    page = teacher.submit(page.form(f"{book(term)}/columns"), title="期中", total="100")
    return page.path


def field(term: Term, name: str) -> str:
    return f"mark-{term.places[name]}"


def marks(term: Term, **texts: str) -> dict[str, Any]:
    """What is typed into the fields of some students."""
    return {field(term, name): text for name, text in texts.items()}


def values(page: Page, term: Term) -> dict[str, str]:
    return {name: page.by_id(field(term, name))["value"] for name in term.places}


def test_marks_are_typed_and_stand_in_the_book_and_its_files(
    teacher: Reader, term: Term, column: str
) -> None:
    form = teacher.open(column).form(f"{column}/marks")
    page = teacher.submit(form, **marks(term, 小糖="88", 小序="免"))
    assert page.path == book(term)
    cells = {row.one("th").text: [cell.text for cell in row.all("td")] for row in body(page)}
    assert cells["小糖 20260101"] == ["88%", "88", "88"]
    assert cells["小序 20260102"] == ["—", "—", "免"]
    assert body(page)[0].all("a")[-1]["href"] == f"{column}#{field(term, '小糖')}"
    content, _ = downloaded_file(teacher, f"{book(term)}.xlsx")
    sheet = sheet_of(content)
    assert sheet[0][5:7] == ["期中（满分100）", "总评"]
    assert sheet[1][5:7] == [88.0, 88.0]
    page = teacher.open(f"{book(term)}?sort=-extra-{column.rpartition('/')[2]}")
    assert page.main.one("thead").all("th")[3]["aria-sort"] == "descending"
    log = teacher.open(f"/classrooms/{term.classroom}/audit").main.text
    assert "填了“期中”一栏，2位的变了" in log
    assert "小糖：空着 → 88" in log
    assert "成绩册加了一栏“期中”" in log


@pytest.mark.parametrize(("full_marks_text", "lower_mark_text"), [("12.25", "8.04"), ("33.33", "0.25")])
def test_marks_to_two_places_count_and_stand_in_the_files_as_they_were_typed(
    teacher: Reader, term: Term, column: str, full_marks_text: str, lower_mark_text: str
) -> None:
    """Who has all of it has 100, and our own file goes back into its column."""
    teacher.submit(teacher.open(column).form(f"{column}/settings"), total=full_marks_text)
    typed = marks(term, 小糖=full_marks_text, 小序=lower_mark_text)
    page = teacher.submit(teacher.open(column).form(f"{column}/marks"), **typed)
    assert f"满分{full_marks_text}" in page.main.one("thead").text
    assert body(page)[0].one("td", class_="total").text == "100"
    assert [row.all("td")[-1].text for row in body(page)[:2]] == [full_marks_text, lower_mark_text]
    assert f"满分{full_marks_text}" in teacher.open(f"{book(term)}/total").main.text
    for suffix in ("csv", "xlsx"):
        content, _ = downloaded_file(teacher, f"{book(term)}.{suffix}")
        if suffix == "xlsx":
            assert sheet_of(content)[1][5:7] == [float(full_marks_text), 100.0]
        else:
            assert f"期中（满分{full_marks_text}）" in content.decode("utf-8-sig")
        files = {"file": (f"成绩册.{suffix}", content)}
        page = Page(teacher.client.post(f"{column}/lists", files=files))
        assert values(page, term) == {
            "小糖": full_marks_text,
            "小序": lower_mark_text,
            "小方": "",
            "小圆": "",
        }
    log_text = teacher.open(f"/classrooms/{term.classroom}/audit").main.text
    assert f"满分：100 → {full_marks_text}" in log_text


def test_a_cell_of_who_has_left_leads_to_a_field_or_nowhere(teacher: Reader, term: Term, column: str) -> None:
    week = term.assign("第一周")
    for name in ("小糖", "小序"):
        term.do(name, week, "rrr")
    teacher.submit(teacher.open(column).form(f"{column}/marks"), **marks(term, 小糖="88"))
    for name in ("小糖", "小序"):
        term.write(class_members.remove_student, TEACHER, term.classroom, term.places[name], term.now)
    rows = body(teacher.open(book(term)))
    field_urls = [link["href"] for row in rows for link in row.all("a") if "#mark-" in link["href"]]
    field_ids = [field_url.partition("#")[2] for field_url in field_urls]
    assert sorted(field_ids) == sorted(field(term, name) for name in ("小糖", "小方", "小圆"))
    page = teacher.open(column)
    assert all(page.by_id(field_id) for field_id in field_ids)


def test_a_mark_of_somebody_else_is_not_replaced_unseen(teacher: Reader, term: Term, column: str) -> None:
    """What was typed stands beside it, and counts once it is sent again; the same mark is no other one."""
    form = teacher.open(column).form(f"{column}/marks")
    for _ in range(2):
        teacher.submit(form, **marks(term, 小糖="88"))
    page = teacher.submit(form, status=422, **marks(term, 小糖="77", 小序="60"))
    assert refused_fields(page.main) == [field(term, "小糖")]
    assert page.by_id("mark-error").text == "小糖：这一格刚才有人改成了88，你填的还在；要照你的，再存一次。"
    assert values(page, term) == {"小糖": "77", "小序": "60", "小方": "", "小圆": ""}
    assert values(teacher.open(column), term)["小序"] == "", "all of it or nothing"
    teacher.submit(page.form(f"{column}/marks"))
    assert values(teacher.open(column), term) == {"小糖": "77", "小序": "60", "小方": "", "小圆": ""}


def test_a_bad_mark_keeps_everything_that_was_typed(teacher: Reader, term: Term, column: str) -> None:
    form = teacher.open(column).form(f"{column}/marks")
    page = teacher.submit(form, status=422, **marks(term, 小糖="88", 小序="优"))
    refused_field = field(term, "小序")
    assert refused_fields(page.main) == [refused_field]
    assert page.by_id("mark-error").parent is page.by_id(refused_field).parent
    assert "小序：“优”不是分数。写0到100的数，或者免、缺、空着。" in page.main.text
    assert values(page, term) == {"小糖": "88", "小序": "优", "小方": "", "小圆": ""}
    assert values(teacher.open(column), term)["小糖"] == ""


def test_marks_that_others_stored_meanwhile_stay(teacher: Reader, term: Term, column: str) -> None:
    """A field says what stood in it, and only one that was changed is written."""
    teacher.submit(teacher.open(column).form(f"{column}/marks"), **marks(term, 小糖="80", 小序="60"))
    form = teacher.open(column).form(f"{column}/marks")
    meanwhile = marks(term, 小糖="81", 小方="70", 小圆="50")
    teacher.submit(teacher.open(column).form(f"{column}/marks"), **meanwhile)
    page = teacher.submit(form, status=422, **marks(term, 小序="优", 小圆="55"))
    assert values(page, term) == {"小糖": "81", "小序": "优", "小方": "70", "小圆": "55"}
    page = teacher.submit(form, status=422, **marks(term, 小序="", 小圆="55"))
    teacher.submit(page.form(f"{column}/marks"))
    assert values(teacher.open(column), term) == {"小糖": "81", "小序": "", "小方": "70", "小圆": "55"}
    teacher.post(f"{column}/marks", list(marks(term, 小糖="7").items()))
    assert values(teacher.open(column), term)["小糖"] == "7", "a page of before says nothing of what stood"


def test_all_that_a_list_changes_is_stored_at_once() -> None:
    """In a class with more rows than a form has, what a list says of the last of them stands in the first."""
    fields = []
    for number in range(MOST_ROWS_IN_FORM + 300):
        student = Student(number, number, "", "", NOW, None, None)
        text = "88" if number % 2 else ""
        fields.append(MarkField(student, text))
    first_form, second_form = fields_of_forms(fields)
    assert len(first_form) == MOST_ROWS_IN_FORM >= mark_lists.MOST_LINES
    assert sum(field.is_changed for field in first_form) == len(fields) / 2
    assert [field.student.id for field in second_form] == list(range(300, 900, 2))
    assert fields_of_forms(fields[:MOST_ROWS_IN_FORM]) == [fields[:MOST_ROWS_IN_FORM]], "else nobody is moved"


def test_a_list_is_looked_at_before_it_counts(teacher: Reader, term: Term, column: str) -> None:
    form = teacher.open(column).form(f"{column}/lists")
    page = teacher.submit(form, text="学号\t成绩\n20260101\t91\n20260177\t60\n20260102\t\n")
    assert "1位的分数和现在的不一样" in page.main.text
    assert "第3行：班里没有学号20260177。" in page.main.text
    assert "名单上没有，或者没写分数：小序、小方、小圆。" in page.main.text
    assert values(page, term)["小糖"] == "91"
    assert "现在存的：空着" in page.main.text
    assert values(teacher.open(column), term)["小糖"] == "", "nothing is written yet"
    teacher.submit(page.form(f"{column}/marks"))
    assert values(teacher.open(column), term) == {"小糖": "91", "小序": "", "小方": "", "小圆": ""}


def test_our_own_gradebook_read_back_changes_no_mark(teacher: Reader, term: Term, column: str) -> None:
    """It shows fewer decimals than are kept."""
    stored_marks = marks(term, 小糖="88.25", 小序="免", 小方="缺")
    teacher.submit(teacher.open(column).form(f"{column}/marks"), **stored_marks)
    gradebook_text = teacher.client.get(f"{book(term)}.csv").text
    assert "88.3" in gradebook_text
    page = teacher.submit(teacher.open(column).form(f"{column}/lists"), text=gradebook_text)
    assert "0位的分数和现在的不一样" in page.main.text
    assert values(page, term) == {"小糖": "88.25", "小序": "免", "小方": "缺", "小圆": ""}
    page = teacher.submit(page.form(f"{column}/lists"), text="小糖 88.2\n小序 缺考\n小方 免\n小圆 0")
    assert values(page, term) == {"小糖": "88.2", "小序": "缺考", "小方": "免", "小圆": "0"}


def test_a_file_is_a_list_and_what_is_none_says_so(teacher: Reader, column: str) -> None:
    files = {"file": ("期中.csv", "姓名,期中\n小糖,77\n".encode("gb18030"))}
    response = teacher.client.post(f"{column}/lists", files=files)
    assert 'value="77"' in response.text
    response = teacher.client.post(f"{column}/lists", files={"text": (None, "学号,班级\n1,2")})
    assert response.status_code == 422
    assert "认不出哪一列是分数" in response.text
    assert "学号,班级" in response.text


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_our_own_file_goes_back_into_a_column(teacher: Reader, term: Term, column: str, suffix: str) -> None:
    """A dash says nothing, and the class has no mark of its own."""
    teacher.submit(
        teacher.open(column).form(f"{column}/marks"), **marks(term, 小糖="88", 小序="免", 小方="缺")
    )
    content, _ = downloaded_file(teacher, f"{book(term)}.{suffix}")
    teacher.submit(teacher.open(column).form(f"{column}/marks"), **marks(term, 小糖="", 小方="7"))
    page = Page(teacher.client.post(f"{column}/lists", files={"file": (f"成绩册.{suffix}", content)}))
    assert values(page, term) == {"小糖": "88", "小序": "免", "小方": "缺", "小圆": ""}
    assert "没用上" not in page.main.text
    assert "名单上没有，或者没写分数：小圆。" in page.main.text
    teacher.submit(page.form(f"{column}/marks"))
    assert values(teacher.open(column), term) == {"小糖": "88", "小序": "免", "小方": "缺", "小圆": ""}


def test_every_word_without_a_mark_in_our_own_files_is_known_where_they_are_read() -> None:
    states: Any = WORD_BY_UNMARKED_STATE
    cells = [GradebookCell(state) for state in states]
    cells += [GradebookCell("done", waiting_count=12), GradebookCell("begun", answered_count=3)]
    words = [word_and_note(cell, question_count, 9)[0] for cell in cells for question_count in (0, 10)]
    known_words = (*EXCUSED_WORDS, *ABSENT_WORDS, mark_lists.NO_MARK_TEXT)
    unknown_words = [word for word in words if word not in known_words]
    assert all(mark_lists.UNMARKED_PATTERN.fullmatch(word) for word in unknown_words), unknown_words


def test_it_weighs_what_the_rules_say(teacher: Reader, term: Term, column: str) -> None:
    week = term.assign("第一周")
    term.do("小糖", week, "rrr")
    teacher.submit(teacher.open(column).form(f"{column}/marks"), **marks(term, 小糖="50"))
    form = teacher.open(f"{book(term)}/total").form(f"{book(term)}/total")
    key = f"extra-{column.rpartition('/')[2]}"
    weight: dict[str, Any] = {f"weight-{key}": "3"}
    page = teacher.submit(form, weighing="assignments", **weight)
    assert "第一周×1＋期中×3" in page.main.text
    assert body(page)[0].one("td", class_="total").text == "62.5"


def test_it_is_renamed_and_goes_only_for_who_is_sure(teacher: Reader, term: Term, column: str) -> None:
    teacher.submit(teacher.open(column).form(f"{column}/marks"), **marks(term, 小糖="50"))
    page = teacher.submit(teacher.open(column).form(f"{column}/settings"), title="半期", total="60")
    assert (page.path, page.main.one("h1").text) == (column, "半期")
    page = teacher.submit(page.form(f"{column}/settings"), status=422, total="40")
    assert "有人得了50分" in page.main.text
    assert "先勾上" in teacher.submit(page.form(f"{column}/removals"), status=422).main.text
    page = teacher.submit(page.form(f"{column}/removals"), sure="yes")
    assert "半期" not in page.main.text
    teacher.open(column, 404)
    log = teacher.open(f"/classrooms/{term.classroom}/audit").main.text
    assert "删掉了成绩册里的“半期”一栏，连同1个分数" in log
    assert "改了“半期”一栏" in log


@pytest.mark.parametrize("total", ["12.25", "0.04"])
def test_settings_keep_the_full_marks_that_they_show(teacher: Reader, column: str, total: str) -> None:
    page = teacher.submit(teacher.open(column).form(f"{column}/settings"), total=total)
    page = teacher.submit(page.form(f"{column}/settings"))
    assert page.by_id("column-total")["value"] == total
    assert f"满分{total}。" in page.main.text
    assert f"写0到{total}的数。" in page.main.text


def test_a_new_column_that_cannot_be_is_there_to_be_mended(teacher: Reader, term: Term) -> None:
    page = teacher.open(book(term))
    page = teacher.submit(page.form(f"{book(term)}/columns"), status=422, title="期中", total="满")
    assert "满分写一个数，比如100。" in page.main.text
    assert page.by_id("extra-total")["value"] == "满"
    assert refused_fields(page.main) == ["total"], "the title was right"
    page = teacher.submit(page.form(f"{book(term)}/columns"), status=422, title=" ", total="100")
    assert refused_fields(page.main) == ["title"]


def test_settings_that_cannot_be_are_there_to_be_mended(teacher: Reader, column: str) -> None:
    page = teacher.submit(teacher.open(column).form(f"{column}/settings"), status=422, title="末", total="多")
    assert "满分写一个数，比如100。" in page.by_id("settings-error").text
    assert page.by_id("column-name")["value"] == "末"
    assert page.by_id("column-total")["value"] == "多"
    assert refused_fields(page.main) == ["total"]
    assert "期中" in page.main.one("h1").text


def test_a_class_put_away_only_shows_it(teacher: Reader, term: Term, column: str) -> None:
    term.write(classrooms.archive_class, TEACHER, term.classroom, NOW)
    page = teacher.open(column)
    assert "只能看" in page.main.text
    assert "“免”：不算进总评" in page.main.text
    assert "存好" not in page.main.text
    assert "写0到" not in page.main.text
