"""Lengths, boxes and transforms.

A bare length is in millimetres, the origin is the top left corner of the trim, y points down. Other units are used
only where they are needed: points in `pdf`, pixels in `png`.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from render.base.patterns import regex

MM_PER_INCH = 25.4
# PostScript's and PDF's point, 1/72 in (ISO 32000-1 8.3.2.3), not the printers' 1/72.27 in.
MM_PER_POINT = MM_PER_INCH / 72
MAX_DISTANCE = 10_000.0  # mm: no coordinate of a card or a sheet lies ten metres away
MM_PER_UNIT = {"": 1.0, "mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_POINT}

_LONGEST_QUOTE = 60
_TINY = 1e-6  # mm: rounding of sums of lengths
_LENGTH = regex(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)\s*")


def parse_length(text: str) -> float:
    """Return the length in mm of `3`, `3mm`, `0.5cm`, `2.5in` or `8pt`.

    ValueError if the text is no length, or if it is over MAX_DISTANCE.
    """
    match = _LENGTH.fullmatch(text.lower())
    if match is None or match[2] not in MM_PER_UNIT:
        raise ValueError(f"expected a length such as 3, 3mm, 8pt or 2.5in, found `{shorten(text)}`")
    length = float(match[1]) * MM_PER_UNIT[match[2]]
    if abs(length) > MAX_DISTANCE:
        raise ValueError(f"expected at most {MAX_DISTANCE:g} mm, found `{shorten(text)}`")
    return length


def shorten(text: str) -> str:
    """Return the text, or the beginning of a long one."""
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"


class Size(Struct, frozen=True):
    """Width and height in mm; of a card, the trim size."""

    width: float
    height: float

    def __str__(self) -> str:
        """Return `63.5 x 88.9 mm`."""
        return f"{self.width:g} x {self.height:g} mm"

    @property
    def sideways(self) -> Size:
        """The size turned by a quarter."""
        return Size(self.height, self.width)

    @property
    def rect(self) -> Rect:
        """The box of this size at the origin."""
        return Rect(0.0, 0.0, self.width, self.height)


class Rect(Struct, frozen=True):
    """A box with sides along the axes: left, top, width and height in mm."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def center(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def outset(self, by: float) -> Rect:
        """Return the box that is `by` mm larger on every side (smaller, if negative)."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def spread(self, by: Edges) -> Rect:
        """Return the box made larger on each side by that side's measure."""
        return Rect(
            self.x - by.left, self.y - by.top, self.width + by.left + by.right, self.height + by.top + by.bottom
        )

    def shared(self, other: Rect) -> Rect:
        """Return the intersection of both boxes; its width or height is 0 or less if they do not overlap."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = (
            min(self.x + self.width, other.x + other.width),
            min(self.y + self.height, other.y + other.height),
        )
        return Rect(x, y, right - x, bottom - y)

    def shared_area(self, other: Rect) -> float:
        """Return the area of what both boxes share."""
        shared = self.shared(other)
        return max(shared.width, 0.0) * max(shared.height, 0.0)

    def holds(self, other: Rect) -> bool:
        """Return whether another box lies in this one."""
        return (
            self.x <= other.x + _TINY
            and self.y <= other.y + _TINY
            and self.right >= other.right - _TINY
            and self.bottom >= other.bottom - _TINY
        )

    def touches(self, other: Rect) -> bool:
        """Return whether both boxes have a point in common."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        return across >= 0 and min(self.y + self.height, other.y + other.height) >= max(self.y, other.y)

    def overlaps(self, other: Rect) -> bool:
        """Return whether both boxes share more than an edge."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        return across > 0 and min(self.y + self.height, other.y + other.height) > max(self.y, other.y)

    def moved(self, dx: float, dy: float) -> Rect:
        """Return the box `dx` mm to the right and `dy` mm down."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)


def box_around(points: Sequence[tuple[float, ...]]) -> Rect:
    """Return the smallest box around points; without any, it is empty, at the origin."""
    xs, ys = zip(*points or [(0.0, 0.0)], strict=True)
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


class Edges(Struct, frozen=True):
    """One measure per side of a box, in mm."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0


class Affine(NamedTuple):
    """The map (x, y) -> (a x + c y + e, b x + d y + f), in the order of SVG's `matrix(a b c d e f)`."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    @staticmethod
    def move(dx: float, dy: float) -> Affine:
        return Affine(e=dx, f=dy)

    @staticmethod
    def scale(x: float, y: float) -> Affine:
        return Affine(a=x, d=y)

    @staticmethod
    def rotate(degrees: float) -> Affine:
        """Turn about the origin, clockwise as seen on the card (y points down); exact for quarter turns."""
        if degrees % 90 == 0:
            # Exact, so that turned boxes keep round numbers.
            cos, sin = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(degrees // 90) % 4]
        else:
            cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        # Clockwise with y down: (1, 0) goes to (cos, sin), which lies below the x axis for small angles.
        return Affine(cos, sin, -sin, cos)

    def __matmul__(self, inner: Affine) -> Affine:
        """Return the map that applies `inner` first, then this one."""
        a, b, c, d, e, f = self
        p, q, r, s, x, y = inner
        return Affine(a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * x + c * y + e, b * x + d * y + f)

    def apply(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, rect: Rect) -> Rect:
        """Return the smallest box with sides along the axes around the transformed box."""
        if not self.b and not self.c:
            (x1, y1), (x2, y2) = self.apply(rect.x, rect.y), self.apply(rect.right, rect.bottom)
            left, top = min(x1, x2), min(y1, y2)
            return Rect(left, top, max(x1, x2) - left, max(y1, y2) - top)
        return box_around([self.apply(x, y) for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)])

    @property
    def inverse(self) -> Affine:
        """The inverse map; ZeroDivisionError if this map has no area."""
        area = self.a * self.d - self.b * self.c
        a, b, c, d = self.d / area, -self.b / area, -self.c / area, self.a / area
        return Affine(a, b, c, d, -(a * self.e + c * self.f), -(b * self.e + d * self.f))

    @property
    def upright(self) -> bool:
        """Whether the map only scales by positive factors and moves: no turn, no skew, no mirroring."""
        return self.b == 0 and self.c == 0 and self.a > 0 and self.d > 0

    @property
    def stretches(self) -> tuple[float, float]:
        """The largest and the smallest factor by which it stretches any direction (its singular values)."""
        squares, area = self.a**2 + self.b**2 + self.c**2 + self.d**2, abs(self.a * self.d - self.b * self.c)
        largest = math.sqrt((squares + math.sqrt(max(squares * squares - 4 * area * area, 0.0))) / 2)
        return largest, area / largest if largest else 0.0

    @property
    def growth(self) -> float:
        """The factor by which lengths grow on average: the square root of the determinant."""
        return math.sqrt(abs(self.a * self.d - self.b * self.c))


IDENTITY = Affine()


class Flip(enum.Enum):
    """Which edge of the paper a duplex printer turns the sheet about."""

    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"

    @property
    def words(self) -> str:
        """The edge as messages name it, `long edge`."""
        return self.value.replace("-", " ")
