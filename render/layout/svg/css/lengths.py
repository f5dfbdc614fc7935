"""Lengths with units, as numbers of the units of a drawing.

A bare length in a template is in mm. A file of a drawing program has a `viewBox`, in whose units bare lengths are, and
those in `px` (CSS Values 4, 6.2: a px is what a user unit is). Lengths in mm, cm, in, pt and pc are as long on the card
as they say.
"""

from __future__ import annotations

import re
from math import hypot, sqrt
from typing import NamedTuple

from render.base.geometry import MM_PER_INCH

PX = MM_PER_INCH / 96  # mm (CSS Values 4, 6.2)

_LENGTH = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]+|%)?\s*")
_MM = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_INCH / 72, "pc": MM_PER_INCH / 6, "q": 0.25}
_RELATIVE = frozenset(("", "px", "%", "em", "rem", "ex"))
# CSS Fonts 4, 2.5, in sizes of `medium`, which is the size that text here has by itself.
FONT_SIZES = {
    "xx-small": 0.6,
    "x-small": 0.75,
    "small": 8 / 9,
    "medium": 1.0,
    "large": 1.2,
    "x-large": 1.5,
    "xx-large": 2.0,
}
_ACROSS = frozenset("x width cx x1 x2 fx rx dx".split())
_DOWN = frozenset("y height cy y1 y2 fy ry dy".split())


class Units(NamedTuple):
    """What lengths are measured in: how many units a mm and a px are, and the viewport that `%` is of."""

    per_mm: float = 1.0
    per_px: float = PX
    width: float = 0.0
    height: float = 0.0

    def of(self, name: str) -> float:
        """Return the whole of which a `%` in the attribute is a part (SVG 1.1, 7.10)."""
        if name in _ACROSS:
            return self.width
        if name in _DOWN:
            return self.height
        return hypot(self.width, self.height) / sqrt(2)


def split_length(value: str) -> tuple[float, str] | None:
    """Return the number and the unit of a length, in small letters; None if it is none."""
    match = _LENGTH.fullmatch(value)
    return (float(match[1]), (match[2] or "").lower()) if match else None


def is_unit(unit: str) -> bool:
    """Return whether lengths have such a unit; "" is none."""
    return unit in _RELATIVE or unit in _MM


def plain_length(value: str, name: str, units: Units, font_size: float) -> str:
    """Return a length as a number of units; as it is if it is one already, or no length at all."""
    parts = split_length(value)
    if parts is None or not parts[1]:
        return value
    number = in_units(*parts, name, units, font_size)
    return value if number is None else plain_number(number)


def in_units(number: float, unit: str, name: str, units: Units, font_size: float) -> float | None:
    """Return a length in units of the drawing; None if there is no such unit."""
    match unit:
        case "":
            return number
        case "px":
            return number * units.per_px
        case "%":
            return number / 100 * units.of(name)
        case "em" | "rem":
            return number * font_size
        case "ex":
            return number * font_size / 2  # CSS Values 4, 6.1.1, where the x of a font is not known
        case _:
            return number * _MM[unit] * units.per_mm if unit in _MM else None


def mm_of(value: str) -> float | None:
    """Return the mm of the width or height of a whole drawing; None if it is no such length."""
    parts = split_length(value)
    if parts is None:
        return None
    number, unit = parts
    return number * PX if unit == "px" else number if not unit else number * _MM[unit] if unit in _MM else None


def plain_number(value: float) -> str:
    """Return a number as a template writes it, to a millionth."""
    return f"{value:.9g}" if abs(value) >= 1e-9 else "0"


def view_box(value: str | None) -> tuple[float, ...] | None:
    """Return the four numbers of a `viewBox`; None if they are no such numbers."""
    try:
        numbers = tuple(map(float, (value or "").replace(",", " ").split()))
    except ValueError:
        return None
    return numbers if len(numbers) == 4 and numbers[2] > 0 and numbers[3] > 0 else None
