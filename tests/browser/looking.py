"""Looking at a page: nothing runs off a phone, and axe finds nothing; in light and dark."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser import eyes

AXE = Path(__file__).resolve().parents[1] / "vendor" / "axe-core" / "axe.min.js"
WIDTHS = (360, 1280)
"""Pixels: a phone and a desk."""


def in_the_long_run(value: object) -> Any:
    """A further page, size or width of a look whose kind is seen each time: by `make test-all`."""
    return pytest.param(value, marks=pytest.mark.long)


def fits(page: Page) -> None:
    """Nothing to scroll sideways, and nothing cut off instead.

    A page that was asked for by a click may have begun without having an element yet: it is waited for.
    """
    page.wait_for_load_state()
    sizes = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert (sizes[0] <= sizes[1], page.evaluate(eyes.TOO_WIDE)) == (True, [])


def axe(page: Page, *only: str) -> list[str]:
    """What axe-core finds; with names, only these rules."""
    if page.evaluate("!window.axe"):  # half a megabyte, sent once for a page
        page.evaluate("source => { (0, eval)(source); }", AXE.read_text("utf-8"))
    options: dict[str, Any] = {"reporter": "no-passes"}  # what passes is a quarter of its work
    if only:
        options["runOnly"] = list(only)
    violations = page.evaluate("options => axe.run(document, options).then((one) => one.violations)", options)
    return [
        f"{violation['id']}: {[node['html'][:200] for node in violation['nodes']]}"
        for violation in violations
    ]


def printed_pages(page: Page) -> list[str]:
    """What comes out of a printer, sheet by sheet: upright or across."""
    sizes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", page.pdf(prefer_css_page_size=True))
    return ["upright" if float(width) < float(height) else "across" for width, height in sizes]


def look_at(page: Page, path: str, widths: Sequence[int] = WIDTHS) -> None:
    """One visit: the page on a phone and on a desk, in light and dark, with all its details open."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": widths[0], "height": 800})
    page.goto(path)
    assert page.locator("h1").count() == 1
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        fits(page)
        assert (path, width, axe(page)) == (path, width, [])
    page.emulate_media(color_scheme="dark")
    for width in reversed(widths):
        page.set_viewport_size({"width": width, "height": 800})
        assert (path, width, axe(page, "color-contrast")) == (path, width, [])
