"""The glyphs of a bundled face that a line of a card may be made of, and their pictures at one size.

There are two kinds: outlines, which this program draws at places between two pixels, and hinted glyphs, which GIMP sets
on whole pixels by the instructions in the font. Lengths of glyphs are in em.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import ceil

import numpy as np
import uharfbuzz as hb
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from render.base import guard
from render.base.caches import cached
from render.base.limits import TO_READ_LETTERS
from render.text import fonts
from render.text.font_files.font_face import drawing_steps

Coverage = NDArray[np.float32]

LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")  # those of DejaVu
_PUNCTUATION = "¡¿§¶©®°·×÷±«»–—‘’“”„†•…′″€™→←↑↓−≤≥≠½¼¾¹²³★☆♥♦♣♠∞"
_LATIN = "".join(map(chr, range(0x21, 0x7F)))
_ACCENTED = "".join(map(chr, (*range(0xC0, 0xD7), *range(0xD8, 0xF7), *range(0xF8, 0x180), *range(0x218, 0x21C))))
_OF_TWO = "ĲĳĿŀŉ"  # one character for two, which look the same and are what people write
_SAME = "ÐĐ"  # nobody can tell which

_PROBES = "oaeuyAVTWY.,-"  # what kerns most

USUAL = (*_LATIN, *LIGATURES, *_PUNCTUATION, *(char for char in _ACCENTED if char not in _OF_TWO + _SAME))
DIGITS = tuple("0123456789")


class Glyph(Struct, frozen=True):
    """A glyph that stands for `text`, several characters if it is a ligature; `left` and `right` bound its ink.

    `ambiguous` says that another glyph of ASCII looks the same.
    """

    text: str
    face: str
    number: int
    advance: float
    left: float
    right: float
    ambiguous: bool = False


class Alphabet(Struct, frozen=True, eq=False, dict=True):
    """Glyphs of one face, each with another look; `advance` and `left` hold those of all.

    `alone` is how far each reaches before the next may begin: less than its advance where letters kern.
    """

    face: str
    glyphs: tuple[Glyph, ...]
    alone: Coverage
    hinting: Hinting | None = None

    @cached_property
    def advance(self) -> Coverage:
        return np.array([glyph.advance for glyph in self.glyphs], np.float32)

    @cached_property
    def left(self) -> Coverage:
        return np.array([glyph.left for glyph in self.glyphs], np.float32)


class Hinting(Struct, frozen=True, eq=False):
    """What hinted glyphs have more than outlines: their size in px, and the outlines that they are made of.

    `bitmaps` are the ink of each and the row below it, counted downwards from the baseline.
    """

    size: int
    outlines: Alphabet
    indexes: NDArray[np.int64]
    bitmaps: tuple[tuple[int, Coverage], ...]


@cached(32)
def alphabet(face: str, texts: tuple[str, ...]) -> Alphabet:
    """Return the glyphs of a face for these texts; of texts that look the same, the first."""
    glyphs = tuple(_different_outlines(face, texts))
    probes = [glyph for glyph in glyphs if glyph.text in _PROBES]
    alone = [glyph.advance + min((0.0, *(_kern(face, glyph, probe) for probe in probes))) for glyph in glyphs]
    return Alphabet(face, glyphs, np.array(alone, np.float32))


def _different_outlines(face: str, texts: Iterable[str]) -> Iterator[Glyph]:
    seen = set[object]()
    for text in texts:
        pieces = fonts.shape(face, text)
        if len(pieces) != 1 or len(pieces[0].glyphs) != 1 or 0 in pieces[0].glyphs:
            continue  # missing, or no single glyph: a ligature that this face has not
        number, width = pieces[0].glyphs[0], pieces[0].width
        opened = fonts.face(pieces[0].face)
        # The same for glyphs with the same outline, such as the Latin and the Cyrillic `A`.
        look = (*drawing_steps(opened.font, number),), width
        if look not in seen:
            seen.add(look)
            extents, em = opened.font.get_glyph_extents(number), opened.units_per_em
            left, right = extents.x_bearing / em, (extents.x_bearing + extents.width) / em
            yield Glyph(text, pieces[0].face, number, width, left, right)


@cached(4096)
def kerning(glyphs: Alphabet, before: int) -> Coverage:
    """Return by how many em each glyph of the alphabet moves when it stands behind the glyph number `before`."""
    if (hinting := glyphs.hinting) is not None:  # as Pango rounds it
        moved = kerning(hinting.outlines, int(hinting.indexes[before]))[hinting.indexes]
        return np.asarray(np.floor(moved * hinting.size + 0.5) / hinting.size, np.float32)
    first = glyphs.glyphs[before]
    return np.array([_kern(glyphs.face, first, glyph) for glyph in glyphs.glyphs], np.float32)


def _kern(face: str, first: Glyph, second: Glyph) -> float:
    if first.face != second.face:
        return 0.0
    pieces = fonts.shape(face, first.text + second.text)
    if len(pieces) != 1 or pieces[0].glyphs != (first.number, second.number):
        return 0.0  # they join to a ligature, which is a glyph of its own
    em = fonts.face(first.face).units_per_em
    return pieces[0].advances[0] / em - first.advance + pieces[0].advances[1] / em - second.advance


# --- hinted glyphs ----------------------------------------------------------------------------------------------------


_LIGATURE_CODES = dict(zip(LIGATURES, "ﬀﬁﬂﬃﬄ", strict=True))
_FAINT = 0.05  # coverage: a column with less may be missing in a picture
# FreeType reads it once, as a worker starts. Interpreter 35 also follows the instructions that move strokes sideways.
_ENVIRONMENT = {"FREETYPE_PROPERTIES": "truetype:interpreter-version=35"}
_ALIKE = 0.16  # coverage by which no pixel of two glyphs differs that look the same


@cached(96)
def hinted_alphabets(face: str, sizes: tuple[int, ...], texts: tuple[str, ...]) -> tuple[Alphabet, ...]:
    """Return the glyphs of a face as GIMP draws them at each of these sizes in px; none if they cannot be drawn."""
    outlines = alphabet(face, texts)
    kept = [index for index, glyph in enumerate(outlines.glyphs) if glyph.face == face]
    asked = [_LIGATURE_CODES.get(outlines.glyphs[index].text, outlines.glyphs[index].text) for index in kept]
    file = str(fonts.face(face).file)
    try:
        drawn = guard.run(draw_letters, file, sizes, asked, limits=TO_READ_LETTERS, environment=_ENVIRONMENT)
    except (guard.TooMuchError, guard.WorkFailedError, OSError):
        return ()
    return tuple(
        _hinted(outlines, size, list(zip(kept, letters, strict=True)))
        for size, letters in zip(sizes, drawn, strict=True)
    )


def hinted_height(size: int) -> tuple[int, int]:
    """Return the rows that a line of hinted letters has above its baseline and below."""
    return ceil(0.95 * size), ceil(0.25 * size)


Letter = tuple[float, float, float, int, int, bytes]
"""The advance of a letter, and left, top (from the baseline, upwards), width and height of its picture, all in px."""


def draw_letters(file: str, sizes: Sequence[int], texts: Sequence[str]) -> list[list[Letter]]:
    """Return texts drawn in a font at each size; in the worker."""
    from PIL import ImageFont

    drawn = []
    for size in sizes:
        font = ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
        letters = []
        for text in texts:
            mask, (left, top) = font.getmask2(text, mode="L", anchor="ls")
            letters.append((font.getlength(text, mode="L"), left, -top, *mask.size, bytes(mask)))
        drawn.append(letters)
    return drawn


def _hinted(outlines: Alphabet, size: int, letters: Iterable[tuple[int, Letter]]) -> Alphabet:
    """Return the letters of a size; of those that look the same, the first: texts begin with ASCII."""
    glyphs: list[Glyph] = []
    indexes: list[int] = []
    bitmaps: list[tuple[int, Coverage]] = []
    alike: defaultdict[object, list[int]] = defaultdict(list)
    for index, (advance, left, top, width, height, picture) in letters:
        coverage = np.frombuffer(picture, np.uint8).reshape(height, width).astype(np.float32) / np.float32(255)
        rows = np.flatnonzero(coverage.max(axis=1, initial=0.0) > _FAINT)
        columns = np.flatnonzero(coverage.max(axis=0, initial=0.0) > _FAINT)
        if not len(rows):
            continue
        ink = np.ascontiguousarray(coverage[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
        begin, below = round(left) + int(columns[0]), int(rows[-1]) + 1 - round(top)
        outline = outlines.glyphs[index]
        glyph = replace(outline, advance=round(advance) / size, left=begin / size, right=(begin + ink.shape[1]) / size)
        for number in alike[below, ink.shape]:
            other = glyphs[number]
            near = max(abs(glyph.advance - other.advance), abs(glyph.left - other.left)) * size < 1.5
            if near and np.abs(bitmaps[number][1] - ink).max() < _ALIKE:
                glyphs[number] = replace(other, ambiguous=other.ambiguous or glyph.text.isascii())
                break
        else:
            alike[below, ink.shape].append(len(glyphs))
            glyphs.append(glyph)
            indexes.append(index)
            bitmaps.append((below, ink))
    numbers = np.array(indexes, np.int64)
    # Kerning is rounded, and may be a pixel off.
    kerned = (outlines.alone - outlines.advance)[numbers] - 2 / size
    alone = np.array([glyph.advance for glyph in glyphs], np.float32) + kerned
    return Alphabet(outlines.face, tuple(glyphs), alone, Hinting(size, outlines, numbers, tuple(bitmaps)))


# --- pictures -------------------------------------------------------------------------------------------------------------

ABOVE, BELOW = 0.945, 0.238  # em: what lines of text reach above and below their baseline without touching others
_OVERHANG = 0.2  # em: what a glyph reaches to the left of its start, and to the right of its end
_WIDEST = 1.15  # em
_SMALL = 26.0  # px: below it, an eighth of a pixel shows
_COARSE = 28.0  # px: at twice this size, every second row shows as much


class Type(Struct, frozen=True):
    """How glyphs are drawn: their size in px (the em across is `size * stretch`), on a baseline that may be any height.

    A line has `above` rows above the row of its baseline, and `below` from there on; the baseline itself lies `rise` px
    above that row. Hinted glyphs start at whole pixels.
    """

    size: float
    stretch: float
    rise: float
    above: int
    below: int
    hinted: bool = False

    @property
    def em(self) -> float:
        """The em across, in px."""
        return self.size * self.stretch

    @property
    def pad(self) -> int:
        """The columns of a picture left of the glyph's start."""
        return ceil(_OVERHANG * self.em) + 1

    @property
    def width(self) -> int:
        return self.pad + ceil((_WIDEST + _OVERHANG) * self.em) + 1

    @property
    def coarseness(self) -> int:
        """Of how many rows of pixels one is enough for a first look."""
        return 1 + int(self.size // _COARSE)

    @property
    def phases(self) -> int:
        """The places between two pixels at which glyphs are drawn."""
        return 1 if self.hinted else 8 if self.size < _SMALL else 4


class GlyphPictures(Struct, frozen=True, eq=False):
    """Pictures (glyph, row, column) of the glyphs, each with its start at column `pad` plus a part of a pixel.

    `shades` are the pictures as bytes, 255 for black: as coverage they would take four times the memory.
    `known` is the column up to which a picture is that of the glyph alone, whatever follows it, and `masked` are the
    pictures up to there, one a row, of every `coarseness`-th row of pixels; `energy` is the sum of the squares of each.
    """

    shades: NDArray[np.uint8]
    known: NDArray[np.int64]
    masked: Coverage
    energy: Coverage

    def picture(self, glyph: int) -> Coverage:
        """Return the picture of a glyph, by its number in the alphabet."""
        shades: Coverage = self.shades[glyph].astype(np.float32)
        shades /= 255
        return shades


@cached(48)
def glyph_pictures(glyphs: Alphabet, look: Type, phase: int) -> GlyphPictures:
    """Return the pictures of the glyphs that start `phase` steps behind a whole pixel."""
    shift = phase / look.phases
    if glyphs.hinting is not None:
        pictures = np.stack(
            [_placed(glyphs.hinting, index, glyphs.left[index], look) for index in range(len(glyphs.glyphs))]
        )
    else:
        pictures = np.stack([_drawn(glyph, look, shift) for glyph in glyphs.glyphs])
    known = np.floor(look.pad + shift + glyphs.alone * look.em).astype(np.int64)
    columns = np.arange(look.width)
    rows = pictures[:, :: look.coarseness]
    masked = np.where(columns < known[:, None, None], rows, np.float32(0)).reshape(len(pictures), -1)
    return GlyphPictures(np.rint(pictures * 255).astype(np.uint8), known, masked, np.square(masked).sum(axis=1))


def _drawn(glyph: Glyph, look: Type, shift: float) -> Coverage:
    picture = np.zeros((look.above + look.below, look.width), np.float32)
    pen = hb.RasterDraw()
    draw_glyph(pen, glyph.face, glyph.number, look, look.pad + shift)
    return rendered(pen, picture)


def _placed(hinting: Hinting, index: int, left: float, look: Type) -> Coverage:
    """Return a bitmap on its baseline; black all over if it is higher than the line, so that it fits nowhere."""
    below, bitmap = hinting.bitmaps[index]
    height, width = bitmap.shape
    picture = np.zeros((look.above + look.below, look.width), np.float32)
    bottom, begin = look.above + below, look.pad + round(left * hinting.size)
    if bottom < height or bottom > len(picture):
        picture[:] = 1.0
    else:
        picture[bottom - height : bottom, begin : begin + width] = bitmap
    return picture


def draw_glyph(pen: hb.RasterDraw, face: str, glyph: int, look: Type, x: float, rise: float = 0.0) -> None:
    """Add a glyph to what a pen draws: its start at `x` px, on the baseline of a line, or `rise` font units above."""
    opened = fonts.face(face)
    unit = look.size / opened.units_per_em
    pen.transform = (unit * look.stretch, 0.0, 0.0, -unit, x, look.above - look.rise - rise * unit)
    pen.draw_glyph(opened.font, glyph)


def rendered(pen: hb.RasterDraw, picture: Coverage) -> Coverage:
    """Return what a pen has drawn on a picture that may be smaller than that."""
    drawn = pen.render()
    extents = drawn.extents
    if extents.width == 0 or extents.height == 0:
        return picture
    rows = np.frombuffer(drawn.buffer, np.uint8).reshape(extents.height, extents.stride)[:, : extents.width]
    height, width = picture.shape
    top, left = max(extents.y_origin, 0), max(extents.x_origin, 0)
    bottom, right = min(extents.y_origin + extents.height, height), min(extents.x_origin + extents.width, width)
    if top < bottom and left < right:
        part = rows[
            top - extents.y_origin : bottom - extents.y_origin, left - extents.x_origin : right - extents.x_origin
        ]
        picture[top:bottom, left:right] = part / np.float32(255)
    return picture
