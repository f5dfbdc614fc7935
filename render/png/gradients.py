"""Gradients as pixels: the color in the middle of each, and how much of it hides what lies beneath."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from render.base.geometry import Affine
from render.scene.gradients import (
    REFLECT,
    REPEAT,
    Gradient,
    LinearGradient,
    RadialGradient,
    circle_through,
    has_jumps,
    knots,
)

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
    match gradient:
        case LinearGradient():
            return _on_line(gradient, across, down)
        case RadialGradient():
            return _in_circles(gradient, across, down)


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


def _on_line(gradient: LinearGradient, x: Values, y: Values) -> Values:
    (x1, y1), (x2, y2) = gradient.start, gradient.end
    dx, dy = x2 - x1, y2 - y1
    return np.asarray(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy))


def _in_circles(gradient: RadialGradient, x: Values, y: Values) -> Values:
    """Solve for the largest circle through each point: a quadratic equation."""
    fx, fy, ex, ey, first, growth = circle_through(gradient)
    dx, dy = x - fx, y - fy
    room = growth * growth - ex * ex - ey * ey
    toward = dx * ex + dy * ey + first * growth
    under = toward * toward + room * (dx * dx + dy * dy - first * first)
    return np.asarray((np.sqrt(np.maximum(under, 0.0)) - toward) / room)
