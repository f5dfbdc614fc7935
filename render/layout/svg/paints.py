"""What elements of a drawing are painted with, and all else that they inherit of those around them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import hypot
from typing import Any

from render.base.geometry import IDENTITY, Affine, Rect
from render.layout.svg.css import (
    FONT_SIZES,
    PX,
    Units,
    in_units,
    mm_of,
    plain_length,
    plain_number,
    read_tint,
    split_length,
    view_box,
    why_no_color,
)
from render.layout.svg.drawing import SPACE, XLINK_HREF, Artboard, Context, Paint, StandIn
from render.layout.svg.properties import LAYING_OUT, PRESERVING, UNDRAWN
from render.layout.svg.subset import tag_of
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
        yield GradientStop(last, tint.color, tint.opacity * drawing.share(child, "stop-opacity", given))


_NO: Paint = ("none", 1.0)
_REASONS = {
    "pattern": "draw its parts one by one, or the whole as a picture",
    "meshgradient": "draw it as a picture",
    "mesh": "draw it as a picture",
    "hatch": "draw its lines one by one",
}


class Paints:
    """Reads what shapes of a drawing are painted with; each gradient once for each size of `%` and `em` in it."""

    def __init__(self, drawing: Artboard) -> None:
        self._drawing = drawing
        self._read: dict[tuple[ET.Element, object], Served | None] = {}

    def enter(self, element: ET.Element, given: Mapping[str, str], context: Context) -> Context:
        """Return what is inherited within an element with these properties."""
        changed: dict[str, Any] = {}
        if "font-size" in given:
            changed["font_size"] = _font_size(given["font-size"], context)
        if "color" in given:
            tint = read_tint(given["color"])
            changed["color"] = tint.words if tint else context.color
        context = context._replace(**changed)
        changed = {}
        for name in ("fill", "stroke"):
            if name in given:
                changed[name] = self.paint(element, name, given[name], context)
        for name in ("fill-opacity", "stroke-opacity"):
            if given.get(name, "inherit") != "inherit":
                changed[name.replace("-", "_")] = self._drawing.share(element, name, given)
        if given.get("visibility", "inherit") != "inherit":
            changed["visible"] = given["visibility"] == "visible"
        if SPACE in element.attrib:
            changed["preserve"] = element.attrib[SPACE] == "preserve"
        if layout := {name: given[name] for name in given.keys() & LAYING_OUT}:
            changed["layout"] = tuple(sorted({**dict(context.layout), **layout}.items()))
            spaces = layout.get("white-space", layout.get("white-space-collapse"))
            if spaces is not None:
                changed["preserve"] = spaces in PRESERVING
        for name, field in _HANDED_DOWN.items():
            if name in given:
                changed[field] = given[name]
        return context._replace(**changed) if changed else context

    def paint(self, element: ET.Element, name: str, value: str, context: Context) -> Paint:
        """Return what `fill` or `stroke` says; after a mistake, which is noted, nothing is painted."""
        words = value.strip()
        if words == "inherit":
            return context.fill if name == "fill" else context.stroke
        if words.lower() == "currentcolor":
            return context.color, 1.0
        if words == "none":
            return _NO
        if words.startswith("url("):
            return self._served(element, name, words, context)
        tint = read_tint(words)
        if tint is None:
            expected = "expected a color such as `#808080`, `teal` or `rgb(0, 128, 128)`, or `none`"
            self._drawing.wrong(element, name, f"{expected}, found `{words[:60]}`", why_no_color(words[:60]))
            return _NO
        return tint.words, tint.opacity

    def _served(self, element: ET.Element, name: str, words: str, context: Context) -> Paint:
        found, called, other = self._drawing.linked(words)
        if other and (found is None or tag_of(found) not in UNDRAWN):  # SVG 1.1, 11.2: what is no paint is passed over
            return self.paint(element, name, other, context)
        if found is None or tag_of(found) not in GRADIENTS:
            tag = tag_of(found) if found is not None else ""
            said = f"a `<{tag}>` is not drawn" if tag else f"there is no gradient called `{called or words[:60]}`"
            self._drawing.wrong(element, name, said, _REASONS.get(tag, ""))
            return _NO
        key = found, (context.units, context.font_size)
        if key not in self._read:
            self._read[key] = read_gradient(self._drawing, found, context)
        return self._read[key] or "none", 1.0

    def painted(self, tag: str, given: dict[str, str], context: Context) -> list[tuple[str, dict[str, str], float]]:
        """Return a shape with its colors, and how much of what is beneath it hides.

        One whose fill and line hide not all, or not the same, or whose line comes first, is drawn as two.
        """
        fill, through_fill = _faded(context.fill, context.fill_opacity) if tag != "line" else _NO
        line, through_line = _faded(context.stroke, context.stroke_opacity)
        order = context.paint_order.split()
        line_first = "stroke" in order and "fill" not in order[: order.index("stroke")] and "none" not in (fill, line)
        if through_fill >= 1 and through_line >= 1 and not line_first:
            return [(tag, {**given, "fill": fill, "stroke": line}, 1.0)]
        filled = (tag, {**given, "fill": fill, "stroke": "none"}, through_fill)
        lined = (tag, {**given, "fill": "none", "stroke": line}, through_line)
        parts = ((lined, line), (filled, fill)) if line_first else ((filled, fill), (lined, line))
        return [part for part, words in parts if words != "none" and part[2] > 0]

    def with_dashes(
        self, given: dict[str, str], element: ET.Element, context: Context, *, drawn: bool
    ) -> dict[str, str]:
        """Return attributes whose dashes are plain numbers and, if it is drawn itself, begin where the line does."""
        given.pop("stroke-dashoffset", None)
        units, size = context.units, context.font_size
        if given.get("stroke-dasharray", "none") != "none":
            given["stroke-dasharray"] = " ".join(_plain_dashes(given["stroke-dasharray"], units, size))
        if not drawn or context.dashes == "none":
            return given
        try:
            numbers = [float(word) for word in _plain_dashes(context.dashes, units, size)]
        except ValueError:
            return given  # which the reader of `stroke-dasharray` refuses
        if not sum(numbers):
            return {**given, "stroke-dasharray": "none"}
        parts = split_length(context.dash_start)
        start = in_units(*parts, "stroke-dashoffset", units, size) if parts else None
        if start and min(numbers) >= 0:
            if context.cap != "butt":
                hint = "choose butt caps, or other dashes"
                self._drawing.wrong(element, "stroke-dashoffset", "dashes with caps begin at the line's start", hint)
            given["stroke-dasharray"] = " ".join(map(plain_number, _begun(numbers, start)))
        return given


def _plain_dashes(value: str, units: Units, size: float) -> list[str]:
    return [plain_length(word, "stroke-dasharray", units, size) for word in value.replace(",", " ").split()]


def _faded(paint: Paint, opacity: float) -> Paint:
    """Return a paint that hides less; of a gradient, each stop does."""
    words, own = paint
    if isinstance(words, Served):
        return (Served(words.rule.faded(own * opacity)) if own * opacity < 1 else words), 1.0
    return (words, own * opacity) if words != "none" else _NO


def _begun(dashes: list[float], start: float) -> list[float]:
    """Return the dashes and gaps of a line that begins within the pattern: a dash that it cuts ends the pattern."""
    pattern = dashes if len(dashes) % 2 == 0 else dashes * 2
    start %= sum(pattern)
    at = 0
    while start >= pattern[at]:
        start -= pattern[at]
        at += 1
    begun = [pattern[at] - start, *pattern[at + 1 :], *pattern[:at], start]
    if at % 2:  # it begins in a gap
        return [0.0, *begun[:-1], begun[-1]]
    return [*begun[:-1], begun[-1], 0.0]


def begin_drawing(root: ET.Element, drawing: Artboard) -> tuple[dict[str, str], Context]:
    """Return the properties of the root, its size in mm, and what all elements begin with.

    A size in px makes bare numbers px, too, if there is no `viewBox`. A size that is missing or in `%` is that of the
    `viewBox`, in px.
    """
    given = dict(drawing.properties(root))
    view = view_box(given.get("viewBox"))
    lost = [name for name in ("width", "height") if given.get(name, "auto").strip().endswith(("%", "auto"))]
    if lost and view:
        sides, scale = {"width": view[2], "height": view[3]}, PX
        for name, side in sides.items():
            if name not in lost and (known := mm_of(given[name])):
                scale = known / side
        given |= {name: f"{plain_number(sides[name] * scale)}mm" for name in lost}
    width, height = (mm_of(given.get(name, "")) or 0.0 for name in ("width", "height"))
    if view is None and width and height and (split_length(given["width"]) or (0, ""))[1] == "px":
        view = (0.0, 0.0, width / PX, height / PX)
        given["viewBox"] = f"0 0 {plain_number(view[2])} {plain_number(view[3])}"
    given |= {name: plain_number(mm) for name, mm in (("width", width), ("height", height)) if mm > 0}
    if view is None:
        return given, Context(Units(1.0, PX, width, height))
    return given, Context(Units(view[2] / width if width else 1.0, 1.0, view[2], view[3]))


_HANDED_DOWN = {
    "text-anchor": "anchor", "clip-rule": "clip_rule", "stroke-dasharray": "dashes", "stroke-dashoffset": "dash_start",
    "stroke-linecap": "cap", "paint-order": "paint_order",
}  # fmt: skip


def _font_size(value: str, context: Context) -> float:
    if value in FONT_SIZES:
        return FONT_SIZES[value] * 3.0
    parts = split_length(value)
    if parts is None:
        return context.font_size
    if parts[1] == "%":
        return parts[0] / 100 * context.font_size
    found = in_units(*parts, "font-size", context.units, context.font_size)
    return found if found is not None and found > 0 else context.font_size
