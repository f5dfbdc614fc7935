"""Stamps of shapes: tiles of coverage to paste in their colors, kept for the next card within a bound of memory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from render.base.caches import BoundedCache, stored
from render.base.geometry import Affine
from render.png import coverage
from render.scene.gradients import (
    REFLECT,
    REPEAT,
    Gradient,
    has_jumps,
    knots,
    place_of,
)
from render.scene.items import ClipShape, Color, Filling, Path

_TILE = 96  # px: masks are pasted tile by tile, so that the inside of a large frame costs nothing
_MAX_KEPT = 64 << 20  # bytes of masks: built-in shapes take a tenth of it at 300 dpi

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in whole pixels; right and bottom lie outside."""

Stamp = tuple[Box, Color | Image.Image, Image.Image]
"""Where to paste which color, or which pixels of a gradient, through which mask."""

Stamps = tuple[tuple[Stamp, ...], int]
"""Stamps, and about how many bytes they take."""

_KEPT = stored(BoundedCache[Stamps](_MAX_KEPT, itemgetter(1)))


def stamps(path: Path, to_px: Affine, size: tuple[int, int]) -> tuple[Stamp, ...]:
    """Return the nonempty tiles of a shape's fill and stroke, ready to be pasted."""
    return _KEPT.get((path, to_px, size), lambda: _stamped(path, to_px, size))[0]


Cut = tuple[Box, Image.Image] | None
"""Where something shows, and how much of each pixel; None if it shows nowhere."""

_CUTS = stored(BoundedCache[Cut](_MAX_KEPT, lambda cut: 200 + (cut[1].width * cut[1].height if cut else 0)))


def cut(clips: tuple[ClipShape, ...], opacity: float, to_px: Affine, size: tuple[int, int]) -> Cut:
    """Return how much of each pixel clips show at an opacity, for at least one clip."""
    return _CUTS.get((clips, opacity, to_px, size), lambda: _cut(clips, opacity, to_px, size))


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


def _stamped(path: Path, to_px: Affine, size: tuple[int, int]) -> Stamps:
    made: list[Stamp] = []
    if path.fill is not None:
        mask = coverage.filled(path.outlines, to_px, size, even_odd=path.even_odd)
        made += _colored(_tiles(mask), path.fill, to_px)
    if path.stroke is not None:
        mask = coverage.stroked(path.outlines, path.stroke, to_px, size)
        made += _colored(_tiles(mask), path.stroke.color, to_px)
    # Pillow keeps RGB in 4 bytes.
    pixels = (mask.width * mask.height * (5 if isinstance(color, Image.Image) else 1) for _, color, mask in made)
    taken = 200 * len(made) + sum(pixels) + 200 * sum(len(outline.segments) for outline in path.outlines)
    return tuple(made), taken


_Tile = tuple[Box, NDArray[np.uint8]]


def _colored(tiles: Iterator[_Tile], color: Filling, to_px: Affine) -> Iterator[Stamp]:
    for box, tile in tiles:
        if isinstance(color, tuple):
            yield box, color, Image.fromarray(tile)
            continue

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


# --- Gradients as pixels: the color in the middle of each, and how much of it hides what lies beneath ---


Values = NDArray[np.float64]

_FINER = 4  # samples across and down a pixel in which colors jump, so that a hard edge is as smooth as a shape's


def gradient_pixels(
    gradient: Gradient, to_px: Affine, corner: tuple[int, int], size: tuple[int, int]
) -> tuple[NDArray[np.uint8], Values | None]:
    """Return red, green and blue of pixels from `corner` on, shape (height, width, 3), and their opacity 0 to 1.

    The opacity is None if nothing shows through. `to_px` takes the shape's space to pixels.
    """
    from_px = (to_px @ gradient.transform).inverse
    x = corner[0] + np.arange(-1, size[0] + 1, dtype=np.float64) + 0.5  # with a pixel around, to see where colors jump
    y = (corner[1] + np.arange(-1, size[1] + 1, dtype=np.float64) + 0.5)[:, None]
    places = _places(gradient, from_px, x, y)
    values = _values(gradient, places[1:-1, 1:-1])
    if has_jumps(gradient):
        rows, columns = np.nonzero(_at_jumps(gradient, places))
        within = (np.arange(_FINER * _FINER) + 0.5) / _FINER
        finer_x: Values = x[columns + 1][:, None] - 0.5 + within % 1
        finer_y: Values = y[rows + 1] - 0.5 + (np.arange(_FINER * _FINER) // _FINER + 0.5) / _FINER
        values[rows, columns] = _values(gradient, _places(gradient, from_px, finer_x, finer_y)).mean(axis=1)
    colors = (values[..., :3] * 255 + 0.5).astype(np.uint8)
    return colors, None if gradient.is_opaque else values[..., 3]


def _places(gradient: Gradient, from_px: Affine, x: Values, y: Values) -> Values:
    """Return where points of the image lie in a gradient: from 0 to 1, or beyond."""
    across = from_px.a * x + from_px.c * y + from_px.e
    down = from_px.b * x + from_px.d * y + from_px.f
    return np.asarray(place_of(gradient, across, down, lambda of: np.sqrt(np.maximum(of, 0.0))))


def _folded(gradient: Gradient, places: Values) -> Values:
    """Return the places as if they were from 0 to 1."""
    if gradient.spread == REPEAT:
        return np.asarray(places - np.floor(places))
    if gradient.spread == REFLECT:
        there = np.mod(places, 2.0)
        return np.minimum(there, 2.0 - there)
    return np.clip(places, 0.0, 1.0)


def _values(gradient: Gradient, places: Values) -> Values:
    """Return red, green, blue and opacity, each 0 to 1, along a further axis."""
    stops, folded = knots(gradient.stops), _folded(gradient, places)
    at = [place for place, _ in stops]
    return np.stack([np.interp(folded, at, [each[channel] for _, each in stops]) for channel in range(4)], axis=-1)


def _at_jumps(gradient: Gradient, places: Values) -> NDArray[np.bool_]:
    """Return which pixels, but for the outermost, lie on the other side of a jump than one beside them."""
    at = [place for place, _ in knots(gradient.stops)]
    jumps = sorted({place for place, after in pairwise(at) if place == after})
    side = np.searchsorted(jumps, _folded(gradient, places), side="right")
    if gradient.spread == REPEAT:
        side = side + np.floor(places).astype(np.int64) * (len(jumps) + 1)
    middle = side[1:-1, 1:-1]
    beside = (side[:-2, 1:-1], side[2:, 1:-1], side[1:-1, :-2], side[1:-1, 2:])
    return np.asarray(np.any([middle != each for each in beside], axis=0), np.bool_)
