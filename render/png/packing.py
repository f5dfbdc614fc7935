"""Pack pixels as a PNG file, quickly and with the same bytes on every machine."""

from __future__ import annotations

import hashlib
import struct

import numpy as np
import numpy.typing as npt
from PIL import Image

from render.base.geometry import MM_PER_INCH
from render.images.deflate import checksum, joined, segment
from render.png.canvas import Packed

_BAND = 64  # rows packed together: with fewer, packing each band by itself costs more than it saves

Rows = npt.NDArray[np.uint8]


def encode(image: Image.Image, dpi: float) -> bytes:
    """Return an RGB image as a PNG file that states its resolution (pHYs) and that it is sRGB."""
    return pack(image, dpi).data


def digest(image: Image.Image) -> str:
    """Return a digest of the size and pixels of an RGB image, whoever packs them into a file."""
    filtered = _filtered(image)
    return _digest(filtered, [checksum(filtered[top : top + _BAND].data) for top in range(0, len(filtered), _BAND)])


def pack(image: Image.Image, dpi: float) -> Packed:
    """Return what `encode` and `digest` return, in little more time than the file alone takes.

    All rows use one filter (Up) and a fast deflate: Pillow's encoder spends most of its time trying five filters a row.
    """
    filtered = _filtered(image)
    height, width = image.height, image.width
    bands = _bands(filtered)
    per_metre = round(dpi / MM_PER_INCH * 1000)  # pHYs has no other unit
    chunks = (
        # 8 bits, color type 2 (RGB), then deflate, the five filters, no interlacing (PNG 11.2.2).
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"sRGB", b"\0"),  # rendering intent: perceptual
        (b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
        (b"IDAT", joined([packed for packed, _ in bands], filtered.data)),
        (b"IEND", b""),
    )
    data = b"".join((b"\x89PNG\r\n\x1a\n", *(part for name, body in chunks for part in _chunk(name, body))))
    return Packed(data, _digest(filtered, [found for _, found in bands]))


def _filtered(image: Image.Image) -> Rows:
    """Return the rows of an RGB image as PNG stores them: the number of the filter, Up, and the change from above."""
    grid = np.asarray(image)
    height, width, _ = grid.shape
    rows = grid.reshape(height, width * 3)
    filtered = np.empty((height, 1 + width * 3), np.uint8)
    filtered[:, 0] = 2  # PNG 9.2: the number of the filter stands before each row
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    return filtered


def _digest(filtered: Rows, checksums: list[int]) -> str:
    """Return the digest of rows, given the CRC-32 of each band of 64 rows."""
    return hashlib.sha256(repr((filtered.shape, checksums)).encode("ascii")).hexdigest()[:16]


def _chunk(name: bytes, body: bytes) -> tuple[bytes, ...]:
    # PNG 5.3: length, name, data, CRC of name and data.
    return struct.pack(">I", len(body)), name, body, struct.pack(">I", checksum(name, body))


Band = tuple[bytes, int]
"""Packed rows: their segment of a zlib stream, and their CRC-32."""

_LAST: list[tuple[Rows, list[Band]]] = [(np.empty((0, 0), np.uint8), [])]  # the rows packed last


def _bands(rows: Rows) -> list[Band]:
    """Return rows in bands, each packed by itself, so that bands equal to those of the image before are reused.

    Cards that share their picture differ above and below it. The bytes of a band depend on its rows alone.
    """
    before, known = _LAST[0]
    alike = before.shape == rows.shape
    made: list[Band] = []
    for index, top in enumerate(range(0, len(rows), _BAND)):
        band = rows[top : top + _BAND]
        found = checksum(band.data)  # faster than comparing all rows; equal ones are compared before they are reused
        same = alike and found == known[index][1] and np.array_equal(band, before[top : top + _BAND])
        made.append(known[index] if same else (segment(band.data), found))
    _LAST[0] = rows, made  # in one assignment, since several threads may pack
    return made
