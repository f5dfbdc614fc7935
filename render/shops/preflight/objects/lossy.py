"""The ink of a JPEG, which is lossy: decoded, and judged with room for what compression adds to single pixels."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from pikepdf import Stream
from PIL import Image, JpegImagePlugin

_MAX_PIXELS = 16_000_000  # a larger picture is decoded at half, a quarter or an eighth of its size
_MAX_WORK = 1_200_000_000  # pixels times passes: a progressive JPEG is decoded once per pass
_LARGEST = 64 << 20  # bytes
_FEW = 0.001  # of the pixels: ink that compression adds at edges was chosen by nobody


def jpeg_channels(image: Stream) -> int:
    """Return the color channels of a picture that is packed as a JPEG; 0 if they cannot be read."""
    try:
        return len(JpegImagePlugin.JpegImageFile(BytesIO(image.read_raw_bytes())).getbands())
    except (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError):
        return 0


def most_ink(data: bytes, turned: bool) -> float | None:
    """Return the ink in per cent that all but a few pixels of a CMYK JPEG keep to; None if it cannot be read.

    `turned` says that 0 is full ink.
    """
    passes = data.count(b"\xff\xda")  # starts of scans
    if len(data) > _LARGEST:
        return None
    try:
        image = JpegImagePlugin.JpegImageFile(BytesIO(data))
        width, height = image.size
        if image.mode != "CMYK" or width * height * max(passes, 1) > _MAX_WORK:
            return None
        while width * height > _MAX_PIXELS:
            width, height = width // 2, height // 2
        image.draft("CMYK", (max(width, 1), max(height, 1)))
        if image.size[0] * image.size[1] > _MAX_PIXELS:
            return None
        image.load()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, TypeError, KeyError, IndexError):
        return None
    values = np.asarray(image)  # Pillow inverts what it takes for Adobe's convention: 255 is what was stored as 0
    inks = (values if turned else 255 - values).sum(axis=2, dtype=np.uint16).ravel()
    rank = max(int(inks.size * (1 - _FEW)) - 1, 0)
    return float(np.partition(inks, rank)[rank]) * 100 / 255
