"""The layer modes of GIMP by their numbers, as GIMP shows them."""

from __future__ import annotations

NORMAL_LEGACY, PASS_THROUGH, NORMAL_LINEAR = 0, 61, 28
NORMAL = (NORMAL_LEGACY, NORMAL_LINEAR)
"""The modes of a layer that simply covers what lies below: as files up to GIMP 2.8 mix colors, and as later ones do."""

# From `GimpLayerMode` of GIMP's API reference; those up to 22 are the legacy modes of GIMP 2.8 and before.
_LEGACY = (
    "normal, dissolve, behind, multiply, screen, overlay, difference, addition, subtract, darken only, lighten only, "
    "hue, saturation, color, value, divide, dodge, burn, hard light, soft light, grain extract, grain merge, "
    "color erase"
).split(", ")
_LATER = (
    "overlay, LCh hue, LCh chroma, LCh color, LCh lightness, normal, behind, multiply, screen, difference, addition, "
    "subtract, darken only, lighten only, HSV hue, HSV saturation, HSL color, HSV value, divide, dodge, burn, "
    "hard light, soft light, grain extract, grain merge, vivid light, pin light, linear light, hard mix, exclusion, "
    "linear burn, luma darken only, luma lighten only, luminance, color erase, erase, merge, split, pass through, "
    "replace, anti erase"
).split(", ")
NAMES = (*_LEGACY, *_LATER)


def mode_name(mode: int) -> str:
    """Return the name of a mode; `mode 99` for one that is not known."""
    return NAMES[mode] if 0 <= mode < len(NAMES) else f"mode {mode}"
