"""Fonts of a PDF: the glyph of each code of a text, and its width by the file and by the font program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Dictionary, Name, Object, Stream

from render.shops.preflight.objects.reading import (
    Effort,
    TooLarge,
    as_array,
    as_dictionary,
    as_entries,
    as_integer,
    as_name,
    as_number,
    as_numbers,
    unpack_stream,
)
from render.text.programs import cff, truetype, type1
from render.text.programs.glyph_names import character, encoding
from render.text.programs.program import Box, Program, UnreadableFont

FILES = ("/FontFile", "/FontFile2", "/FontFile3")  # Type 1, TrueType, and CFF or OpenType (ISO 32000-1, table 126)
_READERS = {"/FontFile": type1.read, "/FontFile2": truetype.read}
_SYMBOLIC, _NONSYMBOLIC = 4, 32
_IDENTITY = ("Identity-H", "Identity-V")


@dataclass(frozen=True, slots=True)
class ShownGlyph:
    """A character of a text: its code, its width by the file in thousandths of an em, and its glyph.

    The glyph is None if it is unknown, and 0 if it is the missing glyph.
    """

    code: int
    width: float
    glyph: int | None
    is_space: bool


@dataclass(slots=True, kw_only=True, eq=False)
class UsedFont:
    """A font as texts use it, with the codes shown and the pages on which they are.

    `is_damaged` says that its program exists but cannot be read, `is_cut` that its end is missing. `vertical` text runs down the page.
    """

    name: str
    kind: str
    source: Dictionary
    descendant: Dictionary
    descriptor: Dictionary
    program: Program | None = None
    is_damaged: bool = False
    is_cut: bool = False
    vertical: bool = False
    used: dict[int, ShownGlyph] = field(default_factory=dict)
    pages: dict[int, None] = field(default_factory=dict)
    _names: dict[int, str] | None = None
    _widths: dict[int, float] | None = None
    _ranges: list[tuple[int, int, float]] = field(default_factory=list)
    _places: bytes | None = None
    _length: int = 1
    _cids: dict[int, int] | None = None

    @property
    def is_composite(self) -> bool:
        return self.kind == "Type0"

    @property
    def is_embedded(self) -> bool:
        return self.kind == "Type3" or any(isinstance(self.descriptor.get(key), Stream) for key in FILES)

    @property
    def flags(self) -> int:
        return as_integer(self.descriptor.get("/Flags"))

    @property
    def unit(self) -> float:
        """The factor from widths to em: 0.001, but for Type 3 fonts, which have a space of their own."""
        matrix = as_numbers(self.source.get("/FontMatrix"), 6) if self.kind == "Type3" else []
        return matrix[0] if matrix else 0.001

    def box(self, shown: ShownGlyph) -> Box | None:
        """Return the box of a character's ink in em; an estimate if the program does not tell."""
        if self.program and self.program.knows_boxes and shown.glyph is not None:
            return self.program.box(shown.glyph)
        if shown.is_space or shown.width <= 0:
            return None
        return 0.05, 0.0, max(shown.width * self.unit - 0.05, 0.1), 0.7

    def shown(self, data: bytes) -> Iterator[ShownGlyph]:
        """Yield the characters of a string of a text, and remember them."""
        if self._length == 0:
            return
        for at in range(0, len(data) - self._length + 1, self._length):
            code = int.from_bytes(data[at : at + self._length])
            known = self.used.get(code)
            if known is None:
                known = self.used[code] = self._character(code)
            yield known

    def _character(self, code: int) -> ShownGlyph:
        if self.is_composite:
            cid = code if self._cids is None else self._cids.get(code, 0)
            return ShownGlyph(code, self.width_of_cid(cid), self._glyph_of_cid(cid), False)
        return ShownGlyph(code, self._simple_width(code), self._glyph(code), code == 32)

    def width_of_cid(self, cid: int) -> float:
        if self._widths is None:
            self._read_widths()
        assert self._widths is not None
        if cid in self._widths:
            return self._widths[cid]
        usual = as_number(self.descendant.get("/DW"), 1000.0)  # DW is 1000 unless given (ISO 32000-1, table 117)
        return next((width for first, last, width in self._ranges if first <= cid <= last), usual)

    def _read_widths(self) -> None:
        self._widths, self._ranges = {}, []
        # W has two forms: `first [w w w]` and `first last w` (9.7.4.3).
        parts, at = as_array(self.descendant.get("/W")), 0
        while at + 1 < len(parts):
            first = as_integer(parts[at])
            listed = as_array(parts[at + 1])
            if listed:
                self._widths |= {first + k: as_number(width, 0.0) for k, width in enumerate(listed)}
                at += 2
            elif at + 2 < len(parts):
                self._ranges.append((first, as_integer(parts[at + 1]), as_number(parts[at + 2], 0.0)))
                at += 3
            else:
                break

    def _simple_width(self, code: int) -> float:
        if self._widths is None:
            first = as_integer(self.source.get("/FirstChar"))
            self._widths = {
                first + k: as_number(one, 0.0) for k, one in enumerate(as_array(self.source.get("/Widths")))
            }
        missing = as_number(self.descriptor.get("/MissingWidth"), 0.0)
        found = self._widths.get(code)
        if found is None and not self._widths and self.program:
            glyph = self._glyph(code)
            return (self.program.width(glyph) if glyph is not None else None) or missing
        return missing if found is None else found

    # --- which glyph -----

    def _glyph_of_cid(self, cid: int) -> int | None:
        if self.program is None or self._length == 0:
            return None
        if as_name(self.descendant.get("/Subtype")) == "CIDFontType2":
            if self._places is None:  # without a CIDToGIDMap, character ids are glyph numbers
                return cid if cid < self.program.count else 0
            return int.from_bytes(self._places[2 * cid : 2 * cid + 2])  # two bytes for each character id (table 117)
        if self.program.cids is None:
            return cid if cid < self.program.count else 0
        return self.program.cids.get(cid, 0)

    def _glyph(self, code: int) -> int | None:
        if self.program is None:
            return None
        if self.kind == "TrueType":
            return self._glyph_of_truetype(code)
        if not self.program.names:
            return None
        name = self.encoded().get(code, ".notdef")
        return self.program.names.get(name, 0)

    def _glyph_of_truetype(self, code: int) -> int | None:
        assert self.program is not None
        maps = self.program.maps
        if not maps:
            return None
        has_encoding = self.source.get("/Encoding") is not None
        # ISO 32000-1, 9.6.6.4: by names through Unicode or Mac Roman, else by codes, to which symbol fonts add 0xF000.
        if has_encoding and not (self.flags & _SYMBOLIC and (3, 0) in maps):
            name = self.encoded().get(code)
            if name is None:
                return 0
            unicode_map, meant = maps.get((3, 1)) or maps.get((0, 3)) or {}, character(name)
            found = unicode_map.get(meant, 0) if meant is not None else 0
            return found or self.program.names.get(name) or maps.get((1, 0), {}).get(_mac(name, code), 0)
        own = maps.get((3, 0), {})
        found = next((own[base + code] for base in (0, 0xF000, 0xF100, 0xF200) if base + code in own), 0)
        return found or maps.get((1, 0), {}).get(code, 0) or (maps.get((3, 1), {}).get(code, 0) if not own else 0)

    def encoded(self) -> dict[int, str]:
        """Return the glyph names by code, from the file's encoding or the font's own."""
        if self._names is None:
            said = self.source.get("/Encoding")
            base = as_name(said) if isinstance(said, Name) else as_name(as_dictionary(said).get("/BaseEncoding"))
            made = encoding(base) if base else dict(self.program.codes) if self.program else {}
            if not made and self.kind == "TrueType":  # 9.6.6.4
                made = encoding("StandardEncoding")
            at = 0
            # A number begins a run of names for the codes from there on (table 114).
            for each in as_array(as_dictionary(said).get("/Differences")):
                if isinstance(each, Name):
                    made[at] = as_name(each)
                    at += 1
                else:
                    at = as_integer(each)
            self._names = made
        return self._names


