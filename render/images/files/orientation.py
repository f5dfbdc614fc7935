"""Which way up a picture is shown, by its camera data. Nothing else of them is ever read."""

from __future__ import annotations

import re

UPRIGHT = 1
_ORIENTATION = 0x0112  # EXIF 2.3, 4.6.4: the tag Orientation
_SIZES = {1: 1, 3: 2, 4: 4}  # of the types BYTE, SHORT and LONG
_XMP = rb'tiff:Orientation(="|>)([0-9])'  # as an attribute or as an element


def by_exif(exif: bytes) -> int | None:
    """Return the orientation, 1 to 8, of the first directory of EXIF data; None if it has none."""
    start = 6 if exif.startswith(b"Exif\0\0") else 0
    # EXIF data are a TIFF file: its byte order, 42, the place of the first directory.
    if exif[start : start + 2] not in (b"II", b"MM"):
        return None

    def number(at: int, size: int) -> int:
        return int.from_bytes(exif[at : at + size], "little" if exif[start : start + 1] == b"I" else "big")

    directory = start + number(start + 4, 4)
    count = number(directory, 2)
    # Entries of 12 bytes: tag, type, count, value.
    for at in range(directory + 2, min(directory + 2 + 12 * count, len(exif) - 11), 12):
        if number(at, 2) == _ORIENTATION:
            size = _SIZES.get(number(at + 2, 2), 0)
            return _sound(number(at + 8, size))
    return None


def by_xmp(xmp: bytes) -> int | None:
    """Return the orientation that an XMP packet gives; None if it gives none."""
    found = re.search(_XMP, xmp)
    return _sound(int(found[2])) if found else None


def orientation(exif: bytes, xmp: bytes) -> int:
    """Return the orientation by EXIF, else by XMP, else upright, as any viewer does."""
    found = by_exif(exif)
    return (by_xmp(xmp) if found is None else found) or UPRIGHT


def _sound(value: int) -> int:
    return value if 1 <= value <= 8 else UPRIGHT
