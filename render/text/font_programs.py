"""Font programs that are embedded in a PDF, as values: TrueType, OpenType, CFF and Type 1; and names of glyphs.

HarfBuzz reads tables as the readers of PDF files do, whatever else of a font is missing or damaged. fontTools reads
what has no tables, and character maps one by one. Whoever calls this for files of other people does it under the guard.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial, wraps
from io import BytesIO
from typing import Any

import uharfbuzz as hb
from fontTools import agl
from fontTools.cffLib import CFFFontSet, parseCharset, parseCharset0
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.misc import eexec
from fontTools.misc.psCharStrings import T1CharString, T2WidthExtractor
from fontTools.ttLib import TTFont
from msgspec import Struct, field

from render.base.patterns import regex

Box = tuple[float, float, float, float]
"""Left, bottom, right and top of a glyph's ink, in em; y points up."""


class UnreadableFont(ValueError):
    """A font program is damaged, or not of the kind that it should be."""


class CutFont(UnreadableFont):
    """A font program ends before something that it refers to."""


class Program(Struct, frozen=True, kw_only=True, eq=False):
    """A font program of `count` glyphs, numbered from 0, which is the missing glyph (.notdef).

    `width` returns a glyph's width in thousandths of an em, `box` its ink; both return None if it has none or it is
    unknown. `names` maps names to glyphs, `codes` codes of the font's own encoding to names, `maps` a platform and
    encoding to a character map. `cids` maps the character ids of a CID font to glyphs; None if they are the same.
    `matrices` are those by which a compact font's outlines are drawn, where it gives any.
    """

    count: int
    width: Callable[[int], float | None]
    box: Callable[[int], Box | None] = lambda _: None
    knows_boxes: bool = False
    names: Mapping[str, int] = field(default_factory=dict)
    codes: Mapping[int, str] = field(default_factory=dict)
    maps: Mapping[tuple[int, int], Mapping[int, int]] = field(default_factory=dict)
    cids: Mapping[int, int] | None = None
    matrices: tuple[tuple[float, ...], ...] = ()


def _reader(read: Callable[[bytes], Program]) -> Callable[[bytes], Program]:
    """Turn what a library raises over damaged bytes into UnreadableFont."""

    @wraps(read)
    def reader(data: bytes) -> Program:
        try:
            return read(data)
        except (UnreadableFont, MemoryError):
            raise
        except Exception:
            raise UnreadableFont("it is damaged") from None

    return reader


# --- TrueType and OpenType ------------------------------------------------------------------------------------------


@_reader
def read_sfnt(data: bytes) -> Program:
    """Return the program of a file of tables; UnreadableFont if it is none. Outlines may be TrueType's or CFF."""
    if data[:4] not in (b"\0\1\0\0", b"true", b"OTTO", b"typ1", b"ttcf"):
        raise UnreadableFont("it is no TrueType font")
    face = hb.Face(hb.Blob(data))
    if "CFF " in face.table_tags and "glyf" not in face.table_tags:
        return read_cff(bytes(face.reference_table("CFF ").data))
    font, em, count = hb.Font(face), face.upem, face.glyph_count
    if not count or not {"head", "hhea", "maxp", "hmtx", "loca", "glyf"} <= {*face.table_tags}:
        raise UnreadableFont("it has no glyphs")

    def box(glyph: int) -> Box | None:
        ink = font.get_glyph_extents(glyph)
        if ink is None or not (ink.width or ink.height):  # no outline, as of a space
            return None
        left, top = ink.x_bearing, ink.y_bearing
        return left / em, (top + ink.height) / em, (left + ink.width) / em, top / em

    return Program(
        count=count,
        width=lambda glyph: font.get_glyph_h_advance(glyph) * 1000 / em,
        box=box,
        knows_boxes=True,
        names={name: glyph for glyph in reversed(range(count)) if (name := font.get_glyph_name(glyph))},
        maps=_character_maps(data),
    )


def _character_maps(data: bytes) -> dict[tuple[int, int], Mapping[int, int]]:
    font = TTFont(BytesIO(data), fontNumber=0, lazy=True)
    font.setGlyphOrder(_names())
    maps: dict[tuple[int, int], Mapping[int, int]] = {}
    for table in font["cmap"].tables if "cmap" in font else ():
        with suppress(Exception):  # others stay usable if one is damaged
            glyphs = {code: int(name) for code, name in table.cmap.items()}
            maps[table.platformID, table.platEncID] = {code: glyph for code, glyph in glyphs.items() if glyph}
    return maps


@cache
def _names() -> list[str]:
    """Return names of glyphs that are their numbers, whatever those of a font are: as many as any has."""
    return [str(number) for number in range(0x10000)]


# --- compact fonts (CFF, Adobe Technical Note 5176) -----------------------------------------------------------------


