"""Cards of own content: whoever takes them has cards of their own, so that no assignment can count them."""

from tests.web.assignments.drafting import FUTURE, draft_of_own_cards
from tests.web.authoring.own_texts import write
from tests.web.taught import Term

WITH_CARD = """\
title: 有卡片的课
skill: dcg
cards:
  c1: {front: 糖, back: 甜}
items:
  s1: {stem: 越甜越靠前，对吗？, answer: true}
"""
UNCOUNTED_WORDS = "这一项给大家都算完成"


def test_cards_of_own_content_are_neither_offered_nor_taken(term: Term) -> None:
    write(term.teacher, WITH_CARD)
    assignment_url = term.draft()
    offered_refs = [
        option["value"] for option in term.teacher.open(assignment_url).by_id("cards-ref").all("option")
    ]
    assert offered_refs
    assert not [ref for ref in offered_refs if ref.startswith("own-")]
    fields = [("kind", "cards"), ("ref", "own-1:own"), ("points", "2"), ("count", "1")]
    assert term.teacher.post(f"{assignment_url}/parts", fields).status_code == 422
    assert term.ledger.rows("SELECT ref FROM assignment_part") == []


def test_a_goal_of_own_cards_costs_nobody_points_and_its_teacher_reads_why(term: Term) -> None:
    write(term.teacher, WITH_CARD)
    assignment_url = draft_of_own_cards(term)
    fields = [("kind", "item"), ("ref", "own-1:s1"), ("points", "2")]
    assert term.teacher.post(f"{assignment_url}/parts", fields).status_code == 200
    parts_text = term.teacher.open(assignment_url).by_id("parts").text
    assert UNCOUNTED_WORDS in parts_text
    assert "请移走" in parts_text
    path = term.publish(assignment_url)
    student_text = term.student.open(path).main.text
    assert UNCOUNTED_WORDS in student_text
    assert "完成了" in student_text
    term.begin(path)
    term.answer(path, 1, ["true"])
    assert "4分" in term.hand_in(path).main.text
    assert term.ledger.rows("SELECT points FROM submission") == [(4.0,)]


def test_whoever_did_nothing_gets_no_paper_for_own_cards(term: Term) -> None:
    write(term.teacher, WITH_CARD)
    assignment_url = draft_of_own_cards(term)
    term.set_up(assignment_url, due=FUTURE)
    term.publish(assignment_url)
    term.teacher.open(assignment_url)
    term.teacher.submit(term.teacher.page.form(f"{assignment_url}/collections"))
    assert term.ledger.rows("SELECT count(*) FROM submission") == [(0,)]


def test_own_cards_of_an_open_assignment_may_leave_the_text(term: Term) -> None:
    own = write(term.teacher, WITH_CARD)
    term.publish(draft_of_own_cards(term))
    without_card = WITH_CARD.replace("cards:\n  c1: {front: 糖, back: 甜}\n", "")
    term.teacher.submit(term.teacher.open(own).form(own, "存"), text=without_card)
