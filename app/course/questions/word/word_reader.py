"""A program of its own, run by `app.course.text.sandbox`: a Word file comes in, its lines go out as JSON.

It prints `{"lines": ["1. …", …], "pictures": {"rId5": base64}}`, or `{"refused": "a sentence"}`. Numbers that
Word writes by itself, and formulas, become text; a picture that cannot be had leaves a sign. Nothing of the
project is imported, so that it starts quickly.
"""

import io
import json
import re
import runpy
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

PICTURE_SIGN, FORMULA_SIGN, UNREAD_SIGN, CUT_SIGN = "【图片】", "【公式】", "【没读出】", "【没读全】"
"""What stands for a picture, for a formula or a sign that nobody could read, and where a line was cut."""
BLANK_SIGN = "____"
GAP_PATTERN = re.compile("[ \xa0\u3000]{2,}|\u3000")
FORMULA_END = "\ue000"
"""Behind a formula, until its line is read: a sign that no text has."""
LARGEST_PART_BYTES, MOST_FILES, MOST_ELEMENTS = 12 * 2**20, 3000, 300_000
"""Bytes of a part of the file, files in it, and elements of a part."""
MOST_LINES, LONGEST_LINE = 3000, 4000
DEEPEST_ELEMENT = 60
"""Elements within elements: more is no document."""
BROKEN_FILE_WORDS = "这个Word文件打不开，也许没有传完整，也许有密码。在Word里另存一份.docx再传"
FILE_TOO_LARGE_WORDS = "这个Word文件太大了：只留要用的题，另存一份再传"
_FOLDER = Path(__file__).parent
_elements = runpy.run_path(str(_FOLDER / "word_elements.py"))
local_name: Callable[[Element], str] = _elements["local_name"]
child_on_path: Callable[..., Element | None] = _elements["child_on_path"]
attribute_of: Callable[..., str] = _elements["attribute_of"]
_formulas = runpy.run_path(str(_FOLDER / "word_formulas.py"))
latex_of, UnknownFormula = _formulas["latex_of"], _formulas["UnknownFormula"]
_pictures = runpy.run_path(str(_FOLDER / "word_pictures.py"))
Numbering = runpy.run_path(str(_FOLDER / "word_numbering.py"))["Numbering"]
symbol_of = runpy.run_path(str(_FOLDER / "word_signs.py"))["symbol_of"]


class UnfitDocument(ValueError):
    """A file that is not read, with the sentence that says why."""


def lines_and_pictures_of(file_bytes: bytes) -> tuple[list[str], dict[str, str]]:
    """The lines of a document, and its pictures in base64 by their names there. Raises `UnfitDocument`."""
    try:
        with zipfile.ZipFile(io.BytesIO(file_bytes)) as archive:
            if len(archive.infolist()) > MOST_FILES:
                raise UnfitDocument(FILE_TOO_LARGE_WORDS)
            document_body = archive_part(archive, "word/document.xml")
            if document_body is None:
                raise UnfitDocument(BROKEN_FILE_WORDS)
            numbering = Numbering(
                archive_part(archive, "word/numbering.xml"), archive_part(archive, "word/styles.xml")
            )
            base64_by_picture_id = _pictures["picture_base64_by_id"](
                archive, document_body, archive_part(archive, "word/_rels/document.xml.rels")
            )
    except (
        zipfile.BadZipFile,
        expat.ExpatError,
        OSError,
        NotImplementedError,
        RuntimeError,
        EOFError,
    ) as error:
        raise UnfitDocument(BROKEN_FILE_WORDS) from error
    document_lines: list[str] = []
    for paragraph in paragraphs_of(document_body):
        document_lines += paragraph_text(paragraph, numbering).split("\n")
        if len(document_lines) > MOST_LINES:
            raise UnfitDocument(FILE_TOO_LARGE_WORDS)
    return [shortened_line(with_gaps_behind_formulas(line)) for line in document_lines], base64_by_picture_id


