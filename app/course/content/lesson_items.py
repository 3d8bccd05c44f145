"""Which items the steps of the lessons ask, and where each is asked first."""

from collections.abc import Iterator, Mapping, Sequence

from app.course.content.model import Section, Stage, StageSection
from app.course.items.kinds import Item
from app.course.items.your_turn import turn_item_id
from app.course.learning.steps import AnyStep, Ask, ExampleStep

ItemById = Mapping[str, Item]


def section_by_taught_skill(stages: Sequence[Stage], items: ItemById) -> dict[str, StageSection]:
    """Where each skill is taught: the first section that asks for it, probes and 小测 aside."""
    section_by_skill_id: dict[str, StageSection] = {}
    for stage in stages:
        for section in stage.lesson_sections:
            for item_id in teaching_item_ids(section, items):
                section_by_skill_id.setdefault(items[item_id].skill, StageSection(stage, section))
    return section_by_skill_id


def teaching_item_ids(section: Section, items: ItemById) -> Iterator[str]:
    """The items of a section that are no probes."""
    for step in section.steps:
        is_probe = isinstance(step, Ask) and step.probe
        item_id = step.asked_item_id
        if item_id and item_id in items and not is_probe:
            yield item_id


def section_by_asked_item(stage_sections: Sequence[StageSection], items: ItemById) -> dict[str, StageSection]:
    """The first section that asks an item, for every item of the lessons."""
    section_by_item_id: dict[str, StageSection] = {}
    for stage_section in stage_sections:
        for item_id in item_ids_of_section(stage_section.section, items):
            section_by_item_id.setdefault(item_id, stage_section)
    return section_by_item_id


def item_ids_of_section(section: Section, items: ItemById) -> Iterator[str]:
    """The items of a section with their twins and 换你."""
    for step in section.steps:
        yield from item_ids_of_step(step, items)


def item_ids_of_step(step: AnyStep, items: ItemById) -> Iterator[str]:
    """The item of a step with its twin, or 换你."""
    item_id = step.asked_item_id
    if isinstance(step, ExampleStep):
        item_id = turn_item_id(step.example)
    if item_id:
        yield item_id
        twin_id = items[item_id].twin
        if twin_id:
            yield twin_id
