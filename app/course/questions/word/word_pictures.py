"""The pictures of a Word file. Run by path from `word_reader.py`, which imports nothing of the project."""

import base64
import runpy
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

_elements = runpy.run_path(str(Path(__file__).with_name("word_elements.py")))
local: Callable[[Element], str] = _elements["local"]
value: Callable[..., str] = _elements["value"]

LARGEST_PICTURE = 4 * 2**20
"""Bytes of a picture."""
MOST_PICTURES, MOST_BYTES = 20, 16 * 2**20
"""Pictures of a document that come along, and their bytes; the others leave a mark."""
REPLACED_SIGNS = str.maketrans({"[": "（", "]": "）", "`": "'", "\\": "＼"})
"""Signs that would end the words of a picture, or hide where they end."""
KNOWN_ENDINGS = (".png", ".jpg", ".jpeg", ".webp")


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
        if local(element) == "blip":
            picture_id = value(element, "embed")
        elif local(element) == "imagedata":
            picture_id = value(element, "id")
        if picture_id and picture_id not in known_ids:
            known_ids.add(picture_id)
            yield picture_id


def without_fallback(element: Element) -> Iterator[Element]:
    yield element
    for child in element:
        if local(child) != "Fallback":
            yield from without_fallback(child)


def alt_of(drawing: Element) -> str:
    """What its author wrote is to be seen on it; empty where nothing was written."""
    for element in drawing.iter():
        if local(element) == "docPr":
            description = " ".join(value(element, "descr").translate(REPLACED_SIGNS).split())
            return description[:200]
    return ""


def pictures_in(archive: zipfile.ZipFile, body: Element, relations: Element | None) -> dict[str, str]:
    """The pictures that a document shows, in base64 by their ids."""
    target_of_id = {}
    for relation in [] if relations is None else relations:
        target_of_id[value(relation, "Id")] = value(relation, "Target")
    file_names = set(archive.namelist())
    pictures: dict[str, str] = {}
    total_bytes = 0
    for picture_id in pictures_of(body):
        file_name = f"word/{target_of_id.get(picture_id, '').removeprefix('/word/')}"
        if (
            file_name not in file_names
            or not file_name.lower().endswith(KNOWN_ENDINGS)
            or len(pictures) == MOST_PICTURES
        ):
            continue
        with archive.open(file_name) as file:
            content = file.read(LARGEST_PICTURE + 1)
        total_bytes += len(content)
        if len(content) > LARGEST_PICTURE or total_bytes > MOST_BYTES:
            continue
        pictures[picture_id] = base64.b64encode(content).decode()
    return pictures
