"""Shapes whose edges fade, such as shadows, as grey pixels: the same in every output, at 300 dpi of the printed size."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor

from PIL import Image, ImageDraw, ImageFilter

from render.base.caches import cached
from render.base.geometry import MM_PER_INCH, Rect
from render.scene.items import Path, SoftShape
from render.scene.outlines import area, box_of_shape, chords

_PX = MM_PER_INCH / 300  # mm
_FINER = 2  # samples across and down a pixel, before they are blurred
_CHORDS = 6  # of a curve: what is blurred shows no corners


@cached(64)  # a face is painted more than once, and cards share titles
def drawn(shape: SoftShape) -> tuple[Rect, Image.Image]:
    """Return the box of a shape in mm, and what it hides there: white where it is solid. Do not draw on it."""
    box = box_of_soft(shape)
    left, top = floor(box.x / _PX), floor(box.y / _PX)
    width, height = max(ceil(box.right / _PX) - left, 1), max(ceil(box.bottom / _PX) - top, 1)
    scale = _FINER / _PX
    polygons = [
        [((x - left * _PX) * scale, (y - top * _PX) * scale) for x, y in chords(outline, _CHORDS)]
        for outline in shape.outlines
    ]
    # What runs the other way round than the largest is a hole, as in letters; holes are smaller than what they are in.
    areas = [area(pairwise([*points, points[0]])) for points in polygons]
    is_up = max(areas, key=abs) > 0
    image = Image.new("L", (width * _FINER, height * _FINER))
    pen, line = ImageDraw.Draw(image), round(shape.width * scale)
    for points, within in sorted(zip(polygons, areas, strict=True), key=lambda each: -abs(each[1])):
        pen.polygon(points, fill=255 * ((within > 0) is is_up))
    for points in polygons if line else ():
        pen.line([*points, points[0], points[1]], fill=255, width=line, joint="curve")
    faded = image.reduce(_FINER).filter(ImageFilter.GaussianBlur(shape.blur / 2 / _PX))
    return Rect(left * _PX, top * _PX, width * _PX, height * _PX), faded


def box_of_soft(shape: SoftShape) -> Rect:
    """Return the box of all that is seen of a shape, in mm."""
    return box_of_shape(Path(shape.outlines)).outset(shape.width / 2 + _REACH * shape.blur)


_REACH = 1.5  # times the blur, which is twice the deviation: beyond three deviations nothing is seen
