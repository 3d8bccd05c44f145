"""A section of own content to which its teacher adds a question while it is assigned."""

import pytest

from tests.web.authoring.own_texts import write
from tests.web.taught import Term

SECTION = """\
title: 课
skill: dcg
items:
  s1: {stem: 越甜越靠前，对吗？, answer: true}
  s2: {stem: 第一名打折，对吗？, answer: false}
sections:
  first:
    title: 先学
    steps:
      - say: 看。
      - ask: s1
"""
GROWN = SECTION + "      - ask: s2\n"


def assign_section(term: Term) -> tuple[str, str]:
    """The addresses of own content and of an assignment of its section."""
    own = write(term.teacher, SECTION)
    assignment_url = term.draft()
    fields = [("kind", "section"), ("ref", "own-1:own/first"), ("points", "3"), ("count", "1")]
    assert term.teacher.post(f"{assignment_url}/parts", fields).status_code == 200
    term.publish(assignment_url)
    return own, assignment_url


def learn_section(term: Term, own: str, is_answered: bool = True) -> None:
    term.student.open(f"{own}/lessons/first")
    term.student.go_on()
    term.student.open(f"{own}/lessons/first?step=2")
    if is_answered:
        term.student.answer("s1", "true")
        term.student.open(f"{own}/lessons/first?step=2")
    term.student.go_on()


@pytest.mark.parametrize(("is_answered", "points"), [(True, 3.0), (False, None)])
def test_whoever_was_through_keeps_the_points_when_a_question_is_added(
    term: Term, is_answered: bool, points: float | None
) -> None:
    """What it asked then is still needed."""
    own, assignment_url = assign_section(term)
    learn_section(term, own, is_answered)
    term.teacher.submit(term.teacher.open(own).form(own, "存"), text=GROWN)
    is_done = "完成了" in term.student.open("/assignments/1").main.text
    assert is_done == is_answered
    term.teacher.open(assignment_url)
    term.teacher.submit(term.teacher.page.form(f"{assignment_url}/collections"))
    stored_points = [stored for (stored,) in term.ledger.rows("SELECT points FROM submission")]
    assert stored_points == ([] if points is None else [points])


def test_whoever_comes_later_answers_the_question_too(term: Term) -> None:
    own, _ = assign_section(term)
    term.teacher.submit(term.teacher.open(own).form(own, "存"), text=GROWN)
    learn_section(term, own)
    assert "还没做" in term.student.open("/assignments/1").main.text
    term.student.open(f"{own}/lessons/first?step=3")
    term.student.go_on()
    assert "还没做" in term.student.open("/assignments/1").main.text
    term.student.open(f"{own}/lessons/first?step=3")
    term.student.answer("s2", "false")
    assert "完成了" in term.student.open("/assignments/1").main.text
