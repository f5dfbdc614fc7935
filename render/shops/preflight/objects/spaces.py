"""Color spaces (ISO 32000-1, 8.6): their kinds, their inks, and how much ink a color takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pikepdf import Array, Dictionary, Name, Object, Stream

from render.shops.preflight.objects.functions import Unknown, function
from render.shops.preflight.objects.reading import (
    MAX_DEPTH,
    Effort,
    TooMuchWork,
    as_array,
    as_dictionary,
    as_integer,
    as_items,
    as_name,
)

SHORT = {"G": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK", "I": "Indexed"}  # in inline pictures (table 94)
DEVICE = {"DeviceGray": 1, "DeviceRGB": 3, "DeviceCMYK": 4}
WORDS = {"DeviceRGB": "RGB", "DeviceCMYK": "CMYK", "DeviceGray": "grey"}
PROCESS = ("Cyan", "Magenta", "Yellow", "Black")
# Entries by which a file replaces device colors (8.6.5.6).
_DEFAULTS = {"DeviceGray": "DefaultGray", "DeviceRGB": "DefaultRGB", "DeviceCMYK": "DefaultCMYK"}
_TRACE = 0.02  # of an ink: too little to show


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Space:
    """A color space: its family, its components, the space that it is based on, and the names of its inks.

    `is_default` says that the file puts it in place of device colors. `source` is its array, if it has one.
    """

    family: str
    components: int
    base: Space | None = None
    inks: tuple[str, ...] = ()
    is_default: bool = False
    source: tuple[Object, ...] = ()

    def families(self) -> Iterator[str]:
        """Yield its family and those of the spaces that it is based on."""
        yield self.family
        if self.base:
            yield from self.base.families()

    def spots(self) -> Iterator[str]:
        """Yield the names of inks other than the four."""
        if self.family in ("Separation", "DeviceN"):
            yield from (name for name in self.inks if name not in (*PROCESS, "All", "None"))
        elif self.base:
            yield from self.base.spots()


GRAY, RGB, CMYK = (Space(family=name, components=count) for name, count in DEVICE.items())
_PLAIN = {"DeviceGray": GRAY, "DeviceRGB": RGB, "DeviceCMYK": CMYK}
PATTERN = Space(family="Pattern", components=0)


def space(value: object, resources: object, depth: int = 0) -> Space:
    """Return a color space as an operator, a picture or another space names it; its family may be any word.

    A default for device colors in the file replaces them.
    """
    if depth > 8:  # spaces can name each other in circles
        return Space(family="of spaces without end", components=0)
    name = as_name(value) if isinstance(value, Name) else str(value) if isinstance(value, str) else ""
    listed = as_dictionary(as_dictionary(resources).get("/ColorSpace"))
    if name:
        name = SHORT.get(name, name)
        default = listed.get(f"/{_DEFAULTS[name]}") if name in _DEFAULTS else None
        if default is not None and as_name(default) != name:
            made = space(default, Dictionary(), depth + 1)
            return Space(
                family=made.family,
                components=made.components,
                base=made.base,
                inks=made.inks,
                is_default=True,
                source=made.source,
            )
        if name in _PLAIN:
            return _PLAIN[name]
        if name == "Pattern":
            return PATTERN
        found = listed.get(f"/{name}")
        return Space(family=name, components=0) if found is None else space(found, resources, depth + 1)
    return (
        _built(as_array(value), resources, depth) if isinstance(value, Array) else Space(family="unknown", components=0)
    )


def _built(parts: Sequence[Object], resources: object, depth: int) -> Space:
    family = SHORT.get(as_name(parts[0]), as_name(parts[0])) if parts else "unknown"
    if len(parts) == 1:
        return space(Name(f"/{family}"), resources, depth + 1) if family else Space(family="unknown", components=0)
    source = tuple(parts)
    match family:
        case "ICCBased":
            return Space(family=family, components=as_integer(as_dictionary(parts[1]).get("/N")), source=source)
        case "CalGray":
            return Space(family=family, components=1, source=source)
        case "CalRGB" | "Lab":
            return Space(family=family, components=3, source=source)
        case "Indexed" | "Pattern":
            return Space(family=family, components=1, base=space(parts[1], resources, depth + 1), source=source)
        case "Separation" | "DeviceN" if len(parts) >= 4:
            inks = tuple(as_name(ink) for ink in as_items(parts[1]))[:64]
            return Space(
                family=family,
                components=len(inks),
                base=space(parts[2], resources, depth + 1),
                inks=inks,
                source=source,
            )
    return Space(family=family, components=0, source=source)


def ink(of: Space, tints: Sequence[float]) -> float:
    """Return the sum of a color's inks in per cent; 0 for colors that are not inks."""
    if of.family == "Separation" and of.inks == ("All",):  # All prints on every plate (8.6.6.4)
        return sum(tints) * 400
    if of.family in ("Separation", "DeviceN"):
        return sum(tint for tint, name in zip(tints, of.inks, strict=False) if name != "None") * 100
    return sum(tints) * 100 if of.components == 4 else 0.0


def plates(of: Space, tints: Sequence[float]) -> int:
    """Return how many plates a color prints on; RGB and the like print on three, gray on one."""
    if of.family in ("Separation", "DeviceN"):
        if of.inks == ("All",):
            return 4
        return sum(tint > _TRACE and name != "None" for tint, name in zip(tints, of.inks, strict=False))
    if of.components == 4:
        return sum(tint > _TRACE for tint in tints)
    if of.components == 3:
        if of.family == "Lab":
            return 1 if all(abs(each) < 3 for each in tints[1:3]) else 3  # a* and b* near 0 are gray
        return 1 if max(tints, default=0) - min(tints, default=0) < _TRACE else 3
    return 1


def is_black(of: Space, tints: Sequence[float]) -> bool:
    """Return whether a color is black ink and nothing else."""
    if of.family in ("Separation", "DeviceN"):
        return all(name in ("Black", "None") or tint <= 0 for name, tint in zip(of.inks, tints, strict=False))
    if of.components == 4:
        return all(tint <= 0 for tint in tints[:3])
    return of.components == 1


def light(of: Space, tints: Sequence[float], effort: Effort, depth: int = 0) -> float | None:
    """Return the lightness of a color, from 0 to 1; None if it is unknown."""
    if depth > MAX_DEPTH or len(tints) < of.components or not of.components:
        return None
    if of.family == "Lab":
        return tints[0] / 100
    if of.family in ("Separation", "DeviceN") and of.base and len(of.source) > 3:
        try:
            return light(of.base, function(of.source[3], effort)(tints), effort, depth + 1)
        except (Unknown, TooMuchWork, IndexError):
            return 1 - min(sum(tints), 1)
    if of.components == 1 and of.family != "Indexed":
        return tints[0]
    if of.components == 3:
        return 0.299 * tints[0] + 0.587 * tints[1] + 0.114 * tints[2]  # luma of ITU-R BT.601
    if of.components == 4:
        # The plain conversion of CMYK: each ink takes its color from white.
        return (1 - tints[3]) * (1 - 0.299 * tints[0] - 0.587 * tints[1] - 0.114 * tints[2])
    return None


def profile(of: Space) -> Stream | None:
    """Return the ICC profile of a space that is based on one; None for any other."""
    found = of.source[1] if of.family == "ICCBased" and len(of.source) > 1 else None
    return found if isinstance(found, Stream) else None
