"""All that a sheet carries besides faces: crop marks, fold line, ruler, slug, registration marks, cut lines.

All of it is black alone, except the cut line, which is a preview and not printed. This module decides what yields to
what: registration marks stand where a machine seeks them, margin items keep off them, and lines keep off both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from render.base.caches import cached
from render.base.geometry import Rect, Size
from render.pdf import operators
from render.scene.cut_line import cut_line
from render.scene.items import Item, Outline, Path, Stroke
from render.scene.placement import Placement
from render.sheets import cutting, margin_items
from render.sheets.imposition import Grid, Reflection, Sheet
from render.sheets.options import Backs, Crop, SheetOptions, Sides

_OFF_REGISTRATION = 2.0  # mm around a registration mark that stay unprinted, so that a machine finds only the mark


def front(grid: Grid, words: str, sheet: Sheet) -> tuple[Item, ...]:
    """Return what is drawn on the front of a sheet, over its faces; `words` are the slug's.

    ValueError if registration marks are asked for and have no room.
    """
    found = cutting.registration_marks(grid)
    registration = found.items if found else ()
    kept_free = _around_registration(grid)
    pieces = [*_slug(grid, words, kept_free), *margin_items.fold_words(grid)]
    kept_free += [piece.box for piece in pieces]
    if grid.options.ruler and (ruler := _ruler(grid, tuple(kept_free))):
        pieces.append(ruler)
        kept_free.append(ruler.box)
    if short := check(grid):
        pieces.append(short)
        kept_free.append(short.box)
    return (*_lines(grid, tuple(kept_free)), *registration, *_items(pieces), *_cut_lines(grid, sheet.front))


def back(grid: Grid, words: str, sheet: Sheet) -> tuple[Item, ...]:
    """Return what is drawn on the back of a sheet, over its faces: no ruler and no registration marks."""
    pieces = _slug(grid, words, (), on_back=True)
    lines = _lines_on_back(grid, tuple(piece.box for piece in pieces))
    return (*lines, *_items(pieces), *_cut_lines(grid, sheet.back or ()))


@cached(4)  # all sheets of a job have the same
def check(grid: Grid) -> margin_items.MarginItem | None:
    """Return the shorter ruler, which checks the scale, if it is asked for and has room.

    Ruler, slug and fold words leave its place free, whatever they say.
    """
    return margin_items.check(grid, _around_registration(grid)) if grid.options.ruler else None


@cached(4)  # all sheets have the same, since their slugs take the same box
def _ruler(grid: Grid, free: tuple[Rect, ...]) -> margin_items.MarginItem | None:
    return margin_items.ruler(grid, free)


@cached(4)  # as above
def _lines(grid: Grid, free: tuple[Rect, ...]) -> tuple[Item, ...]:
    return (*crop_marks(grid, free=free), *fold_line(grid, free))


@cached(4)  # as above
def _lines_on_back(grid: Grid, free: tuple[Rect, ...]) -> tuple[Item, ...]:
    return crop_marks(grid, on_back=True, free=free)


def _slug(grid: Grid, words: str, free: Sequence[Rect], *, on_back: bool = False) -> list[margin_items.MarginItem]:
    slug = margin_items.slug(grid, words, free, on_back=on_back) if grid.options.slug else None
    return [slug] if slug else []


def _cut_lines(grid: Grid, placements: Sequence[Placement]) -> tuple[Item, ...]:
    if not grid.options.cut_line:
        return ()
    return tuple(cut_line(placement.box, grid.options.corner_radius) for placement in placements)


def _items(pieces: Sequence[margin_items.MarginItem]) -> tuple[Item, ...]:
    return tuple(item for piece in pieces for item in piece.items)


def _around_registration(grid: Grid) -> list[Rect]:
    found = cutting.registration_marks(grid)
    return [_around(outline) for outline in found.outlines] if found else []


def _around(outline: Outline) -> Rect:
    return operators.bounds((Path((outline,)),)).outset(_OFF_REGISTRATION)


# --- Crop marks and the fold line: where to cut and where to fold, as lines outside the cards ---


SHORTEST = 0.5  # mm: a shorter mark looks like a speck

_BLACK = (0, 0, 0)
_OFF_THE_FOLD = 0.5  # mm between crop marks and the fold line, among whose dashes they would be lost
_FOLD = Stroke(color=_BLACK, width=0.15, dashes=(2.0, 1.0))
_TINY = 1e-6  # mm: rounding of sums of lengths

Span = tuple[float, float]
"""Start and end in mm along a line."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line: vertical at x = `at` or horizontal at y = `at`, from `start` to `end`; all in mm."""

    vertical: bool
    at: float
    start: float
    end: float

    @property
    def outline(self) -> Outline:
        """The line as a path."""
        if self.vertical:
            return Outline((self.at, self.start), ((self.at, self.end),), False)
        return Outline((self.start, self.at), ((self.end, self.at),), False)

    def outside(self, box: Rect) -> Iterator[Rule]:
        """Yield what remains of the line outside a box, without specks."""
        low, high = (box.x, box.right) if self.vertical else (box.y, box.bottom)
        near, far = (box.y, box.bottom) if self.vertical else (box.x, box.right)
        if not (low < self.at < high and near < self.end and far > self.start):
            yield self
            return
        for start, end in ((self.start, near), (far, self.end)):
            if end - start >= SHORTEST - _TINY:
                yield replace(self, start=start, end=end)


