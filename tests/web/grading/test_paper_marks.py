"""Marks of work on paper come back by 学号: looked at first, then all of them or none."""

from typing import Any

from app.records.classes import class_members, classrooms, student_numbers
from app.records.grading import mark_overrides
from app.records.grading.values import CellKey
from app.web.site.security import MOST_BODY_BYTES
from tests.web.cast import Ledger, Page, Reader
from tests.web.graded import TEACHER, Term
from tests.web.grading.open_books import first, teacher, term
from tests.web.pages import refused_fields

__all__ = ["first", "teacher", "term"]


def paste_list(teacher: Reader, term: Term, assignment: int, text: str, status: int = 200) -> str:
    """Paste a list; the path of the page."""
    address = f"/classrooms/{term.classroom}/assignments/{assignment}/paper-marks"
    teacher.submit(teacher.open(address).form(f"{address}/lists"), text=text, status=status)
    return address


def test_a_list_is_looked_at_and_then_stands_in_the_gradebook(
    teacher: Reader, term: Term, first: int, ledger: Ledger
) -> None:
    address = paste_list(teacher, term, first, "小糖 8.5\n小方 免\n没有这个人 3")
    text = teacher.page.main.text
    assert "有1行没用上" in text
    assert "第3行" in text
    assert "小序" in text
    assert ledger.count("mark_override") == 0, "nothing is written by looking"
    page = teacher.submit(teacher.page.form(address), "2位的成绩")
    assert "成绩存进去了" in page.main.text
    book = teacher.open(f"/classrooms/{term.classroom}/gradebook").main
    rows = {row.all("th")[0].text: row.text for row in book.one("table").all("tr") if row.all("th")}
    assert "8.5 改过分" in rows["小糖"], "who had done it here"
    assert "免" in rows["小方"]


def test_our_own_gradebook_pasted_back_changes_nothing(
    teacher: Reader, term: Term, first: int, ledger: Ledger
) -> None:
    """Marks that were computed are not set by hand, and nobody is told of a change."""
    cell_key = CellKey(*term.key(first), term.places["小方"])
    term.write(mark_overrides.excuse_student, TEACHER, cell_key, "病假", term.now)
    gradebook_text = teacher.client.get(f"/classrooms/{term.classroom}/gradebook.csv").text
    paste_list(teacher, term, first, gradebook_text)
    outcome = teacher.page.main.one("section", aria_labelledby="outcome-title").text
    assert "3位和现在一样，不动。" in outcome
    assert not teacher.page.main.all("table", class_="extra-marks")
    paper_path = paste_list(teacher, term, first, "小糖 10\n小方 9")
    assert "1位和现在一样，不动。" in teacher.page.main.text
    teacher.submit(teacher.page.form(paper_path), "1位的成绩")
    assert ledger.count("mark_override") == 2


def test_who_has_a_mark_already_stands_with_it_before_another_takes_its_place(
    teacher: Reader, term: Term, first: int, ledger: Ledger
) -> None:
    paste_list(teacher, term, first, "小糖 8.5\n小方 9")
    rows = teacher.page.main.one("table", class_="extra-marks").one("tbody").all("tr")
    assert "现在：10/10" in rows[0].text
    assert "现在" not in rows[1].text
    paper_path = paste_list(teacher, term, first, "小糖 8.5\n小方 11")
    page = teacher.submit(teacher.page.form(paper_path), "2位的成绩", status=422)
    assert "现在：10/10" in page.main.one("table", class_="extra-marks").text
    assert ledger.count("mark_override") == 0


def test_a_mark_that_a_colleague_set_meanwhile_is_seen_before_it_is_replaced(
    teacher: Reader, term: Term, first: int, ledger: Ledger
) -> None:
    paper_path = paste_list(teacher, term, first, "小糖 8.5\n小方 7")
    form = teacher.page.form(paper_path)
    cell_key = CellKey(*term.key(first), term.places["小方"])
    term.write(mark_overrides.override_mark, TEACHER, cell_key, "9", "口头补答", term.now)
    page = teacher.submit(form, "2位的成绩", status=422)
    assert "小方：这一格刚才变成了9/10" in page.by_id("paper-error").text
    assert "小糖" not in page.by_id("paper-error").text
    assert ledger.count("mark_override") == 1
    page = teacher.submit(page.form(paper_path), "2位的成绩")
    assert "成绩存进去了" in page.main.text
    teacher.submit(form, "2位的成绩")
    assert ledger.count("mark_override") == 3, "a second tap on the first page changes nothing"


