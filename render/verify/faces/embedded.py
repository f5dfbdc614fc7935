"""Fonts in a file: each must be the face that its name says, bundled or of the set, with every glyph that is shown.

uharfbuzz compares outlines and widths of the embedded glyphs with those of the face. The letters that a search finds
for a glyph must be letters that a bundled face draws with it, or for which it stands on the cards of a set.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

import uharfbuzz as hb

from render.base.caches import cached
from render.base.findings import Problem
from render.text import fonts
from render.text.font_files.font_face import FontFace
from render.text.programs import cff
from render.text.programs.program import UnreadableFont
from render.verify.reading.faults import Fault
from render.verify.reading.pdf_reading import FileFont

_PER_EM = 1000  # widths in a PDF are in thousandths of the size (ISO 32000-1, 9.7.4.3)
# Tables with which outlines can be drawn otherwise than they stand: instructions, variations, outlines of another kind.
_BENDING = frozenset(("fpgm", "prep", "cvt ", "hdmx", "VDMX", "fvar", "gvar", "cvar", "avar", "HVAR", "CFF ", "CFF2"))
_ABOVE = "\N{COMBINING ACUTE ACCENT}"  # below it a letter may take another glyph: an i without its dot
_HINT = "letters would be drawn or found as others"

Outline = tuple[tuple[object, ...], ...]

Readings = AbstractSet[tuple[int, str]]
"""Glyphs of a face with the letters for which cards have them; no letters for a glyph that belongs to another's."""


@dataclass(frozen=True, slots=True)
class FontUse:
    """The fonts of a file: the codes shown of each, and the fonts by the names with which pages can call them.

    `meant` are the glyphs that stand for other letters in one place, with those letters.
    """

    used: Mapping[FileFont, set[bytes]]
    meant: Mapping[FileFont, set[tuple[bytes, bytes]]]
    names: Mapping[bytes, FileFont]

    def part(self, are_own: bool) -> FontUse:
        """Return the use of fonts that a set may have brought along, or of all others."""
        return FontUse(
            {font: codes for font, codes in self.used.items() if may_be_own(font) is are_own},
            {font: pairs for font, pairs in self.meant.items() if may_be_own(font) is are_own},
            {name: font for name, font in self.names.items() if may_be_own(font) is are_own},
        )

    def __bool__(self) -> bool:
        return bool(self.used or self.names)


def may_be_own(font: FileFont) -> bool:
    """Return whether a font is called as one of a set: its name ends with the beginning of a digest."""
    return _OWN.search(font.name) is not None


_OWN = re.compile(r"-[0-9a-f]{12}$")
_BUNDLED: Mapping[str, str] = {file.removesuffix(".ttf"): name for name, file in fonts.FILES.items()}


def proved(use: FontUse, own: Mapping[str, Readings] | None = None) -> Iterator[Fault]:
    """Yield what is wrong with fonts, and with the glyphs shown of them.

    Fonts are held to the bundled faces, or to the faces `own` of a set, as its cards read them.
    """
    faces = _BUNDLED if own is None else {fonts.face(name).program_name: name for name in own}
    for called, font in sorted(use.names.items(), key=lambda each: each[0]):
        name = faces.get(font.name)
        if font.is_embedded and name is not None and called.decode("latin-1") != f"/{fonts.face(name).resource}":
            yield _fault(font, f"in the place of `{called[1:40].decode('latin-1')}`")
    for font in dict.fromkeys((*use.names.values(), *use.used)):
        if font.is_embedded:
            shown = {int(code, 16) for code in use.used.get(font, ())}
            face, meant = faces.get(font.name), use.meant.get(font, ())
            wrong = list(font.oddities)
            if face is None:
                wrong.append(
                    f"there is no such face among those of kotc{' and of the set' if may_be_own(font) else ''}"
                )
            else:
                letters = _Letters(face, None if own is None else own[face])
                wrong += _unlike(font, letters, shown, meant)
            yield from (_fault(font, what) for what in wrong)


