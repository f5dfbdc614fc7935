"""Shapes in simpler terms: gradients that repeat as bands, and opacity of stops as a mask.

PDF knows neither repeating gradients nor stops that are seen through, and viewers draw a gradient in 256 steps, however
often it repeats.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from render.base.geometry import Affine, Rect
from render.scene import outlines as shapes
from render.scene.gradients import PAD, REFLECT, Gradient, GradientStop, LinearGradient, RadialGradient, circle_through
from render.scene.items import ClipShape, Filling, Layer, Outline, Path

MAX_BANDS = 200  # times that a gradient repeats across what it fills: each time is drawn by itself

_OVERLAP = 0.05  # mm that a band reaches under the next one: paper would shine through where both cover half a pixel
_MORE = 0.5  # mm around what bands and masks must cover


def plain(path: Path) -> tuple[Path | Layer, ...]:
    """Return a shape as shapes whose gradients end in their last colors and hide what lies beneath."""
    line = path.stroke
    if _is_plain(path.fill) and (line is None or _is_plain(line.color)):
        return (path,)
    parts: list[Path | Layer] = []
    if path.fill is not None:
        parts += _filled(replace(path, stroke=None), path.fill)
    if line is not None:
        parts += _filled(replace(path, fill=None), line.color)
    return tuple(parts)


def _is_plain(filling: Filling | None) -> bool:
    return not isinstance(filling, LinearGradient | RadialGradient) or (filling.is_opaque and filling.spread == PAD)


def _filled(path: Path, filling: Filling) -> tuple[Path | Layer, ...]:
    """Return a fill or a line in simpler terms."""
    if not isinstance(filling, LinearGradient | RadialGradient) or _is_plain(filling):
        return (path,)
    if filling.is_opaque:
        return tuple(_bands(path, filling))
    colors = tuple(replace(stop, opacity=1.0) for stop in filling.stops)
    mask = replace(filling, stops=tuple(map(_gray, filling.stops)))
    box = box_of(path).outset(_MORE)
    ground = Path(shapes.rect(box.x, box.y, box.width, box.height), mask)
    items = _filled(_with(path, replace(filling, stops=colors)), replace(filling, stops=colors))
    return (Layer(items=items, mask=(ground,)),)


def _gray(stop: GradientStop) -> GradientStop:
    light = round(min(max(stop.opacity, 0.0), 1.0) * 255)
    return GradientStop(stop.at, (light, light, light))


def _with(path: Path, gradient: Gradient) -> Path:
    if path.stroke is None:
        return replace(path, fill=gradient)
    return replace(path, stroke=replace(path.stroke, color=gradient))


def _bands(path: Path, gradient: Gradient) -> Iterator[Path | Layer]:
    """Yield a shape once for each time that its gradient repeats, clipped to where it does."""
    box = box_of(path).outset(_MORE)
    first, last = turns(gradient, box)
    if first == 0 and last == 1:
        yield _with(path, replace(gradient, spread=PAD))
        return
    numbers = range(first, last)
    # Rings from the outermost to the innermost, since a larger one reaches under the smaller.
    for number in numbers if isinstance(gradient, LinearGradient) else reversed(numbers):
        stops = gradient.stops
        if gradient.spread == REFLECT and number % 2:
            stops = tuple(replace(stop, at=1.0 - stop.at) for stop in reversed(stops))
        band: Gradient
        ends = number == first, number == last - 1
        if isinstance(gradient, LinearGradient):
            band, clips = _stretch(gradient, number), _between(gradient, number, ends, box)
        else:
            band, clips = _ring(gradient, number), _annulus(gradient, number, ends)
        yield Layer(items=(_with(path, replace(band, stops=stops)),), clips=clips)


def turns(gradient: Gradient, box: Rect) -> tuple[int, int]:
    """Return the first and behind the last time that a gradient is drawn in a box, at most MAX_BANDS of them."""
    if gradient.spread == PAD:
        return 0, 1
    low, high = _reach(gradient, box)
    first = max(math.floor(max(low, -1e9)), -MAX_BANDS // 2)
    return first, min(max(math.ceil(min(high, 1e9)), first + 1), first + MAX_BANDS)


def count_turns(gradient: Gradient, box: Rect) -> float:
    """Return how many times a gradient is drawn in a box, however many these are."""
    if gradient.spread == PAD:
        return 1.0
    low, high = _reach(gradient, box)
    return high - low


def _reach(gradient: Gradient, box: Rect) -> tuple[float, float]:
    """Return the least and the greatest place of a gradient in a box; beyond 0 and 1 it repeats."""
    corners = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    found = [_place(gradient, *gradient.transform.inverse.apply(x, y)) for x, y in corners]
    if isinstance(gradient, RadialGradient):  # the circles begin at a point
        found.append(-gradient.focal_radius / (gradient.radius - gradient.focal_radius))
    return min(found), max(found)


def _place(gradient: Gradient, x: float, y: float) -> float:
    if isinstance(gradient, LinearGradient):
        (x1, y1), (x2, y2) = gradient.start, gradient.end
        dx, dy = x2 - x1, y2 - y1
        return ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)
    fx, fy, ex, ey, first, growth = circle_through(gradient)
    dx, dy = x - fx, y - fy
    room, toward = growth * growth - ex * ex - ey * ey, dx * ex + dy * ey + first * growth
    under = toward * toward + room * (dx * dx + dy * dy - first * first)
    return (math.sqrt(max(under, 0.0)) - toward) / room


def _stretch(gradient: LinearGradient, number: int) -> LinearGradient:
    (x1, y1), (x2, y2) = gradient.start, gradient.end
    dx, dy = x2 - x1, y2 - y1
    start = x1 + number * dx, y1 + number * dy
    return replace(gradient, start=start, end=(start[0] + dx, start[1] + dy), spread=PAD)


def _between(gradient: LinearGradient, number: int, ends: tuple[bool, bool], box: Rect) -> tuple[ClipShape, ...]:
    """Return the part of a box in which a gradient is drawn that time; the first and last time go on beyond."""
    (x1, y1), (x2, y2) = gradient.start, gradient.end
    dx, dy = x2 - x1, y2 - y1
    to_box = gradient.transform @ Affine(dx, dy, -dy, dx, x1, y1)  # from places along and across the gradient
    around = to_box.inverse.box(box)
    low = around.x if ends[0] else float(number)
    high = around.right if ends[1] else number + 1 + _OVERLAP * _steepness(to_box)
    return (_clip(shapes.rect(low, around.y, max(high - low, 1e-6), around.height), to_box),)


def _steepness(to_box: Affine) -> float:
    """Return by how much the place in a gradient grows at most along a mm."""
    back = to_box.inverse
    return math.hypot(back.a, back.c)


def _ring(gradient: RadialGradient, number: int) -> RadialGradient:
    """Return the gradient from one circle to the next."""
    (fx, fy, inner), (cx, cy, outer) = _circle(gradient, number), _circle(gradient, number + 1)
    return replace(gradient, center=(cx, cy), radius=outer, focus=(fx, fy), focal_radius=inner, spread=PAD)


def _circle(gradient: RadialGradient, place: float) -> tuple[float, float, float]:
    """Return the circle at a place: x and y of its center, and its radius."""
    fx, fy, ex, ey, first, growth = circle_through(gradient)
    return fx + place * ex, fy + place * ey, max(first + place * growth, 0.0)


def _annulus(gradient: RadialGradient, number: int, ends: tuple[bool, bool]) -> tuple[ClipShape, ...]:
    def circle(place: float) -> tuple[Outline, ...]:
        x, y, radius = _circle(gradient, place)
        return shapes.ellipse(x, y, radius, radius)

    if ends == (True, True):
        return ()
    less = _OVERLAP / max((gradient.radius - gradient.focal_radius) * gradient.transform.growth, _OVERLAP)
    inner = () if ends[0] else circle(number - less)
    outer = circle(number + 10.0 * MAX_BANDS if ends[1] else number + 1.0)
    return (_clip((*outer, *inner), gradient.transform, even_odd=True),)


def _clip(outlines: tuple[Outline, ...], by: Affine, *, even_odd: bool = False) -> ClipShape:
    return ClipShape(shapes.move_outlines(outlines, by), even_odd)


def box_of(path: Path) -> Rect:
    """Return a box around a shape and its line."""
    steps = [step for outline in path.outlines for step in (outline.start, *outline.segments)]
    xs, ys = ([value for step in steps for value in step[axis::2]] for axis in (0, 1))
    left, top, line = min(xs), min(ys), path.stroke
    reach = line.width * max(line.miter_limit, 1.5) / 2 if line else 0.0
    return Rect(left, top, max(xs) - left, max(ys) - top).outset(reach)
