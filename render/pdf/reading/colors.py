"""Color spaces (ISO 32000-1, 8.6): their kinds, their inks, and the spaces that they are based on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace
from pikepdf import Array, Dictionary, Name, Object, Stream

from render.pdf.reading.values import as_array, as_dictionary, as_integer, as_items, as_name

DEVICE = {"DeviceGray": 1, "DeviceRGB": 3, "DeviceCMYK": 4}
PROCESS = ("Cyan", "Magenta", "Yellow", "Black")
_SHORT = {"G": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK", "I": "Indexed"}  # in inline pictures (table 94)
# Entries by which a file replaces device colors (8.6.5.6).
_DEFAULTS = {"DeviceGray": "DefaultGray", "DeviceRGB": "DefaultRGB", "DeviceCMYK": "DefaultCMYK"}


class ColorSpace(Struct, frozen=True, kw_only=True, eq=False):
    """A color space: its family, its components, the space that it is based on, and the names of its inks.

    `is_default` says that the file puts it in place of device colors. `source` is its array, if it has one.
    """

    family: str
    components: int = 0
    base: ColorSpace | None = None
    inks: tuple[str, ...] = ()
    is_default: bool = False
    source: tuple[Object, ...] = ()

    @property
    def is_inks(self) -> bool:
        return self.family in ("Separation", "DeviceN")

    @property
    def profile(self) -> Stream | None:
        """The ICC profile of a space that is based on one."""
        stream = self.source[1] if self.family == "ICCBased" and len(self.source) > 1 else None
        return stream if isinstance(stream, Stream) else None

    def chain(self) -> Iterator[ColorSpace]:
        """Yield the space, and those that it is based on."""
        yield self
        if self.base:
            yield from self.base.chain()

    def spots(self) -> Iterator[str]:
        """Yield the names of inks other than the four."""
        if self.is_inks:
            yield from (name for name in self.inks if name not in (*PROCESS, "All", "None"))
        elif self.base:
            yield from self.base.spots()


GRAY, RGB, CMYK = (ColorSpace(family=name, components=count) for name, count in DEVICE.items())
_PLAIN = {"DeviceGray": GRAY, "DeviceRGB": RGB, "DeviceCMYK": CMYK, "Pattern": ColorSpace(family="Pattern")}


def read_color_space(value: object, resources: object, depth: int = 0) -> ColorSpace:
    """Return a color space as an operator, a picture or another space names it; its family may be any word.

    A default for device colors in the file replaces them.
    """
    if depth > 8:  # spaces can name each other in circles
        return ColorSpace(family="of spaces without end")
    if isinstance(value, Array):
        return _read_array(as_array(value), resources, depth)
    if not isinstance(value, Name):
        return ColorSpace(family="unknown")
    name = _SHORT.get(as_name(value), as_name(value))
    listed = as_dictionary(as_dictionary(resources).get("/ColorSpace"))
    default = listed.get(f"/{_DEFAULTS[name]}") if name in _DEFAULTS else None
    if default is not None and as_name(default) != name:
        return replace(read_color_space(default, Dictionary(), depth + 1), is_default=True)
    if name in _PLAIN:
        return _PLAIN[name]
    entry = listed.get(f"/{name}")
    return ColorSpace(family=name) if entry is None else read_color_space(entry, resources, depth + 1)


def _read_array(parts: Sequence[Object], resources: object, depth: int) -> ColorSpace:
    family = _SHORT.get(as_name(parts[0]), as_name(parts[0])) if parts else "unknown"
    if len(parts) < 2:
        return read_color_space(Name(f"/{family}"), resources, depth + 1) if family else ColorSpace(family="unknown")
    space = ColorSpace(family=family, source=tuple(parts))
    match family:
        case "ICCBased":
            return replace(space, components=as_integer(as_dictionary(parts[1]).get("/N")))
        case "CalGray":
            return replace(space, components=1)
        case "CalRGB" | "Lab":
            return replace(space, components=3)
        case "Indexed" | "Pattern":
            return replace(space, components=1, base=read_color_space(parts[1], resources, depth + 1))
        case "Separation" | "DeviceN" if len(parts) >= 4:
            inks = tuple(as_name(ink) for ink in as_items(parts[1]))[:64]
            base = read_color_space(parts[2], resources, depth + 1)
            return replace(space, components=len(inks), base=base, inks=inks)
    return space
