"""JPEG, PNG and WebP as their pieces: which are needed to draw a picture, and what the others say of it.

Pillow reads all pieces when it opens a file, without a bound: 48 MB of empty chunks or of camera data take it 13
seconds and 400 MB. It also refuses pictures for texts that drawing does not need.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from render.base.limits import PICTURE_PIECES, PICTURE_PROFILE, PICTURE_TEXT
from render.base.patterns import regex
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


class _Piece(NamedTuple):
    """A segment of a JPEG, named by its marker's second byte, or a chunk of a PNG or WebP."""

    name: bytes
    start: int
    end: int


def _all(kind: str, pieces: Iterator[_Piece]) -> list[_Piece]:
    """Return the pieces of a file; UnusablePicture if they are more than are read."""
    counted = list(islice(pieces, PICTURE_PIECES.most + 1))
    check_count(kind, len(counted))
    return counted


# --- JPEG: segments (ITU T.81) ---------------------------------------------------------------------------------------

_MARKER = regex(rb"\xff[^\x00\xff\xd0-\xd7]")  # not stuffed bytes, fill bytes and restarts, which coded data hold
_END, _SCAN, _COMMENT, _EXIF_OR_XMP, _ICC = b"\xd9", b"\xda", b"\xfe", b"\xe1", b"\xe2"  # EOI, SOS, COM, APP1, APP2
_FRAMES = {bytes([code]) for code in range(0xC0, 0xD0)} - {b"\xc4", b"\xc8", b"\xcc"}  # ITU T.81, table B.1
_PLAIN_FRAMES = {b"\xc0", b"\xc1", b"\xc2"}  # those PDF readers know: baseline, extended, progressive; Huffman-coded
_ARITHMETIC = {b"\xc9", b"\xca", b"\xcb", b"\xcd", b"\xce", b"\xcf"}
_PROGRESSIVE = b"\xc2"
_SEGMENT_HEAD = 4  # bytes of marker and length
_MAX_EXIF_SEGMENTS = PICTURE_TEXT.most // 65_536 + 1  # a segment holds 64 KB; further ones continue the first


def read_jpeg(data: bytes) -> PictureFile:
    """Return what a JPEG says of itself; UnusablePicture if it is cut short, or has too many parts."""
    segments = _all("JPEG", _segments(data))
    frames = ((name, data[start + _SEGMENT_HEAD : end]) for name, start, end in segments if name in _FRAMES)
    frame, header = next(frames, (b"", b""))
    if frame in _ARITHMETIC:
        raise UnusablePicture("A006", "is a JPEG with arithmetic coding, which hardly any program reads", ANEW)
    # Behind the precision: Y, then X (T.81, B.2.2).
    height, width, layers = (int.from_bytes(header[at:end]) for at, end in ((1, 3), (3, 5), (5, 6)))
    # The number of components in each scan.
    scans = [
        int.from_bytes(data[start + _SEGMENT_HEAD : start + _SEGMENT_HEAD + 1])
        for name, start, _ in segments
        if name == _SCAN
    ]
    # A first scan without all components means that they come one after the other, so all must be kept until the end.
    buffered = frame == _PROGRESSIVE or next(filter(None, scans), 0) != layers
    exif = islice(_said(data, segments, _EXIF_OR_XMP, b"Exif\0\0"), _MAX_EXIF_SEGMENTS)
    xmp = _said(data, segments[::-1], _EXIF_OR_XMP, b"http://ns.adobe.com/xap/1.0/\0")
    return PictureFile(
        "JPEG",
        keep_parts(data, [(0, 2), *(kept for each in segments if (kept := _needed(data, each)))]),
        width,
        height,
        orientation(b"".join(exif), next(xmp, b"")),
        # ICC.1:2022, B.4: up to 255 segments, each with its number and their count.
        _joined_profile(list(islice(_said(data, segments, _ICC, b"ICC_PROFILE\0"), 256))),
        memory=4 + (_coefficients(header) if buffered else 0),
        passes=len(scans) if buffered else 1,
        lossy=True,
        plain=frame in _PLAIN_FRAMES,
    )


def _segments(data: bytes) -> Iterator[_Piece]:
    """Yield the segments up to the end of the picture, each scan with its coded data, up to the next marker."""
    at, scan = 2, 0
    while marker := _MARKER.search(data, at):
        start, name = marker.start(), data[marker.end() - 1 : marker.end()]
        if scan:
            yield _Piece(_SCAN, scan, start)
        if name == _END:
            yield _Piece(name, start, start + 2)
            return
        end = max(start + 2 + int.from_bytes(data[start + 2 : start + 4]), start + 2)
        scan = start if name == _SCAN else 0
        if not scan:
            yield _Piece(name, start, end)
        at = end
    raise truncated_file("JPEG")


