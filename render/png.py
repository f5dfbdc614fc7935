"""A scene as a PNG picture.

Shapes are rasterised once per face of a set and pasted from then on, text is drawn unhinted by uharfbuzz at sub-pixel
places, pictures come scaled from `art`. Nothing is measured here and nothing can fail on content.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import assert_never

import numpy as np
import uharfbuzz as hb
from PIL import Image

from render import extents, fonts, pixels, raster
from render.deflate import deflated
from render.geometry import IDENTITY, MM_PER_INCH, Affine, Rect
from render.scene import Colour, Group, Item, Outline, Path, Picture, Scene, TextRun

_TILE = 96  # px: masks are pasted tile by tile, so that the inside of a large frame costs nothing
_MORE = 1.0  # mm: a pixel at 25 dpi, so that the edges of what is left out lie in no pixel that is seen
_WHITE: Colour = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Canvas:
    """The pixel grid: dots per inch, and how many mm of bleed lie around the trim."""

    dpi: float
    bleed: float = 0.0

    def pixels(self, scene: Scene) -> tuple[int, int]:
        """Return the width and height in pixels."""
        box = scene.size.rect.outset(self.bleed)
        return round(box.width * self.dpi / MM_PER_INCH), round(box.height * self.dpi / MM_PER_INCH)

    @property
    def to_px(self) -> Affine:
        """The map from mm of the trim to pixels of the canvas."""
        scale = self.dpi / MM_PER_INCH
        return Affine.scale(scale, scale) @ Affine.move(self.bleed, self.bleed)


def paint(scene: Scene, canvas: Canvas) -> Image.Image:
    """Return the scene as an RGB image."""
    size = canvas.pixels(scene)
    shapes = 0
    while shapes < len(scene.items) and isinstance(scene.items[shapes], Path):
        shapes += 1
    image = _base(scene.items[:shapes], canvas, size).copy()
    _paint(image, scene.items[shapes:], canvas.to_px)
    return image


def encode(image: Image.Image, dpi: float) -> bytes:
    """Return an RGB image as a PNG file that states its resolution (pHYs) and that it is sRGB.

    One filter for all rows (Up) and a fast deflate: Pillow's encoder tries five filters on every row, which is most
    of its time.
    """
    grid = np.asarray(image)
    height, width, _ = grid.shape
    rows = grid.reshape(height, width * 3)
    filtered = np.empty((height, 1 + width * 3), np.uint8)
    filtered[:, 0] = 2
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    per_metre = round(dpi / MM_PER_INCH * 1000)
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"sRGB", b"\0"),  # rendering intent: perceptual
        (b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
        (b"IDAT", deflated(filtered.data)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in chunks)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


@lru_cache(maxsize=16)
def _base(items: tuple[Item, ...], canvas: Canvas, size: tuple[int, int]) -> Image.Image:
    """Return the shapes with which a scene begins, painted on white; the same for most cards of a set."""
    image = Image.new("RGB", size, _WHITE)
    _paint(image, items, canvas.to_px)
    return image


def _paint(image: Image.Image, items: tuple[Item, ...], to_px: Affine) -> None:
    for _, group in groupby(items, key=_batch):
        batch = list(group)
        match batch[0]:
            case TextRun(fill=fill):
                _paint_runs(image, [item for item in batch if isinstance(item, TextRun)], fill, to_px)
            case Path() as path:
                for box, colour, mask in _stamps(path, to_px, image.size):
                    image.paste(colour, box, mask)
            case Picture() as picture:
                _paint_picture(image, picture, to_px)
            case Group() as inner:
                _paint_group(image, inner, to_px)
            case other:
                assert_never(other)


def _batch(item: Item) -> object:
    """Runs of one colour are drawn in one go, everything else by itself."""
    return item.fill if isinstance(item, TextRun) else id(item)


Stamp = tuple[tuple[int, int, int, int], Colour, Image.Image]


@lru_cache(maxsize=4096)
def _stamps(path: Path, to_px: Affine, size: tuple[int, int]) -> tuple[Stamp, ...]:
    """Return the tiles of a shape's fill and stroke that are not empty, ready to be pasted."""
    stamps: list[Stamp] = []
    if path.fill is not None:
        stamps += _tiles(raster.filled(path.outlines, to_px, size, even_odd=path.even_odd), path.fill)
    if path.stroke is not None:
        stamps += _tiles(raster.stroked(path.outlines, path.stroke, to_px, size), path.stroke.colour)
    return tuple(stamps)


