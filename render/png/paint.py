"""Paint a scene in pixels.

A shape is rasterized once for all cards of a set and pasted from then on. uharfbuzz draws text unhinted at sub-pixel
places. Pictures come scaled from `images.resample`. Nothing is measured here, and no content can make it fail.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import groupby
from typing import assert_never

import numpy as np
import numpy.typing as npt
import uharfbuzz as hb
from PIL import Image, ImageChops

from render.base.caches import BoundedCache, cached, stored
from render.base.forking import map_in_two_processes
from render.base.geometry import IDENTITY, Affine, Rect, Size
from render.base.progress import stage
from render.images import resample, soft_shapes
from render.images.opacity import without_opacity
from render.layout import bounds as extents
from render.layout.bleed import add_bleed
from render.png.canvas import Canvas, canvas_for
from render.png.packing import encode
from render.png.stamps import Box, Stamp, cut, stamps
from render.scene.items import (
    ClipShape,
    Color,
    Group,
    Item,
    Layer,
    Path,
    Picture,
    Placement,
    Scene,
    SoftShape,
    TextRun,
    UnseenRun,
    crop_picture,
    walk,
)
from render.scene.outlines import rect_of
from render.text import fonts

_MORE = 1.0  # mm kept around a clip, a pixel at 25 dpi: edges of what is left out touch no pixel that shows
SCREEN_DPI = 192.0  # two dots for each CSS pixel, of which an inch has 96

_WEBP_QUALITY = 65  # the smallest print of a card is sharp; a photograph takes 30 KB, as a JPEG as sharp twice that
_WEBP_EFFORT = 2  # of 6: more takes twice the time and saves a twentieth

_WHITE: Color = (255, 255, 255)

Rows = npt.NDArray[np.uint8]


def paint(scene: Scene, canvas: Canvas) -> Image.Image:
    """Return the scene as an RGB image."""
    size = canvas.pixels(scene)
    shapes, pictures, rest = _layers(scene.items, canvas.to_px, size)
    image = _with_pictures(shapes, pictures, canvas, size).copy()
    for part in rest:
        _paint_part(image, part, canvas.to_px)
    return image


def paint_cut(scene: Scene, canvas: Canvas) -> Image.Image:
    """Return the scene as it is cut out: as an RGBA image if it is no rectangle, unless it is drawn with bleed.

    Colors stay beyond the cut, where nothing shows: whoever scales the picture mixes no other ones into its edge.
    """
    image = paint(scene, canvas)
    if scene.cut and not canvas.bleed:
        outline = cut((ClipShape(scene.cut, even_odd=True),), 1.0, canvas.to_px, image.size)
        mask = Image.new("L", image.size)
        if outline:
            mask.paste(outline[1], outline[0])
        image.putalpha(mask)
    return image


def paint_sheet(size: Size, placements: Iterable[Placement], marks: tuple[Item, ...], dpi: float) -> Image.Image:
    """Return a side of a sheet as an RGB image for screens: faces placed to the nearest pixel, marks over them.

    A face that stands on it several times is painted once.
    """
    canvas, painted = Canvas(dpi), dict[tuple[int, int], Image.Image]()
    image = Image.new("RGB", canvas.pixels(Scene(size, ())), _WHITE)
    for placement in placements:
        edges, key = placement.bleed, (id(placement.face), placement.quarters)
        around = max(edges.left, edges.top, edges.right, edges.bottom)
        if key not in painted:
            face = paint(placement.face, Canvas(dpi, around))
            painted[key] = turn(face, placement.quarters)
        left, top, _, _ = _whole(placement.box.outset(around), canvas)
        seen = _whole(placement.box.spread(placement.bleed), canvas)
        face = painted[key]
        part = face.crop(
            (seen[0] - left, seen[1] - top, min(seen[2] - left, face.width), min(seen[3] - top, face.height))
        )
        # Between rounded edges a slot may be a pixel larger than the face, whose last pixels then stand there twice.
        image.paste(part, (seen[2] - part.width, seen[3] - part.height))
        image.paste(part, seen[:2])
    _paint(image, marks, canvas.to_px)
    return image


def turn(image: Image.Image, quarters: int) -> Image.Image:
    """Return an image turned clockwise by quarters."""
    return image.transpose(_TURNS[quarters]) if quarters else image


# Pillow turns the other way round.
_TURNS = {1: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_90}


def _whole(box: Rect, canvas: Canvas) -> Box:
    seen = canvas.to_px.box(box)
    return round(seen.x), round(seen.y), round(seen.right), round(seen.bottom)


def draw_png(scene: Scene, dpi: float = 300.0, bleed: float = 0.0, bleed_from: str = "auto") -> bytes:
    """Return a face as a PNG file at that many dots per inch, with that much bleed (mm) made from `bleed_from`.

    Without bleed, a token is transparent beyond its cut.

    ValueError if dpi is not from 1 to 2400, or bleed not from 0 to 50 mm; PictureChangedError if the file of a picture
    is no longer the one that was laid out; OSError.
    """
    canvas = canvas_for(dpi, bleed)
    return encode(paint_cut(add_bleed(scene, bleed, bleed_from), canvas), dpi)


def ink_shares(image: Image.Image) -> tuple[float, float, float, float]:
    """Return the mean shares of cyan, magenta, yellow and black, 0 to 1, in which a simple printer prints an image."""
    red, green, blue = image.split()
    lightest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    cyan, magenta, yellow, black = (1 - float(np.asarray(band).mean()) / 255 for band in (red, green, blue, lightest))
    return cyan - black, magenta - black, yellow - black, black


def _base(shapes: tuple[Item, ...], canvas: Canvas, size: tuple[int, int]) -> Image.Image:
    """Return the shapes of a scene, painted on white; kept, since most cards of a set share them."""

    def painted() -> Image.Image:
        image = Image.new("RGB", size, _WHITE)
        _paint(image, shapes, canvas.to_px)
        return image

    return _BASES.get((shapes, canvas, size), painted)


# Bytes: a card has 3 million at 300 dpi, and four times as many at 600.
_BASES = stored(BoundedCache[Image.Image](64_000_000, lambda image: 4 * image.width * image.height, 24_000_000))


@cached(1)
def _with_pictures(
    shapes: tuple[Item, ...], pictures: tuple[Item, ...], canvas: Canvas, size: tuple[int, int]
) -> Image.Image:
    """Return the shapes with the pictures on them; cached, since cards that follow each other may share them."""
    image = _base(shapes, canvas, size).copy()
    _paint(image, pictures, canvas.to_px)
    return image


Part = Path | Picture | Group | Layer | Stamp
"""An item, or runs of text already drawn."""


def _layers(
    items: tuple[Item, ...], to_px: Affine, size: tuple[int, int]
) -> tuple[tuple[Item, ...], tuple[Item, ...], list[Part]]:
    """Return the items as shapes, pictures and the rest. Painted in this order, they give the same image.

    An item moves before earlier ones only if it shares no pixel with them.
    """
    layers: tuple[list[Part], ...] = ([], [], [])
    above: list[tuple[int, Box]] = []
    for part in _parts(items, to_px, size):
        own, boxes = _reach(part, to_px, size)
        layer = max([own, *(level for level, box in above if level > own and any(_meet(box, each) for each in boxes))])
        layers[layer].append(part)
        if layer:
            above += [(layer, box) for box in boxes]
    shapes, pictures = (tuple(part for part in parts if not isinstance(part, tuple)) for parts in layers[:2])
    return shapes, pictures, layers[2]


def _parts(items: tuple[Item, ...], to_px: Affine, size: tuple[int, int]) -> Iterator[Part]:
    """Yield the items, with neighboring runs of one color drawn as one."""
    for fill, batch in groupby(items, key=lambda item: item.fill if isinstance(item, TextRun) else None):
        if fill is None:
            yield from (item for item in batch if not isinstance(item, TextRun))
        elif stamp := draw_letters([item for item in batch if isinstance(item, TextRun)], fill, to_px, size):
            yield stamp


def _reach(part: Part, to_px: Affine, size: tuple[int, int]) -> tuple[int, list[Box]]:
    """Return the lowest layer that a part may go to, and boxes that hold all pixels that it paints."""
    match part:
        case Path():
            return 0, [box for box, _, _ in stamps(part, to_px, size)]
        case Picture():
            return 1, [_outer(part.box, to_px)]
        case Group():
            return 2, [_outer(part.clip, to_px)]
        case Layer():
            return _level(part), [_outer(extents.of_item(part), to_px)]
        case (box, _, _):
            return 2, [box]
        case _:
            assert_never(part)


def _level(layer: Layer) -> int:
    """Return the lowest layer that it may go to: with the shapes if it holds nothing else, so that it is drawn once."""
    held = [*walk(layer.items)]
    if any(isinstance(item, TextRun) for item in held):
        return 2
    return int(any(isinstance(item, Picture) for item in held))


def _outer(box: Rect, to_px: Affine) -> Box:
    seen = to_px.box(box)
    # A pixel more on each side for anti-aliased edges.
    return math.floor(seen.x) - 1, math.floor(seen.y) - 1, math.ceil(seen.right) + 1, math.ceil(seen.bottom) + 1


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _paint(image: Image.Image, items: tuple[Item, ...], to_px: Affine) -> None:
    for part in _parts(items, to_px, image.size):
        _paint_part(image, part, to_px)


def _paint_part(image: Image.Image, part: Part, to_px: Affine) -> None:
    match part:
        case Path():
            for box, color, mask in stamps(part, to_px, image.size):
                image.paste(color, box, mask)
        case Picture():
            _paint_picture(image, part, to_px)
        case Group():
            _paint_group(image, part, to_px)
        case Layer():
            _paint_layer(image, part, to_px)
        case (box, color, mask):
            image.paste(color, box, mask)
        case _:
            assert_never(part)


def draw_letters(runs: list[TextRun], fill: Color, to_px: Affine, size: tuple[int, int]) -> Stamp | None:
    """Draw all glyphs of the runs into one mask, unhinted, at sub-pixel places; None if none shows."""
    pen = hb.RasterDraw()
    near = True
    for run in runs:
        if isinstance(run, UnseenRun):
            continue
        place = to_px @ run.transform
        end = _draw_glyphs(pen, run, place)
        tall = run.size * max(abs(place.a), abs(place.b), abs(place.c), abs(place.d))
        near = near and max(tall, *map(abs, (place.e, place.f, *end))) < 2 * (size[0] + size[1])
    if not near:  # of text that runs on for meters, the mask holds only what shows
        pen.extents = hb.RasterExtents(x_origin=0, y_origin=0, width=size[0], height=size[1])
    drawn = pen.render()
    extents = drawn.extents
    if extents.width == 0 or extents.height == 0:
        return None
    left, top, size = extents.x_origin, extents.y_origin, (extents.width, extents.height)
    mask = Image.frombuffer("L", size, drawn.buffer, "raw", "L", extents.stride, 1)
    return (left, top, left + extents.width, top + extents.height), fill, mask


def _draw_glyphs(pen: hb.RasterDraw, run: TextRun, place: Affine) -> tuple[float, float]:
    """Draw the glyphs of a run; return where its baseline ends, in pixels."""
    face = fonts.face(run.face)
    unit = run.size / face.units_per_em
    across = unit * run.stretch
    # Glyphs have y upwards, hence the signs.
    xx, yx, xy, yy = place.a * across, place.b * across, -place.c * unit, -place.d * unit
    x, rises = 0, run.rises or (0,) * len(run.glyphs)
    for glyph, advance, rise in zip(run.glyphs, run.advances, rises, strict=True):
        pen.transform = (xx, yx, xy, yy, place.e + x * xx + rise * xy, place.f + x * yx + rise * yy)
        pen.draw_glyph(face.font, glyph)
        x += advance
    return place.e + x * xx, place.f + x * yx


def _paint_picture(image: Image.Image, picture: Picture, to_px: Affine) -> None:
    box = picture.box
    if to_px.b or to_px.c:
        _paint_turned(image, picture, to_px)
        return
    (x1, y1), (x2, y2) = to_px.apply(box.x, box.y), to_px.apply(box.right, box.bottom)
    target = (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
    patch = resample.scaled(picture, target, (to_px.a < 0, to_px.d < 0))
    image.paste(patch.image, (patch.left, patch.top), patch.coverage)


def _paint_turned(image: Image.Image, picture: Picture, to_px: Affine) -> None:
    """Paint a picture that a map turns or skews."""
    if to_px.a == to_px.d == 0:  # a quarter turn, mirrored or not: pixels stay pixels
        lying = image.transpose(Image.Transpose.TRANSPOSE)
        _paint_picture(lying, picture, _TRANSPOSED @ to_px)
        image.paste(lying.transpose(Image.Transpose.TRANSPOSE))
        return
    seen = to_px.inverse.box(Rect(-_RIM, -_RIM, image.width + 2 * _RIM, image.height + 2 * _RIM))
    part = crop_picture(picture, seen)  # what shows of it, with a margin
    if part is None:
        return
    # Its pixels in its own directions, finer than those of the image, with the outermost ones repeated around it.
    across, down = _FINER * math.hypot(to_px.a, to_px.b), _FINER * math.hypot(to_px.c, to_px.d)
    width, height = max(round(part.box.width * across), 1), max(round(part.box.height * down), 1)
    patch = resample.scaled(part, (0.0, 0.0, float(width), float(height)))
    seen_of_it = patch.image
    if patch.coverage:
        seen_of_it = seen_of_it.copy()
        seen_of_it.putalpha(patch.coverage)
    pixels = Image.fromarray(np.pad(np.asarray(seen_of_it), ((_RIM, _RIM), (_RIM, _RIM), (0, 0)), "edge"))
    to_pixels = (
        Affine.move(_RIM, _RIM)
        @ Affine.scale(width / part.box.width, height / part.box.height)
        @ Affine.move(-part.box.x, -part.box.y)
    )
    for (left, top, right, bottom), _, mask in stamps(Path(rect_of(picture.box), _WHITE), to_px, image.size):
        size = _FINER * (right - left), _FINER * (bottom - top)
        place = to_pixels @ to_px.inverse @ Affine.move(left, top) @ Affine.scale(1 / _FINER, 1 / _FINER)
        at = (place.a, place.c, place.e, place.b, place.d, place.f)
        drawn = pixels.transform(size, Image.Transform.AFFINE, at, Image.Resampling.BICUBIC).reduce(_FINER)
        colors, opacity = without_opacity(drawn)
        image.paste(colors, (left, top), ImageChops.multiply(mask, opacity) if opacity else mask)


_TRANSPOSED = Affine(0.0, 1.0, 1.0, 0.0)
_FINER = 2  # samples across and down a pixel of a turned picture
_RIM = 4  # px: as far as samples reach beyond a picture


def _paint_layer(image: Image.Image, layer: Layer, to_px: Affine) -> None:
    """Paint the items on a copy of their surroundings, and take over as much of it as shows."""
    place = to_px @ layer.transform
    if not layer.clips and layer.is_solid:
        _paint(image, layer.items, place)
        return
    left, top, right, bottom = _outer(extents.of_item(layer), to_px)
    left, top, right, bottom = max(0, left), max(0, top), min(image.width, right), min(image.height, bottom)
    if left >= right or top >= bottom:
        return
    here = Affine.move(-left, -top)
    shown = cut(layer.clips, layer.opacity, here @ to_px, (right - left, bottom - top))
    if shown is None:
        return
    inner = image.crop((left, top, right, bottom))
    _paint(inner, layer.items, here @ place)
    box, mask = shown
    if layer.mask:
        light = Image.new("RGB", inner.size)
        _paint(light, tuple(shape for shape in layer.mask if isinstance(shape, Path)), here @ place)
        shown_through = light.convert("L")
        for soft in (shape for shape in layer.mask if isinstance(shape, SoftShape)):
            shown_through = ImageChops.lighter(shown_through, _softened(soft, here @ place, inner.size))
        mask = ImageChops.multiply(mask, shown_through.crop(box))
    image.paste(inner.crop(box), (left + box[0], top + box[1]), mask)


def _softened(shape: SoftShape, to_px: Affine, size: tuple[int, int]) -> Image.Image:
    """Return a soft shape as it lies on an image of that size."""
    box, image = soft_shapes.drawn(shape)
    to_pixels = Affine.scale(image.width / box.width, image.height / box.height) @ Affine.move(-box.x, -box.y)
    at = to_pixels @ to_px.inverse
    return image.transform(
        size, Image.Transform.AFFINE, (at.a, at.c, at.e, at.b, at.d, at.f), Image.Resampling.BILINEAR
    )


def _paint_group(image: Image.Image, group: Group, to_px: Affine) -> None:
    """Paint the items on a copy of the clip's surroundings, and take over what lies inside the clip."""
    box = to_px.box(group.clip)
    left, top = max(0, math.floor(box.x)), max(0, math.floor(box.y))
    right, bottom = min(image.width, math.ceil(box.right)), min(image.height, math.ceil(box.bottom))
    if left >= right or top >= bottom:
        return
    inner = image.crop((left, top, right, bottom))
    place, items = Affine.move(-left, -top) @ to_px, group.items
    if group.transform != IDENTITY:  # without what the clip hides, with a margin: a stretched edge is meters wide
        items = tuple(extents.within(items, group.transform.inverse.box(group.clip.outset(_MORE))))
    _paint(inner, items, place @ group.transform)
    for (x1, y1, x2, y2), _, mask in stamps(Path(rect_of(group.clip), _WHITE), place, inner.size):
        image.paste(inner.crop((x1, y1, x2, y2)), (left + x1, top + y1), mask)


# --- pictures in a web page: light, and sharp on screens with two dots per CSS pixel ---


def data_uri(scene: Scene, dpi: float = SCREEN_DPI) -> str:
    """Return the scene without its bleed as a `data:` URI."""
    stream = BytesIO()
    paint_cut(scene, Canvas(dpi)).save(stream, "WEBP", quality=_WEBP_QUALITY, method=_WEBP_EFFORT)
    return f"data:image/webp;base64,{base64.b64encode(stream.getvalue()).decode('ascii')}"


def data_uris(scenes: Sequence[Scene]) -> Iterator[str]:
    """Yield the `data:` URIs of many scenes, in order."""
    with stage("draw", len(scenes), "pictures") as step:
        yield from map_in_two_processes(lambda some: map(data_uri, some), scenes, step)
