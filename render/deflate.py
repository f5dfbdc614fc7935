"""Deflate: isal where there is a wheel of it, else the standard library, which is slower."""

from __future__ import annotations

try:
    from isal.isal_zlib import compress
except ImportError:
    from zlib import compress

_LEVEL = 1  # higher levels take several times as long for a few per cent fewer bytes


def deflated(data: bytes | memoryview) -> bytes:
    """Return the data as a zlib stream."""
    return bytes(compress(data, _LEVEL))
