"""Pictures on an output's grid of pixels, with the pixels at their edges that they cover only in part."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from PIL import Image, ImageChops

from render.base.geometry import Rect
from render.images.color_profiles import in_mode
from render.images.decode import FILTER
from render.images.opacity import without_opacity

if TYPE_CHECKING:
    from render.images.files.svg import Part

_SNAP = 1e-3  # px: an edge this near to a line of the grid lies on it

PixelBox = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels of the output."""


class Patch(Struct, frozen=True):
    """Pixels to paste at `left`, `top`: RGB, with `coverage` (L) if the picture covers some only in part, or is sheer.

    Patches are shared between cards: never draw on one.
    """

    left: int
    top: int
    image: Image.Image
    coverage: Image.Image | None


class _Axis(Struct, frozen=True, kw_only=True):
    """One direction of a patch: it touches pixels `start` to `stop`; of these, `first` to `last` show `low` to `high`.

    `shares` is how much of each pixel is covered; `low` and `high` are in pixels of the picture.
    """

    start: int
    stop: int
    first: int
    last: int
    low: float
    high: float
    shares: tuple[float, ...]


def scaled_patch(image: Image.Image, crop: Rect, target: PixelBox, flipped: tuple[bool, bool]) -> Patch:
    """Return the crop of an image as it fills the target."""
    across = _axis(target[0], target[2], _extent(crop.x, crop.width, image.width, flipped[0]))
    down = _axis(target[1], target[3], _extent(crop.y, crop.height, image.height, flipped[1]))
    if any(flipped):
        image = image.transpose(_FLIPS[flipped])
    return _patch(_resized(image, across, down), across, down)


def drawn_patch(
    draw: Callable[[tuple[int, int], Part], Image.Image], crop: Rect, target: PixelBox, flipped: tuple[bool, bool]
) -> Patch:
    """Return the crop of a drawing as it fills the target; `draw` renders a part of it in a number of pixels."""
    across = _axis(target[0], target[2], _extent(crop.x, crop.width, 1, flipped[0]))
    down = _axis(target[1], target[3], _extent(crop.y, crop.height, 1, flipped[1]))
    # `draw` knows only the unflipped drawing.
    low, high = (1 - across.high, 1 - across.low) if flipped[0] else (across.low, across.high)
    top, bottom = (1 - down.high, 1 - down.low) if flipped[1] else (down.low, down.high)
    inner = draw((across.last - across.first, down.last - down.first), (low, top, high, bottom))
    if any(flipped):
        inner = inner.transpose(_FLIPS[flipped])
    return _patch(inner, across, down)


_FLIPS = {
    (True, False): Image.Transpose.FLIP_LEFT_RIGHT,
    (False, True): Image.Transpose.FLIP_TOP_BOTTOM,
    (True, True): Image.Transpose.ROTATE_180,
}


def _extent(start: float, length: float, count: int, flipped: bool) -> tuple[float, float]:
    """Return the crop in one direction in pixels of the picture, or of the flipped picture."""
    low, high = max(0.0, start) * count, min(1.0, start + length) * count
    return (count - high, count - low) if flipped else (low, high)


def _axis(left: float, right: float, crop: tuple[float, float]) -> _Axis:
    left, right = (round(edge) if abs(edge - round(edge)) < _SNAP else edge for edge in (left, right))
    start, stop = math.floor(left), max(math.ceil(right), math.floor(left) + 1)
    first, last = math.ceil(left), math.floor(right)
    if first >= last:  # it covers no pixel wholly
        first, last = start, stop
    shares = tuple(max(0.0, min(pixel + 1, right) - max(pixel, left)) for pixel in range(start, stop))
    low, high = crop
    scale = (high - low) / max(right - left, _SNAP)
    # The picture's part beyond the wholly covered pixels is left to `_with_edges`.
    shown_from, shown_to = low + max(0.0, first - left) * scale, high - max(0.0, right - last) * scale
    return _Axis(start=start, stop=stop, first=first, last=last, low=shown_from, high=shown_to, shares=shares)


def _resized(image: Image.Image, across: _Axis, down: _Axis) -> Image.Image:
    """Return the wholly covered pixels.

    The filter is the same for enlarging, so that PNG and PDF show the same pixels of a coarse picture.
    """
    size = across.last - across.first, down.last - down.first
    box = across.low, down.low, across.high, down.high
    return image.resize(size, FILTER, box)


def _patch(inner: Image.Image, across: _Axis, down: _Axis) -> Patch:
    """Return the patch of the wholly covered pixels."""
    colors, opacity = without_opacity(inner)
    image, coverage = _with_edges(in_mode(colors, "RGB"), across, down), _coverage(across, down)
    if opacity:
        opacity = _with_edges(opacity, across, down)
        coverage = ImageChops.multiply(opacity, coverage) if coverage else opacity
    return Patch(across.start, down.start, image, coverage)


def _with_edges(inner: Image.Image, across: _Axis, down: _Axis) -> Image.Image:
    """Return the pixels with a border of those covered in part, each a copy of its neighbor inside."""
    width, height = across.stop - across.start, down.stop - down.start
    if inner.size == (width, height):
        return inner
    patch = Image.new(inner.mode, (width, height))
    for y in (0, height - inner.height, down.first - down.start):
        for x in (0, width - inner.width, across.first - across.start):
            patch.paste(inner, (x, y))  # shifted by a pixel: its outermost row or column stays visible
    return patch


def _coverage(across: _Axis, down: _Axis) -> Image.Image | None:
    if min(across.shares) == 1 and min(down.shares) == 1:
        return None
    # Few shares differ: those of the first, the last and the inner rows.
    rows = {share: bytes(round(255 * share * other) for other in across.shares) for share in set(down.shares)}
    mask = b"".join(rows[share] for share in down.shares)
    return Image.frombytes("L", (len(across.shares), len(down.shares)), mask)
