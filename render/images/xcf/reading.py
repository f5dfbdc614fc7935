"""Read the structure of a GIMP file, of every version: all but its pixels.

The format is described in GIMP's developer documentation, "Documentation of the XCF file format". A file is a header,
properties, and lists of pointers to layers and channels; a layer has properties and points to its pixels and its mask.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from render.base.findings import Diagnostic, Span
from render.base.patterns import regex


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


# --- reading it -------------------------------------------------------------------------------------------------------


class Cursor(Struct):
    """A place in the bytes of a file; reading moves it on. `wide` says that pointers have 64 bits (from v11 on)."""

    data: bytes
    at: int
    wide: bool = False

    def moved(self, at: int) -> Cursor:
        """Return a cursor at another place; BrokenXcf if the file has no such place."""
        if not 0 < at < len(self.data):
            raise BrokenXcf("X002", f"points to byte {at}, and has {len(self.data)} bytes", self.at)
        return Cursor(self.data, at, self.wide)

    def take(self, count: int) -> bytes:
        """Return that many bytes; BrokenXcf if the file ends before."""
        end = self.at + count
        if count < 0 or end > len(self.data):
            raise BrokenXcf("X002", "ends too early", self.at)
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def number(self) -> int:
        """Return a whole number of 32 bits without sign."""
        return int.from_bytes(self.take(4))

    def signed(self) -> int:
        """Return a whole number of 32 bits with sign."""
        return int.from_bytes(self.take(4), signed=True)

    def real(self) -> float:
        """Return a number of single precision."""
        return float(struct.unpack(">f", self.take(4))[0])

    def pointer(self) -> int:
        """Return an offset into the file; 0 stands for none, and ends lists."""
        return int.from_bytes(self.take(8 if self.wide else 4))

    def words(self) -> str:
        """Return a text: its length with the zero byte that ends it, then UTF-8."""
        start = self.at
        try:
            return self.take(self.number()).rstrip(b"\0").decode("utf-8")
        except UnicodeDecodeError:
            raise BrokenXcf("X006", "has a name that is not UTF-8", start) from None


# --- the file and its layers -----------------------------------------------------------------------------------------

NEWEST = 25
"""The newest version of the format that is known here; later ones are read as far as they are alike."""

_SIGNATURE = regex(rb"gimp xcf (?:file|v([0-9]{3}))\0")
_SIGNATURE_LENGTH = 14
_FIRST_WITH_PRECISION, _FIRST_WITH_WIDE_POINTERS, _FIRST_WITH_EFFECTS = 4, 11, 20
_GREYS = bytes(level for level in range(256) for _ in range(3))  # version 0 stored no color map that could be read
_PAINTED_ON = 2  # of the flags of a text layer: "modified"
_OF_8_BITS = 150  # of `precision`: 8-bit numbers, as a screen shows them


def read_xcf(data: bytes) -> XcfImage:
    """Return what a GIMP file holds; BrokenXcf, with the byte, if it cannot be read."""
    signature = _SIGNATURE.match(data)
    if signature is None:
        raise BrokenXcf("X001", "is no file of GIMP", 0)
    version = int(signature[1] or 0)
    cursor = Cursor(data, _SIGNATURE_LENGTH, wide=version >= _FIRST_WITH_WIDE_POINTERS)
    width, height = _side(cursor), _side(cursor)
    base = _one_of(cursor, "color model", (0, 1, 2))
    precision = cursor.number() if version >= _FIRST_WITH_PRECISION else _OF_8_BITS
    own = read_properties(cursor, _OF_IMAGES)
    profile = own.pop("parasites").get("icc-profile", b"")
    if not version:
        own["colors"] = _GREYS
    layers = tuple(_layers(cursor, version))
    return XcfImage(
        data=data,
        version=version,
        width=width,
        height=height,
        base=base,
        precision=precision,
        layers=layers,
        profile=profile if profile[36:40] == b"acsp" else b"",  # ICC.1, 7.2: the signature of a profile
        groups={layer.path: layer for layer in layers if layer.group},
        **own,
    )


def _layers(cursor: Cursor, version: int) -> Iterator[XcfLayer]:
    """Yield the layers; the cursor stands at the list of pointers to them.

    Only layers in groups say where they are; the others are counted.
    """
    known: set[int] = set()
    outermost = 0
    while pointer := cursor.pointer():
        if pointer in known:
            raise BrokenXcf("X003", "has one layer twice", cursor.at)
        known.add(pointer)
        layer = _layer(cursor.moved(pointer), version, outermost)
        outermost += len(layer.path) == 1
        yield layer


def _layer(cursor: Cursor, version: int, index: int) -> XcfLayer:
    start = cursor.at
    width, height = _side(cursor), _side(cursor)
    kind = _one_of(cursor, "kind of layer", range(6))
    name = cursor.words()
    own = read_properties(cursor, _OF_LAYERS)
    x, y = own.pop("offsets", (0, 0))
    hierarchy, mask = cursor.pointer(), cursor.pointer()
    effects = []  # each begins with its name
    while version >= _FIRST_WITH_EFFECTS and (pointer := cursor.pointer()):
        effects.append(cursor.moved(pointer).words())
    return XcfLayer(
        name=name,
        extent=Extent(x, y, width, height),
        offset=start,
        kind=kind,
        path=own.pop("path", ()) or (index,),
        hierarchy=hierarchy,
        mask=mask,
        effects=tuple(effects),
        **own,
    )


def _side(cursor: Cursor) -> int:
    start, side = cursor.at, cursor.number()
    if not side:
        raise BrokenXcf("X003", "gives a side of 0 pixels", start)
    return side


def _one_of(cursor: Cursor, what: str, known: range | tuple[int, ...]) -> int:
    start, value = cursor.at, cursor.number()
    if value not in known:
        raise BrokenXcf("X005", f"has the unknown {what} {value}", start)
    return value


# --- properties ------------------------------------------------------------------------------------------------------


def _exact_opacity(body: Cursor) -> float:
    given = body.real()
    return min(max(given, 0.0), 1.0) if math.isfinite(given) else 1.0


def _resolution(body: Cursor) -> tuple[float, float]:
    given = (body.real(), body.real())
    return given if all(math.isfinite(each) and each > 0 for each in given) else (72.0, 72.0)


def _parasites(body: Cursor) -> Iterator[tuple[str, bytes]]:
    while body.at < len(body.data):
        name, _flags, length = body.words(), body.number(), body.number()
        yield name, body.take(length)


_Readers = Mapping[int, tuple[str, Callable[[Cursor], object]]]
"""By the number of a property (`PropType` in the source of GIMP), the field that it fills and how it is read."""

_PARASITES = 21
_OF_IMAGES: _Readers = {
    1: ("colors", lambda body: body.take(min(3 * body.number(), 768, len(body.data) - body.at))),
    17: ("compression", lambda body: body.take(1)[0]),
    19: ("resolution", _resolution),
}
_OF_LAYERS: _Readers = {
    5: ("floating", lambda _: True),
    6: ("opacity", lambda body: min(body.number(), 255) / 255),
    7: ("mode", Cursor.number),
    8: ("visible", lambda body: body.number() != 0),
    11: ("applies_mask", lambda body: body.number() != 0),
    15: ("offsets", lambda body: (body.signed(), body.signed())),
    26: ("painted_on", lambda body: bool(body.number() & _PAINTED_ON)),
    29: ("group", lambda _: True),
    30: ("path", lambda body: tuple(body.number() for _ in range(len(body.data) // 4))),
    33: ("opacity", _exact_opacity),
    36: ("composite_space", Cursor.signed),
}


def read_properties(cursor: Cursor, readers: _Readers) -> dict[str, Any]:
    """Return what a list of properties says, by fields, and all attachments; unknown properties are skipped."""
    parasites: dict[str, bytes] = {}
    found: dict[str, Any] = {"parasites": parasites}
    while True:
        start = cursor.at
        number, body = cursor.number(), Cursor(cursor.take(cursor.number()), 0)
        if number == 0:
            return found
        try:
            if number == _PARASITES:
                parasites.update(_parasites(body))
            elif number in readers:
                name, read = readers[number]
                found[name] = read(body)
        except BrokenXcf as broken:
            raise BrokenXcf(broken.code, broken.message, start) from None
