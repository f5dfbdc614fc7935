"""A face as a press prints it: what overprints, the inks of small colored text, rich black.

Black text and thin black lines overprint the tints beneath them, so that no white shows around them when a plate is out
of register. All else knocks out what is beneath. Small colored text has two inks at most. The decisions are stored in
the scene, as colors that know their inks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, repeat
from operator import add, sub
from typing import NamedTuple, assert_never

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.geometry import IDENTITY, MM_PER_POINT, Affine, Rect
from render.images import inks as cmyk
from render.images import resample
from render.images.press import BLACK, InkedColor, Press
from render.layout import bounds
from render.scene.items import (
    Color,
    Filling,
    Group,
    Item,
    Layer,
    Path,
    Picture,
    Scene,
    TextRun,
    UnseenRun,
    crop_picture,
    is_opaque,
)
from render.scene.outlines import box_of_line, box_of_shape
from render.text import fonts

Point = tuple[float, float]

SMALL_TYPE = 16 * MM_PER_POINT  # larger letters hide a small misregister of a plate
THIN = 2 * MM_PER_POINT  # anything thicker is an area, and would show another black where the ground ends
RICH_AREA = 100.0  # mm2 of the part that shows
RICH_THICKNESS = 2.0  # mm: in thinner lines, frames and letters the plates would have to register exactly

_MAX_PIECES = 256  # of a line, each with a box of its own
_BLACK_SEEN = (0, 0, 0)


class PressLook(Struct, frozen=True):
    """How faces are inked: for which press, and whether their large black areas are of its rich black.

    `has_transparency` tells whether the file may have what is seen through; else it becomes a picture (`flattening`).
    """

    press: Press
    rich_black: bool = False
    has_transparency: bool = True


def inked(scene: Scene, look: PressLook) -> Scene:
    """Return a face as the press prints it; what already has inks keeps them."""
    return Scene(scene.size, _Walk(look).items(scene.items, View(IDENTITY)))


class _Walk:
    """Walks the items of one face from back to front, and knows what lies beneath each."""

    def __init__(self, look: PressLook) -> None:
        self._press = look.press
        self._rich = look.press.rich_black if look.rich_black else BLACK
        self._beneath: list[Ground] = []

    def items(self, items: Sequence[Item], place: View) -> tuple[Item, ...]:
        return tuple(self._item(item, place) for item in items)

    def _item(self, item: Item, place: View) -> Item:
        match item:
            case Path():
                return self._lined(self._filled(item, place), place)
            case UnseenRun():
                return item
            case TextRun():
                return self._run(item, place)
            case Picture():
                self._beneath.append(Ground(item, place, place.seen(item.box)))
                return item
            case Group():
                inner = View(place.to_card @ item.transform, place.seen(item.clip), place.is_sheer)
                return replace(item, items=self.items(item.items, inner))
            case Layer():
                window = place.seen(bounds.of_item(item))
                is_sheer = place.is_sheer or not bounds.hides(item)
                return replace(
                    item, items=self.items(item.items, View(place.to_card @ item.transform, window, is_sheer))
                )
            case _:
                assert_never(item)

    def _run(self, run: TextRun, place: View) -> TextRun:
        if run.fill == _BLACK_SEEN:
            letters = [place.seen(run.transform.box(of_letters(run)))]
            return replace(run, fill=_OVERPRINTING) if self._overprints(letters) else run
        fill = fill_of_type(run.fill, run.size * place.to_card.growth * run.transform.growth, self._press)
        self._lay(run, place, run.transform.box(of_letters(run)), fill)
        return run if fill is run.fill else replace(run, fill=fill)

    def _filled(self, path: Path, place: View) -> Path:
        fill, box = path.fill, box_of_shape(path)
        if fill is None:
            return path
        if fill == _BLACK_SEEN:
            reach = place.seen(box)
            if self._rich != BLACK and _is_large(path, reach, place.to_card.growth):
                fill = InkedColor(_BLACK_SEEN, self._rich)
            elif min(box.width, box.height) * place.to_card.growth <= THIN and self._overprints([reach]):
                return replace(path, fill=_OVERPRINTING)
        self._lay(path, place, box, fill)
        return path if fill is path.fill else replace(path, fill=fill)

    def _lined(self, path: Path, place: View) -> Path:
        line = path.stroke
        if line is None:
            return path
        if line.color == _BLACK_SEEN and line.width * place.to_card.growth <= THIN:
            pieces = [place.seen(piece) for piece in of_line(path)]
            return replace(path, stroke=replace(line, color=_OVERPRINTING)) if self._overprints(pieces) else path
        self._lay(path, place, box_of_line(path), line.color, is_line=True)
        return path

    def _lay(self, drawn: Path | TextRun, place: View, box: Rect, color: Filling, *, is_line: bool = False) -> None:
        """Record something as ground for all that comes after it."""
        self._beneath.append(Ground(drawn, place, place.seen(box), _colored(color, self._press), is_line))

    def _overprints(self, boxes: Sequence[Rect]) -> bool:
        """Return whether black in these boxes stands on tints, and all inks together keep to the limit."""
        most = 0.0
        for box in boxes:
            for ground in self._on_top(box):
                most = max(most, self._colored_inks(ground, box))
                if most + 1 > self._press.ink_limit / 100:  # 1 is the black itself
                    return False
        return most > 0

    def _on_top(self, box: Rect) -> Iterator[Ground]:
        """Yield what lies beneath a box, from the top down to the first thing that fills it."""
        for ground in reversed(self._beneath):
            covers = ground.covers(box)
            if covers is not None:
                yield ground
            if covers:
                return

    def _colored_inks(self, ground: Ground, box: Rect) -> float:
        if not isinstance(ground.drawn, Picture):
            return ground.inks
        part = crop_picture(ground.drawn, ground.place.to_card.inverse.box(box.shared(ground.reach)))
        return resample.colored_inks(part, self._press) if part else 0.0


_OVERPRINTING = InkedColor(_BLACK_SEEN, BLACK, overprints=True)


def fill_of_type(color: Color, size: float, press: Press) -> Color:
    """Return the color of type that is `size` mm on the card, as the press prints it where it knocks out the ground."""
    return _of_few_inks(color, press) if size <= SMALL_TYPE and not isinstance(color, InkedColor) else color


@cached(1024)
def _of_few_inks(color: Color, press: Press) -> Color:
    """Return a text color with at most two inks; the color itself if it has no more."""
    if sum(ink > 0 for ink in cmyk.inks(color, press)) <= 2:
        return color
    return InkedColor(color, cmyk.nearest_pair(color, press).inks)


def _colored(color: Filling, press: Press) -> float:
    """Return the sum of cyan, magenta and yellow of a color, 0 to 3; the largest of a gradient."""
    if not isinstance(color, tuple):
        return max(sum(inks[:3]) for inks in cmyk.gradient_inks(color.stops, press))
    inks = color.inks if isinstance(color, InkedColor) else cmyk.inks(color, press)
    return sum(inks[:3])


def _is_large(path: Path, seen: Rect, growth: float) -> bool:
    """Return whether a filled shape is an area rather than a line: on average, twice its area by its edge thick."""
    area, edge = bounds.area_and_edge(path)
    thickness = 2 * area / edge * growth if edge else 0.0
    shown = min(area * growth**2, seen.width * seen.height)
    return shown >= RICH_AREA and min(thickness, seen.width, seen.height) >= RICH_THICKNESS


class View(NamedTuple):
    """Where items are drawn: the map from their space to the card, and the window through which the card shows them.

    What `is_sheer` may leave free any part of its own box: it is seen through, clipped by outlines or turned.
    """

    to_card: Affine
    window: Rect | None = None
    is_sheer: bool = False

    def seen(self, box: Rect) -> Rect:
        """Return a box of the items' space on the card, cut to the window."""
        on_card = self.to_card.box(box)
        return on_card.shared(self.window) if self.window else on_card


