"""Tones of pictures: in grey, in pale grey for proofs, or in shades of one color."""

from __future__ import annotations

from PIL import Image

from render.base.patterns import regex
from render.images.opacity import without_opacity
from render.scene.items import GREY, PALE

_COLOR = regex(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})")
_PALE = 0.35  # of the darkness that stays: faces are still known, and small words over it can be read


def read_tone(word: str) -> str:
    """Return a tone as pictures of a scene have it: `grey`, or a color as `#rrggbb`; ValueError says what is expected."""
    if word in (GREY, "gray"):
        return GREY
    match = _COLOR.fullmatch(word)
    if match is None:
        raise ValueError(f"`{GREY}` or a color such as `#7a3b1e`")
    digits = match[1].lower()
    return "#" + (digits if len(digits) == 6 else "".join(each * 2 for each in digits))


def toned(image: Image.Image, tone: str) -> Image.Image:
    """Return an image in a tone, "" for its own colors. In shades of a color, white stays white, and black is the color."""
    if not tone:
        return image
    colors, opacity = without_opacity(image)
    shades = _shades(colors.convert("L"), tone)
    if opacity:
        shades.putalpha(opacity)
    return shades


def _shades(grey: Image.Image, tone: str) -> Image.Image:
    if tone == GREY:
        return grey
    if tone == PALE:
        return grey.point([255 - round((255 - value) * _PALE) for value in range(256)])
    darkest = bytes.fromhex(tone[1:])
    bands = [grey.point([round(dark + (255 - dark) * value / 255) for value in range(256)]) for dark in darkest]
    return Image.merge("RGB", bands)
