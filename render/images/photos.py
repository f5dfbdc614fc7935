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

_SMALLER = "save it smaller, as a JPEG: 4000 pixels along a sheet are more than enough to measure it"
_KINDS = (("TIFF", regex(TIFF)), ("HEIC", regex(HEIC, re.DOTALL)))


def read_photo(file: Path) -> Image.Image:
    """Return a photograph as an upright gray picture; UnusablePicture if it cannot be read, or is of no known kind."""
    try:
        data = read_picture(file)
        kind = next((kind for kind, start in _KINDS if start.match(data)), None)
        if kind is None:
            return decode_picture(open_raster(data)).convert("L")
    except UnusablePicture as error:
        # A photograph is no art of a card, which may be far smaller.
        hint = _SMALLER if error.problem.code in ("A004", "A007") else error.problem.hint
        raise UnusablePicture(error.problem.code, error.problem.message, hint) from None
    if kind == "HEIC" and not find_spec("pillow_heif"):
        hint = "install it with `pip install 'kotc[heic]'`, or export the picture as a JPEG"
        inside = ""
        if file.suffix.lower() not in (".heic", ".heif"):
            inside, hint = " inside, whatever its name,", f"{hint}: to rename it is not enough"
        raise UnusablePicture("A005", f"is a HEIC{inside or ','} which needs the package `pillow-heif`", hint)
    try:
        width, height, pixels = guard.run(decode_gray, kind, data, limits=TO_DECODE)
    except guard.TooMuchError:
        most = f"more than {TO_DECODE} to decode"
        raise UnusablePicture("A007", f"is {named_kind(kind)} that takes {most}", _SMALLER) from None
    except guard.WorkFailedError:
        raise UnusablePicture("A006", f"is {named_kind(kind)} that cannot be decoded", ANEW) from None
    if not pixels:
        size = f"{width} x {height} pixels, {width * height / 1e6:.0f} megapixels"
        raise UnusablePicture("A007", f"has {size}: at most {PICTURE_PIXELS} are read", _SMALLER)
    return Image.frombytes("L", (width, height), pixels)


def decode_gray(kind: str, data: bytes) -> tuple[int, int, bytes]:
    """Return width, height and gray pixels of a picture, none of one that is too large; in the worker."""
    if kind == "HEIC":
        import pillow_heif

        pillow_heif.register_heif_opener(thumbnails=False)
    with Image.open(BytesIO(data), formats=["HEIF" if kind == "HEIC" else kind]) as opened:
        if opened.width * opened.height > PICTURE_PIXELS.most:
            return opened.width, opened.height, b""
        image = ImageOps.exif_transpose(opened)
    if image.mode.startswith("I"):  # 16 bits, which Pillow's own conversion clips to white
        image = image.point(lambda value: value * (1 / 256))
    gray = image.convert("L")
    return gray.width, gray.height, gray.tobytes()
