"""How often a hand must scroll: the next thing to press lies outside of the screen, or under something."""

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from app.course import Course
from app.course.items.kinds import Numeric, ShortAnswer, Steps
from app.course.learning.steps import ExampleStep
from tests.browser import eyes
from tests.browser.conftest import Visit
from tests.browser.learner import PHONE, Learner
from tests.browser.walking import do_step, leave, walk
from tests.course.content.reading_pace import (
    MOST_MINUTES,
    READ_A_MINUTE,
    TAP_SECONDS,
    number_of_whole_ndcg,
    thinking_of_step,
)

SCREENS: dict[str, dict[str, Any]] = {
    "phone": {**PHONE, "viewport": {"width": 360, "height": 780}},
    "laptop": {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "no-preference"},
}
MOST = 0.08
"""Hand scrolls for each tap."""
READ_THERE = """(place) => {
  const read = place.cloneNode(true);
  const unread = 'math, .vh, details, .hints, button, .discounts table';
  for (const part of read.querySelectorAll(unread)) part.remove();
  return read.textContent.replace(/\\s+/g, '').length;
}"""
"""The characters to read somewhere: tables to look a number up in,
what is folded, what is for ears only and the names of buttons aside."""


@dataclass
class Thumb(Learner):
    """A learner who counts: what is pressed, and before how many of these a hand had to scroll."""

    taps: int = 0
    scrolls: int = 0

    def press(self, control: Locator) -> None:
        self.reach(control)
        super().press(control)

    def fill(self, item_id: str, raw: list[str]) -> None:
        if isinstance(self.course.variant(item_id, self.seed(item_id)), (Numeric, ShortAnswer, Steps)):
            self.reach(self.form(item_id).locator("[name=answer]:not([type=hidden])").first)
        super().fill(item_id, raw)

    def reach(self, control: Locator) -> None:
        """Once the page has come to rest: until then it is still on its way there."""
        self.page.wait_for_function(eyes.STILL)
        self.taps += 1
        self.scrolls += not control.evaluate(eyes.IN_REACH)


@pytest.mark.long
def test_the_first_term_opens_within_twelve_taps_of_home(visit: Visit, course: Course) -> None:
    """And no hand scrolls on the way."""
    thumb = Thumb(visit(**SCREENS["phone"]), course, touch=True)
    thumb.go("/")
    thumb.press(thumb.link("从第一颗糖开始"))
    for step in course.stages[0].sections[0].steps:
        if isinstance(step, ExampleStep):
            break
        do_step(thumb, step, is_told=False)
        thumb.next_step()
    thumb.press(thumb.button("翻开第1项"))
    expect(thumb.page.locator(".now-term")).to_be_in_viewport(ratio=1)
    assert thumb.taps <= 12
    assert thumb.scrolls == 0


@pytest.mark.long
def test_a_whole_ndcg_of_ones_own_takes_less_than_twenty_minutes(visit: Visit, course: Course) -> None:
    """By what really stands on the screen; the model is that of the test of the content."""
    thumb = Thumb(visit(**SCREENS["phone"]), course, touch=True)
    thumb.go("/")
    characters = thumb.page.locator(".hero-text").evaluate(READ_THERE)
    thumb.press(thumb.link("从第一颗糖开始"))
    seconds = 0.0
    [stage, *_] = course.stages
    for number, step in enumerate(course.steps[: number_of_whole_ndcg()], 1):
        do_step(thumb, step, is_told=False)
        characters += thumb.page.locator(f"#step-{step.id}").evaluate(READ_THERE)
        seconds += thinking_of_step(step)
        [section] = [section for section in stage.sections if step in section.steps]
        if step is section.steps[-1]:
            leave(thumb, stage, section)
        elif number < number_of_whole_ndcg():
            thumb.next_step()
    seconds += thumb.taps * TAP_SECONDS + characters / READ_A_MINUTE * 60
    assert thumb.scrolls <= MOST * thumb.taps
    assert seconds <= MOST_MINUTES * 60, (seconds / 60, characters, thumb.taps)


@pytest.mark.long
def test_a_section_needs_hardly_a_scroll(visit: Visit, course: Course) -> None:
    thumb = count(visit, course, "phone", "concepts", 1)
    assert thumb.scrolls <= 1, (thumb.scrolls, thumb.taps)


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("stage_id", ["concepts", "definitions", "practice"])
def test_a_stage_needs_hardly_a_scroll(visit: Visit, course: Course, screen: str, stage_id: str) -> None:
    thumb = count(visit, course, screen, stage_id, 99)
    assert thumb.scrolls <= MOST * thumb.taps, (thumb.scrolls, thumb.taps)


def count(visit: Visit, course: Course, screen: str, stage_id: str, sections: int) -> Thumb:
    """Walk so many sections of a stage, each answer right."""
    options = SCREENS[screen]
    thumb = Thumb(visit(**options), course, touch=bool(options.get("has_touch")))
    stage = course.stage(stage_id)
    assert stage
    thumb.go(f"/lessons/{stage.id}/{stage.sections[0].id}")
    for section in stage.sections[:sections]:
        walk(thumb, section, is_told=False)
        leave(thumb, stage, section)
    return thumb
