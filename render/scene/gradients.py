"""Gradients: colors that change along a line or between circles, as SVG and PDF know them.

Stops are plain values; how a back end draws them is its own affair. Every function takes numbers and returns values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace

from render.base.geometry import IDENTITY, Affine

PAD, REFLECT, REPEAT = "pad", "reflect", "repeat"
"""What is seen beyond the ends: the last color, the gradient turned about, or the gradient again (SVG 1.1, 13.2.2)."""


class GradientStop(Struct, frozen=True):
    """A color at a place of a gradient, 0 to 1. An opacity of 1 hides what lies beneath, one of 0 shows it all."""

    at: float
    color: tuple[int, int, int]
    opacity: float = 1.0


class _Shade(Struct, frozen=True, kw_only=True):
    """What gradients of both kinds have.

    `stops` has one stop at least; they rise, and two at one place are a hard edge. `transform` takes the gradient's own
    space to that of the shape, and has an area.
    """

    stops: tuple[GradientStop, ...]
    spread: str = PAD
    transform: Affine = IDENTITY

    def taken(self, by: Affine) -> Self:
        """Return the gradient with the map applied to its place."""
        return replace(self, transform=by @ self.transform)

    @property
    def is_opaque(self) -> bool:
        """Whether it hides all that lies beneath."""
        return all(stop.opacity >= 1 for stop in self.stops)


class LinearGradient(_Shade, frozen=True, kw_only=True):
    """Colors along the line from `start` to `end`, which are two different points."""

    start: tuple[float, float]
    end: tuple[float, float]


class RadialGradient(_Shade, frozen=True, kw_only=True):
    """Colors from the point `focus`, inside the circle, to the circle about `center` (SVG 1.1, 13.2.3).

    `radius` is over `focal_radius`, which is that of a circle about the focus in which the colors begin (SVG 2's `fr`).
    """

    center: tuple[float, float]
    radius: float
    focus: tuple[float, float]
    focal_radius: float = 0.0


Gradient = LinearGradient | RadialGradient

Knots = tuple[tuple[float, tuple[float, ...]], ...]
"""Places from 0 to 1 with values there; between two of them, values change evenly. Two at one place are a jump."""


def knots(stops: tuple[GradientStop, ...]) -> Knots:
    """Return red, green, blue and opacity, each 0 to 1, from the place 0 to the place 1."""
    found: list[tuple[float, tuple[float, ...]]] = []
    last = 0.0
    for stop in stops:
        # A stop before the one before it lies where that one lies (SVG 1.1, 13.2.4).
        last = min(max(stop.at, last), 1.0)
        red, green, blue = (channel / 255 for channel in stop.color[:3])
        found.append((last, (red, green, blue, stop.opacity)))
    return ((0.0, found[0][1]), *found, (1.0, found[-1][1]))


def sampled(along: Knots, places: Iterable[float]) -> Iterator[tuple[float, ...]]:
    """Yield the values at places that rise."""
    at = 0
    for place in places:
        while at < len(along) - 2 and along[at + 1][0] <= place:
            at += 1
        (start, before), (end, after) = along[at], along[at + 1]
        share = (place - start) / (end - start) if end > start else 1.0
        share = min(max(share, 0.0), 1.0)
        yield tuple(a + (b - a) * share for a, b in zip(before, after, strict=True))


def mean(along: Knots) -> tuple[float, ...]:
    """Return the mean values from 0 to 1."""
    # Between two knots, the mean is the value in the middle.
    return tuple(
        sum((a[channel] + b[channel]) / 2 * (end - start) for (start, a), (end, b) in pairwise(along))
        for channel in range(len(along[0][1]))
    )


def has_jumps(gradient: Gradient) -> bool:
    """Return whether its colors change at a place at once."""
    along = knots(gradient.stops)
    if gradient.spread == REPEAT and along[0][1] != along[-1][1]:
        return True
    return any(place == after and value != other for (place, value), (after, other) in pairwise(along))


_NEAR_THE_RIM = 0.99  # of the room: a focus on the circle or beyond is drawn there, since rays need some room


def circle_through(gradient: RadialGradient) -> tuple[float, float, float, float, float, float]:
    """Return focus x and y, the way from there to the center, the radius about the focus, and its growth.

    The circle at the place t lies about focus + t * way, with the radius focal radius + t * growth. A focus that is not
    inside the circle is moved there (SVG 1.1, 13.2.3).
    """
    (cx, cy), (fx, fy) = gradient.center, gradient.focus
    growth = gradient.radius - gradient.focal_radius
    away, most = math.hypot(fx - cx, fy - cy), _NEAR_THE_RIM * growth
    if away > most:
        fx, fy = cx + (fx - cx) * most / away, cy + (fy - cy) * most / away
    return fx, fy, cx - fx, cy - fy, gradient.focal_radius, growth


def place_of(
    gradient: Gradient, x: Any, y: Any, root: Callable[[Any], Any] = lambda of: math.sqrt(max(of, 0.0))
) -> Any:
    """Return where a point, or each of many, lies in a gradient: from 0 to 1, or beyond.

    `root` gives square roots, 0 for what is below 0.
    """
    if isinstance(gradient, LinearGradient):
        (x1, y1), (x2, y2) = gradient.start, gradient.end
        dx, dy = x2 - x1, y2 - y1
        return ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)
    # The largest circle through it: a quadratic equation.
    fx, fy, ex, ey, first, growth = circle_through(gradient)
    dx, dy = x - fx, y - fy
    room, toward = growth * growth - ex * ex - ey * ey, dx * ex + dy * ey + first * growth
    return (root(toward * toward + room * (dx * dx + dy * dy - first * first)) - toward) / room
