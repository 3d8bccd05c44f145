"""Picking items: looked for by words, kind, level and whether the class has met them; a page at a time."""

from typing import Any
from urllib.parse import urlencode

import pytest

from app.web.assignments.item_search import PAGE_LENGTH
from tests.web.assignments.own_models import MODELS, ticks
from tests.web.authoring.own_texts import write
from tests.web.cast import Page
from tests.web.pages import button, filled
from tests.web.taught import Term


def rows(page: Page) -> list[str]:
    return [row.text for row in page.main.one("ul", class_="pick-list").all("li")]


def test_words_are_looked_for_everywhere_and_ones_own_come_first(term: Term) -> None:
    write(
        term.teacher,
        MODELS + "  both:\n    stem: 选出DCG？\n    options: [{text: 是, right: true}, ＢＭ25]\n",
    )
    assignment_url = term.draft()
    page = term.teacher.open(f"{assignment_url}/items?q=bm25&skill=all")
    assert ticks(page) == ["own-1:weight", "own-1:both"]
    form = page.form(f"{assignment_url}/parts", "加进")
    buttons = [control.text for control in form.controls if control.tag == "button"]
    assert buttons == ["找", "加进作业"], "Enter presses the first one"
    page = term.teacher.open(f"{assignment_url}/items?q=DCG")
    assert ticks(page)[0] == "own-1:both"
    assert len(ticks(page)) > 1
    page = term.teacher.open(f"{assignment_url}/items?q=bm25&item_kind=true_false")
    assert ticks(page) == ["own-1:weight"]
    page = term.teacher.open(f"{assignment_url}/items?q=bm25+没有这样的词")
    assert ticks(page) == []
    assert "没有这样的题" in page.main.text
    page = term.teacher.open(f"{assignment_url}/items?q=bm25&skill=own-1:bm25&tried=x&item_level=9&page=zz")
    assert ticks(page) == ["own-1:weight", "own-1:both"], "what makes no sense is passed over"


def looked_for(term: Term, page: Page, assignment_url: str, label: str, **typed: Any) -> Page:
    """The page that a button of the form leads to which asks for another list."""
    form = page.form(f"{assignment_url}/parts", "加进")
    pressed = button(form, label)
    assert (pressed["formmethod"], pressed["formaction"]) == ("get", f"{assignment_url}/items")
    return term.teacher.open(f"{assignment_url}/items?{urlencode(filled(form, pressed, **typed))}")


def test_the_form_looks_everywhere_until_a_point_is_chosen(term: Term) -> None:
    write(term.teacher, MODELS)
    assignment_url = term.draft()
    page = term.teacher.open(f"{assignment_url}/items")
    assert ticks(page)[:2] == ["own-1:weight", "own-1:saturation"], "one's own are at hand"
    assert ticks(looked_for(term, page, assignment_url, "找", q="bm25")) == ["own-1:weight"]
    page = term.teacher.open(f"{assignment_url}/items?skill=dcg")
    assert ticks(looked_for(term, page, assignment_url, "找", q="bm25")) == []


def test_what_is_ticked_goes_along_to_another_list(term: Term) -> None:
    assignment_url = term.draft()
    page = term.teacher.open(f"{assignment_url}/items?skill=dcg")
    first, second = ticks(page)[:2]
    page = looked_for(term, page, assignment_url, "找", ref=[first, second], points="3", skill="ndcg")
    assert {first, second}.isdisjoint(ticks(page)[2:])
    assert ticks(page)[:2] == [first, second], "so that the ticks can be taken out again"
    page = looked_for(
        term, page, assignment_url, "找", ref=[first], drawn="content:dcg/2", skill="dcg", item_level=""
    )
    form = page.form(f"{assignment_url}/parts", "加进")
    fields = filled(form)
    assert [text for name, text in fields if name in ("ref", "drawn")] == ["content:dcg/2", first]
    term.teacher.submit(form, "加进")
    rows_of_parts = term.ledger.rows("SELECT ref, level, points FROM assignment_part ORDER BY ref")
    assert rows_of_parts == [("content:dcg", 2, 3.0), (first, 0, 3.0)]


