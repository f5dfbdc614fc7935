"""What elements of a drawing are painted with, and all else that they inherit of those around them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from math import hypot
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from render.base.geometry import Affine, Rect
from render.layout.svg.css import (
    FONT_SIZES,
    PX,
    USUAL_SIZE,
    Units,
    plain_number,
    read_tint,
    split_length,
    view_box,
    why_no_color,
)
from render.layout.svg.drawing import SPACE, XLINK_HREF, Artboard, Context, Paint
from render.layout.svg.properties import LAYING_OUT, PRESERVING, UNDRAWN, is_line_first
from render.layout.svg.subset import tag_of
from render.scene.gradients import GradientStop, LinearGradient, RadialGradient
from render.scene.outlines import transform

GRADIENTS = frozenset({"linearGradient", "radialGradient"})
MAX_STOPS = 256  # of a gradient
_MAX_LINKS = 32  # from gradient to gradient

# What an attribute is where it is not given (SVG 1.1, 13.2.2 and 13.2.3).
_LINE = {"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%"}
_CIRCLE = {"cx": "50%", "cy": "50%", "r": "50%"}
_IN_BOX = Units(1.0, 1.0, 1.0, 1.0)  # shares of a box, written with `%` or without


class GradientRule(Struct, frozen=True, cache_hash=True, kw_only=True):
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
        stops = (GradientStop(stop.at, stop.color, stop.opacity * opacity) for stop in self.stops)
        return replace(self, stops=tuple(stops)) if opacity < 1 else self

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


def read_gradient(drawing: Artboard, element: ET.Element, context: Context) -> GradientRule | None:
    """Return a gradient; None if it has no stops, or a mistake, which is then noted."""
    chain = _chain(drawing, element)
    if chain is None:
        return None
    given: dict[str, str] = {}
    for each in reversed(chain):
        given |= {name: value for name, value in drawing.properties(each).items() if name not in ("id", "href")}
    stops = next(filter(None, (tuple(_stops(drawing, each)) for each in chain)), ())
    in_box = given.get("gradientUnits", "objectBoundingBox") != "userSpaceOnUse"
    places = _places(drawing, element, given, _IN_BOX if in_box else context.units)
    try:
        at = transform(given.get("gradientTransform", ""))
    except ValueError as error:
        drawing.wrong(element, "gradientTransform", str(error))
        return None
    spread = given.get("spreadMethod", "pad")
    if spread not in ("pad", "reflect", "repeat"):
        drawing.odd(element, "spreadMethod", spread, "`pad`, `reflect` or `repeat`")
        return None
    if places is None or not stops:
        return None
    return GradientRule(places=places, stops=stops, spread=spread, in_box=in_box, transform=at)


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


def _places(drawing: Artboard, element: ET.Element, given: dict[str, str], units: Units) -> tuple[float, ...] | None:
    usual = _LINE
    if tag_of(element) == "radialGradient":
        usual = {**_CIRCLE, "fx": given.get("cx", "50%"), "fy": given.get("cy", "50%")}
        if (fr := split_length(given.get("fr", "0"))) is None or fr[0]:
            drawing.wrong(element, "fr", "a gradient begins at a point, not at a circle")
            return None
    places: list[float] = []
    for name in usual:
        value = given.get(name) or usual[name]
        number = units.measure(value, name)
        if number is None:
            drawing.odd(element, name, value, "a number or a share such as `50%`")
            return None
        places.append(number)
    return tuple(places)


def _stops(drawing: Artboard, element: ET.Element) -> Iterator[GradientStop]:
    last = 0.0
    children = [child for child in element if tag_of(child) == "stop"]
    if len(children) > MAX_STOPS:
        drawing.refuse(element, f"a gradient has at most {MAX_STOPS} stops, not {len(children):,}")
    for child in children[:MAX_STOPS]:
        given = drawing.properties(child)
        last = max(last, drawing.share(child, "offset", given, usual="0"))
        words = given.get("stop-color", "#000000")
        # `currentColor` is that of the stop; one that the element around the gradient has, no program writes.
        tint = read_tint(given.get("color", "#000000") if words.lower() == "currentcolor" else words)
        if tint is None:
            drawing.odd(child, "stop-color", words, "a color such as `#808080` or `teal`", why_no_color(words[:60]))
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
        self._read: dict[tuple[ET.Element, Units], GradientRule | None] = {}

    def enter(self, element: ET.Element, given: Mapping[str, str], context: Context) -> Context:
        """Return what is inherited within an element with these properties."""
        if "font-size" in given:
            context = context._replace(units=_sized(given["font-size"], context.units))
        if tint := read_tint(given.get("color", "inherit")):
            context = context._replace(color=tint.words)
        changed: dict[str, Any] = {}
        for name in ("fill", "stroke"):
            if name in given:
                changed[name] = self.paint(element, name, given[name], context)
        for name in ("fill-opacity", "stroke-opacity"):
            if name in given:
                changed[name.replace("-", "_")] = self._drawing.share(element, name, given)
        if "visibility" in given:
            changed["visible"] = given["visibility"] == "visible"
        if SPACE in element.attrib:
            changed["preserve"] = element.attrib[SPACE] == "preserve"
        if layout := {name: given[name] for name in given.keys() & LAYING_OUT}:
            changed["layout"] = tuple(sorted({**dict(context.layout), **layout}.items()))
            spaces = layout.get("white-space", layout.get("white-space-collapse"))
            if spaces is not None:
                changed["preserve"] = spaces in PRESERVING
        changed |= {field: given[name] for name, field in _HANDED_DOWN.items() if name in given}
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
            expected = "a color such as `#808080`, `teal` or `rgb(0, 128, 128)`, or `none`"
            self._drawing.odd(element, name, words, expected, why_no_color(words[:60]))
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
        key = found, context.units
        if key not in self._read:
            self._read[key] = read_gradient(self._drawing, found, context)
        return self._read[key] or "none", 1.0

    def painted(self, given: dict[str, str], context: Context, *, is_line: bool) -> list[tuple[dict[str, Any], float]]:
        """Return the attributes of a shape with its colors, and how much of what is beneath it hides.

        One whose fill and line hide not all, or not the same, or whose line comes first, is drawn as two.
        """
        fill, through_fill = _faded(context.fill, context.fill_opacity) if not is_line else _NO
        line, through_line = _faded(context.stroke, context.stroke_opacity)
        line_first = is_line_first(context.paint_order) and "none" not in (fill, line)
        if through_fill >= 1 and through_line >= 1 and not line_first:
            return [({**given, "fill": fill, "stroke": line}, 1.0)]
        parts = [(fill, {"fill": fill, "stroke": "none"}, through_fill)]
        parts.insert(0 if line_first else 1, (line, {"fill": "none", "stroke": line}, through_line))
        return [({**given, **look}, through) for paint, look, through in parts if paint != "none" and through > 0]

    def with_dashes(
        self, given: dict[str, str], element: ET.Element, context: Context, *, drawn: bool
    ) -> dict[str, str]:
        """Return attributes whose dashes are plain numbers and, if it is drawn itself, begin where the line does."""
        given.pop("stroke-dashoffset", None)
        if given.get("stroke-dasharray", "none") != "none":
            given["stroke-dasharray"] = " ".join(_plain_dashes(given["stroke-dasharray"], context.units))
        if not drawn or context.dashes == "none":
            return given
        try:
            numbers = [float(word) for word in _plain_dashes(context.dashes, context.units)]
        except ValueError:
            return given  # which the reader of `stroke-dasharray` refuses
        if not sum(numbers):
            return {**given, "stroke-dasharray": "none"}
        start = context.units.measure(context.dash_start, "stroke-dashoffset")
        if start and min(numbers) >= 0:
            if context.cap != "butt":
                hint = "choose butt caps, or other dashes"
                self._drawing.wrong(element, "stroke-dashoffset", "dashes with caps begin at the line's start", hint)
            given["stroke-dasharray"] = " ".join(map(plain_number, _begun(numbers, start)))
        return given


def _plain_dashes(value: str, units: Units) -> list[str]:
    return [units.plain(word, "stroke-dasharray") for word in value.replace(",", " ").split()]


def _faded(paint: Paint, opacity: float) -> Paint:
    """Return a paint that hides less; of a gradient, each stop does."""
    words, own = paint
    if isinstance(words, GradientRule):
        return words.faded(own * opacity), 1.0
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
    return [0.0, *begun] if at % 2 else [*begun, 0.0]  # in a gap, or in a dash


def begin_drawing(root: ET.Element, drawing: Artboard) -> tuple[dict[str, str], Context]:
    """Return the properties of the root, its size in mm, and what all elements begin with.

    A size in px makes bare numbers px, too, if there is no `viewBox`. A size that is missing or in `%` is that of the
    `viewBox`, in px.
    """
    given = dict(drawing.properties(root))
    view = view_box(given.get("viewBox"))
    in_mm = Units(font_size=0.0)  # there are no letters yet, and no viewport: `em` and `%` are nothing
    lost = [name for name in ("width", "height") if given.get(name, "auto").strip().endswith(("%", "auto"))]
    if lost and view:
        sides, scale = {"width": view[2], "height": view[3]}, PX
        for name, side in sides.items():
            if name not in lost and (known := in_mm.measure(given[name], name)):
                scale = known / side
        given |= {name: f"{plain_number(sides[name] * scale)}mm" for name in lost}
    width, height = (in_mm.measure(given.get(name, ""), name) or 0.0 for name in ("width", "height"))
    if view is None and width and height and (split_length(given["width"]) or (0, ""))[1] == "px":
        view = (0.0, 0.0, width / PX, height / PX)
        given["viewBox"] = f"0 0 {plain_number(view[2])} {plain_number(view[3])}"
    given |= {name: plain_number(mm) for name, mm in (("width", width), ("height", height)) if mm > 0}
    if view is None:
        return given, Context(Units(width=width, height=height))
    return given, Context(Units(view[2] / width if width else 1.0, 1.0, view[2], view[3]))


_HANDED_DOWN = {
    "text-anchor": "anchor", "direction": "direction", "clip-rule": "clip_rule", "stroke-dasharray": "dashes", "stroke-dashoffset": "dash_start",
    "stroke-linecap": "cap", "paint-order": "paint_order",
}  # fmt: skip


def _sized(value: str, units: Units) -> Units:
    """Return units in which letters have a size."""
    size = FONT_SIZES[value] * USUAL_SIZE if value in FONT_SIZES else units.measure(value, "font-size")
    return replace(units, font_size=size) if size is not None and size > 0 else units
