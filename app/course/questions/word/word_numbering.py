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
child_on_path: Callable[..., Element | None] = _elements["child_on_path"]
attribute_of: Callable[..., str] = _elements["attribute_of"]
small_number: Callable[[str], int] = _elements["small_number"]
number_in_style = runpy.run_path(str(_FOLDER / "word_signs.py"))["number_in_style"]


class Numbering:
    """The lists of a document, and how far each is counted.

    A list goes on until another one with its own start begins.
    """

    def __init__(self, numbering: Element | None, styles: Element | None) -> None:
        self.kind_by_list_id: dict[str, str] = {}
        self.format_by_kind_and_level: dict[tuple[str, int], tuple[str, str, int]] = {}
        self.first_numbers_by_list_id: dict[str, dict[int, int]] = {}
        self.list_level_by_style: dict[str, tuple[str, int]] = {}
        self.count_by_level_by_kind: dict[str, dict[int, int]] = {}
        self.begun_list_ids: set[str] = set()
        for list_element in [] if numbering is None else numbering:
            if local_name(list_element) == "abstractNum":
                self._read_levels(attribute_of(list_element, "abstractNumId"), list_element)
            elif local_name(list_element) == "num":
                self._read_list(list_element)
        for style_element in [] if styles is None else styles:
            numbering_properties = child_on_path(style_element, "pPr", "numPr")
            if local_name(style_element) == "style" and numbering_properties is not None:
                level = small_number(attribute_of(child_on_path(numbering_properties, "ilvl")))
                self.list_level_by_style[attribute_of(style_element, "styleId")] = (
                    attribute_of(child_on_path(numbering_properties, "numId")),
                    level,
                )

    def _read_levels(self, list_kind: str, list_element: Element) -> None:
        for level_element in list_element:
            if local_name(level_element) == "lvl":
                format_and_pattern = (
                    attribute_of(child_on_path(level_element, "numFmt")),
                    attribute_of(child_on_path(level_element, "lvlText")),
                )
                first_number = small_number(attribute_of(child_on_path(level_element, "start")) or "1")
                self.format_by_kind_and_level[
                    list_kind, small_number(attribute_of(level_element, "ilvl"))
                ] = (
                    *format_and_pattern,
                    first_number,
                )

    def _read_list(self, list_element: Element) -> None:
        list_id = attribute_of(list_element, "numId")
        self.kind_by_list_id[list_id] = attribute_of(child_on_path(list_element, "abstractNumId"))
        first_number_by_level = {}
        for level_override in list_element:
            start_override = child_on_path(level_override, "startOverride")
            if local_name(level_override) == "lvlOverride" and start_override is not None:
                first_number_by_level[small_number(attribute_of(level_override, "ilvl"))] = small_number(
                    attribute_of(start_override)
                )
        self.first_numbers_by_list_id[list_id] = first_number_by_level

    def number_text_of(self, paragraph: Element) -> str:
        """What Word writes before a paragraph; nothing before one that is not counted."""
        numbering_properties = child_on_path(paragraph, "pPr", "numPr")
        style_id = attribute_of(child_on_path(paragraph, "pPr", "pStyle"))
        list_id, level = self.list_level_by_style.get(style_id, ("", 0))
        if numbering_properties is not None:
            list_id = attribute_of(child_on_path(numbering_properties, "numId")) or list_id
            level = small_number(attribute_of(child_on_path(numbering_properties, "ilvl"))) or (
                0 if child_on_path(numbering_properties, "ilvl") is not None else level
            )
        list_kind = self.kind_by_list_id.get(list_id)
        if list_kind is None or (list_kind, level) not in self.format_by_kind_and_level:
            return ""
        self._count_paragraph(list_id, list_kind, level)
        return self._number_text(list_kind, level)

    def _count_paragraph(self, list_id: str, list_kind: str, level: int) -> None:
        count_by_level = self.count_by_level_by_kind.setdefault(list_kind, {})
        if list_id not in self.begun_list_ids:
            self.begun_list_ids.add(list_id)
            for restarted_level, first_number in self.first_numbers_by_list_id[list_id].items():
                count_by_level[restarted_level] = first_number - 1
        _, _, first_number = self.format_by_kind_and_level[list_kind, level]
        count_by_level[level] = count_by_level.get(level, first_number - 1) + 1
        for deeper_level in [counted_level for counted_level in count_by_level if counted_level > level]:
            del count_by_level[deeper_level]

    def _number_text(self, list_kind: str, level: int) -> str:
        number_style, number_pattern, _ = self.format_by_kind_and_level[list_kind, level]
        if number_style in ("bullet", "none"):
            return ""
        count_by_level = self.count_by_level_by_kind[list_kind]
        for outer_level in range(level + 1):
            outer_style, _, first_number = self.format_by_kind_and_level.get(
                (list_kind, outer_level), ("decimal", "", 1)
            )
            number_pattern = number_pattern.replace(
                f"%{outer_level + 1}",
                number_in_style(count_by_level.get(outer_level, first_number), outer_style),
            )
        return number_pattern
