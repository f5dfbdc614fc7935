"""What `kotc build` makes of a set, as one value."""

from __future__ import annotations

from dataclasses import dataclass

MIN_DPI, MAX_DPI = 72, 1200


@dataclass(frozen=True, slots=True)
class Pngs:
    """A PNG of each card: dots per inch, and mm of bleed around the trim."""

    dpi: float = 300.0
    bleed: float = 0.0


@dataclass(frozen=True, slots=True)
class Outputs:
    """What is made of a set: PNGs or None, whether sheets and a gallery, and for which print shops."""

    pngs: Pngs | None = None
    sheets: bool = False
    shops: tuple[str, ...] = ()
    gallery: bool = False


USUAL = Outputs(pngs=Pngs(), sheets=True)
"""What is made of a set that says nothing of it."""
