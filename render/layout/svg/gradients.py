"""Gradients of a drawing: what `fill="url(#sky)"` stands for, with what it takes from others by `href`."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import hypot

from render.base.geometry import IDENTITY, Affine, Rect
from render.layout.svg.css.colors import read_tint, why_no_color
from render.layout.svg.css.lengths import in_units, split_length
from render.layout.svg.drawing import XLINK_HREF, Artboard, Context, StandIn, tag_of
from render.scene.gradients import GradientStop, LinearGradient, RadialGradient
from render.scene.outlines import transform

GRADIENTS = frozenset({"linearGradient", "radialGradient"})
MAX_STOPS = 256  # of a gradient
_MAX_LINKS = 32  # from gradient to gradient

# What an attribute is where it is not given (SVG 1.1, 13.2.2 and 13.2.3).
_LINE = {"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%"}
_CIRCLE = {"cx": "50%", "cy": "50%", "r": "50%"}


@dataclass(frozen=True, slots=True, kw_only=True)
class GradientRule:
    """A gradient, before it is known over which shape it lies.

    `places` are x1, y1, x2, y2 of a line, or cx, cy, r, fx, fy of circles. With `in_box` they are shares of the box
    around the shape, else units of its space.
    """

    places: tuple[float, ...]
    stops: tuple[GradientStop, ...]
    spread: str
    in_box: bool
    transform: Affine

    def faded(self, opacity: float) -> GradientRule:
        """Return the gradient as one that lets more of what is beneath through."""
        if opacity >= 1:
            return self
        return replace(self, stops=tuple(replace(stop, opacity=stop.opacity * opacity) for stop in self.stops))

    def over(self, box: Rect, space: Affine) -> LinearGradient | RadialGradient | None:
        """Return the gradient over a shape with this box in its own space; None if nothing is painted."""
        at = self.transform
        if self.in_box:
            if box.width <= 0 or box.height <= 0:  # SVG 1.1, 7.11
                return None
            at = Affine(a=box.width, d=box.height, e=box.x, f=box.y) @ at
        at = space @ at
        if at.a * at.d - at.b * at.c == 0:
            return None
        if len(self.places) == 4:
            x1, y1, x2, y2 = self.places
            if (x1, y1) == (x2, y2):
                return self._even()
            return LinearGradient(stops=self.stops, start=(x1, y1), end=(x2, y2), spread=self.spread, transform=at)
        cx, cy, radius, fx, fy = self.places
        if radius <= 0:
            return self._even()
        far = hypot(fx - cx, fy - cy) / (radius * 0.999)
        if far > 1:  # SVG 1.1, 13.2.3: a focus outside of the circle lies on it
            fx, fy = cx + (fx - cx) / far, cy + (fy - cy) / far
        return RadialGradient(
            stops=self.stops, center=(cx, cy), radius=radius, focus=(fx, fy), spread=self.spread, transform=at
        )

    def _even(self) -> LinearGradient:
        """Return the last color alone (SVG 1.1, 13.2.2 and 13.2.3: of a gradient without length)."""
        return LinearGradient(stops=self.stops[-1:], start=(0.0, 0.0), end=(1.0, 0.0))


class Served(StandIn[GradientRule]):
    """The value of `fill` or `stroke` with the gradient that it stands for."""

    __slots__ = ()


def read_gradient(drawing: Artboard, element: ET.Element, context: Context) -> Served | None:
    """Return a gradient; None if it has no stops, or a mistake, which is then noted."""
    chain = _chain(drawing, element)
    if chain is None:
        return None
    given: dict[str, str] = {}
    for each in reversed(chain):
        given |= {name: value for name, value in drawing.properties(each).items() if name not in ("id", "href")}
    stops: tuple[GradientStop, ...] = ()
    for each in chain:
        stops = stops or tuple(_stops(drawing, each))
    in_box = given.get("gradientUnits", "objectBoundingBox") != "userSpaceOnUse"
    places = _places(drawing, element, given, context, in_box=in_box)
    try:
        at = transform(given.get("gradientTransform", ""))
    except ValueError as error:
        drawing.wrong(element, "gradientTransform", str(error))
        return None
    spread = given.get("spreadMethod", "pad")
    if spread not in ("pad", "reflect", "repeat"):
        drawing.wrong(element, "spreadMethod", f"expected `pad`, `reflect` or `repeat`, found `{spread}`")
        return None
    if places is None or not stops:
        return None
    return Served(GradientRule(places=places, stops=stops, spread=spread, in_box=in_box, transform=at or IDENTITY))


def _chain(drawing: Artboard, element: ET.Element) -> list[ET.Element] | None:
    """Return a gradient and those that it takes from; None if that has no end."""
    chain = [element]
    while href := chain[-1].get("href") or chain[-1].get(XLINK_HREF):
        other = drawing.ids.get(href.removeprefix("#"))
        if other is None or tag_of(other) not in GRADIENTS:
            drawing.wrong(chain[-1], "href", f"there is no gradient `{href[:60]}`")
            return None
        if other in chain or len(chain) > _MAX_LINKS:
            drawing.wrong(chain[-1], "href", "the gradient takes from itself")
            return None
        chain.append(other)
    return chain


def _places(
    drawing: Artboard, element: ET.Element, given: dict[str, str], context: Context, *, in_box: bool
) -> tuple[float, ...] | None:
    usual = _LINE if tag_of(element) == "linearGradient" else _CIRCLE
    if usual is _CIRCLE:
        given = {"fx": given.get("cx", "50%"), "fy": given.get("cy", "50%"), **given}
        if (fr := split_length(given.get("fr", "0"))) is None or fr[0]:
            drawing.wrong(element, "fr", "a gradient begins at a point, not at a circle")
            return None
    found: list[float] = []
    for name in (*usual, "fx", "fy") if usual is _CIRCLE else usual:
        value = given.get(name) or usual[name]
        parts = split_length(value)
        if parts and in_box:
            number: float | None = parts[0] / 100 if parts[1] == "%" else parts[0]
        else:
            number = in_units(*parts, name, context.units, context.font_size) if parts else None
        if number is None:
            drawing.wrong(element, name, f"expected a number or a share such as `50%`, found `{value[:60]}`")
            return None
        found.append(number)
    return tuple(found)


def _stops(drawing: Artboard, element: ET.Element) -> Iterator[GradientStop]:
    last = 0.0
    children = [child for child in element if tag_of(child) == "stop"]
    if len(children) > MAX_STOPS:
        drawing.refuse(element, f"a gradient has at most {MAX_STOPS} stops, not {len(children):,}")
    for child in children[:MAX_STOPS]:
        given = drawing.properties(child)
        parts = split_length(given.get("offset", "0"))
        if parts is None or parts[1] not in ("", "%"):
            drawing.wrong(child, "offset", f"expected a share such as `0.5` or `50%`, found `{given['offset'][:60]}`")
            continue
        last = max(last, min(parts[0] / 100 if parts[1] else parts[0], 1.0))
        words = given.get("stop-color", "#000000")
        # `currentColor` is that of the stop; one that the element around the gradient has, no program writes.
        tint = read_tint(given.get("color", "#000000") if words.lower() == "currentcolor" else words)
        if tint is None:
            expected = f"expected a color such as `#808080` or `teal`, found `{words[:60]}`"
            drawing.wrong(child, "stop-color", expected, why_no_color(words[:60]))
            continue
        yield GradientStop(last, tint.color, tint.opacity * read_share(drawing, child, "stop-opacity", given))


def read_share(drawing: Artboard, element: ET.Element, name: str, given: dict[str, str]) -> float:
    """Return an opacity, 0 to 1; 1 if it is not given."""
    value = given.get(name, "1")
    parts = split_length(value)
    if parts is None or parts[1] not in ("", "%"):
        drawing.wrong(element, name, f"expected a number from 0 to 1, found `{value[:60]}`")
        return 1.0
    return min(max(parts[0] / 100 if parts[1] else parts[0], 0.0), 1.0)
