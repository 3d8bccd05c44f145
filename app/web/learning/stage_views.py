"""Stages and sections as cards: what is done, what comes next."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from app.course import Course, Stage
from app.course.content.model import Section
from app.course.content.recently_used import RecentlyUsed
from app.course.learning.steps import AnyStep
from app.course.practice.warm_up import warm_up_item_ids
from app.records.learning.lesson_progress import place_of_section
from app.records.learning.values import LessonPlaceRow, WarmUpData

Progress = Literal["new", "begun", "done"]


@dataclass(frozen=True, eq=False)
class SectionView:
    """A section, and the furthest of its steps that was opened."""

    title: str
    url: str
    minutes: int
    state: Progress
    furthest_step_number: int
    step_count: int


@dataclass(frozen=True, eq=False)
class StageView:
    """A stage with its sections; `is_ready`: its lesson is written.

    Who stand alike in a stage share its card, so its HTML is remembered by the card itself.
    """

    id: str
    number: int
    title: str
    summary: str
    is_ready: bool
    url: str
    sections: tuple[SectionView, ...]

    @cached_property
    def done_section_count(self) -> int:
        return sum(view_of_section.state == "done" for view_of_section in self.sections)

    @property
    def section_count(self) -> int:
        return len(self.sections)

    @cached_property
    def state(self) -> Progress:
        if all(view_of_section.state == "new" for view_of_section in self.sections):
            return "new"
        if self.done_section_count == self.section_count:
            return "done"
        return "begun"


MOST_STAGE_VIEWS = 2_000
"""So many cards are kept, of some 2 KB each; there are few ways to stand in a stage."""
REMEMBERED_STAGE_VIEWS = RecentlyUsed[tuple[Hashable, ...], StageView](MOST_STAGE_VIEWS)


def section_url(stage: Stage, section: Section, own_address: str = "") -> str:
    """Where a section is; `own_address` is that of the own content that it belongs to."""
    if own_address:
        return f"{own_address}/lessons/{section.id}"
    return f"/lessons/{stage.id}/{section.id}"


def step_url(stage: Stage, section: Section, step_number: int, own_address: str = "") -> str:
    """Where a step of a section is, from 1; the section itself for any other number."""
    url_of_section = section_url(stage, section, own_address)
    if 0 < step_number <= len(section.steps):
        return f"{url_of_section}#step-{section.steps[step_number - 1].id}"
    return url_of_section


def step_name(stage: Stage, section: Section, step: AnyStep) -> str:
    """How addresses name a step of the course: `stage.section.step`."""
    return f"{stage.id}.{section.id}.{step.id}"


class NamedStep(NamedTuple):
    """A step of the course with where it stands; `number`: in its section, from 1."""

    stage: Stage
    section: Section
    step: AnyStep
    number: int


def find_named_step(course: Course, step_name: str) -> NamedStep | None:
    """The step that is named so, or that has taken its place; None where the course has none."""
    stage_id, section_id, step_id = [*step_name.split("."), "", ""][:3]
    stage = course.stage(stage_id)
    if stage is None:
        return None
    section = stage.section(section_id)
    if section is None:
        return None
    step_number = section.step_number_of(step_id)
    if step_number is None:
        return None
    return NamedStep(stage, section, section.steps[step_number - 1], step_number)


def stage_views(course: Course, lesson_places: Iterable[LessonPlaceRow]) -> list[StageView]:
    """Every stage of the course, with how far each of its sections has come."""
    places_by_stage_id = defaultdict[str, list[LessonPlaceRow]](list)
    for lesson_place in lesson_places:
        places_by_stage_id[lesson_place.stage_ref].append(lesson_place)
    return [stage_view(course, stage, places_by_stage_id[course.ref(stage.id)]) for stage in course.stages]


def stage_view(
    course: Course, stage: Stage, lesson_places: Sequence[LessonPlaceRow], own_address: str = ""
) -> StageView:
    """A stage with how far each of its sections has come; one card for all who have come as far."""
    stage_ref = course.ref(stage.id)
    place_by_section_id = {
        lesson_place.section_id: lesson_place
        for lesson_place in lesson_places
        if lesson_place.stage_ref == stage_ref
    }
    section_places = [place_of_section(section, place_by_section_id) for section in stage.sections]
    place_keys = [
        lesson_place and (lesson_place.step_id, lesson_place.step_number, lesson_place.is_done)
        for lesson_place in section_places
    ]
    cache_key = (course.digest, own_address, stage.id, *place_keys)
    remembered_view = REMEMBERED_STAGE_VIEWS.recall(cache_key)
    if remembered_view is None:
        remembered_view = REMEMBERED_STAGE_VIEWS.keep(
            cache_key, new_stage_view(stage, section_places, own_address)
        )
    return remembered_view


def new_stage_view(
    stage: Stage, section_places: Sequence[LessonPlaceRow | None], own_address: str
) -> StageView:
    """A stage with the places of its sections, in their order."""
    stage_url = own_address or f"/lessons/{stage.id}"
    is_ready = stage.lesson is not None
    section_views = []
    for section, lesson_place in zip(stage.sections, section_places, strict=True):
        section_views.append(section_view(stage, section, lesson_place, own_address))
    return StageView(
        stage.id, stage.number, stage.title, stage.summary, is_ready, stage_url, tuple(section_views)
    )


def section_view(
    stage: Stage, section: Section, lesson_place: LessonPlaceRow | None, own_address: str = ""
) -> SectionView:
    """A section, with its place if it was opened."""
    section_progress: Progress = "new"
    furthest_step_number = 0
    step_count = len(section.steps)
    url_of_section = section_url(stage, section, own_address)
    if lesson_place:
        section_progress = "begun"
        furthest_step_number = section.step_number_at(lesson_place.step_id, lesson_place.step_number)
    if lesson_place and lesson_place.is_done:
        section_progress = "done"
    elif lesson_place:
        url_of_section = step_url(stage, section, furthest_step_number, own_address)
    return SectionView(
        section.title, url_of_section, section.minutes, section_progress, furthest_step_number, step_count
    )


def resume_url(course: Course, stage: Stage, lesson_places: Sequence[LessonPlaceRow]) -> str:
    """Where to go on in a stage: where one was last, else the first section that is not done."""
    stage_ref = course.ref(stage.id)
    unfinished_places = [
        lesson_place
        for lesson_place in lesson_places
        if lesson_place.stage_ref == stage_ref and not lesson_place.is_done
    ]
    last_place = max(unfinished_places, key=lambda lesson_place: lesson_place.updated_at, default=None)
    if last_place is not None:
        section = stage.section(last_place.section_id)
        if section is not None:  # else the content has lost it since
            return step_url(
                stage, section, section.step_number_at(last_place.step_id, last_place.step_number)
            )
    section_views = stage_view(course, stage, lesson_places).sections
    for section_view in section_views:
        if section_view.state != "done":
            return section_view.url
    return section_views[0].url


def warm_up_ref_prefix(course: Course) -> str:
    """What the attempts at 热热身 are called before their day."""
    return course.ref("warm-up")


def count_warm_up_questions(course: Course, warm_up_data: WarmUpData) -> int:
    """How many questions today's 热热身 has; 0 with nothing to look back at, or once all are answered."""
    item_ids = warm_up_item_ids(course, warm_up_data.refs_with_verdicts)
    answered_refs = {response.item_ref for response in warm_up_data.responses}
    if answered_refs.issuperset(map(course.ref, item_ids)):
        return 0
    return len(item_ids)
