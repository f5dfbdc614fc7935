"""Where the crosses of a calibration sheet stand, and what their scales measure; seen from the front, in mm."""

from __future__ import annotations

from dataclasses import dataclass

from render.base.caches import cached
from render.base.geometry import Size

NAMES = "ABCDE"

EDGE = 5.0  # mm that home printers leave white along the edge of the paper: 4.2 on Brother and HP, 5 on Canon

# Vernier scales: lines every mm on the front and every 0.9 mm on the back. The back's line n is in line with a line of
# the front when the whole scale is off by n tenths.
PITCH, VERNIER_PITCH = 1.0, 0.9
VERNIER = 5  # lines of the back on each side of its middle one
LINES = 8  # lines of the front on each side of 0: even 5 mm off, each line of the back meets lines of the front
FRONT_LINE, BACK_LINE = (2.5, 9.0), (0.0, 8.3)  # mm from a scale's outer edge: they overlap even when 5 mm off
READ_AT = 5.4  # mm from the outer edge to the middle of the overlap
DEPTH = 12.1, 12.4  # mm from the outer edge to behind the figures, of a level and of an upright scale

_HALF = LINES * PITCH + 0.1
BLOCK = 34.0, 30.0  # mm: a cross with its scales and its name, along the paper's shorter and longer side
_STANDING = (27.5, 7.0), (27.5, 20.0)  # mm from a block's corner to the name, and to the mark to glance at
_LYING = (9.5, 24.5), (22.5, 24.5)


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale of a cross: the point at which it is read, and whether it runs `down` the paper or across it.

    `inward` is 1 if its lines stand side by side starting from the left or top edge of the paper, else -1.
    """

    x: float
    y: float
    down: bool
    inward: int


@dataclass(frozen=True, slots=True)
class Cross:
    """A cross: its scale for offsets to the right, and the one for offsets down.

    `title` is the middle of its name, `mark` that of the mark that shows at a glance how far the back is off; in mm.
    """

    name: str
    across: Scale
    down: Scale
    title: tuple[float, float]
    mark: tuple[float, float]


@cached(8)
def crosses(paper: Size) -> tuple[Cross, ...]:
    """Return the five crosses of a paper: A to D in its corners, row by row, as far out as printers print.

    E centered.
    """
    stands = paper.height >= paper.width
    width, height = BLOCK if stands else BLOCK[::-1]
    left, top, right, bottom = EDGE, EDGE, paper.width - EDGE, paper.height - EDGE
    amid = ((paper.width - width) / 2, (paper.height - height) / 2, 1, 1)
    corners = ((left, top, 1, 1), (right, top, -1, 1), (left, bottom, 1, -1), (right, bottom, -1, -1), amid)
    return tuple(_cross(name, *corner, stands) for name, corner in zip(NAMES, corners, strict=True))


def _cross(name: str, x: float, y: float, east: int, south: int, stands: bool) -> Cross:
    """Return the cross in a corner of the paper, with the second scale farther in along the paper's longer side."""

    def inward(offset: tuple[float, float]) -> tuple[float, float]:
        return x + east * offset[0], y + south * offset[1]

    outer, inner, (title, mark) = (_HALF, READ_AT), (READ_AT, DEPTH[0] + _HALF), _STANDING
    if not stands:
        outer, inner, (title, mark) = (DEPTH[1] + _HALF, READ_AT), (READ_AT, _HALF), _LYING
    across, down = Scale(*inward(outer), False, south), Scale(*inward(inner), True, east)
    return Cross(name, across, down, inward(title), inward(mark))
