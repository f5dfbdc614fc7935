"""Rewriting a drawing in plain elements, with plain numbers and colors, that need no look-up.

Copies (`use`) become groups, styles attributes, units and shares numbers; what is not seen is left out. What is seen
through or clipped is a `<layer>`, which no template can write itself. Whatever cannot be drawn as it is meant is a
mistake of an element, and none is passed over.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Container, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import did_you_mean
from render.layout.svg.css import FONT_SIZES, Units, split_length, view_box
from render.layout.svg.drawing import LENGTHS, XLINK_HREF, Artboard, Context, geometry, is_chosen
from render.layout.svg.memo import Memo
from render.layout.svg.paints import Paints, begin_drawing
from render.layout.svg.properties import REFUSED, UNDRAWN
from render.layout.svg.subset import FONT, MAX_DEPTH, SHAPES, SUBSET, element_name, loose_words, tag_of
from render.layout.svg.texts import Texts

MAX_CLIP_SHAPES = 1000  # in one clip
_MAX_LINKS = 8  # clips of clips

# What elements hand on to those within them, beside fill and stroke, which stand on each shape.
_HANDED_ON = FONT | frozenset(
    "fill-rule stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray".split()
)
_MEASURED = LENGTHS | {"stroke-width", "letter-spacing", "word-spacing", "min-size", "line-gap", "pixel", "size-step"}


def resolve(root: ET.Element, count: Callable[[int], None]) -> tuple[ET.Element, Artboard]:
    """Return a drawing in plain elements, and what is known of it: which element each stands for, and its mistakes.

    `count` is told of each that is drawn, copies included, and may raise.
    """
    drawing = Artboard(root, count)
    if too_deep := _deeper_than(MAX_DEPTH, root):
        drawing.refuse(too_deep[0], f"`{element_name(too_deep[0])}` is nested more than {MAX_DEPTH} elements deep")
        return root, drawing
    resolver = Resolver(root, drawing)
    made = resolver.root(root)
    if not drawing.mistakes:
        resolver.memo.keep()
    return made, drawing


def _deeper_than(most: int, root: ET.Element) -> list[ET.Element]:
    """Return the elements that are inside `most` others; without recursion, which has a limit of its own."""
    level = [root]
    for _ in range(most):
        level = [child for element in level for child in element]
    return level


class Resolver:
    """Rewrites one drawing, from the root down."""

    def __init__(self, root: ET.Element, drawing: Artboard) -> None:
        self.drawing = drawing
        self.memo = Memo(root, drawing)
        self.clips = Clips(drawing)
        self.paints = Paints(drawing)
        self.texts = Texts(drawing, self.paints)
        self.open: list[ET.Element] = []  # the elements of the file around what is rewritten, copies included

    def root(self, old: ET.Element) -> ET.Element:
        if tag_of(old) != "svg":
            self.drawing.refuse(old, f"the root is `{element_name(old)}`, expected `<svg>`")
            return old
        given, context = begin_drawing(old, self.drawing)
        context = self.paints.enter(old, given, context)
        # Whatever holds for the whole drawing is said of a group in it, since the root is no group.
        allowed = SUBSET["svg"].difference(("fill", "stroke", "transform", "x", "y"))
        made = self.drawing.new("svg", _only(allowed, given), old)
        self.open.append(old)
        if given.get("display") != "none":
            made.extend(self.wrapped(old, {**given, "transform": ""}, context, lambda _: self.children(old, context)))
        return made

    def children(self, old: ET.Element, context: Context) -> list[ET.Element]:
        self.check_words(old)
        depth = len(self.open)
        return [made for child in old for made in self.memo.part(child, context, depth, self.element)]

    def check_words(self, old: ET.Element) -> None:
        if words := loose_words(old):
            message = f"`{element_name(old)}` holds the text `{words}`"
            self.drawing.refuse(old, message, "text stands in `<text>` or `<tspan>`")

    def element(self, old: ET.Element, context: Context) -> list[ET.Element]:
        """Return what an element draws, as plain elements."""
        tag = tag_of(old)
        if tag in UNDRAWN or not is_chosen(old) or not self.is_drawn(old, tag):
            return []
        self.drawing.count(1)
        given = self.drawing.properties(old)
        if given.get("display") == "none":
            return []
        if len(self.open) > MAX_DEPTH:
            self.drawing.refuse(old, f"`{element_name(old)}` is nested more than {MAX_DEPTH} elements deep")
            return []
        context = self.paints.enter(old, given, context)
        self.open.append(old)
        try:
            return self.wrapped(old, given, context, lambda plain: self.drawn(tag, old, plain, context))
        finally:
            self.open.pop()

    def is_drawn(self, old: ET.Element, tag: str) -> bool:
        if tag in ("g", "svg", "a", "switch", "use", "image", "text") or tag in SHAPES:
            return True
        if tag in SUBSET:
            around = tag_of(self.open[-1])
            self.drawing.refuse(old, f"`{element_name(old)}` stands within `<{around}>`, where it is not allowed")
        elif tag in REFUSED:
            self.drawing.refuse(old, f"the element `{element_name(old)}` is not drawn", REFUSED[tag])
        else:
            hint = did_you_mean(tag, sorted({*SUBSET, "use", "symbol", "defs", "clipPath"}))
            self.drawing.refuse(old, f"the element `{element_name(old)}` is not in the subset", hint)
        return False

    def wrapped(
        self,
        old: ET.Element,
        given: Mapping[str, str],
        context: Context,
        draw: Callable[[dict[str, str]], list[ET.Element]],
    ) -> list[ET.Element]:
        """Return what `draw` makes of plain attributes, within a layer if it is clipped or seen through."""
        opacity = self.drawing.share(old, "opacity", given)
        clip = given.get("clip-path", "none")
        rule = None if clip == "none" else self.clips.clip(old, clip, context)
        plain = self.plain(old, given, context)
        if opacity >= 1 and rule is None:
            return draw(plain)
        look: dict[str, object] = {"transform": plain.pop("transform")} if plain.get("transform") else {}
        inside = draw(plain)
        if rule is not None:
            look["clip-path"] = rule
        return self.drawing.layer(inside, old, opacity, look) if rule is None or rule.parts else []

    def plain(self, old: ET.Element, given: Mapping[str, str], context: Context) -> dict[str, str]:
        """Return attributes with plain numbers."""
        plain = {
            name: context.units.plain(value, name) if name in _MEASURED else value
            for name, value in given.items()
            if value != "inherit"
        }
        size = plain.get("font-size", "")
        if size in FONT_SIZES or (split_length(size) or ("", ""))[1]:
            plain["font-size"] = f"{context.units.font_size:.9g}"
        return self.paints.with_dashes(plain, old, context, drawn=tag_of(old) in SHAPES)

    def drawn(self, tag: str, old: ET.Element, given: dict[str, str], context: Context) -> list[ET.Element]:
        match tag:
            case "g" | "a":
                return self.group(old, given, self.children(old, context))
            case "svg":
                return self.viewport(old, given, context, old)
            case "switch":
                chosen = next((child for child in old if is_chosen(child)), None)
                return self.group(old, given, self.element(chosen, context) if chosen is not None else [])
            case "use":
                return self.use(old, given, context)
            case "image":
                return self.image(old, given, context)
            case "text":
                return self.texts.drawn(old, given, context)
            case _:
                return self.shape(tag, old, given, context)

    def group(self, old: ET.Element, given: Mapping[str, str], inside: list[ET.Element]) -> list[ET.Element]:
        """Return elements within a group, if there is anything to say of all of them."""
        look = {name: value for name, value in given.items() if name in _HANDED_ON or (name == "transform" and value)}
        if not look:
            return inside
        made = self.drawing.new("g", look, old)
        made.extend(inside)
        return [made]

    def shape(self, tag: str, old: ET.Element, given: dict[str, str], context: Context) -> list[ET.Element]:
        for child in old:
            if tag_of(child) not in UNDRAWN and not tag_of(child).startswith("{"):
                message = f"`{element_name(child)}` stands within `<{tag}>`, where it is not allowed"
                self.drawing.refuse(child, message)
        self.check_words(old)
        own, shapes = _only(SUBSET[tag], given), list[ET.Element]()
        for look, opacity in self.paints.painted(own, context, is_line=tag == "line") if context.visible else ():
            shapes += self.drawing.layer([self.drawing.new(tag, look, old)], old, opacity)
        return shapes

    def image(self, old: ET.Element, given: dict[str, str], context: Context) -> list[ET.Element]:
        if given.get("href", "").startswith("data:"):
            hint = "save the picture as a file in the set's folder, and name it here"
            self.drawing.wrong(old, "href", "a picture within the template is not read", hint)
            return []
        return [self.drawing.new("image", _only(SUBSET["image"], given), old)] if context.visible else []

    # --- copies and viewports -----

    def use(self, old: ET.Element, given: dict[str, str], context: Context) -> list[ET.Element]:
        href = given.get("href", "")
        target = self.drawing.ids.get(href.removeprefix("#")) if href.startswith("#") else None
        if not href:
            self.drawing.wrong(old, "href", "is missing")
            return []
        if target is None:
            near = did_you_mean(href.removeprefix("#"), sorted(self.drawing.ids))
            hint = near or "it names an element by its `id`, as in `#star`, and of this template only"
            self.drawing.wrong(old, "href", f"there is no element `{href[:60]}`", hint)
            return []
        if any(target is each for each in self.open):
            self.drawing.wrong(old, "href", f"`{href[:60]}` is an element around it, which would draw itself")
            return []
        x, y = given.get("x", "0"), given.get("y", "0")
        stays = all((parts := split_length(each)) and parts[0] == 0 for each in (x, y))
        move = "" if stays else f"translate({x or 0} {y or 0})"
        look = {**given, "transform": f"{given.get('transform', '')} {move}".strip()}
        if tag_of(target) not in ("symbol", "svg"):
            return self.group(old, look, self.element(target, context))
        own = self.drawing.properties(target)
        if own.get("display") == "none":
            return []
        inner = self.paints.enter(target, own, context)
        plain = {"width": "100%", "height": "100%", **own, **_only({"width", "height"}, given)}
        self.open.append(target)
        try:
            inside = self.wrapped(target, plain, inner, lambda own_look: self.viewport(target, own_look, inner, old))
        finally:
            self.open.pop()
        return self.group(old, look, inside)

    def viewport(self, old: ET.Element, given: dict[str, str], context: Context, named: ET.Element) -> list[ET.Element]:
        """Return a nested `<svg>`; one whose size is not given is as big as the viewport around it."""
        units, view = context.units, view_box(given.get("viewBox"))
        sizes = {name: given.get(name) or units.plain("100%", name) for name in ("width", "height")}
        width, height = view[2:] if view else (units.measure(size, name) for name, size in sizes.items())
        if width is not None and height is not None:
            context = context._replace(units=replace(units, width=width, height=height))
        own = _only(SUBSET["svg"] - {"fill", "stroke", "transform"}, given) | sizes
        if own.get("overflow") in ("auto", "scroll"):
            own["overflow"] = "hidden" if own["overflow"] == "scroll" else "visible"
        made = self.drawing.new("svg", own, named if "width" in named.attrib else old)
        made.extend(self.children(old, context))
        return self.group(old, {"transform": given.get("transform", "")}, [made])


def _only(names: Container[str], given: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in given.items() if name in names}


class ClipPart(Struct, frozen=True):
    """A shape of a clip, with its transforms from the outer to the inner, and its fill rule."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    transforms: tuple[str, ...]
    even_odd: bool


