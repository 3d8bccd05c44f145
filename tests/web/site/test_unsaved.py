"""Who leaves a long form with words that were not sent is asked first: one rule for all of them."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tables import each
from tests.web.authoring.own_texts import SMALL
from tests.web.cast import Page, Reader
from tests.web.taught import Term

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
FORM_PATTERN = re.compile(r"<form\b.*?</form>", re.DOTALL)
KEPT = ("items/_item.html",)
"""What is written into a question is there again after it was left."""
FORMS_OF_TEMPLATES = [
    (path.relative_to(TEMPLATES).as_posix(), form)
    for path in sorted(TEMPLATES.rglob("*.html"))
    for form in FORM_PATTERN.findall(path.read_text("utf-8"))
    if "<textarea" in form
]


@each(("name", "form"), FORMS_OF_TEMPLATES)
def test_each_form_of_several_lines_asks_who_leaves(name: str, form: str) -> None:
    assert ("{{ unsaved(" in form[:90]) != (name in KEPT)


LONG_LIST = "".join(f"doc{rank} {rank % 4}\n" for rank in range(400))
ROSTER = "姓名,学号\n陈一诺,3\n"
FAULTY_ROSTER = ROSTER + ",4\n"


def look_at_card(term: Term) -> Page:
    form = term.student.open("/cards/new").form("/cards/own")
    return term.student.submit(form, "先看看", front="折损是什么？", back="名次越靠后，留下的越少。")


def look_at_kept_card(term: Term) -> Page:
    form = term.student.open("/cards/new").form("/cards/own")
    term.student.submit(form, "记下来", front="折损是什么？", back="名次越靠后，留下的越少。")
    edit_path = f"{term.student.page.path}/edit"
    form = term.student.open(edit_path).form(edit_path)
    return term.student.submit(form, "先看看", back="除以log2。")


def look_at_card_table(term: Term) -> Page:
    form = term.student.open("/cards/files").form("/cards/imports")
    return term.student.submit(form, text="折损,名次越靠后，留下的越少\n增益,甜度值多少")


def count_long_list(term: Term) -> Page:
    return term.student.submit(term.student.open("/workbench").by_id("workbench-form"), list=LONG_LIST)


def count_unreadable_list(term: Term) -> Page:
    form = term.student.open("/workbench").by_id("workbench-form")
    return term.student.submit(form, status=422, list="3 2\n很甜")


def look_at_roster(term: Term, roster: str, status: int) -> Page:
    class_url = f"/classrooms/{term.classroom}"
    form = term.teacher.open(f"{class_url}/roster").form(f"{class_url}/roster-previews")
    return term.teacher.submit(form, status=status, text=roster)


def look_at_good_roster(term: Term) -> Page:
    return look_at_roster(term, ROSTER, 200)


def look_at_faulty_roster(term: Term) -> Page:
    return look_at_roster(term, FAULTY_ROSTER, 422)


def import_good_lines(term: Term) -> Page:
    page = look_at_faulty_roster(term)
    return term.teacher.submit(page.form(f"/classrooms/{term.classroom}/roster"))


def look_at_unread_marks(term: Term) -> Page:
    paper_marks_url = f"{term.draft('cg-chengdu')}/paper-marks"
    term.publish(paper_marks_url.removesuffix("/paper-marks"))
    form = term.teacher.open(paper_marks_url).form(f"{paper_marks_url}/lists")
    return term.teacher.submit(form, text="没有这个人 5")


def look_at_own_content(term: Term) -> Page:
    return term.teacher.submit(term.teacher.open("/own/new").by_id("own-write"), "预览", text=SMALL)


def look_at_pasted_questions(term: Term) -> Page:
    form = term.teacher.open("/own/pastes").by_id("paste")
    return term.teacher.submit(form, "看一看", text="1. NDCG可以大于1。（×）")


@pytest.mark.parametrize(
    "look",
    [
        look_at_card,
        look_at_kept_card,
        look_at_card_table,
        count_long_list,
        count_unreadable_list,
        look_at_good_roster,
        look_at_faulty_roster,
        import_good_lines,
        look_at_unread_marks,
        look_at_own_content,
        look_at_pasted_questions,
    ],
)
def test_what_came_back_from_a_look_is_not_left_unasked(term: Term, look: Callable[[Term], Page]) -> None:
    """It stands on no page that has an address. Where an answer shows what was sent as it was, each test that
    fills in a form looks for that: `expect_leaving_is_asked`."""
    page = look(term)
    filled_forms = [form for form in page.main.all("form") if any(area.text for area in form.all("textarea"))]
    assert filled_forms
    assert page.main.all("form", data_unsaved="yes")


def test_what_an_address_shows_again_is_left(guest: Reader) -> None:
    form = guest.open("/workbench").by_id("workbench-form")
    assert guest.submit(form, list="3 2 0").by_id("workbench-form")["data-unsaved"] == ""


def test_what_a_form_takes_along_is_sent_with_it(term: Term) -> None:
    """Who confirms what a page shows does not leave it."""
    page = look_at_faulty_roster(term)
    assert "data-carries" in page.form(f"/classrooms/{term.classroom}/roster").attributes
    assert "data-carries" in count_long_list(term).by_id("state-form").attributes
    assert "data-carries" not in count_unreadable_list(term).by_id("state-form").attributes
