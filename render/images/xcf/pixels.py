"""Pixels of a GIMP file: layers put together as GIMP shows them, colors as a screen shows them, and tiles.

Opacity, masks, groups and offsets are followed, and every mode counts as normal. Files with 8 or 16 bits for the screen keep
every bit. Others (32 and 64 bits, fractions, linear light) are rounded to 16 bits.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from render.images.xcf.reading import (
    NORMAL_LINEAR,
    PASS_THROUGH,
    BrokenXcf,
    Cursor,
    Extent,
    XcfImage,
    XcfLayer,
    read_properties,
)

# --- layers ----------------------------------------------------------------------------------------------------------

Numbers = NDArray[np.uint8] | NDArray[np.uint16]
_Fractions = NDArray[np.float32]

_BAND = 256  # rows that are put together at a time: fractions take four times the memory of a picture
_OPAQUE = 0.4  # of full opacity: what counts as ink of a letter
_LINEAR_SPACE = 1  # of `composite_space`; 0 and negative numbers are what GIMP chose itself


def layer_pixels(image: XcfImage, layer: XcfLayer, box: Extent) -> Numbers:
    """Return the pixels of one layer in a box that lies in it, with every bit that a PNG can hold.

    Opacity, mask and mode are left aside. There are 1 to 4 channels: grey or red, green, blue, and alpha last.
    """
    return _channels(image, raw_pixels(image, layer, layer.hierarchy, box), layer.kind)


def inked_columns(image: XcfImage, layer: XcfLayer) -> list[int]:
    """Return the columns of the canvas in which a layer has opaque pixels, or next to opaque ones. BrokenXcf."""
    box = layer.extent.common(Extent(0, 0, image.width, image.height))
    if box.empty:
        return []
    pixels = layer_pixels(image, layer, box)
    inked = (pixels[:, :, -1] > _OPAQUE * np.iinfo(pixels.dtype).max).any(axis=0)
    return [box.x + int(column) for column in np.flatnonzero(inked)]


def flattened(image: XcfImage, layers: Sequence[XcfLayer], box: Extent) -> Numbers:
    """Return layers, from top to bottom, as one picture of a box of the canvas: red, green, blue and alpha.

    Layers that are not visible are left out. Every mode counts as normal, which covers what lies below. A file of 8
    bits gives 8 bits, others 16.
    """
    kind, most = (np.uint8, 255) if number_kind(image)[0][1:] == "u1" else (np.uint16, 65535)
    picture = np.empty((box.height, box.width, 4), kind)
    for band in _bands(box):
        shown = _shown(image, layers, band)
        picture[slices(band, box)] = np.rint(shown * most)
    return picture


def padded(pixels: Numbers, box: Extent, frame: Extent) -> Numbers:
    """Return pixels at their place in the frame, which is transparent elsewhere."""
    count = pixels.shape[2]
    if count % 2:  # without alpha
        opaque = np.full((*pixels.shape[:2], 1), np.iinfo(pixels.dtype).max, pixels.dtype)
        pixels = np.concatenate((pixels, opaque), axis=2)
    whole = np.zeros((frame.height, frame.width, pixels.shape[2]), pixels.dtype)
    whole[slices(box, frame)] = pixels
    return whole


def _bands(box: Extent) -> Iterator[Extent]:
    for top in range(box.y, box.bottom, _BAND):
        yield Extent(box.x, top, box.width, min(_BAND, box.bottom - top))


def _shown(image: XcfImage, layers: Sequence[XcfLayer], box: Extent) -> _Fractions:
    """Return visible layers as one picture, from 0 to 1."""
    picture = np.zeros((box.height, box.width, 4), np.float32)
    _draw(image, layers, box, picture)
    return picture


def _draw(image: XcfImage, layers: Sequence[XcfLayer], box: Extent, picture: _Fractions) -> None:
    """Put visible layers upon a picture of the box."""
    for layer in reversed(layers):
        if not layer.visible or layer.floating:
            continue
        if _passes(layer):
            _draw(image, image.within(layer), box, picture)
            continue
        common = box if layer.group else layer.extent.common(box)
        if not common.empty:
            part = slices(common, box)
            above = _alone(image, layer, common)
            linear = layer.mode == NORMAL_LINEAR and layer.composite_space in (0, _LINEAR_SPACE, -_LINEAR_SPACE)
            picture[part] = _covered(picture[part], above, linear=linear)


def _passes(layer: XcfLayer) -> bool:
    """Return whether a group is one only by name: its layers are put upon what lies below it."""
    masked = layer.mask and layer.applies_mask
    return layer.group and layer.mode == PASS_THROUGH and layer.opacity == 1 and not masked


def _alone(image: XcfImage, layer: XcfLayer, box: Extent) -> _Fractions:
    """Return what a layer shows in a box, with its opacity and its mask."""
    if layer.group:
        above = _shown(image, image.within(layer), box)
    else:
        above = _full(layer_pixels(image, layer, box))
    above[:, :, 3] *= layer.opacity
    if layer.mask and layer.applies_mask:
        above[:, :, 3] *= _mask(image, layer, box)
    return above


def _mask(image: XcfImage, layer: XcfLayer, box: Extent) -> _Fractions:
    """Return a layer's mask in a box, from 0, where nothing of the layer shows, to 1; a mask lies where its layer does."""
    shown = np.zeros((box.height, box.width), np.float32)
    common = layer.extent.common(box)
    if not common.empty:
        cursor = _cursor(image, layer.offset).moved(layer.mask)
        cursor.take(8)  # its width and height, which the hierarchy gives again
        cursor.words()
        read_properties(cursor, {})
        raw = raw_pixels(image, layer, cursor.pointer(), common)
        shown[slices(common, box)] = _as_fractions(_stored(raw, number_kind(image)[0], 1))[:, :, 0]
    return shown


