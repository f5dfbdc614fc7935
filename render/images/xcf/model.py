"""A GIMP file as values: the canvas, its layers from top to bottom, their modes, and what is wrong with a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from render.base.findings import Diagnostic, Span


class BrokenXcf(Exception):
    """A GIMP file cannot be read. `code` is that of the finding, `offset` the byte of the file at which it shows."""

    def __init__(self, code: str, message: str, offset: int) -> None:
        super().__init__(f"{code} {message} at byte {offset}")
        self.code, self.message, self.offset = code, message, offset

    def finding(self, file: Path) -> Diagnostic:
        """Return the finding about the file; its message names the byte."""
        column = self.offset + 1  # the file as one line
        place = Span(file=file, column=column, end_column=column)
        return Diagnostic(self.code, f"`{file.name}` {self.message}, at byte {self.offset}", _HINT).at(place)


_HINT = "open the file in GIMP and save it again"


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


class Extent(Struct, frozen=True):
    """A box in pixels: its left and top edges on the canvas, its width and height."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column beyond the box."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row beyond the box."""
        return self.y + self.height

    def common(self, other: Extent) -> Extent:
        """Return what both boxes cover; it has no width or no height if they do not touch."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        width, height = min(self.right, other.right) - x, min(self.bottom, other.bottom) - y
        return Extent(x, y, max(0, width), max(0, height))

    @property
    def empty(self) -> bool:
        """Whether there is no pixel in it."""
        return self.width == 0 or self.height == 0


class XcfLayer(Struct, frozen=True, kw_only=True):
    """A layer. `opacity` is from 0 to 1; `path` is its place in the tree of groups, from the outermost inwards.

    `visible` is that of the layer alone; `XcfImage.seen` counts the groups around it, too. `hierarchy` is the offset of
    its pixels, `mask` that of its mask, 0 for none. `painted_on` tells that the pixels of a text layer were changed, so
    that they may show other words than its text. `effects` names filters that GIMP 3 applies when it shows it.
    """

    name: str
    extent: Extent
    offset: int
    kind: int
    path: tuple[int, ...]
    hierarchy: int
    mask: int
    effects: tuple[str, ...]
    parasites: Mapping[str, bytes]
    visible: bool = True
    opacity: float = 1.0
    mode: int = NORMAL_LEGACY
    composite_space: int = 0
    group: bool = False
    applies_mask: bool = True
    floating: bool = False
    painted_on: bool = False

    @property
    def plain(self) -> bool:
        """Whether its pixels are shown as they are stored."""
        return (
            self.opacity == 1
            and self.mode in NORMAL
            and not self.group
            and not self.floating
            and not (self.mask and self.applies_mask)
        )


class XcfImage(Struct, frozen=True, kw_only=True):
    """A GIMP file.

    `base` is 0 for RGB, 1 for grey, 2 for indexed colors; `resolution` is in pixels per inch. `groups` are the groups
    by their paths.
    """

    data: bytes
    version: int
    width: int
    height: int
    base: int
    precision: int
    layers: tuple[XcfLayer, ...]
    profile: bytes
    groups: Mapping[tuple[int, ...], XcfLayer]
    compression: int = 0
    resolution: tuple[float, float] = (72.0, 72.0)
    colors: bytes = b""

    def seen(self, layer: XcfLayer) -> bool:
        """Return whether a layer and all groups around it are visible."""
        return layer.visible and all(each.visible for each in self.around(layer))

    def around(self, layer: XcfLayer) -> Iterator[XcfLayer]:
        """Yield the groups around a layer, from the outermost inwards."""
        for depth in range(1, len(layer.path)):
            group = self.groups.get(layer.path[:depth])
            if group:
                yield group

    def within(self, group: XcfLayer | None) -> tuple[XcfLayer, ...]:
        """Return the layers directly in a group, or those in none, from top to bottom."""
        path = group.path if group else ()
        return tuple(each for each in self.layers if each.path[:-1] == path)
