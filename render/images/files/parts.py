"""What the parts of a picture file tell, what can be wrong with one, and limits of what is read."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

from render.base.findings import Diagnostic
from render.base.limits import PICTURE_PIECES

AGAIN = "copy it here again, or export it anew"
ANEW = "open it in an image program and save it anew as PNG or JPEG"


class UnusablePicture(Exception):
    """The file cannot be used as a picture; `problem` says why, in words that follow "the picture `...`".

    `place` is line and column in the file, from 1, for files that have lines.
    """

    def __init__(self, code: str, says: str, hint: str = "", place: tuple[int, int] | None = None) -> None:
        self.problem, self.place = Diagnostic(code, says, hint), place
        super().__init__(says)


class PictureFile(NamedTuple):
    """A picture file that is complete, with nothing decoded.

    `data` is what drawing needs; `width` and `height` are in pixels as stored, 0 if the file does not say.
    `orientation` is EXIF's, 1 to 8. `profile` is the ICC profile, b"" if damaged. `memory` is the bytes that a pixel
    takes while it is decoded, `passes` how often the decoder goes over all pixels. `lossy` means a photograph, as
    cameras save it, `plain` a JPEG that any PDF reader can show, `unknown` that decoding may take far more memory.
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


def named_kind(kind: str) -> str:
    """Return a kind of picture with its article: `a JPEG`, `an AVIF`."""
    return f"an {kind}" if kind == "AVIF" else f"a {kind}"


def truncated_file(kind: str) -> UnusablePicture:
    """Return the error for a file that ends before its picture does."""
    return UnusablePicture("A006", f"is {named_kind(kind)} that ends too early", AGAIN)


def check_count(kind: str, count: int) -> None:
    """Raise UnusablePicture if a file has more parts than are read."""
    if count > PICTURE_PIECES.most:
        raise UnusablePicture(
            "A012", f"is {named_kind(kind)} in more than {PICTURE_PIECES}, and no more are read", ANEW
        )


Stretch = tuple[int, int]
"""Start and end of something in a file."""


def keep_parts(data: bytes, spans: Sequence[Stretch | bytes]) -> bytes:
    """Return the parts of a file, or their replacements, in order; the file itself, uncopied, if they are all of it."""
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


def inflate(packed: bytes, most: int) -> bytes:
    """Return what a zlib stream holds; b"" if it is damaged, or holds more than `most` bytes."""
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(packed, most + 1)
    except zlib.error:
        return b""
    return found if len(found) <= most else b""
