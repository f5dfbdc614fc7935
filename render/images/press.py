"""What a file is printed with: the resolution of its pictures, a press, and colors whose inks are already decided."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

ART_DPI = 600.0
"""The resolution of pictures on sheets, if a set does not say otherwise: twice the 300 dpi that print shops ask for."""

_SVG_DPI = 400.0  # no pixel of an SVG shows at four times its size on a screen of 96 dpi


def svg_dpi(art_dpi: float) -> float:
    """Return the resolution of an SVG on sheets whose pictures have at most `art_dpi`."""
    return art_dpi if art_dpi > ART_DPI else min(art_dpi, _SVG_DPI)


Inks = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black, each from 0 to 1."""

BLACK: Inks = (0.0, 0.0, 0.0, 1.0)


class Press(Struct, frozen=True):
    """A printing condition: its registered name, its profile in `profiles`, and limits of pictures.

    `ink_limit` is the greatest sum of the four inks in per cent; `dpi` the resolution of pictures; `rich_black` the
    inks of large black areas where these are wanted.
    """

    condition: str
    profile: str
    ink_limit: float = 240.0
    dpi: float = 300.0
    rich_black: Inks = BLACK


class InkedColor(tuple[int, int, int]):
    """An sRGB color with its inks on a press, and whether it overprints.

    A color that overprints leaves the other inks beneath it in place; any other color replaces them.
    """

    inks: Inks
    overprints: bool

    def __new__(cls, seen: tuple[int, int, int], inks: Inks, *, overprints: bool = False) -> Self:
        made = super().__new__(cls, seen)
        made.inks, made.overprints = inks, overprints
        return made

    # Compared with inks and overprint, so that caches keyed by a color do not mix it up with a plain one.
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, InkedColor):
            return False
        return super().__eq__(other) and (self.inks, self.overprints) == (other.inks, other.overprints)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((*self, self.inks, self.overprints))
