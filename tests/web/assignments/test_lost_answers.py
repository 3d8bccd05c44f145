"""Saving another text says how many papers have an answer that nobody can read any more."""

import pytest

from tests.web.taught import Term

FILL = """\
title: 小测
skill: dcg
items:
  first:
    stem: 甲____乙
    blanks: [糖]
"""
TWO_BLANKS = FILL.replace("甲____乙", "甲____乙____").replace("[糖]", "[糖, 甜]")
LOST_WORDS = "有1份还没交的卷子，答过的题对不上了"


def assigned_path(term: Term) -> str:
    term.teacher.open("/own/new")
    term.teacher.submit(term.teacher.page.form("/own", "存"), text=FILL)
    draft_path = term.draft()
    part = [("kind", "item"), ("ref", "own-1:first"), ("points", "2")]
    assert term.teacher.post(f"{draft_path}/parts", part).status_code == 200
    term.set_up(draft_path, answers="handed_in")
    path = term.publish(draft_path)
    term.begin(path)
    return path


def text_after_saving(term: Term, own_text: str) -> str:
    page = term.teacher.open("/own/1")
    return term.teacher.submit(page.form("/own/1", "存"), text=own_text).main.text


def test_papers_whose_answers_no_longer_fit_are_counted(term: Term) -> None:
    path = assigned_path(term)
    term.answer(path, 1, ["糖"])
    assert LOST_WORDS in text_after_saving(term, TWO_BLANKS)
    assert "对不上了" not in text_after_saving(term, TWO_BLANKS.replace("小测", "测验")), "lost before"
    assert "对不上了" not in text_after_saving(term, FILL), "it fits again"


@pytest.mark.parametrize("typed_text", ["糖", ""])
def test_what_can_still_be_read_is_not_lost_nor_is_what_was_empty(term: Term, typed_text: str) -> None:
    path = assigned_path(term)
    term.answer(path, 1, [typed_text])
    own_text = TWO_BLANKS
    if typed_text:
        own_text = FILL.replace("[糖]", "[甜]")
    assert "对不上了" not in text_after_saving(term, own_text)


def test_a_paper_that_was_handed_in_is_not_counted(term: Term) -> None:
    path = assigned_path(term)
    term.answer(path, 1, ["糖"])
    term.hand_in(path)
    assert "对不上了" not in text_after_saving(term, TWO_BLANKS)
