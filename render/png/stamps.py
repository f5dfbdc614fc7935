"""Stamps of shapes: tiles of coverage to paste in one color, kept for the next card within a bound of memory."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

import numpy as np
from PIL import Image

from render.base.caches import BoundedCache, stored
from render.base.geometry import Affine
from render.png import coverage
from render.scene.items import Color, Path

_TILE = 96  # px: masks are pasted tile by tile, so that the inside of a large frame costs nothing
_MAX_KEPT = 64 << 20  # bytes of masks: built-in shapes take a tenth of it at 300 dpi

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in whole pixels; right and bottom lie outside."""

Stamp = tuple[Box, Color, Image.Image]
"""Where to paste which color, through which mask."""

Stamps = tuple[tuple[Stamp, ...], int]
"""Stamps, and about how many bytes they take."""

_KEPT = stored(f"{__name__}.stamps", BoundedCache[Stamps](_MAX_KEPT, itemgetter(1)))


def stamps(path: Path, to_px: Affine, size: tuple[int, int]) -> tuple[Stamp, ...]:
    """Return the nonempty tiles of a shape's fill and stroke, ready to be pasted."""

    def make() -> Stamps:
        made = tuple(_stamped(path, to_px, size))
        return made, _bytes(path, made)

    return _KEPT.get((path, to_px, size), make)[0]


def _bytes(path: Path, made: tuple[Stamp, ...]) -> int:
    """Return about how many bytes stamps take, with the shape that they belong to."""
    masks = sum(200 + (right - left) * (bottom - top) for (left, top, right, bottom), _, _ in made)
    return masks + 200 * sum(len(outline.segments) for outline in path.outlines)


def _stamped(path: Path, to_px: Affine, size: tuple[int, int]) -> Iterator[Stamp]:
    if path.fill is not None:
        yield from _tiles(coverage.filled(path.outlines, to_px, size, even_odd=path.even_odd), path.fill)
    if path.stroke is not None:
        yield from _tiles(coverage.stroked(path.outlines, path.stroke, to_px, size), path.stroke.color)


def _tiles(mask: coverage.Mask | None, color: Color) -> Iterator[Stamp]:
    """Yield the nonempty part of each tile: for a thin line, just the line."""
    if mask is None:
        return
    height, width = mask.coverage.shape
    for y in range(0, height, _TILE):
        for x in range(0, width, _TILE):
            tile = mask.coverage[y : y + _TILE, x : x + _TILE]
            rows, columns = np.flatnonzero(tile.any(axis=1)), np.flatnonzero(tile.any(axis=0))
            if len(rows):
                top, bottom, left, right = (int(edge) for edge in (rows[0], rows[-1] + 1, columns[0], columns[-1] + 1))
                part = np.ascontiguousarray(tile[top:bottom, left:right])
                corner = mask.left + x + left, mask.top + y + top
                yield (*corner, corner[0] + right - left, corner[1] + bottom - top), color, Image.fromarray(part)
