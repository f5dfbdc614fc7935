"""Printers that put backs beside their place, what is read of their calibration sheets, and how eyes err."""

import math
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from render.base.geometry import Affine, Flip, Size
from render.base.sizes import PAPERS
from render.sheets.calibration.fit import Reading, crosses
from render.sheets.imposition import fit_grid
from render.sheets.options import SheetOptions

CLOSE = 0.3  # mm between a corner of a back and that of its front: what the cut of a good pair of scissors hides

LANDSCAPE = Size(297.0, 210.0)
ON_PAPER = pytest.mark.parametrize("paper", [PAPERS["a4"], PAPERS["letter"], LANDSCAPE], ids=["a4", "letter", "lying"])
BOTH_FLIPS = pytest.mark.parametrize("flip", list(Flip), ids=lambda flip: flip.value)


def printer(paper: Size, shift: tuple[float, float], turn: float, scale: tuple[float, float]) -> Affine:
    """Return where a printer puts the points of a back, in mm of the back as it is seen."""
    middle = Affine.move(paper.width / 2, paper.height / 2)
    return middle @ Affine.move(*shift) @ Affine.rotate(turn) @ Affine.scale(*scale) @ middle.inverse


def printers(paper: Size, count: int) -> list[Affine]:
    """Return printers with a shift up to 3 mm, a turn up to 0.6 degrees, and scales up to 0.5 % off."""
    random = np.random.default_rng(17)
    ways, far = random.uniform(0, 2 * math.pi, count), random.uniform(0, 3, count)
    turns, scales = random.uniform(-0.6, 0.6, count), random.uniform(0.995, 1.005, (count, 2))
    shifts = zip(far * np.cos(ways), far * np.sin(ways), strict=True)
    return [printer(paper, *one) for one in zip(shifts, turns, map(tuple, scales), strict=True)]


def turned_over(paper: Size, flip: Flip) -> Affine:
    """Return where a point of the front lies on the back, once the sheet is turned about the edge of the flip."""
    upright = (flip is Flip.LONG_EDGE) == (paper.height >= paper.width)
    return Affine(a=-1, e=paper.width) if upright else Affine(d=-1, f=paper.height)


def seen(prints: Affine, paper: Size, flip: Flip) -> Affine:
    """Return where the back's points land as seen from the front, of which they are the mirror image."""
    mirror = turned_over(paper, flip)
    return mirror @ prints @ mirror


def read(lands: Affine, paper: Size) -> tuple[Reading, ...]:
    """Return what the scales show without any error of the eye: where the back's middle line crosses the front's scale.

    A line is not a point. A turned one crosses the scale elsewhere than where its own middle lies, by hundredths of mm.
    """
    readings = []
    for cross in crosses(paper):
        x, y = lands.apply(cross.across.x, cross.across.y)
        right = x + lands.c * (cross.across.y - y) / lands.d - cross.across.x
        x, y = lands.apply(cross.down.x, cross.down.y)
        down = y + lands.b * (cross.down.x - x) / lands.a - cross.down.y
        readings.append(Reading(cross.name, right, down))
    return tuple(readings)


def blurred(readings: tuple[Reading, ...], slips: NDArray[np.float64]) -> tuple[Reading, ...]:
    return tuple(
        Reading(reading.name, reading.right + right, reading.down + down)
        for reading, (right, down) in zip(readings, slips, strict=True)
    )


@cache
def corners(paper: Size) -> list[tuple[float, float]]:
    """Return the corners of the block of cards; those of the back are the same points."""
    block = fit_grid(SheetOptions(paper=paper)).block
    return [(x, y) for x in (block.x, block.right) for y in (block.y, block.bottom)]


def normal(count: int) -> NDArray[np.float64]:
    """Slips of the eye with a standard deviation of 0.1 mm: one reading in three is off by a line or more."""
    return np.random.default_rng(4).normal(0.0, 0.1, (count, 5, 2))


def a_line(count: int) -> NDArray[np.float64]:
    """Any slip of up to a line of the scale, 0.1 mm, is as likely as any other."""
    return np.random.default_rng(5).uniform(-0.1, 0.1, (count, 5, 2))


def rounding(count: int) -> NDArray[np.float64]:
    """The right line is read, and its tenth of a mm written down."""
    return np.random.default_rng(6).uniform(-0.05, 0.05, (count, 5, 2))


def furthest(one: Affine, other: Affine, paper: Size) -> float:
    """Return by how many mm two maps of a paper differ at most."""
    ends = [(x, y) for x in (0.0, paper.width) for y in (0.0, paper.height)]
    return max(math.dist(one.apply(*end), other.apply(*end)) for end in ends)
