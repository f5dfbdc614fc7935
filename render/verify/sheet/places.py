"""Places: each face in its slot, in the card's size, the right way up, clipped to its trim and bleed.

The slots follow from the paper, the card and the grid alone: their block lies in the middle of the paper or, on a
fold-over sheet, beside the fold, which is the middle. Backs are measured as seen through the sheet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from render.base.findings import Problem
from render.base.geometry import IDENTITY, Affine, Flip, Rect
from render.sheets.options import Backs, Where
from render.verify.faces.drawn import FoundFace
from render.verify.reading.faults import Fault, mm
from render.verify.reading.ticket import Ticket
from render.verify.sheet.pages import NEAR

FOLD_GAP = 3.0  # mm between cards and a fold; their bleed, if that is more
MAX_CORRECTED = 15.0  # mm: no printer is off by more in any corner of the paper
MAX_GROWN = 1.05  # times: no printer stretches paper by more than a few thousandths

_CALIBRATE = "calibrate again with `kotc calibrate`"


_NOWHERE = -1, -1  # no slot has this column and row


@dataclass(frozen=True, slots=True)
class FaceInSlot:
    """A face in a slot: `box` is its trim box on the page as measured, with corrections undone."""

    face: FoundFace
    box: Rect
    is_right: bool


@dataclass(frozen=True, slots=True)
class Block:
    """The slots of a sheet, and the line about which it turns or folds: vertical or horizontal."""

    ticket: Ticket
    is_vertical: bool

    @staticmethod
    def of(ticket: Ticket) -> Block:
        """Return the slots that follow from the ticket.

        Turned about its long edge, a portrait sheet turns about a vertical line, a landscape one about a
        horizontal line.
        """
        if ticket.backs is Backs.FOLD:
            return Block(ticket, ticket.is_fold_upright)
        stands = ticket.paper.height >= ticket.paper.width
        return Block(ticket, stands == (ticket.flip is Flip.LONG_EDGE))

    @property
    def pitch(self) -> tuple[float, float]:
        """Distance from a column to the next, and from a row to the next."""
        card, (across, down) = self.ticket.card, self.ticket.gutter
        return card.width + across, card.height + down

    @property
    def corner(self) -> tuple[float, float]:
        """The top left corner of the first slot."""
        ticket, (across, down) = self.ticket, self.pitch
        width = across * ticket.columns - ticket.gutter[0]
        height = down * ticket.rows - ticket.gutter[1]
        left, top = (ticket.paper.width - width) / 2, (ticket.paper.height - height) / 2
        if ticket.backs is not Backs.FOLD:
            return left + ticket.offset[0], top + ticket.offset[1]
        apart = max(FOLD_GAP, *ticket.bleed)
        if self.is_vertical:
            return ticket.paper.width / 2 - apart - width, top
        return left, ticket.paper.height / 2 - apart - height

    def slot(self, column: int, row: int) -> Rect:
        """Return the box of a slot, as seen from the front."""
        (left, top), (across, down), card = self.corner, self.pitch, self.ticket.card
        return Rect(left + column * across, top + row * down, card.width, card.height)

    def nearest(self, box: Rect) -> tuple[int, int]:
        """Return column and row of the slot nearest to a box, both seen from the front; it may lie outside the grid."""
        (left, top), (across, down) = self.corner, self.pitch
        column, row = (box.x - left) / across, (box.y - top) / down
        # Places in the file may be nan or infinite.
        return (round(column), round(row)) if math.isfinite(column + row) else _NOWHERE

    def through(self, box: Rect) -> Rect:
        """Return where a box lies, seen through the sheet once it is turned or folded."""
        paper = self.ticket.paper
        if self.is_vertical:
            return Rect(paper.width - box.right, box.y, box.width, box.height)
        return Rect(box.x, paper.height - box.bottom, box.width, box.height)


@dataclass(slots=True)
class SheetSide:
    """One side of a sheet: faces by slot number, counted from 0 at the top left of the front."""

    page: int
    faces_by_slot: dict[int, FaceInSlot] = field(default_factory=dict)


def correction(ticket: Ticket) -> Iterator[Fault]:
    """Yield a fault if back pages are corrected by more than any printer is off."""
    most = corrected_by(ticket)
    if not most <= MAX_CORRECTED:  # written so that nan fails
        what = f"backs are corrected by up to {mm(most)} mm, and no printer is off by more than {MAX_CORRECTED:g} mm"
        yield Fault(Problem("Q040", what, _CALIBRATE))
    elif not 1 / MAX_GROWN <= ticket.correction.growth <= MAX_GROWN:
        yield Fault(Problem("Q040", f"backs are drawn {ticket.correction.growth:.2f} times as large", _CALIBRATE))


def corrected_by(ticket: Ticket) -> float:
    """Return the largest distance by which the correction moves a point of the paper, in mm."""
    paper = ticket.paper.rect
    corners = [(x, y) for x in (0.0, paper.width) for y in (0.0, paper.height)]
    # An affine map moves no point farther than a corner.
    return max(math.dist(corner, ticket.correction.apply(*corner)) for corner in corners)


def assign_slots(
    side: SheetSide, faces: tuple[FoundFace, ...], block: Block, undo: Affine = IDENTITY
) -> Iterator[Fault]:
    """Put the faces of a page into the slots of its side, and yield what is wrong with their places.

    `undo` is the inverse of the page's correction. Backs are seen through the sheet.
    """
    for face in faces:
        found = _Found(face, undo, block)
        slot = slot_name(block.ticket, found.number, is_back=face.is_back) if found.is_in_grid else ""
        wrong = [
            Fault(problem, side.page, card=face.name, is_back=face.is_back, slot=slot, kind=kind)
            for kind, problem in found.wrong()
        ]
        yield from wrong
        if not found.is_in_grid:
            continue
        other = side.faces_by_slot.setdefault(found.number, FaceInSlot(face, found.box, not wrong))
        if other.face is not face:
            what = Problem("Q040", f"in one slot with `{other.face.name[:60]}`")
            yield Fault(what, side.page, card=face.name, is_back=face.is_back, slot=slot, kind="in one slot")


def slot_name(ticket: Ticket, number: int, *, is_back: bool = False) -> str:
    """Return the words for a slot, counted from the front; for a back they say so. "" if a page has only one."""
    if ticket.shop:
        return ""
    row, column = divmod(number, ticket.columns)
    return f"column {column + 1}, row {row + 1}{' of the front' if is_back else ''}"


def gaps(side: SheetSide, ticket: Ticket, cards: int) -> Iterator[Fault]:
    """Yield which slots of a front are empty and should not be, and the other way round, if it holds `cards`."""
    empty = [number for number in range(cards) if number not in side.faces_by_slot]
    if empty:
        many = f"{len(empty)} slots, the first in" if len(empty) > 1 else "the slot in"
        yield Fault(Problem("Q040", f"no card in {many} {slot_name(ticket, empty[0])}"), side.page)
    for number, placed in sorted(side.faces_by_slot.items()):
        if number >= cards:
            slot = slot_name(ticket, number)
            yield Fault(Problem("Q040", "in a slot that is to be empty"), side.page, card=placed.face.name, slot=slot)


class _Found:
    """A face as measured: its trim box on the page, and the nearest slot, by column and row of the front."""

    def __init__(self, face: FoundFace, undo: Affine, block: Block) -> None:
        self._face, self._undo, self._block, self._ticket = face, undo, block, block.ticket
        self._place = undo @ face.place
        self.box = self._place.box(self._ticket.card.rect)
        self._column, self._row = block.nearest(block.through(self.box) if face.is_back else self.box)

    @property
    def is_in_grid(self) -> bool:
        return 0 <= self._column < self._ticket.columns and 0 <= self._row < self._ticket.rows

    @property
    def number(self) -> int:
        """The number of its slot."""
        return self._row * self._ticket.columns + self._column

    def wrong(self) -> Iterator[tuple[str, Problem]]:
        """Yield what is wrong, with its kind: its shape, or else its place; and how it is clipped."""
        shape = _misshapen(self._place, self._block, is_turned=self._face.is_back and not self._block.is_vertical)
        if shape:
            yield "shape", Problem("Q040", shape)
            return
        if not self.is_in_grid:
            yield "grid", Problem("Q040", "in no slot of the grid")
            return
        slot = self._block.slot(self._column, self._row)
        here = self._block.through(slot) if self._face.is_back else slot
        off = _off(self.box.x - here.x, self.box.y - here.y)
        if off:
            yield "place", Problem("Q040", off)
        for what in self._window():
            yield "window", Problem("Q040", what)

    def _window(self) -> Iterator[str]:
        """Yield where it is not clipped as it should be: at its bleed, which may be 0, or smaller between cards."""
        points = [self._undo.apply(*point) for point in self._face.window]
        xs, ys = sorted(x for x, _ in points), sorted(y for _, y in points)
        # Sorted, the corners of an upright box are equal in pairs.
        if not max(xs[1] - xs[0], xs[3] - xs[2], ys[1] - ys[0], ys[3] - ys[2]) <= 2 * NEAR:
            yield "cut off aslant"
            return
        box, (across, down) = self.box, self._ticket.gutter
        left, top, right, bottom = self._outer()
        bleed = self._ticket.bleed[self._face.is_back]
        for name, room, is_outer, gutter in (
            ("left", box.x - xs[0], left, across),
            ("top", box.y - ys[0], top, down),
            ("right", xs[3] - box.right, right, across),
            ("bottom", ys[3] - box.bottom, bottom, down),
        ):
            inside = min(bleed, gutter / 2) if self._ticket.where is Where.EACH else 0.0
            due = bleed if is_outer else inside
            if not abs(room - due) <= NEAR:
                wanted = f"{mm(due)} mm beyond it" if due else "at it"
                yield f"cut off {_beyond(room)} the trim at the {name}, and not {wanted}"

    def _outer(self) -> tuple[bool, bool, bool, bool]:
        """Return which sides are at the edge of the block, as seen on the page: left, top, right, bottom."""
        columns, rows = self._ticket.columns, self._ticket.rows
        left, right = self._column == 0, self._column == columns - 1
        top, bottom = self._row == 0, self._row == rows - 1
        if self._face.is_back:
            left, top, right, bottom = (
                (right, top, left, bottom) if self._block.is_vertical else (left, bottom, right, top)
            )
        return left, top, right, bottom


def _beyond(room: float) -> str:
    return f"{mm(abs(room))} mm {'beyond' if room > 0 else 'within'}" if mm(room) not in ("0", "-0") else "at"


def _misshapen(place: Affine, block: Block, *, is_turned: bool) -> str:
    """Return what is wrong with a face's size or rotation; "" if all is right."""
    card, way = block.ticket.card, -1.0 if is_turned else 1.0
    # Half a card: how far its corners are from the middle, about which it may be turned.
    half = max(card.width, card.height) / 2
    if _strays(place, way) * half <= NEAR / 2:
        return ""
    if _strays(place, -way) * half <= NEAR / 2:
        return "upside down" if not is_turned else "not turned by 180 degrees, and the sheet turns about a level line"
    across, down = math.hypot(place.a, place.b), math.hypot(place.c, place.d)
    if place.a * place.d - place.b * place.c <= 0:
        return "mirrored"
    width, height = across * card.width, down * card.height
    if max(abs(width - card.width), abs(height - card.height)) > NEAR:
        return f"{mm(width)} x {mm(height)} mm, and the card is {mm(card.width)} x {mm(card.height)} mm"
    angle = math.degrees(math.atan2(way * place.b, way * place.a))
    return f"turned by {abs(angle):.2f} degrees" if abs(angle) >= 0.005 else "slanted"


def _strays(place: Affine, way: float) -> float:
    """Return how far a map moves a point 1 mm from the middle away from where it should be."""
    strayed = math.hypot(place.a - way, place.b) + math.hypot(place.c, place.d - way)
    return strayed if math.isfinite(strayed) else math.inf


def _off(dx: float, dy: float) -> str:
    """Return how far something is from its place, in words; "" if it is there."""
    ways = ((dx, "too far left", "too far right"), (dy, "too high", "too low"))
    return " and ".join(
        f"{mm(abs(distance))} mm {less if distance < 0 else more}"
        for distance, less, more in ways
        if not abs(distance) <= NEAR
    )
