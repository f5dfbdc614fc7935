"""Bleed: what is seen of a face beyond its trim, drawn by its template or made of its edge.

Made bleed is eight strips about the face: one beyond each edge, one beyond each corner. A strip shows the face mirrored
about the trim; a stretched one, so little of it that its edge runs outwards. The face is then drawn on top, clipped to
its trim.

Where two of these meet within a pixel, neither covers it wholly, and the paper shines through. So under them lies the
edge of the face once more, a little larger, which no one sees but in those pixels. Only a face that leaves paper along
its edge does without: what is under it would be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from render.base.geometry import Affine, Rect, Size
from render.layout import bounds
from render.scene.items import Color, Group, Item, Outline, Path, Scene, TextRun

BAND = 0.5  # mm of the edge that are stretched: with less, a card grows to more than PDFium's 50 000 px at 1200 dpi

_UNDER = 0.5  # mm that what lies under the strips reaches under the face: a pixel at 50 dpi


def bled(scene: Scene, amount: float, source: str = "auto") -> Scene:
    """Return the scene with what is seen up to `amount` mm beyond the trim; the scene itself if it draws that itself.

    `source` is `template`, `mirror`, `stretch`, a colour `#rrggbb`, or `auto`: the template's own if it reaches that
    far on every side, else mirrored. Within the trim nothing changes.
    """
    if amount <= 0 or source == "template" or (source == "auto" and reaches(scene, amount)):
        return scene
    edge = _Edge(scene, amount)
    if source.startswith("#"):
        beyond = edge.colored(_color(source))
    else:
        beyond = edge.stretched() if source == "stretch" else edge.mirrored()
    return Scene(scene.size, (*beyond, Group(scene.size.rect, scene.items)))


def reaches(scene: Scene, amount: float) -> bool:
    """Whether filled shapes and pictures, by their bounds, cover all that lies up to `amount` mm beyond the trim."""
    boxes, bleed = [], scene.size.rect.outset(amount)
    for box in bounds.grounds(scene.items):
        if bounds.holds(box, bleed):
            return True
        boxes.append(box)
    return bounds.surround(boxes, scene.size.rect, bleed)


class _Edge:
    """The edge of a face, of which bleed is made: what is drawn there, and how many mm of it leave no paper free."""

    def __init__(self, scene: Scene, amount: float) -> None:
        self.size, self.amount = scene.size, amount
        self.items = tuple(_near_the_edge(scene.items, scene.size, amount))
        self.solid = next((depth for depth in (amount, _UNDER) if self.is_solid(depth)), 0.0)
        self.under = min(self.solid, _UNDER)

    def is_solid(self, depth: float) -> bool:
        """Whether shapes and pictures cover all of the face that lies up to `depth` mm inside its trim."""
        inside = self.size.rect.outset(-depth)
        return bounds.surround(bounds.opaque(self.items, inside), inside, self.size.rect)

    def mirrored(self) -> tuple[Item, ...]:
        """Return the mirrored strips; they share their items, so that a PDF has these once."""
        strips = (Group(strip.clip, self.items, strip.place) for strip in self.strips(self.amount))
        return *self.enlarged(self.items, self.amount), *strips

    def stretched(self) -> tuple[Item, ...]:
        """Return the stretched strips: each holds what is seen in it, since a stretched card is metres wide."""
        ground = tuple(_without_text(self.items))
        strips = (
            Group(strip.clip, tuple(bounds.within(ground, strip.seen.outset(BAND))), strip.place)
            for strip in self.strips(BAND)
        )
        return *self.enlarged(ground, BAND), *strips

    def colored(self, color: Color) -> tuple[Item, ...]:
        """Return a frame of one colour."""
        trim = self.size.rect
        frame = (_outline(trim.outset(self.amount)), _outline(trim.outset(-self.under)))
        return (Path(frame, color, even_odd=True),)

    def enlarged(self, items: tuple[Item, ...], depth: float) -> Iterator[Item]:
        """Yield the edge so large that its trim lies beyond the bleed, as far as strips of that depth hide it."""
        if not self.solid:
            return
        far, size = self.amount + _UNDER, self.size
        grown = Affine.scale((size.width + 2 * far) / size.width, (size.height + 2 * far) / size.height)
        hidden = size.rect.outset(self.amount if self.solid >= depth else min(self.solid, self.amount))
        for side in _sides(size.rect.outset(-self.under), hidden):
            yield Group(side, items, Affine.move(-far, -far) @ grown)

    def strips(self, depth: float) -> Iterator[_Strip]:
        """Yield the strips that show `depth` mm of the face, from the top left."""
        for across, down in product(self.spans(self.size.width, depth), self.spans(self.size.height, depth)):
            if across.by > 0 and down.by > 0:
                continue  # the face itself
            yield _Strip(
                Rect(across.start, down.start, across.end - across.start, down.end - down.start),
                Rect(across.low, down.low, across.high - across.low, down.high - down.low),
                Affine(across.by, 0.0, 0.0, down.by, across.plus, down.plus),
            )

    def spans(self, length: float, depth: float) -> tuple[_Span, _Span, _Span]:
        """Return what lies before, along and behind an edge of that length."""
        by = self.amount / depth
        return (
            _Span(-self.amount, 0.0, 0.0, depth, -by, 0.0),
            _Span(0.0, length, 0.0, length),
            _Span(length, length + self.amount, length - depth, length, -by, (1 + by) * length),
        )


@dataclass(frozen=True, slots=True)
class _Strip:
    """Bleed beyond an edge or a corner: `clip` is where it lies, `seen` what of the face is `place`d there."""

    clip: Rect
    seen: Rect
    place: Affine


@dataclass(frozen=True, slots=True)
class _Span:
    """A strip in one direction, from `start` to `end`; it shows the face from `low` to `high`, at x * `by` + `plus`."""

    start: float
    end: float
    low: float
    high: float
    by: float = 1.0
    plus: float = 0.0


def _near_the_edge(items: tuple[Item, ...], size: Size, depth: float) -> Iterator[Item]:
    """Yield the items without those that lie outside the trim, or deeper than `depth` inside it."""
    trim = size.rect
    inside = trim.outset(-depth)
    for item in items:
        box = bounds.of_item(item)
        if bounds.touch(box, trim) and not (inside.width > 0 and inside.height > 0 and bounds.holds(inside, box)):
            yield item


def _without_text(items: Iterable[Item]) -> Iterator[Item]:
    """Yield shapes and pictures: text is no ground that could be stretched."""
    for item in items:
        if isinstance(item, Group):
            yield replace(item, items=tuple(_without_text(item.items)))
        elif not isinstance(item, TextRun):
            yield item


def _sides(inner: Rect, outer: Rect) -> tuple[Rect, Rect, Rect, Rect]:
    """Return boxes that together cover what lies between two boxes; the corners twice, so that no seam is left."""
    width, height = inner.x - outer.x, inner.y - outer.y
    return (
        Rect(outer.x, outer.y, outer.width, height),
        Rect(outer.x, inner.bottom, outer.width, height),
        Rect(outer.x, outer.y, width, outer.height),
        Rect(inner.right, outer.y, width, outer.height),
    )


def _outline(box: Rect) -> Outline:
    return Outline((box.x, box.y), ((box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)), True)


def _color(source: str) -> Color:
    red, green, blue = bytes.fromhex(source[1:])
    return red, green, blue
