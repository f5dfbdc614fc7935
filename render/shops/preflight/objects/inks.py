"""Colors by a standard, and ink by a limit: what is drawn with which colors, and how much ink that takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pikepdf import Dictionary, Stream

from render.base.findings import Problem, Severity
from render.pdf.standards import A_2B, Standard
from render.shops.preflight.objects.functions import Unknown, samples
from render.shops.preflight.objects.reading import (
    Effort,
    TooLarge,
    as_dictionary,
    as_integer,
    as_numbers,
    unpack_stream,
)
from render.shops.preflight.objects.spaces import DEVICE, WORDS, Space, ink, profile, space

_EXACT = 0.01  # per cent that rounding of four operands may add
_CLASSES = ("prtr", "mntr", "scnr", "spac")  # of profiles of colors (ISO 19005-2, 6.2.4.2)
_CHANNELS = {1: "GRAY", 3: "RGB ", 4: "CMYK"}


A_PICTURE = "a picture"
"""Where a color space is that of a whole picture."""


@dataclass(slots=True, kw_only=True)
class Inks:
    """Judges colors. `intent` is the color space of the output intent's profile, empty if there is none; `spots` says
    whether other inks than the four are allowed, None if nobody asks.
    """

    standard: Standard
    intent: str
    limit: float | None
    effort: Effort
    spots: bool | None = None
    device: set[str] = field(default_factory=set)

    def allowed(self, of: Space) -> bool:
        """Return whether the standard allows colors of a family in a file with this output intent."""
        if of.family in DEVICE and self.standard is A_2B:
            self.device.add(of.family)
            # Gray is allowed with any intent.
            return of.family == "DeviceGray" or not self.intent or _CHANNELS[DEVICE[of.family]] == self.intent
        if of.family == "DeviceRGB" and self.standard.transparency and self.intent == "RGB ":
            return True
        return of.family in self.standard.colors

    def of_space(self, of: Space, where: str) -> Iterator[Problem]:
        """Yield what is wrong with a color space: ISO 15930-4, 6.2; ISO 15930-7, 6.4; ISO 19005-2, 6.2.4."""
        each: Space | None = of
        while each:
            if not self.allowed(each):
                kind = WORDS.get(each.family, each.family)
                what = f"{where} is {kind}" if where == A_PICTURE else f"colors are {kind}: {where}"
                hint = f"{self.standard.title} has none such here: convert it by the profile"
                yield Problem("F030", what, hint)
            if each.is_default:
                yield from self._of_default(each)
            if each.family == "ICCBased":
                yield from self._of_profile(each, where)
            each = each.base
        if self.spots is False:
            for name in sorted(set(of.spots())):
                yield Problem("F030", f"the spot color `{name}` is used", "convert it to the four inks")

    def _of_default(self, of: Space) -> Iterator[Problem]:
        if not self.allowed(of):
            return
        if of.family in DEVICE:
            yield Problem("F030", "a default color space is one of a device")

    def _of_profile(self, of: Space, where: str) -> Iterator[Problem]:
        """Yield a problem if a profile is damaged, or of other colors than it stands for."""
        found = profile(of)
        if found is None:
            yield Problem("F030", f"colors have no profile: {where}")
            return
        try:
            header = unpack_stream(found, self.effort)[:128]  # the header of an ICC profile (ICC.1:2022, 7.2)
        except TooLarge:
            header = b""
        said = header[16:20].decode("latin-1")
        if header[36:40] != b"acsp":
            yield Problem("F030", f"the profile of colors is none: {where}")
        elif header[12:16].decode("latin-1") not in _CLASSES or _CHANNELS.get(of.components, "?") not in (
            said,
            _lab(said),
        ):
            kind = header[12:16].decode("latin-1", "replace")
            yield Problem("F030", f"the profile of colors is `{kind}`, `{said.strip()}`: {where}")

    def of_tints(self, of: Space, tints: Sequence[float], where: str) -> Iterator[Problem]:
        """Yield a problem if a color takes more ink than the limit."""
        percent = ink(of, tints)
        if self.limit is not None and percent > self.limit + _EXACT:
            hint = f"at most {self.limit:g} %, or it does not dry"
            yield Problem("F032", f"{where} asks for {percent:.0f} % ink", hint)

    def of_shading(self, shading: object, resources: object) -> Iterator[Problem]:
        """Yield what is wrong with a blend: its colors, and its ink where it takes most."""
        said = as_dictionary(shading)
        of = space(said.get("/ColorSpace"), resources)
        yield from self.of_space(of, "shading")
        if self.limit is None or (of.components != 4 and of.family not in ("Separation", "DeviceN")):
            return
        try:
            most = max((ink(of, tints) for tints in self._tints(shading, said, of)), default=0.0)
        except (Unknown, TooLarge, IndexError, ValueError):
            hint = "draw the blend as a picture, or look at its ink in another program"
            yield Problem("F032", "the ink of a shading cannot be read", hint, severity=Severity.UNSURE)
            return
        if most > self.limit + 0.5:
            hint = f"at most {self.limit:g} %, or it does not dry"
            yield Problem("F032", f"a shading asks for {most:.0f} % ink", hint)

    def _tints(self, shading: object, said: Dictionary, of: Space) -> list[list[float]]:
        kind = as_integer(said.get("/ShadingType"))
        if said.get("/Function") is not None:  # type 1 has a function of two coordinates, 2 and 3 of one (8.7.4.5)
            return samples(said["/Function"], self.effort, 2 if kind == 1 else 1)
        if kind < 4:
            raise Unknown
        return _corners(shading, said, of, self.effort)


def _lab(said: str) -> str:
    """Return the ICC name of spaces with as many channels: a profile in CIELAB has three, as in RGB."""
    return "RGB " if said == "Lab " else said


def _corners(shading: object, said: Dictionary, of: Space, effort: Effort) -> list[list[float]]:
    """Return the corner colors of a mesh; nowhere between them is there more ink than at one of them."""
    decode = as_numbers(said.get("/Decode"))
    bits, places, flag = (
        as_integer(said.get(f"/{key}")) for key in ("BitsPerComponent", "BitsPerCoordinate", "BitsPerFlag")
    )
    kind, count = as_integer(said.get("/ShadingType")), of.components
    if not isinstance(shading, Stream) or len(decode) != 4 + 2 * count or bits not in (8, 16) or places % 8 or kind > 5:
        raise Unknown
    # Types 4 and 5 (8.7.4.5.5, 8.7.4.5.6): a flag in type 4 only, then two coordinates.
    lead = (flag // 8 if kind == 4 else 0) + places // 4
    length, step = lead + count * bits // 8, bits // 8
    data, found = unpack_stream(shading, effort), []
    effort.step(len(data) // max(length, 1))
    for at in range(lead, len(data) - length + lead + 1, length):
        shares = [int.from_bytes(data[at + k * step : at + (k + 1) * step]) / ((1 << bits) - 1) for k in range(count)]
        found.append(
            [decode[4 + 2 * k] + share * (decode[5 + 2 * k] - decode[4 + 2 * k]) for k, share in enumerate(shares)]
        )
    return found