def test_all_marks_that_cannot_be_are_said_at_once_and_namesakes_told_apart(
    teacher: Reader, term: Term, first: int
) -> None:
    for name, number in (("小糖", "2026"), ("小方", "2027")):
        details = ("小糖", number, "", term.now)
        term.write(student_numbers.set_student_details, TEACHER, term.classroom, term.places[name], *details)
    paper_path = paste_list(teacher, term, first, "2026 八分\n2027 11\n小序 9")
    page = teacher.submit(teacher.page.form(paper_path), "3位的成绩", status=422)
    error = page.by_id("paper-error").text
    assert "比如5。\n小糖（2027）" in page.html, "a line for each"
    assert "小糖（2026）：分数请写一个0到10的数" in error
    assert "小糖（2027）：满分是10" in error
    assert "小序" not in error


def test_marks_that_cannot_be_are_marked_where_they_are_read(
    teacher: Reader, term: Term, first: int, ledger: Ledger
) -> None:
    """Also once more after a save that was refused, with what was said of the list."""
    list_text = "小糖 80%\n小方 11\n小序 9\n小圆 -1\n没有这个人 3"
    paper_path = paste_list(teacher, term, first, list_text)
    fields = [f"mark-{term.places[name]}" for name in ("小糖", "小方", "小圆")]
    for _ in range(2):
        section = teacher.page.main.one("section", aria_labelledby="outcome-title")
        assert sorted(refused_fields(section)) == sorted(fields)
        assert "小糖 现在：10/10 分数请写一个0到10的数，比如5。" in section.text
        assert "小方 满分是10，分数要在0到10之间。" in section.text
        assert "有1行没用上" in section.text
        assert "没有这个人" in section.text
        teacher.submit(teacher.page.form(paper_path), "4位的成绩", status=422)
    assert ledger.count("mark_override") == 0
    mended: dict[str, Any] = dict.fromkeys(fields, "5")
    page = teacher.submit(teacher.page.form(paper_path), "4位的成绩", **mended)
    assert "成绩存进去了" in page.main.text


def move_away(term: Term, name: str) -> None:
    """Into another class of the teacher."""
    other_class = term.write(classrooms.create_class, TEACHER, "高一4班", term.now)
    move = (TEACHER, term.classroom, term.places[name], other_class, term.now)
    term.write(class_members.move_student, *move)


def test_who_moved_away_meanwhile_is_named_with_the_marks_that_are_stored(
    teacher: Reader, term: Term, first: int, ledger: Ledger
) -> None:
    address = paste_list(teacher, term, first, "小糖 8\n小方 7")
    move_away(term, "小方")
    page = teacher.submit(teacher.page.form(address), "2位的成绩")
    assert "小方转到别的班了，成绩没有存。" in page.main.one("p", class_="done").text
    assert ledger.count("mark_override") == 1


def test_who_moved_away_meanwhile_is_named_with_those_who_are_excused(
    teacher: Reader, term: Term, first: int, ledger: Ledger
) -> None:
    address = f"/classrooms/{term.classroom}/assignments/{first}"
    teacher.open(address)
    move_away(term, "小方")
    ticked_fields = [("student", str(term.places[name])) for name in ("小糖", "小方")]
    page = Page(teacher.post(f"{address}/excuses", [*ticked_fields, ("note", "病假")]))
    assert "小方转到别的班了，没有记。" in page.main.one("p", class_="done").text
    assert ledger.count("mark_override") == 1


def test_a_mark_that_a_colleague_set_meanwhile_is_seen_before_it_becomes_an_excuse(
    teacher: Reader, term: Term, first: int, ledger: Ledger
) -> None:
    address = f"/classrooms/{term.classroom}/assignments/{first}"
    excuse_fields: dict[str, Any] = {"student": str(term.places["小方"]), "note": "病假"}
    form = teacher.open(address).form(f"{address}/extensions", "改时间")
    cell_key = CellKey(*term.key(first), term.places["小方"])
    term.write(mark_overrides.override_mark, TEACHER, cell_key, "9", "口头补答", term.now)
    page = teacher.submit(form, "勾上的免做", status=422, **excuse_fields)
    refusal_words = "小方：这一格刚才变成了9/10，你填的还在；还是要免做，再来一次。"
    assert refusal_words in page.by_id("extension-error").text
    assert ledger.count("mark_override") == 1
    page = teacher.submit(page.form(f"{address}/extensions", "改时间"), "勾上的免做")
    assert "免做记下了" in page.main.text
    assert ledger.count("mark_override") == 2


