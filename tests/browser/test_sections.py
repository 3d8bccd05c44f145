"""Every section, from its first step to its last, and what is said at the end of each."""

from typing import Any

import pytest
from playwright.sync_api import expect

from app.course import Course
from tests.browser.conftest import Visit
from tests.browser.learner import Learner
from tests.browser.walking import leave, walk

STAGES = (
    "concepts", "definitions", "practice", "code", "applications", "comparison", "optimisation",
    "significance", "labels",
)  # fmt: skip


def walks() -> list[Any]:
    """Every stage with its own answers and with the tutor's."""
    return [
        pytest.param(stage, is_told, id=f"{stage} {'by 算给我看' if is_told else 'answering'}")
        for stage in STAGES
        for is_told in (False, True)
    ]


def test_every_stage_is_walked_here(course: Course) -> None:
    assert [stage.id for stage in course.stages if stage.lesson] == list(STAGES)


@pytest.mark.long  # `test_touch.py` walks the first section each time
@pytest.mark.parametrize(("stage_id", "is_told"), walks())
def test_stage_is_walked_to_its_end(visit: Visit, course: Course, stage_id: str, is_told: bool) -> None:
    learner = Learner(visit(), course)
    stage = course.stage(stage_id)
    assert stage
    learner.go(f"/lessons/{stage.id}")
    learner.press(learner.page.locator("main > .actions [data-next]"))
    for section in stage.sections:
        walk(learner, section, is_told)
        leave(learner, stage, section)
    learner.go("/progress")
    expect(learner.page.locator(".figures")).to_contain_text(f"{len(stage.sections)}")
    learner.go(f"/lessons/{stage.id}")
    expect(learner.page.locator(".sections li.done")).to_have_count(len(stage.sections))
