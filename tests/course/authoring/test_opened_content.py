"""A question that is closed in own content leaves nothing that asks it, whatever kind of step asked it."""

from typing import Any, Literal

import pytest

from app.course import Course
from app.course.authoring.opened_content import (
    SEALED_ITEM_SENTENCE,
    UNASSIGNED_ITEM_SENTENCE,
    ContentAccess,
    course_as_opened,
)
from app.course.authoring.own_content import parse_own
from app.course.content.model import Section
from app.course.learning.steps import ActiveStep, Ask, Recap, Say
from tests.published import published

OWN_TEXT = """\
title: 一份
skill: dcg
items:
  s1: {stem: 越甜越靠前，对吗？, answer: true}
  s2: {stem: 越甜越靠后，对吗？, answer: false}
cards:
  c1: {front: 糖, back: 甜}
sections:
  first:
    title: 先学
    steps:
      - ask: s1
      - cards: [c1]
"""
S1_SEALED = ContentAccess(is_whole=True, sealed_item_ids=frozenset({"s1"}))
CARDS_ALONE = ContentAccess(is_whole=False, are_cards_open=True)


class Riddle(ActiveStep):
    """A kind of step that does not exist yet, and asks an item under a name of its own."""

    kind: Literal["riddle"]
    riddle: str

    @property
    def asked_item_id(self) -> str:
        return self.riddle


def opened_section(step: Any, content_access: ContentAccess) -> Section:
    """The section of own content that begins with this step, as far as it is open."""
    course = parse_own(OWN_TEXT, 42, published())
    assert isinstance(course, Course)
    course.stages[0].sections[0].steps[0] = step
    opened_course = course_as_opened(course, content_access)
    [section] = opened_course.stages[0].sections
    assert set(section.item_ids_with_twins(opened_course.items)) <= set(opened_course.items)
    return section


@pytest.mark.parametrize(
    ("content_access", "sentence"),
    [(S1_SEALED, SEALED_ITEM_SENTENCE), (CARDS_ALONE, UNASSIGNED_ITEM_SENTENCE)],
)
def test_any_step_that_asks_what_is_closed_leaves_a_word_in_its_place(
    content_access: ContentAccess, sentence: str
) -> None:
    for step in (Riddle(id="r", kind="riddle", riddle="s1"), Ask(id="r", kind="ask", item="s1")):
        section = opened_section(step, content_access)
        assert section.steps[0] == Say(id="r", kind="say", text=sentence)


def test_a_step_stays_as_it_is_where_its_item_is_open() -> None:
    for step in (Riddle(id="r", kind="riddle", riddle="s2"), Recap(id="r", kind="recap", points=["记"])):
        assert opened_section(step, S1_SEALED).steps[0] is step


def test_a_recap_of_what_is_closed_keeps_its_points() -> None:
    recap = Recap(id="r", kind="recap", points=["越甜越靠前"], item="s1")
    for content_access in (S1_SEALED, CARDS_ALONE):
        [shown_step, _] = opened_section(recap, content_access).steps
        assert shown_step == Recap(id="r", kind="recap", points=["越甜越靠前"])
