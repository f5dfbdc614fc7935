"""Whether a picture in a file shows what a card's picture shows.

A file may hold a picture with fewer pixels, or packed again, and another machine may have done so a little differently. So
the card's picture is brought to as many pixels in the same way, and both are compared as means of small squares.
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
from render.verify.likeness import ShownPicture
from render.verify.reading.pdf_reading import Image

SQUARE = 4  # pixels: half of the block that a JPEG packs as one
MAX_APART, MAX_ON_AVERAGE = 10.0, 1.0  # of 255: what another machine's decoders and drawing of SVG may change
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
    for image, data in packed:
        found = _squares(data, image.width, image.height, image.channels, is_jpeg=image.is_jpeg)
        # Only of one picture of the file at a time, since a thousand would fill the memory.
        alike: dict[tuple[str, bool], bool] = {}
        for each in by_image.get(image, ()):
            picture, size = each.picture, (image.width, image.height)
            key = picture.digest, picture.pale
            if key not in alike:
                made = resample.printable(picture, press, size) if press else resample.embeddable(picture, size)
                is_jpeg = isinstance(made, resample.Jpeg)
                wanted = _squares(made.data, made.width, made.height, made.channels, is_jpeg=is_jpeg)
                alike[key] = found is not None and wanted is not None and same(found, wanted)
            if not alike[key]:
                yield each


def same(found: Squares, wanted: Squares) -> bool:
    """Return whether two pictures show the same."""
    if found.shape != wanted.shape:
        return False
    apart = np.abs(found - wanted)
    return float(apart.max()) <= MAX_APART and float(apart.mean()) <= MAX_ON_AVERAGE


def _squares(data: bytes, width: int, height: int, channels: int, *, is_jpeg: bool) -> Squares | None:
    """Return the means of a packed picture's squares; None if it cannot be read. A gray picture counts as RGB."""
    try:
        opened = (
            Pillow.open(io.BytesIO(data), formats=("JPEG",)) if is_jpeg else _unfiltered(data, width, height, channels)
        )
        if opened is None or opened.size != (width, height) or opened.mode != _MODES.get(channels):
            return None
        means = opened.reduce(SQUARE)
    except (OSError, ValueError, SyntaxError, zlib.error, Pillow.DecompressionBombError):
        return None
    return np.asarray(means.convert("RGB") if means.mode == "L" else means, np.int16)


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