def test_what_exercises_draw_is_found_by_its_level_and_put_in_with_it(term: Term) -> None:
    assignment_url = term.draft()
    page = term.teacher.open(f"{assignment_url}/items?item_level=2&skill=dcg")
    assert ticks(page) == []
    drawn = [box["value"] for box in page.main.all("input", name="drawn")]
    assert "content:dcg/2" in drawn
    assert all(choice.endswith("/2") for choice in drawn)
    fields = [("kind", "item"), ("skill", "dcg"), ("drawn", "content:dcg/2"), ("points", "3")]
    term.teacher.post(f"{assignment_url}/parts", fields)
    rows_of_parts = term.ledger.rows("SELECT kind, ref, level, points FROM assignment_part")
    assert rows_of_parts == [("practice", "content:dcg", 2, 3.0)]
    page = term.teacher.open(f"{assignment_url}/items?item_level=2&skill=dcg")
    assert any("已经在作业里" in row for row in rows(page))
    for choice in ("content:dcg/9", "content:none/2", "dcg"):
        fields = [("kind", "item"), ("skill", "dcg"), ("q", "dcg"), ("drawn", choice), ("points", "1")]
        page = Page(term.teacher.post(f"{assignment_url}/parts", fields))
        assert "课程里没有" in page.by_id("pick-error").text
        assert page.main.one("input", name="q", type="search")["value"] == "dcg"


@pytest.mark.both_databases
def test_what_the_class_has_met_is_told_and_can_be_left_out(term: Term) -> None:
    path = write(term.teacher, MODELS)
    assignment_url = term.draft()
    term.teacher.post(
        f"{assignment_url}/parts", [("kind", "item"), ("ref", "own-1:saturation"), ("points", "2")]
    )
    assignment = term.publish(assignment_url)
    term.begin(assignment)
    term.answer(assignment, 1, ["饱和"])
    term.hand_in(assignment)
    new_draft = term.draft()
    page = term.teacher.open(f"{new_draft}/items?skill=own-1:bm25&tried=yes")
    assert ticks(page) == ["own-1:saturation"]
    assert "班里1人做过" in rows(page)[0]
    page = term.teacher.open(f"{new_draft}/items?skill=own-1:bm25&tried=no")
    assert ticks(page) == ["own-1:weight"]
    assert "公开" not in rows(page)[0]
    term.teacher.submit(term.teacher.open(path).form(f"{path}/shares", "开"))
    page = term.teacher.open(f"{new_draft}/items?skill=own-1:bm25")
    assert "公开：有链接的人都能看到" in rows(page)[0]


def test_what_exercises_draw_is_told_as_met_where_it_is_found_and_where_it_is_ticked(term: Term) -> None:
    assignment_url = term.draft()
    fields = [("kind", "item"), ("skill", "dcg"), ("drawn", "content:dcg/2"), ("points", "3")]
    term.teacher.post(f"{assignment_url}/parts", fields)
    assignment = term.publish(assignment_url)
    term.begin(assignment)
    term.answer(assignment, 1, ["1"])
    term.hand_in(assignment)
    new_draft = term.draft()
    page = term.teacher.open(f"{new_draft}/items?item_level=2&skill=dcg&tried=yes")
    assert [box["value"] for box in page.main.all("input", name="drawn")] == ["content:dcg/2"]
    assert "班里1人做过" in rows(page)[0]
    page = term.teacher.open(f"{new_draft}/items?skill=ndcg&drawn=content:dcg/2")
    assert page.main.all("input", name="drawn")[0]["value"] == "content:dcg/2"
    assert "班里1人做过" in rows(page)[0]


def test_a_page_is_as_long_as_somebody_reads(term: Term) -> None:
    assignment_url = term.draft()
    items = "".join(f"  q{number}:\n    stem: 第{number}题？\n    answer: true\n" for number in range(45))
    write(term.teacher, f"title: 多\nskill: dcg\nitems:\n{items}")
    page = term.teacher.open(f"{assignment_url}/items?q=题？&item_kind=true_false")
    choices = ticks(page)
    assert len(choices) == PAGE_LENGTH
    while "下一页" in page.main.text:
        page = looked_for(term, page, assignment_url, "下一页")
        choices += ticks(page)
        assert len(ticks(page)) <= PAGE_LENGTH
    own = [f"own-1:q{number}" for number in range(45)]
    assert choices[:45] == own
    assert len(set(choices)) == len(choices)
    assert ticks(term.teacher.open(f"{assignment_url}/items?q=题？&item_kind=true_false&page=99")) == ticks(
        page
    )
