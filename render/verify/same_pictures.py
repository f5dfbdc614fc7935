"""Whether a picture in a file shows what a card's picture shows: their pixels, brought to one size.

A file may hold a picture with fewer pixels, or packed again. So both are compared as means of small squares, which
neither step changes visibly.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from render.images import resample
from render.images.press import Press
from render.scene.items import Picture
from render.verify.likeness import ShownPicture
from render.verify.reading.pdf_reading import Image

LONGEST = 256  # squares along the longer side
MAX_APART, MAX_ON_AVERAGE = 14.0, 2.0  # of 255: what compression and scaling change
MAX_PAINTED_APART = 2  # of 255: the same face painted on another machine
_MODES = {1: "L", 3: "RGB", 4: "CMYK"}  # Pillow's modes by number of channels

Squares = NDArray[np.int16]


def other(
    shown: Iterable[ShownPicture], packed: Iterable[tuple[Image, bytes]], press: Press | None
) -> Iterator[ShownPicture]:
    """Yield what shows another picture than its card's.

    `packed` are the pictures of the file with their packed data.
    """
    by_image: dict[Image, list[ShownPicture]] = {}
    for each in shown:
        by_image.setdefault(each.image, []).append(each)
    wanted: dict[tuple[str, bool, tuple[int, int]], Squares] = {}
    for image, data in packed:
        found = _squares_of(image, data)
        for each in by_image.get(image, ()):
            key = each.picture.digest, each.picture.pale, (image.width, image.height)
            if key not in wanted:
                wanted[key] = _squares(_expected(each.picture, press, image), _size(image))
            if found is None or not same(found, wanted[key]):
                yield each


def same(found: Squares, wanted: Squares) -> bool:
    """Return whether two pictures show the same."""
    if found.shape != wanted.shape:
        return False
    apart = np.abs(found - wanted)
    return float(apart.max()) <= MAX_APART and float(apart.mean()) <= MAX_ON_AVERAGE


def _expected(picture: Picture, press: Press | None, image: Image) -> Pillow.Image:
    """Return a card's whole picture in sRGB, or in a press's inks with as many pixels as the image in the file.

    An SVG is drawn with as many, too: its edges cover pixels of another size otherwise.
    """
    if press is None:
        return resample.pixels(picture, (image.width, image.height) if resample.is_svg(picture) else None)
    made = resample.printable(picture, press, (image.width, image.height))
    return _unfiltered(made.data, made.width, made.height, made.channels) or Pillow.new("CMYK", (1, 1))


def _size(image: Image) -> tuple[int, int]:
    scale = min(1.0, LONGEST / max(image.width, image.height))
    return max(1, round(image.width * scale)), max(1, round(image.height * scale))


def _squares_of(image: Image, data: bytes) -> Squares | None:
    """Return the squares of a picture of a file; None if it cannot be read."""
    try:
        opened = _opened(image, data)
        return None if opened is None else _squares(opened, _size(image))
    except (OSError, ValueError, SyntaxError, zlib.error, Pillow.DecompressionBombError):
        return None


def _opened(image: Image, data: bytes) -> Pillow.Image | None:
    if not image.is_jpeg:
        return _unfiltered(data, image.width, image.height, image.channels)
    opened = Pillow.open(io.BytesIO(data), formats=("JPEG",))
    if opened.size != (image.width, image.height) or opened.mode != _MODES.get(image.channels):
        return None
    return opened


def _unfiltered(data: bytes, width: int, height: int, channels: int) -> Pillow.Image | None:
    """Return an image from rows packed with PNG's filters 0 (None) or 2 (Up); None for any other data."""
    raw = np.frombuffer(zlib.decompress(data), np.uint8)
    if raw.size != height * (width * channels + 1):
        return None
    rows = raw.reshape(height, -1)
    kinds = rows[:, 0]
    if not (kinds == 2).all():
        if not (kinds == 0).all():
            return None
        return Pillow.frombytes(_MODES[channels], (width, height), rows[:, 1:].tobytes())
    # Undoing Up: sums modulo 256 down each column (PNG 9.2).
    return Pillow.frombytes(_MODES[channels], (width, height), np.cumsum(rows[:, 1:], axis=0, dtype=np.uint8).tobytes())


def _squares(image: Pillow.Image, size: tuple[int, int]) -> Squares:
    """Return the means of a picture's squares; a gray picture counts as RGB."""
    shown = image.convert("RGB") if image.mode not in ("RGB", "CMYK") else image
    return np.asarray(shown.resize(size, Pillow.Resampling.BOX), np.int16)


def describe_difference(found: Pillow.Image, wanted: Pillow.Image) -> str:
    """Return how many pixels of two pictures differ by more than painting may, and where; "" if none does."""
    if found.size != wanted.size:
        return f": it has {found.width} x {found.height} pixels, and not {wanted.width} x {wanted.height}"
    apart = np.abs(np.asarray(found.convert("RGB"), np.int16) - np.asarray(wanted.convert("RGB"), np.int16)).max(axis=2)
    rows, columns = np.nonzero(apart > MAX_PAINTED_APART)
    if not len(rows):
        return ""
    number = f"{len(rows)} pixels differ" if len(rows) > 1 else "a pixel differs"
    return f": {number}, at {columns.min()}, {rows.min()} to {columns.max()}, {rows.max()}"
