"""A WebP as its chunks (RFC 9649): which are needed to draw it, and what the others say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from render.base.limits import PICTURE_PROFILE, PICTURE_TEXT
from render.images.files.orientation import orientation
from render.images.files.parts import (
    PictureFile,
    Stretch,
    check_count,
    keep_parts,
    truncated_file,
)

_NEEDED = {b"ALPH", b"VP8 ", b"VP8L", b"ANIM", b"ANMF"}
_ALPHA_AND_ANIMATION = 0x12  # bits of VP8X to keep; the others announce profile, EXIF and XMP, which are left out
_HEAD = 8  # bytes of a chunk's name and length
_BYTES_A_PIXEL = 20  # two canvases of libwebp's, its result, ours; and copies of the file
_MUCH = 50_000  # bytes of lossless data: from there on they may hold tables for millions of pixels


@dataclass(slots=True, kw_only=True)
class _Found:
    """What the chunks said so far."""

    spans: list[Stretch | bytes] = field(default_factory=list)
    sizes: list[tuple[int, int]] = field(default_factory=list)
    frames: int = 0
    lossy: bool = False
    lossless: int = 0
    profile: bytes | None = None
    exif: bytes = b""
    xmp: bytes = b""


def read_webp(data: bytes) -> PictureFile:
    """Return what a WebP says of itself; UnusablePicture if it is cut short, or has too many parts."""
    whole = _HEAD + int.from_bytes(data[4:8], "little")  # RIFF's size counts what follows it
    if whole > len(data):
        raise truncated_file("WebP")
    found = _Found()
    at, count = 12, 0  # behind RIFF, the size and WEBP
    while at + _HEAD <= whole:
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        end = min(at + _HEAD + length + length % 2, whole)  # chunks are padded to even lengths
        _take(found, data, (at, end))
        at = end
        count += 1
        check_count("WebP", count)
    width, height = (max(sides) for sides in zip(*found.sizes, strict=True)) if found.sizes else (0, 0)
    return PictureFile(
        _file(data, whole, found.spans),
        width,
        height,
        orientation(found.exif, found.xmp),
        found.profile,
        frames=max(found.frames, 1),
        memory=_BYTES_A_PIXEL,
        lossy=found.lossy,
        unknown=found.lossless > _MUCH,
    )


def _take(found: _Found, data: bytes, span: Stretch) -> None:
    """Keep a chunk that drawing needs; of another, remember what it says."""
    start, end = span
    name, head = data[start : start + 4], data[start + _HEAD : min(start + _HEAD + 20, end)]
    length = int.from_bytes(data[start + 4 : start + 8], "little")
    if name in _NEEDED:
        found.spans.append(span)
        found.sizes += _sizes(name, head)
        found.frames += name == b"ANMF"
        found.lossless += 0 if name == b"VP8 " else length  # ALPH is packed like VP8L
        # A frame's own header has 16 bytes.
        found.lossy = found.lossy or name == b"VP8 " or (name == b"ANMF" and head[16:20] in (b"VP8 ", b"ALPH"))
    elif name == b"VP8X" and len(head) >= 10:
        found.spans.append(b"VP8X\x0a\0\0\0" + bytes([head[0] & _ALPHA_AND_ANIMATION]) + head[1:10])
        found.sizes += [(_number(head[4:7]) + 1, _number(head[7:10]) + 1)]  # the canvas: 24 bits a side, less one
    elif name == b"ICCP":
        found.profile = data[start + _HEAD : start + _HEAD + length] if length <= PICTURE_PROFILE.most else b""
    elif name == b"EXIF":
        found.exif = data[start + _HEAD : start + _HEAD + min(length, PICTURE_TEXT.most)]
    elif name == b"XMP ":
        found.xmp = data[start + _HEAD : start + _HEAD + min(length, PICTURE_TEXT.most)]


def _sizes(name: bytes, head: bytes) -> list[tuple[int, int]]:
    """Return width and height as the data of a chunk say; [] if they do not."""
    # Behind the frame tag: the start code of a key frame, then 14 bits a side (RFC 6386, 9.1).
    if name == b"VP8 " and head[3:6] == b"\x9d\x01\x2a":
        return [(_number(head[6:8]) & 0x3FFF, _number(head[8:10]) & 0x3FFF)]
    if name == b"VP8L":
        bits = _number(head[1:5])  # behind the signature 0x2f: 14 bits a side, less one (RFC 9649, 3.4)
        return [((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)]
    return []


def _number(said: bytes) -> int:
    return int.from_bytes(said, "little")


def _file(data: bytes, whole: int, spans: Sequence[Stretch | bytes]) -> bytes:
    """Return a file of these chunks; the file itself if they are all of it."""
    if spans == [(12, whole)]:
        return data[:whole]
    body = keep_parts(data, spans)
    return b"".join((b"RIFF", (len(body) + 4).to_bytes(4, "little"), b"WEBP", body))
