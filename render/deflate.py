"""Deflate: isal where there is a wheel of it, else the standard library, which is slower."""

from __future__ import annotations

from collections.abc import Iterable

try:
    from isal import isal_zlib as zlib
except ImportError:
    import zlib  # type: ignore[no-redef] # it has the same functions

_LEVEL = 1  # higher levels take several times as long for a few per cent fewer bytes
_HEADER, _LAST_BLOCK = b"\x78\x01", b"\x03\x00"  # RFC 1950: deflate, 32 KiB window, fastest; RFC 1951: fixed, empty
_RAW = -15  # bits of the window; less than nothing for a stream without header and checksum


def deflated(data: bytes | memoryview) -> bytes:
    """Return the data as a zlib stream."""
    return bytes(zlib.compress(data, _LEVEL))


def segment(data: bytes | memoryview) -> bytes:
    """Return a part of the data of a zlib stream, which refers to no other part: `joined` puts them together."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW)
    return bytes(packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH))


def joined(segments: Iterable[bytes], data: bytes | memoryview) -> bytes:
    """Return the segments of `data` in order as one zlib stream."""
    return b"".join((_HEADER, *segments, _LAST_BLOCK, int(zlib.adler32(data)).to_bytes(4, "big")))


def checksum(*parts: bytes | memoryview) -> int:
    """Return the CRC-32 of bytes one after the other."""
    found = 0
    for part in parts:
        found = int(zlib.crc32(part, found))
    return found
