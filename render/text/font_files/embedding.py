"""The part of a font that a PDF embeds. A font of a set's own is tried with it before anything is drawn."""

from __future__ import annotations

import struct
from collections.abc import Iterable

import uharfbuzz as hb

from render.text.font_files.font_face import FontFace
from render.text.font_files.font_fault import FontFault, damaged

# Tables of layout and names: glyphs are already shaped, and codes are glyph numbers.
_DROPPED = ("GSUB", "GPOS", "GDEF", "name", "post", "OS/2", "cmap")


def embedded_program(face: FontFace, glyphs: Iterable[int], *, renumbered: bool = False) -> bytes:
    """Return the font program with these glyphs; RuntimeError if the font is damaged.

    Glyph numbers stay, since they are the codes in a PDF, unless they are `renumbered`, which takes less time.
    """
    wanted = hb.SubsetInput()
    wanted.flags = hb.SubsetFlags.NO_HINTING  # hints serve coarse screens only
    if not renumbered:
        wanted.flags |= hb.SubsetFlags.RETAIN_GIDS
    wanted.glyph_set.update(glyphs)
    for table in _DROPPED:
        wanted.drop_table_tag_set.add(struct.unpack(">I", table.encode("ascii"))[0])
    if not face.is_cff:
        return bytes(hb.subset(face.font.face, wanted).blob.data)
    # Of a font with the outlines of PostScript, a PDF holds the table with them alone (9.9, table 126). Codes are
    # glyph numbers there, too, if each glyph's own identifier is its number.
    wanted.flags |= hb.SubsetFlags.CFF_IDENTITY_CHARSET | hb.SubsetFlags.DESUBROUTINIZE
    return bytes(hb.subset(face.font.face, wanted).reference_table("CFF ").data)


def bounding_box(face: FontFace) -> tuple[int, int, int, int]:
    """Return left, bottom, right and top of all glyphs, in font units; struct.error if the font is damaged."""
    left, bottom, right, top = struct.unpack(">4h", face.font.face.reference_table("head").data[36:44])
    return left, bottom, right, top


def try_embedding(face: FontFace) -> None:
    """Raise FontFault if a font cannot be embedded, whichever of its glyphs are used."""
    last = face.font.face.glyph_count - 1
    try:
        bounding_box(face)
        program = embedded_program(face, (0, last))
    except (RuntimeError, struct.error):
        program = b""
    if not program:
        raise FontFault(damaged(face.file.name, "no part of it can be embedded in a PDF"), face.file)


def try_glyphs(face: FontFace, glyphs: Iterable[int]) -> None:
    """Raise FontFault if these glyphs of a font, which can be embedded, cannot be."""
    try:
        embedded_program(face, glyphs, renumbered=True)
    except RuntimeError:
        raise FontFault(damaged(face.file.name, "letters of it cannot be embedded in a PDF"), face.file) from None
