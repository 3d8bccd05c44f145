"""An option that was chosen is no longer there: people read words, never the id that the program gave it."""

import re

import pytest

from tests.web.taught import Term

CHOICE = """\
title: 小测
skill: dcg
items:
  first:
    stem: 第3位打几折？
    options:
      - {text: 五折, right: true}
      - 七折
      - 三折
"""
OTHER_OPTIONS = CHOICE.replace("七折", "八折").replace("三折", "九折")
FILL = """\
title: 小测
skill: dcg
items:
  first:
    stem: 第3位打____折。
    blanks: [五]
"""
PROGRAM_ID = re.compile(r"\bo[0-9a-f]{7}\b")


def chosen(term: Term, answers: str = "handed_in") -> str:
    """The path to an assignment in which 小糖 has chosen 七折."""
    term.teacher.open("/own/new")
    term.teacher.submit(term.teacher.page.form("/own", "存"), text=CHOICE)
    draft_path = term.draft()
    part = [("kind", "item"), ("ref", "own-1:first"), ("points", "2")]
    assert term.teacher.post(f"{draft_path}/parts", part).status_code == 200
    term.set_up(draft_path, answers=answers)
    path = term.publish(draft_path)
    term.begin(path)
    term.student.open(f"{path}/questions/1")
    [label] = [label for label in term.student.page.main.all("label") if "七折" in label.text]
    term.answer(path, 1, [label.one("input")["value"]])
    return path


def save_text(term: Term, own_text: str) -> None:
    term.teacher.submit(term.teacher.open("/own/1").form("/own/1", "存"), text=own_text)


@pytest.mark.parametrize("own_text", [OTHER_OPTIONS, FILL])
def test_what_was_saved_is_said_in_words(term: Term, own_text: str) -> None:
    path = chosen(term)
    save_text(term, own_text)
    page = term.student.open(f"{path}/questions/1")
    assert not PROGRAM_ID.search(page.main.text)
    assert not [element for element in page.main.all("input", type="text") if element["value"]]
    assert "交卷前改一改" in page.main.text
    result_text = term.hand_in(path).main.text
    assert "的是“后来改掉的一项”" in result_text
    [(enrolment_id,)] = term.ledger.rows("SELECT id FROM enrolment")
    cell_text = term.teacher.open(f"{term.all}/1/students/{enrolment_id}").main.text
    assert "没有判：后来改掉的一项" in cell_text
    for text in (result_text, cell_text):
        assert not PROGRAM_ID.search(text)


def test_the_figures_of_a_question_name_no_id(term: Term) -> None:
    path = chosen(term)
    term.hand_in(path)
    save_text(term, OTHER_OPTIONS)
    text = term.teacher.open(f"/classrooms/{term.classroom}/items?assignment=1").main.text
    assert "最常见的错 后来改掉的一项" in text
    assert not PROGRAM_ID.search(text)


def test_an_answer_from_an_older_page_is_refused_in_words(term: Term) -> None:
    path = chosen(term)
    form = term.student.open(f"{path}/questions/1").form(f"{path}/questions/1/responses")
    save_text(term, OTHER_OPTIONS)
    [(saved_json,)] = term.ledger.rows("SELECT raw FROM saved_answer")
    page = term.student.submit(form, answer=[saved_json.strip('[]"')])
    assert not PROGRAM_ID.search(page.main.text)


def test_a_section_that_nobody_wrote_is_named_by_its_number(term: Term) -> None:
    term.teacher.open("/own/new")
    term.teacher.submit(term.teacher.page.form("/own", "存"), text=CHOICE)
    draft_path = term.draft()
    section = [("kind", "section"), ("ref", "own-1:own/part-1"), ("points", "3"), ("count", "1")]
    assert term.teacher.post(f"{draft_path}/parts", section).status_code == 200
    term.publish(draft_path)
    with_sections = CHOICE + "sections:\n  one:\n    title: 先学\n    steps:\n      - say: 看。\n"
    page = term.teacher.open("/own/1")
    page = term.teacher.submit(page.form("/own/1", "存"), text=with_sections, status=422)
    assert "还在用没写sections时自动排的第1组，这里没有了" in page.by_id("own-error").text
    assert "part-1" not in page.by_id("own-error").text
