"""Shape elements: what `<rect>`, `<path>` and the other shapes of a template draw, and what drawing takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING

from render.base.caches import cached
from render.base.geometry import Affine, Rect
from render.layout import drawable
from render.layout.drawable import Work
from render.layout.style import Attributes, Style, WrongValue, inherit, read_length
from render.scene import outlines as shapes
from render.scene.items import Filling, Outline, Path

if TYPE_CHECKING:
    from render.layout.svg.gradients import Served

Seen = tuple[float, float, float, float]
"""The box of a face that shows: left, top, width and height in mm."""


@cached(1024)
def transform(value: str) -> Affine:
    try:
        return shapes.transform(value)
    except ValueError as error:
        raise WrongValue("transform", str(error)) from None


@cached(8192)
def drawn(tag: str, attributes: Attributes, space: Affine, look: Style, seen: Seen | None) -> tuple[Path, Work] | None:
    """Return what a shape draws, and what drawing takes; cached, since most shapes are the same on every card.

    `seen` is None for shapes of built-in templates, which are not weighed.
    """
    given = dict(attributes)
    look = inherit(look, attributes)
    if "transform" in given:
        space = drawable.check_space(space @ transform(given["transform"]))
    outlines = _outlines(tag, given)
    if drawable.flattens(space):
        return None
    # A `Stroke` has one width, so a line in a skewed space gets the mean of what SVG would draw.
    stroke = look.line(space.growth)
    if (look.fill is None and stroke is None) or not outlines:
        return None
    # A line has no inside to fill.
    fill = None if tag == "line" else _served(look.fill, outlines, space)
    if isinstance(look.stroke, str):
        filling = _served(look.stroke, outlines, space)
        stroke = replace(stroke, color=filling) if stroke and filling else None
    path = Path(shapes.move_outlines(outlines, space), fill, look.even_odd, stroke)
    if path.fill is None and path.stroke is None:
        return None
    return path, drawable.work_of(path, Rect(*seen)) if seen else Work()


def _served(filling: Filling | Served | None, outlines: tuple[Outline, ...], space: Affine) -> Filling | None:
    """Return a gradient over a shape, which is given in its own space; anything else as it is."""
    if isinstance(filling, str):
        return filling.rule.over(curves_box(outlines), space)
    return filling


def curves_box(outlines: Iterable[Outline]) -> Rect:
    """Return the smallest box around outlines; one without points is at the origin."""
    points = [point for outline in outlines for point in _extremes(outline)]
    if not points:
        return Rect(0.0, 0.0, 0.0, 0.0)
    left, top = min(x for x, _ in points), min(y for _, y in points)
    return Rect(left, top, max(x for x, _ in points) - left, max(y for _, y in points) - top)


def _extremes(outline: Outline) -> Iterator[tuple[float, float]]:
    """Yield points of an outline, those where it reaches farthest among them."""
    x, y = outline.start
    yield x, y
    for segment in outline.segments:
        if len(segment) == 6:
            x1, y1, x2, y2, ex, ey = segment
            for at in (*_turns(x, x1, x2, ex), *_turns(y, y1, y2, ey)):
                a, b, c, d = (1 - at) ** 3, 3 * at * (1 - at) ** 2, 3 * at * at * (1 - at), at**3
                yield a * x + b * x1 + c * x2 + d * ex, a * y + b * y1 + c * y2 + d * ey
        x, y = segment[-2], segment[-1]
        yield x, y


def _turns(start: float, first: float, second: float, end: float) -> list[float]:
    """Return where on a curve one of its coordinates stops growing: the roots of its derivative."""
    a, b, c = end - start + 3 * (first - second), 2 * (start - 2 * first + second), first - start
    if abs(a) < 1e-12:
        return [at for at in ([-c / b] if abs(b) > 1e-12 else []) if 0 < at < 1]
    inside = b * b - 4 * a * c
    if inside < 0:
        return []
    return [at for sign in (1, -1) if 0 < (at := (-b + sign * sqrt(inside)) / (2 * a)) < 1]


@cached(1024)
def clip_outlines(tag: str, attributes: Attributes, space: Affine) -> tuple[Outline, ...]:
    """Return the outlines of a shape of a clip; a line has no inside, and shows nothing."""
    return () if tag == "line" else shapes.move_outlines(_outlines(tag, dict(attributes)), space)


_EXTENTS = frozenset({"width", "height", "r", "rx", "ry"})  # SVG 1.1, 9.2: negative ones are errors


def _outlines(tag: str, given: Mapping[str, str]) -> tuple[Outline, ...]:
    def number(name: str) -> float:
        return read_length(name, given.get(name, "0"), least=0.0 if name in _EXTENTS else None)

    attribute = {"path": "d"}.get(tag, "points")
    try:
        match tag:
            case "rect":
                return shapes.rect(*map(number, ("x", "y", "width", "height", "rx", "ry")))
            case "circle":
                return shapes.ellipse(number("cx"), number("cy"), number("r"), number("r"))
            case "ellipse":
                return shapes.ellipse(*map(number, ("cx", "cy", "rx", "ry")))
            case "line":
                start, end = (number("x1"), number("y1")), (number("x2"), number("y2"))
                return (Outline(start, (end,), False),)
            case "path":
                return shapes.path(given.get("d", ""))
            case _:
                return shapes.polyline(given.get("points", ""), closed=tag == "polygon")
    # It is a ValueError as well, and names its attribute already.
    except WrongValue:
        raise
    except ValueError as error:
        raise WrongValue(attribute, str(error)) from None
