"""Pictures that strangers send: read in a process of its own, kept as points alone."""

import base64
from pathlib import Path
from typing import NamedTuple

from app.course.text import sandbox

LARGEST_UPLOAD = 4 * 2**20
"""Bytes of a picture as it is sent: a photograph of a phone."""
PICTURE_READER = Path(__file__).with_name("picture_reader.py")
ONLY_THREE_KINDS = "图只收png、jpg和webp：另存成其中一种再传"
HEIC_REFUSED = "这是手机的HEIC照片：在手机里选“兼容性最佳”再拍，或者另存成jpg再传"
READING_STOPPED = "这张图读不下去：也许太大，也许坏了。另存成png或者jpg再传"


class UnfitPicture(ValueError):
    """A file that is not taken for a picture, with the sentence that says why."""


class RedrawnPicture(NamedTuple):
    """A picture as it is kept."""

    webp: bytes
    width: int
    height: int


def read(image_bytes: bytes) -> RedrawnPicture:
    """The picture in a file; `UnfitPicture` says what is wrong with another file."""
    check_kind(image_bytes)
    try:
        reading = sandbox.answer(PICTURE_READER, image_bytes)
    except sandbox.ProgramStopped as error:
        raise UnfitPicture(READING_STOPPED) from error
    if "refused" in reading:
        raise UnfitPicture(reading["refused"])
    return RedrawnPicture(base64.b64decode(reading["webp"]), reading["width"], reading["height"])


def check_kind(image_bytes: bytes) -> None:
    """`UnfitPicture` for a file that is empty, too large, or of a kind that nobody reads here.

    >>> check_kind(b"GIF89a")
    Traceback (most recent call last):
    ...
    app.course.authoring.pictures.UnfitPicture: 图只收png、jpg和webp：另存成其中一种再传
    """
    if not image_bytes:
        raise UnfitPicture("还没有选图，或者文件是空的")
    if len(image_bytes) > LARGEST_UPLOAD:
        raise UnfitPicture(f"这张图太大了，最多{LARGEST_UPLOAD // 2**20}MB：缩小一些再传")
    if image_bytes[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1"):
        raise UnfitPicture(HEIC_REFUSED)
    is_webp = image_bytes[:4] == b"RIFF" and image_bytes[8:12] == b"WEBP"
    if not is_webp and not image_bytes.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")):
        raise UnfitPicture(ONLY_THREE_KINDS)


def picture_line(alt: str, name: str) -> str:
    """What shows a picture where it stands in a text."""
    return f"![{alt}](picture:{name})"
