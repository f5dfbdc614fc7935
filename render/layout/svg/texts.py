"""Texts of drawing programs: each line that has a place of its own becomes a text of its own."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Struct, field

from render.base.findings import did_you_mean
from render.base.patterns import regex
from render.layout.svg.css import plain_number, split_length
from render.layout.svg.drawing import Artboard, Context, Paint, geometry, is_chosen
from render.layout.svg.paints import GradientRule, Paints
from render.layout.svg.properties import PRESERVING, REFUSED, UNDRAWN, WRAPPING, is_foreign
from render.layout.svg.subset import FONT, SHAPES, SUBSET, WITHIN, element_name, loose_words, tag_of

_LINE = ("stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray")
_FACE = (*sorted(FONT - {"font-size"}), *_LINE)
_PLACES = ("x", "y", "dx", "dy")
_MEASURED = ("stroke-width", "letter-spacing", "word-spacing")
_OF_RICH_TEXTS = ("icon", "rule", "br", "ul", "ol", "li")
_ALIGNED = {"left": "start", "start": "start", "center": "middle", "right": "end", "end": "end", "justify": "justify"}


class _Piece(Struct, kw_only=True):
    """Words of one look, which hide so much; `place` is where they begin, if they begin a line."""

    words: str
    look: dict[str, Any]
    opacity: float
    element: ET.Element
    anchor: str
    place: dict[str, float] = field(default_factory=dict)


class PathRule(Struct, frozen=True):
    """A shape that a text follows, with its `transform`, from its end to its start if the words go `backwards`.

    The anchor of the text is `offset` units and a `share` of its length from where it begins.
    """

    tag: str
    attributes: tuple[tuple[str, str], ...]
    transform: str
    offset: float
    share: float
    backwards: bool


class Texts:
    """Rewrites the texts of a drawing."""

    def __init__(self, drawing: Artboard, paints: Paints) -> None:
        self._drawing, self._paints = drawing, paints

    def drawn(self, old: ET.Element, given: dict[str, str], context: Context) -> list[ET.Element]:
        """Return a `<text>` as plain texts; none if it is not seen."""
        self._check_layout(old, given, context)
        if not context.visible:
            return []
        look = {name: value for name, value in given.items() if name in SUBSET["text"]}
        if context.anchor and "text-anchor" not in look:
            look["text-anchor"] = context.anchor
        if context.direction:
            look["direction"] = context.direction
        if any(tag_of(child) == "textPath" for child in old):
            return self._along_paths(old, given, look, context)
        if self._has_places(old, given):
            return [each for line in self._lines(old, given, context) for each in self._line(line, look, old)]
        for name, value in context.layout:
            # Programs that wrap by these properties also write the place of each line.
            if name in WRAPPING and value not in ("none", "auto", "0"):
                self._drawing.not_drawn(old, name, value)
        paint, opacity = self._paint(old, context)
        made = self._drawing.new("text", {**look, **paint}, old)
        made.text = _spaced(old.text, context)
        for child in old:
            self._copy(child, made, context, opacity)
        return self._drawing.layer([made], old, opacity)

    def _check_layout(self, old: ET.Element, given: Mapping[str, str], context: Context) -> None:
        """Note what lays out the lines of a text in other ways than its box does, or than a line without one."""
        if "height" not in given:
            return
        anchor = given.get("text-anchor", context.anchor or "start")
        for name, value in context.layout:
            usual = value in ("normal", "auto", "none", "0") or (name[:5] == "white" and value in PRESERVING)
            if not usual and _ALIGNED.get(value) != anchor:
                self._drawing.not_drawn(old, name, value)
        for name in ("dx", "dy"):
            if given.get(name, "0") != "0":
                self._drawing.wrong(old, name, "is for a text without `height`", "move it with `x` and `y`")

    def _has_places(self, old: ET.Element, given: Mapping[str, str]) -> bool:
        """Whether the lines of a text have places of their own, or its letters."""
        if any(name in given and not _ONE.fullmatch(given[name]) for name in _PLACES):
            return True
        if "height" not in given and any(given.get(name, "0") != "0" for name in ("dx", "dy")):
            return True
        if not len(old):
            return False
        inner = [each for each in old.iter() if each is not old and tag_of(each) == "tspan"]
        return any(name in each.attrib for each in inner for name in _PLACES)

    # --- texts along paths -----

    def _along_paths(
        self, old: ET.Element, given: Mapping[str, str], look: Mapping[str, str], context: Context
    ) -> list[ET.Element]:
        """Return a text for each path that words of a `<text>` follow."""
        paint, opacity = self._paint(old, context)
        place, found = self._place(old, given, context), list[ET.Element]()
        own = {name: value for name, value in look.items() if name not in _PLACES} | paint
        for words, child in ((old.text, None), *((child.tail, child) for child in old)):
            if child is not None and (tag := tag_of(child)) not in UNDRAWN and is_chosen(child):
                if tag != "textPath":
                    hint = "put it into the `<textPath>`, or into a `<text>` of its own"
                    self._drawing.refuse(child, f"`{element_name(child)}` stands beside a `<textPath>`", hint)
                elif rule := self._path(child, place.get("x", 0.0) + place.get("dx", 0.0), context):
                    inner = self._paints.enter(child, self._drawing.properties(child), context)
                    size, rise = plain_number(inner.units.font_size), plain_number(place.get("dy", 0.0))
                    anchor = {"text-anchor": inner.anchor} if inner.anchor else {}
                    text = self._drawing.new(
                        "text", {**own, "along": rule, "y": rise, "font-size": size, **anchor}, old
                    )
                    span = self._copied("tspan", child, "text", context, opacity)
                    text.extend([] if span is None else [span])
                    found.append(text)
            if words and words.strip():
                hint = "put them into it, or into a `<text>` of their own"
                self._drawing.refuse(old, f"words stand beside a `<textPath>`: `{words.strip()[:40]}`", hint)
        return self._drawing.layer(found, old, opacity)

    def _path(self, old: ET.Element, shift: float, context: Context) -> PathRule | None:
        """Return the path that a `<textPath>` names, with the anchor so far along it; None after a mistake."""
        given = self._drawing.properties(old)
        for each in old.iter("*"):
            if tag_of(each) == "tspan" and (moved := next((name for name in _PLACES if name in each.attrib), "")):
                self._drawing.wrong(each, moved, "words on a path have no places of their own", "use `startOffset`")
        href = given.get("href", "")
        target = self._drawing.ids.get(href.removeprefix("#")) if href[:1] == "#" else None
        if target is None or tag_of(target) not in SHAPES:
            hint = did_you_mean(href.removeprefix("#"), sorted(self._drawing.ids)) or "give a `<path>` an `id`"
            self._drawing.wrong(old, "href", f"there is no path `{href[:60]}`" if href else "is missing", hint)
            return None
        units = self._paints.enter(old, given, context).units
        offset = given.get("startOffset", "0").strip()
        number, unit = split_length(offset) or (0.0, "none")
        start, share = (0.0, number / 100) if unit == "%" else (units.measure(offset, "startOffset"), 0.0)
        if start is None:
            self._drawing.odd(old, "startOffset", offset, "a length, or a share of the path such as `50%`")
            return None
        shape = self._drawing.properties(target)
        plain, backwards = tuple(geometry(shape, context.units).items()), given.get("side") == "right"
        return PathRule(tag_of(target), plain, shape.get("transform", ""), start + shift, share, backwards)

    # --- texts that are written as templates write them -----

    def _copy(self, old: ET.Element, parent: ET.Element, context: Context, opacity: float) -> None:
        """Copy an element of a text, if it is seen, and the words behind it into `parent`."""
        self._drawing.count(1)
        tag, behind = tag_of(old), _spaced(old.tail, context)
        made = self._copied(tag, old, parent.tag, context, opacity)
        if made is None:
            _add_words(parent, behind)
            return
        made.tail = behind
        parent.append(made)

    def _copied(self, tag: str, old: ET.Element, around: str, context: Context, opacity: float) -> ET.Element | None:
        """Return a copy of an element within one with the tag `around`; None if it is not seen."""
        if tag in UNDRAWN or not is_chosen(old):
            return None
        if tag not in WITHIN.get(around, ()) and tag != "a":
            message = f"`{element_name(old)}` stands within `<{around}>`, where it is not allowed"
            self._drawing.refuse(old, message, REFUSED.get(tag, ""))
            return None
        given = self._drawing.properties(old)
        inner = self._paints.enter(old, given, context)
        self._check_inner(old, given, context)
        look = {
            name: inner.units.plain(value, name) if name in _MEASURED else value
            for name, value in given.items()
            if name in SUBSET.get(tag, ())
        }
        if tag == "rule" and "stroke" in look:
            look["stroke"] = inner.stroke[0] if isinstance(inner.stroke[0], str) else "none"
        if "font-size" in look:
            look["font-size"] = plain_number(inner.units.font_size)
        if tag != "rule" and not _PAINTED.isdisjoint(given):
            paint, own = self._paint(old, inner)
            look |= paint
            if abs(own - opacity) > 1e-6:
                self._drawing.wrong(old, "fill-opacity", "the words of a text are all seen through alike")
        if not inner.visible or given.get("display") == "none":
            return None
        made = self._drawing.new("tspan" if tag == "a" else tag, look, old)
        if tag in ("ul", "ol") and (words := loose_words(old)):
            self._drawing.refuse(old, f"`{element_name(old)}` holds the text `{words}`", "put it into an `<li>`")
        made.text = _spaced(old.text, inner)
        for child in old:
            self._copy(child, made, inner, opacity)
        return made

    def _check_inner(self, old: ET.Element, given: Mapping[str, str], around: Context) -> None:
        """Note properties that elements within a text do not have."""
        if self._drawing.share(old, "opacity", given) < 1:
            self._drawing.wrong(old, "opacity", "the words of a text are all seen through alike")
        if given.get("direction") == "rtl" != around.direction:
            self._drawing.wrong(old, "direction", "a text has one direction", "give it to `<text>`")
        if given.get("clip-path", "none") != "none":
            self._drawing.wrong(old, "clip-path", "words within a text are not clipped by themselves")
        if (tag := tag_of(old)) in _OF_RICH_TEXTS:
            named = (name for name in given if not is_foreign(name))
            for name in sorted({*named} - SUBSET[tag] - {"opacity", "clip-path", "display", "visibility"}):
                self._drawing.not_drawn(old, name, given[name])

    def _paint(self, old: ET.Element, context: Context) -> tuple[dict[str, str], float]:
        """Return the colors of words and of the line around them, and how much of what is beneath both hide."""
        fill, opacity = self._color(old, "fill", context.fill, context.fill_opacity)
        line, line_opacity = self._color(old, "stroke", context.stroke, context.stroke_opacity)
        if line == "none" or not line_opacity:
            return {"fill": fill, "stroke": "none"}, opacity
        if fill != "none" and abs(opacity - line_opacity) > 1e-6:
            self._drawing.wrong(old, "stroke-opacity", "words and the line around them are seen through alike")
        return {"fill": fill, "stroke": line, "paint-order": context.paint_order}, line_opacity

    def _color(self, old: ET.Element, name: str, paint: Paint, opacity: float) -> tuple[str, float]:
        words, own = paint
        if isinstance(words, GradientRule):
            hint = "choose a color, or draw the text as a path"
            self._drawing.wrong(old, name, "text has one color, and no gradient", hint)
            return "#000000", 1.0
        return words, own * opacity

    # --- texts whose lines have places -----

    def _lines(self, old: ET.Element, given: dict[str, str], context: Context) -> list[list[_Piece]]:
        lines: list[list[_Piece]] = []
        x = y = 0.0
        for piece in self._pieces(old, given, _face(given, context), context):
            if piece.place or not lines:
                x = piece.place.get("x", x) + piece.place.get("dx", 0.0)
                y = piece.place.get("y", y) + piece.place.get("dy", 0.0)
                if not piece.words.strip() and not lines and not piece.place:
                    continue
                if lines and "x" not in piece.place and any(each.words.strip() for each in lines[-1]):
                    hint = "give `x` as well, or make it a text of its own"
                    self._drawing.wrong(piece.element, "dy" if "dy" in piece.place else "y", "says no `x`", hint)
                piece.place = {"x": x, "y": y}
                lines.append([])
            lines[-1].append(piece)
        return [line for line in lines if any(each.words.strip() for each in line)]

    def _pieces(
        self, old: ET.Element, given: Mapping[str, str], face: dict[str, str], context: Context
    ) -> Iterator[_Piece]:
        """Yield the words of an element and of those in it, in order."""
        self._drawing.count(1)
        paint, opacity = self._paint(old, context)
        look = {**face, "font-size": plain_number(context.units.font_size), **paint}
        own = partial(_Piece, look=look, opacity=opacity, element=old, anchor=context.anchor)
        yield own(words=_spaced(old.text, context), place=self._place(old, given, context))
        for child in old:
            tag = tag_of(child)
            if tag in ("tspan", "a"):
                inside = self._drawing.properties(child)
                inner = self._paints.enter(child, inside, context)
                self._check_inner(child, inside, context)
                if inside.get("display") != "none" and inner.visible and is_chosen(child):
                    faces = {**face, **_face(inside, inner)}
                    yield from self._pieces(child, inside, faces, inner)
            elif not tag.startswith("{") and tag not in UNDRAWN:
                said = f"`{element_name(child)}` stands within `<text>`, where it is not drawn"
                hint = REFUSED.get(tag, "lines with places of their own hold words and `tspan`")
                if tag in _OF_RICH_TEXTS:
                    said = "rich text with icons or rules stands in lines that have places of their own"
                    hint = "give `<text>` a `width` and a `height`, and let its `tspan` have no `x` and `y`"
                self._drawing.refuse(child, said, hint)
            yield own(words=_spaced(child.tail, context))

    def _place(self, old: ET.Element, given: Mapping[str, str], context: Context) -> dict[str, float]:
        found: dict[str, float] = {}
        for name in _PLACES:
            # The attributes themselves: a `tspan` of a template has none.
            value = given.get(name) or old.get(name)
            if not value:
                continue
            length = context.units.measure(value, name)
            if length is None:
                said = f"expected one length, found `{value[:60]}`; letters have no places of their own"
                hint = "in Inkscape, choose Text, Remove Manual Kerns; or draw it as a path"
                self._drawing.wrong(old, name, said, hint)
                continue
            found[name] = length
        # A `tspan` that is moved by nothing stands where it would stand by itself.
        moves = tag_of(old) == "text" or any(found.get(name) for name in ("dx", "dy")) or {"x", "y"} & found.keys()
        return found if moves else {}

    def _line(self, line: list[_Piece], own: dict[str, str], old: ET.Element) -> list[ET.Element]:
        first = next(each for each in line if each.words.strip())
        look = {**own, **first.look, **{name: plain_number(line[0].place[name]) for name in ("x", "y")}}
        if first.anchor:
            look["text-anchor"] = first.anchor
        made = self._drawing.new("text", look, first.element)
        for piece in line:
            differs = {name: value for name, value in piece.look.items() if first.look.get(name) != value}
            lost = {*first.look} - {*piece.look, "font-family", *_LINE}
            differs |= dict.fromkeys(lost, "normal")
            if not piece.words.strip():
                differs.pop("font-size", "")
            elif abs(piece.opacity - first.opacity) > 1e-6:
                self._drawing.wrong(piece.element, "fill-opacity", "the words of a text are all seen through alike")
            if differs and piece.words:
                span = self._drawing.new("tspan", differs, piece.element)
                span.text = piece.words
                made.append(span)
            else:
                _add_words(made, piece.words)
        return self._drawing.layer([made], old, first.opacity)


_PAINTED = frozenset(("fill", "fill-opacity", "stroke", "stroke-opacity", "paint-order"))
_ONE = regex(r"\s*[^\s,]+\s*")
_BREAKS = regex(r"[\t\r\n]")
_SPACES = regex(r"(?<= ) |^ | $")


def _face(given: Mapping[str, str], context: Context) -> dict[str, str]:
    """Return what elements say of letters, with plain lengths."""
    face = {name: given[name] for name in _FACE if name in given}
    return face | {name: context.units.plain(face[name], name) for name in _MEASURED if name in face}


def _spaced(words: str | None, context: Context) -> str:
    """Return words whose spaces all count, if they do in the file: those that would be lost are no-break spaces."""
    if not words or not context.preserve:
        return words or ""
    return _SPACES.sub("\u00a0", _BREAKS.sub(" ", words.strip("\r\n")))


def _add_words(parent: ET.Element, words: str) -> None:
    """Add words at the end of an element."""
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + words
    else:
        parent.text = (parent.text or "") + words