def _mac(name: str, code: int) -> int:
    return next((at for at, other in encoding("MacRomanEncoding").items() if other == name), code)


def read(font: Dictionary, effort: Effort) -> UsedFont:
    """Return a font of a file; `font_rules` says what is wrong with it."""
    kind, name = as_name(font.get("/Subtype")), as_name(font.get("/BaseFont")) or "without a name"
    inner = as_dictionary(next(iter(as_array(font.get("/DescendantFonts"))), None)) if kind == "Type0" else font
    # Without the tag of a subset (9.6.4).
    made = UsedFont(
        name=re.sub(r"^[A-Z]{6}\+", "", name),
        kind=kind,
        source=font,
        descendant=inner,
        descriptor=as_dictionary(inner.get("/FontDescriptor")),
    )
    _read_program(made, effort)
    if kind == "Type0":
        made.vertical = as_name(font.get("/Encoding")) == "Identity-V"
        _read_codes(made, effort)
        places = inner.get("/CIDToGIDMap")
        if isinstance(places, Stream):
            made._places = unpack_stream(places, effort)
    return made


def _read_program(made: UsedFont, effort: Effort) -> None:
    for key in FILES:
        file = made.descriptor.get(key)
        if not isinstance(file, Stream):
            continue
        try:
            data = unpack_stream(file, effort)
            made.is_cut = _is_cut(data, file)
            made.program = _READERS[key](data) if key in _READERS else _third(data, as_name(file.get("/Subtype")))
        except (UnreadableFont, TooLarge, pikepdf.PdfError):
            made.is_damaged = True


