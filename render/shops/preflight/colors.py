"""Colors by a standard, ink by a limit: color spaces, tints and shadings judged; how light a color is, on how many plates.

Where a color cannot be read as ink, that is said, and nothing is taken for right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct, field
from pikepdf import Dictionary, Stream

from render.base.findings import Diagnostic
from render.pdf.reading.colors import DEVICE, ColorSpace, read_color_space
from render.pdf.reading.values import MAX_DEPTH, as_dictionary, as_integer, as_numbers
from render.pdf.standards import A_2B
from render.shops.preflight.claims import CHANNELS, is_srgb_profile
from render.shops.preflight.functions import UnknownFunction, read_function, sample_function
from render.shops.preflight.rules import Rules

_EXACT = 0.01  # per cent that rounding of four operands may add
_TRACE = 0.02  # of an ink: too little to show
_CLASSES = ("prtr", "mntr", "scnr", "spac")  # of profiles of colors (ISO 19005-2, 6.2.4.2)
_WORDS = {"DeviceRGB": "RGB", "DeviceCMYK": "CMYK", "DeviceGray": "grey"}


class ColorRules(Struct):
    """Judges colors. `intent` is the color space of the output intent's profile, empty if there is none.

    `limit` is the highest sum of inks in per cent, None if nobody asks; `has_spots` tells that there may be other inks
    than the four. With `is_srgb`, RGB has to be sRGB. `device` collects the families of device colors that an archive
    uses.
    """

    rules: Rules
    intent: str
    limit: float | None
    has_spots: bool = True
    is_srgb: bool = False
    device: set[str] = field(default_factory=set)

    def allows(self, family: str) -> bool:
        """Return whether the standard allows colors of a family in a file with this output intent."""
        standard = self.rules.standard
        if family in DEVICE and standard is A_2B:
            self.device.add(family)
            # Gray is allowed with any intent.
            return family == "DeviceGray" or not self.intent or CHANNELS.get(self.intent) == DEVICE[family]
        is_rgb = family == "DeviceRGB" and standard.transparency and self.intent == "RGB "
        return is_rgb or family in standard.colors

    def of_space(self, space: ColorSpace, where: str) -> Iterator[Diagnostic]:
        """Yield what is wrong with a color space and those that it is based on."""
        for one in space.chain():
            if not self.allows(one.family):
                yield from self.rules(
                    "color", "space", where, _WORDS.get(one.family, one.family), self.rules.standard.title
                )
            elif one.is_default and one.family in DEVICE:
                yield from self.rules("color", "default")
            if one.family == "ICCBased":
                yield from self._of_profile(one, where)
        if not self.has_spots:
            for name in sorted(set(space.spots())):
                yield from self.rules("color", "spot", name)

    def _of_profile(self, space: ColorSpace, where: str) -> Iterator[Diagnostic]:
        """Yield a problem if a profile is damaged, or of other colors than it stands for."""
        if space.profile is None:
            yield from self.rules("color", "no profile", where)
            return
        profile = space.profile.read_bytes()
        header = profile[:128]  # of an ICC profile (ICC.1:2022, 7.2)
        kind, channels = header[12:16].decode("latin-1"), header[16:20].decode("latin-1")
        if header[36:40] != b"acsp":
            yield from self.rules("color", "no ICC", where)
            return
        has_three = channels == "Lab " and space.components == 3
        if kind not in _CLASSES or not (has_three or CHANNELS.get(channels) == space.components):
            yield from self.rules("color", "profile", kind, channels.strip(), where)
        elif self.is_srgb and channels == "RGB " and not is_srgb_profile(profile):
            yield from self.rules("color", "not sRGB", where)

    def of_tints(self, space: ColorSpace, tints: Sequence[float], where: str) -> Iterator[Diagnostic]:
        """Yield a problem if a color takes more ink than the limit."""
        percent = sum_of_inks(space, tints)
        if self.limit is not None and percent > self.limit + _EXACT:
            yield from self.rules("color", "ink", where, percent, self.limit)

    def of_shading(self, shading: object, resources: object) -> Iterator[Diagnostic]:
        """Yield what is wrong with a blend: its colors, and its ink where it takes most."""
        entries = as_dictionary(shading)
        space = read_color_space(entries.get("/ColorSpace"), resources)
        yield from self.of_space(space, "a shading")
        if self.limit is None or not (space.components == 4 or space.is_inks):
            return
        try:
            colors = _read_blend(shading, entries, space.components)
            percent = max((sum_of_inks(space, tints) for tints in colors), default=0.0)
        except (IndexError, ValueError):
            yield from self.rules("color", "unknown ink", "a shading")
            return
        if percent > self.limit + 0.5:
            yield from self.rules("color", "ink", "a shading", percent, self.limit)


def _read_blend(shading: object, entries: Dictionary, count: int) -> list[list[float]]:
    """Return the colors of a blend where it is likely to take most ink: for a mesh, at its corners."""
    kind = as_integer(entries.get("/ShadingType"))
    if entries.get("/Function") is not None:  # type 1 has a function of two coordinates, 2 and 3 of one (8.7.4.5)
        return sample_function(entries["/Function"], 2 if kind == 1 else 1)
    decode = as_numbers(entries.get("/Decode"))
    bits, places, flag = (as_integer(entries.get(f"/BitsPer{of}")) for of in ("Component", "Coordinate", "Flag"))
    is_plain = bits in (8, 16) and places % 8 == 0 and flag % 8 == 0 and len(decode) == 4 + 2 * count
    if kind not in (4, 5) or not isinstance(shading, Stream) or not is_plain:
        raise UnknownFunction
    # Types 4 and 5 (8.7.4.5.5, 8.7.4.5.6): a flag in type 4 only, then two coordinates, then the color.
    lead, data = (flag // 8 if kind == 4 else 0) + places // 4, shading.read_bytes()
    length = lead + count * bits // 8
    rows = np.frombuffer(data, np.uint8)[: len(data) // length * length].reshape(-1, length)[:, lead:]
    shares = np.ascontiguousarray(rows).view(f">u{bits // 8}") / ((1 << bits) - 1)
    low, high = np.array(decode[4::2]), np.array(decode[5::2])
    return (low + shares * (high - low)).tolist()  # type: ignore[no-any-return]


def sum_of_inks(space: ColorSpace, tints: Sequence[float]) -> float:
    """Return the sum of a color's inks in per cent; 0 for colors that are not inks."""
    if space.family == "Separation" and space.inks == ("All",):  # All prints on every plate (8.6.6.4)
        return sum(tints) * 400
    if space.is_inks:
        return sum(tint for tint, name in zip(tints, space.inks, strict=False) if name != "None") * 100
    return sum(tints) * 100 if space.components == 4 else 0.0


