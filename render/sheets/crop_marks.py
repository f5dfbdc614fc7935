"""Crop marks and the fold line: where to cut and where to fold, as lines outside of the cards.

All of it follows from the columns and rows of a block of cards: a cut is an edge of a column or a row, and a mark
stands on its prolongation, in the white beyond trim and bleed. The sheets of a stack are cut at once, so that empty
slots are marked like full ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from render.base.geometry import Rect, Size
from render.scene.items import Item, Outline, Path, Stroke
from render.sheets.grid import Grid, Reflection
from render.sheets.options import Backs, Crop, SheetOptions, Sides

SHORTEST = 0.5  # mm: what is shorter is a speck and no mark

_BLACK = (0, 0, 0)
_OFF_THE_FOLD = 0.5  # mm that crop marks keep from the fold line, or they would look like its dashes
_FOLD = Stroke(_BLACK, 0.15, dashes=(2.0, 1.0))
_TINY = 1e-6  # mm: what sums of lengths may be off

Span = tuple[float, float]
"""From where to where, in mm along a line."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line on the sheet: upright at x = `at` or level at y = `at`, from `start` to `end`; all in mm."""

    upright: bool
    at: float
    start: float
    end: float

    @property
    def outline(self) -> Outline:
        """The line as a path."""
        if self.upright:
            return Outline((self.at, self.start), ((self.at, self.end),), False)
        return Outline((self.start, self.at), ((self.end, self.at),), False)

    def outside(self, box: Rect) -> Iterator[Rule]:
        """Yield what is left of the line outside of a box, but for specks."""
        low, high = (box.x, box.right) if self.upright else (box.y, box.bottom)
        near, far = (box.y, box.bottom) if self.upright else (box.x, box.right)
        if not (low < self.at < high and near < self.end and far > self.start):
            yield self
            return
        for start, end in ((self.start, near), (far, self.end)):
            if end - start >= SHORTEST - _TINY:
                yield replace(self, start=start, end=end)


def crop_marks(grid: Grid, *, on_back: bool = False, free: Sequence[Rect] = ()) -> tuple[Item, ...]:
    """Return the crop marks of a side, as its options ask for them, outside of the boxes to be kept `free`."""
    rules = [rule for field in _fields(grid, on_back) for rule in _rules(field, grid.options)]
    return _drawn(rules, free, Stroke(_BLACK, grid.options.mark_line))


def fold_line(grid: Grid, free: Sequence[Rect] = ()) -> tuple[Item, ...]:
    """Return the dashed line along which a fold-over sheet is folded; it is broken where bleed reaches it."""
    if grid.options.backs is not Backs.FOLD:
        return ()
    field, upright = _field(_front(grid), grid.room()), grid.turning.upright
    across, along = (field.columns, field.rows) if upright else (field.rows, field.columns)
    bled = grid.turning.at - across[-1].bleed_end < _FOLD.width
    spans = _over_the_sheet(along, field.limits(upright), bled=bled)
    return _drawn([Rule(upright, grid.turning.at, *span) for span in spans], free, _FOLD)


# --- columns, rows, and the white around them -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class _Lane:
    """A column or a row of cards: from where to where its trim reaches, and its bleed."""

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

    def limits(self, upright: bool) -> Span:
        """Return from where to where a line may reach in this room."""
        return (self.room.y, self.room.bottom) if upright else (self.room.x, self.room.right)


@dataclass(frozen=True, slots=True)
class _Cut:
    """Where a column or a row is cut: whether colour goes on beyond, and whether two cards touch there."""

    at: float
    bled: bool
    shared: bool = False


@dataclass(frozen=True, slots=True)
class _Gap:
    """White before, between or behind lanes, without their bleed; on which of its ends there are cards."""

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
        half = _before_the_fold(room, grid.turning, grid.paper)
        halves = [(_field(front, half), Sides.BACKS), (_field(back, grid.turning.box(half)), Sides.FRONTS)]
        return [field for field, without in halves if sides is not without]
    if sides is (Sides.FRONTS if on_back else Sides.BACKS):
        return []
    return [_field(back if on_back else front, room)]


def _front(grid: Grid) -> Cards:
    """Return the boxes on the front; both sides keep off the larger bleed, so that their marks lie on each other."""
    most = grid.options.most_bleed
    return [(slot, slot.spread(grid.bleed(number, most))) for number, slot in enumerate(grid.slots)]


def _back(grid: Grid) -> Cards:
    return [(grid.turning.box(trim), grid.turning.box(bleed)) for trim, bleed in _front(grid)]


def _field(cards: Cards, room: Rect) -> _Field:
    columns = {_Lane(trim.x, trim.right, bleed.x, bleed.right) for trim, bleed in cards}
    rows = {_Lane(trim.y, trim.bottom, bleed.y, bleed.bottom) for trim, bleed in cards}
    return _Field(tuple(sorted(columns)), tuple(sorted(rows)), room)


def _before_the_fold(room: Rect, fold: Reflection, paper: Size) -> Rect:
    cut_off = fold.at - _OFF_THE_FOLD
    if fold.upright:
        return room.shared(Rect(0.0, 0.0, cut_off, paper.height))
    return room.shared(Rect(0.0, 0.0, paper.width, cut_off))


def _cuts(lanes: Sequence[_Lane]) -> list[_Cut]:
    """Return the edges of the lanes in order, one where two lanes touch."""
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
    for upright, across, along in ((True, field.columns, field.rows), (False, field.rows, field.columns)):
        low, high = field.limits(not upright)
        for cut in _cuts(across):
            if low <= cut.at - options.mark_line / 2 and cut.at + options.mark_line / 2 <= high:
                for start, end in _spans(cut, along, field.limits(upright), options):
                    yield Rule(upright, cut.at, start, end)


def _spans(cut: _Cut, along: Sequence[_Lane], limits: Span, options: SheetOptions) -> Iterator[Span]:
    """Yield from where to where a cut is marked, where it crosses the lanes `along` it."""
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
    """Yield the marks in gaps: one beside each card, off it and its bleed; one for both, if they would meet."""
    for gap in gaps:
        off = min(options.mark_offset, (gap.end - gap.start) / 3)  # in a narrow gap a third is mark, or two thirds
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
    """Yield the arms of the crosses on the points that four cards share, from card's middle to middle at most."""
    half = min(options.mark_length / 2, *((lane.end - lane.start) / 2 for lane in along))
    for other in _cuts(along):
        if cut.shared and other.shared:
            yield other.at - half, other.at + half


def _over_the_sheet(along: Sequence[_Lane], limits: Span, *, bled: bool) -> Iterator[Span]:
    """Yield a line over the whole sheet: beside cards only where no colour goes on beyond the cut, never on bleed."""
    spans = [(gap.start, gap.end) for gap in _gaps(along, limits)]
    if not bled:
        spans += [(lane.start, lane.end) for lane in along]
    low, high = limits
    clipped = ((max(start, low), min(end, high)) for start, end in sorted(spans))
    yield from (span for span in _joined(clipped) if span[1] - span[0] >= SHORTEST - _TINY)


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order; those that meet are one, and empty ones are none."""
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
        rules = [piece for rule in rules for piece in rule.outside(box.outset(stroke.width / 2))]
    return (Path(tuple(rule.outline for rule in rules), None, stroke=stroke),) if rules else ()