def _needed(data: bytes, segment: _Piece) -> Stretch | bytes:
    """Return a segment that drawing needs, or what is needed of it: what JFIF and Adobe say about stored colors."""
    name, start, end = segment
    said = data[start + _SEGMENT_HEAD : min(end, start + _SEGMENT_HEAD + 12)]
    if name != _COMMENT and not b"\xe0" <= name <= b"\xef":
        return start, end
    if name == b"\xe0" and said.startswith(b"JFIF\0") and len(said) == 12:
        needed = b"\xff\xe0\0\x10" + said + b"\0\0"  # without the thumbnail
    elif name == b"\xee" and said.startswith(b"Adobe") and len(said) == 12:
        needed = b"\xff\xee\0\x0e" + said
    else:
        return b""
    return (start, end) if data[start:end] == needed else needed


def _said(data: bytes, segments: Sequence[_Piece], wanted: bytes, head: bytes) -> Iterator[bytes]:
    """Yield what stands behind the head of the segments that begin with it."""
    for name, start, end in segments:
        if name == wanted and data.startswith(head, start + _SEGMENT_HEAD, end):
            yield data[start + _SEGMENT_HEAD + len(head) : end]


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
    if segments[0][1:2] != bytes([len(segments) % 256]) or sum(map(len, segments)) > PICTURE_PROFILE.most:
        return b""
    return b"".join(segment[2:] for segment in segments)


# --- PNG: chunks -----------------------------------------------------------------------------------------------------

_CRITICAL = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}  # all critical chunks, and transparency (PNG 11.2 and 11.3)
_RAW_EXIF = b"Raw profile type exif\0"  # ImageMagick's, from before PNG had the chunk eXIf
_MAX_FRAMES = 0x80000000  # APNG allows 2^31 - 1; Pillow ignores an animation of more
_CHUNK_HEAD = 8  # bytes of a chunk's name and length, here as in WebP


def read_png(data: bytes) -> PictureFile:
    """Return what a PNG says of itself; UnusablePicture if it is cut short, or has too many parts."""
    chunks = _all("PNG", _png_chunks(data))
    needed = [(start, end) for name, start, end in chunks if name in _CRITICAL]

    def last(wanted: bytes, head: bytes = b"") -> bytes | None:
        """Return what the last chunk of a name says behind its head, still packed."""
        for name, start, end in reversed(chunks):
            if name == wanted and data.startswith(head, start + _CHUNK_HEAD, end - 4):
                return data[start + _CHUNK_HEAD + len(head) : min(end - 4, start + _CHUNK_HEAD + PICTURE_PROFILE.most)]
        return None

    header = needed[0][0] + _CHUNK_HEAD
    profile, exif = last(b"iCCP"), last(b"eXIf")
    if not exif:
        packed = last(b"zTXt", _RAW_EXIF)
        exif = _from_hex(inflate(packed[1:], PICTURE_TEXT.most) if packed else last(b"tEXt", _RAW_EXIF) or b"")
    return PictureFile(
        "PNG",
        keep_parts(data, [(0, 8), *needed]),  # behind the signature
        int.from_bytes(data[header : header + 4]),
        int.from_bytes(data[header + 4 : header + 8]),
        orientation(exif, _text(last(b"iTXt", b"XML:com.adobe.xmp\0") or b"")),
        # Behind the profile's name, a null and the method of compression.
        None if profile is None else inflate(profile.partition(b"\0")[2][1:], PICTURE_PROFILE.most),
        frames=_frames(data, list(takewhile(lambda chunk: chunk.name != b"IDAT", chunks))),
    )


def _png_chunks(data: bytes) -> Iterator[_Piece]:
    """Yield the chunks up to the end of the picture: length, name, data, CRC (PNG 5.3)."""
    at = 8
    while at + 12 <= len(data):
        chunk = _Piece(data[at + 4 : at + 8], at, at + 12 + int.from_bytes(data[at : at + 4]))
        if chunk.name == b"IEND" and chunk.end > len(data):
            break
        yield chunk
        if chunk.name == b"IEND":
            return
        at = chunk.end
    raise truncated_file("PNG")