class ClipRule(Struct, frozen=True):
    """Shapes, of which each shows what is in it; with `in_box` they are in shares of the box around what is clipped.

    `within` is what clips these shapes themselves.
    """

    parts: tuple[ClipPart, ...]
    in_box: bool
    within: ClipRule | None


class Clips:
    """Reads the clips of a drawing, each once for each size of `%` and `em` and each `clip-rule` around."""

    def __init__(self, drawing: Artboard) -> None:
        self._drawing = drawing
        self._read: dict[tuple[ET.Element, Units, str], ClipRule | None] = {}

    def clip(self, element: ET.Element, value: str, context: Context, links: int = 0) -> ClipRule | None:
        """Return the clip that `url(#name)` gives an element; None after a mistake, which is then noted."""
        found, name, _ = self._drawing.linked(value)
        if found is None or tag_of(found) != "clipPath":
            if name:
                self._drawing.wrong(element, "clip-path", f"there is no `<clipPath>` called `{name}`")
            else:
                self._drawing.odd(element, "clip-path", value, "`url(#name)`")
            return None
        if links > _MAX_LINKS:
            self._drawing.wrong(element, "clip-path", "clips clip each other without end")
            return None
        key = found, context.units, context.clip_rule
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
        parts = [part for child in element for part in self._parts(child, own, context.units, rule)]
        if len(parts) > MAX_CLIP_SHAPES:
            self._drawing.refuse(element, f"a clip has at most {MAX_CLIP_SHAPES} shapes, not {len(parts):,}")
            return None
        return ClipRule(tuple(parts), given.get("clipPathUnits") == "objectBoundingBox", inner)

    def _parts(self, element: ET.Element, around: tuple[str, ...], units: Units, rule: str) -> Iterator[ClipPart]:
        """Yield the shape that an element of a clip is, or copies, within these transforms."""
        tag = tag_of(element)
        if tag in UNDRAWN or not is_chosen(element):
            return
        if tag != "use" and tag not in SHAPES:
            hint = "draw the text as a path" if tag == "text" else "a clip holds shapes, and `use` of a shape"
            message = f"`{element_name(element)}` stands within `<clipPath>`, where it is not drawn"
            self._drawing.refuse(element, message, hint)
            return
        given = self._drawing.properties(element)
        if given.get("display") == "none" or given.get("visibility", "visible") != "visible":
            return
        if given.get("clip-path", "none") != "none":
            self._drawing.wrong(element, "clip-path", "a shape of a clip has no clip of its own")
            return
        transforms = (*around, given["transform"]) if given.get("transform") else around
        rule = given.get("clip-rule", rule)
        plain = geometry(given, units)
        if tag != "use":
            yield ClipPart(tag, tuple(plain.items()), transforms, rule == "evenodd")
            return
        href = given.get("href", element.get(XLINK_HREF, ""))
        other = self._drawing.ids.get(href.removeprefix("#"))
        if other is None or tag_of(other) not in SHAPES:
            self._drawing.wrong(element, "href", f"within `<clipPath>`, there is no shape `{href[:60]}`")
            return
        move = f"translate({plain.get('x', '0')} {plain.get('y', '0')})"
        yield from self._parts(other, (*transforms, move), units, rule)
