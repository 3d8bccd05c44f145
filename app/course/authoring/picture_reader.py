"""A program of its own, run by `app.course.text.sandbox`: a picture comes in and goes out drawn anew.

It prints JSON, `{"webp": base64, "width": 640, "height": 480}` or `{"refused": "a sentence"}`. Only the
points of the picture go on: where and when it was taken, by whom, and whatever else stood in the file stays
behind.
"""

import base64
import io
import json
import sys
from typing import Any

from PIL import Image, ImageOps

PICTURE_FORMATS = ("PNG", "JPEG", "WEBP")
MOST_PIXELS = 25_000_000
"""Points of a picture that is decoded: that of a good phone takes 100 MB."""
LONGEST_SIDE_PIXELS = 1600
"""Points of the longer side that are kept: twice what a page shows."""
MOST_DRAWING_BYTES = 300_000
"""Bytes up to which a drawing is kept point by point."""
MOST_WEBP_BYTES = 1_000_000
"""Bytes that one picture may take."""
BROKEN_PICTURE_FAULT = "这张图打不开，也许没有传完整。另存成png或者jpg再传"
TOO_MANY_PIXELS_FAULT = f"这张图太大了，最多{MOST_PIXELS // 10_000}万像素：缩小一些再传"
TOO_MANY_BYTES_FAULT = "这张图太密了，缩小以后还是太大：裁掉用不着的部分再传"
MOVING_PICTURE_FAULT = "会动的图放不进来：截一张不动的再传"


def redrawn_picture(image_bytes: bytes) -> dict[str, Any]:
    """The picture drawn anew, or why not."""
    try:
        with Image.open(io.BytesIO(image_bytes), formats=PICTURE_FORMATS) as picture_file:
            if picture_file.width * picture_file.height > MOST_PIXELS:
                return {"refused": TOO_MANY_PIXELS_FAULT}
            if getattr(picture_file, "n_frames", 1) > 1:
                return {"refused": MOVING_PICTURE_FAULT}
            is_drawing = picture_file.format != "JPEG"
            picture = upright_image(picture_file)
    except Image.DecompressionBombError:
        return {"refused": TOO_MANY_PIXELS_FAULT}
    except (OSError, ValueError, SyntaxError, EOFError, KeyError):
        return {"refused": BROKEN_PICTURE_FAULT}
    webp_bytes = encode_picture(picture, is_drawing)
    if len(webp_bytes) > MOST_WEBP_BYTES:
        return {"refused": TOO_MANY_BYTES_FAULT}
    return {"webp": base64.b64encode(webp_bytes).decode(), "width": picture.width, "height": picture.height}


def upright_image(opened_image: Image.Image) -> Image.Image:
    """The points of a picture as they are seen, no more of them than a page needs."""
    opened_image.draft("RGB", (LONGEST_SIDE_PIXELS, LONGEST_SIDE_PIXELS))
    opened_image.load()
    upright_picture = ImageOps.exif_transpose(opened_image)
    if upright_picture.mode.startswith("I"):  # sixteen bits of grey, which `convert` cuts off at 255
        upright_picture = upright_picture.point(lambda brightness: brightness / 256).convert("L")
    color_mode = "RGBA" if upright_picture.has_transparency_data else "RGB"
    small_picture = upright_picture.convert(color_mode)
    small_picture.thumbnail((LONGEST_SIDE_PIXELS, LONGEST_SIDE_PIXELS))
    small_picture.info = {}
    return small_picture


def encode_picture(picture: Image.Image, is_drawing: bool) -> bytes:
    """A drawing point by point where that is small; a photograph, and a drawing that is none, nearly so."""
    if is_drawing:
        lossless_file = io.BytesIO()
        picture.save(lossless_file, "WEBP", lossless=True, quality=40, method=2)
        if len(lossless_file.getvalue()) <= MOST_DRAWING_BYTES:
            return lossless_file.getvalue()
    photograph_file = io.BytesIO()
    picture.save(photograph_file, "WEBP", quality=82, method=3)
    return photograph_file.getvalue()


if __name__ == "__main__":
    sys.stdout.write(json.dumps(redrawn_picture(sys.stdin.buffer.read())))
