"""Open a face of a set's own: its file, of a variable font the instance, checked to be the file that was laid out.

A variable font becomes an ordinary one first, so that shaping, drawing and embedding see the same outlines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import process_time

import uharfbuzz as hb
from msgspec.structs import replace

from render.base import guard
from render.base.caches import stored
from render.base.findings import Diagnostic
from render.base.limits import FONT_SETTING, GLYPH_POINTS, GLYPH_REACH, TO_VARY_FONT
from render.text.font_files.font_face import (
    CARRIED,
    FontFace,
    FontFault,
    OwnFace,
    drawing_steps,
    open_program,
    try_embedding,
    try_glyphs,
)
from render.text.font_files.font_reading import font_content


class FontChangedError(OSError):
    """The file of a font is no longer the one that was laid out."""


def content_of(name: OwnFace) -> bytes:
    """Return the bytes of a face's file; FontChangedError if it is another file by now, or none."""
    kept = (font_content(place, name.digest) for place in name.places)
    content = CARRIED.get(name.digest) or next((each for each in kept if each is not None), None)
    if content is None:
        raise FontChangedError(f"the font `{name.file}` changed while it was being drawn")
    return content


def open_own(name: OwnFace) -> FontFace:
    """Return a face of a set's own; FontChangedError."""
    program = content_of(name)
    if name.location:
        program = _kept_instance(program, name)
    face = open_program(program, name, name.file)
    height = face.ascent + face.descent
    if not 0 < height <= GLYPH_REACH.most:
        message = f"the font `{name.file.name}` says that its lines are {height:g} em high"
        raise FontFault(Diagnostic("L004", message, "get the file again from where it came"), name.file)
    face = replace(face, program_name=_program_name(name, face.font.face))
    try_embedding(face)
    return face


_INSTANCES: dict[str, bytes | FontFault] = stored({})


def _kept_instance(content: bytes, name: OwnFace) -> bytes:
    """Return the instance, made once; FontFault again at once if it could not be made."""
    if name not in _INSTANCES:
        try:
            _INSTANCES[name] = _instance(content, name)
        except FontFault as fault:
            _INSTANCES[name] = fault
    made = _INSTANCES[name]
    if isinstance(made, FontFault):
        raise FontFault(made.problem, made.file)
    return made


def _instance(content: bytes, name: OwnFace) -> bytes:
    """Return one place of a variable font as a font without axes; FontFault if that takes too much, or fails.

    A worker makes it, since the size of a font does not tell what it unpacks to.
    """
    how = "cannot be varied"
    try:
        made: bytes = guard.run(instance_of, content, name.location, limits=TO_VARY_FONT)
        if hb.Face(hb.Blob(made)).glyph_count:
            return made
    except guard.TooMuchError:
        how = f"cannot be varied within {TO_VARY_FONT}"
    except guard.WorkFailedError:
        pass
    problem = Diagnostic("L008", f"the font `{name.file.name}` {how}", "use a font of its family that is not variable")
    raise FontFault(problem, name.file)


def instance_of(content: bytes, location: Sequence[tuple[str, float]]) -> bytes:
    """Return one place of a variable font; in the worker."""
    face, wanted = hb.Face(hb.Blob(content)), hb.SubsetInput()
    wanted.keep_everything()
    wanted.flags |= hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.DOWNGRADE_CFF2
    for tag, value in location:
        wanted.pin_axis_location(face, tag, float(value))
    made = bytes(hb.subset(face, wanted).blob.data)
    if face.glyph_count and not hb.Face(hb.Blob(made)).glyph_count:  # all that HarfBuzz says if it finds no memory
        raise MemoryError
    return made


def _program_name(name: OwnFace, opened: hb.Face) -> str:
    """Return the name of the font in a PDF: its PostScript name, and what tells it from others of that name."""
    axes = "".join(f"{tag}{value:g}" for tag, value in name.location)
    words = re.sub(r"[^A-Za-z0-9-]", "", opened.get_name(6) or name.called)[:63] or "Font"
    return re.sub(r"[^A-Za-z0-9-]", "", f"{words}-{axes}-{name.digest[:12]}".replace("--", "-"))


# --- what setting text takes ----------------------------------------------------------------------------------------

_CHECKED: dict[str, set[int]] = stored({})
_SPENT: dict[str, float] = stored({})


@contextmanager
def shaping(face: FontFace) -> Iterator[None]:
    """Count the time that the rules of a font take; FontFault once they have taken too much.

    No single word takes long, since HarfBuzz bounds the steps for each.
    """
    if _SPENT.get(face.name, 0.0) > FONT_SETTING.most:
        hint = "use another font: its rules for ligatures and kerning are made badly, or to do harm"
        message = f"the font `{face.file.name}` took more than {FONT_SETTING} to set words"
        raise FontFault(Diagnostic("L008", message, hint), face.file)
    begun = process_time()
    yield
    _SPENT[face.name] = _SPENT.get(face.name, 0.0) + process_time() - begun


def check_glyphs(face: FontFace, glyphs: Iterable[int]) -> None:
    """Raise FontFault for a glyph that would take too much to draw, or cannot be printed; each is looked at once."""
    checked = _CHECKED.setdefault(face.name, set())
    others = [glyph for glyph in dict.fromkeys(glyphs) if glyph not in checked]
    for glyph in others:
        points = [point for _, given in drawing_steps(face.font, glyph) for point in given]
        reach = max((abs(each) for point in points for each in point), default=0.0) / face.units_per_em
        if len(points) > GLYPH_POINTS.most or reach > GLYPH_REACH.most:
            how = f"reaches {reach:.0f} em far" if reach > GLYPH_REACH.most else f"has {len(points)} points"
            message = f"the glyph {glyph} of the font `{face.file.name}` {how}, which no letter needs"
            raise FontFault(Diagnostic("L008", message, "use another font"), face.file)
    if others:
        try_glyphs(face, others)
        checked.update(others)
