"""The pixels of a layer or mask, decoded tile by tile, and only the tiles that a box touches.

Pixels are stored in tiles of 64 x 64, row by row from the top left; those at the right and bottom edges are smaller.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from render.images.xcf.broken import BrokenXcf
from render.images.xcf.cursor import Cursor
from render.images.xcf.model import Drawable, Extent, XcfImage, XcfLayer
from render.images.xcf.properties import read_properties

TILE = 64  # pixels
_DEEPEST = 32  # bytes per pixel: four numbers of 64 bits

Bytes = NDArray[np.uint8]


def locate_layer(image: XcfImage, layer: XcfLayer) -> Drawable:
    """Return where the pixels of a layer are; BrokenXcf if the file does not hold them."""
    return _drawable(image, layer.hierarchy, layer.extent, layer.offset)


def locate_mask(image: XcfImage, layer: XcfLayer) -> Drawable:
    """Return where the pixels of a layer's mask are; a mask lies where its layer does."""
    cursor = _cursor(image, layer.offset).moved(layer.mask)
    cursor.take(8)  # its width and height, which the hierarchy gives again
    cursor.words()
    read_properties(cursor)
    return _drawable(image, cursor.pointer(), layer.extent, layer.offset)


def raw_pixels(image: XcfImage, drawable: Drawable, box: Extent) -> Bytes:
    """Return the bytes of the pixels in a box of the canvas that lies in the drawable: row, column, byte."""
    pixels = np.zeros((box.height, box.width, drawable.depth), np.uint8)
    for tile, at in _touched(drawable, box):
        common = tile.common(box)
        pixels[slices(common, box)] = _tile(image, at, tile, drawable.depth)[slices(common, tile)]
    return pixels


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


# --- where tiles are ------------------------------------------------------------------------------------------------


def _drawable(image: XcfImage, pointer: int, extent: Extent, offset: int) -> Drawable:
    """Follow a hierarchy to its first level, which alone holds pixels."""
    hierarchy = _cursor(image, offset).moved(pointer)
    _check_size(hierarchy, extent)
    start, depth = hierarchy.at, hierarchy.number()
    if not 0 < depth <= _DEEPEST:
        raise BrokenXcf("X005", f"has pixels of {depth} bytes", start)
    level = hierarchy.moved(hierarchy.pointer())
    _check_size(level, extent)
    count = -(-extent.width // TILE) * -(-extent.height // TILE)
    return Drawable(extent, offset, depth, level.take(count * (8 if level.wide else 4)))


def _check_size(cursor: Cursor, extent: Extent) -> None:
    start, found = cursor.at, (cursor.number(), cursor.number())
    if found != (extent.width, extent.height):
        sizes = f"{found[0]} x {found[1]} pixels in a layer of {extent.width} x {extent.height}"
        raise BrokenXcf("X003", f"has {sizes}", start)


def _touched(drawable: Drawable, box: Extent) -> Iterator[tuple[Extent, int]]:
    """Yield the box of each tile that touches a box, and its offset in the file."""
    whole = drawable.extent
    columns, rows = -(-whole.width // TILE), -(-whole.height // TILE)
    size = len(drawable.pointers) // (columns * rows)
    for row in range((box.y - whole.y) // TILE, -(-(box.bottom - whole.y) // TILE)):
        for column in range((box.x - whole.x) // TILE, -(-(box.right - whole.x) // TILE)):
            place = (row * columns + column) * size
            tile = Extent(whole.x + column * TILE, whole.y + row * TILE, TILE, TILE).common(whole)
            yield tile, int.from_bytes(drawable.pointers[place : place + size])


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
