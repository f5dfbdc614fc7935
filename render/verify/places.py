"""Places: each face in its slot, in the card's size, the right way up, clipped to its bleed, opposite its own back.

The slots follow from the paper, the card and the grid alone: their block lies in the middle of the paper or, on a
fold-over sheet, beside the fold, which is the middle. Backs are measured as seen through the sheet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from render.base.geometry import IDENTITY, Affine, Edges, Flip, Rect, Size
from render.sheets.options import Backs, Where
from render.verify.content import Face
from render.verify.faults import NEAR, Fault, mm, off
from render.verify.ticket import Ticket

FOLD_GAP = 3.0  # mm between cards and a fold; their bleed, if that is more
MAX_CORRECTED, MAX_GROWN = 15.0, 1.05  # mm and times: no printer is off by more in any corner of the paper

_CALIBRATE = "calibrate again with `kotc calibrate`"


class Block(Struct, frozen=True):
    """The slots of a sheet, and whether it turns or folds about a vertical line."""

    ticket: Ticket
    is_vertical: bool

    @staticmethod
    def of(ticket: Ticket) -> Block:
        """Return the slots that follow from the ticket."""
        if ticket.backs is Backs.FOLD:
            return Block(ticket, ticket.fold == "upright")
        # Turned about its long edge, a portrait sheet turns about a vertical line, a landscape one about a level line.
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
        ticket, (across, down), (columns, rows) = self.ticket, self.pitch, self.ticket.grid
        width, height = across * columns - ticket.gutter[0], down * rows - ticket.gutter[1]
        left, top = (ticket.paper.width - width) / 2, (ticket.paper.height - height) / 2
        if ticket.backs is not Backs.FOLD:
            return left + ticket.offset[0], top + ticket.offset[1]
        apart = max(FOLD_GAP, *ticket.bleed)
        if self.is_vertical:
            return ticket.paper.width / 2 - apart - width, top
        return left, ticket.paper.height / 2 - apart - height

    def slot(self, number: int, *, is_back: bool = False) -> Rect:
        """Return the box of a slot, counted row by row from 0, as its front or its back is seen."""
        row, column = divmod(number, self.ticket.grid[0])
        (left, top), (across, down), card = self.corner, self.pitch, self.ticket.card
        box = Rect(left + column * across, top + row * down, card.width, card.height)
        return self.through(box) if is_back else box

    def nearest(self, box: Rect) -> int | None:
        """Return the slot nearest to a box, both seen from the front; None outside of the grid."""
        (left, top), (across, down), (columns, rows) = self.corner, self.pitch, self.ticket.grid
        column, row = (box.x - left) / across, (box.y - top) / down
        if not math.isfinite(column + row):  # as places in a file may be
            return None
        column, row = round(column), round(row)
        return row * columns + column if 0 <= column < columns and 0 <= row < rows else None

    def through(self, box: Rect) -> Rect:
        """Return where a box lies, seen through the sheet once it is turned or folded."""
        paper = self.ticket.paper
        if self.is_vertical:
            return Rect(paper.width - box.right, box.y, box.width, box.height)
        return Rect(box.x, paper.height - box.bottom, box.width, box.height)

    def bleed(self, number: int, bleed: float, *, is_back: bool = False) -> Edges:
        """Return how far a face shows beyond its slot: its bleed, between cards at most half of the gutter."""
        ticket, (columns, rows) = self.ticket, self.ticket.grid
        row, column = divmod(number, columns)
        inner = [min(bleed, gap / 2) if ticket.where is Where.EACH else 0.0 for gap in ticket.gutter]
        left, right = (bleed if column == edge else inner[0] for edge in (0, columns - 1))
        top, bottom = (bleed if row == edge else inner[1] for edge in (0, rows - 1))
        if is_back and self.is_vertical:
            left, right = right, left
        elif is_back:
            top, bottom = bottom, top
        return Edges(left, top, right, bottom)

    def quarters(self, name: str, *, is_back: bool) -> int:
        """Return by how many quarters, clockwise, a side of a card is turned.

        Backs of a sheet that turns about a level line are turned by two. A side that lies in its slot is turned so that
        the card, read upright, turns about its own upright line.
        """
        lies = self.ticket.lies(name, is_back=is_back)
        return (2 * (is_back and not self.is_vertical) + lies * (3 if is_back else 1)) % 4

    def place(self, number: int, name: str, *, is_back: bool) -> Affine:
        """Return the map from a side of a card to its slot."""
        box, quarters = self.slot(number, is_back=is_back), self.quarters(name, is_back=is_back)
        x = box.x if quarters in (0, 3) else box.right
        y = box.y if quarters in (0, 1) else box.bottom
        return Affine.move(x, y) @ Affine.rotate(90 * quarters)

    def named(self, number: int, *, is_back: bool = False) -> str:
        """Return the words for a slot, counted from the front; "" if a page has only one."""
        if self.ticket.shop:
            return ""
        row, column = divmod(number, self.ticket.grid[0])
        return f"column {column + 1}, row {row + 1}{' of the front' if is_back else ''}"


class Side(Struct):
    """A side of a sheet: by slot, the face there with its trim box as measured, and whether its place is right."""

    page: int
    slots: dict[int, tuple[Face, Rect, bool]] = field(default_factory=dict)


def assumed(ticket: Ticket, page: int) -> Iterator[Face]:
    """Yield the faces that a page is to have, in their places: those of a file that does not mark them."""
    block, start = Block.of(ticket), (ticket.sheet_of(page) - ticket.numbers[0]) * ticket.slots
    for slot, name in enumerate(ticket.order[start : start + ticket.slots]):
        for is_back in (False, True) if ticket.backs is Backs.FOLD else (ticket.is_back_page(page),):
            if is_back and ticket.cards[name][1] is None:
                continue
            box = block.slot(slot, is_back=is_back)
            box = box.spread(block.bleed(slot, ticket.bleed[is_back], is_back=is_back))
            corners = (box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)
            yield Face(name, is_back, block.place(slot, name, is_back=is_back), corners, b"", False, ())


def wrong_corrections(ticket: Ticket) -> Iterator[Fault]:
    """Yield a fault if back pages are corrected by more than any printer is off."""
    most = corrected_by(ticket)
    if not most <= MAX_CORRECTED:  # written so that nan fails
        what = f"backs are corrected by up to {mm(most)} mm, and no printer is off by more than {MAX_CORRECTED:g} mm"
        yield Fault("Q040", what, hint=_CALIBRATE)
    elif not 1 / MAX_GROWN <= ticket.correction.growth <= MAX_GROWN:
        yield Fault("Q040", f"backs are drawn {ticket.correction.growth:.2f} times as large", hint=_CALIBRATE)


def corrected_by(ticket: Ticket) -> float:
    """Return the largest distance by which the correction moves a point of the paper: none moves farther than a corner."""
    corners = [(x, y) for x in (0.0, ticket.paper.width) for y in (0.0, ticket.paper.height)]
    return max(math.dist(corner, ticket.correction.apply(*corner)) for corner in corners)


def sides(
    faces: Sequence[Face], block: Block, page: int, *, is_back_page: bool
) -> tuple[dict[bool, Side], list[Fault]]:
    """Return the sides of a page, backs as True, and what is wrong with the places of its faces."""
    ticket = block.ticket
    # Back pages are measured as if they were not corrected.
    undo = ticket.correction.inverse if is_back_page else IDENTITY
    found = {is_back: Side(page) for is_back in (False, True) if is_back is is_back_page or ticket.backs is Backs.FOLD}
    faults = []
    for face in faces:
        side = found.get(face.is_back)
        if side is None:
            belongs = "a front where backs belong" if is_back_page else "a back where fronts belong"
            faults.append(Fault("Q050", belongs, page, face.name))
            continue
        lies = ticket.lies(face.name, is_back=face.is_back)
        box = (undo @ face.place).box((ticket.card.sideways if lies else ticket.card).rect)
        number = block.nearest(block.through(box) if face.is_back else box)
        at = "" if number is None else block.named(number, is_back=face.is_back)
        wrong = [
            Fault("Q040", what, page, face.name, face.is_back, at, kind)
            for kind, what in _misplaced(face, undo, box, number, block)
        ]
        faults += wrong
        if number is not None:
            other = side.slots.setdefault(number, (face, box, not wrong))[0]
            if other is not face:
                what = f"in one slot with `{other.name[:60]}`"
                faults.append(Fault("Q040", what, page, face.name, face.is_back, at, "in one slot"))
    return found, faults


def _misplaced(face: Face, undo: Affine, box: Rect, number: int | None, block: Block) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a face, with its kind: its shape, or else its place, and how it is clipped."""
    shape = _misshapen(undo @ face.place, block.ticket.card, block.quarters(face.name, is_back=face.is_back))
    if shape or number is None:
        yield ("shape", shape) if shape else ("grid", "in no slot of the grid")
        return
    slot = block.slot(number, is_back=face.is_back)
    away = off(box.x - slot.x, box.y - slot.y)
    if away:
        yield "place", away
    points = [undo.apply(*point) for point in face.window]
    xs, ys = sorted(x for x, _ in points), sorted(y for _, y in points)
    # Sorted, the corners of an upright box are equal in pairs.
    if not max(xs[1] - xs[0], xs[3] - xs[2], ys[1] - ys[0], ys[3] - ys[2]) <= 2 * NEAR:
        yield "window", "cut off aslant"
        return
    due = block.bleed(number, block.ticket.bleed[face.is_back], is_back=face.is_back)
    rooms = {"left": box.x - xs[0], "top": box.y - ys[0], "right": xs[3] - box.right, "bottom": ys[3] - box.bottom}
    for name, room in rooms.items():
        if not abs(room - getattr(due, name)) <= NEAR:
            wanted = f"{mm(getattr(due, name))} mm beyond it" if getattr(due, name) else "at it"
            here = f"{mm(abs(room))} mm {'beyond' if room > 0 else 'within'}" if abs(room) >= 0.005 else "at"
            yield "window", f"cut off {here} the trim at the {name}, and not {wanted}"


