"""A word of the glossary explains itself where it stands; without a script, its page does."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.looking import axe, fits
from tests.browser.watch import Watch

LESSON = "/lessons/definitions/normalise?step=5"


def word_of(page: Page) -> Locator:
    return page.locator(".say a.term-link").first


def test_a_tap_explains_the_word_and_the_lesson_stays(visit: Visit) -> None:
    page = visit()
    page.goto(LESSON)
    word = word_of(page)
    word.click()
    note = page.locator(".term-note")
    expect(note).to_be_visible()
    expect(note).to_contain_text(word.inner_text())
    expect(note.get_by_role("button", name="知道了")).to_be_focused()
    assert page.url.endswith(LESSON)
    assert axe(page, ".term-note") == []
    fits(page)
    note.get_by_role("button", name="知道了").click()
    expect(note).to_be_hidden()


def test_escape_brings_the_focus_back_to_the_word(visit: Visit) -> None:
    page = visit()
    page.goto(LESSON)
    word_of(page).press("Enter")
    expect(page.locator(".term-note")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".term-note")).to_be_hidden()
    expect(word_of(page)).to_be_focused()


def test_tab_beyond_the_note_goes_on_from_the_word(visit: Visit) -> None:
    page = visit()
    page.goto(LESSON)
    word_of(page).focus()
    page.keyboard.press("Tab")
    following = page.evaluate("document.activeElement.outerHTML")
    word_of(page).press("Enter")
    expect(page.locator(".term-note").get_by_role("button")).to_be_focused()
    for _ in page.locator(".term-note").locator("a, button").all():
        page.keyboard.press("Tab")
    expect(page.locator(".term-note")).to_be_hidden()
    assert page.evaluate("document.activeElement.outerHTML") == following


def test_without_a_script_it_is_a_link(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    page.goto(LESSON)
    word_of(page).click()
    expect(page).to_have_url(re.compile("/glossary#"))


def test_where_the_note_does_not_come_the_page_does(visit: Visit, watch: Watch) -> None:
    watch.announce("ERR_FAILED")
    page = visit()
    page.goto(LESSON)
    page.route("**/glossary/*", lambda route: route.abort())
    word_of(page).click()
    page.wait_for_url("**/glossary#*")
    assert page.locator("h1").inner_text() == "术语"
