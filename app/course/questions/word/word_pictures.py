"""The pictures of a Word file. Run by path from `word_reader.py`, which imports nothing of the project."""

import base64
import runpy
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

_elements = runpy.run_path(str(Path(__file__).with_name("word_elements.py")))
local_name: Callable[[Element], str] = _elements["local_name"]
attribute_of: Callable[..., str] = _elements["attribute_of"]

LARGEST_PICTURE_BYTES = 4 * 2**20
"""Bytes of a picture."""
MOST_PICTURES, MOST_PICTURE_BYTES = 20, 16 * 2**20
"""Pictures of a document that come along, and their bytes; the others leave a mark."""
REPLACED_SIGNS = str.maketrans({"[": "（", "]": "）", "`": "'", "\\": "＼"})
"""Signs that would end the words of a picture, or hide where they end."""
KNOWN_ENDINGS = (".png", ".jpg", ".jpeg", ".webp")


def picture_text(drawing: Element) -> str:
    """What shows the pictures of a drawing in a line: `![一条曲线](word:rId5)`; empty where it holds none.

    Word may hold one twice, for programs that know only the old way: that is left out.
    """
    alt_text = alt_of(drawing)
    return "".join(f"![{alt_text}](word:{picture_id})" for picture_id in picture_ids_of(drawing))


def picture_ids_of(drawing: Element) -> Iterator[str]:
    """The ids of the pictures of a drawing, each once."""
    seen_picture_ids = set()
    for element in without_fallback(drawing):
        picture_id = ""
        if local_name(element) == "blip":
            picture_id = attribute_of(element, "embed")
        elif local_name(element) == "imagedata":
            picture_id = attribute_of(element, "id")
        if picture_id and picture_id not in seen_picture_ids:
            seen_picture_ids.add(picture_id)
            yield picture_id


def without_fallback(element: Element) -> Iterator[Element]:
    yield element
    for child in element:
        if local_name(child) != "Fallback":
            yield from without_fallback(child)


def alt_of(drawing: Element) -> str:
    """What its author wrote is to be seen on it; empty where nothing was written."""
    for element in drawing.iter():
        if local_name(element) == "docPr":
            alt_text = " ".join(attribute_of(element, "descr").translate(REPLACED_SIGNS).split())
            return alt_text[:200]
    return ""


def picture_base64_by_id(
    archive: zipfile.ZipFile, document_body: Element, relations: Element | None
) -> dict[str, str]:
    """The pictures that a document shows, in base64 by their ids."""
    target_by_id = {}
    for relation in [] if relations is None else relations:
        target_by_id[attribute_of(relation, "Id")] = attribute_of(relation, "Target")
    file_names = set(archive.namelist())
    base64_by_picture_id: dict[str, str] = {}
    total_byte_count = 0
    for picture_id in picture_ids_of(document_body):
        file_name = f"word/{target_by_id.get(picture_id, '').removeprefix('/word/')}"
        if (
            file_name not in file_names
            or not file_name.lower().endswith(KNOWN_ENDINGS)
            or len(base64_by_picture_id) == MOST_PICTURES
        ):
            continue
        with archive.open(file_name) as picture_file:
            picture_bytes = picture_file.read(LARGEST_PICTURE_BYTES + 1)
        total_byte_count += len(picture_bytes)
        if len(picture_bytes) > LARGEST_PICTURE_BYTES or total_byte_count > MOST_PICTURE_BYTES:
            continue
        base64_by_picture_id[picture_id] = base64.b64encode(picture_bytes).decode()
    return base64_by_picture_id
