"""Long pages are folded, and never hide what an address names: with a script, without one, from within."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.looking import axe, fits, in_the_long_run

ON_PHONE = {"/glossary": 2200, "/practice/map": 4200, "/practice": 3200, "/errata": 3800, "/examples": 1400}
"""The most that each may be high on a phone, in px: unfolded they were from 6,164 to 11,230."""
SEEN_EACH_TIME = {"/practice/map", "/errata"}
NAMED = ("/glossary#cg", "/practice/map#point-auc", "/errata#hall-print")


@pytest.mark.parametrize(
    "path", [path if path in SEEN_EACH_TIME else in_the_long_run(path) for path in ON_PHONE]
)
def test_a_long_page_is_folded(visit: Visit, path: str) -> None:
    page = visit(viewport={"width": 360, "height": 780})
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollHeight") <= ON_PHONE[path]
    fits(page)
    assert axe(page) == []


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("address", [NAMED[0], *map(in_the_long_run, NAMED[1:])])
def test_an_address_opens_its_fold(visit: Visit, address: str, scripts: bool) -> None:
    page = visit(java_script_enabled=scripts)
    page.goto(address)
    named = page.locator(f"#{address.partition('#')[2]}")
    expect(named).to_be_visible()
    expect(named).to_be_in_viewport()
    assert page.locator("details.fold:not([open])").count()


def test_a_browser_that_opens_no_fold_by_itself_is_helped(visit: Visit) -> None:
    page = visit()
    page.goto("/practice/map")
    page.evaluate("for (const fold of document.querySelectorAll('.fold')) fold.open = false")
    page.evaluate(
        "history.replaceState(null, '', '#point-auc'); dispatchEvent(new HashChangeEvent('hashchange'))"
    )
    expect(page.locator("#point-auc")).to_be_in_viewport()


def test_a_link_inside_opens_another_fold(visit: Visit) -> None:
    page = visit()
    page.goto("/practice/map#point-auc")
    named = page.locator("#point-auc .needs a").first
    expect(named).to_be_visible()
    target = page.locator(named.get_attribute("href") or "")
    page.locator(".fold", has=target).locator("summary").first.click()
    expect(target).to_be_hidden()
    named.click()
    expect(target).to_be_in_viewport()


def test_a_box_of_the_map_opens_its_row(visit: Visit) -> None:
    page = visit()
    page.goto("/practice/map")
    expect(page.locator("#point-auc")).to_be_hidden()
    page.locator(".point-map a[href='#point-auc']").click()
    expect(page.locator("#point-auc")).to_be_in_viewport()
