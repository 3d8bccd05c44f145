"""The numbers that Word writes by itself before the paragraphs of a list, counted again.

Only the standard library is imported: `word_reader` runs in a process of its own.
"""

import runpy
from collections.abc import Callable
from pathlib import Path
from xml.etree.ElementTree import Element

_FOLDER = Path(__file__).parent
_elements = runpy.run_path(str(_FOLDER / "word_elements.py"))
local: Callable[[Element], str] = _elements["local"]
child: Callable[..., Element | None] = _elements["child"]
value: Callable[..., str] = _elements["value"]
small_number: Callable[[str], int] = _elements["small_number"]
in_style = runpy.run_path(str(_FOLDER / "word_signs.py"))["in_style"]


class Numbering:
    """The lists of a document, and how far each is counted.

    A list goes on until another one with its own start begins.
    """

    def __init__(self, numbering: Element | None, styles: Element | None) -> None:
        self.kind_of_list: dict[str, str] = {}
        self.levels: dict[tuple[str, int], tuple[str, str, int]] = {}
        self.restarts: dict[str, dict[int, int]] = {}
        self.styles: dict[str, tuple[str, int]] = {}
        self.counts: dict[str, dict[int, int]] = {}
        self.begun_lists: set[str] = set()
        for part in [] if numbering is None else numbering:
            if local(part) == "abstractNum":
                self._read_levels(value(part, "abstractNumId"), part)
            elif local(part) == "num":
                self._read_list(part)
        for style in [] if styles is None else styles:
            numbering_properties = child(style, "pPr", "numPr")
            if local(style) == "style" and numbering_properties is not None:
                level = small_number(value(child(numbering_properties, "ilvl")))
                self.styles[value(style, "styleId")] = value(child(numbering_properties, "numId")), level

    def _read_levels(self, kind: str, part: Element) -> None:
        for level in part:
            if local(level) == "lvl":
                level_format = value(child(level, "numFmt")), value(child(level, "lvlText"))
                first_number = small_number(value(child(level, "start")) or "1")
                self.levels[kind, small_number(value(level, "ilvl"))] = (*level_format, first_number)

    def _read_list(self, part: Element) -> None:
        list_id = value(part, "numId")
        self.kind_of_list[list_id] = value(child(part, "abstractNumId"))
        restarts = {}
        for override in part:
            start_override = child(override, "startOverride")
            if local(override) == "lvlOverride" and start_override is not None:
                restarts[small_number(value(override, "ilvl"))] = small_number(value(start_override))
        self.restarts[list_id] = restarts

    def number_of(self, paragraph: Element) -> str:
        """What Word writes before a paragraph; nothing before one that is not counted."""
        numbering_properties = child(paragraph, "pPr", "numPr")
        style = value(child(paragraph, "pPr", "pStyle"))
        list_id, level = self.styles.get(style, ("", 0))
        if numbering_properties is not None:
            list_id = value(child(numbering_properties, "numId")) or list_id
            level = small_number(value(child(numbering_properties, "ilvl"))) or (
                0 if child(numbering_properties, "ilvl") is not None else level
            )
        list_kind = self.kind_of_list.get(list_id)
        if list_kind is None or (list_kind, level) not in self.levels:
            return ""
        self._count(list_id, list_kind, level)
        return self._written(list_kind, level)

    def _count(self, list_id: str, list_kind: str, level: int) -> None:
        counts = self.counts.setdefault(list_kind, {})
        if list_id not in self.begun_lists:
            self.begun_lists.add(list_id)
            for restarted_level, first_number in self.restarts[list_id].items():
                counts[restarted_level] = first_number - 1
        _, _, first_number = self.levels[list_kind, level]
        counts[level] = counts.get(level, first_number - 1) + 1
        for deeper_level in [counted_level for counted_level in counts if counted_level > level]:
            del counts[deeper_level]

    def _written(self, list_kind: str, level: int) -> str:
        style, pattern, _ = self.levels[list_kind, level]
        if style in ("bullet", "none"):
            return ""
        counts = self.counts[list_kind]
        for outer_level in range(level + 1):
            outer_style, _, first_number = self.levels.get((list_kind, outer_level), ("decimal", "", 1))
            pattern = pattern.replace(
                f"%{outer_level + 1}", in_style(counts.get(outer_level, first_number), outer_style)
            )
        return pattern
