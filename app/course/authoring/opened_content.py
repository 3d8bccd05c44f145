"""Own content as somebody may learn from it: what is not open to them is not in the course at all."""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import NamedTuple

from app.course.content.course import Course
from app.course.content.model import Section, Stage
from app.course.content.refs import with_twins
from app.course.items.your_turn import turn_item_id
from app.course.learning.steps import AnyStep, CardsStep, ExampleStep, Recap, Say

SEALED_ITEM_SENTENCE = "这道题正在一份作业里考。在“我的作业”里答；结果出来以后，它在这里也会打开。"
UNASSIGNED_ITEM_SENTENCE = "这道题没有布置给你。"


class ContentAccess(NamedTuple):
    """What of own content is open to somebody; ids are those of the content.

    `is_whole`: all of it, for its teacher and for everyone with its link; else only `section_ids`, `item_ids`
    on pages of their own, and with `are_cards_open` every section that has some. `sealed_item_ids`: items
    that are closed all the same, for an assignment asks them whose results are not out.
    """

    is_whole: bool
    section_ids: frozenset[str] = frozenset()
    item_ids: frozenset[str] = frozenset()
    are_cards_open: bool = False
    sealed_item_ids: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        return not (self.is_whole or self.section_ids or self.item_ids or self.are_cards_open)

    @property
    def digest(self) -> str:
        """What tells the pages of one access from those of another."""
        sorted_ids = (sorted(self.section_ids), sorted(self.item_ids), sorted(self.sealed_item_ids))
        access_text = f"{self.is_whole} {self.are_cards_open} {sorted_ids}"
        return hashlib.sha256(access_text.encode()).hexdigest()[:16]


FULL_ACCESS = ContentAccess(is_whole=True)


def course_as_opened(course: Course, content_access: ContentAccess) -> Course:
    """The content with only what is open in it. A question that is closed leaves a word in its place, so that
    the steps of a section keep their numbers."""
    if content_access == FULL_ACCESS:
        return course
    [stage] = course.stages
    sealed_item_ids = sealed_item_ids_of(course, content_access)
    opened_item_ids = wanted_item_ids_of(course, content_access) - sealed_item_ids
    sections = [
        with_open_items(section, opened_item_ids, sealed_item_ids)
        for section in opened_sections_of(stage, content_access)
    ]
    card_ids = tuple(card_ids_of_sections(sections))
    if content_access.is_whole:
        card_ids = stage.card_ids
    lesson = stage.lesson and stage.lesson.model_copy(update={"sections": sections})
    return replace(
        course.with_items(
            {item_id: course.items[item_id] for item_id in course.items if item_id in opened_item_ids}
        ),
        stages=(replace(stage, lesson=lesson, card_ids=card_ids),),
        cards={card_id: course.cards[card_id] for card_id in card_ids},
        digest=f"{course.digest}-{content_access.digest}",
    )


def opened_sections_of(stage: Stage, content_access: ContentAccess) -> Iterator[Section]:
    """The sections that somebody may walk through."""
    for section in stage.sections:
        has_cards = any(isinstance(step, CardsStep) for step in section.steps)
        if (
            content_access.is_whole
            or section.id in content_access.section_ids
            or (content_access.are_cards_open and has_cards)
        ):
            yield section


def sealed_item_ids_of(course: Course, content_access: ContentAccess) -> set[str]:
    """The items that are closed for an assignment: what it asks, with the twins of that."""
    return with_twins(content_access.sealed_item_ids, course.item_id_by_twin_id)


def wanted_item_ids_of(course: Course, content_access: ContentAccess) -> set[str]:
    """The items that may be asked unless they are sealed, each with its twin; 换你 wherever its example
    opens."""
    if content_access.is_whole:
        return set(course.items)
    wanted_item_ids = set(content_access.item_ids)
    for section in opened_sections_of(course.stages[0], content_access):
        for step in section.steps:
            if isinstance(step, ExampleStep):
                wanted_item_ids.add(turn_item_id(step.example))
        if section.id in content_access.section_ids:
            wanted_item_ids.update(section.item_ids_with_twins(course.items))
    wanted_item_ids.intersection_update(course.items)
    for twin_id, item_id in course.item_id_by_twin_id.items():
        if item_id in wanted_item_ids:
            wanted_item_ids.add(twin_id)
    return wanted_item_ids


def with_open_items(
    section: Section, opened_item_ids: Collection[str], sealed_item_ids: Collection[str]
) -> Section:
    """A section that asks only what is open."""
    steps = [step_as_opened(step, opened_item_ids, sealed_item_ids) for step in section.steps]
    return section.model_copy(update={"steps": steps})


def step_as_opened(
    step: AnyStep, opened_item_ids: Collection[str], sealed_item_ids: Collection[str]
) -> AnyStep:
    item_id = step.asked_item_id
    if item_id is None or item_id in opened_item_ids:
        return step
    if isinstance(step, Recap):  # its points ask nothing
        return step.model_copy(update={"item": None})
    closed_sentence = UNASSIGNED_ITEM_SENTENCE
    if item_id in sealed_item_ids:
        closed_sentence = SEALED_ITEM_SENTENCE
    return Say(id=step.id, kind="say", text=closed_sentence)


def card_ids_of_sections(sections: Collection[Section]) -> Iterator[str]:
    """The cards of these sections, each once."""
    card_ids: dict[str, None] = {}
    for section in sections:
        for step in section.steps:
            if isinstance(step, CardsStep):
                card_ids.update(dict.fromkeys(step.cards))
    yield from card_ids
