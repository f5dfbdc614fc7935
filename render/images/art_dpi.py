"""The resolution of pictures on sheets, if a set does not say otherwise."""

from __future__ import annotations

ART_DPI = 600.0  # twice the 300 dpi that print shops ask for
SVG_DPI = 400.0  # no pixel of an SVG shows at four times its size on a screen of 96 dpi


def svg_dpi(art_dpi: float) -> float:
    """Return the resolution of an SVG on sheets whose pictures have at most `art_dpi`."""
    return art_dpi if art_dpi > ART_DPI else min(art_dpi, SVG_DPI)
