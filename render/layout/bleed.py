"""Bleed: what shows of a face beyond its trim, drawn by its template or made from its edge.

Made bleed consists of eight strips around the face: one beyond each edge, one beyond each corner. A strip shows the
face mirrored about the trim; a stretched strip shows so little of it that its edge runs outwards. The face is then
drawn on top, clipped to its trim.

Where two strips meet within a pixel, neither covers it wholly, and the paper would shine through. So a slightly larger
copy of the face's edge lies under them, which shows only in those pixels. A face that leaves paper along its edge does
without it, since the copy would show there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product

from msgspec.structs import replace

from render.base.geometry import Affine, Rect
from render.layout import bounds
from render.scene.items import Group, Item, Layer, Path, Scene, TextRun
from render.scene.outlines import rect_of

BAND = 0.5  # mm of the edge to stretch: with less, the stretched card exceeds PDFium's 50 000 px at 1200 dpi

_UNDER = 0.5  # mm that the copy under the strips reaches under the face: a pixel at 50 dpi


def add_bleed(scene: Scene, bleed: float, bleed_from: str = "auto") -> Scene:
    """Return the scene with bleed up to `bleed` mm beyond the trim; the scene itself if it draws its own.

    `bleed_from` is `template`, `mirror`, `stretch`, a color `#rrggbb`, or `auto`: the template's own bleed if it
    reaches that far on every side, else mirrored. Nothing changes inside the trim.
    """
    outer = scene.size.rect.outset(bleed)
    if bleed <= 0 or bleed_from == "template" or (bleed_from == "auto" and reaches(scene, outer)):
        return scene
    edge, face = _Edge(scene, bleed, is_stretched=bleed_from == "stretch"), Group(scene.size.rect, scene.items)
    made = (edge.frame(bleed_from),) if bleed_from.startswith("#") else (*edge.enlarged(), *edge.strips())
    return Scene(scene.size, (*made, face))


def reaches(scene: Scene, outer: Rect) -> bool:
    """Return whether shapes and pictures, by their bounds, cover everything from the trim to a box around it."""
    boxes = []
    for box in bounds.grounds(scene.items):
        if box.holds(outer):
            return True
        boxes.append(box)
    return bounds.surround(boxes, scene.size.rect, outer)


class _Edge:
    """The edge of a face, from which bleed is made: what is drawn there, and how many mm of it leave no paper free."""

    def __init__(self, scene: Scene, bleed: float, *, is_stretched: bool) -> None:
        self.size, self.bleed, self.is_stretched = scene.size, bleed, is_stretched
        self.depth = BAND if is_stretched else bleed  # how many mm of the face the strips show
        self.items = tuple(_between(scene.items, self.size.rect, self.size.rect.outset(-bleed)))
        depths = sorted((bleed, _UNDER), reverse=True)  # a bleed may be narrower than the copy reaches under the face
        insides = ((depth, self.size.rect.outset(-depth)) for depth in depths)
        solid = (
            depth
            for depth, inside in insides
            if bounds.surround(bounds.grounds(self.items, inside), inside, self.size.rect)
        )
        self.solid = next(solid, 0.0)  # how deep shapes and pictures cover all of the face inside its trim
        self.under = min(self.solid, _UNDER)

    def frame(self, color: str) -> Path:
        """Return a frame of one color, `#rrggbb`."""
        red, green, blue = bytes.fromhex(color[1:])
        boxes = self.size.rect.outset(self.bleed), self.size.rect.outset(-self.under)
        return Path(tuple(rect_of(box)[0] for box in boxes), (red, green, blue), even_odd=True)

    @cached_property
    def shown(self) -> tuple[Item, ...]:
        """What bleed shows of the edge: shapes and pictures only if it is stretched, as text would show as stripes."""
        return tuple(_without_text(self.items)) if self.is_stretched else self.items

    def enlarged(self) -> Iterator[Item]:
        """Yield the edge, enlarged so that its trim lies beyond the bleed, where the strips hide it."""
        if not self.solid:
            return
        far, size = self.bleed + _UNDER, self.size
        grown = Affine.scale((size.width + 2 * far) / size.width, (size.height + 2 * far) / size.height)
        hidden = size.rect.outset(self.bleed if self.solid >= self.depth else min(self.solid, self.bleed))
        for side in _sides(size.rect.outset(-self.under), hidden):
            yield Group(side, self.shown, Affine.move(-far, -far) @ grown)

    def strips(self) -> Iterator[Item]:
        """Yield the strips beyond the edges and the corners, from the top left."""
        for across, down in product(self.spans(self.size.width), self.spans(self.size.height)):
            (x, width, left, wide, a, e), (y, height, top, high, d, f) = across, down
            if a > 0 and d > 0:  # the face itself
                continue
            # A stretched strip holds only what shows in it, since a stretched card is meters wide; mirrored ones share
            # their items, so that a PDF holds these once.
            seen = Rect(left, top, wide, high).outset(BAND)
            items = tuple(bounds.within(self.shown, seen)) if self.is_stretched else self.shown
            yield Group(Rect(x, y, width, height), items, Affine(a, 0.0, 0.0, d, e, f))

    def spans(self, length: float) -> tuple[_Span, _Span, _Span]:
        """Return the spans before, along and behind an edge of that length; negative scales mirror."""
        depth, by = self.depth, self.bleed / self.depth
        return (
            (-self.bleed, self.bleed, 0.0, depth, -by, 0.0),
            (0.0, length, 0.0, length, 1.0, 0.0),
            (length, length + self.bleed - length, length - depth, length - (length - depth), -by, (1 + by) * length),
        )


_Span = tuple[float, float, float, float, float, float]
"""A strip in one direction: its start and length, those of what it shows of the face, and scale and shift to there."""


def _between(items: tuple[Item, ...], trim: Rect, inside: Rect) -> Iterator[Item]:
    """Yield the items, but for those wholly outside the trim or wholly in the box inside it."""
    for item in items:
        box = bounds.of_item(item)
        if box.touches(trim) and not (inside.width > 0 and inside.height > 0 and inside.holds(box)):
            yield item


def _without_text(items: Iterable[Item]) -> Iterator[Item]:
    """Yield shapes and pictures, also those of groups."""
    for item in items:
        if isinstance(item, Group | Layer):
            yield replace(item, items=tuple(_without_text(item.items)))
        elif not isinstance(item, TextRun):
            yield item


def _sides(inner: Rect, outer: Rect) -> tuple[Rect, Rect, Rect, Rect]:
    """Return boxes that together cover what lies between two boxes; corners twice, so that no seam shows."""
    width, height = inner.x - outer.x, inner.y - outer.y
    return (
        Rect(outer.x, outer.y, outer.width, height),
        Rect(outer.x, inner.bottom, outer.width, height),
        Rect(outer.x, outer.y, width, outer.height),
        Rect(inner.right, outer.y, width, outer.height),
    )