def crop_marks(grid: Grid, *, on_back: bool = False, free: Sequence[Rect] = ()) -> tuple[Item, ...]:
    """Return the crop marks of a side, as its options ask for them, outside the boxes to be kept `free`."""
    rules = [rule for field in _fields(grid, on_back) for rule in _rules(field, grid.options)]
    return _drawn(rules, free, Stroke(color=_BLACK, width=grid.options.mark_line))


def fold_line(grid: Grid, free: Sequence[Rect] = ()) -> tuple[Item, ...]:
    """Return the dashed line of a fold-over sheet, broken where bleed reaches it; none for other sheets."""
    if grid.options.backs is not Backs.FOLD:
        return ()
    field, vertical = _field(_front(grid), grid.room()), grid.flip_axis.vertical
    across, along = (field.columns, field.rows) if vertical else (field.rows, field.columns)
    # Beside cards whose bleed reaches the fold, dashes would be printed on it.
    bled = grid.flip_axis.at - across[-1].bleed_end < _FOLD.width
    spans = _over_the_sheet(along, field.limits(vertical), bled=bled)
    return _drawn([Rule(vertical, grid.flip_axis.at, *span) for span in spans], free, _FOLD)


# --- columns, rows, and the white around them -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class _Lane:
    """A column or row of cards: start and end of its trim, and of its bleed."""

    start: float
    end: float
    bleed_start: float
    bleed_end: float


@dataclass(frozen=True, slots=True)
class _Field:
    """A block of cards, and the room in which its marks may stand."""

    columns: tuple[_Lane, ...]
    rows: tuple[_Lane, ...]
    room: Rect

    def limits(self, vertical: bool) -> Span:
        """Return how far a line may reach in this room."""
        return (self.room.y, self.room.bottom) if vertical else (self.room.x, self.room.right)


@dataclass(frozen=True, slots=True)
class _Cut:
    """The edge of a column or row: whether color continues beyond it, and whether two cards share it."""

    at: float
    bled: bool
    shared: bool = False


@dataclass(frozen=True, slots=True)
class _Gap:
    """White before, between or behind lanes, outside their bleed, and whether cards are at its ends."""

    start: float
    end: float
    card_before: bool = True
    card_after: bool = True


Cards = list[tuple[Rect, Rect]]
"""The boxes of cards: trim, and trim with bleed."""


def _fields(grid: Grid, on_back: bool) -> list[_Field]:
    """Return the blocks of a side that are marked; a fold-over sheet has both on one side, each in its half."""
    front, back, room = _front(grid), _back(grid), grid.room(on_back=on_back)
    sides = grid.options.mark_sides
    if grid.options.backs is Backs.FOLD:
        half = _before_the_fold(room, grid.flip_axis, grid.paper)
        halves = [(_field(front, half), Sides.BACKS), (_field(back, grid.flip_axis.box(half)), Sides.FRONTS)]
        return [field for field, without in halves if sides is not without]
    if sides is (Sides.FRONTS if on_back else Sides.BACKS):
        return []
    return [_field(back if on_back else front, room)]


def _front(grid: Grid) -> Cards:
    """Return the boxes on the front. Both sides keep off the larger bleed, so that their marks coincide."""
    bleed = grid.options.most_bleed
    return [(slot, slot.spread(grid.bleed(number, bleed))) for number, slot in enumerate(grid.slots)]


def _back(grid: Grid) -> Cards:
    return [(grid.flip_axis.box(trim), grid.flip_axis.box(bleed)) for trim, bleed in _front(grid)]


def _field(cards: Cards, room: Rect) -> _Field:
    columns = {_Lane(trim.x, trim.right, bleed.x, bleed.right) for trim, bleed in cards}
    rows = {_Lane(trim.y, trim.bottom, bleed.y, bleed.bottom) for trim, bleed in cards}
    return _Field(tuple(sorted(columns)), tuple(sorted(rows)), room)


