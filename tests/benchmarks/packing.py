"""Whether bands of real PNGs are packed to the same bytes at many places in memory.

    python tests/benchmarks/packing.py FOLDER [PLACES]

The 64 rows of a band as in `render.png.paint`; every band once per place. About 0.25 ms for a band at a place.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

from render.images.deflate import segment

BAND = 64
APART = 70_000  # bytes: the bug of isal that `render.deflate` works around sees addresses without their last 16 bits


def bands(file: Path) -> Iterator[bytes]:
    """Yield the filtered rows of an RGB image, 64 at a time."""
    content, at, packed, width = file.read_bytes(), 8, b"", 0
    while at < len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        body = content[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width = struct.unpack_from(">I", body)[0]
        packed += body if kind == b"IDAT" else b""
        at += length + 12
    rows, size = zlib.decompress(packed), BAND * (1 + 3 * width)
    yield from (rows[top : top + size] for top in range(0, len(rows), size))


def main() -> None:
    folder, places = (*sys.argv[1:3], "500")[:2]
    data = list({band for file in sorted(Path(folder).rglob("*.png")) for band in bands(file)})
    usual = [segment(band) for band in data]
    held, odd = [], 0
    for _ in range(int(places)):
        held.append(bytearray(APART))  # takes the place where the last stream was
        odd += sum(segment(band) != first for band, first in zip(data, usual, strict=True))
    print(f"{len(data)} bands at {places} places: {odd} of {len(data) * int(places)} were other bytes")


if __name__ == "__main__":
    main()
