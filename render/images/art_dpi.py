"""The resolution of pictures on sheets, if a set does not say otherwise."""

from __future__ import annotations

ART_DPI = 600.0  # twice the 300 dpi that print shops ask for
