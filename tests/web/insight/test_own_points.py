"""Knowledge points of a teacher's own on 知识点, 误区 and 题目: groups of their own, the course's unbent."""

import re

import pytest

from tests.web.assignments.own_models import MODELS
from tests.web.authoring.own_texts import write
from tests.web.cast import Page, wrong_answer
from tests.web.pages import Element
from tests.web.taught import Term

OWN_TEXT = MODELS + "  of-course:\n    skill: order-matters\n    stem: 先后有别吗？\n    answer: true\n"
"""Two items on a knowledge point of one's own, and one on a point of the course."""


def assignment_done(term: Term, refs: list[str], answers: list[str]) -> str:
    """An assignment of these items, done by the student; its address for the teacher."""
    address = term.draft()
    fields = [("ref", ref) for ref in refs]
    term.teacher.post(f"{address}/parts", [("kind", "item"), ("points", "2"), *fields])
    path = term.publish(address)
    term.begin(path)
    for number, answer in enumerate(answers, 1):
        term.answer(path, number, [answer])
    term.hand_in(path)
    return address


def groups(main: Element) -> dict[str, str]:
    """The sections of a page by their headings, without numbers that name addresses."""
    sections = {}
    for section in main.all("section"):
        if section.all("h2"):
            sections[section.all("h2")[0].text] = re.sub(r"\s+", " ", section.text)
    return sections


@pytest.mark.both_databases
def test_own_points_have_their_place_and_bend_nothing(term: Term) -> None:
    classroom = f"/classrooms/{term.classroom}"
    item = term.course.items["lucky-questions"]
    assignment_done(term, ["content:lucky-questions"], [*wrong_answer(item)])
    pages = ("map", "items", "mistakes")
    before = {page: groups(term.teacher.open(f"{classroom}/{page}").main) for page in pages}
    rows_before = [row.text for row in term.teacher.open(f"{classroom}/items").main.all("article")]
    write(term.teacher, OWN_TEXT)
    address = assignment_done(term, ["own-1:saturation", "own-1:weight"], ["归一", "true"])

    own_map = groups(term.teacher.open(f"{classroom}/map").main)
    assert "先要会：折损累计增益DCG" in own_map["自己的知识点 · 检索模型"]
    assert "0/1人站得住，做过的1人" in own_map["自己的知识点 · 检索模型"]
    assert {name: own_map[name] for name in before["map"]} == before["map"]

    page = term.teacher.open(f"{classroom}/items").main
    own_group = groups(page)["自己的知识点 · BM25"]
    assert "《检索模型》，先要会：折损累计增益DCG" in own_group
    assert "词频越高" in own_group
    rows = [row.text for row in page.all("article")]
    assert rows[: len(rows_before)] == rows_before
    assert len(rows) == len(rows_before) + 2
    in_order = term.teacher.open(f"{classroom}/items?assignment={address.rpartition('/')[2]}").main
    assert len(in_order.all("article")) == 2
    assert "自己的知识点" not in in_order.text, "an assignment is one test"

    for query in ("", f"?assignment={address.rpartition('/')[2]}", "?assignment=all"):
        own_mistakes = groups(term.teacher.open(f"{classroom}/mistakes{query}").main)["自己的知识点 · BM25"]
        assert "归一 k1管的是什么" in own_mistakes
        assert "1个人" in own_mistakes
        assert "小糖" in own_mistakes


def test_own_mistakes_stay_on_the_page_that_says_why_a_draft_was_refused(term: Term) -> None:
    write(term.teacher, OWN_TEXT)
    assignment_done(term, ["own-1:saturation"], ["归一"])
    response = term.teacher.client.post(f"/classrooms/{term.classroom}/remedies", data={"mistake": "log10"})
    assert response.status_code == 422
    main = Page(response).main
    assert "没有人犯过" in main.one("p", class_="error").text
    assert "归一" in groups(main)["自己的知识点 · BM25"]


def test_an_own_item_on_a_point_of_the_course_stands_among_its_questions(term: Term) -> None:
    write(term.teacher, OWN_TEXT)
    assignment_done(term, ["own-1:of-course"], ["false"])
    classroom = f"/classrooms/{term.classroom}"
    assert "自己的知识点" not in term.teacher.open(f"{classroom}/items").main.text
    assert "自己的知识点" not in term.teacher.open(f"{classroom}/mistakes").main.text
    own_map = term.teacher.open(f"{classroom}/map").main
    assert "还没有人做过：BM25" in groups(own_map)["自己的知识点 · 检索模型"]
