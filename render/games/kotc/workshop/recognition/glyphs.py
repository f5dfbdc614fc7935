"""The signs of a bundled face that a line of a card may be made of, and their pictures at one size. Lengths of signs are in em."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
import uharfbuzz as hb
from numpy.typing import NDArray

from render.base.caches import cached
from render.text import fonts
from render.text.font_files.font_face import drawing_steps

Numbers = NDArray[np.float32]

LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")  # those of DejaVu
_PUNCTUATION = "¡¿§¶©®°·×÷±«»–—‘’“”„†•…′″€™→←↑↓−≤≥≠½¼¾¹²³★☆♥♦♣♠∞"
_LATIN = "".join(map(chr, range(0x21, 0x7F)))
_ACCENTED = "".join(map(chr, (*range(0xC0, 0xD7), *range(0xD8, 0xF7), *range(0xF8, 0x180), *range(0x218, 0x21C))))
_OF_TWO = "ĲĳĿŀŉ"  # one character for two, which look the same and are what people write
_SAME = "ÐĐ"  # nobody can tell which

_PROBES = "oaeuyAVTWY.,-"  # signs that kern most

USUAL = (*_LATIN, *LIGATURES, *_PUNCTUATION, *(char for char in _ACCENTED if char not in _OF_TWO + _SAME))
DIGITS = tuple("0123456789")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A glyph that stands for `text`; a ligature stands for several characters. `left` and `right` bound its ink."""

    text: str
    face: str
    glyph: int
    advance: float
    left: float
    right: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Alphabet:
    """Signs of one face, each with another look; `advance`, `left` and `right` hold those of all signs.

    `alone` is how far each reaches before the next sign may begin: less than its advance where letters kern.
    """

    face: str
    signs: tuple[Sign, ...]
    advance: Numbers
    left: Numbers
    right: Numbers
    alone: Numbers


@cached(32)
def alphabet(face: str, texts: tuple[str, ...]) -> Alphabet:
    """Return the signs of a face for these texts; of texts that look the same, the first."""
    signs = tuple(_different(face, texts))
    columns = np.array([(sign.advance, sign.left, sign.right) for sign in signs], np.float32).T
    probes = [sign for sign in signs if sign.text in _PROBES]
    kerned = [min((0.0, *(_kern(face, sign, probe) for probe in probes))) for sign in signs]
    advance, left, right = np.ascontiguousarray(columns)
    return Alphabet(
        face=face, signs=signs, advance=advance, left=left, right=right, alone=advance + np.array(kerned, np.float32)
    )


def _different(face: str, texts: Iterable[str]) -> Iterator[Sign]:
    seen = set[object]()
    for text in texts:
        pieces = fonts.shape(face, text)
        if len(pieces) != 1 or len(pieces[0].glyphs) != 1 or 0 in pieces[0].glyphs:
            continue  # missing, or no single glyph: a ligature that this face has not
        glyph = pieces[0].glyphs[0]
        # The same for glyphs with the same outline, such as the Latin and the Cyrillic `A`.
        look = (*drawing_steps(fonts.face(pieces[0].face).font, glyph),), pieces[0].width
        if look in seen:
            continue
        seen.add(look)
        extents = fonts.face(pieces[0].face).font.get_glyph_extents(glyph)
        em = fonts.face(pieces[0].face).units_per_em
        left, right = extents.x_bearing / em, (extents.x_bearing + extents.width) / em
        yield Sign(text=text, face=pieces[0].face, glyph=glyph, advance=pieces[0].width, left=left, right=right)


@cached(4096)
def kerning(signs: Alphabet, before: int) -> Numbers:
    """Return by how many em each sign of the alphabet moves when it stands behind the sign number `before`."""
    first = signs.signs[before]
    return np.array([_kern(signs.face, first, sign) for sign in signs.signs], np.float32)


