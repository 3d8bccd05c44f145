"""The pictures of a Word file. Run by path from `word_reader.py`, which imports nothing of the project."""

import base64
import zipfile
from collections.abc import Iterator
from xml.etree.ElementTree import Element

LARGEST_PICTURE = 4 * 2**20
"""Bytes of a picture."""
MOST_PICTURES, MOST_BYTES = 20, 16 * 2**20
"""Pictures of a document that come along, and their bytes; the others leave a mark."""
MARKS = str.maketrans({"[": "（", "]": "）", "`": "'", "\\": "＼"})
"""Signs that would end the words of a picture, or hide where they end."""
KNOWN_ENDINGS = (".png", ".jpg", ".jpeg", ".webp")


def local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("}")[2]


def value(element: Element, name: str) -> str:
    """An attribute, whatever its namespace; empty where it is missing."""
    return next((text for key, text in element.attrib.items() if local(key) == name), "")


def picture_text(drawing: Element) -> str:
    """What shows the pictures of a drawing in a line: `![一条曲线](word:rId5)`; empty where it holds none.

    Word may hold one twice, for programs that know only the old way: that is left out.
    """
    pictures = list(pictures_of(drawing))
    alt = alt_of(drawing)
    return "".join(f"![{alt}](word:{picture_id})" for picture_id in pictures)


def pictures_of(drawing: Element) -> Iterator[str]:
    """The ids of the pictures of a drawing, each once."""
    known_ids = set()
    for element in without_fallback(drawing):
        picture_id = ""
        if local(str(element.tag)) == "blip":
            picture_id = value(element, "embed")
        elif local(str(element.tag)) == "imagedata":
            picture_id = value(element, "id")
        if picture_id and picture_id not in known_ids:
            known_ids.add(picture_id)
            yield picture_id


def without_fallback(element: Element) -> Iterator[Element]:
    yield element
    for part in element:
        if local(str(part.tag)) != "Fallback":
            yield from without_fallback(part)


def alt_of(drawing: Element) -> str:
    """What its author wrote is to be seen on it; empty where nothing was written."""
    for element in drawing.iter():
        if local(str(element.tag)) == "docPr":
            words = " ".join(value(element, "descr").translate(MARKS).split())
            return words[:200]
    return ""


def pictures_in(archive: zipfile.ZipFile, body: Element, relations: Element | None) -> dict[str, str]:
    """The pictures that a document shows, in base64 by their ids."""
    targets = {}
    for relation in [] if relations is None else relations:
        targets[value(relation, "Id")] = value(relation, "Target")
    names = set(archive.namelist())
    pictures: dict[str, str] = {}
    total = 0
    for picture_id in pictures_of(body):
        name = f"word/{targets.get(picture_id, '').removeprefix('/word/')}"
        if name not in names or not name.lower().endswith(KNOWN_ENDINGS) or len(pictures) == MOST_PICTURES:
            continue
        with archive.open(name) as file:
            content = file.read(LARGEST_PICTURE + 1)
        total += len(content)
        if len(content) > LARGEST_PICTURE or total > MOST_BYTES:
            continue
        pictures[picture_id] = base64.b64encode(content).decode()
    return pictures
