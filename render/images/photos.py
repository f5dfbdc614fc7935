"""Photographs and scans to be measured, as gray pixels: of the kinds that cards may have, and also TIFF and HEIC.

They never go into an output, so Pillow decodes these two, in a worker under the guard.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageOps

from render.base import guard
from render.base.limits import PICTURE_PIXELS, TO_DECODE
from render.base.patterns import regex
from render.images.decode import decode_picture, open_raster, read_picture
from render.images.files.parts import ANEW, HEIC, TIFF, UnusablePicture, named_kind

_KINDS = (("TIFF", regex(TIFF)), ("HEIC", regex(HEIC, re.DOTALL)))


def read_photo(file: Path) -> Image.Image:
    """Return a photograph as an upright gray picture; UnusablePicture if it cannot be read, or is of no known kind."""
    data = read_picture(file)
    kind = next((kind for kind, start in _KINDS if start.match(data)), None)
    if kind is None:
        return decode_picture(open_raster(data)).convert("L")
    if kind == "HEIC" and not find_spec("pillow_heif"):
        hint = "install it with `pip install 'kotc[heic]'`, or export the picture as a JPEG"
        raise UnusablePicture("A005", "is a HEIC, which needs the package `pillow-heif`", hint)
    try:
        width, height, pixels = guard.run(decode_gray, kind, data, limits=TO_DECODE)
    except guard.TooMuchError:
        most = f"more than {TO_DECODE} to decode"
        raise UnusablePicture(
            "A007", f"is {named_kind(kind)} that takes {most}", "save it smaller, as a JPEG"
        ) from None
    except guard.WorkFailedError:
        raise UnusablePicture("A006", f"is {named_kind(kind)} that cannot be decoded, or is too large", ANEW) from None
    return Image.frombytes("L", (width, height), pixels)


def decode_gray(kind: str, data: bytes) -> tuple[int, int, bytes]:
    """Return width, height and gray pixels of a picture; in the worker."""
    if kind == "HEIC":
        import pillow_heif

        pillow_heif.register_heif_opener(thumbnails=False)
    with Image.open(BytesIO(data), formats=["HEIF" if kind == "HEIC" else kind]) as opened:
        if opened.width * opened.height > PICTURE_PIXELS.most:
            raise ValueError(f"{opened.width} x {opened.height} pixels")
        image = ImageOps.exif_transpose(opened)
    if image.mode.startswith("I"):  # 16 bits, which Pillow's own conversion clips to white
        image = image.point(lambda value: value * (1 / 256))
    gray = image.convert("L")
    return gray.width, gray.height, gray.tobytes()