class _Letters(NamedTuple):
    """A face, and what its glyphs stand for on the cards; None for a bundled face, whose own rules tell."""

    face: str
    readings: Readings | None

    def may_be(self, code: bytes, letters: bytes) -> bool:
        """Return whether a glyph may stand for these letters."""
        text = _decoded(letters)
        if text is None or not _CODE.fullmatch(code):
            return False
        glyph = int(code, 16)
        # What a glyph stands for among others, by rules of context, only its text tells.
        return _means(self.face, glyph, text) if self.readings is None else (glyph, text) in self.readings

    def drawn(self, letters: bytes) -> set[int]:
        """Return all glyphs with which the face draws these letters."""
        pieces = fonts.shape(self.face, _decoded(letters) or "")
        return {glyph for piece in pieces if piece.face == self.face for glyph in piece.glyphs}

    def needs(self, glyph: int) -> bool:
        """Return whether a glyph cannot go without letters."""
        return glyph in _with_letters(self.face) if self.readings is None else (glyph, "") not in self.readings


def _fault(font: FileFont, what: str) -> Fault:
    return Fault(Problem("Q030", f"the font `{font.name[:60]}`: {what}", _HINT))


def _decoded(letters: bytes) -> str | None:
    """Return letters of ToUnicode or ActualText, which are big-endian UTF-16 (9.10.3); None if they are not."""
    try:
        return bytes.fromhex(letters.decode("ascii")).decode("utf-16-be")
    except ValueError:
        return None


def _unlike(font: FileFont, letters: _Letters, shown: set[int], meant: Iterable[tuple[bytes, bytes]]) -> Iterator[str]:
    """Yield how a font differs from the face whose name it bears."""
    opened = fonts.face(letters.face)
    face, program = opened.font, _program(font.program, opened)
    if program is None:
        yield "it cannot be read"
        return
    own = hb.Font(program)
    lost = sorted(shown - font.widths.keys())
    if lost:
        yield f"{_many(len(lost), 'glyph is', 'glyphs are')} shown that it does not have"
    if own.face.upem != face.face.upem:
        yield "its glyphs are drawn in another size"
    here = sorted(glyph for glyph in font.widths if 0 <= glyph < min(face.face.glyph_count, own.face.glyph_count))
    other = [glyph for glyph in here if _outline(own, glyph) != _outline(face, glyph)]
    other += [glyph for glyph in font.widths if glyph not in here]
    if other:
        yield f"{_many(len(other), 'glyph is', 'glyphs are')} drawn otherwise than in that face"
    em = face.face.upem
    wide = [
        glyph
        for glyph in here
        # Rounded to thousandths, and written so that nan fails.
        if not abs(font.widths[glyph] - face.get_glyph_h_advance(glyph) * _PER_EM / em) <= 0.5
        or own.get_glyph_h_advance(glyph) != face.get_glyph_h_advance(glyph)
    ]
    if wide:
        yield f"{_many(len(wide), 'glyph has', 'glyphs have')} another width than in that face"
    yield from _misread(font, letters, shown - set(lost), meant)


def _misread(font: FileFont, letters: _Letters, shown: set[int], meant: Iterable[tuple[bytes, bytes]]) -> Iterator[str]:
    """Yield a sentence for glyphs whose letters the face does not draw with them, and for glyphs without letters."""
    rows = [row for section in _ROWS.findall(font.meaning) for row in _ROW.findall(section)]
    if _ROWS.sub(b"", font.meaning).split() != _FRAME.split():
        yield "the map of its glyphs to letters is not one of kotc"
        return
    unread = {glyph for glyph in shown if letters.needs(glyph)} - {int(code, 16) for code, _ in rows}
    if unread and letters.readings is None:
        # Some letters are drawn with several glyphs, of which one is read as the letter.
        unread -= {glyph for _, text in (*rows, *meant) for glyph in letters.drawn(text)}
    if unread:
        yield f"{_many(len(unread), 'glyph is', 'glyphs are')} read as no letter"
    wrong = sum(not letters.may_be(*row) for row in rows)
    if wrong:
        yield f"{_many(wrong, 'glyph is', 'glyphs are')} read as other letters than it draws"
    wrong = sum(bool(pair[1]) and not letters.may_be(*pair) for pair in meant)
    if wrong:
        yield f"{_many(wrong, 'glyph is', 'glyphs are')} read as other letters than it draws where it stands"