def _frames(data: bytes, before_pixels: list[_Piece]) -> int:
    """Return the number of frames of an animation, plus one if other readers show a picture outside it."""
    starts = [chunk.start + _CHUNK_HEAD for chunk in before_pixels if chunk.name == b"acTL"]
    count = int.from_bytes(data[starts[0] : starts[0] + 4]) if len(starts) == 1 else 0
    if not 1 < count <= _MAX_FRAMES:
        return 1
    # APNG: an fcTL before the pixels makes them the first frame.
    return count if any(chunk.name == b"fcTL" for chunk in before_pixels) else count + 1


def _text(said: bytes) -> bytes:
    """Return the text of an `iTXt` chunk: behind a flag of compression, a method, a language, a translated keyword."""
    rest = said[2:].partition(b"\0")[2].partition(b"\0")[2]
    return inflate(rest, PICTURE_TEXT.most) if said[:1] == b"\1" else rest[: PICTURE_TEXT.most]


def _from_hex(text: bytes) -> bytes:
    """Return the bytes that a text holds as hexadecimal digits, behind three lines."""
    try:
        return bytes.fromhex(b"".join(text[: PICTURE_TEXT.most].split(b"\n")[3:]).decode("ascii"))
    except ValueError:
        return b""


# --- WebP: chunks (RFC 9649) -----------------------------------------------------------------------------------------

_DRAWN = {b"ALPH", b"VP8 ", b"VP8L", b"ANIM", b"ANMF"}
_ALPHA_AND_ANIMATION = 0x12  # bits of VP8X to keep; the others announce profile, EXIF and XMP, which are left out
_BYTES_A_PIXEL = 20  # two canvases of libwebp's, its result, ours; and copies of the file
_MUCH = 50_000  # bytes of lossless data: from there on they may hold tables for millions of pixels


def read_webp(data: bytes) -> PictureFile:
    """Return what a WebP says of itself; UnusablePicture if it is cut short, or has too many parts."""
    whole = _CHUNK_HEAD + int.from_bytes(data[4:8], "little")  # RIFF's size counts what follows it
    if whole > len(data):
        raise truncated_file("WebP")
    chunks = _all("WebP", _webp_chunks(data, whole))
    spans, sizes, lossless, lossy = list[Stretch | bytes](), list[tuple[int, int]](), 0, False
    for name, start, end in chunks:
        head = data[start + _CHUNK_HEAD : min(start + _CHUNK_HEAD + 20, end)]
        if name in _DRAWN:
            spans.append((start, end))
            sizes += _sizes(name, head)
            lossless += 0 if name == b"VP8 " else _number(data[start + 4 : start + 8])  # ALPH is packed like VP8L
            # A frame's own header has 16 bytes.
            lossy = lossy or name == b"VP8 " or (name == b"ANMF" and head[16:20] in (b"VP8 ", b"ALPH"))
        elif name == b"VP8X" and len(head) >= 10:
            spans.append(b"VP8X\x0a\0\0\0" + bytes([head[0] & _ALPHA_AND_ANIMATION]) + head[1:10])
            sizes.append((_number(head[4:7]) + 1, _number(head[7:10]) + 1))  # the canvas: 24 bits a side, less one
    bodies = {name: (start + _CHUNK_HEAD, _number(data[start + 4 : start + 8])) for name, start, _ in chunks}

    def last(name: bytes, most: int) -> bytes:
        """Return what the last chunk of a name says, up to so many bytes."""
        start, length = bodies.get(name, (0, 0))
        return data[start : start + min(length, most)]

    profile = last(b"ICCP", PICTURE_PROFILE.most) if bodies.get(b"ICCP", (0, 0))[1] <= PICTURE_PROFILE.most else b""
    width, height = (max(sides) for sides in zip(*sizes, strict=True)) if sizes else (0, 0)
    return PictureFile(
        "WebP",
        _webp_file(data, whole, spans),
        width,
        height,
        orientation(last(b"EXIF", PICTURE_TEXT.most), last(b"XMP ", PICTURE_TEXT.most)),
        profile if b"ICCP" in bodies else None,
        frames=max(sum(chunk.name == b"ANMF" for chunk in chunks), 1),
        memory=_BYTES_A_PIXEL,
        lossy=lossy,
        unknown=lossless > _MUCH,
    )


def _webp_chunks(data: bytes, whole: int) -> Iterator[_Piece]:
    """Yield the chunks of a file of so many bytes: name, length, data, padded to even lengths."""
    at = 12  # behind RIFF, the size and WEBP
    while at + _CHUNK_HEAD <= whole:
        length = _number(data[at + 4 : at + 8])
        end = min(at + _CHUNK_HEAD + length + length % 2, whole)
        yield _Piece(data[at : at + 4], at, end)
        at = end


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
