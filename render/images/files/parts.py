"""A picture file as its parts tell, what is wrong with one, and how much of anything is read."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

MAX_PARTS = 100_000  # segments or chunks: a PNG of 50 MB in pieces of 4 KB has 12,000
MAX_TEXT = 1_000_000  # bytes of a text that is packed: what Pillow reads, too
MAX_PROFILE = 4_000_000  # bytes: the largest profiles of presses have 2.7 MB

AGAIN = "copy it here again, or export it anew"
ANEW = "open it in an image program and save it anew as PNG or JPEG"


@dataclass(frozen=True, slots=True)
class Remark:
    """What is wrong or doubtful about a picture: a code, the words that follow "the picture `...`", the next step.

    `place` is the line and the column of the file, from 1, where it has lines.
    """

    code: str
    says: str
    hint: str = ""
    place: tuple[int, int] | None = None


class UnusablePicture(Exception):  # noqa: N818 - it is a property of the user's file, not a mistake of the program
    """The file cannot be used as a picture; `remark` says why."""

    def __init__(self, code: str, says: str, hint: str = "", place: tuple[int, int] | None = None) -> None:
        self.remark = Remark(code, says, hint, place)
        super().__init__(says)


class PictureFile(NamedTuple):
    """A picture file that is whole, and nothing of it decoded.

    `data` is what is needed to draw it; `width` and `height` are in pixels as stored, and 0 if the file does not say;
    `orientation` is EXIF's, 1 to 8. `profile` is its ICC profile, empty if it is damaged. `memory` is how many bytes
    a pixel takes while it is decoded, `passes` how often its decoder goes over all pixels. `lossy` is a photograph as
    a camera saves it. `plain` is a JPEG that any reader of a PDF can show; `unknown` is that memory may be far more.
    """

    data: bytes
    width: int
    height: int
    orientation: int
    profile: bytes | None
    frames: int = 1
    memory: float = 4.0
    passes: int = 1
    lossy: bool = False
    plain: bool = False
    unknown: bool = False


def too_early(kind: str) -> UnusablePicture:
    """Return what is said of a file that ends before its picture does."""
    return UnusablePicture("A006", f"is a {kind} that ends too early", AGAIN)


def check_count(kind: str, count: int) -> None:
    """UnusablePicture if a file has more parts than are read."""
    if count > MAX_PARTS:
        raise UnusablePicture("A012", f"is a {kind} in more than {MAX_PARTS:,} pieces, and no more are read", ANEW)


Stretch = tuple[int, int]
"""Where something begins and ends in a file."""


def kept(data: bytes, spans: Sequence[Stretch | bytes]) -> bytes:
    """Return the parts of a file, or what stands in their place, in order: the file itself if that is all of it."""
    merged: list[Stretch | bytes] = []
    for each in spans:
        last = merged[-1] if merged else None
        if isinstance(each, tuple) and isinstance(last, tuple) and last[1] == each[0]:
            merged[-1] = (last[0], each[1])
        else:
            merged.append(each)
    if merged == [(0, len(data))]:
        return data
    view = memoryview(data)
    return b"".join(each if isinstance(each, bytes) else view[slice(*each)] for each in merged)


def unpacked(packed: bytes, most: int) -> bytes:
    """Return what a zlib stream holds; nothing if it is damaged, or holds more than `most` bytes."""
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(packed, most + 1)
    except zlib.error:
        return b""
    return found if len(found) <= most else b""