def count_plates(space: ColorSpace, tints: Sequence[float]) -> int:
    """Return how many plates a color prints on; RGB and the like print on three, gray on one."""
    if space.is_inks:
        printing = sum(tint > _TRACE and name != "None" for tint, name in zip(tints, space.inks, strict=False))
        return 4 if space.inks == ("All",) else printing
    if space.components == 4:
        return sum(tint > _TRACE for tint in tints)
    if space.family == "Lab":
        return 1 if all(abs(tint) < 3 for tint in tints[1:3]) else 3  # a* and b* near 0 are gray
    return 3 if space.components == 3 and max(tints, default=0) - min(tints, default=0) >= _TRACE else 1


def is_black(space: ColorSpace, tints: Sequence[float]) -> bool:
    """Return whether a color is black ink and nothing else."""
    if space.is_inks:
        return all(name in ("Black", "None") or tint <= 0 for name, tint in zip(space.inks, tints, strict=False))
    if space.components == 4:
        return all(tint <= 0 for tint in tints[:3])
    return space.components == 1


def lightness(space: ColorSpace, tints: Sequence[float], depth: int = 0) -> float | None:
    """Return the lightness of a color, from 0 to 1; None if it is unknown."""
    if depth > MAX_DEPTH or len(tints) < space.components or not space.components:
        return None
    if space.family == "Lab":
        return tints[0] / 100
    if space.is_inks and space.base and len(space.source) > 3:
        try:
            return lightness(space.base, read_function(space.source[3])(tints), depth + 1)
        except (UnknownFunction, IndexError):
            return 1 - min(sum(tints), 1)
    if space.components == 1 and space.family != "Indexed":
        return tints[0]
    if space.components not in (3, 4):
        return None
    # Luma of ITU-R BT.601; by the plain conversion of CMYK, each ink takes its color from white.
    luma = 0.299 * tints[0] + 0.587 * tints[1] + 0.114 * tints[2]
    return luma if space.components == 3 else (1 - tints[3]) * (1 - luma)