def _before_the_fold(room: Rect, fold: Reflection, paper: Size) -> Rect:
    cut_off = fold.at - _OFF_THE_FOLD
    if fold.vertical:
        return room.shared(Rect(0.0, 0.0, cut_off, paper.height))
    return room.shared(Rect(0.0, 0.0, paper.width, cut_off))


def _cuts(lanes: Sequence[_Lane]) -> list[_Cut]:
    """Return the edges of the lanes in order; edges that touch are one."""
    cuts: list[_Cut] = []
    for lane in lanes:
        if cuts and lane.start - cuts[-1].at <= _TINY:
            cuts[-1] = replace(cuts[-1], shared=True)
        else:
            cuts.append(_Cut(lane.start, lane.start - lane.bleed_start > _TINY))
        cuts.append(_Cut(lane.end, lane.bleed_end - lane.end > _TINY))
    return cuts


def _gaps(lanes: Sequence[_Lane], limits: Span) -> list[_Gap]:
    between = [_Gap(one.bleed_end, other.bleed_start) for one, other in pairwise(lanes)]
    first = _Gap(limits[0], lanes[0].bleed_start, card_before=False)
    return [first, *between, _Gap(lanes[-1].bleed_end, limits[1], card_after=False)]


# --- the kinds of marks ---------------------------------------------------------------------------------------------


def _rules(field: _Field, options: SheetOptions) -> Iterator[Rule]:
    for vertical, across, along in ((True, field.columns, field.rows), (False, field.rows, field.columns)):
        low, high = field.limits(not vertical)
        for cut in _cuts(across):
            # Half a line's width on each side, since the line is centered on the cut.
            if low <= cut.at - options.mark_line / 2 and cut.at + options.mark_line / 2 <= high:
                for start, end in _spans(cut, along, field.limits(vertical), options):
                    yield Rule(vertical, cut.at, start, end)


def _spans(cut: _Cut, along: Sequence[_Lane], limits: Span, options: SheetOptions) -> Iterator[Span]:
    """Yield the spans in which a cut is marked, where it crosses the lanes `along` it."""
    gaps = _gaps(along, limits)
    match options.crop_marks:
        case Crop.OFF:
            return
        case Crop.EDGE:
            yield from _ticks((gaps[0], gaps[-1]), options)
        case Crop.CORNER:
            yield from _ticks(gaps, options)
            yield from _arms(cut, along, options)
        case Crop.FULL:
            yield from _over_the_sheet(along, limits, bled=cut.bled)


def _ticks(gaps: Sequence[_Gap], options: SheetOptions) -> Iterator[Span]:
    """Yield the marks in gaps: one beside each card, off its bleed; one for both cards if two would meet."""
    for gap in gaps:
        off = min(
            options.mark_offset, (gap.end - gap.start) / 3
        )  # in a narrow gap at least a third is left for the mark
        start, end = gap.start + off * gap.card_before, gap.end - off * gap.card_after
        room = end - start
        if room < SHORTEST - _TINY:
            continue
        if gap.card_before and gap.card_after and room <= 2 * options.mark_length:
            yield start, end
            continue
        if gap.card_before:
            yield start, min(end, start + options.mark_length)
        if gap.card_after:
            yield max(start, end - options.mark_length), end


def _arms(cut: _Cut, along: Sequence[_Lane], options: SheetOptions) -> Iterator[Span]:
    """Yield the arms of crosses where four cards meet, at most half a card long to each side."""
    half = min(options.mark_length / 2, *((lane.end - lane.start) / 2 for lane in along))
    for other in _cuts(along):
        if cut.shared and other.shared:
            yield other.at - half, other.at + half


def _over_the_sheet(along: Sequence[_Lane], limits: Span, *, bled: bool) -> Iterator[Span]:
    """Yield a line over the whole sheet, never on bleed; beside cards only where no color continues beyond the cut."""
    spans = [(gap.start, gap.end) for gap in _gaps(along, limits)]
    if not bled:
        spans += [(lane.start, lane.end) for lane in along]
    low, high = limits
    clipped = ((max(start, low), min(end, high)) for start, end in sorted(spans))
    yield from (span for span in _joined(clipped) if span[1] - span[0] >= SHORTEST - _TINY)


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Return the spans in order: those that meet are joined, empty ones left out."""
    joined: list[Span] = []
    for start, end in spans:
        if end <= start:
            continue
        if joined and start - joined[-1][1] <= _TINY:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined


def _drawn(rules: Sequence[Rule], free: Sequence[Rect], stroke: Stroke) -> tuple[Item, ...]:
    for box in free:
        # The box and half the stroke, so that no ink reaches into it.
        rules = [piece for rule in rules for piece in rule.outside(box.outset(stroke.width / 2))]
    return (Path(tuple(rule.outline for rule in rules), None, stroke=stroke),) if rules else ()