class Ground(Struct, frozen=True, dict=True):
    """Something drawn: the fill or the line of a shape, a picture, or words, and the box that holds it on the card.

    `inks` is the largest sum of cyan, magenta and yellow in it, 0 to 3. A picture has none here: it is asked part by
    part.
    """

    drawn: Path | Picture | TextRun
    place: View
    reach: Rect
    inks: float = 0.0
    is_line: bool = False

    def covers(self, box: Rect) -> bool | None:
        """Return whether it covers all of a box on the card; None if it covers nothing of it."""
        if not self.reach.touches(box):
            return None
        covers = self._covers(self.place.to_card.inverse.box(box.shared(self.reach)))
        return covers and not self.place.is_sheer and self.reach.holds(box)

    def _covers(self, box: Rect) -> bool | None:
        match self.drawn:
            case Picture():
                return not self.drawn.is_sheer
            case TextRun():
                return False
        # Counters and gaps of letters leave paper free.
        width = self.drawn.stroke.width if self.is_line and self.drawn.stroke else 0.0
        around = box.outset(width)  # a line reaches half of its width, at its corners farther
        if any(_crosses(start, end, around) for start, end in self._sides):
            return False
        if self.is_line or not bounds.winds_around(self._sides, box.center, even_odd=self.drawn.even_odd):
            return None
        return is_opaque(self.drawn.fill)

    @cached_property
    def _sides(self) -> list[tuple[Point, Point]]:
        """The straight pieces of a shape's edge; for its line, only those that are drawn."""
        assert isinstance(self.drawn, Path)
        return [side for outline in self.drawn.outlines for side in bounds.sides(outline, closed=not self.is_line)]


