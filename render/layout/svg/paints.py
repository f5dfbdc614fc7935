"""Fill and stroke of a drawing: colors by all their names, gradients, opacity."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from render.layout.svg.css.colors import read_tint, why_no_color
from render.layout.svg.css.lengths import Units, in_units, plain_length, plain_number, split_length
from render.layout.svg.css.properties import UNDRAWN
from render.layout.svg.drawing import Artboard, Context, Paint, tag_of
from render.layout.svg.gradients import GRADIENTS, Served, read_gradient

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
