"""Glyph fonts of a PDF: embedded subsets that draw shaped glyphs exactly, and can be searched and copied.

ReportLab's own TrueType fonts map characters, not glyphs: they know no ligatures, and "field" with an fi could not be
found. So each face becomes a Type0 font (ISO 32000-1, 9.7) with Identity-H encoding, whose codes are glyph numbers.
A drawing may not depend on others in the same file, so ToUnicode maps say what the face's own table of characters says,
and a glyph that stands for anything else has its text beside it.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import accumulate
from operator import sub
from types import MappingProxyType
from typing import NamedTuple

from reportlab.pdfbase import pdfdoc

from render.base.caches import cached
from render.pdf.objects import Piece, dictionary, packed, piece, to
from render.scene.items import TextRun
from render.text import fonts
from render.text.font_files.font_face import bounding_box, embedded_program

_PER_EM = 1000  # widths in a PDF are in thousandths of the size (9.7.4.3)
_SYMBOLIC, _ITALIC = 4, 64  # flags of a font descriptor (table 123): bits 3 and 7
_CMAP_ROWS = 100  # in one bfchar section, at most (Adobe Technical Note 5014)
_LIGATURES = range(0xFB00, 0xFB07)  # ﬀ to ﬆ, which stand for their letters
_FORMS = (range(0xFB1D, 0xFDFE), range(0xFE70, 0xFEFD))  # of Hebrew and Arabic letters at their places in words


class _Glyph(NamedTuple):
    """A glyph as the font knows it: code, the characters it stands for, width in thousandths of the size.

    `taken` is that width in thousandths of a font unit.
    """

    code: str
    text: str
    width: int
    taken: int


class GlyphFont:
    """A face as a PDF shows it: `name` is that of the face, so that a content stream says which face it is set in."""

    def __init__(self, face: str) -> None:
        self.face = fonts.face(face)
        self.name = self.face.resource
        self._glyphs: dict[int, _Glyph] = {}

    def show(self, run: TextRun, letters: Mapping[int, str] = MappingProxyType({})) -> str:
        """Return the operators that show the run's glyphs at their places.

        `letters` are what glyphs without a character of their own stand for in the whole file, if that is known.

        Widths are whole thousandths, since PDFium truncates fractions. The rounding error is carried from glyph to
        glyph in the numbers of the TJ array, so that no glyph is more than half a thousandth off.
        """
        known, per_em = self._glyphs, self.face.units_per_em
        glyphs = [known.get(glyph) or self._glyph(glyph) for glyph in run.glyphs]
        parts = [each.code for each in glyphs]
        if [each.text for each in glyphs] != [*run.text]:
            for at, (glyph, each, text) in enumerate(zip(run.glyphs, glyphs, run.text, strict=False)):
                if each.text != text and not (text and not each.text and letters.get(glyph) == text):
                    # The glyph stands here for other characters than in the face's own table (14.9.4).
                    words = text.encode("utf-16-be").hex().upper()
                    parts[at] = f">] TJ /Span <</ActualText <FEFF{words}>>> BDC [<{parts[at]}>] TJ EMC [<"
        lifted = 0
        for at, rise in enumerate(run.rises):
            if rise != lifted:
                # Ts, the text rise, is in units of the unscaled text space: mm (9.3.7).
                parts[at] = f">] TJ {rise / per_em * run.size:.4f} Ts [<{parts[at]}"
                lifted = rise
        # The sums are thousandths of a font unit, whole numbers; TJ subtracts its numbers, thousandths of the size (9.4.3).
        due = accumulate(map(sub, map(_PER_EM.__mul__, run.advances), [each.taken for each in glyphs]))
        half, corrected = per_em / 2, 0
        least, most = -half, half
        for at, total in enumerate(due):
            if not least <= total <= most:
                correction = round((total - corrected) / per_em)
                parts[at] += f">{-correction}<"
                corrected += correction * per_em
                least, most = corrected - half, corrected + half
        shown = f"[<{''.join(parts)}{'>] TJ 0 Ts' if lifted else '>] TJ'}"
        return shown.replace("<>", "")  # corrections that follow each other leave empty strings between them

    def embedded(self, shown: Mapping[int, str]) -> Piece:
        """Return the font's object with these glyphs; what each stands for counts if it has no character of its own."""
        glyphs = {glyph: self._glyph(glyph) for glyph in sorted(shown)}
        file = embedded_program(self.face, glyphs)
        # 9.6.4: six capitals mark a subset; made from its bytes, so that equal subsets have equal names.
        tag = "".join(chr(65 + byte % 26) for byte in hashlib.sha256(file).digest()[:6])
        name = f"/{tag}+{self.face.program_name}"
        scale, is_cff, is_italic = _PER_EM / self.face.units_per_em, self.face.is_cff, "Oblique" in self.face.name
        program = packed(file, Subtype="/CIDFontType0C") if is_cff else packed(file, Length1=len(file))
        described = dictionary(
            Type="/FontDescriptor",
            FontName=name,
            Flags=_SYMBOLIC | (_ITALIC if is_italic else 0),
            FontBBox=[round(value * scale) for value in bounding_box(self.face)],
            ItalicAngle=-11 if is_italic else 0,
            Ascent=round(self.face.ascent * _PER_EM),
            Descent=-round(self.face.descent * _PER_EM),
            CapHeight=round(self.face.cap_height * _PER_EM),
            # the width of stems, which TrueType fonts do not state.
            StemV=140 if "Bold" in self.face.name else 80,
            **{"FontFile3" if is_cff else "FontFile2": to(program)},
        )
        descriptor = piece(described, parts=[program])
        ordering = dictionary(Registry=pdfdoc.PDFString("Adobe"), Ordering=pdfdoc.PDFString("Identity"), Supplement=0)
        by_number = dictionary(
            Type="/Font",
            Subtype="/CIDFontType0" if is_cff else "/CIDFontType2",
            BaseFont=name,
            CIDSystemInfo=ordering,
            FontDescriptor=to(descriptor),
            DW=0,
            W=[part for glyph, known in glyphs.items() for part in (glyph, [known.width])],
            **({} if is_cff else {"CIDToGIDMap": "/Identity"}),
        )
        descendant = piece(by_number, parts=[descriptor])
        letters = packed(_to_unicode((each.code, each.text or shown[glyph]) for glyph, each in glyphs.items()))
        font = dictionary(
            Type="/Font",
            Subtype="/Type0",
            BaseFont=name,
            Encoding="/Identity-H",
            DescendantFonts=[to(descendant)],
            ToUnicode=to(letters),
        )
        return piece(font, parts=[descendant, letters])

    def _glyph(self, glyph: int) -> _Glyph:
        known = self._glyphs.get(glyph)
        if known is None:
            natural, per_em = self.face.font.get_glyph_h_advance(glyph), self.face.units_per_em
            width = round(natural * _PER_EM / per_em)
            known = self._glyphs[glyph] = _Glyph(f"{glyph:04X}", self._text(glyph), width, width * per_em)
        return known

    def _text(self, glyph: int) -> str:
        """Return the first character that has the glyph in the face's own table; "" if there is none."""
        character = self._of_ascii.get(glyph) or self._characters.get(glyph, "")
        if not character:
            return ""
        letters = unicodedata.normalize("NFKC", character)
        is_form = len(letters) == 1 and any(ord(character) in forms for forms in _FORMS)
        return letters if is_form or ord(character) in _LIGATURES else character

    @cached_property
    def _of_ascii(self) -> dict[int, str]:
        return self._read(range(32, 127))  # nearly all letters of a card are here, and the whole table takes 2 ms

    @cached_property
    def _characters(self) -> dict[int, str]:
        return self._read(self.face.font.face.unicodes)

    def _read(self, characters: Iterable[int]) -> dict[int, str]:
        last_first = sorted(characters, reverse=True)  # so that of several characters of a glyph the first one stays
        table = dict(zip(map(self.face.font.get_nominal_glyph, last_first), map(chr, last_first), strict=True))
        table.pop(None, None)
        table.pop(0, None)
        return table


@cached(None)
def glyph_font(face: str) -> GlyphFont:
    """Return the face of that name as PDF files show it: to read its table of characters takes some milliseconds."""
    return GlyphFont(face)


def _to_unicode(glyphs: Iterable[tuple[str, str]]) -> bytes:
    """Return the CMap from codes to the characters that they stand for, several for a ligature (9.10.3)."""
    rows = [f"<{code}> <{text.encode('utf-16-be').hex().upper()}>" for code, text in glyphs if text]
    sections = [rows[start : start + _CMAP_ROWS] for start in range(0, len(rows), _CMAP_ROWS)]
    body = "\n".join(f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar" for part in sections)
    return _CMAP.format(body=body).encode("ascii")


# The frame of every ToUnicode CMap, as in ISO 32000-1, 9.10.3.
_CMAP = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
{body}
endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""
