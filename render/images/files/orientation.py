"""Which way up a picture is to be shown, as its camera data say: nothing else of them is ever read."""

from __future__ import annotations

import re

UPRIGHT = 1
_ORIENTATION = 0x0112
_SIZES = {1: 1, 3: 2, 4: 4}  # of the types BYTE, SHORT and LONG
_XMP = rb'tiff:Orientation(="|>)([0-9])'


def by_exif(exif: bytes) -> int | None:
    """Return the orientation, 1 to 8, that stands in the first directory of EXIF data; nothing if none does."""
    start = 6 if exif.startswith(b"Exif\0\0") else 0
    if exif[start : start + 2] not in (b"II", b"MM"):
        return None

    def number(at: int, size: int) -> int:
        return int.from_bytes(exif[at : at + size], "little" if exif[start : start + 1] == b"I" else "big")

    directory = start + number(start + 4, 4)
    count = number(directory, 2)
    for at in range(directory + 2, min(directory + 2 + 12 * count, len(exif) - 11), 12):
        if number(at, 2) == _ORIENTATION:
            size = _SIZES.get(number(at + 2, 2), 0)
            return _sound(number(at + 8, size))
    return None


def by_xmp(xmp: bytes) -> int | None:
    """Return the orientation that an XMP packet gives; nothing if it gives none."""
    found = re.search(_XMP, xmp)
    return _sound(int(found[2])) if found else None


def orientation(exif: bytes, xmp: bytes) -> int:
    """Return the orientation, that of EXIF before that of XMP: upright if neither says it, as in any viewer."""
    found = by_exif(exif)
    return (by_xmp(xmp) if found is None else found) or UPRIGHT


def _sound(value: int) -> int:
    return value if 1 <= value <= 8 else UPRIGHT
