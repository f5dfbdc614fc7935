"""Deflate: isal where there is a wheel of it, else the standard library; the same pixels, three times the time."""

from __future__ import annotations

try:
    from isal.isal_zlib import compress
except ImportError:
    from zlib import compress

_LEVEL = 1  # isal: 3.5 ms a megapixel; zlib takes 24 ms for more bytes, or 48 ms for 5 % less at level 6


def deflated(data: bytes | memoryview) -> bytes:
    """Return the data as a zlib stream."""
    return bytes(compress(data, _LEVEL))