_WRONG_WAY = {
    0: "upside down",
    2: "not turned by 180 degrees, and the sheet turns about a level line",
    1: "turned by a quarter the wrong way round",
    3: "turned by a quarter the wrong way round",
}
"""What a face is that is turned by two quarters more than it should be, by how many these are."""


def _misshapen(place: Affine, slot: Size, quarters: int) -> str:
    """Return what is wrong with a face's size or rotation; "" if all is right."""
    place, card = Affine.rotate(-90 * quarters) @ place, slot.sideways if quarters % 2 else slot
    # Half a card: how far its corners are from the middle, about which it may be turned.
    half = max(card.width, card.height) / 2
    for towards in (1.0, -1.0):
        strayed = math.hypot(place.a - towards, place.b) + math.hypot(place.c, place.d - towards)
        if strayed * half <= NEAR / 2:
            return _WRONG_WAY[quarters] if towards < 0 else ""
    if place.a * place.d - place.b * place.c <= 0:
        return "mirrored"
    width, height = math.hypot(place.a, place.b) * card.width, math.hypot(place.c, place.d) * card.height
    if max(abs(width - card.width), abs(height - card.height)) > NEAR:
        return f"{mm(width)} x {mm(height)} mm, and the card is {mm(card.width)} x {mm(card.height)} mm"
    angle = math.degrees(math.atan2(place.b, place.a))
    return f"turned by {abs(angle):.2f} degrees" if abs(angle) >= 0.005 else "slanted"