def with_gaps_behind_formulas(line: str) -> str:
    """A line with a space behind each formula that is none before a digit or a `$`: $5 is a price."""
    return re.sub(f"{FORMULA_END}(?=[0-9$])", " ", line).replace(FORMULA_END, "")


def shortened_line(line: str) -> str:
    """A line; one that is too long ends with a sign."""
    if len(line) > LONGEST_LINE:
        return line[:LONGEST_LINE] + CUT_SIGN
    return line


def archive_part(archive: zipfile.ZipFile, part_name: str) -> Element | None:
    """A part of the file as elements; None where it is not there. Read no further than a part may be long."""
    if part_name not in archive.namelist():
        return None
    with archive.open(part_name) as part_file:
        part_bytes = part_file.read(LARGEST_PART_BYTES + 1)
    if len(part_bytes) > LARGEST_PART_BYTES:
        raise UnfitDocument(FILE_TOO_LARGE_WORDS)
    return XmlTree(part_bytes).root


class XmlTree:
    """The elements of an XML text. One with a document type is refused: entities can grow without end."""

    def __init__(self, part_bytes: bytes) -> None:
        self._builder = TreeBuilder()
        self._depth = self._element_count = 0
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._builder.data
        parser.StartDoctypeDeclHandler = self._refuse
        parser.Parse(part_bytes, True)
        self.root: Element = self._builder.close()

    def _start(self, element_name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._element_count += 1
        if self._depth > DEEPEST_ELEMENT or self._element_count > MOST_ELEMENTS:
            raise UnfitDocument(FILE_TOO_LARGE_WORDS)
        self._builder.start(element_name, attributes)

    def _end(self, element_name: str) -> None:
        self._depth -= 1
        self._builder.end(element_name)

    def _refuse(self, *_: object) -> None:
        raise UnfitDocument(BROKEN_FILE_WORDS)


def paragraphs_of(element: Element) -> Iterator[Element]:
    """The paragraphs of a document in their order; the cells of a row of a table stand in one.

    Whatever else holds text stands for itself: `paragraph_text` leaves a sign for it.
    """
    for child in element:
        match local_name(child):
            case "body" | "tbl" | "sdt" | "sdtContent" | "ins" | "moveTo" | "customXml" | "smartTag":
                yield from paragraphs_of(child)
            case "p" | "tr":
                yield child
            case _ if piece_text(child):
                yield child


def paragraph_text(paragraph: Element, numbering: Any) -> str:
    """A paragraph behind its number; a row of a table is its cells with space between."""
    if local_name(paragraph) == "tr":
        cell_texts = [cell_text(cell, numbering) for cell in cells_of(paragraph)]
        separator = "   "
        if any("\n" in text for text in cell_texts):
            separator = "\n"
        return separator.join(cell_texts)
    if local_name(paragraph) != "p":
        return piece_text(paragraph)
    list_number_text = numbering.number_text_of(paragraph)
    return f"{list_number_text} {inline_text(paragraph)}".strip()


def cells_of(row_element: Element) -> Iterator[Element]:
    """The cells of a row of a table; controls may stand around some."""
    for child in row_element:
        match local_name(child):
            case "tc":
                yield child
            case "sdt" | "sdtContent" | "customXml":
                yield from cells_of(child)


def cell_text(cell: Element, numbering: Any) -> str:
    return "\n".join(paragraph_text(cell_paragraph, numbering) for cell_paragraph in paragraphs_of(cell))


TEXT_BY_ELEMENT = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
PICTURE_ELEMENTS = frozenset(("drawing", "pict", "object", "AlternateContent"))
HOLDING_ELEMENTS = frozenset(
    (
        "oMathPara", "hyperlink", "ins", "smartTag", "sdt", "sdtContent", "fldSimple", "moveTo", "customXml",
        "bdo", "dir", "rubyBase", "rt",
    )
)  # fmt: skip
"""Elements that hold runs."""
STRUCK_OUT_ELEMENTS = frozenset(("del", "moveFrom"))
"""What a reviewer took out, which is passed over."""


def inline_text(element: Element) -> str:
    """The text of a paragraph or a part of one."""
    return "".join(map(piece_text, element))


def piece_text(piece: Element) -> str:
    """The text of a piece of a paragraph or of a run."""
    element_name = local_name(piece)
    if element_name in WRITER_BY_ELEMENT:
        return WRITER_BY_ELEMENT[element_name](piece)
    if element_name in PICTURE_ELEMENTS:
        picture_text = str(_pictures["picture_text"](piece))
        return picture_text if picture_text and not holds_text(piece) else picture_text + PICTURE_SIGN
    if element_name in HOLDING_ELEMENTS:
        return inline_text(piece)
    if element_name in TEXT_BY_ELEMENT or element_name in STRUCK_OUT_ELEMENTS or not holds_text(piece):
        return TEXT_BY_ELEMENT.get(element_name, "")
    return UNREAD_SIGN


def holds_text(element: Element) -> bool:
    """Whether there is something to read in an element."""
    return any(local_name(descendant) in ("t", "sym", "oMath") for descendant in element.iter())


def ruby_text(ruby: Element) -> str:
    """Words, and in brackets what stands small above them, such as their pinyin."""
    base_text = "".join(inline_text(child) for child in ruby if local_name(child) == "rubyBase")
    ruby_reading = "".join(inline_text(child) for child in ruby if local_name(child) == "rt")
    return f"{base_text}（{ruby_reading}）"


def run_text(run: Element) -> str:
    """A run; what stands above or below the line is a formula, and underlined spaces are a blank."""
    typed_text = inline_text(run)
    if is_blank(run, typed_text):
        return BLANK_SIGN
    script_sign = {"superscript": "^", "subscript": "_"}.get(
        attribute_of(child_on_path(run, "rPr", "vertAlign"))
    )
    if script_sign and typed_text.strip() and PICTURE_SIGN not in typed_text:
        script_text = "".join(sign for sign in typed_text.strip() if sign.isalnum() or sign in "+-=().,*/")
        if script_text == typed_text.strip() and script_text.isascii():
            return f"${script_sign}{{{script_text}}}${FORMULA_END}"
    return typed_text


def is_blank(run: Element, typed_text: str) -> bool:
    """Whether a run is an underlined gap; a single space stands between two underlined words."""
    if attribute_of(child_on_path(run, "rPr", "u")) in ("", "none"):
        return False
    is_tab = typed_text == " " and child_on_path(run, "tab") is not None
    return is_tab or GAP_PATTERN.fullmatch(typed_text) is not None


def formula_text(element: Element) -> str:
    """A formula as LaTeX between two `$`, or the sign of one that is not known."""
    try:
        latex = " ".join(str(latex_of(element)).split())
    except UnknownFormula:
        return FORMULA_SIGN
    if not latex:
        return ""
    return f"${latex}${FORMULA_END}"


def symbol_text(symbol: Element) -> str:
    """A sign of a font of symbols, or the sign of one that is not known."""
    return str(symbol_of(attribute_of(symbol, "font"), attribute_of(symbol, "char"))) or UNREAD_SIGN


WRITER_BY_ELEMENT: dict[str, Callable[[Element], str]] = {
    "t": lambda text: text.text or "",
    "r": run_text,
    "oMath": formula_text,
    "ruby": ruby_text,
    "sym": symbol_text,
}
"""What writes an element that is not as all others."""


def read_document(file_bytes: bytes) -> dict[str, Any]:
    """What is printed."""
    try:
        document_lines, base64_by_picture_id = lines_and_pictures_of(file_bytes)
    except UnfitDocument as error:
        return {"refused": str(error)}
    return {"lines": document_lines, "pictures": base64_by_picture_id}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(read_document(sys.stdin.buffer.read())))