def _full(pixels: Numbers) -> _Fractions:
    """Return pixels of 1 to 4 channels as red, green, blue and alpha from 0 to 1."""
    fractions = (pixels / np.iinfo(pixels.dtype).max).astype(np.float32)
    count = pixels.shape[2]
    color = fractions[:, :, :3] if count >= 3 else np.repeat(fractions[:, :, :1], 3, axis=2)
    alpha = fractions[:, :, -1:] if count in (2, 4) else np.ones((*pixels.shape[:2], 1), np.float32)
    return np.concatenate((color, alpha), axis=2)


def _covered(below: _Fractions, above: _Fractions, *, linear: bool) -> _Fractions:
    """Return one picture upon another (Porter and Duff's "over"), mixed in linear light or as the screen shows it."""
    top, bottom = (as_linear(each[:, :, :3]) if linear else each[:, :, :3] for each in (above, below))
    alpha = above[:, :, 3:]
    rest = below[:, :, 3:] * (1 - alpha)
    total = alpha + rest
    mixed = ((top * alpha + bottom * rest) / np.where(total > 0, total, 1)).astype(np.float32)
    return np.concatenate((as_screen(mixed) if linear else mixed, total), axis=2)


# --- colors ----------------------------------------------------------------------------------------------------------

# How one number of a pixel is stored, and whether it is linear light (`GimpPrecision` in GIMP's API reference).
_KINDS = {1: "u1", 2: "u2", 3: "u4", 5: "f2", 6: "f4", 7: "f8"}
_OF_VERSION_4 = {0: ("u1", False), 1: ("u2", False), 2: ("u4", True), 3: ("f2", True), 4: ("f4", True)}
_OF_VERSION_5 = {1: "u1", 2: "u2", 3: "u4", 4: "f2", 5: "f4"}
_BIG_ENDIAN_SINCE = 12  # before, numbers stood as in memory; GIMP ran on little-endian machines