@_reader
def read_cff(data: bytes) -> Program:
    """Return the program; UnreadableFont if it is damaged or no CFF font, CutFont if its end is missing."""
    if len(data) < 4 or data[0] != 1:  # the major version; later ones are CFF2, which has no names
        raise UnreadableFont("it is no CFF font")
    fonts = CFFFontSet()
    try:
        fonts.decompile(BytesIO(data), None, isCFF2=False)
        top = fonts[0]
        _read_charset(top)
        glyphs, inner = top.CharStrings.charStringsIndex, list(top.FDArray) if "FDArray" in top.rawDict else []
        privates = [each.Private for each in (top, *inner) if "Private" in each.rawDict]
    except (AssertionError, struct.error):  # what an index raises that ends too soon
        raise CutFont("its end is missing") from None
    offsets = [top.rawDict.get(name, 0) for name in ("charset", "Encoding", "FDSelect")]
    ends = [sum(each.rawDict["Private"]) for each in (top, *inner) if "Private" in each.rawDict]
    indices = [glyphs, *(private.Subrs for private in privates if hasattr(private, "Subrs"))]
    ends += [index.offsetBase + index.offsets[-1] for index in indices if index.offsets]
    if max(offsets) >= len(data) or max(ends, default=0) > len(data):
        raise CutFont("its end is missing")
    matrices = tuple(tuple(each.rawDict["FontMatrix"]) for each in (top, *inner) if "FontMatrix" in each.rawDict)
    width = partial(_cff_width, fonts, top, inner)
    if hasattr(top, "ROS"):  # a font of character collections, whose glyphs are called `cid00123`
        # The first is `.notdef`, which has the number 0.
        cids = {int(name[3:]) if glyph else 0: glyph for glyph, name in enumerate(top.charset)} if top.charset else None
        return Program(count=len(glyphs), width=width, cids=cids, matrices=matrices)
    codes = StandardEncoding if top.Encoding == "StandardEncoding" else top.Encoding
    return Program(
        count=len(glyphs),
        width=width,
        names={name: glyph for glyph, name in reversed([*enumerate(top.charset)])},  # of two with one name, the first
        # Nobody encodes card text by the predefined encoding for experts.
        codes={} if codes == "ExpertEncoding" else _by_code(codes),
        matrices=matrices,
    )


def _read_charset(top: Any) -> None:
    """Read the names of glyphs as they stand: fontTools makes them differ, which takes hours for a hostile font."""
    place = top.rawDict.get("charset", 0)
    if place > 2:  # none of the predefined ones
        top.file.seek(place)
        kind, is_cid = top.file.read(1), hasattr(top, "ROS")
        if kind == b"\0":
            names = parseCharset0(top.numGlyphs, top.file, top.strings, is_cid)
        else:
            names = parseCharset(top.numGlyphs, top.file, top.strings, is_cid, ord(kind))
        top.charset = names[: top.numGlyphs]


def _cff_width(fonts: CFFFontSet, top: Any, inner: list[Any], glyph: int) -> float | None:
    glyphs = top.CharStrings.charStringsIndex
    if not 0 <= glyph < len(glyphs):
        return None
    try:
        of_glyph = inner[top.FDSelect[glyph]] if inner else top
        private = of_glyph.Private
        subroutines = getattr(private, "Subrs", [])
        width = T2WidthExtractor(subroutines, fonts.GlobalSubrs, private.nominalWidthX, private.defaultWidthX)
        width.execute(glyphs[glyph])
    except Exception:
        return None
    # The FontMatrix, which maps to 1 em, is that of the whole font, or each inner font has its own.
    matrix = (top if "FontMatrix" in top.rawDict else of_glyph).rawDict.get("FontMatrix") or [0.001]
    return float(width.width if width.gotWidth else private.defaultWidthX) * (matrix[0] or 0.001) * 1000


# --- Type 1 (Adobe Type 1 Font Format) ------------------------------------------------------------------------------

# `/name length RD bytes`: the operator that reads the bytes is called `RD` or `-|` by custom.
_GLYPH = regex(rb"/([^\s/{}\[\]()<>]+)\s+(\d{1,5})\s+(?:RD|-\||\S{1,4})\s")
_CODE = regex(rb"dup\s+(\d{1,3})\s*/([^\s/{}\[\]()<>]+)\s+put")
_LARGEST = 4 << 20  # bytes: decryption goes byte by byte, and no Latin font is as large
_EEXEC, _CHARSTRING = 55665, 4330  # keys of decryption (7.2 and 7.3)


