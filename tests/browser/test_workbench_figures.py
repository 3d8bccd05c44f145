"""对账 and 体检: in a browser with and without a script, by keyboard, on a phone, in both themes."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.looking import axe, fits
from tests.browser.watch import UNREADABLE, Watch

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}}
LIST = "10 1\n0 1\n0 1\n1 0.5\n5 0.5"


def filled(page: Page, printed: str) -> None:
    page.goto("/workbench/reconcile")
    page.get_by_label("那一列").fill(LIST)
    page.get_by_label("别处印出来的数").fill(printed)


def sound(page: Page) -> None:
    fits(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == []


def test_a_figure_is_explained_by_keyboard_and_the_address_shows_the_same(visit: Visit) -> None:
    page = visit(**PHONE)
    filled(page, "0.699812")
    page.keyboard.press("Enter")
    answer = page.locator("#reconciled")
    expect(answer.locator("h3").first).to_have_text("scikit-learn、torchmetrics")
    expect(answer).to_be_focused()
    expect(answer).to_contain_text("各种排法取平均")
    page.get_by_text("2家的约定串").click()
    page.get_by_text("还分不开？再跑一列").click()
    sound(page)
    words = answer.inner_text()
    page.goto(page.url)
    assert page.locator("#reconciled h2").inner_text() in words
    expect(page.locator("#reconciled h3").first).to_have_text("scikit-learn、torchmetrics")
    page.go_back()


def test_a_figure_is_explained_in_its_place_on_the_workbench(visit: Visit) -> None:
    page = visit(**PHONE)
    page.goto("/workbench?list=3+2+3+0+1+2")
    page.get_by_label("别处印出来的数").fill("0.9488")
    page.keyboard.press("Enter")
    answer = page.locator("#reconciled")
    expect(answer.locator("h3").first).to_contain_text("LightGBM")
    expect(page.locator("#workbench-form")).to_be_visible()
    expect(page.locator(".answers div").first).to_have_css("display", "flex")
    page.reload()
    expect(page.locator("#reconciled h3").first).to_contain_text("LightGBM")


@pytest.mark.long
def test_a_figure_is_explained_without_a_script(visit: Visit) -> None:
    page = visit(java_script_enabled=False, **PHONE)
    filled(page, "0.918386")
    with page.expect_navigation():
        page.get_by_role("button", name="对一对").click()
    expect(page.locator("#reconciled")).to_contain_text("甜的在前")


def test_what_is_no_figure_is_told_in_its_field(visit: Visit, watch: Watch) -> None:
    watch.announce(UNREADABLE)
    page = visit(**PHONE)
    filled(page, "很高")
    page.get_by_role("button", name="对一对").click()
    field = page.get_by_label("别处印出来的数")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("很高")
    sound(page)


def test_a_library_is_checked_up_on_a_phone(visit: Visit) -> None:
    page = visit(**PHONE)
    page.goto("/workbench/probe")
    page.get_by_role("button", name="复制").first.click()
    expect(page.locator(".copied").first).not_to_be_empty()
    page.get_by_label("第1列").last.fill("0.379 0.710 1")
    page.keyboard.press("Enter")
    expect(page.locator("#checkup h2")).to_have_text("和LightGBM、XGBoost一样")
    sound(page)


@pytest.mark.long
def test_a_library_is_checked_up_without_a_script(visit: Visit) -> None:
    page = visit(java_script_enabled=False, **PHONE)
    page.goto("/workbench/probe")
    expect(page.get_by_role("button", name="复制")).to_have_count(0)
    expect(page.locator("#snippet-scikit-learn")).to_contain_text("ndcg_score")
    for number, figure in enumerate(("0.508632", "0.776565", "0.0"), 1):
        page.locator(f".probe-figures input >> nth={number - 1}").fill(figure)
    with page.expect_navigation():
        page.get_by_role("button", name="看结果").click()
    expect(page.locator("#checkup h2")).to_have_text("和scikit-learn、torchmetrics一样")
