"""A program of its own, run by `app.course.text.sandbox`: a Word file comes in, its lines go out as JSON.

It prints `{"lines": ["1. …", …], "pictures": {"rId5": base64}}`, or `{"refused": "a sentence"}`. Numbers that
Word writes by itself, and formulas, become text; a picture that cannot be had leaves a mark. Nothing of the
project is imported, so that it starts quickly.
"""

import io
import json
import runpy
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

PICTURE, FORMULA, UNKNOWN, CUT = "【图片】", "【公式】", "【没读出】", "【没读全】"
"""What stands for a picture, for a formula or a sign that nobody could read, and where a line was cut."""
LARGEST_PART, MOST_FILES, MOST_ELEMENTS = 12 * 2**20, 3000, 300_000
"""Bytes of a part of the file, files in it, and elements of a part."""
MOST_LINES, LONGEST_LINE = 3000, 4000
DEEPEST = 60
"""Elements within elements: more is no document."""
BROKEN = "这个Word文件打不开，也许没有传完整，也许有密码。在Word里另存一份.docx再传"
TOO_LARGE = "这个Word文件太大了：只留要用的题，另存一份再传"
_formulas = runpy.run_path(str(Path(__file__).with_name("word_formulas.py")))
latex_of, UnknownFormula = _formulas["latex_of"], _formulas["UnknownFormula"]
_pictures = runpy.run_path(str(Path(__file__).with_name("word_pictures.py")))
_signs = runpy.run_path(str(Path(__file__).with_name("word_signs.py")))
symbol_of, in_style = _signs["symbol_of"], _signs["in_style"]


class UnfitDocument(ValueError):
    """A file that is not read, with the sentence that says why."""


