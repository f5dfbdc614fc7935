"""Fonts in a file: each must be the face that its name says, bundled or of the set, with every glyph that is shown.

uharfbuzz compares outlines and widths of the embedded glyphs with those of the face. The letters that a search finds for
a glyph must be letters that a bundled face draws with it, or for which it stands on the cards of a set.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple
from unicodedata import normalize

import uharfbuzz as hb

from render.base.caches import cached
from render.text import fonts
from render.text.font_files.font_face import FontFace, drawing_steps
from render.verify.faults import Fault
from render.verify.pdf_file import FileFont

# Tables with which outlines can be drawn otherwise than they stand: instructions, variations, outlines of another kind.
_BENDING = frozenset(("fpgm", "prep", "cvt ", "hdmx", "VDMX", "fvar", "gvar", "cvar", "avar", "HVAR", "CFF ", "CFF2"))
_ABOVE = "\N{COMBINING ACUTE ACCENT}"  # below it a letter may take another glyph: an i without its dot
_FORMS = (range(0xFB1D, 0xFDFE), range(0xFE70, 0xFEFD))  # of Hebrew and Arabic letters at their places in words
_BUNDLED: Mapping[str, str] = {file.removesuffix(".ttf"): name for name, file in fonts.FILES.items()}

Readings = AbstractSet[tuple[int, str]]
"""Glyphs of a face with the letters for which cards have them; no letters for a glyph that belongs to another's."""


def is_own(font: FileFont) -> bool:
    """Return whether a font is called as one of a set: its name ends with the beginning of a digest."""
    return re.search(r"-[0-9a-f]{12}$", font.name) is not None


def wrong_fonts(file_fonts: Iterable[FileFont], own: Mapping[str, Readings] | None = None) -> Iterator[Fault]:
    """Yield what is wrong with fonts: held to the bundled faces, or to the faces `own` of a set, as its cards read them."""
    faces = _BUNDLED if own is None else {fonts.face(name).program_name: name for name in own}
    for font in sorted(file_fonts, key=lambda font: font.called):
        if not font.is_embedded:
            what = f"the font `{font.name[:60]}` is not embedded"
            yield Fault("Q030", what, hint="another font would be printed in its place")
            continue
        name = faces.get(font.name)
        if name is None:
            wrong = [f"there is no such face among those of kotc{'' if own is None else ' and of the set'}"]
        else:
            wrong = [font.oddity] if font.oddity else []
            if font.called and font.called != fonts.face(name).resource:
                wrong.append(f"in the place of `{font.called[:40]}`")
            wrong += _unlike(font, _Letters(name, None if own is None else own[name]))
        for what in wrong:
            hint = "letters would be drawn or found as others"
            yield Fault("Q030", f"the font `{font.name[:60]}`: {what}", hint=hint)


class _Letters(NamedTuple):
    """A face, and what its glyphs stand for on the cards; None for a bundled face, whose own rules tell."""

    face: str
    readings: Readings | None

    def may_be(self, glyph: int, text: str) -> bool:
        """Return whether a glyph may stand for these letters."""
        if self.readings is not None:  # what a glyph stands for by rules of context, only its text tells
            return (glyph, text) in self.readings
        if (glyph, text) in _forms(self.face):
            return True
        for words in (text, text + _ABOVE):
            for around in (fonts.ALONE, fonts.FROM_RIGHT):  # where brackets are mirrored
                pieces = fonts.shape(self.face, words, (), around)
                if any(piece.face == self.face and glyph in piece.glyphs for piece in pieces):
                    return True
        return glyph not in _with_letters(self.face)

    def drawn(self, text: str) -> set[int]:
        """Return all glyphs with which the face draws these letters."""
        pieces = fonts.shape(self.face, text)
        return {glyph for piece in pieces if piece.face == self.face for glyph in piece.glyphs}

    def needs(self, glyph: int) -> bool:
        """Return whether a glyph cannot go without letters."""
        return glyph in _with_letters(self.face) if self.readings is None else (glyph, "") not in self.readings


@cached(None)
def _with_letters(face: str) -> frozenset[int]:
    """Return the glyphs that a face has for single letters; a character for private use is none."""
    opened = fonts.face(face).font
    letters = (letter for letter in opened.face.unicodes if not 0xE000 <= letter <= 0xF8FF)
    return frozenset(opened.get_nominal_glyph(letter) or 0 for letter in letters)


