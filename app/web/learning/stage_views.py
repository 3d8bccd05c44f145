"""Stages and sections as cards: what is done, what comes next."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from app.course import Course, Stage
from app.course.content.model import Section
from app.course.content.recently_used import RecentlyUsed
from app.course.practice.warm_up import pick
from app.records.learning.values import LessonPlaceRow, WarmUpData

Progress = Literal["new", "begun", "done"]


@dataclass(frozen=True, eq=False)
class SectionCard:
    """A section, and the furthest of its steps that was opened."""

    title: str
    url: str
    minutes: int
    state: Progress
    furthest_step: int
    step_count: int


@dataclass(frozen=True, eq=False)
class StageCard:
    """A stage with its sections; `is_ready`: its lesson is written.

    Who stand alike in a stage share its card, so its HTML is remembered by the card itself.
    """

    id: str
    number: int
    title: str
    summary: str
    is_ready: bool
    url: str
    sections: tuple[SectionCard, ...]

    @cached_property
    def done_section_count(self) -> int:
        return sum(section.state == "done" for section in self.sections)

    @property
    def section_count(self) -> int:
        return len(self.sections)

    @cached_property
    def state(self) -> Progress:
        if all(section.state == "new" for section in self.sections):
            return "new"
        if self.done_section_count == self.section_count:
            return "done"
        return "begun"


MOST_CARDS = 2_000
"""So many cards are kept, of some 2 KB each; there are few ways to stand in a stage."""
KNOWN_CARDS = RecentlyUsed[tuple[Hashable, ...], StageCard](MOST_CARDS)


def section_url(stage: Stage, section: Section, own_address: str = "") -> str:
    """Where a section is; `own_address` is that of the own content that it belongs to."""
    if own_address:
        return f"{own_address}/lessons/{section.id}"
    return f"/lessons/{stage.id}/{section.id}"


def step_url(stage: Stage, section: Section, step: int, own_address: str = "") -> str:
    """Where a step of a section is, from 1; the section itself for any other number."""
    url = section_url(stage, section, own_address)
    if 0 < step <= len(section.steps):
        return f"{url}#step-{section.steps[step - 1].id}"
    return url


def stage_cards(course: Course, places: Iterable[LessonPlaceRow]) -> list[StageCard]:
    """Every stage of the course, with how far each of its sections has come."""
    places_by_stage = defaultdict[str, list[LessonPlaceRow]](list)
    for place in places:
        places_by_stage[place.stage_ref].append(place)
    return [stage_card(course, stage, places_by_stage[course.ref(stage.id)]) for stage in course.stages]


def stage_card(
    course: Course, stage: Stage, places: Sequence[LessonPlaceRow], own_address: str = ""
) -> StageCard:
    """A stage with how far each of its sections has come; one card for all who have come as far."""
    ref = course.ref(stage.id)
    place_by_section = {place.section_id: place for place in places if place.stage_ref == ref}
    section_places = [place_by_section.get(section.id) for section in stage.sections]
    steps = [place and (place.step_id, place.step_number, place.is_done) for place in section_places]
    key = (course.digest, own_address, stage.id, *steps)
    card = KNOWN_CARDS.recall(key)
    if card is None:
        card = KNOWN_CARDS.keep(key, new_card(stage, section_places, own_address))
    return card


def new_card(stage: Stage, section_places: Sequence[LessonPlaceRow | None], own_address: str) -> StageCard:
    """A stage with the places of its sections, in their order."""
    url = own_address or f"/lessons/{stage.id}"
    is_ready = stage.lesson is not None
    cards = []
    for section, place in zip(stage.sections, section_places, strict=True):
        cards.append(section_card(stage, section, place, own_address))
    return StageCard(stage.id, stage.number, stage.title, stage.summary, is_ready, url, tuple(cards))


def section_card(
    stage: Stage, section: Section, place: LessonPlaceRow | None, own_address: str = ""
) -> SectionCard:
    """A section, with its place if it was opened."""
    state: Progress = "new"
    furthest_step = 0
    step_count = len(section.steps)
    url = section_url(stage, section, own_address)
    if place:
        state = "begun"
        furthest_step = section.step_number_at(place.step_id, place.step_number)
    if place and place.is_done:
        state = "done"
    elif place:
        url = step_url(stage, section, furthest_step, own_address)
    return SectionCard(section.title, url, section.minutes, state, furthest_step, step_count)


def resume_url(course: Course, stage: Stage, places: Sequence[LessonPlaceRow]) -> str:
    """Where to go on in a stage: where one was last, else the first section that is not done."""
    ref = course.ref(stage.id)
    unfinished_places = [place for place in places if place.stage_ref == ref and not place.is_done]
    last_place = max(unfinished_places, key=lambda place: place.updated_at, default=None)
    if last_place is not None:
        section = stage.section(last_place.section_id)
        if section is not None:  # else the content has lost it since
            return step_url(
                stage, section, section.step_number_at(last_place.step_id, last_place.step_number)
            )
    sections = stage_card(course, stage, places).sections
    for card in sections:
        if card.state != "done":
            return card.url
    return sections[0].url


def warm_up_name(course: Course) -> str:
    """What the attempts at 热热身 are called before their day."""
    return course.ref("warm-up")


def warm_up_count(course: Course, warm_up: WarmUpData) -> int:
    """How many questions today's 热热身 has; 0 with nothing to look back at, or once all are answered."""
    items = pick(course, warm_up.answers)
    answered_refs = {row.item_ref for row in warm_up.responses}
    if answered_refs.issuperset(map(course.ref, items)):
        return 0
    return len(items)
