"""Fonts of a PDF: the glyph of each code of a text, its width by the file and by the font program, and what is wrong."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import count
from typing import NamedTuple

import pikepdf
from pikepdf import Dictionary, Name, Stream

from render.base.findings import Diagnostic
from render.base.patterns import regex
from render.pdf.reading.values import as_array, as_dictionary, as_integer, as_name, as_number, as_numbers, read_widths
from render.shops.preflight.rules import Rules
from render.text.font_programs import (
    Box,
    CutFont,
    Program,
    UnreadableFont,
    character,
    encoding,
    read_cff,
    read_sfnt,
    read_type1,
)

_FILES = ("/FontFile", "/FontFile2", "/FontFile3")  # Type 1, TrueType, and CFF or OpenType (ISO 32000-1, table 126)
_SYMBOLIC, _NONSYMBOLIC = 4, 32  # flags of a font descriptor (ISO 32000-1, table 123)
_SIMPLE = ("Type1", "MMType1", "TrueType")
_AGREES = 1.01  # thousandths of an em: 1 for rounding (ISO 19005-2, 6.2.11.5), the rest for that of the comparison
# The character maps that every reader has (ISO 32000-1, table 118).
_PREDEFINED = {"H", "V"} | {
    f"{name}-{way}"
    for way in "HV"
    for name in (
        "Identity GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K UniGB-UCS2 UniGB-UTF16 B5pc HKscs-B5 ETen-B5 ETenms-B5 CNS-EUC"
        " UniCNS-UCS2 UniCNS-UTF16 83pv-RKSJ 90ms-RKSJ 90msp-RKSJ 90pv-RKSJ Add-RKSJ EUC Ext-RKSJ UniJIS-UCS2"
        " UniJIS-UCS2-HW UniJIS-UTF16 KSC-EUC KSCms-UHC KSCms-UHC-HW KSCpc-EUC UniKS-UCS2 UniKS-UTF16"
    ).split()
}


class Glyph(NamedTuple):
    """A character of a text: its code, its width by the file in em, and its ink in em, None if it has none.

    `number` is that of its glyph: None if it is unknown, 0 if it is the missing glyph.
    """

    code: int
    width: float
    number: int | None
    box: Box | None


class Font:
    """A font as texts use it, with the codes that are shown, and the pages on which they are."""

    def __init__(self, source: Dictionary) -> None:
        self.source = source
        self.kind = as_name(source.get("/Subtype"))
        # Without the tag of a subset (9.6.4).
        self.name = re.sub(r"^[A-Z]{6}\+", "", as_name(source.get("/BaseFont")) or "without a name")
        self.is_composite = self.kind == "Type0"
        descendants = as_array(source.get("/DescendantFonts"))
        self.descendant = as_dictionary(next(iter(descendants), None)) if self.is_composite else source
        self.descriptor = as_dictionary(self.descendant.get("/FontDescriptor"))
        self.is_vertical = self.is_composite and as_name(source.get("/Encoding")) == "Identity-V"
        self.shown: dict[int, Glyph] = {}
        self._noted = set[tuple[int, ...]]()
        self.pages: list[int] = []
        # The factor from widths to em: 0.001, but for Type 3 fonts, which have a space of their own.
        matrix = as_numbers(source.get("/FontMatrix"), 6) if self.kind == "Type3" else []
        self._unit = matrix[0] if matrix else 0.001
        self.file = next((key for key in _FILES if isinstance(self.descriptor.get(key), Stream)), "")
        self.is_cut = False
        self.program = self._read_program() if self.file else None
        self._code_length, self._cids = self._read_codes() if self.is_composite else (1, None)
        places = self.descendant.get("/CIDToGIDMap")
        self._places = places.read_bytes() if self.is_composite and isinstance(places, Stream) else None

    def glyphs(self, text: bytes) -> Iterator[Glyph]:
        """Yield the glyphs of a string of a text, and remember them; none where codes cannot be read."""
        self.note([text])
        length = self._code_length
        for at in range(0, len(text) - length + 1, length) if length else ():
            yield self.shown[int.from_bytes(text[at : at + length])]

    def note(self, strings: Iterable[bytes]) -> None:
        """Remember the glyphs of strings."""
        length = self._code_length
        whole = b"".join(text[: len(text) - len(text) % length] for text in strings) if length else b""
        codes = set(zip(*(whole[at::length] for at in range(length)), strict=True))
        for code in map(int.from_bytes, codes - self._noted):
            self.shown[code] = self._glyph(code)
        self._noted |= codes

    def _glyph(self, code: int) -> Glyph:
        if self.is_composite:
            cid = code if self._cids is None else self._cids.get(code, 0)
            number, width = self._glyph_of_cid(cid), self._width_of_cid(cid)
        else:
            number = self._glyph_of_truetype(code) if self.kind == "TrueType" else self._glyph_by_name(code)
            width = self._width_of_code(code, number)
        width *= self._unit
        box: Box | None = None
        if self.program and self.program.knows_boxes and number is not None:
            box = self.program.box(number)
        elif width > 0 and (self.is_composite or code != 32):  # an estimate, if the program does not tell
            box = 0.05, 0.0, max(width - 0.05, 0.1), 0.7
        return Glyph(code, width, number, box)

    # --- the program, and how its codes are read -----

    def _read_program(self) -> Program | None:
        """Return the font program; None if it cannot be read."""
        file = self.descriptor[self.file]
        assert isinstance(file, Stream)
        try:
            data = file.read_bytes()
            self.is_cut = _is_cut(data, file)
            if self.file == "/FontFile":
                return read_type1(data)
            is_truetype = self.file == "/FontFile2" or as_name(file.get("/Subtype")) == "OpenType"
            return read_sfnt(data) if is_truetype or data[:4] in (b"OTTO", b"\0\1\0\0") else read_cff(data)
        except CutFont:
            self.is_cut = True
        except (UnreadableFont, pikepdf.PdfError):
            pass
        return None

    def _read_codes(self) -> tuple[int, dict[int, int] | None]:
        """Return how many bytes a code has, 0 if that is unknown, and character ids by code, None if they are the same.

        Without its map in the file (9.7.5.4), the codes of a composite font are not read.
        """
        encoded = self.source.get("/Encoding")
        if as_name(encoded) in ("Identity-H", "Identity-V"):
            return 2, None
        if not isinstance(encoded, Stream) or encoded.get("/UseCMap") is not None:
            return 0, None
        lengths, cids = set[int](), dict[int, int]()
        for kind, body in _RANGES.findall(encoded.read_bytes()):
            for first, last, target in _CODE.findall(body):
                if kind == b"codespacerange":
                    lengths.add(len(re.sub(rb"\s", b"", first)) // 2)
                    continue
                low, high = int(first, 16), int(last or first, 16)
                cids.update(zip(range(low, high + 1), count(int(target or 0))))
        return (lengths.pop(), cids) if len(lengths) == 1 else (0, None)

    # --- widths -----

    @cached_property
    def _cid_widths(self) -> dict[int, float]:
        return read_widths(self.descendant.get("/W"))

    def _width_of_cid(self, cid: int) -> float:
        usual = as_number(self.descendant.get("/DW"), 1000.0)  # DW is 1000 unless given (ISO 32000-1, table 117)
        width = self._cid_widths.get(cid, usual)
        return 0.0 if math.isnan(width) else width

    def _width_of_code(self, code: int, glyph: int | None) -> float:
        widths, first = as_array(self.source.get("/Widths")), as_integer(self.source.get("/FirstChar"))
        missing = as_number(self.descriptor.get("/MissingWidth"), 0.0)
        if not widths and self.program:
            return (self.program.width(glyph) if glyph is not None else None) or missing
        return as_number(widths[code - first], 0.0) if 0 <= code - first < len(widths) else missing

    # --- which glyph -----

    def _glyph_of_cid(self, cid: int) -> int | None:
        if self.program is None or self._code_length == 0:
            return None
        is_truetype = as_name(self.descendant.get("/Subtype")) == "CIDFontType2"
        if is_truetype and self._places is not None:
            return int.from_bytes(self._places[2 * cid : 2 * cid + 2])  # two bytes for each character id (table 117)
        if is_truetype or self.program.cids is None:  # character ids are glyph numbers
            return cid if cid < self.program.count else 0
        return self.program.cids.get(cid, 0)

    def _glyph_by_name(self, code: int) -> int | None:
        if self.program is None or not self.program.names:
            return None
        return self.program.names.get(self._names.get(code, ".notdef"), 0)

    def _glyph_of_truetype(self, code: int) -> int | None:
        maps = self.program.maps if self.program else {}
        if self.program is None or not maps:
            return None
        has_encoding = self.source.get("/Encoding") is not None
        mac = maps.get((1, 0), {})
        # ISO 32000-1, 9.6.6.4: by names through Unicode or Mac Roman, else by codes, to which symbol fonts add 0xF000.
        if has_encoding and not (self.flags & _SYMBOLIC and (3, 0) in maps):
            name = self._names.get(code)
            if name is None:
                return 0
            unicode_map, meant = maps.get((3, 1)) or maps.get((0, 3)) or {}, character(name)
            glyph = unicode_map.get(meant, 0) if meant is not None else 0
            mac_codes = (at for at, other in encoding("MacRomanEncoding").items() if other == name)
            return glyph or self.program.names.get(name) or mac.get(next(mac_codes, code), 0)
        own = maps.get((3, 0), {})
        glyph = next((own[base + code] for base in (0, 0xF000, 0xF100, 0xF200) if base + code in own), 0)
        return glyph or mac.get(code, 0) or (maps.get((3, 1), {}).get(code, 0) if not own else 0)

    @property
    def flags(self) -> int:
        return as_integer(self.descriptor.get("/Flags"))

    @property
    def base_encoding(self) -> str:
        said = self.source.get("/Encoding")
        return as_name(said) if isinstance(said, Name) else as_name(as_dictionary(said).get("/BaseEncoding"))

    @cached_property
    def _names(self) -> dict[int, str]:
        """The glyph names by code, from the file's encoding or the font's own."""
        own = dict(self.program.codes) if self.program else {}
        names = encoding(self.base_encoding) if self.base_encoding else own
        if not names and self.kind == "TrueType":  # 9.6.6.4
            names = encoding("StandardEncoding")
        at = 0
        # A number begins a run of names for the codes from there on (table 114).
        for part in as_array(as_dictionary(self.source.get("/Encoding")).get("/Differences")):
            if isinstance(part, Name):
                names[at] = as_name(part)
                at += 1
            else:
                at = as_integer(part)
        return names


_RANGES = regex(rb"begin(cidrange|cidchar|codespacerange)(.*?)end(?:cidrange|cidchar|codespacerange)", re.DOTALL)
# Hexadecimal codes of a CMap (9.7.5.4): first, last and the id of the first.
_CODE = regex(rb"<([0-9A-Fa-f\s]+)>\s*(?:<([0-9A-Fa-f\s]+)>\s*)?(\d+)?")


def _is_cut(data: bytes, file: Stream) -> bool:
    """Return whether a font program ends before its last table, or before its encrypted part ends."""
    if data[:4] in (b"\0\1\0\0", b"true", b"OTTO"):
        # Behind a header of 12 bytes, 16 for each table, of which the last 8 are its offset and length.
        entries = (data[at : at + 16] for at in range(12, 12 + 16 * int.from_bytes(data[4:6]), 16))
        return any(int.from_bytes(one[8:12]) + int.from_bytes(one[12:]) > len(data) or len(one) < 16 for one in entries)
    is_type1 = data[:2] == b"%!"
    return not data or (
        is_type1 and as_integer(file.get("/Length1")) + as_integer(file.get("/Length2")) > len(data)
    )  # table 127


# --- what is wrong --------------------------------------------------------------------------------------------------


def judge_font(font: Font, rules: Rules) -> Iterator[Diagnostic]:
    """Yield what is wrong with a font, used or not."""
    if font.kind == "Type3":  # its glyphs are content streams in the file
        return
    if not font.file:
        yield from rules("font", "elsewhere" if font.shown else "unused", font.name)
    elif font.is_cut:
        yield from rules("font", "cut off", font.name)
    elif font.program is None:
        yield from rules("font", "unread", font.name)
    else:
        missing = [f"{glyph.code:#x}" for glyph in sorted(font.shown.values()) if glyph.number == 0]
        if missing:
            for key in ("missing", "lost"):
                yield from rules("font", key, font.name, ", ".join(missing[:3]))
        yield from _judge_widths(font, font.program, rules)
        yield from _judge_composite(font, rules) if font.is_composite else _judge_truetype(font, font.program, rules)


def _judge_widths(font: Font, program: Program, rules: Rules) -> Iterator[Diagnostic]:
    if font.kind in _SIMPLE and not as_array(font.source.get("/Widths")):
        yield from rules("font", "no widths", font.name)
        return
    for glyph in sorted(font.shown.values()):
        own = program.width(glyph.number) if glyph.number else None
        if own is not None and abs(own - glyph.width * 1000) > _AGREES:
            yield from rules("font", "widths", font.name, glyph.code, own, glyph.width * 1000)
            return


def _judge_composite(font: Font, rules: Rules) -> Iterator[Diagnostic]:
    """Judge how codes become glyphs (ISO 19005-2, 6.2.11.3)."""
    places = font.descendant.get("/CIDToGIDMap")
    is_truetype = as_name(font.descendant.get("/Subtype")) == "CIDFontType2"
    if is_truetype and not (isinstance(places, Stream) or places == Name.Identity):
        yield from rules("font", "no glyph map", font.name)
    encoded = font.source.get("/Encoding")
    if isinstance(encoded, Stream):
        if encoded.get("/WMode", 0) not in (0, 1):
            yield from rules("font", "no direction", font.name)
    elif as_name(encoded) not in _PREDEFINED:
        yield from rules("font", "no map", font.name, as_name(encoded))


def _judge_truetype(font: Font, program: Program, rules: Rules) -> Iterator[Diagnostic]:
    """Judge whether the encoding of a TrueType font means the same everywhere (ISO 19005-2, 6.2.11.6)."""
    encoded, is_symbolic = font.source.get("/Encoding"), bool(font.flags & _SYMBOLIC)
    if font.kind != "TrueType" or is_symbolic == bool(font.flags & _NONSYMBOLIC):
        return
    if is_symbolic:
        if encoded is not None:
            yield from rules("font", "symbolic", font.name)
        # Platform 3, encoding 0 is the map of a symbolic font, and encoding 1 that of Unicode.
        elif program.maps and len(program.maps) != 1 and (3, 0) not in program.maps:
            yield from rules("font", "no symbols", font.name)
        return
    if font.base_encoding not in ("WinAnsiEncoding", "MacRomanEncoding"):
        yield from rules("font", "encoding", font.name)
    names = [as_name(part) for part in as_array(as_dictionary(encoded).get("/Differences")) if isinstance(part, Name)]
    if (3, 1) not in program.maps and any(character(name) is None for name in names if name != ".notdef"):
        yield from rules("font", "names", font.name)
