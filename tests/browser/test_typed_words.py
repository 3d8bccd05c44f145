"""What was typed and not sent is still there, whatever else was pressed on the page."""

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from app.course import Course
from tests.browser.assigned import begin, join, posted_draft, publish
from tests.browser.conftest import Visit
from tests.browser.learner import wrong_answer
from tests.browser.school import new_class
from tests.browser.watch import UNREADABLE, Watch

NUMERIC = "cg-chengdu"


def begun_at_once(visit: Visit, invitations: list[str], course: Course, item_id: str, script: bool) -> Page:
    """The first of two questions that are marked at once."""
    teacher = new_class(visit(), invitations)
    student = join(visit, course, teacher, "小留", java_script_enabled=script)
    posted_draft(teacher, item_id, item_id)
    teacher.select_option("#s-answers", "at_once")
    teacher.select_option("#s-tries", "3")
    teacher.get_by_role("button", name="存下时间和规矩").click()
    publish(teacher)
    begin(student)
    return student.page


@pytest.mark.parametrize("script", [True, False])
def test_a_question_marked_at_once_keeps_what_was_not_sent(
    visit: Visit, invitations: list[str], course: Course, script: bool
) -> None:
    page = begun_at_once(visit, invitations, course, NUMERIC, script)
    typed = page.locator("[name=answer]")
    number_links = page.locator("#rail a.bead" if script else "button.bead")
    role: Literal["link", "button"] = "link" if script else "button"
    ways = [page.get_by_role(role, name="下一题"), number_links.nth(1)]
    for text, way in enumerate(ways, 31):
        typed.fill(str(text))
        way.click()
        page.wait_for_url("**/questions/2")
        expect(page.locator(".bead.unsent")).not_to_have_count(0)
        expect(typed).to_have_value("")
        page.get_by_role(role, name="上一题").click()
        page.wait_for_url("**/questions/1")
        expect(typed).to_have_value(str(text))
        expect(page.locator(".error")).to_have_count(0)


def test_a_try_that_was_refused_or_wrong_is_left_with_what_was_typed_since(
    visit: Visit, invitations: list[str], course: Course, watch: Watch
) -> None:
    watch.announce(UNREADABLE)
    page = begun_at_once(visit, invitations, course, NUMERIC, True)
    question_url = page.url
    typed = page.locator("[name=answer]")
    for text, message in (("十来颗", "认不出"), (wrong_answer(course, NUMERIC)[0], "再答一次")):
        typed.fill(text)
        page.locator("[data-answer]").click()
        expect(page.locator("#question-1")).to_contain_text(message)
        page.get_by_text("去交卷").click()
        page.wait_for_url("**/hand-in")
        page.goto(question_url)
        expect(typed).to_have_value(text)
    typed.fill("5")
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(typed).to_have_value("5")
    expect(page.locator("#question-1 .hints, #question-1 .bubble").first).to_be_visible()