def of_letters(run: TextRun) -> Rect:
    """Return the box of a run's inked letters, in the run's own space; it is empty if there are none."""
    extents = [*map(_extents(run.face).__getitem__, run.glyphs)] or [_BLANK]
    lefts, tops, rights, bottoms = zip(*extents, strict=True)
    starts = (*accumulate(run.advances, initial=0),)
    left, right = min(map(add, starts, lefts)), max(map(add, starts, rights))
    if left > right:
        return Rect(0.0, 0.0, 0.0, 0.0)
    if run.rises:
        tops, bottoms = tuple(map(sub, tops, run.rises)), tuple(map(sub, bottoms, run.rises))
    return _in_mm(run, left, min(tops), right, max(bottoms))


def letter_boxes(run: TextRun) -> Iterator[Rect]:
    """Yield the box of each inked letter of a run, in the run's own space."""
    known, x = _extents(run.face), 0
    for glyph, advance, rise in zip(run.glyphs, run.advances, run.rises or repeat(0), strict=False):
        left, top, right, bottom = known[glyph]
        if left < right:
            yield _in_mm(run, x + left, top - rise, x + right, bottom - rise)
        x += advance


def _in_mm(run: TextRun, left: float, top: float, right: float, bottom: float) -> Rect:
    unit = run.size / fonts.face(run.face).units_per_em
    across = unit * run.stretch
    return Rect(left * across, top * unit, (right - left) * across, (bottom - top) * unit)


_BLANK = (math.inf, math.inf, -math.inf, -math.inf)


class _Extents(dict[int, tuple[float, float, float, float]]):
    """The edges of the glyphs of a face, in font units with y down: left, top, right and bottom."""

    def __init__(self, face: str) -> None:
        self._font = fonts.face(face).font

    def __missing__(self, glyph: int) -> tuple[float, float, float, float]:
        shape = self._font.get_glyph_extents(glyph)
        edges: tuple[float, float, float, float] = _BLANK
        if shape and shape.width and shape.height:
            left, top = shape.x_bearing, -shape.y_bearing
            edges = left, top, left + shape.width, top - shape.height  # HarfBuzz gives heights as negative numbers
        self[glyph] = edges
        return edges


@cached(None)
def _extents(face: str) -> _Extents:
    return _Extents(face)


def of_line(path: Path) -> Sequence[Rect]:
    """Return boxes that together hold the line of a shape: one a piece, or one for all if there are very many."""
    assert path.stroke is not None
    pieces = [side for outline in path.outlines for side in bounds.sides(outline, closed=False)]
    if len(pieces) > _MAX_PIECES:
        return [box_of_line(path)]
    return [
        Rect(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)).outset(path.stroke.width / 2)
        for (x1, y1), (x2, y2) in pieces
    ]


def _crosses(start: Point, end: Point, box: Rect) -> bool:
    """Return whether a straight piece has a point in a box (Liang and Barsky's clipping)."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    first, last = 0.0, 1.0
    # For each edge of the box: the line crosses it at room / by; from outside to inside if `by` is negative.
    for by, room in ((-dx, x - box.x), (dx, box.right - x), (-dy, y - box.y), (dy, box.bottom - y)):
        if by == 0:
            if room < 0:
                return False
        elif by < 0:
            first = max(first, room / by)
        else:
            last = min(last, room / by)
    return first <= last