@_reader
def read_type1(data: bytes) -> Program:
    """Return the program; UnreadableFont if it is none. Its clear part ends with `eexec`.

    fontTools runs such a program, which takes long and needs all that a PDF may leave out; this looks for its glyphs.
    """
    data = _without_headers(data)
    start = data.find(b"eexec")
    if start < 0 or len(data) > _LARGEST:
        raise UnreadableFont("it is no Type 1 font")
    clear, hidden = data[:start], data[start + 5 :].lstrip(b" \t\r\n")
    # The encrypted part may be written in hexadecimal digits; a binary one never begins with four of them (7.2).
    if re.fullmatch(rb"[0-9A-Fa-f\s]{8}", hidden[:8]):
        digits = re.sub(rb"[^0-9A-Fa-f]", b"", hidden)
        hidden = bytes.fromhex(digits[: len(digits) // 2 * 2].decode("ascii"))
    private: bytes = eexec.decrypt(hidden, _EEXEC)[0][4:]  # four random bytes come first
    glyphs: dict[str, bytes] = {}
    at = private.find(b"/CharStrings") + 12
    while at >= 12 and (match := _GLYPH.search(private, at)) is not None:
        at = match.end() + int(match[2])
        glyphs.setdefault(match[1].decode("latin-1"), private[match.end() : at])
    if not glyphs:
        raise UnreadableFont("it has no glyphs")
    # LenIV: random bytes before each charstring, 4 unless given, none encrypted if negative.
    random = re.search(rb"/lenIV\s+(-?\d{1,3})", private)
    matrix = re.search(rb"/FontMatrix\s*\[\s*([0-9.eE+-]+)", clear)
    # Glyphs have no numbers here: their order is that of CharStrings behind .notdef.
    order = [".notdef", *(name for name in glyphs if name != ".notdef")]
    is_standard = re.search(rb"/Encoding\s+StandardEncoding", clear) is not None
    return Program(
        count=len(order),
        width=partial(_type1_width, glyphs, order, int(random[1]) if random else 4, float(matrix[1]) if matrix else 0),
        names={name: glyph for glyph, name in enumerate(order) if name in glyphs},
        codes=_by_code(StandardEncoding)
        if is_standard
        else {int(code): name.decode("latin-1") for code, name in _CODE.findall(clear)},
    )


def _type1_width(glyphs: Mapping[str, bytes], order: list[str], random: int, scale: float, glyph: int) -> float | None:
    """Return the width that `hsbw` or `sbw` gives at the start of a charstring (6.4)."""
    code = glyphs.get(order[glyph]) if 0 <= glyph < len(order) else None
    if code is None:
        return None
    charstring = T1CharString(code if random < 0 else eexec.decrypt(code, _CHARSTRING)[0][random:])
    stack: list[float] = []
    try:
        charstring.decompile()
    except Exception:
        return None
    for token in charstring.program:
        if not isinstance(token, str):
            stack.append(token)
        elif token == "div" and len(stack) >= 2 and stack[-1]:  # by which widths become fractions
            divisor = stack.pop()
            stack.append(stack.pop() / divisor)
        else:
            place = {"hsbw": 1, "sbw": 2}.get(token, len(stack))
            return stack[place] * (scale * 1000 or 1) if place < len(stack) else None
    return None


def _without_headers(data: bytes) -> bytes:
    """Return the font without the segment headers of a PFB file: 0x80, type 1 (text) or 2 (binary), length."""
    made, at = b"", 0
    while data[at : at + 1] == b"\x80" and data[at + 1 : at + 2] in (b"\1", b"\2"):
        length = int.from_bytes(data[at + 2 : at + 6], "little")
        made += data[at + 6 : at + 6 + length]
        at += 6 + length
    return made or data


# --- names of glyphs ------------------------------------------------------------------------------------------------

_NAMES = {**agl.UV2AGL, 0xB2: "twosuperior", 0xB3: "threesuperior", 0xB9: "onesuperior"}


def _by_code(names: list[str]) -> dict[int, str]:
    return {code: name for code, name in enumerate(names) if name != ".notdef"}


def encoding(name: str) -> dict[int, str]:
    """Return the names of glyphs by code in one of PDF's encodings (ISO 32000-1, Annex D); {} for an unknown one."""
    if name == "StandardEncoding":
        return _by_code(StandardEncoding)
    # Python's codecs agree with PDF's tables but for the codes added below.
    codec = {"WinAnsiEncoding": "cp1252", "MacRomanEncoding": "mac_roman"}.get(name)
    if codec is None:
        return {}
    letters = {code: bytes([code]).decode(codec, "ignore") for code in range(32, 256)}
    names = {code: _NAMES[ord(letter)] for code, letter in letters.items() if letter and ord(letter) in _NAMES}
    if codec == "cp1252":
        # The no-break space and the soft hyphen; codes over 126 without a glyph are bullets (notes to table D.2).
        names = {**dict.fromkeys(range(0x7F, 256), "bullet"), 0xA0: "space", 0xAD: "hyphen", **names}
    return names


def character(name: str) -> int | None:
    """Return the character that a glyph's name stands for by the Adobe Glyph List; None if it is unknown or several."""
    text = agl.toUnicode(name)
    return ord(text) if len(text) == 1 else None
