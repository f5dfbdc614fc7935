"""A JPEG as its segments (ITU T.81): which are needed to draw it, and what the others say of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from render.base.limits import PICTURE_PROFILE, PICTURE_TEXT
from render.images.files.orientation import orientation
from render.images.files.parts import (
    ANEW,
    PictureFile,
    Stretch,
    UnusablePicture,
    check_count,
    keep_parts,
    truncated_file,
)

_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")  # not stuffed bytes, fill bytes and restarts, which coded data hold
_END, _SCAN, _COMMENT = 0xD9, 0xDA, 0xFE  # EOI, SOS, COM
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # ITU T.81, table B.1
_PLAIN_FRAMES = {0xC0, 0xC1, 0xC2}  # frames that PDF readers know: baseline, extended, progressive; all Huffman-coded
_ARITHMETIC = {0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}
_PROGRESSIVE = 0xC2
_HEAD = 4  # bytes of marker and length


@dataclass(slots=True, kw_only=True)
class _Found:
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
    found = _Found(spans=[(0, 2)])
    at, count, coded = 2, 0, 0
    while marker := _MARKER.search(data, at):
        start, code = marker.start(), data[marker.end() - 1]
        if coded:
            found.spans.append((coded, start))
        coded = 0
        if code == _END:
            found.spans.append((start, start + 2))
            return _picture(data, found)
        end = start + 2 + int.from_bytes(data[start + 2 : start + 4])
        if code == _SCAN:
            coded = end  # behind a scan's header stand coded data up to the next marker
        _take(found, data, code, (start, end))
        at = max(end, start + 2)
        count += 1
        check_count("JPEG", count)
    raise truncated_file("JPEG")


def _take(found: _Found, data: bytes, code: int, span: Stretch) -> None:
    """Keep a segment that drawing needs; of another, remember what it says."""
    start, end = span
    if 0xE0 <= code <= 0xEF:
        _take_application_data(found, span, data[start:end])
    elif code != _COMMENT:
        found.spans.append(span)
    if code == _SCAN:
        found.scans += 1
        # The number of components in the first scan.
        found.first_scan = found.first_scan or int.from_bytes(data[start + _HEAD : start + _HEAD + 1])
    elif code in _FRAMES and not found.frame:
        found.frame, found.header = code, data[start + _HEAD : end]


def _take_application_data(found: _Found, span: Stretch, segment: bytes) -> None:
    """Keep what JFIF and Adobe segments say about stored colors; remember profile, EXIF and XMP."""
    code, said = segment[1], segment[_HEAD:]
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


def _picture(data: bytes, found: _Found) -> PictureFile:
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
        _profile(found.profile),
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


def _profile(segments: list[bytes]) -> bytes | None:
    """Return the profile, joined from its numbered segments; b"" if one is missing or it is too large."""
    if not segments:
        return None
    segments.sort()
    if segments[0][13:14] != bytes([len(segments) % 256]) or sum(map(len, segments)) > PICTURE_PROFILE.most:
        return b""
    return b"".join(segment[14:] for segment in segments)
