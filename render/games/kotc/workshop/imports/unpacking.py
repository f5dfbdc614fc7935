"""Files that were packed whole, as GIMP writes `.xcf.gz`, `.xcf.bz2` and `.xcf.xz`."""

from __future__ import annotations

import bz2
import lzma
import zlib
from typing import Protocol


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


_GZIP = 16 + 15  # of zlib: with the header of gzip, and the largest window


def unpacked(data: bytes, largest: int) -> bytes | None:
    """Return the bytes that are packed in others, or the bytes themselves if they are not packed.

    None if they are damaged, or unpack to more than `largest` bytes; no more than that is unpacked.
    """
    unpacker = _unpacker(data)
    if unpacker is None:
        return data
    try:
        found = unpacker.decompress(data, largest + 1)
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError):
        return None
    return found if unpacker.eof and len(found) <= largest else None


def _unpacker(data: bytes) -> _Unpacker | None:
    if data.startswith(b"\x1f\x8b\x08"):
        return zlib.decompressobj(_GZIP)
    if data.startswith(b"BZh"):
        return bz2.BZ2Decompressor()
    if data.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=64 << 20)
    return None
