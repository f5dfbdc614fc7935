"""Presentation attributes: the fill, stroke and font that an SVG element sets or inherits, as exact values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from render.base.caches import cached
from render.base.findings import listed
from render.base.geometry import Rect, parse_length
from render.scene.items import Color, Stroke
from render.scene.outlines import parse_numbers
from render.text import fonts

Attributes = tuple[tuple[str, str], ...]

_HEX = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_FINEST = 0.05  # mm: a dash with its gap; no printer shows finer ones
_NAMED: dict[str, Color | None] = {"none": None, "black": (0, 0, 0), "white": (255, 255, 255)}
_SWITCHES: dict[str, tuple[str, dict[str, object]]] = {
    "fill-rule": ("even_odd", {"nonzero": False, "evenodd": True}),
    # No bundled face is oblique: the italic one stands in.
    "font-style": ("italic", {"normal": False, "italic": True, "oblique": True}),
    "font-weight": ("bold", {"normal": False, "bold": True}),
    "font-stretch": ("condensed", {"normal": False, "condensed": True}),
    "stroke-linecap": ("cap", {"butt": "butt", "round": "round", "square": "square"}),
    "stroke-linejoin": ("join", {"miter": "miter", "round": "round", "bevel": "bevel"}),
}


class WrongValue(ValueError):  # noqa: N818 - it names what the author wrote
    """The value of an attribute is not one that SVG, or the subset of it, allows.

    `attribute` is its name. `element`, as a message names it, is set if it is not the element being drawn.
    """

    def __init__(self, attribute: str, message: str, element: str = "") -> None:
        self.attribute = attribute
        self.element = element
        super().__init__(message)


class Style(NamedTuple):
    """The inherited presentation.

    Lengths in mm of the user space. Defaults are SVG's, those of the font are our own.
    """

    # SVG 1.1, 11.3 and 11.4: black fill, no line, width 1, butt caps, miter joins with limit 4.
    fill: Color | None = (0, 0, 0)
    even_odd: bool = False
    stroke: Color | None = None
    stroke_width: float = 1.0
    cap: str = "butt"
    join: str = "miter"
    miter_limit: float = 4.0
    dashes: tuple[float, ...] = ()
    family: str = fonts.SANS
    size: float = 3.0  # mm: 8.5 pt
    italic: bool = False
    bold: bool = False
    condensed: bool = False
    pixel: float = 0.0  # mm: letters advance by whole pixels; 0: by any width
    spacing: float = 0.0  # mm behind every letter

    def line(self, growth: float) -> Stroke | None:
        """Return the stroke in a space enlarged `growth` times; None if there is none."""
        # SVG 1.1, 11.4: a line of width 0 is not painted.
        if self.stroke is None or self.stroke_width <= 0:
            return None
        dashes = tuple(dash * growth for dash in self.dashes)
        return Stroke(
            color=self.stroke,
            width=self.stroke_width * growth,
            cap=self.cap,
            join=self.join,
            miter_limit=self.miter_limit,
            dashes=dashes,
        )

    def face(self) -> str:
        """Return the name of the bundled face; WrongValue if none has this family and style."""
        name = fonts.choose(self.family, italic=self.italic, bold=self.bold, condensed=self.condensed)
        if name is None:
            raise WrongValue("font-family", f"no bundled font is that; there are {listed(fonts.NAMES, 'and')}")
        return name


@cached(4096)
def inherit(look: Style, attributes: Attributes) -> Style:
    """Return the style of an element inside one with the style `look`; WrongValue for a value that is not allowed."""
    changed: dict[str, object] = {}
    for name, value in attributes:
        if name in ("fill", "stroke"):
            changed[name] = color(name, value)
        elif name in _SWITCHES:
            field, choices = _SWITCHES[name]
            if value not in choices:
                raise WrongValue(name, f"expected {listed(tuple(choices))}, found `{value}`")
            changed[field] = choices[value]
        elif name == "font-family":
            changed["family"] = value
        elif name == "font-size":
            changed["size"] = read_length(name, value, above=0.0)
        elif name == "pixel":
            changed["pixel"] = read_length(name, value, least=0.0)
        elif name == "letter-spacing":
            changed["spacing"] = read_length(name, value)
        elif name == "stroke-width":
            changed["stroke_width"] = read_length(name, value, least=0.0)
        elif name == "stroke-miterlimit":
            # SVG 1.1, 11.4: a limit below 1 is an error.
            changed["miter_limit"] = read_length(name, value, least=1.0)
        elif name == "stroke-dasharray":
            changed["dashes"] = _dashes(value)
    # Other attributes are no part of the style; `rendering.parse` has checked their names.
    return look._replace(**changed) if changed else look  # type: ignore[arg-type]


def color(attribute: str, value: str) -> Color | None:
    """Return the color of `#rgb`, `#rrggbb`, `black` or `white`; None for `none`."""
    if value in _NAMED:
        return _NAMED[value]
    match = _HEX.fullmatch(value)
    if match is None:
        raise WrongValue(attribute, f"expected a color such as `#808080`, `black`, `white` or `none`, found `{value}`")
    # `#abc` is short for `#aabbcc` (CSS).
    digits = match[1] if len(match[1]) == 6 else "".join(digit * 2 for digit in match[1])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


@cached(4096)
def read_length(attribute: str, value: str, *, least: float | None = None, above: float | None = None) -> float:
    """Return a length in mm of the user space, checked against the bounds."""
    try:
        result = parse_length(value)
    except ValueError as error:
        raise WrongValue(attribute, str(error)) from None
    if (least is not None and result < least) or (above is not None and result <= above):
        bound = f"at least {least:g}" if least is not None else f"above {above:g}"
        raise WrongValue(attribute, f"expected a length of {bound}, found `{value}`")
    return result


def read_coordinate(given: Mapping[str, str], name: str) -> float:
    """Return an attribute in mm, 0 if it is not given."""
    return read_length(name, given.get(name, "0"))


def box_of(given: Mapping[str, str]) -> Rect:
    """Return the box of x, y, width and height."""
    return Rect(
        read_coordinate(given, "x"),
        read_coordinate(given, "y"),
        read_extent(given, "width"),
        read_extent(given, "height"),
    )


def read_extent(given: Mapping[str, str], name: str) -> float:
    """Return a width or height in mm; WrongValue if it is not given."""
    value = given.get(name)
    if value is None:
        raise WrongValue(name, "is missing")
    return read_length(name, value, above=0.0)


def _dashes(value: str) -> tuple[float, ...]:
    if value == "none":
        return ()
    try:
        dashes = tuple(parse_numbers(value))
    except ValueError as error:
        raise WrongValue("stroke-dasharray", str(error)) from None
    if not dashes or any(dash < 0 for dash in dashes) or sum(dashes) < _FINEST:
        raise WrongValue("stroke-dasharray", f"expected dashes and gaps of at least {_FINEST} mm, found `{value}`")
    return dashes if len(dashes) % 2 == 0 else dashes * 2  # SVG 1.1, 11.4: an odd list is repeated
