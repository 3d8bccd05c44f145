"""The way on and an example are on one screen: with motion, and without a hand that scrolls."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.course import Course
from app.course.learning.steps import ExampleStep, Figure, Say
from tests.browser import eyes
from tests.browser.conftest import Visit
from tests.browser.learner import PHONE
from tests.browser.scenes import Cookies

SCREENS: dict[str, dict[str, Any]] = {
    "phone": {**PHONE, "viewport": {"width": 360, "height": 640}},
    "laptop": {"viewport": {"width": 1280, "height": 720}, "reduced_motion": "no-preference"},
}
LONGEST_WORDS = "/examples/lipstick-a"
TALLEST_TOLD = 600
"""In px: what a phone of 740 leaves above its bar, less the edge of the step before."""
STEP_HEIGHTS = """() => Object.fromEntries([...document.querySelectorAll('#dialogue > .step')].map((step) => {
  step.style.minHeight = 0; // the last one fills the screen however little it tells
  return [step.id, step.getBoundingClientRect().height];
}))"""
PARTS = 6
"""All examples take ten minutes a screen: in parts, two processes share them."""


def test_whoever_comes_back_sees_the_way_on(visit: Visit, busy: Cookies) -> None:
    """On a phone of 640 there is room above it for what is due: an assignment and cards take 120."""
    page = visit(storage_state=busy, **{**PHONE, "viewport": {"width": 360, "height": 640 - 120}})
    page.goto("/")
    expect(page.locator(".resume [data-next]")).to_be_in_viewport(ratio=1)


@pytest.mark.long
def test_term_total_and_guess_are_seen_at_every_opening(visit: Visit) -> None:
    open_whole(visit(**SCREENS["phone"]), LONGEST_WORDS)


@pytest.mark.long
def test_example_of_a_lesson_opens_on_one_screen(visit: Visit, course: Course) -> None:
    [first, *_] = lesson_examples(course)
    open_whole(visit(**SCREENS["phone"]), first)


def lesson_examples(course: Course) -> list[str]:
    """The addresses of all steps that open an example."""
    return [
        f"/lessons/{stage.id}/{section.id}?step={number}#step-{step.id}"
        for stage in course.stages
        for section in stage.sections
        for number, step in enumerate(section.steps, 1)
        if isinstance(step, ExampleStep)
    ]


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("screen", SCREENS)
def test_every_example_opens_on_one_screen(visit: Visit, course: Course, screen: str, part: int) -> None:
    """Each standing alone and in its lesson; a newcomer each, so that nothing is open."""
    paths = [*(f"/examples/{name}" for name in course.examples), *lesson_examples(course)]
    for path in paths[part::PARTS]:
        page = visit(**SCREENS[screen])
        open_whole(page, path)
        page.context.close()


def open_whole(page: Page, path: str) -> None:
    """Every opening of the last example of a page; what one has to see is looked for after each."""
    page.goto(path)
    example = page.locator(".example").last
    reveal = example.locator(".reveal")
    moved = []
    while example.locator(".opening").count():
        words = example.locator(".skewer-words").inner_text()
        page.wait_for_function(eyes.STILL)
        assert page.evaluate(eyes.HIDDEN_OF_REVEAL) == [], (path, words)
        before = page.evaluate("scrollY")
        field = example.locator(".opening input[name=guess]")
        if field.count():
            field.evaluate("(field) => { field.value = '1'; }")
        press_there(page)
        expect(example.locator(".skewer-words", has_text=words)).to_have_count(0)
        expect(reveal.locator(".bubble")).to_be_focused()
        page.wait_for_function(eyes.STILL)
        moved.append(page.evaluate("scrollY") != before)
    assert page.evaluate(eyes.HIDDEN_OF_REVEAL) == [], (path, "all is open")
    assert sum(moved) <= 1, (path, "the page moves to the head of an example, once", moved)


def press_there(page: Page) -> None:
    """The first button to open with, where it stands: Playwright would scroll to it."""
    box = page.locator(".example .opening .guesses button").last.bounding_box()
    assert box
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    if page.evaluate("matchMedia('(pointer: coarse)').matches"):
        page.touchscreen.tap(*middle)
    else:
        page.mouse.click(*middle)


@pytest.mark.long
def test_what_is_only_told_fits_above_the_bar(visit: Visit, course: Course) -> None:
    """On a phone of 360 × 740; questions, tables to fill and toys may be longer: a hand is at work there."""
    page = visit(**{**PHONE, "viewport": {"width": 360, "height": 740}})
    too_tall: list[tuple[str, float]] = []
    for stage in course.stages:
        for section in stage.lesson_sections:
            page.goto(f"/lessons/{stage.id}/{section.id}?step={len(section.steps)}")
            heights: dict[str, float] = page.evaluate(STEP_HEIGHTS)
            for step in section.steps:
                height = heights[f"step-{step.id}"]
                if isinstance(step, Say | Figure) and height > TALLEST_TOLD:
                    too_tall.append((step.id, height))
    assert too_tall == []
