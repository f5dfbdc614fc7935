"""Open a face of a set's own: its file, of a variable font the instance, checked to be the file that was laid out.

A variable font becomes an ordinary one first, so that shaping, drawing and embedding see the same outlines.
"""

from __future__ import annotations

import re

import uharfbuzz as hb

from render.text.font_files.font_face import FontFace
from render.text.font_files.font_reading import font_content
from render.text.font_files.own_face import CARRIED, OwnFace


class FontChangedError(OSError):
    """The file of a font is no longer the one that was laid out."""


def content_of(name: OwnFace) -> bytes:
    """Return the bytes of a face's file; FontChangedError if it is another file by now, or none."""
    content = CARRIED.get(name.digest) or font_content(name.file, name.digest)
    if content is None:
        raise FontChangedError(f"the font `{name.file}` changed while it was being drawn")
    return content


def open_own(name: OwnFace) -> FontFace:
    """Return a face of a set's own; FontChangedError."""
    program = content_of(name)
    opened = hb.Face(hb.Blob(_instance(program, name) if name.location else program))
    font = hb.Font(opened)
    extents = font.get_font_extents("ltr")
    em = opened.upem
    capitals = font.get_metric_position_with_fallback(hb.OTMetricsTag.CAP_HEIGHT)
    return FontFace(
        name=name,
        file=name.file,
        units_per_em=em,
        ascent=extents.ascender / em,
        descent=-extents.descender / em,
        font=font,
        cap_height=capitals / em,
        program_name=_program_name(name, opened),
        is_cff="CFF " in opened.table_tags,
    )


def _instance(content: bytes, name: OwnFace) -> bytes:
    """Return one place of a variable font as a font without axes."""
    wanted = hb.SubsetInput()
    wanted.keep_everything()
    wanted.flags |= hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.DOWNGRADE_CFF2
    face = hb.Face(hb.Blob(content))
    for tag, value in name.location:
        wanted.pin_axis_location(face, tag, value)
    made = hb.subset(face, wanted)
    return bytes(made.blob.data)


def _program_name(name: OwnFace, opened: hb.Face) -> str:
    """Return the name of the font in a PDF: its PostScript name, and what tells it from others of that name."""
    axes = "".join(f"{tag}{value:g}" for tag, value in name.location)
    words = re.sub(r"[^A-Za-z0-9-]", "", opened.get_name(6) or name.called)[:63] or "Font"
    return re.sub(r"[^A-Za-z0-9-]", "", f"{words}-{axes}-{name.digest[:12]}".replace("--", "-"))
