"""Faces: what is wrong with one, the names of those of a set's own, an open one, and the part that a PDF embeds.

A scene names faces by texts. That of a bundled face is all there is to know; those of a set's own also know their
file, so that every process can open it. They are pickled whole, and equal names mean equal content, wherever the file
lies.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import uharfbuzz as hb
from msgspec import Struct

from render.base.caches import stored
from render.base.findings import Diagnostic


class FontFault(Exception):
    """A font file, or a role, cannot be used; `file` is the font file, None if it is about no file."""

    def __init__(self, problem: Diagnostic, file: Path | None = None) -> None:
        self.problem, self.file = problem, file
        super().__init__(problem.message)


def damaged(name: str, how: str) -> Diagnostic:
    """Return what is said of a damaged font file."""
    return Diagnostic("L004", f"the font `{name}` is damaged: {how}", "get the file again from where it came")


# --- names ----------------------------------------------------------------------------------------------------------

Location = tuple[tuple[str, float], ...]
"""A place in a variable font: the value of each axis, in the order of their tags; empty for a font without axes."""

_SHOWN = 16  # hex digits of the digest in a name: 64 bits tell all fonts of a set apart
_MAX_PLACES = 8  # paths of one file, the last ones: more folders with the same font are seldom open at a time
_PLACES: dict[str, tuple[Path, ...]] = stored({})


class OwnFace(str):
    """The name of a face of a set's own. `digest` is the SHA-256 of its file; a variable font stands at `location`.

    What is kept by a name, such as shaped words, holds the name that asked first. The `file` of that one may have
    changed since, while another folder still has the same: `places` are all paths at which names found it.
    """

    __slots__ = ("called", "digest", "file", "location")

    called: str
    file: Path
    digest: str
    location: Location

    def __new__(cls, called: str, file: Path, digest: str, location: Location = ()) -> OwnFace:
        axes = "".join(f" {tag}={value:g}" for tag, value in location)
        name = super().__new__(cls, f"{called}{axes} #{digest[:_SHOWN]}")
        name.called, name.file, name.digest, name.location = called, file, digest, location
        known = (each for each in _PLACES.get(digest, ()) if each != file)
        _PLACES[digest] = (file, *known)[:_MAX_PLACES]
        return name

    @property
    def places(self) -> tuple[Path, ...]:
        """Where its file may lie: where this name found it, then where others did, the last one first."""
        return (self.file, *(each for each in _PLACES.get(self.digest, ()) if each != self.file))

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.called, self.places, self.digest, self.location)


def _restored(called: str, places: Sequence[Path], digest: str, location: Location) -> OwnFace:
    """Return a name from another process, and know all places that it knows."""
    first, *others = places
    for place in reversed(others):
        OwnFace(called, place, digest, location)
    return OwnFace(called, first, digest, location)


class FaceChain(str):
    """The names of faces in the order in which they are asked for a character; bundled faces follow the last one.

    Texts are in the `language`, by which a font may choose other letters; "" is English.
    """

    __slots__ = ("faces", "language")

    faces: tuple[str, ...]
    language: str

    def __new__(cls, faces: Sequence[str], language: str = "") -> FaceChain:
        chain = super().__new__(cls, f"first of: {' | '.join(faces)}{f' in {language}' if language else ''}")
        chain.faces, chain.language = tuple(faces), language
        return chain

    def __reduce__(self) -> tuple[type[FaceChain], tuple[tuple[str, ...], str]]:
        return FaceChain, (self.faces, self.language)


CARRIED: dict[str, bytes] = {}
"""The bytes of fonts by their SHA-256, whose files lie on another machine."""


@contextmanager
def with_fonts(contents: Mapping[str, bytes]) -> Iterator[None]:
    """Open fonts, within the block, from these bytes by their SHA-256, wherever their files lie."""
    CARRIED.update(contents)
    try:
        yield
    finally:
        for digest in contents:
            CARRIED.pop(digest, None)


# --- open faces -----------------------------------------------------------------------------------------------------


class FontFace(Struct, frozen=True, kw_only=True):
    """An open font file. `ascent`, `descent` and `cap_height` are in em, all positive; `font` is scaled to font units.

    `program_name` is what an embedded part of it is called. Its outlines are those of TrueType, or `is_cff`.
    """

    name: str
    file: Path
    units_per_em: int
    ascent: float
    descent: float
    font: hb.Font
    program_name: str
    cap_height: float
    is_cff: bool = False

    @property
    def resource(self) -> str:
        """The name by which the pages of a PDF call it."""
        return self.program_name if isinstance(self.name, OwnFace) else self.name.replace(" ", "")


def open_program(program: bytes, name: str, file: Path) -> FontFace:
    """Return the face of a font program, named in PDFs as its file is."""
    opened = hb.Face(hb.Blob(program))
    font = hb.Font(opened)
    extents, em = font.get_font_extents("ltr"), opened.upem
    return FontFace(
        name=name,
        file=file,
        units_per_em=em,
        ascent=extents.ascender / em,
        descent=-extents.descender / em,
        font=font,
        program_name=file.stem,
        cap_height=font.get_metric_position_with_fallback(hb.OTMetricsTag.CAP_HEIGHT) / em,
        is_cff="CFF " in opened.table_tags,
    )


# --- the part that a PDF embeds -------------------------------------------------------------------------------------

# Tables of layout and names: glyphs are already shaped, and codes are glyph numbers.
_NOT_EMBEDDED = ("GSUB", "GPOS", "GDEF", "name", "post", "OS/2", "cmap")


def embedded_program(face: FontFace, glyphs: Iterable[int], *, renumbered: bool = False) -> bytes:
    """Return the font program with these glyphs; RuntimeError if the font is damaged.

    Glyph numbers stay, since they are the codes in a PDF, unless they are `renumbered`, which takes less time.
    """
    wanted = hb.SubsetInput()
    wanted.flags = hb.SubsetFlags.NO_HINTING  # hints serve coarse screens only
    if not renumbered:
        wanted.flags |= hb.SubsetFlags.RETAIN_GIDS
    wanted.glyph_set.update(glyphs)
    for table in _NOT_EMBEDDED:
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


# --- outlines ---------------------------------------------------------------------------------------------------------


Steps = list[tuple[str, tuple[tuple[float, float], ...]]]
"""How a glyph is drawn, in font units: the methods of a pen as fontTools has them, and the points given to each."""


class _Recorder:
    """A pen that notes what it is told."""

    def __init__(self) -> None:
        self.steps: Steps = []

    def __getattr__(self, step: str) -> Callable[..., None]:
        return lambda *points: self.steps.append((step, points))


def drawing_steps(font: hb.Font, glyph: int) -> Steps:
    """Return how a glyph is drawn."""
    pen = _Recorder()
    font.draw_glyph_with_pen(glyph, pen)
    return pen.steps
