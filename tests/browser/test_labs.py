"""The LambdaRank lab under the hands of a learner: with scripts, without, by keyboard, on a phone."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.looking import axe, fits
from tests.browser.watch import UNREADABLE, Watch

LAB = "/labs/lambdarank"


def press(page: Page, label: str) -> None:
    page.get_by_role("button", name=label, exact=True).click()


def stands_at(page: Page, steps: int, ndcg: str) -> None:
    expect(page.locator(".lab-now")).to_have_text(re.compile(rf"走了\s*{steps}\s*步\s*NDCG\s*{ndcg}"))


def choice(page: Page, name: str) -> Locator:
    return page.locator(f".lab-form select[name={name}]")


def test_step_by_step_to_the_top_and_back(visit: Visit) -> None:
    """Each press swaps the lab alone, names its state in the address, and the way back leads through it."""
    page = visit()
    page.goto(LAB)
    page.evaluate("window.stayed = true")
    for steps, ndcg in ((1, "0.629"), (2, "0.629"), (3, "0.681")):
        press(page, "走一步")
        stands_at(page, steps, ndcg)
        expect(page.get_by_role("button", name="走一步", exact=True)).to_be_focused()
        assert page.url.endswith(f"{LAB}?steps={steps}")
    expect(page.locator("#status-order")).to_contain_text("走了3步，NDCG是0.681")
    press(page, "走十步")
    stands_at(page, 13, "1.000")
    assert page.evaluate("window.stayed")
    page.go_back()
    stands_at(page, 3, "0.681")
    page.reload()
    stands_at(page, 3, "0.681")
    press(page, "从头来")
    stands_at(page, 0, "0.629")


def test_the_steps_stay_when_the_display_is_changed(visit: Visit) -> None:
    page = visit()
    page.goto(LAB)
    press(page, "走一步")
    stands_at(page, 1, "0.629")
    page.get_by_text("显示与按键").click()
    page.get_by_label("明暗").select_option("dark")
    page.get_by_role("button", name="就这样").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    stands_at(page, 1, "0.629")


def test_another_setting_and_one_that_cannot_be_read(visit: Visit, watch: Watch) -> None:
    watch.announce(UNREADABLE)
    page = visit()
    page.goto(f"{LAB}?steps=8")
    choice(page, "weight").select_option("none")
    page.get_by_role("button", name="按这套设置走").click()
    stands_at(page, 8, "0.759")
    expect(page.locator(".lab-pairs caption")).to_contain_text("不看")
    assert "weight=none" in page.url
    page.get_by_text("换四颗糖").click()
    page.locator("input[name=scores]").first.fill("很高")
    with page.expect_response(lambda answer: answer.status == 422):
        page.get_by_role("button", name="按这套设置走").click()
    expect(page.get_by_role("alert").filter(has_text="模型分要是")).to_contain_text(
        "写的是“很高、1.5、1、0.5”"
    )
    expect(page.locator("input[name=scores]").first).to_have_value("很高")
    stands_at(page, 8, "0.759")


@pytest.mark.long
def test_without_a_script_the_same(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    page.goto(LAB)
    press(page, "走十步")
    stands_at(page, 10, "1.000")
    choice(page, "sigma").select_option("0.5")
    page.get_by_role("button", name="按这套设置走").click()
    assert "sigma=0.5" in page.url
    expect(page.locator(".lab-now")).to_contain_text("走了10步")


@pytest.mark.parametrize("has_script", [True, False])
def test_a_step_takes_along_what_is_set_and_not_walked_yet(visit: Visit, has_script: bool) -> None:
    page = visit(java_script_enabled=has_script)
    page.goto(LAB)
    page.get_by_text("换四颗糖").click()
    first_score = page.locator("input[name=scores]").first
    first_score.fill("0.25")
    with page.expect_response("**/lambdarank**"):
        first_score.press("Enter")  # walks no step
    expect(page.locator(".lab-now")).to_contain_text("走了0步")
    expect(first_score).to_have_value("0.25")
    choice(page, "rate").select_option("2")
    press(page, "走一步")
    expect(page.locator(".lab-now")).to_contain_text("走了1步")
    expect(choice(page, "rate")).to_have_value("2")
    expect(first_score).to_have_value("0.25")


@pytest.mark.long
def test_it_fits_and_can_be_heard(visit: Visit) -> None:
    page = visit()
    for query in ("?steps=5", "?steps=40&weight=none&k=2&sigma=4&rate=5&fair=rate"):
        page.goto(f"{LAB}{query}")
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for size in (320, 360, 1280):
            page.set_viewport_size({"width": size, "height": 740})
            fits(page)
        assert axe(page) == []
        page.emulate_media(color_scheme="dark")
        assert axe(page, "color-contrast") == []
        page.emulate_media(color_scheme="light")
