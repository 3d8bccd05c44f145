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
        self.lists: dict[str, str] = {}
        self.levels: dict[tuple[str, int], tuple[str, str, int]] = {}
        self.restarts: dict[str, dict[int, int]] = {}
        self.styles: dict[str, tuple[str, int]] = {}
        self.counts: dict[str, dict[int, int]] = {}
        self.begun: set[str] = set()
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
        self.lists[list_id] = value(child(part, "abstractNumId"))
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
        kind = self.lists.get(list_id)
        if kind is None or (kind, level) not in self.levels:
            return ""
        self._count(list_id, kind, level)
        return self._written(kind, level)

    def _count(self, list_id: str, kind: str, level: int) -> None:
        counts = self.counts.setdefault(kind, {})
        if list_id not in self.begun:
            self.begun.add(list_id)
            for restarted_level, start in self.restarts[list_id].items():
                counts[restarted_level] = start - 1
        _, _, start = self.levels[kind, level]
        counts[level] = counts.get(level, start - 1) + 1
        for deeper in [place for place in counts if place > level]:
            del counts[deeper]

    def _written(self, kind: str, level: int) -> str:
        style, pattern, _ = self.levels[kind, level]
        if style in ("bullet", "none"):
            return ""
        counts = self.counts[kind]
        for place in range(level + 1):
            outer_style, _, start = self.levels.get((kind, place), ("decimal", "", 1))
            pattern = pattern.replace(f"%{place + 1}", in_style(counts.get(place, start), outer_style))
        return pattern
