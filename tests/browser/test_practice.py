"""Practice in a real browser: ln is named, the next variant succeeds; a slip costs a step; a sheet."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.course import Course
from app.course.items.kinds import Numeric, Steps
from tests.browser.conftest import Visit
from tests.browser.learner import Learner, right_answer
from tests.browser.looking import fits
from tests.browser.scenes import Poster
from tests.browser.watch import UNREADABLE, Watch

DCG, TABLE = "practice-dcg-2", "practice-steps-ndcg-2"
LN2 = 0.6931471805599453
QUICK = "by finger"
"""The others by `make test-all`."""
WAYS: dict[str, dict[str, Any]] = {
    QUICK: {"is_mobile": True, "has_touch": True},
    "by keyboard": {"viewport": {"width": 1280, "height": 800}},
    "without a script": {"java_script_enabled": False},
}
MARKED_WAYS = [pytest.param(way, marks=[] if way == QUICK else pytest.mark.long) for way in WAYS]


@pytest.mark.parametrize("way", MARKED_WAYS)
def test_ln_is_named_and_the_next_variant_succeeds(visit: Visit, course: Course, way: str) -> None:
    page = visit(**WAYS[way])
    page.goto("/practice/dcg?level=2&seed=4821")
    item = course.variant(DCG, 4821)
    assert isinstance(item, Numeric)
    answer(page, way, [f"{item.answer / LN2:.3f}"])
    expect(page.locator(".bubble.puzzled")).to_contain_text("你用的是自然对数ln")
    fits(page)
    follow_link(page, way, "换一道同类")
    expect(page).to_have_url(re.compile(r"dcg\?level=2&seed=(?!4821$)\d+$"))
    answer(page, way, right_answer(course, DCG, int(page.url.rpartition("=")[2])))
    expect(page.locator(f"#item-{DCG}")).to_have_class(re.compile("is-right"))
    expect(page.get_by_role("link", name="再来一道")).to_be_visible()


@pytest.mark.parametrize("way", MARKED_WAYS)
def test_a_table_with_one_slip_loses_one_step(visit: Visit, course: Course, way: str) -> None:
    page = visit(**WAYS[way])
    page.goto("/practice/steps-ndcg?level=2&seed=7")
    answer(page, way, with_a_slip(course))
    expect(page.locator(".cell.wrong")).to_have_count(1)
    expect(page.locator(".cell.through")).to_have_count(2)
    expect(page.locator(".bubble.puzzled")).to_contain_text("不重复扣分")
    fits(page)
    answer(page, way, right_answer(course, TABLE, 7)[:1])
    expect(page.locator(f"#item-{TABLE}")).to_have_class(re.compile("is-corrected"))


def with_a_slip(course: Course) -> list[str]:
    """The first term is wrong; the sum and the ratio follow it."""
    item = course.variant(TABLE, 7)
    assert isinstance(item, Steps)
    raw = dict(zip([cell.name for cell in item.blanks], right_answer(course, TABLE, 7), strict=True))
    dcg = float(raw["dcg"]) - float(raw["term-1"]) + 9
    return [*(raw | {"term-1": "9", "dcg": f"{dcg:.3f}", "ndcg": f"{dcg / float(raw['idcg']):.3f}"}).values()]


def answer(page: Page, way: str, raw: list[str]) -> None:
    """Fill the open fields in their order, and answer."""
    fields = page.locator("form.answer input[name=answer]:not([type=hidden])")
    expect(fields).to_have_count(len(raw))
    if way == "by keyboard":
        fields.first.focus()
        for place, text in enumerate(raw):
            expect(fields.nth(place)).to_be_focused()
            page.keyboard.press("Control+a")
            page.keyboard.type(text)
            page.keyboard.press("Tab")
        expect(page.locator("[data-answer]")).to_be_focused()
        page.keyboard.press("Enter")
        return
    for place, text in enumerate(raw):
        fields.nth(place).fill(text)
    button = page.locator("[data-answer]")
    if way == "by finger":
        button.tap()
    else:
        button.click()


def follow_link(page: Page, way: str, name: str) -> None:
    link = page.get_by_role("link", name=name)
    if way == "by keyboard":
        link.focus()
        page.keyboard.press("Enter")
    elif way == "by finger":
        link.tap()
    else:
        link.click()


def test_an_empty_cell_gets_the_focus_and_can_be_left(visit: Visit, course: Course, watch: Watch) -> None:
    watch.announce(UNREADABLE)
    learner = Learner(visit(), course)
    learner.go("/practice/steps-ndcg?level=2&seed=7")
    fields = learner.page.locator("form.answer input[name=answer]")
    right = right_answer(course, TABLE, 7)
    for place, text in enumerate(right[:-1]):
        fields.nth(place).fill(text)
    learner.press(learner.page.locator("[data-answer]"))
    expect(learner.page.locator(".error")).to_contain_text("NDCG还空着")
    expect(fields.last).to_be_focused()
    expect(fields.first).to_have_value(right[0])
    learner.press(learner.button("空着的你来算"))
    learner.expect_state(TABLE, "corrected")
    expect(learner.item(TABLE)).to_contain_text("一起算完了")
    expect(learner.page.locator(".cell.left")).to_have_count(1)


def test_a_sheet_and_its_key_are_pages_of_their_own(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    page.goto("/practice/dcg/print?n=12&level=2&seed=100")
    page.emulate_media(media="print")
    expect(page.locator(".site-header")).to_be_hidden()
    file = tmp_path / "sheet.pdf"
    page.pdf(path=file, prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", file.read_bytes())) in (3, 4)


def test_nothing_but_the_certificate_is_on_its_sheet(visit: Visit, course: Course) -> None:
    page, stage = visit(), course.stages[0]
    poster, section = Poster(page.request, course), stage.sections[0]
    poster.arrive()
    for step_number in range(2, len(section.steps) + 2):
        poster.post(f"/lessons/{stage.id}/{section.id}/places", ("step", str(step_number)))
    page.goto("/progress/certificate")
    advice = page.get_by_text("正好印一张纸")
    expect(advice).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".certificate")).to_be_visible()
    expect(advice).to_be_hidden()


def test_the_map_is_printed_as_its_list(visit: Visit) -> None:
    """The drawing is taller than a page, and the list says of each point what comes before it."""
    page = visit()
    page.goto("/practice/map")
    page.emulate_media(media="print")
    expect(page.locator(".point-map")).to_be_hidden()
    expect(page.locator(".point-row .needs").last).to_be_visible()