def test_an_excuse_for_whoever_moved_away_speaks_of_no_marks(
    teacher: Reader, term: Term, first: int, ledger: Ledger
) -> None:
    address = f"/classrooms/{term.classroom}/assignments/{first}"
    form = teacher.open(address).form(f"{address}/extensions", "改时间")
    excuse_fields: dict[str, Any] = {"student": str(term.places["小方"]), "note": "病假"}
    move_away(term, "小方")
    page = teacher.submit(form, "勾上的免做", status=422, **excuse_fields)
    refusal_words = page.by_id("extension-error").text
    assert "换了班" in refusal_words
    assert "分数" not in refusal_words
    assert ledger.count("mark_override") == 0


def test_one_mark_that_cannot_be_keeps_all_out(
    teacher: Reader, term: Term, first: int, ledger: Ledger
) -> None:
    address = paste_list(teacher, term, first, "小糖 8\n小序 11")
    page = teacher.submit(teacher.page.form(address), "2位的成绩", status=422)
    assert "小序：满分是10，分数要在0到10之间" in page.by_id("paper-error").text
    assert [field["value"] for field in page.main.all("input", inputmode="decimal")] == ["8", "11"]
    assert ledger.count("mark_override") == 0
    paste_list(teacher, term, first, "只有字")
    assert teacher.page.by_id("text").text == "只有字"


def test_who_did_not_hand_in_keeps_nobody_out(
    teacher: Reader, term: Term, first: int, ledger: Ledger
) -> None:
    paper_path = paste_list(teacher, term, first, "姓名\t成绩\n小方\t7\n小序\t8\n小糖\t缺")
    outcome = teacher.page.main.one("section", aria_labelledby="outcome-title").text
    assert "读的是“成绩”这一列" in outcome
    assert "第4行：小糖：没有交的空着就行" in outcome
    emptied_cell: dict[str, Any] = {f"mark-{term.places['小序']}": ""}
    page = teacher.submit(teacher.page.form(paper_path), "2位的成绩", **emptied_cell)
    assert "成绩存进去了" in page.main.text
    assert ledger.count("mark_override") == 1


def test_marks_that_look_like_percentages_are_asked_about(teacher: Reader, term: Term, first: int) -> None:
    paste_list(teacher, term, first, "小糖 0.85\n小方 1")
    assert "都不超过1" in teacher.page.main.text
    paste_list(teacher, term, first, "小糖 0.85\n小方 7")
    assert "都不超过1" not in teacher.page.main.text


def test_what_was_pasted_stays_where_a_mark_is_refused(teacher: Reader, term: Term, first: int) -> None:
    paper_path = paste_list(teacher, term, first, "小糖 8/10\n小方 7")
    page = teacher.submit(teacher.page.form(paper_path), "2位的成绩", status=422)
    assert "小糖：分数请写一个0到10的数" in page.by_id("paper-error").text
    assert page.by_id("text").text == "小糖 8/10 小方 7"


def test_a_list_that_may_just_be_read_may_be_stored_with_it(teacher: Reader, term: Term, first: int) -> None:
    long_line = "x" * (MOST_BODY_BYTES - 60)
    paper_path = paste_list(teacher, term, first, f"小方 8.5\n{long_line}")
    page = teacher.submit(teacher.page.form(paper_path), "1位的成绩")
    assert "成绩存进去了" in page.main.text


def test_a_mark_for_paper_is_no_missing_work(teacher: Reader, term: Term, first: int) -> None:
    assignments_address = f"/classrooms/{term.classroom}/assignments"
    assert "交了2/4，1人在做" in teacher.open(assignments_address).main.text
    assert "1位没有开始，没有可收的" in teacher.open(f"{assignments_address}/{first}").by_id("progress").text
    address = paste_list(teacher, term, first, "小方 8.5")
    progress = teacher.submit(teacher.page.form(address), "1位的成绩").by_id("progress")
    assert "交了3/4" in progress.text
    assert "给了分" in progress.text
    assert "没有可收的" not in progress.text
    assert "小方" not in progress.one("pre").text
    assert "交了3/4，1人在做" in teacher.open(assignments_address).main.text
