"""A session of ten with two mistakes, by keyboard; and what it leaves behind."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.course import Course
from tests.browser.conftest import Visit
from tests.browser.learner import Learner, right_answer, wrong_answer
from tests.browser.looking import axe, fits

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
MISTAKES = (3, 8)


@pytest.mark.long
def test_ten_questions_with_two_mistakes_by_keyboard(visit: Visit, course: Course) -> None:
    page = visit(**DESK)
    page.goto("/practice/cg?level=1&seed=7")
    questions = set()
    for number in range(1, 11):
        assert page.url not in questions
        questions.add(page.url)
        answer(page, course, wrong=number in MISTAKES)
        expect(page.locator("#ahead .score")).to_contain_text(f"今天答了{number}道")
        if number in MISTAKES:
            expect(page.locator(".item .bubble.puzzled")).to_be_focused()
            press(page, page.get_by_role("link", name="换一道同类"))
        else:
            expect(page.locator(".item .bubble.pleased")).to_be_focused()
            press(page, page.get_by_role("link", name="再来一道"))
    page.goto("/mistakes")
    expect(page.locator(".mistake")).to_have_count(1)
    expect(page.locator(".mistake .wrongs > li")).to_have_count(len(MISTAKES))
    expect(page.locator(".mistake")).to_contain_text("再对1道就清掉")
    page.goto("/practice/map")
    expect(page.locator("#point-cg .point-state")).to_have_text(re.compile("在练|会了"))


def answer(page: Page, course: Course, wrong: bool) -> None:
    """Type the answer of the variant on the page, Enter."""
    form = page.locator("form.answer")
    item = form.locator("[name=item]").input_value()
    seed = int(form.locator("[name=seed]").input_value())
    raw = (wrong_answer if wrong else right_answer)(course, item, seed)
    field = form.locator("input[name=answer]:not([type=hidden])")
    field.focus()
    page.keyboard.type(raw[0])
    page.keyboard.press("Enter")
    expect(page.locator(f"#item-{item}")).to_have_class(re.compile("is-open" if wrong else "is-right"))
    expect(page.locator(".htmx-request, .htmx-added, .htmx-settling")).to_have_count(0)


def press(page: Page, link: Any) -> None:
    """Tab to a link, Enter."""
    for _ in range(30):
        page.keyboard.press("Tab")
        if link.evaluate("one => one === document.activeElement"):
            break
    before = page.url
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(before)


@pytest.mark.long
def test_ten_questions_with_two_mistakes_by_touch_without_a_script(visit: Visit, course: Course) -> None:
    page = visit(java_script_enabled=False, viewport={"width": 360, "height": 740}, has_touch=True)
    page.goto("/practice/cg?level=1&seed=7")
    for number in range(1, 11):
        answer(page, course, wrong=number in MISTAKES)
        expect(page.locator("#ahead .score")).to_contain_text(f"今天答了{number}道")
        fits(page)
        with page.expect_navigation():
            page.get_by_role("link", name="换一道同类" if number in MISTAKES else "再来一道").tap()
    page.goto("/mistakes")
    expect(page.locator(".mistake")).to_contain_text("再对1道就清掉")
    page.get_by_role("link", name=re.compile("^再来一道同类")).tap()
    expect(page.locator("form.answer")).to_be_visible()


@pytest.mark.long  # it sits the pause out
def test_after_guesses_the_question_waits_and_so_does_the_next_one(visit: Visit, course: Course) -> None:
    learner = Learner(visit(), course)
    other_tab = Learner(learner.page.context.new_page(), course)
    for tab in (learner, other_tab):
        tab.go("/practice/dcg?level=2&seed=5")
    for number in ("91", "92", "93"):
        learner.form("practice-dcg-2").locator("[name=answer]").fill(number)
        learner.press(learner.form("practice-dcg-2").locator("[data-answer]"))
        learner.settle()
    learner.expect_state("practice-dcg-2", "open")
    expect(learner.form("practice-dcg-2")).to_contain_text("先停一停")
    expect(learner.form("practice-dcg-2").locator("[data-answer]")).to_be_disabled()
    own_answers = Learner(learner.page.context.new_page(), course)
    own_answers.go("/mistakes")
    own_answers.press(own_answers.page.locator("[href^='/attempts/']").first)
    expect(own_answers.form("practice-dcg-2").locator("[data-answer]")).to_be_disabled()
    other_tab.form("practice-dcg-2").locator("[name=answer]").fill("94")
    other_tab.press(other_tab.form("practice-dcg-2").locator("[data-answer]"))
    form = other_tab.form("practice-dcg-2")
    expect(form.locator("[name=answer]")).to_have_value("94")
    expect(form.locator(".bubble")).to_contain_text("这次没有判，还要等")
    expect(form.locator("[data-answer]")).to_be_disabled()
    learner.press(learner.link("换一道同类"))
    expect(learner.page.get_by_role("heading", name="先歇一口气")).to_be_visible()
    fits(learner.page)
    assert axe(learner.page) == []
    expect(form.locator(".bubble")).to_contain_text("现在可以答了", timeout=25_000)
    expect(form.locator("[data-answer]")).to_be_enabled()


@pytest.mark.long
def test_pages_with_a_past_are_accessible_and_fit(visit: Visit, course: Course) -> None:
    """Points in many states, mistakes with and without a diagnosis, in light and dark."""
    page = visit()
    for exercise, seed, wrong in [("cg", n, n == 6) for n in range(1, 7)] + [("dcg", 5, True)]:
        page.goto(f"/practice/{exercise}?level=2&seed={seed}")
        answer(page, course, wrong)
    for path in ("/practice", "/practice/map", "/mistakes", "/mistakes?kind=cg", "/progress"):
        page.emulate_media(color_scheme="light")
        page.goto(path)
        fits(page)
        assert axe(page) == [], path
        page.emulate_media(color_scheme="dark")
        assert axe(page, "color-contrast") == [], path
