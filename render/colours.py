"""The colours of a picture: from its own numbers and profile to sRGB."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image, ImageChops

if TYPE_CHECKING:
    from PIL import ImageCms

_MODES = {"GRAY": "L", "RGB": "RGB", "CMYK": "CMYK"}
_NEAR = 2  # of 255: the spread among the profiles that call themselves sRGB


class Doubt(enum.Enum):
    """Why the colours may not be what the author saw: the words that follow "the picture `...`"."""

    UNUSABLE_PROFILE = "has a colour profile that cannot be used: its colours are taken as sRGB"
    PLAIN_CMYK = "is CMYK without a colour profile that can be used: its colours are only near what was meant"


@dataclass(frozen=True, slots=True)
class Colours:
    """How the numbers of a picture become sRGB: by `transform`, as they are, or, for CMYK, by a plain formula."""

    transform: ImageCms.ImageCmsTransform | None = None
    doubt: Doubt | None = None

    def to_srgb(self, image: Image.Image) -> Image.Image:
        """Return an L, RGB or CMYK picture in sRGB, as L or RGB."""
        if self.transform is not None:
            return self.transform.apply(in_mode(image, self.transform.input_mode))
        return in_mode(image, "RGB") if image.mode == "CMYK" else image


def colours_of(image: Image.Image) -> Colours:
    """Return how the colours of an opened picture are to be read."""
    if image.mode == "CMYK":
        mode, unknown = "CMYK", Colours(doubt=Doubt.PLAIN_CMYK)
    else:
        mode, unknown = "L" if image.mode[0] in "1LI" else "RGB", Colours(doubt=Doubt.UNUSABLE_PROFILE)
    if "icc_profile" not in image.info:
        return unknown if mode == "CMYK" else Colours()
    return _by_profile(image.info["icc_profile"] or b"", mode) or unknown


@lru_cache(maxsize=8)
def _by_profile(profile: bytes, mode: str) -> Colours | None:
    """Return the way from the profile to sRGB for a picture of that mode; nothing if the profile is of no use for it.

    Grey pictures often carry the sRGB profile of the program that saved them, which is as good.
    """
    from PIL import ImageCms  # noqa: PLC0415 - most pictures do without, and all commands start sooner

    try:
        opened = ImageCms.getOpenProfile(BytesIO(profile))
        suited = _MODES.get(opened.profile.xcolor_space.strip())
        if suited is None or (suited != mode and (mode, suited) != ("L", "RGB")):
            return None
        transform = ImageCms.buildTransform(
            opened,
            ImageCms.createProfile("sRGB"),
            suited,
            "RGB",
            ImageCms.Intent.RELATIVE_COLORIMETRIC,
            ImageCms.Flags.BLACKPOINTCOMPENSATION,
        )
    except ImageCms.PyCMSError:
        return None
    return Colours(None if _changes_nothing(transform) else transform)


def _changes_nothing(transform: ImageCms.ImageCmsTransform) -> bool:
    """Whether the profile is sRGB by another name, so that the numbers can stay as they are, and a JPEG whole."""
    if transform.input_mode == "CMYK":
        return False
    steps = range(0, 256, 15)
    cube = bytes(value for red in steps for green in steps for blue in steps for value in (red, green, blue))
    ours = Image.frombytes("RGB", (len(steps) ** 2, len(steps)), cube).convert(transform.input_mode)
    spread = ImageChops.difference(transform.apply(ours), ours.convert("RGB"))
    return max(spread.tobytes()) <= _NEAR


def in_mode(image: Image.Image, mode: str) -> Image.Image:
    """Return the picture in that mode: itself, without a copy, if it is."""
    return image if image.mode == mode else image.convert(mode)
