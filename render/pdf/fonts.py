"""Glyph fonts of a PDF: embedded subsets that draw shaped glyphs exactly, and can be searched and copied.

ReportLab's own TrueType fonts map characters, not glyphs: they know no ligatures, and "field" with an fi could not be
found. So each bundled face becomes a Type0 font (ISO 32000-1, 9.7) with Identity-H encoding, whose codes are glyph
numbers, and a ToUnicode map that gives a ligature its letters back.
"""

from __future__ import annotations

import hashlib
from itertools import repeat
from typing import NamedTuple

from reportlab.pdfbase import pdfdoc

from render.pdf.objects import dictionary, stream
from render.scene.items import TextRun
from render.text import fonts
from render.text.font_files.font_face import bounding_box, embedded_program

_PER_EM = 1000  # widths in a PDF are in thousandths of the size (9.7.4.3)
_SYMBOLIC, _ITALIC = 4, 64  # flags of a font descriptor (table 123): bits 3 and 7
_CMAP_ROWS = 100  # in one bfchar section, at most (Adobe Technical Note 5014)


class _Glyph(NamedTuple):
    """A glyph as the document's font knows it: code, the characters it stands for, width in thousandths of the size.

    `taken` is that width in thousandths of a font unit.
    """

    code: str
    text: str
    width: int
    taken: int


class GlyphFont:
    """A bundled face in one document: collects the glyphs that are shown and what they stand for.

    Its resource name is the face's name, so that a content stream says which face it is set in.
    """

    def __init__(self, face: str) -> None:
        self.face = fonts.face(face)
        self.name = self.face.resource
        self._glyphs: dict[int, _Glyph] = {}

    def show(self, run: TextRun) -> str:
        """Return the operators that show the run's glyphs at their places.

        Widths are whole thousandths, since PDFium truncates fractions. The rounding error is carried from glyph to
        glyph in the numbers of the TJ array, so that no glyph is more than half a thousandth off.
        """
        per_em, known = self.face.units_per_em, self._glyphs
        rises = run.rises or repeat(0)
        out: list[str] = ["[<"]
        due = lifted = 0  # due: thousandths of a font unit, a whole number, so that sums are exact
        half = per_em / 2
        for glyph, advance, text, rise in zip(run.glyphs, run.advances, run.text, rises, strict=False):
            if rise != lifted:
                # Ts, the text rise, is in units of the unscaled text space: mm (9.3.7).
                out.append(f">] TJ {rise / per_em * run.size:.4f} Ts [<")
                lifted = rise
            code, stands_for, _, taken = known.get(glyph) or self._add(glyph, text)
            if stands_for == text:
                out.append(code)
            else:  # a glyph that stands here for other characters than where it was first shown (14.9.4)
                words = text.encode("utf-16-be").hex().upper()
                out.append(f">] TJ /Span <</ActualText <FEFF{words}>>> BDC [<{code}>] TJ EMC [<")
            due += advance * _PER_EM - taken
            if not -half <= due <= half:
                correction = round(due / per_em)  # TJ subtracts its numbers, in thousandths of the size (9.4.3)
                out.append(f">{-correction}<")
                due -= correction * per_em
        out.append(">] TJ 0 Ts" if lifted else ">] TJ")
        return "".join(out).replace("<>", "")  # corrections that follow each other leave empty strings between them

    def add_to(self, document: pdfdoc.PDFDocument) -> None:
        """Write the font's objects. Afterwards no more glyphs can be shown."""
        file = embedded_program(self.face, self._glyphs)
        # 9.6.4: six capitals mark a subset; made from its bytes, so that equal subsets have equal names.
        tag = "".join(chr(65 + byte % 26) for byte in hashlib.sha256(file).digest()[:6])
        name = f"/{tag}+{self.face.program_name}"
        scale, is_cff, is_italic = _PER_EM / self.face.units_per_em, self.face.is_cff, "Oblique" in self.face.name
        program = stream(file, Subtype="/CIDFontType0C") if is_cff else stream(file, Length1=len(file))
        descriptor = dictionary(
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
            **{"FontFile3" if is_cff else "FontFile2": document.Reference(program)},
        )
        ordering = dictionary(Registry=pdfdoc.PDFString("Adobe"), Ordering=pdfdoc.PDFString("Identity"), Supplement=0)
        descendant = dictionary(
            Type="/Font",
            Subtype="/CIDFontType0" if is_cff else "/CIDFontType2",
            BaseFont=name,
            CIDSystemInfo=ordering,
            FontDescriptor=document.Reference(descriptor),
            DW=0,
            W=[part for glyph, shown in sorted(self._glyphs.items()) for part in (glyph, [shown.width])],
            **({} if is_cff else {"CIDToGIDMap": "/Identity"}),
        )
        font = dictionary(
            Type="/Font",
            Subtype="/Type0",
            BaseFont=name,
            Encoding="/Identity-H",
            DescendantFonts=[document.Reference(descendant)],
            ToUnicode=document.Reference(stream(self._to_unicode().encode("ascii"))),
        )
        document.idToObject["BasicFonts"].dict[self.name] = document.Reference(font, f"font.{self.name}")

    def _add(self, glyph: int, text: str) -> _Glyph:
        natural, per_em = self.face.font.get_glyph_h_advance(glyph), self.face.units_per_em
        width = round(natural * _PER_EM / per_em)
        return self._glyphs.setdefault(glyph, _Glyph(f"{glyph:04X}", text, width, width * per_em))

    def _to_unicode(self) -> str:
        """Return the CMap from glyphs to the characters that they stand for, several for a ligature (9.10.3)."""
        rows = [
            f"<{shown.code}> <{shown.text.encode('utf-16-be').hex().upper()}>"
            for _, shown in sorted(self._glyphs.items())
            if shown.text
        ]
        sections = [rows[start : start + _CMAP_ROWS] for start in range(0, len(rows), _CMAP_ROWS)]
        body = "\n".join(f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar" for part in sections)
        return _CMAP.format(body=body)


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
