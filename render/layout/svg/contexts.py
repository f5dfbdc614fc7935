"""What elements inherit of those around them, from the root of a drawing on."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any

from render.layout.svg.css.colors import read_tint
from render.layout.svg.css.lengths import FONT_SIZES, PX, Units, in_units, mm_of, plain_number, split_length, view_box
from render.layout.svg.css.properties import LAYING_OUT, PRESERVING
from render.layout.svg.drawing import SPACE, Artboard, Context
from render.layout.svg.gradients import read_share
from render.layout.svg.paints import Paints


def begin_drawing(root: ET.Element, drawing: Artboard) -> tuple[dict[str, str], Context]:
    """Return the properties of the root, its size in mm, and what all elements begin with.

    A size in px makes bare numbers px, too, if there is no `viewBox`. A size that is missing or in `%` is that of the
    `viewBox`, in px.
    """
    given = dict(drawing.properties(root))
    view = view_box(given.get("viewBox"))
    given |= _size(given, view)
    width, height = (mm_of(given.get(name, "")) or 0.0 for name in ("width", "height"))
    if view is None and width and height and (split_length(given["width"]) or (0, ""))[1] == "px":
        view = (0.0, 0.0, width / PX, height / PX)
        given["viewBox"] = f"0 0 {plain_number(view[2])} {plain_number(view[3])}"
    given |= {name: plain_number(mm) for name, mm in (("width", width), ("height", height)) if mm > 0}
    if view is None:
        return given, Context(Units(1.0, PX, width, height))
    return given, Context(Units(view[2] / width if width else 1.0, 1.0, view[2], view[3]))


def _size(given: Mapping[str, str], view: tuple[float, ...] | None) -> dict[str, str]:
    """Return the width and height that are missing or a share of what is not known: those of the `viewBox`."""
    lost = [name for name in ("width", "height") if given.get(name, "auto").strip().endswith(("%", "auto"))]
    if not lost or view is None:
        return {}
    scale = PX
    for name, side in (("width", view[2]), ("height", view[3])):
        if name not in lost and (known := mm_of(given[name])):
            scale = known / side
    return {name: f"{plain_number((view[2] if name == 'width' else view[3]) * scale)}mm" for name in lost}


def enter(
    context: Context, given: Mapping[str, str], element: ET.Element, drawing: Artboard, paints: Paints
) -> Context:
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
            changed[name] = paints.paint(element, name, given[name], context)
    for name in ("fill-opacity", "stroke-opacity"):
        if given.get(name, "inherit") != "inherit":
            changed[name.replace("-", "_")] = read_share(drawing, element, name, dict(given))
    if given.get("visibility", "inherit") != "inherit":
        changed["visible"] = given["visibility"] == "visible"
    if SPACE in element.attrib:
        changed["preserve"] = element.attrib[SPACE] == "preserve"
    layout = tuple((name, given[name]) for name in sorted(given.keys() & LAYING_OUT))
    if layout:
        changed["layout"] = tuple(sorted({**dict(context.layout), **dict(layout)}.items()))
        spaces = dict(layout).get("white-space", dict(layout).get("white-space-collapse"))
        if spaces is not None:
            changed["preserve"] = spaces in PRESERVING
    for name, field in _OF_LINES.items():
        if name in given:
            changed[field] = given[name]
    if "text-anchor" in given:
        changed["anchor"] = given["text-anchor"]
    if "clip-rule" in given:
        changed["clip_rule"] = given["clip-rule"]
    return context._replace(**changed) if changed else context


_OF_LINES = {
    "stroke-dasharray": "dashes",
    "stroke-dashoffset": "dash_start",
    "stroke-linecap": "cap",
    "paint-order": "paint_order",
}


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
