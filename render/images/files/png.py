"""A PNG as its chunks: which are needed to draw it, and what the others say of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from render.base.limits import PICTURE_PROFILE, PICTURE_TEXT
from render.images.files.orientation import orientation
from render.images.files.parts import (
    PictureFile,
    Stretch,
    check_count,
    inflate,
    keep_parts,
    truncated_file,
)

_NEEDED = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}  # all critical chunks, and transparency (PNG 11.2 and 11.3)
# Profile, EXIF, animation (APNG), texts that may hold XMP or EXIF.
_REMEMBERED = {b"iCCP", b"eXIf", b"acTL", b"fcTL", b"iTXt", b"zTXt", b"tEXt"}
_XMP = b"XML:com.adobe.xmp\0"
_RAW_EXIF = b"Raw profile type exif\0"  # ImageMagick's, from before PNG had the chunk eXIf
_MAX_FRAMES = 0x80000000  # APNG allows 2^31 - 1; Pillow ignores an animation of more


@dataclass(slots=True, kw_only=True)
class _Found:
    """What the chunks said so far."""

    spans: list[Stretch | bytes] = field(default_factory=list)
    header: bytes = b""
    profile: bytes | None = None
    exif: bytes = b""
    raw_exif: tuple[bytes, bytes] = (b"", b"")
    xmp: bytes = b""
    animated: list[bytes] = field(default_factory=list)
    first_is_frame: bool = False
    data_seen: bool = False


def read_png(data: bytes) -> PictureFile:
    """Return what a PNG says of itself; UnusablePicture if it is cut short, or has too many parts."""
    found = _Found(spans=[(0, 8)])  # the signature
    at, count = 8, 0
    while at + 12 <= len(data):
        name = data[at + 4 : at + 8]
        end = at + 12 + int.from_bytes(data[at : at + 4])  # length, name, data, CRC (PNG 5.3)
        if name in _NEEDED:
            found.spans.append((at, end))
            found.data_seen = found.data_seen or name == b"IDAT"
            found.header = found.header or data[at + 8 : at + 21]
        elif name in _REMEMBERED:
            _remember(found, name, data[at + 8 : min(end - 4, at + 8 + PICTURE_PROFILE.most)])
        if name == b"IEND":
            if end > len(data):
                break
            return _picture(keep_parts(data, found.spans), found)
        at = end
        count += 1
        check_count("PNG", count)
    raise truncated_file("PNG")


def _remember(found: _Found, name: bytes, said: bytes) -> None:
    """Remember a chunk that says something about the picture, still packed; the last one of a kind counts."""
    if name == b"iCCP":
        found.profile = said
    elif name == b"eXIf":
        found.exif = said
    elif name == b"iTXt" and said.startswith(_XMP):
        found.xmp = said[len(_XMP) :]
    elif said.startswith(_RAW_EXIF):
        found.raw_exif = name, said[len(_RAW_EXIF) :]
    elif name == b"acTL" and not found.data_seen and len(found.animated) < 2:
        found.animated.append(said)
    elif name == b"fcTL" and not found.data_seen:  # APNG: an fcTL before the data makes them the first frame
        found.first_is_frame = True


def _picture(data: bytes, found: _Found) -> PictureFile:
    exif = found.exif or _from_hex(*found.raw_exif)
    return PictureFile(
        data,
        int.from_bytes(found.header[:4]),
        int.from_bytes(found.header[4:8]),
        orientation(exif, _text(found.xmp)),
        # Behind the profile's name, a null and the method of compression.
        None if found.profile is None else inflate(found.profile.partition(b"\0")[2][1:], PICTURE_PROFILE.most),
        frames=_frames(found),
    )


def _frames(found: _Found) -> int:
    """Return the number of frames of an animation, plus one if other readers show a picture outside it."""
    count = int.from_bytes(found.animated[0][:4]) if len(found.animated) == 1 else 0
    if not 1 < count <= _MAX_FRAMES:
        return 1
    return count if found.first_is_frame else count + 1


def _text(said: bytes) -> bytes:
    """Return the text of an `iTXt` chunk: behind a flag of compression, a method, a language, a translated keyword."""
    rest = said[2:].partition(b"\0")[2].partition(b"\0")[2]
    return inflate(rest, PICTURE_TEXT.most) if said[:1] == b"\1" else rest[: PICTURE_TEXT.most]


def _from_hex(name: bytes, said: bytes) -> bytes:
    """Return the bytes that a text chunk holds as hexadecimal digits, behind three lines; `zTXt` packs them."""
    text = inflate(said[1:], PICTURE_TEXT.most) if name == b"zTXt" else said[: PICTURE_TEXT.most]
    try:
        return bytes.fromhex(b"".join(text.split(b"\n")[3:]).decode("ascii"))
    except ValueError:
        return b""
