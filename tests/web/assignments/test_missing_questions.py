"""Questions of own content that are gone: no assignment begins with them in silence."""

from tests.web.authoring.own_texts import write
from tests.web.cast import Page
from tests.web.taught import Term

TWO = """\
title: 小测
skill: dcg
items:
  first: {stem: 越甜越靠前，对吗？, answer: true}
  second: {stem: 第一名打折，对吗？, answer: false}
"""
ONE = TWO.partition("  second:")[0]
GONE_WORDS = "第2题已经不在了"


def draft_of_two(term: Term) -> str:
    write(term.teacher, TWO)
    assignment_url = term.draft()
    for item_id in ("first", "second"):
        fields = [("kind", "item"), ("ref", f"own-1:{item_id}"), ("points", "2")]
        assert term.teacher.post(f"{assignment_url}/parts", fields).status_code == 200
    return assignment_url


def save(term: Term, text: str, status: int = 200) -> Page:
    return term.teacher.submit(term.teacher.open("/own/1").form("/own/1", "存"), text=text, status=status)


def press_publish(term: Term, assignment_url: str, status: int = 200) -> Page:
    form = term.teacher.open(assignment_url).form(f"{assignment_url}/settings")
    return term.teacher.submit(form, "发布给", status=status)


def close(term: Term, assignment_url: str) -> None:
    assert term.teacher.post(f"{assignment_url}/closings", []).status_code == 200


def test_an_assignment_with_a_question_that_is_gone_is_not_published(term: Term) -> None:
    assignment_url = draft_of_two(term)
    save(term, ONE)
    page = press_publish(term, assignment_url, status=422)
    assert GONE_WORDS in page.main.text
    assert term.ledger.rows("SELECT published_at FROM assignment") == [(None,)]
    save(term, TWO)
    press_publish(term, assignment_url)
    assert GONE_WORDS not in term.teacher.page.main.text


def test_whoever_opens_it_again_reads_which_question_is_gone(term: Term) -> None:
    assignment_url = draft_of_two(term)
    press_publish(term, assignment_url)
    close(term, assignment_url)
    save(term, ONE)
    assert GONE_WORDS not in term.teacher.open(assignment_url).main.text, "it is over"
    form = term.teacher.page.form(f"{assignment_url}/closings")
    term.teacher.submit(form)
    assert GONE_WORDS in term.teacher.open(assignment_url).main.text
    path = "/assignments/1"
    term.begin(path)
    question_text = term.student.open(f"{path}/questions/2").main.text
    assert "这道题不在了" in question_text
    assert "正在改" not in question_text


def test_what_a_draft_asks_is_not_deleted(term: Term) -> None:
    """It would be gone there, and come back in the hands of nobody once it was published."""
    assignment_url = draft_of_two(term)
    page = term.teacher.submit(term.teacher.open("/own/1").form("/own/1/deletions"), status=422)
    error_text = page.by_id("own-error").text
    assert "草稿“第一周”（高一3班）" in error_text
    term.teacher.submit(term.teacher.open(assignment_url).form(f"{assignment_url}/removals"))
    term.teacher.submit(term.teacher.open("/own/1").form("/own/1/deletions"))
    term.teacher.open("/own/1", status=404)
