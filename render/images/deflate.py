"""Deflate: by isal if it is installed, else by the standard library, which is slower. Same data, same bytes.

isal alone breaks that promise. Its x86 assembly packs the first byte of a stream without a dictionary (level 1, label
`write_first_byte` in igzip_icf_body_h1_gr_bt.asm, up to version 2.32.1 at least) and takes the hash of what begins at
the third byte from a register that by then holds the address of the stream. Position 2 then goes into one of 8192
places that the address picks, and later bytes that are looked up there give other matches. The result inflates to the
same data, but about one PNG in 400 differed from run to run. With a dictionary that code never runs. So the first byte
of each segment is stored, and is the dictionary for the rest.
"""

from __future__ import annotations

from collections.abc import Iterable

try:
    from isal import isal_zlib as zlib
except ImportError:
    import zlib  # type: ignore[no-redef] # it has the same functions

_LEVEL = 1  # higher levels take several times as long for a few per cent fewer bytes
_HEADER, _LAST_BLOCK = b"\x78\x01", b"\x03\x00"  # RFC 1950: deflate, 32 KiB window, fastest; RFC 1951: fixed, empty
_RAW = -15  # bits of the window; negative means a stream without header and checksum (zlib manual)
_ONE_STORED = b"\x00\x01\x00\xfe\xff"  # RFC 1951: not the last block, stored, its length and that length inverted


def segment(data: bytes | memoryview) -> bytes:
    """Return one segment of a zlib stream, which refers to no other segment; `joined` puts segments together."""
    if len(data) == 0:
        return b""
    flat = memoryview(data).cast("B")
    first = bytes(flat[:1])
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, zdict=first)
    # A sync flush ends on a whole byte, so that segments can be put one behind the other.
    return b"".join((_ONE_STORED, first, packer.compress(flat[1:]), packer.flush(zlib.Z_SYNC_FLUSH)))


def joined(segments: Iterable[bytes], parts: Iterable[bytes | memoryview]) -> bytes:
    """Return the segments of data that come in `parts` as one zlib stream."""
    found = 1  # Adler-32 begins with 1 (RFC 1950, 8.2)
    for part in parts:
        found = zlib.adler32(part, found)
    return b"".join((_HEADER, *segments, _LAST_BLOCK, int(found).to_bytes(4, "big")))


def in_segments(parts: Iterable[bytes | memoryview]) -> bytes:
    """Return data that come in parts as one zlib stream, each part a segment, so that one at a time is in memory."""
    packed = [_HEADER]
    found = 1
    for part in parts:
        packed.append(segment(part))
        found = zlib.adler32(part, found)
    return b"".join((*packed, _LAST_BLOCK, int(found).to_bytes(4, "big")))


def checksum(*parts: bytes | memoryview) -> int:
    """Return the CRC-32 of the parts put together."""
    found = 0
    for part in parts:
        found = int(zlib.crc32(part, found))
    return found
