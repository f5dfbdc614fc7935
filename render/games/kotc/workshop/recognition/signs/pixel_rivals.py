"""Whether a sign that was read could be another one, or several: its own picture is read again without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from render.base.caches import cached
from render.games.kotc.workshop.recognition.signs.glyph_pictures import Coverage
from render.games.kotc.workshop.recognition.signs.hinted_signs import HintedSign
from render.games.kotc.workshop.recognition.signs.pixel_reading import (
    HIDDEN,
    OFF,
    PixelFont,
    PixelInk,
    PlacedSign,
    read_pixels,
)

_MORE = 0.1  # coverage beyond what pixels may differ by: so much the picture may itself be off


def rivalled(placed: Sequence[PlacedSign], ink: PixelInk, baseline: int, font: PixelFont) -> bool:
    """Return whether the ink of a line, read as `placed`, may be of other signs; `baseline` is as in `read_pixels`."""
    return any(_may_be_another(each, ink.off, baseline, font) for each in placed)


def _may_be_another(placed: PlacedSign, off: Coverage, baseline: int, font: PixelFont) -> bool:
    sign = placed.sign
    height, width = sign.picture.shape
    # A picture may reach beyond the strip that its line was read from, by columns that are seen as white.
    around = np.full((height, width), np.float32(OFF))
    left, bottom = placed.start + sign.left, baseline + sign.below
    begin, end = max(left, 0), min(left + width, off.shape[1])
    seen = off[max(bottom - height, 0) : bottom, begin:end]
    around[height - len(seen) :, begin - left : end - left] = seen
    levels = np.unique(around)
    if len(levels) == 1 or levels[-1] < HIDDEN:
        return _has_another_reading(font, sign, float(levels[-1]))
    return _reads_otherwise(font, sign, around)


@cached(8192)
def _has_another_reading(font: PixelFont, sign: HintedSign, off: float) -> bool:
    return _reads_otherwise(font, sign, np.full(sign.picture.shape, np.float32(off)))


def _reads_otherwise(font: PixelFont, sign: HintedSign, off: Coverage) -> bool:
    """Return whether the picture of a sign, with so much doubt about its pixels, is read without the sign."""
    height, width = sign.picture.shape
    coverage, doubt = np.zeros((2, font.above + font.below, width), np.float32)
    doubt[:] = OFF
    bottom = font.above + sign.below
    if bottom < height or bottom > len(coverage):
        return True  # it was cut, so nothing is known of the rest
    hidden = off >= HIDDEN
    coverage[bottom - height : bottom] = np.where(hidden, np.float32(0), sign.picture)
    doubt[bottom - height : bottom] = np.where(hidden, off, off + np.float32(_MORE))
    # A ligature is the same text as its letters.
    others = tuple(other for other in font.signs if other.text not in sign.text)
    return bool(read_pixels(PixelInk(coverage, doubt), font.above, replace(font, signs=others), 0))
