"""Stages and sections as cards: what is done, what comes next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.course import Course, Stage
from app.course.content.model import Section
from app.records.learning.values import LessonPlaceRow

Progress = Literal["new", "begun", "done"]


@dataclass(frozen=True)
class SectionCard:
    id: str
    title: str
    url: str
    minutes: int
    state: Progress
    step: int
    steps: int


@dataclass(frozen=True)
class StageCard:
    id: str
    number: int
    title: str
    summary: str
    ready: bool
    url: str
    sections: Sequence[SectionCard]
    done_sections: int
    total_sections: int
    state: Progress


def section_url(stage: Stage, section: Section, own: str = "") -> str:
    """Where a section is; `own` is the address of the own content that it belongs to."""
    return f"{own}/lessons/{section.id}" if own else f"/lessons/{stage.id}/{section.id}"


def stage_card(course: Course, stage: Stage, places: Sequence[LessonPlaceRow], own: str = "") -> StageCard:
    """A stage with how far each of its sections has come."""
    kept = {place.section: place for place in places if place.stage == course.ref(stage.id)}
    cards = [section_card(stage, section, kept.get(section.id), own) for section in stage.sections]
    done = sum(card.state == "done" for card in cards)
    begun = any(card.state != "new" for card in cards)
    state: Progress = "done" if cards and done == len(cards) else "begun" if begun else "new"
    return StageCard(
        stage.id,
        stage.number,
        stage.title,
        stage.summary,
        stage.lesson is not None,
        own or f"/lessons/{stage.id}",
        cards,
        done,
        len(cards),
        state,
    )


def section_card(stage: Stage, section: Section, place: LessonPlaceRow | None, own: str = "") -> SectionCard:
    state: Progress = "new" if place is None else "done" if place.done else "begun"
    step = min(place.step, len(section.steps)) if place else 0
    return SectionCard(
        section.id,
        section.title,
        section_url(stage, section, own),
        section.minutes,
        state,
        step,
        len(section.steps),
    )


def resume_url(course: Course, stage: Stage, places: Sequence[LessonPlaceRow]) -> str:
    """Where to go on in a stage: where one was last, else the first section that is not done."""
    card = stage_card(course, stage, places)
    mine = [place for place in places if place.stage == course.ref(stage.id) and not place.done]
    last = max(mine, key=lambda place: place.updated_at, default=None)
    if last and stage.section(last.section):
        return f"/lessons/{stage.id}/{last.section}"
    open_ones = [one for one in card.sections if one.state != "done"]
    return (open_ones or list(card.sections))[0].url
