"""Every kind of step can be shown: a kind without a presenter fails here, not on the page of a learner."""

import re
from dataclasses import replace

import pytest
from fastapi import FastAPI

from app.course import Course, Stage
from app.course.content.model import Section
from app.course.learning.steps import AnyStep, ExampleStep, Say, Step, ToyStep, WorkbenchLab
from app.records.learning.values import LessonPageData, ResponseRow, RevealState
from app.web.learning.lessons import htmls_of_open_steps
from app.web.learning.section_position import SectionPosition
from app.web.learning.step_views import (
    PERSONAL_CONTEXT_BY_KIND,
    SHARED_CONTEXT_BY_KIND,
    PersonalContext,
    render_step,
    say_context,
    step_html,
)
from app.web.site.responses import Context
from tests.course.content.registered_kinds import kinds, members
from tests.records.cast import NOW
from tests.web.cast import Reader

KINDS = [*kinds(AnyStep)]
KINDS_WITHOUT_READER = (ToyStep, WorkbenchLab)
"""What depends on nothing but the address."""
SOURCE_LINK = re.compile(r'想法来自：<a href="/sources#([a-z-]+)">')


def test_every_kind_of_step_has_one_presenter() -> None:
    assert sorted([*SHARED_CONTEXT_BY_KIND, *PERSONAL_CONTEXT_BY_KIND]) == sorted(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_step_is_rendered(app: FastAPI, course: Course, kind: str) -> None:
    stage, section, step = first_of(course, kinds(AnyStep)[kind])
    at = SectionPosition(app.state.site, stage, section, LessonPageData(), len(section.steps))
    assert "<" in render_step(at, step)


@pytest.mark.parametrize("step_class", [*members(AnyStep)])
def test_a_step_that_is_kept_shows_each_reader_what_is_theirs(
    app: FastAPI, course: Course, step_class: type[Step]
) -> None:
    """Also the one who comes after somebody of whom other things are known."""
    stage, section, step = first_of(course, step_class)
    nobody = SectionPosition(app.state.site, stage, section, LessonPageData(), len(section.steps))
    learner = replace(
        nobody, lesson_data=data_of_learner(course, section), step_number=nobody.step_number + 1
    )
    step_index = section.steps.index(step)
    for reader in (nobody, learner, nobody):
        assert htmls_of_open_steps(reader)[step_index] == step_html(reader, step)
    is_personal = step.kind in PERSONAL_CONTEXT_BY_KIND and step_class not in KINDS_WITHOUT_READER
    assert (step_html(nobody, step) != step_html(learner, step)) == is_personal


def test_a_kind_that_does_not_say_what_it_depends_on_is_rendered_for_each_reader(
    app: FastAPI, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    def say_whose_turn_it_is(at: SectionPosition, step: Say) -> Context:
        return say_context(at.course, step) | {"html": f"学习者{at.lesson_data.learner_id}"}

    monkeypatch.setitem(PERSONAL_CONTEXT_BY_KIND, "say", PersonalContext(say_whose_turn_it_is))
    stage, section, step = first_of(course, Say)
    for learner_id in (1, 2):
        lesson_data = LessonPageData(learner_id=learner_id)
        at = SectionPosition(app.state.site, stage, section, lesson_data, len(section.steps))
        assert f"学习者{learner_id}" in htmls_of_open_steps(at)[section.steps.index(step)]


def data_of_learner(course: Course, section: Section) -> LessonPageData:
    """What is known of somebody who has answered everything wrongly, seen hints, opened and collected."""
    responses: list[ResponseRow] = []
    hint_counts: dict[str, int] = {}
    reveal_states: dict[str, RevealState] = {}
    for step in section.steps:
        for item_ref in course.item_refs_by_step_ids[section.id, step.id]:
            responses.append(ResponseRow(item_ref, 1, ("0",), "0", "wrong", 0.0, None, 1, None, "", NOW))
            hint_counts[item_ref] = 1
        if isinstance(step, ExampleStep):
            reveal_states[course.ref(step.example)] = RevealState(opened_count=2)
    collected_card_refs = frozenset(map(course.ref, course.cards))
    return LessonPageData(None, tuple(responses), hint_counts, 7, 1, (), reveal_states, collected_card_refs)


def test_an_idea_leads_to_what_its_source_is(app: FastAPI, course: Course, guest: Reader) -> None:
    sources_page = guest.open("/sources").main
    for stage in course.stages:
        for section in stage.sections:
            at = SectionPosition(app.state.site, stage, section, LessonPageData(), len(section.steps))
            for step in section.steps:
                if isinstance(step, Say) and step.source:
                    [anchor] = SOURCE_LINK.findall(render_step(at, step))
                    assert step.source in sources_page.one(id=anchor).text


def first_of(course: Course, step_class: type[Step]) -> tuple[Stage, Section, AnyStep]:
    """The first step of a kind in the lessons, and where it stands."""
    return next(
        (stage, section, step)
        for stage in course.stages
        for section in stage.sections
        for step in section.steps
        if isinstance(step, step_class)
    )
