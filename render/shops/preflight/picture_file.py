"""Preflight of a picture file: whether a PNG has the pixels and colors that a print shop asks for."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from render.base.findings import Problem

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Color types of a PNG (PNG 11.2.2).
_KINDS = {0: "grey", 2: "RGB", 3: "indexed", 4: "grey with an alpha channel", 6: "RGB with an alpha channel"}


def preflight_png(data: bytes, pixels: Sequence[tuple[int, int]]) -> list[Problem]:
    """Return what is wrong with a PNG that should be RGB without transparency.

    `pixels` are the sizes that a shop takes, one for each of its products.
    """
    if data[:8] != _SIGNATURE or data[12:16] != b"IHDR" or len(data) < 33:  # 33 bytes: signature and IHDR
        return [Problem("F001", "the file cannot be read as a PNG")]
    return list(_faults(data, pixels))


def _faults(data: bytes, pixels: Sequence[tuple[int, int]]) -> Iterator[Problem]:
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    if (width, height) not in pixels:
        wanted = " or ".join(f"{across} x {down}" for across, down in pixels)
        yield Problem("F024", f"it has {width} x {height} pixels, and the shop asks for {wanted}")
    if (depth, kind) != (8, 2):
        yield Problem("F030", f"it is {_KINDS.get(kind, 'unknown')} of {depth} bits, and the shop asks for RGB of 8")
    if b"tRNS" in _chunks(data):
        yield Problem("F030", "one of its colors is transparent")


def _chunks(data: bytes) -> set[bytes]:
    at, found = 8, set()
    while at + 12 <= len(data):
        found.add(data[at + 4 : at + 8])
        at += 12 + int.from_bytes(data[at : at + 4])
    return found
