"""Pixels as a PNG file, every bit kept: 1 to 4 channels of 8 or 16 bits."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from render.base.geometry import MM_PER_INCH
from render.images.deflate import checksum, in_segments

_COLOR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}  # PNG 11.2.2, by channels: grey, grey and alpha, RGB, RGB and alpha
BAND = 64
"""Rows packed together: with fewer, packing each band by itself costs more than it saves."""

Pixels = NDArray[np.uint8] | NDArray[np.uint16]
"""Rows of pixels of channels."""


def pack_pixels(pixels: Pixels, dpi: float, profile: bytes = b"") -> bytes:
    """Return the PNG of rows of pixels; without alpha if all are opaque. `profile` is an ICC profile; without, sRGB."""
    if pixels.shape[2] in (2, 4) and bool((pixels[:, :, -1] == np.iinfo(pixels.dtype).max).all()):
        pixels = pixels[:, :, :-1]
    rows = filter_rows(pixels)
    packed = in_segments(rows[top : top + BAND].data for top in range(0, len(rows), BAND))
    return png_file(pixels.shape, dpi, packed, profile, 8 * pixels.itemsize)


def filter_rows(pixels: Pixels) -> NDArray[np.uint8]:
    """Return the rows as PNG stores them: the number of the filter, Up, and the change from above (PNG 9.2)."""
    big = np.ascontiguousarray(pixels, pixels.dtype.newbyteorder(">"))
    rows = big.view(np.uint8).reshape(big.shape[0], -1)
    filtered = np.empty((rows.shape[0], rows.shape[1] + 1), np.uint8)
    filtered[:, 0] = 2
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    return filtered


def png_file(shape: tuple[int, ...], dpi: float, packed: bytes, profile: bytes = b"", depth: int = 8) -> bytes:
    """Return the PNG file of rows of pixels of channels, so many of each, whose filtered rows are `packed` already.

    It states its resolution and colors; `depth` is in bits.
    """
    height, width, channels = shape
    per_metre = round(dpi / MM_PER_INCH * 1000)  # pHYs has no other unit
    chunks = (
        # Then deflate, the five filters, no interlacing (PNG 11.2.2).
        (b"IHDR", struct.pack(">IIBBBBB", width, height, depth, _COLOR_TYPES[channels], 0, 0, 0)),
        # Rendering intent: perceptual.
        (b"iCCP", b"ICC\0\0" + zlib.compress(profile)) if profile else (b"sRGB", b"\0"),
        (b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
        (b"IDAT", packed),
        (b"IEND", b""),
    )
    # PNG 5.3: length, name, data, CRC of name and data.
    parts = (
        (struct.pack(">I", len(body)), name, body, struct.pack(">I", checksum(name, body))) for name, body in chunks
    )
    return b"".join((b"\x89PNG\r\n\x1a\n", *(part for chunk in parts for part in chunk)))