def _kern(face: str, first: Sign, second: Sign) -> float:
    if first.face != second.face:
        return 0.0
    pieces = fonts.shape(face, first.text + second.text)
    if len(pieces) != 1 or pieces[0].glyphs != (first.glyph, second.glyph):
        return 0.0  # they join to a ligature, which is a sign of its own
    em = fonts.face(first.face).units_per_em
    return pieces[0].advances[0] / em - first.advance + pieces[0].advances[1] / em - second.advance


# --- pictures at places between two pixels ----------------------------------------------------------------------------


Coverage = NDArray[np.float32]

ABOVE, BELOW = 0.945, 0.238  # em: what lines of text reach above and below their baseline without touching others
_OVERHANG = 0.2  # em: what a sign reaches to the left of its start, and to the right of its end
_WIDEST = 1.15  # em
_SMALL = 26.0  # px: below it, an eighth of a pixel shows
_COARSE = 28.0  # px: at twice this size, every second row shows as much


@dataclass(frozen=True, slots=True)
class Type:
    """A face at a size in px (its em across is `size * stretch`), with its baseline `rise` px above a whole row.

    `room` are the em above the baseline in which no other line has ink.
    """

    face: str
    size: float
    stretch: float
    rise: float
    room: float = 1.0

    @property
    def em(self) -> float:
        """The em across, in px."""
        return self.size * self.stretch

    @property
    def above(self) -> int:
        """The rows of a line above the row of its baseline."""
        return floor(min(ABOVE, self.room) * self.size + self.rise)

    @property
    def below(self) -> int:
        """The rows of a line from the row of its baseline on."""
        return max(ceil(BELOW * self.size - self.rise), 1)

    @property
    def pad(self) -> int:
        """The columns of a picture left of the sign's start."""
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
        """The places between two pixels at which signs are drawn."""
        return 8 if self.size < _SMALL else 4


@dataclass(frozen=True, slots=True, eq=False)
class GlyphPictures:
    """Pictures (sign, row, column) of the signs, each with its start at column `pad` plus a part of a pixel.

    `shades` are the pictures as bytes, 255 for black: as coverage they would take four times the memory.
    `known` is the column up to which a picture is that of the sign alone, whatever follows it, and `masked` are the
    pictures up to there, one a row, of every `coarseness`-th row of pixels; `energy` is the sum of the squares of each.
    """

    shades: NDArray[np.uint8]
    known: NDArray[np.int64]
    masked: Coverage
    energy: Coverage

    def picture(self, sign: int) -> Coverage:
        """Return the picture of a sign, by its number in the alphabet."""
        shades: Coverage = self.shades[sign].astype(np.float32)
        shades /= 255
        return shades


@cached(48)
def glyph_pictures(signs: Alphabet, look: Type, phase: int) -> GlyphPictures:
    """Return the pictures of the signs that start `phase` steps behind a whole pixel."""
    shift = phase / look.phases
    pictures = np.stack([drawn_sign(sign, look, shift) for sign in signs.signs])
    known = np.floor(look.pad + shift + signs.alone * look.em).astype(np.int64)
    columns = np.arange(look.width)
    rows = pictures[:, :: look.coarseness]
    masked = np.where(columns < known[:, None, None], rows, np.float32(0)).reshape(len(pictures), -1)
    return GlyphPictures(np.rint(pictures * 255).astype(np.uint8), known, masked, np.square(masked).sum(axis=1))


def drawn_sign(sign: Sign, look: Type, shift: float) -> Coverage:
    """Return the picture of a sign that starts `shift` px behind column `pad`."""
    picture = np.zeros((look.above + look.below, look.width), np.float32)
    pen = hb.RasterDraw()
    draw_glyph(pen, sign.face, sign.glyph, look, look.pad + shift)
    return rendered(pen, picture)


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


def whole_rows(baseline: float) -> tuple[int, float]:
    """Return the row of a baseline, and by how many px the baseline lies above it."""
    row = floor(baseline) + 1
    return row, row - baseline
