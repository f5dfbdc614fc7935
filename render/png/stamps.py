"""Stamps of shapes: tiles of coverage to paste in their colors, kept for the next card within a bound of memory."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from render.base.caches import BoundedCache, stored
from render.base.geometry import Affine
from render.png import coverage
from render.scene.items import ClipShape, Color, Filling, Path

_TILE = 96  # px: masks are pasted tile by tile, so that the inside of a large frame costs nothing
_MAX_KEPT = 64 << 20  # bytes of masks: built-in shapes take a tenth of it at 300 dpi

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in whole pixels; right and bottom lie outside."""

Stamp = tuple[Box, Color | Image.Image, Image.Image]
"""Where to paste which color, or which pixels of a gradient, through which mask."""

Stamps = tuple[tuple[Stamp, ...], int]
"""Stamps, and about how many bytes they take."""

_KEPT = stored(f"{__name__}.stamps", BoundedCache[Stamps](_MAX_KEPT, itemgetter(1)))


def stamps(path: Path, to_px: Affine, size: tuple[int, int]) -> tuple[Stamp, ...]:
    """Return the nonempty tiles of a shape's fill and stroke, ready to be pasted."""

    def make() -> Stamps:
        made = tuple(_stamped(path, to_px, size))
        return made, _bytes(path, made)

    return _KEPT.get((path, to_px, size), make)[0]


Cut = tuple[Box, Image.Image] | None
"""Where something shows, and how much of each pixel; None if it shows nowhere."""

_CUTS = stored(
    f"{__name__}.cuts", BoundedCache[Cut](_MAX_KEPT, lambda cut: 200 + (cut[1].width * cut[1].height if cut else 0))
)


def cut(clips: tuple[ClipShape, ...], opacity: float, to_px: Affine, size: tuple[int, int]) -> Cut:
    """Return how much of each pixel clips show at an opacity, for at least one clip."""

    def make() -> Cut:
        return _cut(clips, opacity, to_px, size)

    return _CUTS.get((clips, opacity, to_px, size), make)


def _cut(clips: tuple[ClipShape, ...], opacity: float, to_px: Affine, size: tuple[int, int]) -> Cut:
    shares = np.full((size[1], size[0]), opacity, np.float32)
    left, top, right, bottom = 0, 0, *size
    for clip in clips:
        mask = coverage.filled(clip.outlines, to_px, size, even_odd=clip.even_odd)
        if mask is None:
            return None
        height, width = mask.coverage.shape
        left, top = max(left, mask.left), max(top, mask.top)
        right, bottom = min(right, mask.left + width), min(bottom, mask.top + height)
        if left >= right or top >= bottom:
            return None
        seen = mask.coverage[top - mask.top : bottom - mask.top, left - mask.left : right - mask.left]
        shares[top:bottom, left:right] *= seen.astype(np.float32) / 255
    part = np.asarray(shares[top:bottom, left:right] * 255 + 0.5, np.uint8)
    return (left, top, right, bottom), Image.fromarray(part)


def _bytes(path: Path, made: tuple[Stamp, ...]) -> int:
    """Return about how many bytes stamps take, with the shape that they belong to."""
    masks = sum(
        # Pillow keeps RGB in 4 bytes.
        200 + (right - left) * (bottom - top) * (5 if isinstance(color, Image.Image) else 1)
        for (left, top, right, bottom), color, _ in made
    )
    return masks + 200 * sum(len(outline.segments) for outline in path.outlines)


def _stamped(path: Path, to_px: Affine, size: tuple[int, int]) -> Iterator[Stamp]:
    if path.fill is not None:
        mask = coverage.filled(path.outlines, to_px, size, even_odd=path.even_odd)
        yield from _colored(_tiles(mask), path.fill, to_px)
    if path.stroke is not None:
        mask = coverage.stroked(path.outlines, path.stroke, to_px, size)
        yield from _colored(_tiles(mask), path.stroke.color, to_px)


_Tile = tuple[Box, NDArray[np.uint8]]


def _colored(tiles: Iterator[_Tile], color: Filling, to_px: Affine) -> Iterator[Stamp]:
    for box, tile in tiles:
        if isinstance(color, tuple):
            yield box, color, Image.fromarray(tile)
            continue
        from render.png.gradients import gradient_pixels

        colors, opacity = gradient_pixels(color, to_px, box[:2], (box[2] - box[0], box[3] - box[1]))
        part = tile if opacity is None else np.asarray(tile * opacity + 0.5, np.uint8)
        yield box, Image.fromarray(colors), Image.fromarray(part)


def _tiles(mask: coverage.Mask | None) -> Iterator[_Tile]:
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
                yield (*corner, corner[0] + right - left, corner[1] + bottom - top), part
