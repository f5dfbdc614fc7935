"""An AVIF as its boxes (ISO 14496-12, ISO 23008-12, AV1 Image File Format): what they say of the picture in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from render.base.limits import PICTURE_PROFILE
from render.images.files.parts import PictureFile, UnusablePicture, check_count, truncated_file

_BYTES_A_PIXEL = 20  # the decoder's planes of up to 12 bits, its result, ours; and copies of the file
_PLAIN_PRIMARIES = {1, 2, 5, 6, 7}  # of ITU-T H.273, table 2: those of sRGB, unspecified, and of old television
_SRGB = (1, 13)
_LOUD_CURVES = {16: "PQ", 18: "HLG"}  # of table 3: those of pictures for screens brighter than paper
_SAVE = "export it as a JPEG or PNG in sRGB"

# Which way up (EXIF 2.3, 4.6.4), by the quarter turns to the left (irot) and then the axis of the mirror (imir; 0: top
# and bottom change places, 1: left and right).
_ORIENTATIONS = {
    (0, None): 1, (1, None): 8, (2, None): 3, (3, None): 6,
    (0, 0): 4, (1, 0): 5, (2, 0): 2, (3, 0): 7,
    (0, 1): 2, (1, 1): 7, (2, 1): 4, (3, 1): 5,
}  # fmt: skip


class _Box(NamedTuple):
    """A box: its type, and where its content is."""

    name: bytes
    start: int
    end: int


def read_avif(data: bytes) -> PictureFile:
    """Return what an AVIF says of its picture; UnusablePicture if it is cut short, or has colors that no paper has."""
    top = {box.name: box for box in _boxes(data, 0, len(data), whole=True)}
    meta = top.get(b"meta")
    properties = _of_picture(data, meta) if meta else []
    size, colors, turns, mirror = (0, 0), _SRGB, 0, None
    profile: bytes | None = None
    for box in properties:
        said = data[box.start : box.end]
        if box.name == b"ispe":
            size = int.from_bytes(said[4:8]), int.from_bytes(said[8:12])
        elif box.name == b"irot":
            turns = said[0] & 3 if said else 0
        elif box.name == b"imir":
            mirror = said[0] & 1 if said else 0
        elif box.name == b"colr" and said[:4] in (b"prof", b"rICC"):
            profile = said[4:] if len(said) - 4 <= PICTURE_PROFILE.most else b""
        elif box.name == b"colr" and said[:4] == b"nclx":
            colors = int.from_bytes(said[4:6]), int.from_bytes(said[6:8])
    _check_colors(*colors, is_profiled=profile is not None)
    return PictureFile(
        "AVIF",
        data,
        *size,
        _ORIENTATIONS[turns, mirror],
        profile,
        frames=2 if data[8:12] == b"avis" and b"moov" in top else 1,
        memory=_BYTES_A_PIXEL,
        lossy=True,
        unknown=True,
    )


def _check_colors(primaries: int, curve: int, *, is_profiled: bool) -> None:
    """Raise UnusablePicture for colors that are far from those of sRGB, unless a profile describes them."""
    if curve in _LOUD_CURVES:
        raise UnusablePicture("A006", f"is an AVIF with colors for bright screens ({_LOUD_CURVES[curve]})", _SAVE)
    if primaries not in _PLAIN_PRIMARIES and not is_profiled:
        raise UnusablePicture("A006", "is an AVIF in wide colors without a profile that describes them", _SAVE)


def _of_picture(data: bytes, meta: _Box) -> list[_Box]:
    """Return the properties of the picture that the file is of, in order."""
    inside = {box.name: box for box in _boxes(data, meta.start + 4, meta.end)}  # behind version and flags
    main, around = inside.get(b"pitm"), inside.get(b"iprp")
    if main is None or around is None:
        return []
    wide = data[main.start] > 0 if main.start < main.end else False  # version 1 has 32 bits for the number of an item
    item = int.from_bytes(data[main.start + 4 : main.start + (8 if wide else 6)])
    listed, known = [], list[_Box]()
    for box in _boxes(data, around.start, around.end):
        if box.name == b"ipco":
            known = list(_boxes(data, box.start, box.end))
        elif box.name == b"ipma":
            listed += _listed(data, box, item)
    return [known[number - 1] for number in listed if 0 < number <= len(known)]


def _listed(data: bytes, box: _Box, item: int) -> list[int]:
    """Return the numbers of an item's properties, from 1 (ISO 23008-12, 9.3.1)."""
    if box.end - box.start < 8:
        return []
    version, flags = data[box.start], data[box.start + 3]
    count, at = int.from_bytes(data[box.start + 4 : box.start + 8]), box.start + 8
    check_count("AVIF", count)
    width, longer = (4 if version else 2), flags & 1
    found: list[int] = []
    for _ in range(count):
        number, of_item = int.from_bytes(data[at : at + width]), data[at + width : at + width + 1]
        at += width + 1
        for _ in range(of_item[0] if of_item else 0):
            value = int.from_bytes(data[at : at + 1 + longer])
            at += 1 + longer
            if number == item:
                found.append(value & (0x7FFF if longer else 0x7F))  # the highest bit says that a reader must know it
        if at > box.end:
            break
    return found


def _boxes(data: bytes, start: int, end: int, *, whole: bool = False) -> Iterator[_Box]:
    """Yield the boxes between two places; UnusablePicture if one ends behind the file, where they are `whole`."""
    count = 0
    while start + 8 <= end:
        length, head = int.from_bytes(data[start : start + 4]), 8
        if length == 1:
            length, head = int.from_bytes(data[start + 8 : start + 16]), 16
        elif length == 0:
            length = end - start
        if whole and start + length > end:
            raise truncated_file("AVIF")
        if length < head:
            return
        yield _Box(data[start + 4 : start + 8], start + head, min(start + length, end))
        start += length
        count += 1
        check_count("AVIF", count)
