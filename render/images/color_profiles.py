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

_MODES = {b"GRAY": "L", b"RGB ": "RGB", b"CMYK": "CMYK"}
_MAX_TAGS = 100  # as in Little CMS
_TAGS = frozenset(b"A2B0 A2B1 A2B2 B2A0 B2A1 B2A2 rXYZ gXYZ bXYZ rTRC gTRC bTRC kTRC wtpt bkpt chad".split())
_NEAR = 2  # of 255: the spread among the profiles that call themselves sRGB


class ColorDoubt(enum.Enum):
    """Why the colours may not be what the author saw: the words that follow "the picture `...`"."""

    UNUSABLE_PROFILE = "has a colour profile that cannot be used: its colours are taken as sRGB"
    PLAIN_CMYK = "is CMYK without a colour profile that can be used: its colours are only near what was meant"


@dataclass(frozen=True, slots=True)
class Colors:
    """How the numbers of a picture become sRGB: by `transform`, as they are, or, for CMYK, by a plain formula."""

    transform: ImageCms.ImageCmsTransform | None = None
    doubt: ColorDoubt | None = None

    def to_srgb(self, image: Image.Image) -> Image.Image:
        """Return an L, RGB or CMYK picture in sRGB, as L or RGB."""
        if self.transform is not None:
            return self.transform.apply(in_mode(image, self.transform.input_mode))
        return in_mode(image, "RGB") if image.mode == "CMYK" else image


def colors_of(image: Image.Image, profile: bytes | None) -> Colors:
    """Return how the colours of an opened picture with this profile are to be read; an empty one is of no use."""
    if image.mode == "CMYK":
        mode, unknown = "CMYK", Colors(doubt=ColorDoubt.PLAIN_CMYK)
    else:
        mode, unknown = "L" if image.mode[0] in "1LI" else "RGB", Colors(doubt=ColorDoubt.UNUSABLE_PROFILE)
    if profile is None:
        return unknown if mode == "CMYK" else Colors()
    return _by_profile(profile, mode) or unknown


@lru_cache(maxsize=8)
def _by_profile(profile: bytes, mode: str) -> Colors | None:
    """Return the way from the profile to sRGB for a picture of that mode; nothing if the profile is of no use for it.

    Grey pictures often carry the sRGB profile of the program that saved them, which is as good.
    """
    from PIL import ImageCms  # noqa: PLC0415 - most pictures do without, and all commands start sooner

    try:
        opened = ImageCms.getOpenProfile(BytesIO(_with_known_tags(profile)))
        suited = _MODES.get(profile[16:20])  # Pillow asks for letters of ASCII there
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
    return Colors(None if _changes_nothing(transform) else transform)


def _with_known_tags(profile: bytes) -> bytes:
    """Return the profile with the tags that any profile does with, where they stand.

    Left out are the ones with any number of steps for every colour (D2B0 and its like), which can take minutes: whoever
    has them has the others, too, for readers that do not know them (ICC.1:2022, 8.3 to 8.5).
    """
    count = min(int.from_bytes(profile[128:132]), _MAX_TAGS)
    entries = (profile[at : at + 12] for at in range(132, 132 + 12 * count, 12))
    known = b"".join(entry for entry in entries if entry[:4] in _TAGS)
    return profile[:128] + (len(known) // 12).to_bytes(4) + known + profile[132 + len(known) :]


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
