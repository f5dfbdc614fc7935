"""Files that are no JPEG, PNG, WebP, AVIF or SVG: what they are, by their first bytes."""

from __future__ import annotations

import re

from render.images.files.parts import AGAIN, UnusablePicture

_SAVE_AS = "save it as PNG or JPEG"
_FROM_PHONE = "export it as JPEG (an iPhone takes JPEGs with Settings, Camera, Formats, Most Compatible)"
_EXPORT_AS = "export it as a PNG of 300 dpi or more at its printed size"

# First bytes of formats, as their specifications give them; `ftyp` is ISO 14496-12's box of the file type.
_UNSUPPORTED = tuple(
    (what, re.compile(start, re.DOTALL | re.IGNORECASE), hint)
    for what, start, hint in (
        ("a GIF", rb"GIF8[79]a", "a card does not move: save one picture of it as PNG or JPEG"),
        ("a BMP", rb"BM.{4}\0{4}", _SAVE_AS),
        ("a TIFF", rb"II\*\0|MM\0\*", _SAVE_AS),
        ("a HEIC", rb".{4}ftyp(?:hei|hev|mif|msf)", _FROM_PHONE),
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
_SVG = re.compile(
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
