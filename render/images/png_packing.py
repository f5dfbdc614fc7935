"""Pixels as a PNG file, every bit kept: 1 to 4 channels of 8 or 16 bits."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from render.images.deflate import checksum, in_segments

_COLOR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}  # PNG 11.2.2, by channels: grey, grey and alpha, RGB, RGB and alpha
_BAND = 64  # rows that are packed together
_METRE = 39.3701  # inches


def pack_pixels(pixels: NDArray[np.uint8] | NDArray[np.uint16], dpi: float, profile: bytes = b"") -> bytes:
    """Return the PNG of rows of pixels; without alpha if all are opaque. `profile` is an ICC profile; without, sRGB."""
    opaque = _without_idle_alpha(pixels)
    height, width, channels = opaque.shape
    per_metre = round(dpi * _METRE)
    header = struct.pack(">IIBBBBB", width, height, 8 * opaque.itemsize, _COLOR_TYPES[channels], 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"iCCP", b"ICC\0\0" + zlib.compress(profile)) if profile else (b"sRGB", b"\0"),
        (b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
        (b"IDAT", _packed(opaque)),
        (b"IEND", b""),
    )
    return b"".join((b"\x89PNG\r\n\x1a\n", *(_chunk(name, body) for name, body in chunks)))


def _without_idle_alpha(
    pixels: NDArray[np.uint8] | NDArray[np.uint16],
) -> NDArray[np.uint8] | NDArray[np.uint16]:
    alpha = pixels.shape[2] in (2, 4)
    if alpha and bool((pixels[:, :, -1] == np.iinfo(pixels.dtype).max).all()):
        return pixels[:, :, :-1]
    return pixels


def _packed(pixels: NDArray[np.uint8] | NDArray[np.uint16]) -> bytes:
    """Return the rows, each as its difference from the one above (PNG 9.2, filter 2), deflated."""
    big = np.ascontiguousarray(pixels, pixels.dtype.newbyteorder(">"))
    rows = big.view(np.uint8).reshape(big.shape[0], -1)
    filtered = np.empty((rows.shape[0], rows.shape[1] + 1), np.uint8)
    filtered[:, 0] = 2
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    return in_segments(filtered[top : top + _BAND].tobytes() for top in range(0, len(filtered), _BAND))


def _chunk(name: bytes, body: bytes) -> bytes:
    # PNG 5.3: length, name, data, CRC of name and data.
    return b"".join((struct.pack(">I", len(body)), name, body, struct.pack(">I", checksum(name, body))))
