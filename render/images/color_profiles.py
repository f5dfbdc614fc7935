"""Colors of a picture: from its own numbers and ICC profile to sRGB."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from msgspec import Struct
from PIL import Image, ImageChops

from render.base.caches import cached
from render.base.findings import Diagnostic, Severity

if TYPE_CHECKING:
    from PIL import ImageCms

_MODES = {b"GRAY": "L", b"RGB ": "RGB", b"CMYK": "CMYK"}  # color spaces as ICC profiles name them (ICC.1:2022, 7.2.6)
_MAX_TAGS = 100  # as in Little CMS
# Lookup tables, colorants, tone curves, white and black point, chromatic adaptation (ICC.1:2022, 9.2).
_TAGS = frozenset(b"A2B0 A2B1 A2B2 B2A0 B2A1 B2A2 rXYZ gXYZ bXYZ rTRC gTRC bTRC kTRC wtpt bkpt chad".split())
_NEAR = 2  # of 255: by as much do the profiles differ that call themselves sRGB


# Why the colors may differ from what the author saw. The words follow "the picture `...`".
UNUSABLE_PROFILE = Diagnostic(
    "A009",
    "has a color profile that cannot be used: its colors are taken as sRGB",
    "convert it to sRGB and save it again",
    Severity.WARNING,
)
PLAIN_CMYK = Diagnostic(
    "A010",
    "is CMYK without a color profile that can be used: its colors are only near what was meant",
    "save it in sRGB",
    Severity.WARNING,
)


class Colors(Struct, frozen=True):
    """How the numbers of a picture become sRGB: by `transform`; without one as they are, CMYK by a plain formula."""

    transform: ImageCms.ImageCmsTransform | None = None
    doubt: Diagnostic | None = None

    def to_srgb(self, image: Image.Image) -> Image.Image:
        """Return an L, RGB or CMYK picture in sRGB, as L or RGB."""
        if self.transform is not None:
            return self.transform.apply(in_mode(image, self.transform.input_mode))
        return in_mode(image, "RGB") if image.mode == "CMYK" else image


def colors_of(image: Image.Image, profile: bytes | None) -> Colors:
    """Return how to read the colors of an opened picture with this profile. An empty profile counts as damaged."""
    if image.mode == "CMYK":
        mode, unknown = "CMYK", Colors(doubt=PLAIN_CMYK)
    else:
        # Modes with one channel: 1, L, LA, I and I;16.
        mode, unknown = "L" if image.mode[0] in "1LI" else "RGB", Colors(doubt=UNUSABLE_PROFILE)
    if profile is None:
        return unknown if mode == "CMYK" else Colors()
    return _by_profile(profile, mode) or unknown


@cached(8)
def _by_profile(profile: bytes, mode: str) -> Colors | None:
    """Return the way from the profile to sRGB for a picture of that mode; None if the profile does not suit it.

    Gray pictures often carry the sRGB profile of the program that saved them; that one suits them, too.
    """
    from PIL import ImageCms

    try:
        opened = ImageCms.getOpenProfile(BytesIO(_with_known_tags(profile)))
        suited = _MODES.get(profile[16:20])  # from the bytes: Pillow raises if they are not ASCII
        if suited is None or (suited != mode and (mode, suited) != ("L", "RGB")):
            return None
        transform = ImageCms.buildTransform(
            opened,
            ImageCms.createProfile("sRGB"),
            suited,
            "RGB",
            # The usual choice for photographs, with black point compensation: white stays white and black stays black.
            ImageCms.Intent.RELATIVE_COLORIMETRIC,
            ImageCms.Flags.BLACKPOINTCOMPENSATION,
        )
    except ImageCms.PyCMSError:
        return None
    return Colors(None if _changes_nothing(transform) else transform)


def _with_known_tags(profile: bytes) -> bytes:
    """Return the profile with only the tags that every profile can do with, at their old places.

    Tags of multi-process elements (D2B0 and its like) are left out: they may have any number of steps for each color
    and take minutes. A profile that has them also has the tags kept here, for readers that do not know them
    (ICC.1:2022, 8.3 to 8.5).
    """
    # The tag table begins at byte 128: a count, then 12 bytes a tag: name, offset, size.
    count = min(int.from_bytes(profile[128:132]), _MAX_TAGS)
    entries = (profile[at : at + 12] for at in range(132, 132 + 12 * count, 12))
    known = b"".join(entry for entry in entries if entry[:4] in _TAGS)
    return profile[:128] + (len(known) // 12).to_bytes(4) + known + profile[132 + len(known) :]


def _changes_nothing(transform: ImageCms.ImageCmsTransform) -> bool:
    """Return whether the profile is sRGB by another name; then the numbers stay as they are, and a JPEG whole."""
    if transform.input_mode == "CMYK":
        return False
    # 18 levels a channel: 5,832 colors, enough to tell two profiles apart.
    steps = range(0, 256, 15)
    cube = bytes(value for red in steps for green in steps for blue in steps for value in (red, green, blue))
    ours = Image.frombytes("RGB", (len(steps) ** 2, len(steps)), cube).convert(transform.input_mode)
    spread = ImageChops.difference(transform.apply(ours), ours.convert("RGB"))
    return max(spread.tobytes()) <= _NEAR


def in_mode(image: Image.Image, mode: str) -> Image.Image:
    """Return the picture in that mode; the picture itself, without a copy, if it has that mode."""
    return image if image.mode == mode else image.convert(mode)
