"""The subset of SVG that templates are drawn in: its elements, their attributes, and what may stand within what.

`templates/svg.md` documents the subset. Anything outside it is rewritten in it, or is an error.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = frozenset("rect circle ellipse line polyline polygon path".split())

_PLACE = frozenset({"id", "transform"})
_LINE = frozenset("stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray".split())
_GRAPHICS = _PLACE | _LINE | {"fill", "fill-rule"}
_LETTERS = _LINE | {"fill", "paint-order"}
FONT = frozenset(
    "font-family font-size font-style font-weight font-stretch letter-spacing word-spacing font-kerning"
    " font-variant-ligatures font-variant-caps font-variant-numeric font-feature-settings text-shadow".split()
)
_ROOM = frozenset(
    "width height text-anchor direction pixel min-size size-step min-stretch leading line-gap paragraph-gap"
    " max-space-growth min-leading min-paragraph-gap vertical-align around optional-size bullets".split()
)

SUBSET: Mapping[str, frozenset[str]] = {
    "svg": _GRAPHICS | FONT | frozenset("x y width height viewBox preserveAspectRatio overflow".split()),
    "g": _GRAPHICS | FONT,
    "rect": _GRAPHICS | frozenset("x y width height rx ry".split()),
    "circle": _GRAPHICS | frozenset("cx cy r".split()),
    "ellipse": _GRAPHICS | frozenset("cx cy rx ry".split()),
    "line": _GRAPHICS | frozenset("x1 y1 x2 y2".split()),
    "polyline": _GRAPHICS | frozenset(("points",)),
    "polygon": _GRAPHICS | frozenset(("points",)),
    "path": _GRAPHICS | frozenset(("d",)),
    "image": _PLACE | frozenset("x y width height href preserveAspectRatio tone".split()),
    "text": _PLACE | FONT | _ROOM | _LETTERS | {"x", "y"},
    "tspan": FONT | _LETTERS | {"display", "optional"},
    "icon": frozenset("href value words height".split()),
    "ul": frozenset(),
    "ol": frozenset(("start",)),
    "li": frozenset(("sign",)),
    "br": frozenset(),
    "rule": frozenset("stroke stroke-width stroke-linecap stroke-dasharray width".split()),
}
"""The attributes that a template may use, by element."""

_IN_TEXT = frozenset("tspan icon br rule ul ol".split())
WITHIN: Mapping[str, frozenset[str]] = {
    "svg": frozenset(SUBSET) - _IN_TEXT - {"li"},
    "g": frozenset(SUBSET) - _IN_TEXT - {"li"},
    **dict.fromkeys(("text", "tspan", "li"), _IN_TEXT),
    **dict.fromkeys(("ul", "ol"), frozenset(("li",))),
}
"""The elements that may stand within an element; most hold none."""

_MAX_NAME = 60  # characters of a name in a message
MAX_DEPTH = 64  # elements inside elements, copies included


def tag_of(element: ET.Element) -> str:
    """Return the tag of an element of SVG; that of others begins with `{`, their namespace."""
    return element.tag.removeprefix(SVG)


def element_name(element: ET.Element) -> str:
    """Return the element as a message names it: `<rect>` or `<text id="name">`."""
    tag, name = (
        words if len(words) <= _MAX_NAME else f"{words[:_MAX_NAME]}…"
        for words in (tag_of(element), element.get("id", ""))
    )
    return f'<{tag} id="{name}">' if name else f"<{tag}>"


_NOTHING: frozenset[str] = frozenset()


def is_plain(root: ET.Element) -> bool:
    """Return whether all elements and attributes are of the plain subset, which needs no rewriting."""
    if tag_of(root) != "svg":
        return False
    queue = [(root, "svg", 1)]
    # No recursion: a template may nest deeper than Python's stack is.
    while queue:
        element, tag, depth = queue.pop()
        if depth > MAX_DEPTH or not element.attrib.keys() <= SUBSET[tag]:
            return False
        if "tspan" not in (inside := WITHIN.get(tag, _NOTHING)) and loose_words(element):
            return False
        for child in element:
            inner = tag_of(child)
            if inner not in inside:
                return False
            queue.append((child, inner, depth + 1))
    return True


def loose_words(element: ET.Element) -> str:
    """Return the start of text inside an element that draws none."""
    return " ".join([element.text or "", *(child.tail or "" for child in element)]).strip()[:40]
