"""The dots of a calibration sheet, which a camera reads: where they stand on both sides, and what their sizes say.

Along both sides of the paper, dots of the front and of the back take turns like the squares of a chessboard: a dot of
the back has dots of the front beside it, 8 mm away, up to four. Seen through the paper, it is blurred and weak, so it
is larger. A mark in each corner shows where the sheet lies in a picture; their order is that of no mirror image.
Sizes of the front's dots are bits: which sheet this is. Those of the back's are a pattern without any symmetry.

All is in mm from the top left of the front, y down, the back seen through the paper.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from render.base.caches import cached
from render.base.geometry import Flip, Size
from render.scene import outlines as shapes
from render.scene.items import Color, Path
from render.sheets.calibration.fit import BLOCK, EDGE

VERSION = 1  # of this layout: sheets of another are not read

PITCH = 8.0  # mm from a dot to the next one, which is of the other side
FARTHEST = 4.5  # mm that a back may be off: no dot of it touches one of the front yet
COLUMNS = 9.0, 17.0, 25.0, 33.0  # mm from the nearer side of the paper: no words are within 7 mm of a dot
FRONT_SIZES, BACK_SIZES = (0.8, 1.2), (1.3, 1.8)  # mm: radii of small and large dots

MARK = 4.5  # mm: the radius of a mark, ...
HOLE, CORE = 3.0, 1.5  # ... that of what is white in it, and that of the dot inside
_MARKS_AT = 12.0, 31.0  # mm from the side of the paper: a mark of the front, and one of the back
_BELOW_CROSS = 8.0  # mm from a cross of the corner to the middle of a mark
_TO_DOTS = 13.0  # mm at least from there to the middle of a dot

TARGET, RING, DISC = "target", "ring", "disc"
MARKS = TARGET, TARGET, DISC, RING  # from the top left clockwise, as seen from the front

Point = tuple[float, float]


class Side(Struct, frozen=True):
    """The marks of a side, in the order of MARKS, and its dots."""

    marks: tuple[Point, ...]
    dots: tuple[Point, ...]


class Layout(NamedTuple):
    front: Side
    back: Side


MIN_PAPER = 200.0  # mm a side: room for crosses, dots and instructions


def fits(paper: Size) -> bool:
    """Return whether a paper has room for a calibration sheet."""
    return min(paper.width, paper.height) >= MIN_PAPER


@cached(32)
def layout(paper: Size) -> Layout:
    """Return where marks and dots stand. Turned by 180 degrees, dots of a side stand on dots of the same side."""
    width, height = paper.width, paper.height
    top = EDGE + BLOCK[height >= width] + _BELOW_CROSS
    rows = int((height - 2 * (top + _TO_DOTS)) / PITCH) + 1
    first = (height - (rows - 1) * PITCH) / 2
    dots: tuple[list[Point], list[Point]] = [], []
    for row in range(rows):
        for number, column in enumerate(COLUMNS):
            dots[(number + row) % 2].append((column, first + row * PITCH))
            dots[(number + row + rows - 1) % 2].append((width - column, first + row * PITCH))
    front, back = (
        Side(((x, top), (width - x, top), (width - x, height - top), (x, height - top)), tuple(found))
        for x, found in zip(_MARKS_AT, dots, strict=True)
    )
    return Layout(front, back)


# --- what the sizes say -----------------------------------------------------------------------------------------------

_CODE_BITS, _CHECK_BITS = 24, 15


class SheetCode(NamedTuple):
    """What a sheet is printed for: the flip, and the code of the correction that is applied, "" if none is."""

    flip: Flip
    correction: str = ""


def large_fronts(paper: Size, code: SheetCode) -> tuple[bool, ...]:
    """Return which dots of the front are large: the bits of the code, repeated."""
    bits = _bits(paper, code)
    return tuple(bits[number % len(bits)] for number in range(len(layout(paper).front.dots)))


def large_backs(paper: Size) -> tuple[bool, ...]:
    """Return which dots of the back are large."""
    stream = hashlib.shake_128(b"dots of the back").digest(len(layout(paper).back.dots))
    return tuple(byte % 2 == 1 for byte in stream)


def read_code(paper: Size, sizes: Sequence[float]) -> SheetCode | None:
    """Return the code that dots of the front hold, by how `sizes` exceed the middling size; None if it is none of ours.

    A dot that was not found has size 0.
    """
    count = 1 + _CODE_BITS + _CHECK_BITS
    bits = [sum(sizes[start::count]) > 0 for start in range(count)]
    number = sum(bit << at for at, bit in enumerate(bits[1 : 1 + _CODE_BITS]))
    code = SheetCode(list(Flip)[bits[0]], f"{number:06x}" if number else "")
    return code if _bits(paper, code) == bits else None


def _bits(paper: Size, code: SheetCode) -> list[bool]:
    state = f"{VERSION} {paper.width:.1f} {paper.height:.1f} {code.flip.value} {code.correction}"
    check = int.from_bytes(hashlib.sha256(state.encode()).digest()[:2])
    number = int(code.correction or "0", 16)
    said = [list(Flip).index(code.flip) == 1]
    said += [number >> at & 1 == 1 for at in range(_CODE_BITS)]
    return said + [check >> at & 1 == 1 for at in range(_CHECK_BITS)]


# --- the dots as shapes -----------------------------------------------------------------------------------------------


def draw_side(side: Side, large: Sequence[bool], sizes: tuple[float, float], color: Color) -> Iterator[Path]:
    """Yield the marks and dots of a side, as seen from the front."""
    for (x, y), kind in zip(side.marks, MARKS, strict=True):
        radii = {TARGET: (MARK, HOLE, CORE), RING: (MARK, HOLE), DISC: (MARK,)}[kind]
        rounds = [outline for radius in radii for outline in shapes.ellipse(x, y, radius, radius)]
        yield Path(tuple(rounds), fill=color, even_odd=True)
    radii_of = ((dot, sizes[is_large]) for dot, is_large in zip(side.dots, large, strict=True))
    yield Path(tuple(outline for (x, y), r in radii_of for outline in shapes.ellipse(x, y, r, r)), fill=color)
