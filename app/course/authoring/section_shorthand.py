"""What a teacher may leave out of a section and its steps; with it put in, they are as everywhere.

Nothing is judged here: what has another shape than expected stays as it is, for the check that comes after.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from app.course.authoring.shorthand import KeyPath, YamlMapping
from app.course.text.yaml12 import YamlDocument

FIELD_BY_STEP_WORD = {
    "say": "text",
    "ask": "item",
    "figure": "figure",
    "example": "example",
    "cards": "cards",
    "recap": "points",
    "play": "start",
}
"""The word that begins a step in short, and the field that its value is."""
MOST_STEPS_OF_SECTION, MOST_SECTIONS = 6, 20


def sections_in_full(yaml_document: YamlDocument) -> Any:
    """The sections with ids and minutes; without any, the items and cards in the order they are written."""
    written_sections = yaml_document.data.get("sections")
    if written_sections is None:
        return _default_sections(yaml_document.data)
    if not isinstance(written_sections, dict):
        return written_sections
    return [_complete_section(str(section_id), section) for section_id, section in written_sections.items()]


def toy_paths(yaml_document: YamlDocument) -> Iterator[KeyPath]:
    """Where movable rows of candies stand."""
    sections = yaml_document.data.get("sections")
    if not isinstance(sections, dict):
        return
    for section_id, section in sections.items():
        steps = section.get("steps") if isinstance(section, dict) else None
        if not isinstance(steps, list):
            continue
        for step_index, step in enumerate(steps):
            if isinstance(step, dict) and ("play" in step or step.get("kind") == "play"):
                yield "sections", section_id, "steps", step_index


def _complete_section(section_id: str, written_section: Any) -> Any:
    if not isinstance(written_section, dict):
        return written_section
    steps = written_section.get("steps")
    if not isinstance(steps, list):
        return {"id": section_id, "minutes": 5, **written_section}
    completed_steps = [_complete_step(step_number, step) for step_number, step in enumerate(steps, 1)]
    minutes = min(10, max(1, 2 * len(steps)))
    return {"id": section_id, "minutes": minutes, **written_section, "steps": completed_steps}


def _complete_step(step_number: int, written_step: Any) -> Any:
    if isinstance(written_step, str):
        written_step = {"say": written_step}
    if not isinstance(written_step, dict):
        return written_step
    completed_step = dict(written_step)
    if "kind" not in completed_step:
        for step_word, field_name in FIELD_BY_STEP_WORD.items():
            if step_word in completed_step:
                shorthand_value = completed_step.pop(step_word)
                completed_step = {"kind": step_word, field_name: shorthand_value, **completed_step}
                break
    return {"id": f"step-{step_number}", **completed_step}


def _default_sections(content_data: YamlMapping) -> list[YamlMapping]:
    """Sections for a teacher who wrote none: six questions, or six cards, at a time."""
    step_groups = [*_groups_of_six(_default_steps(content_data))][:MOST_SECTIONS]
    if not step_groups:
        step_groups = [[{"kind": "say", "text": "练一练"}]]
    completed_sections = []
    for section_number, steps_of_group in enumerate(step_groups, 1):
        section_title = f"第{section_number}组"
        if len(step_groups) == 1:
            section_title = "练一练"
        steps = [_complete_step(step_number, step) for step_number, step in enumerate(steps_of_group, 1)]
        completed_sections.append(
            {
                "id": f"part-{section_number}",
                "title": section_title,
                "minutes": len(steps_of_group),
                "steps": steps,
            }
        )
    return completed_sections


def number_of_unnamed_section(section_id: str) -> int:
    """Which of the sections an id names that a teacher did not write; 0 for any other id.

    >>> number_of_unnamed_section("part-2"), number_of_unnamed_section("first")
    (2, 0)
    """
    id_match = re.fullmatch("part-([0-9]{1,2})", section_id)
    if id_match is None:
        return 0
    return int(id_match[1])


def _default_steps(content_data: YamlMapping) -> list[YamlMapping]:
    """Every item but the twins, and the cards by six; where there are neither, the examples."""
    items = content_data.get("items")
    twin_ids = set()
    if isinstance(items, dict):
        twin_ids = set(_twin_ids(items.values()))
    steps: list[YamlMapping] = [
        {"kind": "ask", "item": item_id} for item_id in _possible_ids(items) if item_id not in twin_ids
    ]
    steps += [
        {"kind": "cards", "cards": [*card_ids]}
        for card_ids in _groups_of_six(_possible_ids(content_data.get("cards")))
    ]
    if not steps:
        steps = [
            {"kind": "example", "example": example_id}
            for example_id in _possible_ids(content_data.get("examples"))
        ]
    return steps


def _twin_ids(items: Iterable[Any]) -> Iterator[str]:
    """The ids of twins; the check of the course complains of what is no id."""
    for item in items:
        if isinstance(item, dict) and isinstance(item.get("twin"), str):
            yield item["twin"]


def _possible_ids(piece_by_id: Any) -> list[str]:
    """The names that can be ids; the check of the course complains of others."""
    if not isinstance(piece_by_id, dict):
        return []
    return [
        piece_id
        for piece_id in map(str, piece_by_id)
        if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", piece_id)
    ]


def _groups_of_six(steps_or_ids: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start_index in range(0, len(steps_or_ids), MOST_STEPS_OF_SECTION):
        yield steps_or_ids[start_index : start_index + MOST_STEPS_OF_SECTION]
