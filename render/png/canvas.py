"""The pixel grid of a PNG, and the packed file."""

from __future__ import annotations

from msgspec import Struct

from render.base.geometry import MM_PER_INCH, Affine
from render.scene.items import Scene


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


class Packed(Struct, frozen=True):
    """A PNG file, and the digest of its pixels."""

    data: bytes
    pixels: str
