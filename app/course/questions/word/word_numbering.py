"""The numbers that Word writes by itself before the paragraphs of a list, counted again.

Only the standard library is imported: `word_reader` runs in a process of its own.
"""

import runpy
from collections.abc import Callable
from pathlib import Path
from xml.etree.ElementTree import Element

_FOLDER = Path(__file__).parent
_elements = runpy.run_path(str(_FOLDER / "word_elements.py"))
local_name: Callable[[Element], str] = _elements["local_name"]
child_at: Callable[..., Element | None] = _elements["child_at"]
attribute_of: Callable[..., str] = _elements["attribute_of"]
small_number: Callable[[str], int] = _elements["small_number"]
number_in_style = runpy.run_path(str(_FOLDER / "word_signs.py"))["number_in_style"]


class Numbering:
    """The lists of a document, and how far each is counted.

    A list goes on until another one with its own start begins.
    """

    def __init__(self, numbering: Element | None, styles: Element | None) -> None:
        self.kind_by_list_id: dict[str, str] = {}
        self.format_by_level: dict[tuple[str, int], tuple[str, str, int]] = {}
        self.restarts_by_list_id: dict[str, dict[int, int]] = {}
        self.list_level_by_style: dict[str, tuple[str, int]] = {}
        self.counts_by_kind: dict[str, dict[int, int]] = {}
        self.begun_lists: set[str] = set()
        for part in [] if numbering is None else numbering:
            if local_name(part) == "abstractNum":
                self._read_levels(attribute_of(part, "abstractNumId"), part)
            elif local_name(part) == "num":
                self._read_list(part)
        for style in [] if styles is None else styles:
            numbering_properties = child_at(style, "pPr", "numPr")
            if local_name(style) == "style" and numbering_properties is not None:
                level = small_number(attribute_of(child_at(numbering_properties, "ilvl")))
                self.list_level_by_style[attribute_of(style, "styleId")] = (
                    attribute_of(child_at(numbering_properties, "numId")),
                    level,
                )

    def _read_levels(self, kind: str, part: Element) -> None:
        for level in part:
            if local_name(level) == "lvl":
                format_and_pattern = (
                    attribute_of(child_at(level, "numFmt")),
                    attribute_of(child_at(level, "lvlText")),
                )
                first_number = small_number(attribute_of(child_at(level, "start")) or "1")
                self.format_by_level[kind, small_number(attribute_of(level, "ilvl"))] = (
                    *format_and_pattern,
                    first_number,
                )

    def _read_list(self, part: Element) -> None:
        list_id = attribute_of(part, "numId")
        self.kind_by_list_id[list_id] = attribute_of(child_at(part, "abstractNumId"))
        restarts = {}
        for override in part:
            start_override = child_at(override, "startOverride")
            if local_name(override) == "lvlOverride" and start_override is not None:
                restarts[small_number(attribute_of(override, "ilvl"))] = small_number(
                    attribute_of(start_override)
                )
        self.restarts_by_list_id[list_id] = restarts

    def number_of(self, paragraph: Element) -> str:
        """What Word writes before a paragraph; nothing before one that is not counted."""
        numbering_properties = child_at(paragraph, "pPr", "numPr")
        style = attribute_of(child_at(paragraph, "pPr", "pStyle"))
        list_id, level = self.list_level_by_style.get(style, ("", 0))
        if numbering_properties is not None:
            list_id = attribute_of(child_at(numbering_properties, "numId")) or list_id
            level = small_number(attribute_of(child_at(numbering_properties, "ilvl"))) or (
                0 if child_at(numbering_properties, "ilvl") is not None else level
            )
        list_kind = self.kind_by_list_id.get(list_id)
        if list_kind is None or (list_kind, level) not in self.format_by_level:
            return ""
        self._count(list_id, list_kind, level)
        return self._number_text(list_kind, level)

    def _count(self, list_id: str, list_kind: str, level: int) -> None:
        counts = self.counts_by_kind.setdefault(list_kind, {})
        if list_id not in self.begun_lists:
            self.begun_lists.add(list_id)
            for restarted_level, first_number in self.restarts_by_list_id[list_id].items():
                counts[restarted_level] = first_number - 1
        _, _, first_number = self.format_by_level[list_kind, level]
        counts[level] = counts.get(level, first_number - 1) + 1
        for deeper_level in [counted_level for counted_level in counts if counted_level > level]:
            del counts[deeper_level]

    def _number_text(self, list_kind: str, level: int) -> str:
        style, pattern, _ = self.format_by_level[list_kind, level]
        if style in ("bullet", "none"):
            return ""
        counts = self.counts_by_kind[list_kind]
        for outer_level in range(level + 1):
            outer_style, _, first_number = self.format_by_level.get(
                (list_kind, outer_level), ("decimal", "", 1)
            )
            pattern = pattern.replace(
                f"%{outer_level + 1}", number_in_style(counts.get(outer_level, first_number), outer_style)
            )
        return pattern