def number_kind(image: XcfImage) -> tuple[str, bool]:
    """Return how a number of a pixel is stored, as numpy calls it, and whether it is linear light."""
    precision = image.precision
    if image.version == 4:
        found = _OF_VERSION_4.get(precision)
    else:
        kind = (_OF_VERSION_5 if image.version in (5, 6) else _KINDS).get(precision // 100)
        # 100: linear, 150: as sRGB stores it, 175: perceptual, which for sRGB is the same.
        found = (kind, precision % 100 == 0) if kind and precision % 100 in (0, 50, 75) else None
    if found is None:
        raise BrokenXcf("X005", f"has the unknown precision {precision}", 22)
    return f"{'>' if image.version >= _BIG_ENDIAN_SINCE else '<'}{found[0]}", found[1]


def _channels(image: XcfImage, raw: NDArray[np.uint8], kind: int) -> Numbers:
    """Return pixels as 1 to 4 channels of 8 or 16 bits: grey or red, green, blue; alpha last, if the layer has it.

    `raw` are the bytes of the pixels; `kind` is that of the layer: 0 RGB, 2 grey, 4 indexed, and one more with alpha.
    """
    alpha = kind % 2 == 1
    if kind >= 4:
        return _looked_up(image, raw, alpha=alpha)
    return _numbers(image, raw, (3, 1)[kind // 2] + alpha, alpha=alpha)


def _looked_up(image: XcfImage, raw: NDArray[np.uint8], *, alpha: bool) -> Numbers:
    """Return the colors that the numbers of an indexed image stand for; black where the map has none."""
    if raw.shape[2] != 1 + alpha:
        raise BrokenXcf("X005", f"has indexed pixels of {raw.shape[2]} bytes", 0)
    table = np.zeros((256, 3), np.uint8)
    given = np.frombuffer(image.colors, np.uint8)[: len(image.colors) // 3 * 3].reshape(-1, 3)
    table[: len(given)] = given
    colors = table[raw[:, :, 0]]
    return np.concatenate((colors, raw[:, :, 1:]), axis=2) if alpha else colors


def _numbers(image: XcfImage, raw: NDArray[np.uint8], count: int, *, alpha: bool) -> Numbers:
    stored, linear = number_kind(image)
    numbers = _stored(raw, stored, count)
    if not linear and stored[1:] in ("u1", "u2"):
        return numbers.astype(numbers.dtype.newbyteorder("="))
    fractions = _as_fractions(numbers)
    if linear:
        colors = fractions[:, :, : count - alpha]
        colors[...] = as_screen(colors)
    return np.rint(fractions * 65535).astype(np.uint16)


def _stored(raw: NDArray[np.uint8], stored: str, count: int) -> NDArray[np.generic]:
    """Return the bytes of pixels as numbers of that kind, `count` for each pixel."""
    if raw.shape[2] != count * np.dtype(stored).itemsize:
        raise BrokenXcf("X005", f"has pixels of {raw.shape[2]} bytes, which do not fit its precision", 0)
    return np.ascontiguousarray(raw).view(stored)


def _as_fractions(numbers: NDArray[np.generic]) -> _Fractions:
    """Return numbers as fractions from 0 to 1; what is no number is 0."""
    if numbers.dtype.kind == "u":
        return (numbers.astype(np.float64) / np.iinfo(numbers.dtype.str).max).astype(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.clip(np.nan_to_num(numbers.astype(np.float32), posinf=1, neginf=0), 0, 1)


def as_screen(linear: _Fractions) -> _Fractions:
    """Return linear light as sRGB stores it (IEC 61966-2-1)."""
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.power(linear, 1 / 2.4) - 0.055).astype(np.float32)


def as_linear(shown: _Fractions) -> _Fractions:
    """Return what sRGB stores as linear light."""
    return np.where(shown <= 0.04045, shown / 12.92, np.power((shown + 0.055) / 1.055, 2.4)).astype(np.float32)


# --- tiles -----------------------------------------------------------------------------------------------------------

TILE = 64  # pixels
_DEEPEST = 32  # bytes per pixel: four numbers of 64 bits

Bytes = NDArray[np.uint8]


def raw_pixels(image: XcfImage, layer: XcfLayer, pointer: int, box: Extent) -> Bytes:
    """Return the bytes of a layer's pixels, or its mask's, in a box of the canvas that lies in it: row, column, byte.

    `pointer` leads to a hierarchy, whose first level alone holds pixels. BrokenXcf if the file does not hold them.
    """
    whole = layer.extent
    hierarchy = _cursor(image, layer.offset).moved(pointer)
    _check_size(hierarchy, whole)
    start, depth = hierarchy.at, hierarchy.number()
    if not 0 < depth <= _DEEPEST:
        raise BrokenXcf("X005", f"has pixels of {depth} bytes", start)
    level = hierarchy.moved(hierarchy.pointer())
    _check_size(level, whole)
    columns, rows = -(-whole.width // TILE), -(-whole.height // TILE)
    size = 8 if level.wide else 4
    pointers = level.take(columns * rows * size)
    pixels = np.zeros((box.height, box.width, depth), np.uint8)
    for row in range((box.y - whole.y) // TILE, -(-(box.bottom - whole.y) // TILE)):
        for column in range((box.x - whole.x) // TILE, -(-(box.right - whole.x) // TILE)):
            place = (row * columns + column) * size
            tile = Extent(whole.x + column * TILE, whole.y + row * TILE, TILE, TILE).common(whole)
            common = tile.common(box)
            stored = _tile(image, int.from_bytes(pointers[place : place + size]), tile, depth)
            pixels[slices(common, box)] = stored[slices(common, tile)]
    return pixels


def _check_size(cursor: Cursor, extent: Extent) -> None:
    start, found = cursor.at, (cursor.number(), cursor.number())
    if found != (extent.width, extent.height):
        sizes = f"{found[0]} x {found[1]} pixels in a layer of {extent.width} x {extent.height}"
        raise BrokenXcf("X003", f"has {sizes}", start)


def _tile(image: XcfImage, at: int, tile: Extent, depth: int) -> Bytes:
    """Return the pixels of a tile: row, column, byte."""
    count = tile.width * tile.height
    cursor = _cursor(image, 0).moved(at)
    match image.compression:
        case 0:
            plain = cursor.take(count * depth)
        case 1:
            planes = np.frombuffer(_run_lengths(image.data, at, count, depth), np.uint8)
            return planes.reshape(depth, tile.height, tile.width).transpose(1, 2, 0)
        case 2:
            plain = _inflated(image.data, at, count * depth)
        case other:
            raise BrokenXcf("X005", f"has the unknown compression {other}", at)
    return np.frombuffer(plain, np.uint8).reshape(tile.height, tile.width, depth)


def slices(part: Extent, whole: Extent) -> tuple[slice, slice]:
    """Return the rows and columns of an array for `whole` that hold `part`."""
    x, y = part.x - whole.x, part.y - whole.y
    return slice(y, y + part.height), slice(x, x + part.width)


def _cursor(image: XcfImage, at: int) -> Cursor:
    return Cursor(image.data, at, wide=image.version >= 11)


# --- what tiles hold ------------------------------------------------------------------------------------------------

_SPARE = 1 << 10  # bytes: deflate adds fewer to a tile in which nothing repeats


def _inflated(data: bytes, at: int, size: int) -> bytes:
    """Unpack a tile. No more than its size is unpacked, whatever the file says."""
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(memoryview(data)[at : at + size + _SPARE], size)
    except zlib.error:
        raise BrokenXcf("X006", "has a damaged tile", at) from None
    if len(found) != size:
        raise BrokenXcf("X006", "has a tile that ends too early", at)
    return found


def _run_lengths(data: bytes, at: int, count: int, depth: int) -> bytes:
    """Return the bytes of a tile.

    All first bytes of its pixels come first, then all second ones, and so on. A byte up to 126 repeats the next one,
    once more than it says; from 129 on it copies as many bytes as are missing to 256. 127 repeats and 128 copies as
    often as the number of 16 bits that follows says.
    """
    pieces: list[bytes] = []
    place, end = at, len(data)
    for _ in range(depth):
        missing = count
        while missing > 0:
            if place + 2 > end:
                raise BrokenXcf("X002", "ends in a tile", at)
            code = data[place]
            place += 1
            if code in (127, 128):
                length = int.from_bytes(data[place : place + 2])
                place += 2
            else:
                length = code + 1 if code < 127 else 256 - code
            missing -= length
            if code < 128:
                pieces.append(data[place : place + 1] * length)
                place += 1
            else:
                pieces.append(data[place : place + length])
                place += length
        if missing:
            raise BrokenXcf("X006", "has a tile with too many pixels", at)
    plain = b"".join(pieces)
    if len(plain) != count * depth:
        raise BrokenXcf("X002", "ends in a tile", at)
    return plain