def _means(face: str, glyph: int, letters: str) -> bool:
    """Return whether a face draws these letters with this glyph, alone or below an accent, or has no letter for it."""
    for text in (letters, letters + _ABOVE):
        if any(piece.face == face and glyph in piece.glyphs for piece in fonts.shape(face, text)):
            return True
    return glyph not in _with_letters(face)


@cached(None)
def _with_letters(face: str) -> frozenset[int]:
    """Return the glyphs that a face has for single letters; a character for private use is none."""
    opened = fonts.face(face).font
    letters = (letter for letter in opened.face.unicodes if not 0xE000 <= letter <= 0xF8FF)
    return frozenset(opened.get_nominal_glyph(letter) or 0 for letter in letters)


def _program(program: bytes, face: FontFace) -> hb.Face | None:
    """Return an embedded program as uharfbuzz reads it; None if it cannot be, or might be drawn otherwise."""
    true = face.font.face
    if not face.is_cff:
        return hb.Face(hb.Blob(program)) if _is_sound(program, frozenset(true.table_tags) - _BENDING) else None
    try:
        here, there = cff.read(program), cff.read(bytes(true.reference_table("CFF ").data))
    except UnreadableFont:
        return None
    # A code is the number of a glyph only if each glyph's own identifier is, and a matrix bends all outlines.
    is_straight = here.cids is None or all(number == glyph for number, glyph in here.cids.items())
    if not is_straight or here.matrices != there.matrices:
        return None
    # The table alone has no size and no widths: those of the face, which are compared with the file's, stand in.
    tables = {tag: bytes(true.reference_table(tag).data) for tag in ("head", "hhea", "hmtx")}
    tables |= {
        "CFF ": program,
        "maxp": struct.pack(">IH", 0x5000, here.count),
    }  # version 0.5: the number of glyphs alone
    return hb.Face.create_for_tables(lambda _, tag, __: tables.get(tag), None)


def _is_sound(program: bytes, tables: frozenset[str]) -> bool:
    """Return whether a font program consists of tables of its face alone, without any that would bend outlines."""
    if len(program) < 12 or program[:4] != b"\0\1\0\0":
        return False
    (count,) = struct.unpack(">H", program[4:6])  # numTables, then records of 16 bytes that begin with a tag
    tags = [program[at : at + 4] for at in range(12, 12 + 16 * count, 16)]
    return len(tags) == count and all(tag.decode("latin-1") in tables for tag in tags)


def _outline(font: hb.Font, glyph: int) -> Outline:
    steps: list[tuple[object, ...]] = []
    font.draw_glyph(glyph, _PEN, steps)
    return tuple(steps)


def _pen() -> hb.DrawFuncs:
    funcs = hb.DrawFuncs()
    funcs.set_move_to_func(lambda x, y, steps: steps.append(("m", x, y)))
    funcs.set_line_to_func(lambda x, y, steps: steps.append(("l", x, y)))
    funcs.set_quadratic_to_func(lambda a, b, x, y, steps: steps.append(("q", a, b, x, y)))
    funcs.set_cubic_to_func(lambda a, b, c, d, x, y, steps: steps.append(("c", a, b, c, d, x, y)))
    funcs.set_close_path_func(lambda steps: steps.append(("h",)))
    return funcs


_PEN = _pen()


def _many(number: int, one: str, more: str) -> str:
    return f"a {one}" if number == 1 else f"{number} {more}"


_CODE = re.compile(rb"[0-9A-F]{4}")
_ROW = re.compile(rb"<([0-9A-F]{4})> <([0-9A-F]{4,200})>\n")
_ROWS = re.compile(rb"\d+ beginbfchar\n(?:<[0-9A-F]{4}> <[0-9A-F]{4,200}>\n)*endbfchar\n")
# The rest of a ToUnicode CMap as `pdf.fonts` writes it; rows between must match the pattern above.
_FRAME = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
endcmap CMapName currentdict /CMap defineresource pop end end"""
