"""An assignment on paper: versions, everybody's own numbers with a code, the key, and wrong numbers."""

import re

import pytest

from app import engine
from app.course.items.kinds import Numeric
from app.web.assignments import papers
from tests.web.assignments.drafting import NUMERIC
from tests.web.cast import Page, browser
from tests.web.school import code_of, join_new
from tests.web.taught import Term


def with_practice(term: Term) -> str:
    assignment_url = term.draft(NUMERIC)
    fields = [("kind", "practice"), ("ref", "content:dcg"), ("level", "1"), ("count", "1"), ("points", "2")]
    term.teacher.post(f"{assignment_url}/parts", fields)
    return assignment_url


def stems(term: Term, path: str) -> list[list[str]]:
    """What is asked, paper by paper."""
    papers = term.teacher.open(path).main.all("section", class_="paper")
    questions = []
    for paper in papers:
        sheet = paper.one("ol", class_="sheet-questions")
        questions.append([entry.text for entry in sheet.all("li") if entry.get("value")])
    return questions


def test_versions_differ_in_what_is_drawn_and_stay_as_they_were_printed(term: Term) -> None:
    assignment_url = with_practice(term)
    first, second = stems(term, f"{assignment_url}/paper?versions=2")
    assert len(first) == len(second) == 2
    assert first[0] == second[0], "a fixed item is the same in all"
    assert first[1] != second[1]
    assert stems(term, f"{assignment_url}/paper?versions=4")[:2] == [first, second]
    assert stems(term, f"{assignment_url}/paper") == [first]


def test_the_paper_of_a_student_has_the_numbers_of_the_site(term: Term) -> None:
    """Its code leads to them; its key is right, and names the mistake behind a wrong number."""
    assignment_url = term.draft()
    fields = [("kind", "practice"), ("ref", "content:dcg"), ("level", "1"), ("count", "1"), ("points", "2")]
    term.teacher.post(f"{assignment_url}/parts", fields)
    task = term.publish(assignment_url)
    page = term.teacher.open(f"{assignment_url}/paper?versions=own")
    assert "小糖" in page.by_id("paper-1").text
    assert page.main.one("svg", class_="qr")
    [[printed]] = stems(term, f"{assignment_url}/paper?versions=own")
    term.begin(task)
    item = term.question(task, 1)
    assert isinstance(item, Numeric)
    key = page.main.one("section", class_="sheet-key").text
    assert f"{item.answer:.{item.decimals}f}" in key
    wrong = engine.predictions(item.question.engine_question)
    assert any(
        f"{value:.{item.decimals}f} {engine.MISCONCEPTIONS[name].name}" in key
        for name, value in wrong.items()
    )
    question_text = term.student.open(f"{task}/questions/1").main.text
    assert stems(term, f"{assignment_url}/paper?versions=own") == [[printed]], (
        "what was drawn is what was printed"
    )
    grades = re.compile("甜度 ?([0-9])")
    assert grades.findall(printed) == grades.findall(question_text) != []


def test_the_paper_of_a_student_has_a_number_that_is_known(term: Term) -> None:
    """Where nobody knows it, there is a line to write it on."""
    join_new(browser(term.client), code_of(term.teacher, term.classroom), "小序")
    own = f"{with_practice(term)}/paper?versions=own"
    [(enrolment_id,)] = term.ledger.rows("SELECT id FROM enrolment WHERE name = '小糖'")
    student_url = f"/classrooms/{term.classroom}/students/{enrolment_id}"
    form = term.teacher.open(student_url).form(f"{student_url}/names")
    term.teacher.submit(form, number="2026017")
    sheets = term.teacher.open(own).main.all("section", class_="paper")
    lines_by_name = {"小糖": 1, "小序": 2}
    for sheet, (name, line_count) in zip(sheets, lines_by_name.items(), strict=True):
        head = sheet.all("p")[0]
        assert name in sheet.text
        assert ("学号 2026017" in head.text) == (name == "小糖")
        assert len(head.all("span", class_="line")) == line_count


