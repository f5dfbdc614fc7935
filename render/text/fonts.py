"""Font faces: choosing a bundled one, shaping words, and the characters that faces cover.

Words are shaped once, in font units. Widths scale linearly, so every later measure is arithmetic. Only this module
shapes with uharfbuzz; `png` uses its rasterizer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from unicodedata import combining

import uharfbuzz as hb
from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.resources import FONTS
from render.text.font_files.font_face import FaceChain, FontFace, OwnFace, drawing_steps, open_program

SANS = "DejaVu Sans"

_DEJAVU = {
    "DejaVu Sans": "DejaVuSans.ttf",
    "DejaVu Sans Oblique": "DejaVuSans-Oblique.ttf",
    "DejaVu Sans Bold": "DejaVuSans-Bold.ttf",
    "DejaVu Sans Condensed": "DejaVuSansCondensed.ttf",
    "DejaVu Sans Condensed Oblique": "DejaVuSansCondensed-Oblique.ttf",
    "DejaVu Sans Condensed Bold": "DejaVuSansCondensed-Bold.ttf",
}
# For credit lines alone: they have few letters, and names that no font of a set has.
_OF_CREDITS = {"Droid Sans Latin": "DroidSans-Latin.ttf", "Roboto Latin": "Roboto-Latin.ttf"}
FILES = {**_DEJAVU, **_OF_CREDITS}
NAMES = tuple(_DEJAVU)
"""The faces that supply what others lack."""

CAP_HEIGHT = 0.729  # em, of every face of DejaVu 2.37: the height of `H` (1493 of 2048 units)
_OTHER_CAP_HEIGHTS = {"Droid Sans Latin": 0.714, "Roboto Latin": 0.711}  # em: 1462 and 1456 of 2048 units


class Shaped(Struct, frozen=True, kw_only=True):
    """Glyphs of one face, with advances in font units; `text[i]` is what glyph i stands for.

    Glyphs stand from left to right, whatever the direction of their letters. `rises` lifts single glyphs off the
    baseline (an accent over a capital), in font units; empty if no glyph is lifted. The first glyph stands `start` units off
    its place. `width` is the sum of that and the advances in em.
    """

    face: str
    glyphs: tuple[int, ...]
    advances: tuple[int, ...]
    text: tuple[str, ...]
    rises: tuple[int, ...]
    width: float
    start: int = 0


class FontError(OSError):
    """A bundled font is missing or unreadable: the installation is broken."""


@cached(None)
def face(name: str) -> FontFace:
    """Return the face of that name, or the first of a chain; FontError if its file cannot be read."""
    if isinstance(name, FaceChain):
        opened_first: FontFace = face(name.faces[0])
        return opened_first
    if isinstance(name, OwnFace):
        from render.text.font_files.own_opening import open_own

        return open_own(name)
    file = FONTS / FILES[name]
    if not file.is_file():
        raise FontError(f"the font `{file}` is missing: reinstall kotc")
    opened = open_program(file.read_bytes(), name, file)  # read, not mapped: a mapped file may be replaced
    return replace(opened, cap_height=_OTHER_CAP_HEIGHTS.get(name, CAP_HEIGHT))


def choose(family: str, *, italic: bool, bold: bool, condensed: bool) -> str | None:
    """Return the name of the face of that family and style; None if no such face is bundled."""
    words = [family, "Condensed" if condensed else "", "Bold" if bold else "", "Oblique" if italic else ""]
    name = " ".join(word for word in words if word)
    return name if name in FILES else None


Features = tuple[tuple[str, int], ...]
"""OpenType features that are switched: tags and values, such as `("smcp", 1)` and `("kern", 0)`."""

Around = tuple[str, str, str]
"""The direction of a text, `ltr`, `rtl`, or "" for that of its letters; and what stands before and behind, to join with."""
ALONE: Around = ("", "", "")
FROM_RIGHT: Around = ("rtl", "", "")
_NEAR = 5  # characters beside a text that HarfBuzz looks at


@cached(64)
def features_of(name: str) -> frozenset[str]:
    """Return the tags of the OpenType features that a face, or the first of a chain, has for any script."""
    program, tags = face(name).font.face, set[str]()
    for table in ("GSUB", "GPOS"):
        for index in range(len(program.get_table_script_tags(table))):
            tags.update(program.get_language_feature_tags(table, index))
    return frozenset(tags)


@cached(16384)
def shape(name: str, text: str, features: Features = (), around: Around = ALONE) -> tuple[Shaped, ...]:
    """Shape one word, with kerning, ligatures and the features given; the result is one piece a face.

    Pieces are in the order of reading, and the glyphs of each from left to right.

    Where the face lacks a character that another bundled face, or one of its chain, has, that stretch is set in the
    other face. A character that no face has becomes the missing glyph; `missing` finds such characters beforehand.
    """
    faces, language = (name.faces, name.language or "en") if isinstance(name, FaceChain) else ((name,), "en")
    if _covers(faces[0], text):
        return (_shape(faces[0], text, features, language, around),)
    pieces: list[tuple[str, str]] = []
    for char in text:
        # An accent stays with its letter where the face of the letter has it.
        with_last = pieces and (combining(char) or char in _WITHOUT_GLYPHS) and _covers(pieces[-1][0], char)
        chosen = (
            pieces[-1][0] if with_last else next((each for each in (*faces, *NAMES) if _covers(each, char)), faces[0])
        )
        if pieces and pieces[-1][0] == chosen:
            pieces[-1] = (chosen, pieces[-1][1] + char)
        else:
            pieces.append((chosen, char))
    ends = [0, *accumulate(len(piece) for _, piece in pieces)]
    direction, before, after = around
    return tuple(
        _shape(
            chosen,
            piece,
            features,
            language,
            (direction, before + text[max(begin - _NEAR, 0) : begin], text[end : end + _NEAR] + after),
        )
        for (chosen, piece), (begin, end) in zip(pieces, pairwise(ends), strict=True)
    )


def width(name: str, text: str) -> float:
    """Return the natural width of the word in em."""
    return sum(piece.width for piece in shape(name, text))


def left_edge(piece: Shaped) -> int:
    """Return where the outline of the first glyph begins, in font units from its place on the baseline."""
    extents = face(piece.face).font.get_glyph_extents(piece.glyphs[0])
    return extents.x_bearing if extents else 0


@cached(65536)
def glyph_width(name: str, glyph: int) -> int:
    """Return the advance of a glyph as its font has it, in font units."""
    width: int = face(name).font.get_glyph_h_advance(glyph)
    return width


@cached(65536)
def glyph_reach(name: str, glyph: int) -> tuple[float, float]:
    """Return how far the outline of a glyph reaches above and below the baseline, in em."""
    opened = face(name)
    extents = opened.font.get_glyph_extents(glyph)
    if not extents:
        return 0.0, 0.0
    top = extents.y_bearing  # HarfBuzz counts y upwards, and so the height of an outline is negative
    return top / opened.units_per_em, -(top + extents.height) / opened.units_per_em


@cached(256)
def has_colors(name: str) -> bool:
    """Return whether a face has any letters in colors."""
    program = face(name).font.face
    return bool(program.has_color_layers or program.has_color_paint or program.has_color_png or program.has_color_svg)


@cached(4096)
def is_colored(name: str, glyph: int) -> bool:
    """Return whether a face has a glyph in colors: only its outline is drawn."""
    font = face(name).font
    program = font.face
    drawings = (
        program.get_glyph_color_layers(glyph) or program.get_glyph_color_svg(glyph) or font.get_glyph_color_png(glyph)
    )
    return bool(drawings) or bool(program.glyph_has_color_paint(glyph))


def has_outline(name: str, glyph: int) -> bool:
    """Return whether a face draws anything of a glyph but what it has in colors."""
    return bool(drawing_steps(face(name).font, glyph))


def missing(text: str, name: str = SANS) -> list[int]:
    """Return the indexes of the characters that neither a face nor its chain, nor any bundled face, has."""
    if _covers(SANS, text):  # nearly always, and then the other faces need not be opened
        return []
    known = _covered_by_any()
    own = name.faces if isinstance(name, FaceChain) else ()
    return [
        index for index, char in enumerate(text) if char not in known and not any(_covers(each, char) for each in own)
    ]


def _shape(name: str, text: str, features: Features, language: str, around: Around) -> Shaped:
    opened = face(name)
    buffer = hb.Buffer()
    direction, before, after = around
    if before or after:
        buffer.add_str(before + text + after, len(before), len(text))
    else:
        buffer.add_str(text)
    buffer.guess_segment_properties()
    if direction:
        buffer.direction = direction
    buffer.language = language  # HarfBuzz would take it from the system
    buffer.cluster_level = hb.BufferClusterLevel.MONOTONE_CHARACTERS  # an accent keeps its own entry in `text`
    if isinstance(name, OwnFace):
        _shape_own(opened, buffer, features)
    else:
        hb.shape(opened.font, buffer, dict(features))
    infos, positions = buffer.glyph_infos, buffer.glyph_positions
    starts = [info.cluster - len(before) for info in infos]
    is_turned = buffer.direction == "rtl"
    if is_turned:
        pieces = _read_backwards(opened, text, list(zip(starts, (info.codepoint for info in infos), strict=True)))
    else:
        # A glyph stands for the characters up to the next glyph's cluster; the second glyph of a cluster for none.
        pieces = [text[a:b] if a != b else "" for a, b in pairwise([*starts, len(text)])]
    offsets = [place.x_offset for place in positions]
    advances = _with_offsets([place.x_advance for place in positions], offsets)
    # From right to left, an accent over the last letter is the first glyph.
    start = offsets[0] if is_turned and offsets else 0
    if start:
        advances[0] -= start
    return Shaped(
        face=name,
        glyphs=tuple(info.codepoint for info in infos),
        advances=tuple(advances),
        text=tuple(pieces),
        # HarfBuzz counts y upwards.
        rises=tuple(place.y_offset for place in positions) if any(place.y_offset for place in positions) else (),
        width=(start + sum(advances)) / opened.units_per_em,
        start=start,
    )


def _read_backwards(opened: FontFace, text: str, glyphs: Sequence[tuple[int, int]]) -> list[str]:
    """Return what glyphs stand for, of which each has the start of its cluster: from left to right, so the last first.

    Of a letter with several accents, each glyph stands for its own.
    """
    pieces, end = list[str](), len(text)
    for start, group in groupby(glyphs, itemgetter(0)):
        numbers = [glyph for _, glyph in group]
        own = {opened.font.get_nominal_glyph(ord(char)): char for char in text[start:end]}
        are_own = len(numbers) == end - start and own.keys() == {*numbers}
        pieces += [own[glyph] for glyph in numbers] if are_own else [text[start:end], *[""] * (len(numbers) - 1)]
        end = start
    return pieces


def _shape_own(opened: FontFace, buffer: hb.Buffer, features: Features) -> None:
    """Shape with a font that nobody knows; FontFault if it takes too much."""
    from render.text.font_files import own_opening

    with own_opening.shaping(opened):
        hb.shape(opened.font, buffer, dict(features))
    own_opening.check_glyphs(opened, (info.codepoint for info in buffer.glyph_infos))


def _with_offsets(advances: list[int], offsets: list[int]) -> list[int]:
    """Add a glyph's sideways shift (an accent over its letter) to the advance before it and take it off its own."""
    for index, offset in enumerate(offsets):
        if offset and index:
            advances[index - 1] += offset
            advances[index] -= offset
    return advances


