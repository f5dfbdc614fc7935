"""Widths of letters in whole pixels, as the instructions in a font file round them for one size, if it has any.

Image editors such as GIMP set text in such widths, so a text that breaks where it does there needs them. Only this
module and the reader of card pictures use Pillow's FreeType.
"""

from __future__ import annotations

from io import BytesIO
from math import floor

from msgspec.structs import replace
from PIL import ImageFont

from render.base.caches import cached
from render.text import fonts


@cached(65536)
def shape_on_pixels(
    name: str, text: str, pixels: float, around: fonts.Around = fonts.ALONE
) -> tuple[fonts.Shaped, ...]:
    """Shape one word as `fonts.shape` does, at a size of so many pixels: each glyph advances by whole pixels."""
    return tuple(_whole(piece, pixels) for piece in fonts.shape(name, text, (), around))


def _whole(piece: fonts.Shaped, pixels: float) -> fonts.Shaped:
    font = fonts.face(piece.face)
    units = font.units_per_em / pixels
    advances, done, total = [], 0, 0
    for glyph, advance in zip(piece.glyphs, piece.advances, strict=True):
        # Kerning is rounded by itself, as Pango rounds it.
        kerning = advance - font.font.get_glyph_h_advance(glyph)
        total += _advance(piece.face, glyph, pixels) + floor(kerning / units + 0.5)
        # Font units are whole, too; what is rounded off here is added to the next glyph.
        advances.append(round(total * units) - done)
        done += advances[-1]
    return replace(piece, advances=tuple(advances), width=total / pixels)


@cached(65536)
def _advance(name: str, glyph: int, pixels: float) -> int:
    """Return the advance of a glyph in pixels."""
    char = _characters(name).get(glyph)
    if char is None or not _has_instructions(name):
        font = fonts.face(name)
        return floor(int(font.font.get_glyph_h_advance(glyph)) * pixels / font.units_per_em + 0.5)
    # For black and white alone FreeType follows all of a font's instructions, those about widths as well.
    return round(_opened(name, round(pixels)).getlength(char, mode="1"))


@cached(None)
def _has_instructions(name: str) -> bool:
    return "fpgm" in fonts.face(name).font.face.table_tags


@cached(None)
def _characters(name: str) -> dict[int, str]:
    """Return a character for each glyph that has one."""
    font = fonts.face(name).font
    glyphs = ((font.get_nominal_glyph(code), chr(code)) for code in font.face.unicodes)
    return {glyph: char for glyph, char in glyphs if glyph is not None}


@cached(64)
def _opened(name: str, pixels: int) -> ImageFont.FreeTypeFont:
    # The bundled faces ask for whole pixels to the em (flag 3 in their table `head`).
    file = BytesIO(bytes(fonts.face(name).font.face.blob.data))
    return ImageFont.truetype(file, pixels, layout_engine=ImageFont.Layout.BASIC)
