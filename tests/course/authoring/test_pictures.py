"""Pictures of strangers: what is kept of them, what is left behind, and what is refused with a sentence."""

import io
import struct
import zlib

import pytest
from PIL import Image

from app.course.authoring import pictures
from app.course.authoring.pictures import UnfitPicture
from app.course.text import limited_run
from tests.pictures import drawn, of_camera
from tests.tables import each


def opened_picture(webp: bytes) -> Image.Image:
    return Image.open(io.BytesIO(webp), formats=["WEBP"]).convert("RGBA")


@each("kind", ["PNG", "JPEG", "WEBP"])
def test_three_kinds_come_in_and_one_is_kept(kind: str) -> None:
    picture = pictures.read(drawn(kind))
    assert (picture.width, picture.height) == (64, 48)
    assert opened_picture(picture.webp).size == (64, 48)
    assert pictures.read(drawn(kind)) == picture, "the same picture has one name"


def test_only_the_points_go_on() -> None:
    sent_picture = of_camera()
    assert b"SECRET-CAMERA" in sent_picture
    assert b"SECRET-PLACE" in sent_picture
    picture = pictures.read(sent_picture)
    assert (picture.width, picture.height) == (48, 64), "as it is seen"
    upper, lower = (
        opened_picture(picture.webp).getpixel((24, 5)),
        opened_picture(picture.webp).getpixel((24, 60)),
    )
    assert isinstance(upper, tuple)
    assert isinstance(lower, tuple)
    assert upper[0] < 60 < 190 < lower[0]
    assert b"SECRET" not in picture.webp
    assert b"EXIF" not in picture.webp
    assert not Image.open(io.BytesIO(picture.webp)).getexif()


def test_what_shines_through_stays_so() -> None:
    assert opened_picture(pictures.read(drawn(mode="RGBA")).webp).size == (64, 48)
    drawing = pictures.read(drawn("PNG", (900, 700)))
    assert opened_picture(drawing.webp).getpixel((0, 0)) == (0, 0, 0, 255), "a drawing is kept point by point"


def test_sixteen_bits_of_grey_become_eight() -> None:
    file = io.BytesIO()
    Image.new("I;16", (8, 8), 128 * 256).save(file, "PNG")
    assert opened_picture(pictures.read(file.getvalue()).webp).getpixel((4, 4)) == (128, 128, 128, 255)


def test_a_large_one_is_made_smaller() -> None:
    picture = pictures.read(drawn("JPEG", (4000, 3000)))
    assert (picture.width, picture.height) == (1600, 1200)


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says how large it is."""
    file = b"\x89PNG\r\n\x1a\n"
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    for kind, content in ((b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 10_000)), (b"IEND", b"")):
        chunk = kind + content
        file += struct.pack(">I", len(content)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return file


def moving() -> bytes:
    file = io.BytesIO()
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("white", "black")]
    frames[0].save(file, "WEBP", save_all=True, append_images=frames[1:])
    return file.getvalue()


@each(
    ("data", "sentence"),
    [
        (b"", "还没有选图"),
        (b"GIF89a", "只收png、jpg和webp"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "只收png、jpg和webp"),
        (b"\0\0\0\x18ftypheic", "HEIC"),
        (drawn()[:60], "打不开"),
        (b"\xff\xd8\xff" + b"?" * 100, "打不开"),
        (bomb(60_000, 60_000), "太大了"),
        (bomb(6000, 5000), "太大了"),
        (moving(), "会动"),
        (b"\x89PNG\r\n\x1a\n" + b"0" * pictures.MOST_UPLOAD_BYTES, "最多4MB"),
    ],
)
def test_what_is_refused_says_why(data: bytes, sentence: str) -> None:
    with pytest.raises(UnfitPicture, match=sentence):
        pictures.read(data)


def test_the_largest_that_is_taken_stays_within_the_limits_of_its_process() -> None:
    """Points that do not compress, as many as a picture may have, in the dearest mode: it answers, or a
    sentence does."""
    assert limited_run.MOST_MEMORY_MEGABYTES == 512
    widest = Image.new("RGBA", (5000, 5000), (9, 99, 200, 128))
    file = io.BytesIO()
    widest.save(file, "PNG", compress_level=1)
    picture = pictures.read(file.getvalue())
    assert (picture.width, picture.height) == (1600, 1600)
