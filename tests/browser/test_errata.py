"""勘误馆: a case by finger on a phone, another without a script."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.course import Course
from tests.browser import eyes
from tests.browser.conftest import Visit
from tests.browser.learner import PHONE, Learner, right_answer, wrong_answer
from tests.browser.looking import axe, fits

CASE = "cut-not-rounded"
ITEM = f"errata-{CASE}"


def lines(page: Page) -> list[str]:
    """The lines of the truth, as far as they are told."""
    return page.locator("#errata-truth .truth-lines > li").all_inner_texts()


def test_a_case_is_solved_by_finger(visit: Visit, course: Course) -> None:
    """From the list to the truth: the first pick is sound and says why, the second is the slip."""
    page = visit(**PHONE)
    learner = Learner(page, course, touch=True)
    learner.go("/course")
    learner.press(page.locator("main a[href='/errata']"))
    expect(page.locator("h1")).to_have_text("勘误馆")
    fits(page)
    case = page.locator(f".case a[href='/errata/{CASE}']")
    learner.press(page.locator(".hall", has=case).locator("> summary"))
    learner.press(case)
    expect(page.locator("h1")).to_have_text(course.errata[CASE].title)
    assert lines(page) == []
    learner.answer(ITEM, wrong_answer(course, ITEM), "open")
    expect(learner.item(ITEM).locator(".bubble.puzzled")).to_be_focused()
    assert lines(page) == []
    learner.answer(ITEM, right_answer(course, ITEM), "corrected")
    expect(learner.item(ITEM).locator(".slip .correction")).to_be_visible()
    expect(page.locator("#errata-truth .keep")).to_be_visible()
    sentences = lines(page)
    assert len(sentences) == len(course.errata[CASE].truth)
    fits(page)
    assert page.evaluate(eyes.UNREACHABLE) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == []
    page.reload()
    assert lines(page) == sentences, "it is kept"
    learner.press(page.get_by_role("link", name="回到馆里"))
    expect(page.locator(".case.done")).to_have_count(1)


@pytest.mark.long
def test_a_case_is_solved_without_a_script(visit: Visit, course: Course) -> None:
    page = visit(java_script_enabled=False)
    learner = Learner(page, course)
    learner.go(f"/errata/{CASE}")
    for answer, state in ((wrong_answer, "open"), (right_answer, "corrected")):
        learner.tick(ITEM, answer(course, ITEM))
        with page.expect_navigation():
            learner.form(ITEM).locator("[data-answer]").click()
        expect(learner.item(ITEM)).to_have_class(re.compile(rf"\bis-{state}\b"))
        assert page.url.partition("#")[0].endswith(f"/errata/{CASE}")
    assert len(lines(page)) == len(course.errata[CASE].truth)


@pytest.mark.long
def test_every_case_fits(visit: Visit, course: Course) -> None:
    page = visit()
    for case in course.errata:
        page.goto(f"/errata/{case}")
        for width, height in ((360, 740), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            fits(page)
        page.set_viewport_size({"width": 360, "height": 740})


@pytest.mark.long
def test_the_address_of_a_case_wraps_and_can_be_read(visit: Visit, course: Course) -> None:
    """The longest address, on a phone, in both themes; and the list, whose last cases are folded away."""
    longest = max(course.errata, key=lambda name: max(map(len, course.errata[name].links), default=0))
    page = visit(**PHONE)
    for address in (f"/errata/{longest}", "/errata"):
        page.goto(address)
        fits(page)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert axe(page) == []
    cases = page.locator(".told-cases")
    page.locator(".hall", has=cases).locator("summary").first.tap()
    expect(cases.locator(".case").first).to_be_hidden()
    cases.locator("summary").tap()
    expect(cases.locator(".case").first).to_be_visible()
    fits(page)