def test_own_papers_are_for_those_who_have_the_assignment(
    term: Term, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for the rest of the class, nor for whoever is excused; a class is printed in one go, unless it is
    larger than any."""
    for number in range(2, 11):
        join_new(browser(term.client), code_of(term.teacher, term.classroom), f"同学{number}")
    assignment_url = with_practice(term)
    own = f"{assignment_url}/paper?versions=own"
    assert len(stems(term, own)) == 10, "everyone has it"
    text = term.teacher.open(own).main.text
    assert ("一共10份，都在这一页" in text, "第2批" in text) == (True, False)
    monkeypatch.setattr(papers, "STUDENTS_PER_PAGE", 8)
    assert len(stems(term, own)) == 8
    text = term.teacher.open(own).main.text
    assert ("都在这一页" in text, "第2批" in text) == (False, True)
    assert len(stems(term, f"{own}&page=2")) == 2
    enrolment_rows = term.ledger.rows("SELECT id FROM enrolment ORDER BY id")
    enrolment_ids = [str(enrolment_id) for (enrolment_id,) in enrolment_rows]
    form = term.teacher.open(assignment_url).form(f"{assignment_url}/settings")
    term.teacher.submit(form, "发布给", everyone="no", student=enrolment_ids[:2])
    assert names_on_papers(term, own) == ["小糖", "同学2"]
    assert names_on_papers(term, f"{own}&page=2") == ["小糖", "同学2"], "there is one page only"
    for enrolment_id in enrolment_ids[:2]:
        cell = f"{assignment_url}/students/{enrolment_id}"
        page = term.teacher.open(cell)
        names = names_on_papers(term, own)
        term.teacher.submit(page.form(f"{cell}/excuses"), reason="病假")
        assert names_on_papers(term, own) == names[1:]
    assert "没有要做的人" in term.teacher.open(own).main.text


def names_on_papers(term: Term, path: str) -> list[str]:
    papers = term.teacher.open(path).main.all("section", class_="paper")
    titles = [paper.one("span", class_="of-all").text for paper in papers]
    return [title.partition("，")[0] for title in titles]


def test_the_key_gives_words_the_points_that_the_sheet_offers(term: Term) -> None:
    """Whoever writes gets them on the site: nobody judges the words."""
    page = term.teacher.open(f"{term.draft('why-best-swap')}/paper")
    assert "2分" in page.main.one("section", class_="paper").text
    key = page.main.one("section", class_="sheet-key").text
    assert "写了就得2分" in key
    assert "不计分" not in key


def test_a_paper_says_where_several_answers_may_be_right(term: Term) -> None:
    """As the page does: the question itself need not."""
    assert "可以选不止一项" in stems(term, f"{term.draft('cmp-photo-blind')}/paper")[0][0]
    assert "可以选不止一项" not in stems(term, f"{term.draft('cmp-duel-why')}/paper")[0][0]


def test_marks_on_paper_have_a_column_to_be_typed_into(term: Term) -> None:
    assignment_url = with_practice(term)
    form = f"{assignment_url.partition('/assignments')[0]}/gradebook/columns"
    page = term.teacher.submit(term.teacher.open(f"{assignment_url}/paper").form(form))
    assert "第一周（纸）" in page.main.text
    assert "按学号贴一张表" in page.main.text


def test_marks_on_paper_go_into_the_column_that_a_published_assignment_has(term: Term) -> None:
    """With a column of their own the work would be missing in its own, and count twice."""
    assignment_url = with_practice(term)
    term.publish(assignment_url)
    page = term.teacher.open(f"{assignment_url}/paper")
    class_url = assignment_url.partition("/assignments")[0]
    assert not page.main.all("form", action=f"{class_url}/gradebook/columns")
    assert f"{assignment_url}/paper-marks" in [link["href"] for link in page.main.all("a")]


def test_versions_mix_their_questions_where_that_is_wanted(term: Term) -> None:
    """The first version stays as it is; the same order at every print, with as many questions."""
    assignment_url = term.draft()
    for exercise in ("dcg", "term", "gain", "discount", "cg", "idcg"):
        fields = [("kind", "practice"), ("ref", f"content:{exercise}"), ("level", "1"), ("same", "yes")]
        term.teacher.post(f"{assignment_url}/parts", [*fields, ("count", "1"), ("points", "1")])
    plain, mixed = f"{assignment_url}/paper?versions=2", f"{assignment_url}/paper?versions=2&mix=yes"
    first, second = stems(term, plain)
    assert first == second, "numbers and order"
    assert stems(term, mixed)[0] == first
    other_order = stems(term, mixed)[1]
    assert other_order != first
    assert sorted(other_order) == sorted(first)
    assert stems(term, mixed)[1] == other_order
    keys = [key.text for key in term.teacher.page.main.all("section", class_="sheet-key")]
    assert ["原第" in key for key in keys] == [False, True]
    assert "顺序也打乱" not in term.teacher.open(f"{assignment_url}/paper?versions=own&mix=yes").main.text


def test_a_paper_says_how_to_round(term: Term) -> None:
    """As the site does: its key takes no other decimals."""
    sheet = term.teacher.open(f"{term.draft(NUMERIC, 'dcg-by-hand', 'cmp-duel-why')}/paper").main
    conventions = [convention.text for convention in sheet.all("p", class_="convention")]
    assert len(conventions) == 2, "nothing is rounded where one chooses"
    assert conventions[0].endswith("。写整数。")
    assert conventions[1].endswith("。四舍五入到3位小数；用折损表上的数来算也可以。")


@pytest.mark.parametrize("items", [("discount-at-3", "dcg-by-hand"), ("dcg-by-hand", "discount-at-3")])
def test_the_table_of_a_paper_gives_no_answer_away(term: Term, items: tuple[str, str]) -> None:
    """Wherever the question for a weight stands, the logs alone lie beside it."""
    assert term.teacher.open(f"{term.draft('dcg-by-hand')}/paper").main.all("div", aria_label="折损表")
    sheet = term.teacher.open(f"{term.draft(*items)}/paper").main.one("section", class_="paper")
    [table] = sheet.all("div", class_="sheet-row")
    assert table["aria-label"] == "对数表"
    assert "0.500" not in table.text


def test_the_key_calls_no_number_wrong_that_it_accepts(term: Term) -> None:
    """0.972 is a mistake of two that comes out close enough to be right."""
    key = term.teacher.open(f"{term.draft('ltr-swap-head')}/paper").main.one("section", class_="sheet-key")
    assert "0.9720到0.9730都算对" in key.text
    assert "0.972" not in [number.text for number in key.one("ul", class_="paper-wrong").all("b")]


def test_the_key_shows_wrong_numbers_as_a_pupil_writes_them(term: Term) -> None:
    """The answer is whole; what a discount makes of it is not."""
    item = term.course.items[NUMERIC]
    assert isinstance(item, Numeric)
    wrong = engine.predictions(item.question.engine_question)
    key = term.teacher.open(f"{term.draft(NUMERIC)}/paper").main.one("section", class_="sheet-key").text
    assert f"{wrong['discount_not_asked']:.3f} 不该打折却打了折" in key
    assert f"{wrong['mean_not_sum']:.0f} 求和做成了求平均" in key


def test_own_papers_never_promise_an_address_of_this_machine_alone(term: Term) -> None:
    """Their codes would lead the phones of students nowhere; versions have no code."""
    assignment_url = with_practice(term)
    warned = []
    for versions in ("own", "2"):
        for headers in ({}, {"host": "127.0.0.1:8000"}):
            answer = term.teacher.client.get(f"{assignment_url}/paper?versions={versions}", headers=headers)
            warned.append(bool(Page(answer).main.all("p", class_="loopback")))
    assert warned == [False, True, False, False]
