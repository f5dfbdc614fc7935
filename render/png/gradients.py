"""Gradients as pixels: the color in the middle of each, and how much of it hides what lies beneath."""

from __future__ import annotations

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

_FINER = 4  # samples across and down a pixel where colors jump, so that a hard edge is as smooth as that of a shape


def gradient_pixels(
    gradient: Gradient, to_px: Affine, corner: tuple[int, int], size: tuple[int, int]
) -> tuple[NDArray[np.uint8], Values | None]:
    """Return red, green and blue of pixels from `corner` on, shape (height, width, 3), and their opacity 0 to 1.

    The opacity is None if nothing shows through. `to_px` takes the shape's space to pixels.
    """
    finer = _FINER if has_jumps(gradient) else 1
    along = _along(gradient, (to_px @ gradient.transform).inverse, corner, size, finer)
    stops = knots(gradient.stops)
    places = [place for place, _ in stops]
    red, green, blue, opacity = (
        _meant(np.interp(along, places, [values[channel] for _, values in stops]), finer) for channel in range(4)
    )
    colors = np.stack((red, green, blue), axis=2)
    return (colors * 255 + 0.5).astype(np.uint8), None if gradient.is_opaque else opacity


def _meant(values: Values, finer: int) -> Values:
    """Return the mean of the samples of each pixel."""
    if finer == 1:
        return values
    height, width = values.shape
    return np.asarray(values.reshape(height // finer, finer, width // finer, finer).mean(axis=(1, 3)))


def _along(gradient: Gradient, from_px: Affine, corner: tuple[int, int], size: tuple[int, int], finer: int) -> Values:
    """Return the place in the gradient of each sample, 0 to 1."""
    across = corner[0] + (np.arange(size[0] * finer) + 0.5) / finer
    down = (corner[1] + (np.arange(size[1] * finer) + 0.5) / finer)[:, None]
    x = from_px.a * across + from_px.c * down + from_px.e
    y = from_px.b * across + from_px.d * down + from_px.f
    match gradient:
        case LinearGradient():
            along = _on_line(gradient, x, y)
        case RadialGradient():
            along = _in_circles(gradient, x, y)
    if gradient.spread == REPEAT:
        return np.asarray(along - np.floor(along))
    if gradient.spread == REFLECT:
        there = np.mod(along, 2.0)
        return np.minimum(there, 2.0 - there)
    return np.clip(along, 0.0, 1.0)


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