@cached(None)
def _forms(face: str) -> frozenset[tuple[int, str]]:
    """Return the glyphs that a face has for forms of Hebrew and Arabic letters, with these letters."""
    opened = fonts.face(face).font
    forms = (letter for letter in opened.face.unicodes if any(letter in each for each in _FORMS))
    return frozenset((opened.get_nominal_glyph(form) or 0, normalize("NFKC", chr(form))) for form in forms)


def _unlike(font: FileFont, letters: _Letters) -> Iterator[str]:
    """Yield how a font differs from the face whose name it bears."""
    opened = fonts.face(letters.face)
    face, program = opened.font, _program(font, opened)
    if program is None:
        yield "it cannot be read"
        return
    own, em = hb.Font(program), face.face.upem
    lost = set(font.shown) - font.widths.keys()
    if own.face.upem != em:
        yield "its glyphs are drawn in another size"
    known = {glyph for glyph in font.widths if 0 <= glyph < min(face.face.glyph_count, own.face.glyph_count)}
    other = {glyph for glyph in known if drawing_steps(own, glyph) != drawing_steps(face, glyph)} | (
        font.widths.keys() - known
    )
    wide = [
        glyph
        for glyph in known
        # Rounded to thousandths, and written so that nan fails.
        if not abs(font.widths[glyph] - face.get_glyph_h_advance(glyph) * 1000 / em) <= 0.5
        or own.get_glyph_h_advance(glyph) != face.get_glyph_h_advance(glyph)
    ]
    rows = [
        (int(code, 16), bytes.fromhex(text).decode("utf-16-be", "replace"))
        for code, text in re.findall(
            r"<([0-9A-Fa-f]{4})>\s*<((?:[0-9A-Fa-f]{4})+)>\s*\n", font.meaning.decode("latin-1")
        )
        if text
    ]
    rows = [row for row in rows if row != (0, "\uffff")]
    unread = {glyph for glyph in set(font.shown) - lost if letters.needs(glyph)} - {glyph for glyph, _ in rows}
    if unread and letters.readings is None:
        # Some letters are drawn with several glyphs, of which one is read as the letter.
        unread -= {glyph for _, text in [*rows, *font.meant] for glyph in letters.drawn(text)}
    # A glyph of which the file says beside it what it means may be read elsewhere as its face reads it.
    explained = {glyph for glyph, _ in font.meant}
    misread = sum(
        not letters.may_be(glyph, text)
        and not (glyph in explained and len(text) == 1 and face.get_nominal_glyph(ord(text)) == glyph)
        for glyph, text in rows
    )
    misread += sum(bool(text) and not letters.may_be(glyph, text) for glyph, text in font.meant)
    for count, one, more, what in (
        (len(lost), "is", "are", "shown that it does not have"),
        (len(other), "is", "are", "drawn otherwise than in that face"),
        (len(wide), "has", "have", "another width than in that face"),
        (len(unread), "is", "are", "read as no letter"),
        (misread, "is", "are", "read as other letters than it draws"),
    ):
        if count:
            yield f"a glyph {one} {what}" if count == 1 else f"{count} glyphs {more} {what}"


def _program(font: FileFont, face: FontFace) -> hb.Face | None:
    """Return an embedded program as uharfbuzz reads it; None if it cannot be, or might be drawn otherwise."""
    true, program = face.font.face, font.program
    if not face.is_cff:
        count = int.from_bytes(program[4:6])  # numTables, then records of 16 bytes that begin with a tag
        tags = [program[at : at + 4].decode("latin-1") for at in range(12, 12 + 16 * count, 16)]
        is_sound = program[:4] == b"\0\1\0\0" and set(tags) <= set(true.table_tags) - _BENDING
        return hb.Face(hb.Blob(program)) if is_sound else None
    from render.text.font_programs import UnreadableFont, read_cff  # with fontTools, which other faces need not

    try:
        here, there = read_cff(program), read_cff(bytes(true.reference_table("CFF ").data))
    except UnreadableFont:
        return None
    # A code is the number of a glyph only if each glyph's own identifier is, and a matrix bends all outlines.
    is_straight = here.cids is None or all(number == glyph for number, glyph in here.cids.items())
    if not is_straight or here.matrices != there.matrices:
        return None
    # The table alone has no size and no widths: those of the face, which are compared with the file's, stand in.
    tables = {tag: bytes(true.reference_table(tag).data) for tag in ("head", "hhea", "hmtx")}
    # Maxp of version 0.5 has the number of glyphs alone.
    tables |= {"CFF ": program, "maxp": struct.pack(">IH", 0x5000, here.count)}
    return hb.Face.create_for_tables(lambda _, tag, __: tables.get(tag), None)
