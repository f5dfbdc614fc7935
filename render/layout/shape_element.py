"""Shape elements: what `<rect>`, `<path>` and the other shapes of a template draw, and what drawing takes."""

from __future__ import annotations

from collections.abc import Mapping

from render.base.caches import cached
from render.base.geometry import Affine, Rect
from render.layout import drawable
from render.layout.drawable import Work
from render.layout.style import Attributes, Style, WrongValue, inherit, read_length
from render.scene import outlines as shapes
from render.scene.items import Outline, Path

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
    path = Path(shapes.move_outlines(outlines, space), None if tag == "line" else look.fill, look.even_odd, stroke)
    return path, drawable.work_of(path, Rect(*seen)) if seen else Work()


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
