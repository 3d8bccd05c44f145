"""A bank of items, of which each student gets some: made, met, handed in, looked at."""

from typing import Any

import pytest

from app.course import Course
from tests.web.assignments.drafting import NUMERIC, press
from tests.web.cast import Page, right_answer
from tests.web.pages import filled
from tests.web.taught import Term


def make_bank(term: Term, address: str, count: str, status: int = 200) -> Page:
    page = term.teacher.open(address)
    members = [field["value"] for field in page.by_id("parts").all("input", name="member")]
    form = page.by_id("parts").one("form")
    return term.teacher.submit(form, "放进题池", status=status, member=members, asked=count)


ENTER = "按回车"


def test_enter_makes_the_bank_whose_number_is_typed_and_only_where_no_row_says_something_new(
    term: Term,
) -> None:
    page = term.teacher.open(term.draft(NUMERIC, NUMERIC, NUMERIC))
    members = [field["value"] for field in page.by_id("parts").all("input", name="member")]
    points: dict[str, Any] = dict.fromkeys(("points-1", "points-2", "points-3"), "3")
    page = term.teacher.submit(page.by_id("parts").one("form"), ENTER, member=members, asked="2", **points)
    assert "3题，满分9分" in page.by_id("parts-title").text, "the rows, and no bank"
    panel = page.by_id("parts").one("details", class_="banks")
    assert "还没放进题池" in panel.text
    location = page.response.history[0].headers["location"]
    assert location.endswith("#bank-count"), "where Enter was pressed"
    form = page.by_id("parts").one("form")
    assert [tag[1] for tag in filled(panel) if tag[0] in ("member", "asked")] == [*members, "2"]
    bad_points: dict[str, Any] = {"points-1": "三"}
    page = term.teacher.submit(form, ENTER, status=422, **bad_points)
    assert "分值写一个数" in page.by_id("parts-error").text
    page = term.teacher.submit(form, ENTER)
    assert "2题，满分6分" in page.by_id("parts-title").text


def test_a_row_is_set_without_making_the_bank_that_is_ticked(term: Term) -> None:
    page = term.teacher.open(term.draft(NUMERIC, NUMERIC, NUMERIC))
    form = page.by_id("parts").one("form")
    page = term.teacher.submit(form, "改好 第2题", member=["1", "2"], asked="1")
    assert "3题，满分6分" in page.by_id("parts-title").text
    panel = page.by_id("parts").one("details", class_="banks")
    assert "open" in panel.attributes
    assert [tag for tag in filled(panel) if tag[0] == "asked"] == [("asked", "1")]


@pytest.mark.parametrize("htmx", [False, True])
def test_what_is_ticked_for_a_bank_stays_while_rows_are_changed(term: Term, htmx: bool) -> None:
    assignment_url = term.draft(NUMERIC, NUMERIC, NUMERIC, NUMERIC)
    page = term.teacher.open(assignment_url)
    typed: dict[str, Any] = {"member": ["1", "3"], "asked": "1"}
    for path, label in (("2/moves", "↓"), ("2/swaps", "换一道"), ("2/removals", "移走")):
        page = press(term, page, f"{assignment_url}/parts/{path}", label, htmx=htmx, **typed)
        banks = page.by_id("parts").one("details", class_="banks")
        assert "open" in banks.attributes
        typed_fields = [field for field in filled(banks) if field[0] in typed]
        assert typed_fields == [("member", "1"), ("member", "3"), ("asked", "1")]
    form = term.teacher.open(assignment_url).by_id("parts").one("form")
    page = term.teacher.submit(form, "放进题池", **typed)
    assert not page.by_id("parts").all("input", name="member", checked=""), "it is made"


@pytest.mark.both_databases
def test_of_three_questions_each_student_gets_two(term: Term, course: Course) -> None:
    assignment_url = term.draft(NUMERIC, NUMERIC, NUMERIC)
    page = make_bank(term, assignment_url, "2")
    assert "2题，满分4分" in page.by_id("parts-title").text
    assert page.by_id("parts").text.count("题池1：3道里每人抽2道") == 6, (
        "on each row, and in the list to tick"
    )
    assert len(term.teacher.open(f"{assignment_url}/preview").by_id("rail").all("a")) == 3, (
        "a teacher sees all"
    )
    path = term.publish(assignment_url)
    assert "2道题，满分4分。题是抽的，和同学的不一定一样" in term.student.open(path).main.text
    term.begin(path)
    answer = right_answer(course.items[NUMERIC])
    term.answer(path, 1, answer)
    rail = term.student.page.by_id("rail")
    assert [link.text for link in rail.all("a")] == ["第 1 题，存好了", "第 2 题，没答"]
    term.student.open(f"{path}/questions/3", status=404)
    term.answer(path, 2, answer)
    page = term.hand_in(path)
    assert "4分，满分4分" in page.main.one("p", class_="score").text
    progress = term.teacher.open(assignment_url).by_id("progress")
    cell = term.teacher.open(progress.one("table").one("a")["href"])
    assert len(cell.main.all("b", class_="verdict")) == 2
    answered = [item for (item,) in term.ledger.rows("SELECT item FROM response ORDER BY id")]
    numbers = [int(ref.rpartition("#")[2]) for ref in answered]
    moved = [f"TA卷子上的第{place}题" for place, number in enumerate(numbers, 1) if place != number]
    assert [tag.text for tag in cell.main.all("span", class_="tag") if "卷子" in tag.text] == moved


def test_the_draw_is_refused_in_words_and_taken_back(term: Term) -> None:
    assignment_url = term.draft(NUMERIC, NUMERIC, NUMERIC)
    page = make_bank(term, assignment_url, "3", status=422)
    assert "抽的要比有的少" in page.by_id("parts-error").text
    assert page.by_id("parts").one("details")["open"] == ""
    assert "checked" in page.by_id("parts").all("input", name="member")[0].attributes
    assert "写一个整数" in make_bank(term, assignment_url, "两", status=422).by_id("parts-error").text
    page = make_bank(term, assignment_url, "1")
    assert "1题，满分2分" in page.by_id("parts-title").text
    press(term, page, f"{assignment_url}/parts/banks/1/removals")
    assert "3题，满分6分" in term.teacher.page.by_id("parts-title").text


def test_the_log_says_what_went_into_a_bank_and_out_of_it(term: Term) -> None:
    """From then on its page answered 500."""
    assignment_url = term.draft(NUMERIC, NUMERIC, NUMERIC)
    term.publish(assignment_url)
    page = make_bank(term, assignment_url, "2")
    audit_url = assignment_url.partition("/assignments/")[0] + "/audit"
    audit_lines = term.teacher.open(audit_url).main.one("ol", class_="audit").all("li")
    assert "第1项放进了题池1，每人抽2道" in audit_lines[0].text
    page = term.teacher.open(assignment_url)
    press(term, page, f"{assignment_url}/parts/banks/1/removals")
    audit_lines = term.teacher.open(audit_url).main.one("ol", class_="audit").all("li")
    assert "第3项拿出了题池，每人都做" in audit_lines[0].text
