"""Flashcards in a real browser: ten in a sitting, by keyboard, by finger, without a script."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.course import Course
from app.course.cards.decks import seed_of_review
from app.course.items.kinds import Numeric
from tests.browser.conftest import Visit
from tests.browser.looking import axe, fits, in_the_long_run
from tests.browser.records import Records

QUICK = "by keyboard"
"""The way that has a script of its own; the others by `make test-all`."""
WAYS: dict[str, dict[str, Any]] = {
    QUICK: {"viewport": {"width": 1280, "height": 800}},
    "by finger": {"is_mobile": True, "has_touch": True},
    "without a script": {"java_script_enabled": False},
}
CARDS = 10


class Sitter:
    """Somebody with a deck who reviews in one way. Without a script one waits for whole pages."""

    def __init__(self, page: Page, way: str) -> None:
        self.page, self.way = page, way

    def collect(self, stage: str) -> None:
        self.page.goto("/cards")
        button = self.page.locator(f"#collect-{stage} button")
        if self.way == "without a script":
            button.click()
            expect(self.page.locator(f"#collect-{stage}")).to_have_count(0)
            return
        self.press(button)
        expect(self.page.locator("[data-focus]", has_text="收好了")).to_be_focused()

    def press(self, control: Any) -> None:
        if self.way == "by finger":
            control.tap()
        elif self.way == "by keyboard":
            control.focus()
            self.page.keyboard.press("Enter")
        else:
            control.click()
        self.settle()

    def settle(self) -> None:
        """htmx is done, and the focus is where it stays."""
        if self.way != "without a script":
            expect(self.page.locator(".htmx-request, .htmx-added, .htmx-settling")).to_have_count(0)

    def turn(self) -> None:
        flip = self.page.locator(".flip")
        expect(flip.locator("summary")).to_be_visible()
        if self.way == "by keyboard":
            expect(flip.locator("summary")).to_be_focused()
            self.page.keyboard.press("Space")
        else:
            self.press(flip.locator("summary"))
        expect(flip).to_have_attribute("open", "")

    def rate(self, number: int) -> None:
        """The button with this number; what comes next is there afterwards."""
        flip = self.page.locator(".flip summary, .drill, .finished").first
        before = self.page.locator("#flash-title").inner_text(), flip.get_attribute("id")
        if self.way == "by keyboard":
            self.page.keyboard.press(str(number))
        else:
            self.press(self.page.locator("[data-rate]").nth(number - 1))
        self.settle()
        expect(self.page.locator(f"#{before[1]}") if before[1] else flip).to_have_count(0)
        self.page.wait_for_load_state()

    def undo(self) -> None:
        if self.way == "by keyboard":
            self.page.keyboard.press("u")
        else:
            self.press(self.page.get_by_role("button", name="撤销上一张"))
        expect(self.page.locator(".review-said")).to_contain_text("收回了")


@pytest.fixture(params=[pytest.param(way, marks=[] if way == QUICK else pytest.mark.long) for way in WAYS])
def sitter(request: pytest.FixtureRequest, visit: Visit) -> Sitter:
    way: str = request.param
    return Sitter(visit(**WAYS[way]), way)


def test_ten_cards_in_a_sitting(sitter: Sitter, records: Records) -> None:
    sitter.collect("code")
    before = records.count("review_log")
    sitter.page.goto("/cards/review")
    for place in range(CARDS):
        sitter.turn()
        when = sitter.page.locator("[data-rate] .when").first
        expect(when).to_contain_text("后")
        sitter.rate(2 if place else 1)
        fits(sitter.page)
    assert records.count("review_log") == before + CARDS
    sitter.undo()
    sitter.turn()
    sitter.rate(2)
    assert records.count("review_log") == before + CARDS + 1


def test_a_computed_card(sitter: Sitter, course: Course) -> None:
    page = sitter.page
    page.goto("/cards/practice-dcg-1")
    sitter.press(page.get_by_role("button", name="收进闪卡"))
    if sitter.way != "without a script":
        expect(page.get_by_text("收好了1张")).to_be_visible()
    page.goto("/cards/review")
    field = page.locator(".drill input[name=answer]")
    if sitter.way == "by keyboard":
        expect(field).to_be_focused()
    field.fill("99")
    sitter.press(page.get_by_role("button", name="对一对"))
    expect(page.locator(".bubble.puzzled")).to_be_visible()
    expect(page.get_by_text("记成忘了")).to_be_visible()
    fits(page)
    sitter.press(page.get_by_role("link", name="下一张"))
    item = course.variant("practice-dcg-1", seed_of_review("content:practice-dcg-1", 1))
    assert isinstance(item, Numeric)
    field.fill(f"{item.answer:.3f}")
    sitter.press(page.get_by_role("button", name="对一对"))
    expect(page.locator(".bubble.pleased")).to_be_visible()
    sitter.press(page.locator("[data-rate].primary"))
    expect(page.locator(".drill, .finished")).to_have_count(1)


SHADES = "all => all.map((shade) => getComputedStyle(shade).backgroundColor)"


def test_the_calendar_keeps_its_shades_in_the_colours_of_the_reader(visit: Visit) -> None:
    """They say how many cards a day had."""
    sitter = Sitter(visit(**WAYS[QUICK]), QUICK)
    page = sitter.page
    sitter.collect("code")
    page.goto("/cards/review")
    sitter.turn()
    sitter.rate(2)
    page.goto("/cards/stats")
    page.emulate_media(forced_colors="active")
    shades = page.locator(".heat-key i").evaluate_all(SHADES)
    assert shades
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") not in shades


def test_the_field_of_a_computed_card_has_the_cursor_after_another_card(visit: Visit) -> None:
    sitter = Sitter(visit(**WAYS["by keyboard"]), "by keyboard")
    for name in ("gain-when-moved", "practice-dcg-1"):
        sitter.page.goto(f"/cards/{name}")
        sitter.press(sitter.page.get_by_role("button", name="收进闪卡"))
    sitter.page.goto("/cards/review")
    sitter.turn()
    sitter.rate(2)
    field = sitter.page.locator(".drill input[name=answer]")
    expect(field).to_be_focused()
    sitter.page.keyboard.type("4.2")
    expect(field).to_have_value("4.2")


STATES = (
    *("/cards/review", "/cards/review?card=practice-dcg-at-k-1", "/cards/all"),
    *("/cards", "/cards/stats"),
)


@pytest.mark.parametrize("paths", [STATES[:3], in_the_long_run(STATES)])
def test_every_state_is_accessible_in_light_and_dark(visit: Visit, paths: tuple[str, ...]) -> None:
    page = visit()
    sitter = Sitter(page, "by mouse")
    sitter.collect("practice")
    page.goto("/cards/settings")
    page.locator("#buttons").select_option("4")
    page.get_by_role("button", name="就这样").first.click()
    for path in paths:
        page.goto(path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for width in (360, 320):
            page.set_viewport_size({"width": width, "height": 740})
            fits(page)
        assert axe(page) == []
        page.emulate_media(color_scheme="dark")
        assert axe(page, "color-contrast") == []
        page.emulate_media(color_scheme="light")


def test_a_long_card_scrolls_and_its_formula_stays_inside(visit: Visit) -> None:
    page = visit()
    page.goto("/cards/new")
    wide = r"$$\frac{" + "+".join(f"x_{n}" for n in range(40)) + "}{2}$$"
    page.locator("#front").fill("长\n\n" * 30 + wide)
    page.locator("#back").fill("短")
    page.get_by_role("button", name="记下来").click()
    page.goto("/cards/review")
    fits(page)
    expect(page.locator(".flip summary")).to_be_visible()


def test_after_turning_the_ratings_are_above_the_way_back(visit: Visit) -> None:
    sitter = Sitter(visit(**WAYS["by finger"]), "by finger")
    sitter.collect("code")
    page = sitter.page
    page.goto("/cards/review")
    sitter.turn()
    ratings = page.locator(".ratings").bounding_box()
    cover = page.locator(".flip summary").bounding_box()
    assert ratings
    assert cover
    assert ratings["y"] + ratings["height"] <= cover["y"]


def test_why_a_row_is_refused_has_the_width_of_a_phone(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    page.goto("/cards/files")
    page.fill("#text", "第几位打对折？,第3位,折损\n" + "问一,答一\n" + "只有一列\n")
    page.get_by_role("button", name="先看一眼").click()
    reason = page.locator(".row-fault p", has_text="正面和背面中间要有逗号或者Tab")
    box = reason.bounding_box()
    assert box
    assert box["width"] > 240
    assert box["x"] + box["width"] < 360
    assert box["height"] < 70, "two lines"
    fits(page)


def test_a_note_of_a_bookmark_keeps_its_lines(visit: Visit) -> None:
    page = visit()
    page.goto("/bookmarks/new?example=chengdu-food")
    page.fill("#note", "这里\n要背")
    page.get_by_role("button", name="夹在这里").click()
    page.goto("/bookmarks")
    assert page.locator(".bookmark-note").inner_text() == "这里\n要背"
