"""The pixel grid of a PNG, and the packed file."""

from __future__ import annotations

from msgspec import Struct

from render.base.geometry import MM_PER_INCH, Affine
from render.scene.items import Scene

MIN_DPI, MAX_DPI = 1, 2400  # a card has 50 million pixels at 2400 dpi
MAX_BLEED = 50  # mm: as much as a card is wide


class Canvas(Struct, frozen=True):
    """The pixel grid: dots per inch, and the mm of bleed around the trim."""

    dpi: float
    bleed: float = 0.0

    def pixels(self, scene: Scene) -> tuple[int, int]:
        """Return width and height in pixels."""
        box = scene.size.rect.outset(self.bleed)
        return round(box.width * self.dpi / MM_PER_INCH), round(box.height * self.dpi / MM_PER_INCH)

    @property
    def to_px(self) -> Affine:
        """The map from mm of the trim to pixels of the canvas."""
        scale = self.dpi / MM_PER_INCH
        return Affine.scale(scale, scale) @ Affine.move(self.bleed, self.bleed)


def canvas_for(dpi: float, bleed: float) -> Canvas:
    """Return the pixel grid that a program asks for; ValueError if no picture can have it."""
    if not MIN_DPI <= dpi <= MAX_DPI:
        raise ValueError(f"dpi is from {MIN_DPI} to {MAX_DPI}, not {dpi:g}")
    if not 0 <= bleed <= MAX_BLEED:
        raise ValueError(f"bleed is from 0 to {MAX_BLEED} mm, not {bleed:g}")
    return Canvas(dpi, bleed)


class Packed(Struct, frozen=True):
    """A PNG file, and the digest of its pixels."""

    data: bytes
    pixels: str
