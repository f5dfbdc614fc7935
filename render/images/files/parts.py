"""What the parts of a picture file tell, which way up it is shown, and what can be wrong with one."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from render.base.findings import Diagnostic
from render.base.limits import PICTURE_PIECES, TO_DECODE
from render.base.patterns import regex

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

AGAIN = "copy it here again, or export it anew"
ANEW = "open it in an image program and save it anew as PNG or JPEG"


class UnusablePicture(Exception):
    """The file cannot be used as a picture; `problem` says why, in words that follow "the picture `...`".

    `place` is line and column in the file, from 1, for files that have lines.
    """

    def __init__(self, code: str, says: str, hint: str = "", place: tuple[int, int] | None = None) -> None:
        self.problem, self.place = Diagnostic(code, says, hint), place
        super().__init__(says)


class PictureFile(Struct, frozen=True):
    """A picture file of a `kind` such as `JPEG` that is complete, with nothing decoded.

    `data` is what drawing needs; `width` and `height` are in pixels as stored, 0 if the file does not say.
    `orientation` is EXIF's, 1 to 8. `profile` is the ICC profile, b"" if damaged. `memory` is the bytes that a pixel
    takes while it is decoded, `passes` how often the decoder goes over all pixels. `lossy` means a photograph, as
    cameras save it, `plain` a JPEG that any PDF reader can show, `unknown` that decoding may take far more memory.
    """

    kind: str
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


# --- which way up, by camera data; nothing else of them is ever read -------------------------------------------------

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


# --- files that are no JPEG, PNG, WebP, AVIF or SVG ------------------------------------------------------------------

_SAVE_AS = "save it as PNG or JPEG"
_FROM_PHONE = "export it as JPEG (an iPhone takes JPEGs with Settings, Camera, Formats, Most Compatible)"
_EXPORT_AS = "export it as a PNG of 300 dpi or more at its printed size"

# First bytes of formats, as their specifications give them; `ftyp` is ISO 14496-12's box of the file type.
TIFF, HEIC = rb"II\*\0|MM\0\*", rb".{4}ftyp(?:hei|hev|mif|msf)"
_UNSUPPORTED = tuple(
    (what, regex(start, re.DOTALL | re.IGNORECASE), hint)
    for what, start, hint in (
        ("a GIF", rb"GIF8[79]a", "a card does not move: save one picture of it as PNG or JPEG"),
        ("a BMP", rb"BM.{4}\0{4}", _SAVE_AS),
        ("a TIFF", TIFF, _SAVE_AS),
        ("a HEIC", HEIC, _FROM_PHONE),
        ("a JPEG XL", rb"\xff\x0a|\0\0\0\x0cJXL ", _SAVE_AS),
        ("a JPEG 2000", rb"\xff\x4f\xff\x51|\0\0\0\x0cjP  ", _SAVE_AS),
        ("a Photoshop file", rb"8BPS", _SAVE_AS),
        ("a GIMP file", rb"gimp xcf", _SAVE_AS),
        ("a packed SVG", rb"\x1f\x8b", "save it as plain SVG, not packed"),
        ("a PDF", rb"%PDF-", _EXPORT_AS),
        ("a web page", rb"\s*<(?:!doctype html|html)", "download the picture itself"),
        ("a Git LFS pointer", rb"version https://git-lfs", "run `git lfs pull` to get the picture itself"),
    )
)


# With a byte order mark, a declaration, comments or a DOCTYPE before the root.
_SVG = regex(
    rb"(?:\xef\xbb\xbf)?\s*<(?:svg\b|[a-z]+:svg\b|(?:\?xml|!--|!doctype svg).{0,4000}<(?:[a-z]+:)?svg\b)",
    re.DOTALL | re.IGNORECASE,
)


def is_svg(data: bytes) -> bool:
    """Return whether a file is meant to be an SVG."""
    return _SVG.match(data) is not None


def unsupported_file(data: bytes) -> UnusablePicture:
    """Return the error for a file that is no picture, or of a kind that is not read."""
    if not data:
        return UnusablePicture("A005", "is empty", AGAIN)
    for what, start, hint in _UNSUPPORTED:
        if start.match(data):
            return UnusablePicture("A005", f"is {what}, and only JPEG, PNG, WebP, AVIF and SVG are read", hint)
    return UnusablePicture(
        "A005", "is not a picture: it is no JPEG, PNG, WebP, AVIF or SVG inside, whatever its name", _SAVE_AS
    )


# --- files that do not tell how much memory decoding takes -----------------------------------------------------------

# They are tried in a worker.
# A lossless WebP may have 65,536 decoding tables of 20 KB each in a few megabytes and for few pixels. What an AVIF takes
# depends on tools of AV1 that its boxes do not name.


def check_contained(file: PictureFile) -> None:
    """Raise UnusablePicture if a WebP or AVIF cannot be decoded in bounded memory and time."""
    from render.base import guard

    try:
        guard.run(decode, file.kind, bytes(file.data), limits=TO_DECODE)
    except (guard.TooMuchError, guard.WorkFailedError):
        most = f"{TO_DECODE.memory / 1e6:.0f} MB of memory or {TO_DECODE.seconds:g} s"
        said = f"is {named_kind(file.kind)} that is damaged, or takes more than {most} to decode"
        raise UnusablePicture("A006", said, ANEW) from None


def decode(kind: str, data: bytes) -> None:
    """Decode a picture; in the worker."""
    open_lazily(kind, data).load()


_PLUGINS = {"JPEG": "Jpeg", "PNG": "Png", "WebP": "WebP", "AVIF": "Avif"}  # as Pillow calls modules and classes


def open_lazily(kind: str, data: bytes) -> ImageFile:
    """Open a picture by Pillow's class for its kind, and decode nothing; any exception if it is damaged."""
    plugin: Any = import_module(f"PIL.{_PLUGINS[kind]}ImagePlugin")
    plugin.DEFAULT_MAX_THREADS = 1  # each thread of an AVIF's decoder has memory of its own
    opened: ImageFile = getattr(plugin, f"{_PLUGINS[kind]}ImageFile")(BytesIO(data))
    return opened