def _tiles(mask: raster.Mask | None, colour: Colour) -> Iterator[Stamp]:
    if mask is None:
        return
    height, width = mask.coverage.shape
    for y in range(0, height, _TILE):
        for x in range(0, width, _TILE):
            tile = mask.coverage[y : y + _TILE, x : x + _TILE]
            if tile.any():
                left, top = mask.left + x, mask.top + y
                box = (left, top, left + tile.shape[1], top + tile.shape[0])
                yield box, colour, Image.fromarray(np.ascontiguousarray(tile))


def _paint_runs(image: Image.Image, runs: list[TextRun], fill: Colour, to_px: Affine) -> None:
    """Draw all glyphs of the runs into one mask, unhinted and exact to a fraction of a pixel, and paste the colour."""
    pen = hb.RasterDraw()
    for run in runs:
        _draw_glyphs(pen, run, to_px @ run.transform)
    drawn = pen.render()
    extents = drawn.extents
    if extents.width == 0 or extents.height == 0:
        return
    size = (extents.width, extents.height)
    mask = Image.frombuffer("L", size, drawn.buffer, "raw", "L", extents.stride, 1)
    image.paste(fill, (extents.x_origin, extents.y_origin), mask)


def _draw_glyphs(pen: hb.RasterDraw, run: TextRun, place: Affine) -> None:
    face = fonts.face(run.face)
    unit = run.size / face.units_per_em
    across = unit * run.stretch
    xx, yx, xy, yy = place.a * across, place.b * across, -place.c * unit, -place.d * unit
    x, rises = 0, run.rises or (0,) * len(run.glyphs)
    for glyph, advance, rise in zip(run.glyphs, run.advances, rises, strict=True):
        pen.transform = (xx, yx, xy, yy, place.e + x * xx + rise * xy, place.f + x * yx + rise * yy)
        pen.draw_glyph(face.font, glyph)
        x += advance


def _paint_picture(image: Image.Image, picture: Picture, to_px: Affine) -> None:
    box = picture.box
    (x1, y1), (x2, y2) = to_px.apply(box.x, box.y), to_px.apply(box.right, box.bottom)
    target = (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
    patch = pixels.scaled(picture, target, (to_px.a < 0, to_px.d < 0))
    image.paste(patch.image, (patch.left, patch.top), patch.coverage)


def _paint_group(image: Image.Image, group: Group, to_px: Affine) -> None:
    """Paint the items on a copy of what lies about the clip, and take over what lies within it."""
    box = to_px.box(group.clip)
    left, top = max(0, math.floor(box.x)), max(0, math.floor(box.y))
    right, bottom = min(image.width, math.ceil(box.right)), min(image.height, math.ceil(box.bottom))
    if left >= right or top >= bottom:
        return
    inner = image.crop((left, top, right, bottom))
    place = Affine.move(-left, -top) @ to_px
    _paint(inner, group.items if group.transform == IDENTITY else _seen(group), place @ group.transform)
    for (x1, y1, x2, y2), _, mask in _stamps(Path(_rectangle(group.clip), _WHITE), place, inner.size):
        image.paste(inner.crop((x1, y1, x2, y2)), (left + x1, top + y1), mask)


def _seen(group: Group) -> tuple[Item, ...]:
    """Return the items without what the clip hides, and a little more: a stretched edge is metres wide."""
    return tuple(extents.within(group.items, group.transform.inverse.box(group.clip.outset(_MORE))))


def _rectangle(box: Rect) -> tuple[Outline, ...]:
    corners = ((box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
    return (Outline((box.x, box.y), corners, True),)
