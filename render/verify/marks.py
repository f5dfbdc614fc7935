"""What should be printed beside the cards: crop marks, fold line, registration marks, slug, fold words, rulers, cut lines.

All is computed from the ticket, as `out/sheets.md` describes it. A cut is an edge of a column or row of cards; its marks
stand on its extension, in the white beyond trim and bleed. Both sides of a sheet keep off the larger bleed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import floor
from typing import NamedTuple

from render.base.geometry import IDENTITY, Affine, Rect, box_around
from render.scene import outlines as shapes
from render.scene.items import Item, Outline, Path, Stroke, TextRun
from render.sheets.options import MARGIN, Backs, Crop, Registration, Sides
from render.text import fitting, fonts
from render.text.line_breaking import TextStyle
from render.verify.places import Block
from render.verify.ticket import Ticket

BETWEEN = " · "
LABEL = "100 mm: measure this line; if it is not 100 mm long, print at 100 % (actual size)"
CHECK_LABEL = "40 mm: if it is not, print at 100 %"

_SPECK, _TINY = 0.5, 1e-6  # mm: a shorter mark looks like a speck; rounding of sums
_BLACK, _MAGENTA = (0, 0, 0), (255, 0, 255)
_FOLD = Stroke(color=_BLACK, width=0.15, dashes=(2.0, 1.0))
_CUT_LINE = Stroke(color=_MAGENTA, width=0.2)
_OFF_THE_FOLD = 0.5  # mm between crop marks and the fold
_RULER, _CHECK, _CHECK_DEPTH, _LINE = 100.0, 40.0, 1.5, 0.12  # mm; the last is the width of their lines
_TYPE = TextStyle("DejaVu Sans Condensed", _BLACK)
_SIZE, _SMALLEST, _LABEL_SIZE, _ASCENT = 2.1, 0.7, 1.5, 0.76  # mm, shares of the size
_MIN_STRIP, _MAX_STRIP = 3.1, 6.0  # mm: depth of a strip for a ruler or a slug
_APART, _WITHOUT_MARKS, _AROUND = 0.3, 1.0, 0.55  # mm from marks, from cards without marks, around words in a line
_INSET, _THICKNESS, _SQUARE = 10.0, 0.5, 5.0  # mm: marks of Silhouette machines
_SHORTEST, _LONGEST, _STEP = 5.0, 20.0, 0.5  # mm of their brackets
_OFF_THEM, _OFF_CARDS = 2.1, 2.0  # mm kept from them, and by them from cards

Span = tuple[float, float]
Lane = tuple[float, float, float, float]
"""A column or row: start and end of its trim, and of its bleed."""

Line = tuple[bool, float, float, float]
"""A straight line: whether it is vertical, at which x or y, and from where to where."""


class Mark(NamedTuple):
    """Something beside the cards: what it is called, what it draws, and the box that others keep off."""

    name: str
    items: tuple[Item, ...]
    box: Rect


def expected(block: Block, sheet: int, slots: Iterable[tuple[int, bool]], *, on_back: bool) -> list[Mark]:
    """Return what should be beside the cards of a side; `slots` are those that hold a card, and whether its back."""
    ticket = block.ticket
    found = list(_margin_items(block, _words(ticket, sheet, on_back=on_back), on_back=on_back))
    lines = list(_lines(block, tuple(mark.box for mark in found), on_back=on_back))
    cuts = [_cut(block, number, is_back=is_back) for number, is_back in slots if ticket.marks.cut_line]
    return [*lines, *found, *(Mark("cut line", (Path(cut, None, stroke=_CUT_LINE),), Rect(0, 0, 0, 0)) for cut in cuts)]


def _cut(block: Block, number: int, *, is_back: bool) -> tuple[Outline, ...]:
    """Return where the card in a slot is cut; seen from behind, an outline of its own is mirrored."""
    ticket, box = block.ticket, block.slot(number, is_back=is_back)
    if not ticket.cut:
        return shapes.rect_of(box, min(ticket.radius, box.width / 2, box.height / 2))
    if not is_back:
        place = Affine.move(box.x, box.y)
    elif block.is_vertical:
        place = Affine(-1.0, 0.0, 0.0, 1.0, box.right, box.y)
    else:
        place = Affine(1.0, 0.0, 0.0, -1.0, box.x, box.bottom)
    return shapes.move_outlines(ticket.cut_outline, place)


def _words(ticket: Ticket, sheet: int, *, on_back: bool) -> str:
    side = "front and back" if ticket.backs is Backs.FOLD else "back" if on_back else "front"
    return BETWEEN.join(part for part in (ticket.marks.slug, f"sheet {sheet} of {ticket.sheets}", side) if part)


# --- lines ----------------------------------------------------------------------------------------------------------


@lru_cache(8)  # all sheets of a file have the same
def _lines(block: Block, free: tuple[Rect, ...], *, on_back: bool) -> tuple[Mark, ...]:
    ticket = block.ticket
    crops = [line for field in _fields(block, on_back=on_back) for line in _crop_marks(*field, ticket)]
    folds = [] if on_back or ticket.backs is not Backs.FOLD else list(_fold_line(block))
    found = []
    for name, lines, stroke in (
        ("crop mark", crops, Stroke(color=_BLACK, width=ticket.marks.line)),
        ("fold line", folds, _FOLD),
    ):
        for box in free:
            lines = [piece for line in lines for piece in _outside(line, box.outset(stroke.width / 2))]
        ends = [
            ((at, start), (at, end)) if vertical else ((start, at), (end, at)) for vertical, at, start, end in lines
        ]
        outlines = tuple(Outline(start, (end,), False) for start, end in ends)
        found += [Mark(name, (Path(outlines, None, stroke=stroke),), ticket.paper.rect)] if outlines else []
    return tuple(found)


def _fields(block: Block, *, on_back: bool) -> Iterator[tuple[list[Lane], list[Lane], Rect]]:
    """Yield the columns and rows of a side that have marks, and where these may stand; a fold-over sheet has both."""
    ticket, paper = block.ticket, block.ticket.paper
    columns, rows = _lanes(block, 0), _lanes(block, 1)
    behind = (_seen(columns, paper.width), rows) if block.is_vertical else (columns, _seen(rows, paper.height))
    room = _room(ticket, on_back=on_back)
    if ticket.backs is not Backs.FOLD:
        if ticket.marks.sides is not (Sides.FRONTS if on_back else Sides.BACKS):
            yield *(behind if on_back else (columns, rows)), room
        return
    wide, high = (paper.width / 2 - _OFF_THE_FOLD, paper.height) if block.is_vertical else (
        paper.width, paper.height / 2 - _OFF_THE_FOLD
    )  # fmt: skip
    half = room.shared(Rect(0.0, 0.0, wide, high))
    if ticket.marks.sides is not Sides.BACKS:
        yield columns, rows, half
    if ticket.marks.sides is not Sides.FRONTS:
        yield *behind, block.through(half)


def _lanes(block: Block, way: int) -> list[Lane]:
    """Return the columns (0) or rows (1) as seen from the front."""
    count = block.ticket.grid[way]
    lanes = []
    for number in range(count):
        slot = number * (block.ticket.grid[0] if way else 1)
        trim, bleed = block.slot(slot), block.bleed(slot, block.ticket.most_bleed)
        full = trim.spread(bleed)
        lanes.append((trim.y, trim.bottom, full.y, full.bottom) if way else (trim.x, trim.right, full.x, full.right))
    return lanes


def _seen(lanes: Sequence[Lane], length: float) -> list[Lane]:
    """Return lanes as seen through a sheet of that length."""
    return [(length - lane[1], length - lane[0], length - lane[3], length - lane[2]) for lane in reversed(lanes)]


def _room(ticket: Ticket, *, on_back: bool = False) -> Rect:
    """Return the box of a side in which marks may stand: off the edge, on a back also once it is corrected."""
    white, paper, at = max(ticket.marks.white, MARGIN), ticket.paper, ticket.correction
    inner = paper.rect.outset(-white)
    if not on_back or at == IDENTITY:
        return inner
    # A correction may turn: each limit is worked out at both ends of its edge, and the worse one counts.
    xs = [[(limit - at.e - at.c * y) / at.a for y in (0.0, paper.height)] for limit in (white, paper.width - white)]
    ys = [[(limit - at.f - at.b * x) / at.d for x in (0.0, paper.width)] for limit in (white, paper.height - white)]
    left, top = max(xs[0]), max(ys[0])
    return inner.shared(Rect(left, top, min(xs[1]) - left, min(ys[1]) - top))


def _crop_marks(columns: Sequence[Lane], rows: Sequence[Lane], room: Rect, ticket: Ticket) -> Iterator[Line]:
    down, across = (room.y, room.bottom), (room.x, room.right)
    for vertical, lanes, along, limits, (low, high) in (
        (True, columns, rows, down, across),
        (False, rows, columns, across, down),
    ):
        for at, has_bleed, is_shared in _cuts(lanes):
            if (
                low <= at - ticket.marks.line / 2 and at + ticket.marks.line / 2 <= high
            ):  # half a line's width on each side
                for start, end in _spans(along, limits, ticket, has_bleed=has_bleed, is_shared=is_shared):
                    yield vertical, at, start, end


def _cuts(lanes: Sequence[Lane]) -> list[tuple[float, bool, bool]]:
    """Return the edges of lanes: whether color continues beyond each, and whether two cards share it."""
    found: list[tuple[float, bool, bool]] = []
    for start, end, bleed_start, bleed_end in lanes:
        if found and start - found[-1][0] <= _TINY:
            found[-1] = (found[-1][0], found[-1][1], True)
        else:
            found.append((start, start - bleed_start > _TINY, False))
        found.append((end, bleed_end - end > _TINY, False))
    return found


def _spans(along: Sequence[Lane], limits: Span, ticket: Ticket, *, has_bleed: bool, is_shared: bool) -> Iterator[Span]:
    """Yield from where to where a cut is marked, across the lanes `along` it."""
    if ticket.marks.crop is Crop.FULL:
        yield from _over_the_sheet(along, limits, has_bleed=has_bleed)
    if ticket.marks.crop not in (Crop.EDGE, Crop.CORNER):
        return
    (low, high), first, last, length = limits, along[0][2], along[-1][3], ticket.marks.length
    # At most a third of the white is offset, so that a mark remains.
    near, far = first - min(ticket.marks.offset, (first - low) / 3), last + min(ticket.marks.offset, (high - last) / 3)
    between = []
    for one, other in pairwise(along) if ticket.marks.crop is Crop.CORNER else ():
        aside = min(ticket.marks.offset, (other[2] - one[3]) / 3)
        start, end = one[3] + aside, other[2] - aside
        # In a gutter there is a mark beside each card, or one for both if two would meet.
        between += [(start, end)] if end - start <= 2 * length else [(start, start + length), (end - length, end)]
    for start, end in ((max(low, near - length), near), *between, (far, min(high, far + length))):
        if end - start >= _SPECK - _TINY:
            yield start, end
    if ticket.marks.crop is Crop.CORNER and is_shared:  # the arms of crosses where four cards meet
        half = min(length / 2, *((lane[1] - lane[0]) / 2 for lane in along))
        yield from ((at - half, at + half) for at, _, is_crossed in _cuts(along) if is_crossed)


def _over_the_sheet(along: Sequence[Lane], limits: Span, *, has_bleed: bool) -> Iterator[Span]:
    """Yield a line from edge to edge: never on bleed, and along the edges of cards only where these have no bleed."""
    low, high = limits
    ends = [low, *(place for lane in along for place in lane[2:]), high]
    spans = list(zip(ends[::2], ends[1::2], strict=True)) + ([] if has_bleed else [lane[:2] for lane in along])
    joined: list[Span] = []
    for start, end in sorted((max(start, low), min(end, high)) for start, end in spans):
        if end > start and joined and start - joined[-1][1] <= _TINY:
            joined[-1] = joined[-1][0], end
        elif end > start:
            joined.append((start, end))
    yield from (span for span in joined if span[1] - span[0] >= _SPECK - _TINY)


def _fold_line(block: Block) -> Iterator[Line]:
    vertical, paper, room = block.is_vertical, block.ticket.paper, _room(block.ticket)
    across, along = (_lanes(block, 0), _lanes(block, 1)) if vertical else (_lanes(block, 1), _lanes(block, 0))
    fold = (paper.width if vertical else paper.height) / 2
    limits = (room.y, room.bottom) if vertical else (room.x, room.right)
    for span in _over_the_sheet(along, limits, has_bleed=fold - across[-1][3] < _FOLD.width):
        yield vertical, fold, *span


def _outside(line: Line, box: Rect) -> Iterator[Line]:
    """Yield what remains of a line outside a box, without specks."""
    vertical, at, start, end = line
    low, high, first, last = box.x, box.right, box.y, box.bottom
    if not vertical:
        low, high, first, last = first, last, low, high
    if not (low < at < high and first < end and last > start):
        yield line
        return
    yield from ((vertical, at, *span) for span in ((start, first), (last, end)) if span[1] - span[0] >= _SPECK - _TINY)


# --- rulers, slug, fold words and registration marks ----------------------------------------------------------------


class _Strip(NamedTuple):
    """White along an edge of the paper; print in it runs to the right, or is turned clockwise by quarter turns."""

    box: Rect
    quarters: int

    @property
    def length(self) -> float:
        return self.box.height if self.quarters else self.box.width

    @property
    def depth(self) -> float:
        return self.box.width if self.quarters else self.box.height

    def placed(self, line: fitting.TextLine, words: str) -> tuple[TextRun, ...]:
        return tuple(run.taken(self.place) for run in fitting.set_line(words, _TYPE, line))

    def bars(self, boxes: Sequence[Rect]) -> Path:
        corners = [((b.x, b.y), (b.right, b.y), (b.right, b.bottom), (b.x, b.bottom)) for b in boxes]
        return Path(tuple(_polygon([self.place.apply(*at) for at in each]) for each in corners), _BLACK)

    @property
    def place(self) -> Affine:
        """The map from its own space to the page."""
        at = (self.box.x, self.box.y), (self.box.right, self.box.y), (0.0, 0.0), (self.box.x, self.box.bottom)
        return Affine.move(*at[self.quarters]) @ Affine.rotate(90 * self.quarters)


def _margin_items(block: Block, words: str, *, on_back: bool) -> Iterator[Mark]:
    ticket = block.ticket
    registration = [] if on_back or ticket.marks.registration is Registration.NONE else _registration(block)
    yield from registration
    taken = [mark.box for mark in registration]
    if ticket.marks.slug is not None:
        for strip in (_strip(block, 0, taken, on_back=on_back), _strip(block, 3, taken, on_back=on_back)):
            runs = _slug(words, strip) if strip else ()
            if strip and runs:
                yield Mark("slug", tuple(run.taken(strip.place) for run in runs), strip.box)
                taken.append(strip.box)
                break
    if on_back:
        return
    for fold in _fold_words(block):
        yield fold
        taken.append(fold.box)
    if ticket.marks.ruler:
        strips = (_strip(block, 2, taken), _strip(block, 1, taken))
        yield from (_ruler(strip) for strip in [s for s in strips if s and s.length >= _RULER][:1])
    if ticket.marks.check:
        yield _second_ruler(block, Rect(*ticket.marks.check))


def _strip(block: Block, side: int, taken: Sequence[Rect], *, on_back: bool = False) -> _Strip | None:
    """Return the longest free strip along an edge: the top (0), right (1), bottom (2) or left (3); None if too thin."""
    ticket = block.ticket
    room, cards = _room(ticket, on_back=on_back), _printed(block, on_back=on_back)
    white = (cards.y - room.y, room.right - cards.right, room.bottom - cards.bottom, cards.x - room.x)[side]
    beside = _WITHOUT_MARKS if ticket.marks.crop is Crop.OFF else ticket.marks.offset + ticket.marks.length
    beside = max(beside, _WITHOUT_MARKS + _CHECK_DEPTH) if ticket.marks.ruler else beside
    deep = min(white - beside - _APART, _MAX_STRIP)
    box = (
        Rect(room.x, room.y, room.width, deep),
        Rect(room.right - deep, room.y, deep, room.height),
        Rect(room.x, room.bottom - deep, room.width, deep),
        Rect(room.x, room.y, deep, room.height),
    )[side]
    if min(box.width, box.height) < _MIN_STRIP:
        return None
    for other in taken:
        if not other.overlaps(box):
            continue
        shared = other.shared(box)
        if side % 2:
            before, behind = shared.y - box.y, box.bottom - shared.bottom
            box = Rect(box.x, box.y if before >= behind else shared.bottom, box.width, max(before, behind))
        else:
            before, behind = shared.x - box.x, box.right - shared.right
            box = Rect(box.x if before >= behind else shared.right, box.y, max(before, behind), box.height)
    return _Strip(box, side if side % 2 else 0)


def _printed(block: Block, *, on_back: bool = False) -> Rect:
    """Return the box around all cards of a side and their bleed."""
    ends = [block.slot(0), block.slot(block.ticket.slots - 1)]
    if block.ticket.backs is Backs.FOLD:
        ends += [block.through(end) for end in ends]
    elif on_back:
        ends = [block.through(end) for end in ends]
    corners = [corner for end in ends for corner in ((end.x, end.y), (end.right, end.bottom))]
    return box_around(corners).outset(block.ticket.most_bleed)


def _slug(words: str, strip: _Strip) -> tuple[TextRun, ...]:
    """Set words, or as much of all but their last two parts as fits."""
    line = fitting.TextLine(
        strip.length / 2, strip.depth / 2 + 0.75, "middle", _SIZE, strip.length, smallest=_SIZE * _SMALLEST
    )
    if runs := fitting.set_line(words, _TYPE, line):
        return runs
    parts = words.split(BETWEEN)
    head, tail = (BETWEEN.join(parts[:-2]), parts[-2:]) if len(parts) > 2 else (words, [])

    def cut(kept: int) -> str:
        return BETWEEN.join((f"{head[:kept].rstrip(BETWEEN)}…", *tail))

    most = bisect_left(range(1, len(head)), True, key=lambda kept: not fitting.set_line(cut(kept), _TYPE, line))
    return fitting.set_line(cut(most), _TYPE, line) if most else ()


def _ruler(strip: _Strip) -> Mark:
    left, top = (strip.length - _RULER) / 2, (strip.depth - _MIN_STRIP) / 2
    bars = [Rect(left, top, _RULER, _LINE)]
    for number in range(11):
        # The first tick begins at 0, the last ends at 100 mm, the others are centered.
        at = left + 10 * number - (0.0 if number == 0 else _LINE if number == 10 else _LINE / 2)
        bars.append(Rect(at, top, _LINE, 0.8 if number % 5 else 1.2))
    line = fitting.TextLine(strip.length / 2, top + 2.75, align="middle", size=_LABEL_SIZE, width=_RULER, narrowest=0.7)
    return Mark("ruler", (strip.bars(bars), *strip.placed(line, LABEL)), strip.box)


def _second_ruler(block: Block, box: Rect) -> Mark:
    """Return the shorter ruler in its box: a line with end ticks, broken by its label."""
    quarters = 0 if box.width > box.height else 3 if box.center[0] < _printed(block).center[0] else 1
    strip, middle = _Strip(box, quarters), (_CHECK_DEPTH - _LINE) / 2
    aside = (_CHECK - fonts.width(_TYPE.face, CHECK_LABEL) * _LABEL_SIZE) / 2 - _AROUND
    bars = (
        Rect(0.0, 0.0, _LINE, _CHECK_DEPTH),
        Rect(_CHECK - _LINE, 0.0, _LINE, _CHECK_DEPTH),
        Rect(0.0, middle, aside, _LINE),
        Rect(_CHECK - aside, middle, aside, _LINE),
    )
    line = fitting.TextLine(_CHECK / 2, _ASCENT * _LABEL_SIZE, "middle", _LABEL_SIZE)
    return Mark("second ruler", (strip.bars(bars), *strip.placed(line, CHECK_LABEL)), box)


def _fold_words(block: Block) -> Iterator[Mark]:
    """Yield the word at both ends of a fold: beside it, or where that leaves no room, above the cards."""
    ticket, vertical, paper = block.ticket, block.is_vertical, block.ticket.paper
    if ticket.backs is not Backs.FOLD:
        return
    first, last, cards = block.slot(0), block.slot(ticket.slots - 1), _printed(block)
    fold, length = (paper.width / 2, paper.height) if vertical else (paper.height / 2, paper.width)
    width = fonts.width(_TYPE.face, "fold") * _SIZE + 2 * _AROUND
    height = fonts.CAP_HEIGHT * _SIZE + 2 * _AROUND
    white = fold - ticket.most_bleed - (last.right if vertical else last.bottom)
    along, quarters = (first.center[1], 3) if vertical else (first.center[0], 0)
    if 2 * white < height:  # half of the word is on each side of the fold
        strip = _strip(block, 0 if vertical else 3, ())
        start = max(ticket.marks.white, MARGIN) + (strip.depth if strip else 0.0)
        end, taken = (cards.y, height) if vertical else (cards.x, width)
        if end - start < taken:
            return
        along, quarters = max((start + end) / 2, end - taken), 0
    line = fitting.TextLine(0.0, fonts.CAP_HEIGHT * _SIZE / 2, "middle", _SIZE)
    for at in (along, length - along):
        place = Affine.move(*((fold, at) if vertical else (at, fold))) @ Affine.rotate(90 * quarters)
        runs = tuple(run.taken(place) for run in fitting.set_line("fold", _TYPE, line))
        yield Mark("word at the fold", runs, place.box(Rect(-width / 2, -height / 2, width, height)))


def _registration(block: Block) -> list[Mark]:
    """Return a square at the top left and brackets at the top right and bottom left, as long as there is room."""
    first, paper = block.slot(0), block.ticket.paper
    left = max(first.x, first.y) - block.ticket.bleed[0] - _INSET - _OFF_CARDS + _TINY
    length = min(floor(left / _STEP) * _STEP, _LONGEST) if left >= _SHORTEST else 0.0
    near, far, end = _INSET - _THICKNESS / 2, _INSET + _SQUARE + _THICKNESS / 2, _INSET + length
    thin = near + _THICKNESS
    bracket = ((near, near), (end, near), (end, thin), (thin, thin), (thin, end), (near, end))
    outlines = (
        ((near, near), (far, near), (far, far), (near, far)),
        tuple((paper.width - x, y) for x, y in bracket),
        tuple((x, paper.height - y) for x, y in bracket),
    )
    items: tuple[Item, ...] = (Path(tuple(map(_polygon, outlines)), _BLACK),)
    found: list[Mark] = []
    for corners in outlines:
        found.append(Mark("registration mark", () if found else items, box_around(corners).outset(_OFF_THEM)))
    return found


def _polygon(corners: Sequence[tuple[float, float]]) -> Outline:
    return Outline(corners[0], tuple(corners[1:]), True)
