"""What a browser of before 2022 draws, which knows no cascade layers and drops whatever stands in one."""

import re

import pytest
from playwright.sync_api import Page, Route

from tests.browser.conftest import Visit

BOXES = """all => all.map((element) => {
  const { width, height, x, y } = element.getBoundingClientRect();
  const { color, backgroundColor } = getComputedStyle(element);
  return [element.tagName, element.getAttribute("class"), width, height, x, y, color, backgroundColor];
})"""
"""Where everything stands, how large it is, and its colours."""


def send_without_layers(route: Route) -> None:
    response = route.fetch()
    sheet = re.sub(r"@layer \w+\{", "@media not all{", response.text())
    route.fulfill(response=response, body=sheet.replace("@supports not (top:1svh){", "@media all{"))


def boxes(page: Page, path: str) -> object:
    page.goto(path)
    return page.locator("body *:not(input[type=hidden], script)").evaluate_all(BOXES)


@pytest.mark.parametrize(
    "path",
    ["/", "/lessons/concepts/which-is-better", "/examples/chengdu-food", "/games/monster?level=2&seed=7"],
)
def test_a_page_looks_the_same_without_layers(visit: Visit, path: str) -> None:
    older = visit()
    older.route("**/*.css", send_without_layers)
    assert boxes(older, path) == boxes(visit(), path)
