"""Coverage masks for tests, and coverage as text: one letter for a pixel."""

from textwrap import dedent

import numpy as np
from numpy.typing import NDArray

from render.base.geometry import IDENTITY, Affine
from render.png import coverage as raster
from render.scene import outlines
from render.scene.items import Stroke

Coverage = NDArray[np.uint8]
_LETTERS = {"_": 0, "-": 64, "+": 128, "*": 191, "K": 255}  # nothing, a quarter, half, three quarters, all of a pixel
_NEAR = 4  # of 255: an edge is sampled 32 times down a pixel


def filled(path: str, size: tuple[int, int], *, even_odd: bool = False, to_px: Affine = IDENTITY) -> Coverage:
    """Return the coverage of a filled path on a canvas of `size` pixels."""
    return _whole(raster.filled(outlines.path(path), to_px, size, even_odd=even_odd), size)


def stroked(path: str, stroke: Stroke, size: tuple[int, int], to_px: Affine = IDENTITY) -> Coverage:
    """Return the coverage of the line along a path on a canvas of `size` pixels."""
    return _whole(raster.stroked(outlines.path(path), stroke, to_px, size), size)


def _whole(mask: raster.Mask | None, size: tuple[int, int]) -> Coverage:
    canvas = np.zeros((size[1], size[0]), np.uint8)
    if mask is not None:
        height, width = mask.coverage.shape
        canvas[mask.top : mask.top + height, mask.left : mask.left + width] = mask.coverage
    return canvas


def assert_covered(coverage: Coverage, picture: str) -> None:
    """Fail, and show both pictures, unless each pixel is covered as its letter says; `?` stands for some of it."""
    wanted = dedent(picture).strip().split()
    assert coverage.shape == (len(wanted), len(wanted[0]))
    shown = ["".join(map(_letter, row, line)) for row, line in zip(coverage.tolist(), wanted, strict=True)]
    assert "\n".join(shown) == "\n".join(wanted)


def _letter(covered: int, wanted: str) -> str:
    near = next((letter for letter, value in _LETTERS.items() if abs(value - covered) <= _NEAR), "?")
    return "?" if wanted == "?" and 0 < covered < 255 else near
