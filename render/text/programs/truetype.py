"""TrueType and OpenType programs (ISO/IEC 14496-22): tables by their directory, widths, boxes and character maps."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from functools import partial
from typing import Concatenate, ParamSpec, TypeVar

from render.text.programs import cff
from render.text.programs.program import Box, Program, UnreadableFont

P = ParamSpec("P")
R = TypeVar("R")

_MAX_CODES = 70_000  # of one character map: over the 65,536 of the basic plane; a damaged table could claim billions


def guarded(read: Callable[Concatenate[bytes, P], R]) -> Callable[Concatenate[bytes, P], R]:
    """Turn the errors that damaged bytes cause into UnreadableFont."""

    def wrapped(data: bytes, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return read(data, *args, **kwargs)
        except (struct.error, IndexError, KeyError, ValueError, OverflowError, ZeroDivisionError, RecursionError):
            raise UnreadableFont("it is damaged") from None

    return wrapped


@guarded
def read(data: bytes) -> Program:
    """Return the program of a file of tables; UnreadableFont if it is none. Outlines may be TrueType's or CFF."""
    tables = _tables(data)
    if "CFF " in tables and "glyf" not in tables:
        return cff.read(tables["CFF "])
    head, hhea, hmtx = tables["head"], tables["hhea"], tables["hmtx"]
    units = struct.unpack_from(">H", head, 18)[0] or 1000  # unitsPerEm
    long_places = struct.unpack_from(">h", head, 50)[0] != 0  # indexToLocFormat
    full = struct.unpack_from(">H", hhea, 34)[0]  # numberOfHMetrics
    loca = tables["loca"]
    # numGlyphs, or as many as `loca` has room for: it has one entry more than glyphs, for the end of the last.
    count = min(struct.unpack_from(">H", tables["maxp"], 4)[0], len(loca) // (4 if long_places else 2) - 1)
    if not full or count < 1:
        raise UnreadableFont("it has no glyphs")

    def width(glyph: int) -> float | None:
        at = min(glyph, full - 1) * 4  # glyphs behind the last entry have its width, as in a font of one width
        return struct.unpack_from(">H", hmtx, at)[0] * 1000 / units if at + 2 <= len(hmtx) else None

    def box(glyph: int) -> Box | None:
        start, end = _place(loca, glyph, long_places), _place(loca, glyph + 1, long_places)
        if end <= start or start + 10 > len(tables["glyf"]):  # no outline, as of a space, or outside of the table
            return None
        # Behind numberOfContours: xMin, yMin, xMax, yMax.
        corners = struct.unpack_from(">4h", tables["glyf"], start + 2)
        left, bottom, right, top = (each / units for each in corners)
        return left, bottom, right, top

    return Program(
        count=count,
        width=width,
        box=partial(_safely, box),
        knows_boxes=True,
        names=_names(tables.get("post", b"")),
        maps=_maps(tables),
    )


def _safely(box: Callable[[int], Box | None], glyph: int) -> Box | None:
    try:
        return box(glyph)
    except struct.error:
        return None


def _tables(data: bytes) -> dict[str, bytes]:
    # Of a collection, the first font.
    start = struct.unpack_from(">I", data, 12)[0] if data[:4] == b"ttcf" else 0
    # TrueType of Microsoft and of Apple, CFF outlines, and Type 1 in tables.
    if data[start : start + 4] not in (b"\0\1\0\0", b"true", b"OTTO", b"typ1"):
        raise UnreadableFont("it is no TrueType font")
    found = {}
    for number in range(min(struct.unpack_from(">H", data, start + 4)[0], 64)):
        # Behind the header of 12 bytes: tag, checksum, offset, length.
        tag, _, offset, length = struct.unpack_from(">4sIII", data, start + 12 + 16 * number)
        found[tag.decode("latin-1")] = data[offset : offset + length]
    return found


def _place(loca: bytes, glyph: int, long_places: bool) -> int:
    if long_places:
        return int(struct.unpack_from(">I", loca, 4 * glyph)[0])
    return 2 * int(struct.unpack_from(">H", loca, 2 * glyph)[0])  # short entries count in words


def _names(post: bytes) -> Mapping[str, int]:
    """Return glyphs by the names that a `post` table of version 2 adds to Apple's standard order of 258."""
    if len(post) < 34 or post[:4] != b"\0\2\0\0":
        return {}
    count = struct.unpack_from(">H", post, 32)[0]
    numbers = struct.unpack_from(f">{count}H", post, 34)
    words: list[str] = []
    at = 34 + 2 * count
    while at < len(post) and len(words) < _MAX_CODES:
        # Pascal strings: a byte of length, then the name.
        words.append(post[at + 1 : at + 1 + post[at]].decode("latin-1"))
        at += 1 + post[at]
    return {words[number - 258]: glyph for glyph, number in enumerate(numbers) if 258 <= number < 258 + len(words)}


def _maps(tables: Mapping[str, bytes]) -> dict[tuple[int, int], Mapping[int, int]]:
    cmap = tables.get("cmap", b"")
    found = {}
    if len(cmap) >= 4:
        for number in range(min(struct.unpack_from(">H", cmap, 2)[0], 16)):
            # Other encodings stay usable if one map is damaged.
            platform, encoding, offset = struct.unpack_from(">HHI", cmap, 4 + 8 * number)
            try:
                found[platform, encoding] = _map(cmap, offset)
            except (struct.error, IndexError):
                continue
    return found


def _map(cmap: bytes, at: int) -> Mapping[int, int]:
    kind = struct.unpack_from(">H", cmap, at)[0]
    if kind == 0:  # one byte for each code
        return {code: glyph for code, glyph in enumerate(cmap[at + 6 : at + 262]) if glyph}
    if kind == 6:  # one range of codes
        first, count = struct.unpack_from(">HH", cmap, at + 6)
        return {first + k: glyph for k, glyph in enumerate(struct.unpack_from(f">{count}H", cmap, at + 10)) if glyph}
    if kind == 4:  # segments of 16-bit codes
        return _map_of_segments(cmap, at)
    if kind == 12:  # groups of 32-bit codes
        made: dict[int, int] = {}
        for number in range(min(struct.unpack_from(">I", cmap, at + 12)[0], 10_000)):
            first, last, glyph = struct.unpack_from(">III", cmap, at + 16 + 12 * number)
            for code in range(first, min(last + 1, first + _MAX_CODES - len(made))):
                made[code] = glyph + code - first
        return made
    return {}


def _map_of_segments(cmap: bytes, at: int) -> Mapping[int, int]:
    count = struct.unpack_from(">H", cmap, at + 6)[0] // 2  # segCountX2
    ends = struct.unpack_from(f">{count}H", cmap, at + 14)
    # 16, since two bytes of padding follow the ends.
    starts = struct.unpack_from(f">{count}H", cmap, at + 16 + 2 * count)
    deltas = struct.unpack_from(f">{count}H", cmap, at + 16 + 4 * count)
    offsets_at = at + 16 + 6 * count
    offsets = struct.unpack_from(f">{count}H", cmap, offsets_at)
    made: dict[int, int] = {}
    for k in range(count):
        # The last segment ends with 0xFFFF, which is no character.
        for code in range(starts[k], min(ends[k], 0xFFFE) + 1):
            if len(made) > _MAX_CODES:
                return made
            glyph = code
            if offsets[k]:
                # IdRangeOffset counts from its own place in the table.
                place = offsets_at + 2 * k + offsets[k] + 2 * (code - starts[k])
                if place + 2 > len(cmap):
                    continue
                glyph = struct.unpack_from(">H", cmap, place)[0]
                if not glyph:
                    continue
            if chosen := (glyph + deltas[k]) & 0xFFFF:  # idDelta is added modulo 65,536
                made[code] = chosen
    return made
