"""Pictures of all signs of an alphabet at one size, at several places between two pixels."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

import numpy as np
import uharfbuzz as hb
from numpy.typing import NDArray

from render.base.caches import cached
from render.games.kotc.workshop.recognition.signs.alphabet import Alphabet, Sign
from render.text import fonts

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
