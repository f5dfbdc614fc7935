"""What lies beneath black text and lines: which shapes and pictures meet a box, and which fill it.

A face is followed from back to front. Bounding boxes are not enough: words inside a dark frame do not stand on it, and
a panel with round corners hides what is behind it as well as one without.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from render.base.geometry import Affine, Rect
from render.layout import bounds
from render.scene.items import Path, Picture, TextRun, is_opaque
from render.text import fonts

Point = tuple[float, float]

_MAX_PIECES = 256  # of a line, each with a box of its own


class Meeting(Enum):
    """How much of a box something covers."""

    NONE = "none"
    PART = "part"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class View:
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


@dataclass(frozen=True)
class Ground:
    """Something drawn: the fill or the line of a shape, a picture, or words, and the box that holds it on the card.

    `inks` is the largest sum of cyan, magenta and yellow in it, 0 to 3. A picture has none here: it is asked part by
    part.
    """

    drawn: Path | Picture | TextRun
    place: View
    reach: Rect
    inks: float = 0.0
    is_line: bool = False

    def meets(self, box: Rect) -> Meeting:
        """Return how much of a box on the card it covers."""
        if not bounds.touch(self.reach, box):
            return Meeting.NONE
        found = self._meets(self.place.to_card.inverse.box(box.shared(self.reach)))
        if found is Meeting.WHOLE and (self.place.is_sheer or not bounds.holds(self.reach, box)):
            return Meeting.PART
        return found

    def _meets(self, box: Rect) -> Meeting:
        match self.drawn:
            case Picture():
                return Meeting.WHOLE
            case TextRun():
                return Meeting.PART
        # Counters and gaps of letters leave paper free.
        width = self.drawn.stroke.width if self.is_line and self.drawn.stroke else 0.0
        around = box.outset(width)  # a line reaches half of its width, at its corners farther
        if any(_crosses(start, end, around) for start, end in self._sides):
            return Meeting.PART
        if self.is_line or not _holds(self._sides, box.center, even_odd=self.drawn.even_odd):
            return Meeting.NONE
        return Meeting.WHOLE if is_opaque(self.drawn.fill) else Meeting.PART

    @cached_property
    def _sides(self) -> list[tuple[Point, Point]]:
        """The straight pieces of a shape's edge; for its line, only those that are drawn."""
        assert isinstance(self.drawn, Path)
        return [side for outline in self.drawn.outlines for side in bounds.sides(outline, closed=not self.is_line)]


def of_letters(run: TextRun) -> Rect:
    """Return the box of a run's inked letters, in the space of the run's items."""
    face = fonts.face(run.face)
    unit, x = run.size / face.units_per_em, 0.0
    left, top, right, bottom = [], [], [], []
    rises = run.rises or (0,) * len(run.glyphs)
    for glyph, advance, rise in zip(run.glyphs, run.advances, rises, strict=True):
        shape = face.font.get_glyph_extents(glyph)
        if shape and shape.width:
            left.append(x + shape.x_bearing)
            right.append(x + shape.x_bearing + shape.width)
            top.append(-rise - shape.y_bearing)
            # HarfBuzz gives heights downwards, as negative numbers.
            bottom.append(-rise - shape.y_bearing - shape.height)
        x += advance
    if not left:
        return run.transform.box(Rect(0.0, 0.0, 0.0, 0.0))
    x, y, across = min(left) * unit * run.stretch, min(top) * unit, unit * run.stretch
    return run.transform.box(Rect(x, y, max(right) * across - x, max(bottom) * unit - y))


def of_line(path: Path) -> Sequence[Rect]:
    """Return boxes that together hold the line of a shape: one a piece, or one for all if there are very many."""
    assert path.stroke is not None
    pieces = [side for outline in path.outlines for side in bounds.sides(outline, closed=False)]
    if len(pieces) > _MAX_PIECES:
        return [bounds.of_line(path)]
    return [_about(start, end).outset(path.stroke.width / 2) for start, end in pieces]


def _about(start: Point, end: Point) -> Rect:
    (x1, y1), (x2, y2) = start, end
    return Rect(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1))


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


def _holds(sides: Sequence[tuple[Point, Point]], point: Point, *, even_odd: bool) -> bool:
    """Return whether a point lies inside a filled shape: how often its sides wind around it (ISO 32000-1 8.5.3.3)."""
    turns = list(_turns(sides, point))
    return len(turns) % 2 == 1 if even_odd else sum(turns) != 0


def _turns(sides: Sequence[tuple[Point, Point]], point: Point) -> Iterator[int]:
    """Yield 1 or -1 for each side that crosses a ray from the point to the right, down or up the card."""
    x, y = point
    for (x1, y1), (x2, y2) in sides:
        # A corner on the ray counts for one of its two sides only.
        if (y1 <= y) != (y2 <= y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            yield 1 if y2 > y1 else -1
