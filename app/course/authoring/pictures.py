"""Pictures that strangers send: read in a process of its own, kept as points alone."""

import base64
from pathlib import Path
from typing import NamedTuple

from app.course.text import sandbox

MOST_UPLOAD_BYTES = 4 * 2**20
"""Bytes of a picture as it is sent: a photograph of a phone."""
PICTURE_READER = Path(__file__).with_name("picture_reader.py")
UNKNOWN_KIND_FAULT = "图只收png、jpg和webp：另存成其中一种再传"
HEIC_FAULT = "这是手机的HEIC照片：在手机里选“兼容性最佳”再拍，或者另存成jpg再传"
STOPPED_READING_FAULT = "这张图读不下去：也许太大，也许坏了。另存成png或者jpg再传"


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
        redrawn_fields = sandbox.json_output(PICTURE_READER, image_bytes)
    except sandbox.ProgramStopped as error:
        raise UnfitPicture(STOPPED_READING_FAULT) from error
    if "refused" in redrawn_fields:
        raise UnfitPicture(redrawn_fields["refused"])
    return RedrawnPicture(
        base64.b64decode(redrawn_fields["webp"]), redrawn_fields["width"], redrawn_fields["height"]
    )


def check_kind(image_bytes: bytes) -> None:
    """`UnfitPicture` for a file that is empty, too large, or of a kind that nobody reads here.

    >>> check_kind(b"GIF89a")
    Traceback (most recent call last):
    ...
    app.course.authoring.pictures.UnfitPicture: 图只收png、jpg和webp：另存成其中一种再传
    """
    if not image_bytes:
        raise UnfitPicture("还没有选图，或者文件是空的")
    if len(image_bytes) > MOST_UPLOAD_BYTES:
        raise UnfitPicture(f"这张图太大了，最多{MOST_UPLOAD_BYTES // 2**20}MB：缩小一些再传")
    if image_bytes[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1"):
        raise UnfitPicture(HEIC_FAULT)
    is_webp = image_bytes[:4] == b"RIFF" and image_bytes[8:12] == b"WEBP"
    if not is_webp and not image_bytes.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")):
        raise UnfitPicture(UNKNOWN_KIND_FAULT)


def picture_markdown(alt_text: str, picture_name: str) -> str:
    """What shows a picture where it stands in a text."""
    return f"![{alt_text}](picture:{picture_name})"
