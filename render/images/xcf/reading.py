"""Read the structure of a GIMP file, of every version: all but its pixels.

The format is described in GIMP's developer documentation, "Documentation of the XCF file format". A file is a header,
properties, and lists of pointers to layers and channels; a layer has properties and points to its pixels and its mask.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from render.images.xcf.broken import BrokenXcf
from render.images.xcf.cursor import Cursor
from render.images.xcf.model import Extent, XcfImage, XcfLayer
from render.images.xcf.properties import read_properties

NEWEST = 25
"""The newest version of the format that is known here; later ones are read as far as they are alike."""

_SIGNATURE = re.compile(rb"gimp xcf (?:file|v([0-9]{3}))\0")
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
    own = read_properties(cursor)
    layers = tuple(_layers(cursor, version))
    profile = own.parasites.get("icc-profile", b"")
    return XcfImage(
        data=data,
        version=version,
        width=width,
        height=height,
        base=base,
        precision=precision,
        compression=own.compression,
        resolution=own.resolution,
        colors=own.colors if version else _GREYS,
        layers=layers,
        profile=profile if profile[36:40] == b"acsp" else b"",  # ICC.1, 7.2: the signature of a profile
        groups={layer.path: layer for layer in layers if layer.group},
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
    own = read_properties(cursor)
    return XcfLayer(
        name=name,
        extent=Extent(*own.offsets, width, height),
        offset=start,
        kind=kind,
        visible=own.visible,
        opacity=own.opacity,
        mode=own.mode,
        composite_space=own.composite_space,
        group=own.group,
        path=own.path or (index,),
        hierarchy=cursor.pointer(),
        mask=cursor.pointer(),
        applies_mask=own.applies_mask,
        floating=own.floating,
        painted_on=bool(own.text_flags & _PAINTED_ON),
        effects=tuple(_effects(cursor)) if version >= _FIRST_WITH_EFFECTS else (),
        parasites=own.parasites,
    )


def _effects(cursor: Cursor) -> Iterator[str]:
    """Yield the names of a layer's effects; each begins with its name."""
    while pointer := cursor.pointer():
        yield cursor.moved(pointer).words()


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