def gaps(side: Side, block: Block, cards: int) -> Iterator[Fault]:
    """Yield which slots of a front are empty and should not be, and the other way round, if it holds `cards`."""
    empty = [number for number in range(cards) if number not in side.slots]
    if empty:
        many = f"{len(empty)} slots, the first in" if len(empty) > 1 else "the slot in"
        yield Fault("Q040", f"no card in {many} {block.named(empty[0])}", side.page)
    for number, (face, _, _) in sorted(side.slots.items()):
        if number >= cards:
            yield Fault("Q040", "in a slot that is to be empty", side.page, face.name, slot=block.named(number))


def opposite(front: Side, back: Side, block: Block) -> Iterator[Fault]:
    """Yield the fronts whose own back is not opposite them, seen through the sheet."""
    for number in sorted({*front.slots, *back.slots}):
        slot, behind = (block.named(number, is_back=is_back) for is_back in (False, True))
        if number not in front.slots:
            yield Fault("Q050", "behind no front", back.page, back.slots[number][0].name, True, behind)
            continue
        face, box, is_right = front.slots[number]
        if number not in back.slots:
            if block.ticket.cards.get(face.name, (0, None))[1] is not None:
                yield Fault("Q050", "no back behind it", front.page, face.name, slot=slot)
            continue
        other, other_box, is_other_right = back.slots[number]
        if other.name != face.name:
            what = f"behind it is the back of `{other.name[:60]}`"
            yield Fault("Q050", what, front.page, face.name, slot=slot, kind="another's")
        elif is_right and is_other_right:
            apart = math.dist(box.center, block.through(other_box).center)
            if apart > NEAR:
                what = f"{apart:.3f} mm from where its front is"
                yield Fault("Q050", what, back.page, face.name, True, behind, "apart")


def in_order(faces: Sequence[Face], page: int, ticket: Ticket) -> Iterator[Fault]:
    """Yield a fault if a page of a file for a shop shows another card than the one whose turn it is."""
    due, is_back = ticket.order[(page - 1) // 2], ticket.is_back_page(page)
    side = "back" if is_back else "front"
    for face in faces:
        if face.name != due:
            yield Fault(
                "Q050", f"where the {side} of `{due[:60]}` is to be", page, face.name, face.is_back, kind="order"
            )
        if face.is_back and not face.is_blank and ticket.cards.get(face.name, (0, ""))[1] is None:
            yield Fault("Q050", "something is drawn, and the card has no back", page, face.name, True)
    if not faces:
        yield Fault("Q050", f"the {side} of `{due[:60]}` is not on the page", page)
