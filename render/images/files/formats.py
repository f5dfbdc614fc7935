"""JPEG, PNG and WebP as their parts: which are needed to draw a picture, and what the others say of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field

from render.base.limits import PICTURE_PROFILE, PICTURE_TEXT
from render.images.files.parts import (
    ANEW,
    PictureFile,
    Stretch,
    UnusablePicture,
    check_count,
    inflate,
    keep_parts,
    orientation,
    truncated_file,
)

# --- JPEG: segments (ITU T.81) ---------------------------------------------------------------------------------------

_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")  # not stuffed bytes, fill bytes and restarts, which coded data hold
_END, _SCAN, _COMMENT = 0xD9, 0xDA, 0xFE  # EOI, SOS, COM
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # ITU T.81, table B.1
_PLAIN_FRAMES = {0xC0, 0xC1, 0xC2}  # frames that PDF readers know: baseline, extended, progressive; all Huffman-coded
_ARITHMETIC = {0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}
_PROGRESSIVE = 0xC2
_SEGMENT_HEAD = 4  # bytes of marker and length


class _JpegSaid(Struct, kw_only=True):
    """What the segments said so far."""

    spans: list[Stretch | bytes] = field(default_factory=list)
    frame: int = 0
    header: bytes = b""
    scans: int = 0
    first_scan: int = 0
    exif: bytes = b""
    xmp: bytes = b""
    profile: list[bytes] = field(default_factory=list)


def read_jpeg(data: bytes) -> PictureFile:
    """Return what a JPEG says of itself; UnusablePicture if it is cut short, or has too many parts."""
    found = _JpegSaid(spans=[(0, 2)])
    at, count, coded = 2, 0, 0
    while marker := _MARKER.search(data, at):
        start, code = marker.start(), data[marker.end() - 1]
        if coded:
            found.spans.append((coded, start))
        coded = 0
        if code == _END:
            found.spans.append((start, start + 2))
            return _jpeg_picture(data, found)
        end = start + 2 + int.from_bytes(data[start + 2 : start + 4])
        if code == _SCAN:
            coded = end  # behind a scan's header stand coded data up to the next marker
        _take_segment(found, data, code, (start, end))
        at = max(end, start + 2)
        count += 1
        check_count("JPEG", count)
    raise truncated_file("JPEG")


def _take_segment(found: _JpegSaid, data: bytes, code: int, span: Stretch) -> None:
    """Keep a segment that drawing needs; of another, remember what it says."""
    start, end = span
    if 0xE0 <= code <= 0xEF:
        _take_application_data(found, span, data[start:end])
    elif code != _COMMENT:
        found.spans.append(span)
    if code == _SCAN:
        found.scans += 1
        # The number of components in the first scan.
        found.first_scan = found.first_scan or int.from_bytes(data[start + _SEGMENT_HEAD : start + _SEGMENT_HEAD + 1])
    elif code in _FRAMES and not found.frame:
        found.frame, found.header = code, data[start + _SEGMENT_HEAD : end]


def _take_application_data(found: _JpegSaid, span: Stretch, segment: bytes) -> None:
    """Keep what JFIF and Adobe segments say about stored colors; remember profile, EXIF and XMP."""
    code, said = segment[1], segment[_SEGMENT_HEAD:]
    needed = b""
    if code == 0xE0 and said.startswith(b"JFIF\0") and len(said) >= 12:
        needed = b"\xff\xe0\0\x10" + said[:12] + b"\0\0"  # without the thumbnail
    elif code == 0xEE and said.startswith(b"Adobe") and len(said) >= 12:
        needed = b"\xff\xee\0\x0e" + said[:12]
    elif code == 0xE1 and said.startswith(b"Exif\0\0") and len(found.exif) < PICTURE_TEXT.most:
        found.exif += said[6:] if found.exif else said  # further segments continue the first without its header
    elif code == 0xE1 and said.startswith(b"http://ns.adobe.com/xap/1.0/\0"):
        # ICC.1:2022, B.4: up to 255 segments, each with its number and their count.
        found.xmp = said
    elif code == 0xE2 and said.startswith(b"ICC_PROFILE\0") and len(found.profile) < 256:
        found.profile.append(said)
    if needed:
        found.spans.append(span if needed == segment else needed)


def _jpeg_picture(data: bytes, found: _JpegSaid) -> PictureFile:
    if found.frame in _ARITHMETIC:
        raise UnusablePicture("A006", "is a JPEG with arithmetic coding, which hardly any program reads", ANEW)
    # Behind the precision: Y, then X (T.81, B.2.2).
    height, width = int.from_bytes(found.header[1:3]), int.from_bytes(found.header[3:5])
    layers = found.header[5:6]
    # A first scan without all components means that they come one after the other, so all must be kept until the end.
    buffered = found.frame == _PROGRESSIVE or found.first_scan != int.from_bytes(layers)
    return PictureFile(
        keep_parts(data, found.spans),
        width,
        height,
        orientation(found.exif, found.xmp),
        _joined_profile(found.profile),
        memory=4 + (_coefficients(found.header) if buffered else 0),
        passes=found.scans if buffered else 1,
        lossy=True,
        plain=found.frame in _PLAIN_FRAMES,
    )


def _coefficients(header: bytes) -> float:
    """Return the bytes a pixel takes while later passes can change it: two for each sample of each component."""
    # Three bytes a component: id, sampling factors across and down in one byte, table.
    sampling = [divmod(shares, 16) for shares in header[7::3]]
    finest = max((across for across, _ in sampling), default=1) * max((down for _, down in sampling), default=1)
    return 2 * sum(across * down for across, down in sampling) / max(finest, 1)


def _joined_profile(segments: list[bytes]) -> bytes | None:
    """Return the profile, joined from its numbered segments; b"" if one is missing or it is too large."""
    if not segments:
        return None
    segments.sort()
    if segments[0][13:14] != bytes([len(segments) % 256]) or sum(map(len, segments)) > PICTURE_PROFILE.most:
        return b""
    return b"".join(segment[14:] for segment in segments)


# --- PNG: chunks -----------------------------------------------------------------------------------------------------

_NEEDED_IN_PNG = {
    b"IHDR",
    b"PLTE",
    b"tRNS",
    b"IDAT",
    b"IEND",
}  # all critical chunks, and transparency (PNG 11.2 and 11.3)
# Profile, EXIF, animation (APNG), texts that may hold XMP or EXIF.
_REMEMBERED = {b"iCCP", b"eXIf", b"acTL", b"fcTL", b"iTXt", b"zTXt", b"tEXt"}
_XMP = b"XML:com.adobe.xmp\0"
_RAW_EXIF = b"Raw profile type exif\0"  # ImageMagick's, from before PNG had the chunk eXIf
_MAX_FRAMES = 0x80000000  # APNG allows 2^31 - 1; Pillow ignores an animation of more


class _PngSaid(Struct, kw_only=True):
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
    found = _PngSaid(spans=[(0, 8)])  # the signature
    at, count = 8, 0
    while at + 12 <= len(data):
        name = data[at + 4 : at + 8]
        end = at + 12 + int.from_bytes(data[at : at + 4])  # length, name, data, CRC (PNG 5.3)
        if name in _NEEDED_IN_PNG:
            found.spans.append((at, end))
            found.data_seen = found.data_seen or name == b"IDAT"
            found.header = found.header or data[at + 8 : at + 21]
        elif name in _REMEMBERED:
            _remember(found, name, data[at + 8 : min(end - 4, at + 8 + PICTURE_PROFILE.most)])
        if name == b"IEND":
            if end > len(data):
                break
            return _png_picture(keep_parts(data, found.spans), found)
        at = end
        count += 1
        check_count("PNG", count)
    raise truncated_file("PNG")


def _remember(found: _PngSaid, name: bytes, said: bytes) -> None:
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


def _png_picture(data: bytes, found: _PngSaid) -> PictureFile:
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


def _frames(found: _PngSaid) -> int:
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


# --- WebP: chunks (RFC 9649) -----------------------------------------------------------------------------------------

_NEEDED_IN_WEBP = {b"ALPH", b"VP8 ", b"VP8L", b"ANIM", b"ANMF"}
_ALPHA_AND_ANIMATION = 0x12  # bits of VP8X to keep; the others announce profile, EXIF and XMP, which are left out
_CHUNK_HEAD = 8  # bytes of a chunk's name and length
_BYTES_A_PIXEL = 20  # two canvases of libwebp's, its result, ours; and copies of the file
_MUCH = 50_000  # bytes of lossless data: from there on they may hold tables for millions of pixels


class _WebpSaid(Struct, kw_only=True):
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
    whole = _CHUNK_HEAD + int.from_bytes(data[4:8], "little")  # RIFF's size counts what follows it
    if whole > len(data):
        raise truncated_file("WebP")
    found = _WebpSaid()
    at, count = 12, 0  # behind RIFF, the size and WEBP
    while at + _CHUNK_HEAD <= whole:
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        end = min(at + _CHUNK_HEAD + length + length % 2, whole)  # chunks are padded to even lengths
        _take_chunk(found, data, (at, end))
        at = end
        count += 1
        check_count("WebP", count)
    width, height = (max(sides) for sides in zip(*found.sizes, strict=True)) if found.sizes else (0, 0)
    return PictureFile(
        _webp_file(data, whole, found.spans),
        width,
        height,
        orientation(found.exif, found.xmp),
        found.profile,
        frames=max(found.frames, 1),
        memory=_BYTES_A_PIXEL,
        lossy=found.lossy,
        unknown=found.lossless > _MUCH,
    )


def _take_chunk(found: _WebpSaid, data: bytes, span: Stretch) -> None:
    """Keep a chunk that drawing needs; of another, remember what it says."""
    start, end = span
    name, head = data[start : start + 4], data[start + _CHUNK_HEAD : min(start + _CHUNK_HEAD + 20, end)]
    length = int.from_bytes(data[start + 4 : start + 8], "little")
    if name in _NEEDED_IN_WEBP:
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
        found.profile = (
            data[start + _CHUNK_HEAD : start + _CHUNK_HEAD + length] if length <= PICTURE_PROFILE.most else b""
        )
    elif name == b"EXIF":
        found.exif = data[start + _CHUNK_HEAD : start + _CHUNK_HEAD + min(length, PICTURE_TEXT.most)]
    elif name == b"XMP ":
        found.xmp = data[start + _CHUNK_HEAD : start + _CHUNK_HEAD + min(length, PICTURE_TEXT.most)]


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


def _webp_file(data: bytes, whole: int, spans: Sequence[Stretch | bytes]) -> bytes:
    """Return a file of these chunks; the file itself if they are all of it."""
    if spans == [(12, whole)]:
        return data[:whole]
    body = keep_parts(data, spans)
    return b"".join((b"RIFF", (len(body) + 4).to_bytes(4, "little"), b"WEBP", body))
