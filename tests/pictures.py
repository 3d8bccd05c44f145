"""Pictures made for tests, as cameras and programs write them."""

import io
from typing import Any

from PIL import Image


def drawn(kind: str = "PNG", size: tuple[int, int] = (64, 48), mode: str = "RGB", **options: Any) -> bytes:
    """A picture with a dark half, so that turning it can be seen."""
    picture = Image.new(mode, size, "white")
    picture.paste("black", (0, 0, size[0] // 2, size[1]))
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def of_camera(size: tuple[int, int] = (64, 48)) -> bytes:
    """A photograph that lies on its side, and says where it was taken and with what."""
    notes = Image.Exif()
    notes[0x0112] = 6  # turned by a quarter
    notes[0x010F] = "SECRET-CAMERA"
    notes.get_ifd(0x8825)[1] = "N"
    return drawn("JPEG", size, exif=notes, comment=b"SECRET-PLACE", icc_profile=b"SECRET-SCREEN")
