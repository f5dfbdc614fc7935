"""Pack pixels as a PNG file, quickly and with the same bytes on every machine."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image

from render.images.deflate import checksum, joined, segment
from render.images.png_packing import BAND, filter_rows, png_file
from render.png.canvas import Packed

Rows = npt.NDArray[np.uint8]

_AT_ONCE = 4  # bands


def encode(image: Image.Image, dpi: float) -> bytes:
    """Return an RGB or RGBA image as a PNG file that states its resolution (pHYs) and that it is sRGB."""
    return pack(image, dpi).data


def digest(image: Image.Image) -> str:
    """Return a digest of the size and pixels of such an image, whoever packs them into a file."""
    return _digest(image, [checksum(band.data) for band in _filtered(image)])


def pack(image: Image.Image, dpi: float) -> Packed:
    """Return what `encode` and `digest` return, in little more time than the file alone takes.

    All rows use one filter (Up) and a fast deflate: Pillow's encoder spends most of its time trying five filters a row.
    """
    bands = _bands(image)
    packed = joined([band.packed for band in bands], (band.rows.data for band in bands))
    shape = image.height, image.width, len(image.getbands())
    return Packed(png_file(shape, dpi, packed), _digest(image, [band.found for band in bands]))


_QUALITY = 88  # of 100: letters of a card at 300 dpi show no rings, and the file has about a fifth of the bytes


def pack_webp(image: Image.Image, _dpi: float) -> Packed:
    """Return an image for a web page, packed with loss as WebP; its bytes depend on the version of the library."""
    file = io.BytesIO()
    image.save(file, "WEBP", quality=_QUALITY, method=2)
    return Packed(file.getvalue(), "")


def _filtered(image: Image.Image) -> Iterator[Rows]:
    """Yield the rows of an image as PNG stores them, in bands of 64, so that few pixels are in memory twice."""
    for top in range(0, image.height, _AT_ONCE * BAND):
        above = min(top, 1)
        box = (0, top - above, image.width, min(top + _AT_ONCE * BAND, image.height))
        rows = filter_rows(np.asarray(image.crop(box)))
        yield from (rows[start : start + BAND] for start in range(above, len(rows), BAND))


def _digest(image: Image.Image, checksums: list[int]) -> str:
    """Return the digest of rows, given the CRC-32 of each band of 64 rows."""
    shape = image.height, 1 + image.width * len(image.getbands())
    return hashlib.sha256(repr((shape, checksums)).encode("ascii")).hexdigest()[:16]


class Band(NamedTuple):
    """Rows, their segment of a zlib stream, and their CRC-32."""

    rows: Rows
    packed: bytes
    found: int


_LAST: list[list[Band]] = [[]]  # the bands packed last


def _bands(image: Image.Image) -> list[Band]:
    """Return the rows of an image in bands, each packed by itself, so that bands equal to those of the image before are reused.

    Cards that share their picture differ above and below it. The bytes of a band depend on its rows alone.
    """
    made: list[Band] = []
    for rows, before in zip_longest(_filtered(image), _LAST[0][: -(-image.height // BAND)]):
        found = checksum(rows.data)  # faster than comparing all rows; equal ones are compared before they are reused
        same = before and found == before.found and np.array_equal(rows, before.rows)
        made.append(before if same else Band(rows, segment(rows.data), found))
    _LAST[0] = made  # in one assignment, since several threads may pack
    return made