def lines_of(data: bytes) -> tuple[list[str], dict[str, str]]:
    """The lines of a document, and its pictures in base64 by their names there. Raises `UnfitDocument`."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.infolist()) > MOST_FILES:
                raise UnfitDocument(TOO_LARGE)
            body = part_of(archive, "word/document.xml")
            if body is None:
                raise UnfitDocument(BROKEN)
            numbering = Numbering(part_of(archive, "word/numbering.xml"), part_of(archive, "word/styles.xml"))
            media = _pictures["pictures_in"](archive, body, part_of(archive, "word/_rels/document.xml.rels"))
    except (
        zipfile.BadZipFile,
        expat.ExpatError,
        OSError,
        NotImplementedError,
        RuntimeError,
        EOFError,
    ) as error:
        raise UnfitDocument(BROKEN) from error
    lines: list[str] = []
    for paragraph in paragraphs(body):
        lines += paragraph_text(paragraph, numbering).split("\n")
        if len(lines) > MOST_LINES:
            raise UnfitDocument(TOO_LARGE)
    return [whole_or_cut(line) for line in lines], media


def whole_or_cut(line: str) -> str:
    """A line; one that is too long ends with a mark."""
    if len(line) > LONGEST_LINE:
        return line[:LONGEST_LINE] + CUT
    return line


def part_of(archive: zipfile.ZipFile, name: str) -> Element | None:
    """A part of the file as elements; None where it is not there. Read no further than a part may be long."""
    if name not in archive.namelist():
        return None
    with archive.open(name) as part:
        content = part.read(LARGEST_PART + 1)
    if len(content) > LARGEST_PART:
        raise UnfitDocument(TOO_LARGE)
    return Tree(content).root


class Tree:
    """The elements of an XML text. One with a document type is refused: entities can grow without end."""

    def __init__(self, content: bytes) -> None:
        self._builder = TreeBuilder()
        self._depth = self._count = 0
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._builder.data
        parser.StartDoctypeDeclHandler = self._refuse
        parser.Parse(content, True)
        self.root: Element = self._builder.close()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._count += 1
        if self._depth > DEEPEST or self._count > MOST_ELEMENTS:
            raise UnfitDocument(TOO_LARGE)
        self._builder.start(name, attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._builder.end(name)

    def _refuse(self, *_: object) -> None:
        raise UnfitDocument(BROKEN)


def local(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def child(element: Element | None, *names: str) -> Element | None:
    """What is reached through children with these names; None where one is missing."""
    for name in names:
        if element is None:
            return None
        element = next((part for part in element if local(part) == name), None)
    return element


def value(element: Element | None, name: str = "val") -> str:
    """An attribute, whatever its namespace; empty where it is missing."""
    if element is None:
        return ""
    return next((text for key, text in element.attrib.items() if key.rpartition("}")[2] == name), "")


def paragraphs(element: Element) -> Iterator[Element]:
    """The paragraphs of a document in their order; the cells of a row of a table stand in one.

    Whatever else holds text stands for itself: `paragraph_text` leaves a mark for it.
    """
    for part in element:
        match local(part):
            case "body" | "tbl" | "sdt" | "sdtContent" | "ins" | "moveTo" | "customXml" | "smartTag":
                yield from paragraphs(part)
            case "p" | "tr":
                yield part
            case _ if piece_text(part):
                yield part


def paragraph_text(paragraph: Element, numbering: "Numbering") -> str:
    """A paragraph behind its number; a row of a table is its cells with space between."""
    if local(paragraph) == "tr":
        texts = [cell_text(cell, numbering) for cell in cells(paragraph)]
        separator = "   "
        if any("\n" in text for text in texts):
            separator = "\n"
        return separator.join(texts)
    if local(paragraph) != "p":
        return piece_text(paragraph)
    number = numbering.number_of(paragraph)
    return f"{number} {inline_text(paragraph)}".strip()


def cells(row: Element) -> Iterator[Element]:
    """The cells of a row of a table; controls may stand around some."""
    for part in row:
        match local(part):
            case "tc":
                yield part
            case "sdt" | "sdtContent" | "customXml":
                yield from cells(part)


def cell_text(cell: Element, numbering: "Numbering") -> str:
    return "\n".join(paragraph_text(part, numbering) for part in paragraphs(cell))


SIGNS = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
PICTURES = frozenset(("drawing", "pict", "object", "AlternateContent"))
HOLDERS = frozenset(
    (
        "oMathPara", "hyperlink", "ins", "smartTag", "sdt", "sdtContent", "fldSimple", "moveTo", "customXml",
        "bdo", "dir", "rubyBase", "rt",
    )
)  # fmt: skip
"""Elements that hold runs."""
STRUCK_OUT = frozenset(("del", "moveFrom"))
"""What a reviewer took out, which is passed over."""


def inline_text(element: Element) -> str:
    """The text of a paragraph or a part of one."""
    return "".join(map(piece_text, element))


def piece_text(part: Element) -> str:
    """The text of a piece of a paragraph or of a run."""
    name = local(part)
    if name in WRITERS:
        return WRITERS[name](part)
    if name in PICTURES:
        text = str(_pictures["picture_text"](part))
        return text if text and not holds_text(part) else text + PICTURE
    if name in HOLDERS:
        return inline_text(part)
    if name in SIGNS or name in STRUCK_OUT or not holds_text(part):
        return SIGNS.get(name, "")
    return UNKNOWN


def holds_text(element: Element) -> bool:
    """Whether there is something to read in an element."""
    return any(local(part) in ("t", "sym", "oMath") for part in element.iter())


def ruby_text(ruby: Element) -> str:
    """Words, and in brackets what stands small above them, such as their pinyin."""
    words = "".join(inline_text(part) for part in ruby if local(part) == "rubyBase")
    reading = "".join(inline_text(part) for part in ruby if local(part) == "rt")
    return f"{words}（{reading}）"


def run_text(run: Element) -> str:
    """A run; what stands above or below the line is a formula of its own."""
    text = inline_text(run)
    mark = {"superscript": "^", "subscript": "_"}.get(value(child(run, "rPr", "vertAlign")))
    if mark and text.strip() and PICTURE not in text:
        plain_signs = "".join(sign for sign in text.strip() if sign.isalnum() or sign in "+-=().,*/")
        if plain_signs == text.strip() and plain_signs.isascii():
            return f"${mark}{{{plain_signs}}}$"
    return text


def formula_text(element: Element) -> str:
    """A formula as LaTeX between two `$`, or the mark of one that is not known."""
    try:
        latex = " ".join(str(latex_of(element)).split())
    except UnknownFormula:
        return FORMULA
    if not latex:
        return ""
    return f"${latex}$"


def symbol_text(symbol: Element) -> str:
    """A sign of a font of symbols, or the mark of one that is not known."""
    return str(symbol_of(value(symbol, "font"), value(symbol, "char"))) or UNKNOWN


WRITERS: dict[str, Callable[[Element], str]] = {
    "t": lambda text: text.text or "",
    "r": run_text,
    "oMath": formula_text,
    "ruby": ruby_text,
    "sym": symbol_text,
}
"""What writes an element that is not as all others."""


class Numbering:
    """The numbers that Word counts by itself. A list goes on until another one with its own start begins."""

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
            number = child(style, "pPr", "numPr")
            if local(style) == "style" and number is not None:
                level = whole(value(child(number, "ilvl")))
                self.styles[value(style, "styleId")] = value(child(number, "numId")), level

    def _read_levels(self, kind: str, part: Element) -> None:
        for level in part:
            if local(level) == "lvl":
                entry = value(child(level, "numFmt")), value(child(level, "lvlText"))
                start = whole(value(child(level, "start")) or "1")
                self.levels[kind, whole(value(level, "ilvl"))] = (*entry, start)

    def _read_list(self, part: Element) -> None:
        list_id = value(part, "numId")
        self.lists[list_id] = value(child(part, "abstractNumId"))
        restarts = {}
        for override in part:
            start = child(override, "startOverride")
            if local(override) == "lvlOverride" and start is not None:
                restarts[whole(value(override, "ilvl"))] = whole(value(start))
        self.restarts[list_id] = restarts

    def number_of(self, paragraph: Element) -> str:
        """What Word writes before a paragraph; nothing before one that is not counted."""
        number = child(paragraph, "pPr", "numPr")
        style = value(child(paragraph, "pPr", "pStyle"))
        list_id, level = self.styles.get(style, ("", 0))
        if number is not None:
            list_id = value(child(number, "numId")) or list_id
            level = whole(value(child(number, "ilvl"))) or (0 if child(number, "ilvl") is not None else level)
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


def whole(text: str) -> int:
    """A small whole number; 0 for anything else."""
    if text.isdecimal():
        return int(text[:5])
    return 0


def answer(data: bytes) -> dict[str, Any]:
    try:
        return dict(zip(("lines", "pictures"), lines_of(data), strict=True))
    except UnfitDocument as error:
        return {"refused": str(error)}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(answer(sys.stdin.buffer.read())))
