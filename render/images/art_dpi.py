"""How finely pictures are printed."""

from __future__ import annotations

ART_DPI = 600.0  # twice what print shops ask for
