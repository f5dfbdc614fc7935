"""Lengths, boxes and transforms.

A bare length is in millimetres, the origin is the top left corner of the trim, y points down. Other units live
only at the edges that need them: points in `pdf`, pixels in `png`.
"""

from __future__ import annotations

import enum
import math
import re
from dataclasses import dataclass
from typing import NamedTuple

MM_PER_INCH = 25.4
MM_PER_POINT = MM_PER_INCH / 72
FARTHEST = 10_000.0  # mm: no coordinate of a card or a sheet lies ten metres away
MM_PER_UNIT = {"": 1.0, "mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_POINT}

_LENGTH = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)\s*")
_WIDTH_X_HEIGHT = re.compile(r"(.+?)[x×](.+)")


def parse_length(text: str) -> float:
    """Return the length in mm of `3`, `3mm`, `0.5cm`, `2.5in` or `8pt`; ValueError for anything else or too long."""
    match = _LENGTH.fullmatch(text.lower())
    if match is None or match[2] not in MM_PER_UNIT:
        raise ValueError(f"expected a length such as 3, 3mm, 8pt or 2.5in, found `{text}`")
    length = float(match[1]) * MM_PER_UNIT[match[2]]
    if abs(length) > FARTHEST:
        raise ValueError(f"expected at most {FARTHEST:g} mm, found `{text}`")
    return length


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height in mm; of a card, the trim size."""

    width: float
    height: float

    @property
    def rect(self) -> Rect:
        """The box of this size at the origin."""
        return Rect(0.0, 0.0, self.width, self.height)


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright box: left, top, width and height in mm."""

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
    def centre(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def outset(self, by: float) -> Rect:
        """Return the box that is `by` mm larger on every side (smaller, if negative)."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def moved(self, dx: float, dy: float) -> Rect:
        """Return the box `dx` mm to the right and `dy` mm down."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)


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
            cos, sin = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(degrees // 90) % 4]
        else:
            cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        return Affine(cos, sin, -sin, cos)

    def __matmul__(self, inner: Affine) -> Affine:
        """Return the map that applies `inner` first, then this one."""
        return Affine(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            self.a * inner.e + self.c * inner.f + self.e,
            self.b * inner.e + self.d * inner.f + self.f,
        )

    def apply(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    @property
    def upright(self) -> bool:
        """Whether boxes stay boxes of the same orientation: no turn, no skew, no mirroring."""
        return self.b == 0 and self.c == 0 and self.a > 0 and self.d > 0

    @property
    def growth(self) -> float:
        """The factor by which lengths grow on average: the square root of the determinant."""
        return math.sqrt(abs(self.a * self.d - self.b * self.c))


IDENTITY = Affine()

POKER = Size(63.5, 88.9)  # 2.5 x 3.5 in: the official card, measured (KotC 17th Edition, Card Building Guide)

PAPERS = {"a4": Size(210.0, 297.0), "letter": Size(215.9, 279.4)}


def parse_paper(text: str) -> Size:
    """Return the size of the paper named `a4` or `letter`, or given as `WxH` in mm; ValueError for anything else."""
    named = PAPERS.get(text.lower())
    if named is not None:
        return named
    match = _WIDTH_X_HEIGHT.fullmatch(text.lower().strip())
    if match is None:
        raise ValueError(f"expected `a4`, `letter` or a size such as `210x297`, found `{text}`")
    size = Size(parse_length(match[1]), parse_length(match[2]))
    if not (10 <= size.width <= 2000 and 10 <= size.height <= 2000):
        raise ValueError(f"expected a paper from 10 to 2000 mm a side, found `{text}`")
    return size


class Flip(enum.Enum):
    """About which edge of the paper the printer turns the sheet between its sides."""

    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"
