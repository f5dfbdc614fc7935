"""Where crop marks and the fold line should be, computed from the ticket alone.

A cut is an edge of a column or row of cards. Its marks stand on its extension, in the white beyond trim and bleed; both
sides of a sheet keep off the larger bleed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from render.base.geometry import IDENTITY, Affine, Rect
from render.sheets.options import MARGIN, Backs, Crop, Sides, Where
from render.verify.reading.ticket import Ticket, TicketMarks
from render.verify.sheet.places import Block

SPECK = 0.5  # mm: a shorter mark looks like a speck
FOLD_LINE = 0.15  # mm: stroke width
_OFF_THE_FOLD = 0.5  # mm between crop marks and the fold
_TINY = 1e-6  # mm: rounding of sums of lengths

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StraightLine:
    """A straight line: vertical at x = `at` or horizontal at y = `at`, from `start` to `end`; in mm."""

    vertical: bool
    at: float
    start: float
    end: float

    def broken(self, box: Rect, room: float) -> Iterator[StraightLine]:
        """Yield what remains outside a box and `room` mm around it, without specks."""
        near = box.outset(room)
        low, high, first, last = near.x, near.right, near.y, near.bottom
        if not self.vertical:
            low, high, first, last = first, last, low, high
        if not (low < self.at < high and first < self.end and last > self.start):
            yield self
            return
        for start, end in ((self.start, first), (last, self.end)):
            if end - start >= SPECK - _TINY:
                yield replace(self, start=start, end=end)


@dataclass(frozen=True, slots=True)
class Lane:
    """A column or row: start and end of its trim, and of its bleed."""

    start: float
    end: float
    bleed_start: float
    bleed_end: float

    def seen(self, length: float) -> Lane:
        """Return the lane as seen through a sheet of that length."""
        return Lane(length - self.end, length - self.start, length - self.bleed_end, length - self.bleed_start)


@dataclass(frozen=True, slots=True)
class Field:
    """The columns and rows of one side, and the box in which marks may stand."""

    columns: tuple[Lane, ...]
    rows: tuple[Lane, ...]
    room: Rect

    def limits(self, *, vertical: bool) -> Span:
        """Return how far a line may reach."""
        return (self.room.y, self.room.bottom) if vertical else (self.room.x, self.room.right)


def white_edge(ticket: Ticket) -> float:
    """Return how far marks keep from the paper's edge, in mm."""
    return max(ticket.marks.white, MARGIN)


def printable_room(block: Block, *, on_back: bool = False) -> Rect:
    """Return the box of a side in which marks may stand: off the edge, on a back also once it is corrected."""
    ticket = block.ticket
    white, paper, at = white_edge(ticket), ticket.paper, ticket.correction
    inner = paper.rect.outset(-white)
    if not on_back or at == IDENTITY:
        return inner
    # A correction may turn: each limit is worked out at both ends of its edge, and the worse one counts.
    lefts, rights = zip(*((_x(at, white, y), _x(at, paper.width - white, y)) for y in (0.0, paper.height)), strict=True)
    tops, ends = zip(*((_y(at, white, x), _y(at, paper.height - white, x)) for x in (0.0, paper.width)), strict=True)
    left, top = max(lefts), max(tops)
    return inner.shared(Rect(left, top, min(rights) - left, min(ends) - top))


def _x(at: Affine, seen: float, y: float) -> float:
    """Return the x of a page that the correction moves to the x `seen`."""
    return (seen - at.e - at.c * y) / at.a


def _y(at: Affine, seen: float, x: float) -> float:
    """Return the y of a page that the correction moves to the y `seen`."""
    return (seen - at.f - at.b * x) / at.d


def crop_marks(block: Block, *, on_back: bool, free: Sequence[Rect]) -> list[StraightLine]:
    """Return the crop marks of a side, outside the boxes to be kept `free`."""
    marks = block.ticket.marks
    lines = [line for field in _fields(block, on_back=on_back) for line in _lines(field, marks)]
    return _outside(lines, free, marks.line / 2)


def fold_line(block: Block, free: Sequence[Rect]) -> list[StraightLine]:
    """Return the pieces of the line along which a sheet is folded."""
    ticket = block.ticket
    if ticket.backs is not Backs.FOLD:
        return []
    field, vertical = _front(block), block.is_vertical
    across, along = (field.columns, field.rows) if vertical else (field.rows, field.columns)
    fold = (ticket.paper.width if vertical else ticket.paper.height) / 2
    has_bleed = fold - across[-1].bleed_end < FOLD_LINE
    spans = _over_the_sheet(along, field.limits(vertical=vertical), has_bleed=has_bleed)
    return _outside([StraightLine(vertical, fold, *span) for span in spans], free, FOLD_LINE / 2)


def _outside(lines: Iterable[StraightLine], free: Sequence[Rect], room: float) -> list[StraightLine]:
    left = list(lines)
    for box in free:
        left = [piece for line in left for piece in line.broken(box, room)]
    return left


# --- columns, rows and their cuts -----------------------------------------------------------------------------------


def _fields(block: Block, *, on_back: bool) -> list[Field]:
    """Return the fields of a side that have marks; a fold-over sheet has both on one side."""
    ticket, front = block.ticket, _front(block)
    sides = ticket.marks.sides
    if ticket.backs is not Backs.FOLD:
        is_bare = sides is (Sides.FRONTS if on_back else Sides.BACKS)
        back = replace(_through(front, block), room=printable_room(block, on_back=True))
        return [] if is_bare else [back if on_back else front]
    paper = ticket.paper
    half = (
        Rect(0.0, 0.0, paper.width / 2 - _OFF_THE_FOLD, paper.height)
        if block.is_vertical
        else Rect(0.0, 0.0, paper.width, paper.height / 2 - _OFF_THE_FOLD)
    )
    front = replace(front, room=front.room.shared(half))
    both = ((front, Sides.BACKS), (_through(front, block), Sides.FRONTS))
    return [field for field, without in both if sides is not without]


