"""Clips of a drawing: what `clip-path="url(#window)"` stands for."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

from render.layout.svg.css.lengths import plain_length
from render.layout.svg.css.properties import UNDRAWN
from render.layout.svg.drawing import XLINK_HREF, Artboard, Context, StandIn, is_chosen, name_of, tag_of

SHAPES = frozenset({"rect", "circle", "ellipse", "line", "polyline", "polygon", "path"})
LENGTHS = frozenset("x y width height rx ry r cx cy x1 y1 x2 y2".split())
MAX_CLIP_SHAPES = 1000  # in one clip
_MAX_LINKS = 8  # clips of clips

Attributes = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ClipPart:
    """A shape of a clip, with its transforms from the outer to the inner, and its fill rule."""

    tag: str
    attributes: Attributes
    transforms: tuple[str, ...]
    even_odd: bool


@dataclass(frozen=True, slots=True)
class ClipRule:
    """Shapes, of which each shows what is in it; with `in_box` they are in shares of the box around what is clipped.

    `within` is what clips these shapes themselves.
    """

    parts: tuple[ClipPart, ...]
    in_box: bool
    within: ClipRule | None


class Clipped(StandIn[ClipRule]):
    """The value of `clip-path` with the clip that it stands for."""

    __slots__ = ()


class Clips:
    """Reads the clips of a drawing, each once for each size of `%` and `em` and each `clip-rule` around."""

    def __init__(self, drawing: Artboard) -> None:
        self._drawing = drawing
        self._read: dict[tuple[ET.Element, object], ClipRule | None] = {}

    def clip(self, element: ET.Element, value: str, context: Context, links: int = 0) -> ClipRule | None:
        """Return the clip that `url(#name)` gives an element; None after a mistake, which is then noted."""
        found, name, _ = self._drawing.linked(value)
        if found is None or tag_of(found) != "clipPath":
            said = (
                f"there is no `<clipPath>` called `{name}`" if name else f"expected `url(#name)`, found `{value[:60]}`"
            )
            self._drawing.wrong(element, "clip-path", said)
            return None
        if links > _MAX_LINKS:
            self._drawing.wrong(element, "clip-path", "clips clip each other without end")
            return None
        key = found, (context.units, context.font_size, context.clip_rule)
        if key not in self._read:
            self._read[key] = self._rule(found, context, links)
        return self._read[key]

    def _rule(self, element: ET.Element, context: Context, links: int) -> ClipRule | None:
        given = self._drawing.properties(element)
        inner = None
        if given.get("clip-path", "none") != "none":
            inner = self.clip(element, given["clip-path"], context, links + 1)
            if inner is None:
                return None
        own = (given["transform"],) if given.get("transform") else ()
        rule = given.get("clip-rule", context.clip_rule)
        parts = [part for child in element for part in self._parts(child, own, context, rule)]
        if len(parts) > MAX_CLIP_SHAPES:
            self._drawing.refuse(element, f"a clip has at most {MAX_CLIP_SHAPES} shapes, not {len(parts):,}")
            return None
        return ClipRule(tuple(parts), given.get("clipPathUnits") == "objectBoundingBox", inner)

    def _parts(
        self, element: ET.Element, transforms: tuple[str, ...], context: Context, rule: str
    ) -> Iterator[ClipPart]:
        tag = tag_of(element)
        if tag.startswith("{") or tag in UNDRAWN or not is_chosen(element):
            return
        if tag != "use" and tag not in SHAPES:
            hint = "draw the text as a path" if tag == "text" else "a clip holds shapes, and `use` of a shape"
            self._drawing.refuse(element, f"{name_of(element)} stands within `<clipPath>`, where it is not drawn", hint)
            return
        given = self._drawing.properties(element)
        if given.get("display") == "none" or given.get("visibility", "visible") != "visible":
            return
        if given.get("clip-path", "none") != "none":
            self._drawing.wrong(element, "clip-path", "a shape of a clip has no clip of its own")
            return
        transforms = (*transforms, given["transform"]) if given.get("transform") else transforms
        rule = given.get("clip-rule", rule)
        if tag == "use":
            yield from self._used(element, given, transforms, context, rule)
            return
        sizes = context.font_size
        plain = tuple(
            (name, plain_length(value, name, context.units, sizes) if name in LENGTHS else value)
            for name, value in given.items()
            if name in LENGTHS or name in ("d", "points")
        )
        yield ClipPart(tag, plain, transforms, rule == "evenodd")

    def _used(
        self, element: ET.Element, given: dict[str, str], transforms: tuple[str, ...], context: Context, rule: str
    ) -> Iterator[ClipPart]:
        href = given.get("href", element.get(XLINK_HREF, ""))
        other = self._drawing.ids.get(href.removeprefix("#"))
        if other is None or tag_of(other) not in SHAPES:
            self._drawing.wrong(element, "href", f"within `<clipPath>`, there is no shape `{href[:60]}`")
            return
        x, y = (plain_length(given.get(name, "0"), name, context.units, context.font_size) for name in ("x", "y"))
        yield from self._parts(other, (*transforms, f"translate({x} {y})"), context, rule)
