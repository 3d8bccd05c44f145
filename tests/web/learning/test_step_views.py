"""Every kind of step can be shown: a kind without a presenter fails here, not on the page of a learner."""

import re

import pytest
from fastapi import FastAPI

from app.course import Course, Stage
from app.course.content.model import Section
from app.course.learning.steps import AnyStep, Say
from app.records.learning.values import LessonPageData
from app.web.learning.section_position import SectionPosition
from app.web.learning.step_views import PERSONAL_CONTEXT_BY_KIND, SHARED_CONTEXT_BY_KIND, render_step
from tests.course.content.registered_kinds import kinds
from tests.web.cast import Reader

KINDS = [*kinds(AnyStep)]
SOURCE_LINK = re.compile(r'想法来自：<a href="/sources#([a-z-]+)">')


def test_every_kind_of_step_has_one_presenter() -> None:
    assert sorted([*SHARED_CONTEXT_BY_KIND, *PERSONAL_CONTEXT_BY_KIND]) == sorted(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_step_is_rendered(app: FastAPI, course: Course, kind: str) -> None:
    stage, section, step = first_of(course, kind)
    at = SectionPosition(app.state.site, stage, section, LessonPageData(), len(section.steps))
    assert "<" in render_step(at, step)


def test_an_idea_leads_to_what_its_source_is(app: FastAPI, course: Course, guest: Reader) -> None:
    sources_page = guest.open("/sources").main
    for stage in course.stages:
        for section in stage.sections:
            at = SectionPosition(app.state.site, stage, section, LessonPageData(), len(section.steps))
            for step in section.steps:
                if isinstance(step, Say) and step.source:
                    [anchor] = SOURCE_LINK.findall(render_step(at, step))
                    assert step.source in sources_page.one(id=anchor).text


def first_of(course: Course, kind: str) -> tuple[Stage, Section, AnyStep]:
    """The first step of a kind in the lessons, and where it stands."""
    return next(
        (stage, section, step)
        for stage in course.stages
        for section in stage.sections
        for step in section.steps
        if step.kind == kind
    )