def _front(block: Block) -> Field:
    ticket = block.ticket
    (left, top), (across, down) = block.corner, block.pitch
    # Cards share a gutter, so each bleeds into half of it.
    inner = [min(ticket.most_bleed, gap / 2) if ticket.where is Where.EACH else 0.0 for gap in ticket.gutter]
    columns = _lanes(ticket.columns, (left, across, ticket.card.width), ticket.most_bleed, inner[0])
    rows = _lanes(ticket.rows, (top, down, ticket.card.height), ticket.most_bleed, inner[1])
    return Field(columns, rows, printable_room(block))


def _lanes(count: int, measures: tuple[float, float, float], outer: float, inner: float) -> tuple[Lane, ...]:
    first, pitch, length = measures
    starts = [first + number * pitch for number in range(count)]
    return tuple(
        Lane(
            start,
            start + length,
            start - (outer if number == 0 else inner),
            start + length + (outer if number == count - 1 else inner),
        )
        for number, start in enumerate(starts)
    )


def _through(field: Field, block: Block) -> Field:
    """Return a field as it lies on the other side of the sheet, or of the fold."""
    paper = block.ticket.paper
    columns, rows = field.columns, field.rows
    if block.is_vertical:
        columns = tuple(lane.seen(paper.width) for lane in reversed(columns))
    else:
        rows = tuple(lane.seen(paper.height) for lane in reversed(rows))
    return Field(columns, rows, block.through(field.room))


@dataclass(frozen=True, slots=True)
class _Cut:
    """An edge of a column or row: whether color continues beyond it, and whether two cards share it."""

    at: float
    has_bleed: bool
    is_shared: bool = False


def _cuts(lanes: Sequence[Lane]) -> list[_Cut]:
    found: list[_Cut] = []
    for lane in lanes:
        if found and lane.start - found[-1].at <= _TINY:
            found[-1] = replace(found[-1], is_shared=True)
        else:
            found.append(_Cut(lane.start, lane.start - lane.bleed_start > _TINY))
        found.append(_Cut(lane.end, lane.bleed_end - lane.end > _TINY))
    return found


# --- lines along a cut ----------------------------------------------------------------------------------------------


def _lines(field: Field, marks: TicketMarks) -> Iterator[StraightLine]:
    for vertical, across, along in ((True, field.columns, field.rows), (False, field.rows, field.columns)):
        low, high = field.limits(vertical=not vertical)
        limits = field.limits(vertical=vertical)
        for cut in _cuts(across):
            if low <= cut.at - marks.line / 2 and cut.at + marks.line / 2 <= high:  # half a line's width on each side
                yield from (StraightLine(vertical, cut.at, *span) for span in _spans(cut, along, limits, marks))


def _spans(cut: _Cut, along: Sequence[Lane], limits: Span, marks: TicketMarks) -> Iterator[Span]:
    match marks.crop:
        case Crop.OFF:
            pass
        case Crop.EDGE:
            yield from _in_margins(along, limits, marks)
        case Crop.CORNER:
            yield from _in_margins(along, limits, marks)
            for one, other in pairwise(along):
                yield from _in_a_gutter(one.bleed_end, other.bleed_start, marks)
            yield from _arms(cut, along, marks)
        case Crop.FULL:
            yield from _over_the_sheet(along, limits, has_bleed=cut.has_bleed)


def _in_margins(along: Sequence[Lane], limits: Span, marks: TicketMarks) -> Iterator[Span]:
    """Yield the marks at both ends of a cut, off the cards, as long as asked for or as there is room."""
    (low, high), first, last = limits, along[0].bleed_start, along[-1].bleed_end
    # At most a third of the white is offset, so that a mark remains.
    near, far = first - min(marks.offset, (first - low) / 3), last + min(marks.offset, (high - last) / 3)
    if near - low >= SPECK - _TINY:
        yield max(low, near - marks.length), near
    if high - far >= SPECK - _TINY:
        yield far, min(high, far + marks.length)


def _in_a_gutter(start: float, end: float, marks: TicketMarks) -> Iterator[Span]:
    """Yield the marks between two cards: one beside each, or one for both if two would meet."""
    off = min(marks.offset, (end - start) / 3)
    near, far = start + off, end - off
    if far - near < SPECK - _TINY:
        return
    if far - near <= 2 * marks.length:
        yield near, far
    else:
        yield near, near + marks.length
        yield far - marks.length, far


def _arms(cut: _Cut, along: Sequence[Lane], marks: TicketMarks) -> Iterator[Span]:
    """Yield the arms of crosses where four cards meet."""
    if not cut.is_shared:
        return
    half = min(marks.length / 2, *((lane.end - lane.start) / 2 for lane in along))
    yield from ((other.at - half, other.at + half) for other in _cuts(along) if other.is_shared)


def _over_the_sheet(along: Sequence[Lane], limits: Span, *, has_bleed: bool) -> Iterator[Span]:
    """Yield a line from edge to edge: never on bleed, and along the edges of cards only where these have no bleed."""
    low, high = limits
    free = [low, *(place for lane in along for place in (lane.bleed_start, lane.bleed_end)), high]
    spans = list(zip(free[::2], free[1::2], strict=True))
    if not has_bleed:
        spans += [(lane.start, lane.end) for lane in along]
    joined: list[Span] = []
    for start, end in sorted((max(start, low), min(end, high)) for start, end in spans):
        if end <= start:
            continue
        if joined and start - joined[-1][1] <= _TINY:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    yield from (span for span in joined if span[1] - span[0] >= SPECK - _TINY)