def _is_cut(data: bytes, file: Stream) -> bool:
    """Return whether a font program ends before its last table, or before its encrypted part ends."""
    if data[:4] in (b"\0\1\0\0", b"true", b"OTTO"):
        # Behind a header of 12 bytes, 16 for each table, of which the last 8 are its offset and length.
        entries = (data[at : at + 16] for at in range(12, 12 + 16 * int.from_bytes(data[4:6]), 16))
        return any(int.from_bytes(one[8:12]) + int.from_bytes(one[12:]) > len(data) or len(one) < 16 for one in entries)
    is_type1 = data[:2] == b"%!"
    return is_type1 and as_integer(file.get("/Length1")) + as_integer(file.get("/Length2")) > len(
        data
    )  # 9.9, table 127


def _third(data: bytes, subtype: str) -> Program:
    return truetype.read(data) if subtype == "OpenType" or data[:4] in (b"OTTO", b"\0\1\0\0") else cff.read(data)


_RANGES = re.compile(rb"begin(cidrange|cidchar|codespacerange)(.*?)end(?:cidrange|cidchar|codespacerange)", re.DOTALL)
# Hexadecimal codes of a CMap (9.7.5.4): first, last and the id of the first.
_CODE = re.compile(rb"<([0-9A-Fa-f\s]+)>\s*(?:<([0-9A-Fa-f\s]+)>\s*)?(\d+)?")
_MAX_CODES = 70_000


def _read_codes(made: UsedFont, effort: Effort) -> None:
    """Find out how a composite font's codes are read. Without its map in the file, they are not."""
    said = made.source.get("/Encoding")
    if as_name(said) in _IDENTITY:
        made._length = 2
        return
    made._length = 0
    if not isinstance(said, Stream) or said.get("/UseCMap") is not None:
        return
    lengths, cids = set[int](), dict[int, int]()
    for kind, body in _RANGES.findall(unpack_stream(said, effort)):
        for first, last, target in _CODE.findall(body):
            digits = re.sub(rb"\s", b"", first)
            if kind == b"codespacerange":
                lengths.add(len(digits) // 2)
                continue
            low, high = int(first, 16), int(last or first, 16)
            for code in range(low, min(high, low + _MAX_CODES - len(cids)) + 1):
                cids[code] = int(target or 0) + code - low
    if len(lengths) == 1:
        made._length, made._cids = lengths.pop(), cids


def listed(resources: object) -> list[tuple[str, Object]]:
    """Return the fonts of resources by name."""
    return as_entries(as_dictionary(resources).get("/Font"))