# What texts may hold and no font need have: line ends and tabs; hyphens and spaces without width; what joins or parts
# letters and turns them.
_WITHOUT_GLYPHS = frozenset("\n\t\u00ad\u200b\u200c\u200d\u200e\u200f\u061c")


@cached(None)
def _coverage(name: str) -> frozenset[str]:
    return frozenset(map(chr, face(name).font.face.unicodes)) | _WITHOUT_GLYPHS


@cached(None)
def _covered_by_any() -> frozenset[str]:
    return frozenset().union(*(_coverage(name) for name in NAMES))


def _covers(name: str, text: str) -> bool:
    if isinstance(name, OwnFace):
        # The list of all its characters may be as long as a small file says it is.
        font = face(name).font
        return all(char in _WITHOUT_GLYPHS or font.get_nominal_glyph(ord(char)) for char in text)
    return all(map(_covered(name).__getitem__, text))


class _Covered(dict[str, bool]):
    """Which characters a face has, as far as anybody asked: the list of all takes a millisecond."""

    def __init__(self, name: str) -> None:
        super().__init__(dict.fromkeys(_WITHOUT_GLYPHS, True))
        self._font = face(name).font

    def __missing__(self, char: str) -> bool:
        has = self[char] = bool(self._font.get_nominal_glyph(ord(char)))
        return has


@cached(None)
def _covered(name: str) -> _Covered:
    return _Covered(name)
