"""How well the lines of a face can be read: their size, and how they stand out from what is drawn around their letters.

A face is painted without its words. What eyes see at the edge of a letter is then what lies around its shape: the
ground, a line around the letters, or a shadow of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import uharfbuzz as hb
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageFilter

from render.base.geometry import IDENTITY, MM_PER_INCH, MM_PER_POINT, Affine
from render.images.vision import Values, contrast, luminance
from render.png.canvas import Canvas
from render.png.paint import draw_letters, paint
from render.scene.items import Group, Item, Layer, Scene, TextRun, UnseenRun
from render.text import fonts

CONTRAST, LARGE_CONTRAST = 4.5, 3.0
"""The least contrast of letters, and of large ones (WCAG 2.2, success criterion 1.4.3)."""

# Under "large scale", WCAG 2.2 has 18 points, or 14 in bold. A card is held as far from the eyes as a page, so points are
# those of the printed card.
_LARGE, _LARGE_BOLD = 18 * MM_PER_POINT, 14 * MM_PER_POINT
_BOLD = 600.0  # of OpenType's weights: from this one on, letters look bold

_CANVAS = Canvas(300.0)
_NEAR, _FAR = 2, 5  # px, 0.17 and 0.42 mm: around the letters, and beyond a line around them
_INK = 128  # of 255: what covers half of a pixel is a part of the letter
_MIST = 0.25  # of the edge of a letter may be lost, as on the seam of two grounds, and the letter is still known
_FEWEST = 6  # px: of fewer around a part of a line nothing is judged


class Line(Struct, frozen=True):
    """Words on one baseline as the card shows them: their size in mm, and their contrast, which should be `needed`."""

    run: TextRun
    size: float
    contrast: float
    needed: float


def read_lines(scene: Scene) -> Iterator[Line]:
    """Yield the lines of a face that show, back to front; the contrast is that of the part of a line that has least.

    A contrast that suffices may be a lower bound. Letters that are only lines around nothing are no lines of text.
    """
    runs = [*_placed(scene.items, IDENTITY, 1.0)]
    if not runs:
        return
    ground = paint(Scene(scene.size, tuple(_wordless(scene.items))), _CANVAS)
    light = luminance(ground)
    for run, place, opacity in runs:
        size = run.size * (place @ run.transform).growth
        is_large = size >= (_LARGE_BOLD if _is_bold(run.face) else _LARGE) - 0.01
        needed = LARGE_CONTRAST if is_large else CONTRAST
        measured = _contrast(replace(run, transform=place @ run.transform), opacity, size, needed, ground, light)
        if measured is not None:
            yield Line(run, size, measured, needed)


def _placed(items: Iterable[Item], place: Affine, opacity: float) -> Iterator[tuple[TextRun, Affine, float]]:
    """Yield the words that are seen, each with its space on the card, and how much of it shows."""
    for item in items:
        match item:
            case UnseenRun():
                pass
            case TextRun() if item.words.strip():
                yield item, place, opacity
            case Group():
                yield from _placed(item.items, place @ item.transform, opacity)
            case Layer():
                yield from _placed(item.items, place @ item.transform, opacity * item.opacity)
            case _:
                pass


def _wordless(items: Iterable[Item]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Group | Layer):
            yield replace(item, items=tuple(_wordless(item.items)))
        elif not isinstance(item, TextRun):
            yield item


def _is_bold(face: str) -> bool:
    return bool(fonts.face(face).font.get_style_value(hb.StyleTag.WEIGHT) >= _BOLD)


def _contrast(
    run: TextRun, opacity: float, size: float, needed: float, ground: Image.Image, light: Values
) -> float | None:
    """Return the least contrast of a part of a line with what is around it; None if nothing of the line is on the face."""
    drawn = draw_letters([run], run.fill, _CANVAS.to_px, ground.size)
    if drawn is None:
        return None
    (left, top, right, bottom), _, mask = drawn
    x, y = max(left - _FAR, 0), max(top - _FAR, 0)
    box = x, y, min(right + _FAR, ground.width), min(bottom + _FAR, ground.height)
    if box[0] >= box[2] or box[1] >= box[3]:
        return None
    letters = Image.new("L", (box[2] - x, box[3] - y))
    letters.paste(mask, (left - x, top - y))
    coverage = np.asarray(letters)
    least_ink = min(_INK, max(int(coverage.max()), 1))  # hairlines cover no pixel by half
    letters = Image.fromarray(np.where(coverage >= least_ink, 255, 0).astype(np.uint8), "L")
    inside, near, far = (
        np.asarray(letters if not reach else letters.filter(ImageFilter.MaxFilter(2 * reach + 1))) > 0
        for reach in (0, _NEAR, _FAR)
    )
    around = light[y : box[3], x : box[2]]
    own = Image.new("RGB", letters.size, run.fill)
    if opacity < 1:
        own = Image.blend(ground.crop(box), own, opacity)
    ratios = contrast(luminance(own), around)
    near, far = near & ~inside, far & ~near & ~inside
    if not near.any():
        return None
    least = float(ratios[near].min())
    return least if least >= needed else _worst_part(ratios, near, far, max(round(size / MM_PER_INCH * _CANVAS.dpi), 4))


def _worst_part(ratios: Values, near: np.ndarray, far: np.ndarray, em: int) -> float | None:
    """Return the least contrast of parts of a line that are an em wide: that of their edges, or of what is beyond.

    What is beyond counts where letters have a line of their own color around them, which only makes them bolder.
    """
    found: list[float] = []
    for top in range(0, ratios.shape[0], em):
        for left in range(0, ratios.shape[1], em):
            part = np.s_[top : top + em, left : left + em]
            edges = [ratios[part][ring[part]] for ring in (near, far)]
            if len(edges[0]) >= _FEWEST:
                found.append(max(float(np.quantile(edge, _MIST)) for edge in edges if len(edge)))
    return min(found) if found else None
