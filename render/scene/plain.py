"""Shapes in simpler terms: gradients as bands from one color to the next, and opacity of stops as a mask.

PDF knows neither repeating gradients nor stops that are seen through. Viewers draw a gradient in 256 steps, however
many stops it has and however often it repeats: drawn as one, it would differ from a PNG visibly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from render.base.geometry import Affine, Rect
from render.scene import outlines as shapes
from render.scene.gradients import (
    PAD,
    REFLECT,
    Gradient,
    GradientStop,
    LinearGradient,
    RadialGradient,
    circle_through,
    knots,
    place_of,
)
from render.scene.items import ClipShape, Filling, Layer, Outline, Path, is_shaded

MAX_TURNS = 200  # times that a gradient repeats across what it fills: each time is drawn by itself

_MOST_LEVELS = 128  # of 255 by which a color changes in a band: PDFium's 256 steps are then off by half a level
_SHORTEST = 1e-6  # of a gradient: between stops this close, colors jump
_OVERLAP = 0.05  # mm that a band reaches under the next one: paper would shine through where both cover half a pixel
_MORE = 0.5  # mm around what bands and masks must cover


def plain(path: Path) -> tuple[Path | Layer, ...]:
    """Return a shape as shapes whose gradients have two colors, go on in these, and hide what lies beneath."""
    line = path.stroke
    if not is_shaded(path):
        return (path,)
    parts: list[Path | Layer] = []
    if path.fill is not None:
        parts += _filled(replace(path, stroke=None), path.fill)
    if line is not None:
        parts += _filled(replace(path, fill=None), line.color)
    return tuple(parts)


def _filled(path: Path, filling: Filling) -> tuple[Path | Layer, ...]:
    """Return a fill or a line in simpler terms."""
    if not isinstance(filling, LinearGradient | RadialGradient):
        return (path,)
    if filling.is_opaque:
        return _bands(path, filling)
    colors = tuple(replace(stop, opacity=1.0) for stop in filling.stops)
    lights = [round(min(max(stop.opacity, 0.0), 1.0) * 255) for stop in filling.stops]
    grays = (GradientStop(stop.at, (light,) * 3) for stop, light in zip(filling.stops, lights, strict=True))
    mask = replace(filling, stops=tuple(grays))
    box = shapes.box_of_line(path).outset(_MORE)
    ground = Path(shapes.rect_of(box), mask)
    items = _filled(_with(path, replace(filling, stops=colors)), replace(filling, stops=colors))
    return (Layer(items=items, mask=(ground,)),)


def _with(path: Path, gradient: Gradient) -> Path:
    if path.stroke is None:
        return replace(path, fill=gradient)
    return replace(path, stroke=replace(path.stroke, color=gradient))


def _bands(path: Path, gradient: Gradient) -> tuple[Path | Layer, ...]:
    """Return a shape in bands of two colors each, which reach under each other a little."""
    box = shapes.box_of_line(path).outset(_MORE)
    bands = _stretches(gradient, box)
    if len(bands) == 1:
        return (_with(path, bands[0].of(gradient)),)
    if isinstance(gradient, RadialGradient):  # from the outermost ring inwards, since rings reach under inner ones
        bands.reverse()
    parts = [(band.of(gradient), _between(gradient, band, box)) for band in bands]
    if path.stroke is not None:
        return tuple(Layer(items=(_with(path, part),), clips=(clip,)) for part, clip in parts)
    items = tuple(Path(clip.outlines, part, clip.even_odd) for part, clip in parts)
    return (Layer(items=items, clips=(ClipShape(path.outlines, path.even_odd),)),)


class _Band(NamedTuple):
    """A part of a gradient, from one place and color to another; the first and the last go on beyond."""

    low: float
    high: float
    before: tuple[int, int, int]
    after: tuple[int, int, int]
    is_first: bool = False
    is_last: bool = False

    def of(self, gradient: Gradient) -> Gradient:
        """Return the gradient that the band shows."""
        stops = (GradientStop(0.0, self.before), GradientStop(1.0, self.after))
        if isinstance(gradient, LinearGradient):
            (x1, y1), (x2, y2) = gradient.start, gradient.end
            dx, dy = x2 - x1, y2 - y1
            start, end = (x1 + self.low * dx, y1 + self.low * dy), (x1 + self.high * dx, y1 + self.high * dy)
            return replace(gradient, stops=stops, start=start, end=end, spread=PAD)
        (fx, fy, inner), (cx, cy, outer) = _circle(gradient, self.low), _circle(gradient, self.high)
        return replace(
            gradient, stops=stops, center=(cx, cy), radius=outer, focus=(fx, fy), focal_radius=inner, spread=PAD
        )


def _stretches(gradient: Gradient, box: Rect) -> list[_Band]:
    """Return the bands of a gradient in a box, one at least."""
    first, last = turns(gradient, box)
    along = [(place, _color(values)) for place, values in knots(gradient.stops)]
    back = [(1.0 - place, color) for place, color in reversed(along)]
    found: list[_Band] = []
    for turn in range(first, last):
        places = back if gradient.spread == REFLECT and turn % 2 else along
        for (low, before), (high, after) in pairwise(places):
            if high - low >= _SHORTEST:
                found += _halved(_Band(turn + low, turn + high, before, after))
    point = _beginning(gradient)
    found = [_cut(band, point) if band.low < point else band for band in found if band.high - point >= _SHORTEST]
    # What does not change on both sides of a knot is one band: the ends of a gradient that its stops leave free.
    merged: list[_Band] = []
    for band in found:
        if merged and merged[-1].before == merged[-1].after == band.before == band.after:
            merged[-1] = merged[-1]._replace(high=band.high)
        else:
            merged.append(band)
    merged = merged or [_Band(0.0, 1.0, along[-1][1], along[-1][1])]
    merged[0] = merged[0]._replace(is_first=True)
    merged[-1] = merged[-1]._replace(is_last=True)
    return merged


def _beginning(gradient: Gradient) -> float:
    """Return the place of the point in which circles begin; a line goes on without end."""
    if isinstance(gradient, LinearGradient):
        return -math.inf
    return -gradient.focal_radius / (gradient.radius - gradient.focal_radius)


def _cut(band: _Band, low: float) -> _Band:
    """Return a band from a place within it on."""
    share = (low - band.low) / (band.high - band.low)
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(band.before, band.after, strict=True))
    return band._replace(low=low, before=(red, green, blue))


def _halved(band: _Band) -> Iterator[_Band]:
    """Yield a band, or its halves if a viewer's steps would show in it."""
    if max(abs(a - b) for a, b in zip(band.before, band.after, strict=True)) <= _MOST_LEVELS:
        yield band
        return
    red, green, blue = ((a + b + 1) // 2 for a, b in zip(band.before, band.after, strict=True))
    middle = (band.low + band.high) / 2
    yield from _halved(band._replace(high=middle, after=(red, green, blue)))
    yield from _halved(band._replace(low=middle, before=(red, green, blue)))


def _color(values: tuple[float, ...]) -> tuple[int, int, int]:
    red, green, blue, _ = values
    return round(red * 255), round(green * 255), round(blue * 255)


def _between(gradient: Gradient, band: _Band, box: Rect) -> ClipShape:
    """Return where a band is drawn, within a box at least."""
    if isinstance(gradient, RadialGradient):
        return _ring(gradient, band, box)
    (x1, y1), (x2, y2) = gradient.start, gradient.end
    dx, dy = x2 - x1, y2 - y1
    to_box = gradient.transform @ Affine(dx, dy, -dy, dx, x1, y1)  # from places along and across the gradient
    around, back = to_box.inverse.box(box), to_box.inverse
    low = min(around.x, band.low) if band.is_first else band.low
    # A mm is at most so long along the gradient.
    high = max(around.right, band.high) if band.is_last else band.high + _OVERLAP * math.hypot(back.a, back.c)
    return ClipShape(shapes.move_outlines(shapes.rect(low, around.y, high - low, around.height), to_box))


def _ring(gradient: RadialGradient, band: _Band, box: Rect) -> ClipShape:
    def circle(place: float) -> tuple[Outline, ...]:
        x, y, radius = _circle(gradient, place)
        return shapes.move_outlines(shapes.ellipse(x, y, radius, radius), gradient.transform)

    _, _, ex, ey, _, growth = circle_through(gradient)
    # Rings are narrowest where the focus is nearest to the rim.
    narrowest = (growth - math.hypot(ex, ey)) * gradient.transform.stretches[1]
    inner = () if band.is_first else circle(band.low - _OVERLAP / max(narrowest, 1e-9))
    outer = shapes.rect_of(box) if band.is_last else circle(band.high)
    return ClipShape((*outer, *inner), even_odd=True)


def _circle(gradient: RadialGradient, place: float) -> tuple[float, float, float]:
    """Return the circle at a place: x and y of its center, and its radius."""
    fx, fy, ex, ey, first, growth = circle_through(gradient)
    return fx + place * ex, fy + place * ey, max(first + place * growth, 0.0)


def turns(gradient: Gradient, box: Rect) -> tuple[int, int]:
    """Return the first and behind the last time that a gradient is drawn in a box, at most MAX_TURNS of them."""
    if gradient.spread == PAD:
        return 0, 1
    low, high = _reach(gradient, box)
    first = max(math.floor(max(low, -1e9)), -MAX_TURNS // 2)
    return first, min(max(math.ceil(min(high, 1e9)), first + 1), first + MAX_TURNS)


def count_turns(gradient: Gradient, box: Rect) -> float:
    """Return how many times a gradient is drawn in a box, however many these are."""
    if gradient.spread == PAD:
        return 1.0
    low, high = _reach(gradient, box)
    return high - low


def count_bands(gradient: Gradient, box: Rect) -> float:
    """Return about how many bands a gradient has in a box, at most twice as many."""
    places = [_color(values) for _, values in knots(gradient.stops)]
    steps = (max(abs(a - b) for a, b in zip(one, other, strict=True)) for one, other in pairwise(places))
    return count_turns(gradient, box) * sum(1 + step / _MOST_LEVELS for step in steps)


def _reach(gradient: Gradient, box: Rect) -> tuple[float, float]:
    """Return the least and the greatest place of a gradient in a box; beyond 0 and 1 it repeats."""
    corners = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    found = [place_of(gradient, *gradient.transform.inverse.apply(x, y)) for x, y in corners]
    if isinstance(gradient, RadialGradient):  # the circles begin at a point
        found.append(_beginning(gradient))
    return min(found), max(found)
