"""Margin items: a ruler and a shorter one, the slug that names the sheet, and the word at the fold.

They stand in the margins, outside cards, bleed and crop marks, and 5 mm from the paper's edge, where home printers do
not print. An item without room is left out. The shorter ruler, the check, stands close to a card near the middle of an
edge: there it is on the paper even if A4 is printed on Letter or the other way round, scaled or cut off, when the ruler
may be lost.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from render.base.geometry import Affine, Rect, Size
from render.base.sizes import PAPERS
from render.scene import outlines as shapes
from render.scene.items import Item, Path, TextRun
from render.sheets.imposition import Grid
from render.sheets.options import MIN_MARGIN, Backs, Crop
from render.text import fitting as text
from render.text import fonts
from render.text.line_breaking import TextStyle

RULER = 100.0  # mm: long enough to show 1 %, short enough for the side of any paper that holds a grid of cards
RULER_LABEL = "100 mm: measure this line; if it is not 100 mm long, print at 100 % (actual size)"

CHECK = 40.0  # mm: even the shortest card has a side as long, between its crop marks
CHECK_LABEL = "40 mm: if it is not, print at 100 %"

_CHECK_DEPTH = 1.5  # mm: height of its ticks
_FROM_CUTS = 0.5  # mm between the ends of the check and the crop marks of its card
_CLEARANCE = 0.3  # mm between margin items and the ends of crop marks
_WITHOUT_MARKS = 1.0  # mm between margin items and cards without crop marks; always between check and cards
_MIN_DEPTH, _MAX_DEPTH = 3.1, 6.0  # mm of a strip: the ruler's height, and a limit that keeps print near the edge
_BLACK = (0, 0, 0)
_TYPE = TextStyle("DejaVu Sans Condensed", _BLACK)
_SIZE, _SMALLEST = 2.1, 0.7  # mm, and the share of it that can still be read without a lens: 4.2 pt
_LABEL_SIZE = 1.5  # mm
_ASCENT = 0.76  # of that size: the part above the baseline
_LINE = 0.12  # mm: stroke width of the ruler and its ticks
_FOLD_WORD, _AROUND_THE_WORD = "fold", 0.55  # mm from the word to the line beside it
_BETWEEN = " · "  # the parts of a slug
_TINY = 1e-6  # mm: rounding of sums of lengths
_OTHER = {
    PAPERS[one]: PAPERS[other] for pair in (("a4", "letter"), ("a3", "tabloid")) for one, other in (pair, pair[::-1])
}  # the paper that may be in the printer instead of the sheet's


@dataclass(frozen=True, slots=True)
class MarginItem:
    """A margin item, and the box that it takes."""

    items: tuple[Item, ...]
    box: Rect


@dataclass(frozen=True, slots=True)
class _Strip:
    """Free room along a side of the paper; print in it is turned clockwise by `quarters` quarter turns."""

    box: Rect
    quarters: int = 0

    @property
    def length(self) -> float:
        return self.box.height if self.quarters % 2 else self.box.width

    @property
    def depth(self) -> float:
        return self.box.width if self.quarters % 2 else self.box.height

    @property
    def place(self) -> Affine:
        """The map of the strip's own space, length by depth, onto the sheet."""
        corner = {0: (self.box.x, self.box.y), 1: (self.box.right, self.box.y), 3: (self.box.x, self.box.bottom)}
        return Affine.move(*corner[self.quarters]) @ Affine.rotate(90 * self.quarters)


def ruler(grid: Grid, free: Sequence[Rect] = ()) -> MarginItem | None:
    """Return a ruler of exactly 100 mm between the outer edges of its end ticks, with its label; None without room.

    It stands below the cards or on their right, outside the boxes to be kept `free`.
    """
    _, low, _, right = _strips(grid, free)
    strip = next((strip for strip in (low, right) if strip and strip.length >= RULER), None)
    if strip is None:
        return None
    left, top = (strip.length - RULER) / 2, (strip.depth - _MIN_DEPTH) / 2
    boxes = [Rect(left, top, RULER, _LINE)]
    for tick in range(11):
        # The first tick begins at 0, the last ends at 100 mm, the others are centered.
        inward = {0: 0.0, 10: _LINE}.get(tick, _LINE / 2)
        boxes.append(Rect(left + tick * RULER / 10 - inward, top, _LINE, 1.2 if tick % 5 == 0 else 0.8))
    outlines = [outline for box in boxes for outline in shapes.rect(box.x, box.y, box.width, box.height)]
    line = text.TextLine(strip.length / 2, top + 2.75, align="middle", size=_LABEL_SIZE, width=RULER, narrowest=0.7)
    label = _moved(_fitted(RULER_LABEL, line), strip.place)
    return MarginItem((Path(shapes.move_outlines(tuple(outlines), strip.place), _BLACK), *label), strip.box)


def check(grid: Grid, free: Sequence[Rect] = ()) -> MarginItem | None:
    """Return a ruler of exactly 40 mm between the outer edges of its end ticks, labeled inside; None without room.

    It stands beside a card near the middle of an edge, outside the boxes to be kept `free`: where it is on the paper
    even if the sheet is printed on the other paper of its kind.
    """
    within = grid.room()
    for strip in sorted(_beside_cards(grid), key=lambda strip: -min(_left_on_the_other(strip.box, grid), MIN_MARGIN)):
        if _is_within(strip.box, within) and not any(_overlap(strip.box, other) for other in free):
            return MarginItem(_check_items(strip), strip.box)
    return None


def _check_items(strip: _Strip) -> tuple[Item, ...]:
    """Return the check's items in a strip of its length: a line with end ticks, broken by the label."""
    line = text.TextLine(CHECK / 2, _ASCENT * _LABEL_SIZE, "middle", _LABEL_SIZE)
    aside = (CHECK - fonts.width(_TYPE.face, CHECK_LABEL) * _LABEL_SIZE) / 2 - _AROUND_THE_WORD
    middle = (_CHECK_DEPTH - _LINE) / 2
    boxes = (
        Rect(0.0, 0.0, _LINE, _CHECK_DEPTH),
        Rect(CHECK - _LINE, 0.0, _LINE, _CHECK_DEPTH),
        Rect(0.0, middle, aside, _LINE),
        Rect(CHECK - aside, middle, aside, _LINE),
    )
    outlines = tuple(outline for box in boxes for outline in shapes.rect(box.x, box.y, box.width, box.height))
    return (Path(shapes.move_outlines(outlines, strip.place), _BLACK), *_moved(_fitted(CHECK_LABEL, line), strip.place))


def _beside_cards(grid: Grid) -> Iterator[_Strip]:
    """Yield places for the check: beside each card at an edge of the block, those nearest the paper's middle first."""
    cards, (middle_x, middle_y) = _printed(grid).outset(_WITHOUT_MARKS), grid.paper.rect.center
    boxes = [*grid.slots, *(grid.flip_axis.box(slot) for slot in grid.slots if grid.options.backs is Backs.FOLD)]
    rows = _by_nearness({(box.y, box.bottom) for box in boxes}, middle_y)
    columns = _by_nearness({(box.x, box.right) for box in boxes}, middle_x)
    vertical = [
        _Strip(Rect(x, y, _CHECK_DEPTH, CHECK), quarters)
        for x, quarters in ((cards.x - _CHECK_DEPTH, 3), (cards.right, 1))
        for y in rows
    ]
    horizontal = [
        _Strip(Rect(x, y, CHECK, _CHECK_DEPTH)) for y in (cards.bottom, cards.y - _CHECK_DEPTH) for x in columns
    ]
    yield from (*vertical, *horizontal) if grid.paper.height >= grid.paper.width else (*horizontal, *vertical)


def _left_on_the_other(box: Rect, grid: Grid) -> float:
    """Return how far a box keeps from the edges of the other paper, in the worst way of printing on it unscaled.

    Printers put a page that is too large or too small in the middle of the paper, or in its upper or lower left corner.
    """
    paper = grid.paper
    stands = paper.height >= paper.width
    other = _OTHER.get(paper if stands else Size(paper.height, paper.width))
    if other is None:
        return MIN_MARGIN
    size = other.rect if stands else Rect(0.0, 0.0, other.height, other.width)
    wider, higher = size.width - paper.width, size.height - paper.height
    return min(
        min(moved.x, moved.y, size.right - moved.right, size.bottom - moved.bottom)
        for moved in (box.moved(dx, dy) for dx, dy in ((wider / 2, higher / 2), (0.0, 0.0), (0.0, higher)))
    )


def _by_nearness(spans: Iterable[tuple[float, float]], middle: float) -> list[float]:
    """Return where the check begins if centered in each span that has room, the nearest to the middle first."""
    starts = [(start + end - CHECK) / 2 for start, end in spans if end - start >= CHECK + 2 * _FROM_CUTS]
    return sorted(starts, key=lambda start: (abs(start + CHECK / 2 - middle), start))


def _is_within(box: Rect, outer: Rect) -> bool:
    shared = box.shared(outer)
    return shared.width >= box.width - _TINY and shared.height >= box.height - _TINY


def _overlap(one: Rect, other: Rect) -> bool:
    shared = one.shared(other)
    return shared.width > 0 and shared.height > 0


def slug(grid: Grid, words: str, free: Sequence[Rect] = (), *, on_back: bool = False) -> MarginItem | None:
    """Return a line of small print above the cards or on their left: set, edition, sheet and side; None without room.

    Words that are too long are set smaller, then cut before their last two parts, which name the sheet.
    """
    high, _, left, _ = _strips(grid, free, on_back=on_back)
    for strip in (high, left):
        if strip is None:
            continue
        runs = _shortened(words, text.TextLine(strip.length / 2, strip.depth / 2 + 0.75, "middle", _SIZE, strip.length))
        if runs:
            return MarginItem(_moved(runs, strip.place), strip.box)
    return None


def fold_words(grid: Grid) -> tuple[MarginItem, ...]:
    """Return the word that names the fold line, at both ends of it: beside cards, or in the margins if cards bleed."""
    if grid.options.backs is not Backs.FOLD:
        return ()
    vertical, fold, (x, y) = grid.flip_axis.vertical, grid.flip_axis.at, grid.slots[0].center
    width = fonts.width(_TYPE.face, _FOLD_WORD) * _SIZE + 2 * _AROUND_THE_WORD
    height = fonts.CAP_HEIGHT * _SIZE + 2 * _AROUND_THE_WORD
    white = fold - grid.options.most_bleed - (grid.block.right if vertical else grid.block.bottom)
    along, quarters = (y, 3) if vertical else (x, 0)
    if 2 * white < height:  # half of the word is on each side of the fold
        start, end = _margin_at_the_fold(grid)
        taken = height if vertical else width
        if end - start < taken:
            return ()
        along, quarters = max((start + end) / 2, end - taken), 0
    length = grid.paper.height if vertical else grid.paper.width
    places = [(fold, at) if vertical else (at, fold) for at in (along, length - along)]
    return tuple(_fold_word(*place, Size(width, height), quarters) for place in places)


def _margin_at_the_fold(grid: Grid) -> tuple[float, float]:
    """Return the part of the fold line between a strip and the cards, at its upper or left end."""
    cards, strips = _printed(grid), _strips(grid)
    strip, end = (strips[0], cards.y) if grid.flip_axis.vertical else (strips[2], cards.x)
    return grid.options.white_edge + (strip.depth if strip else 0.0), end


def _fold_word(x: float, y: float, size: Size, quarters: int) -> MarginItem:
    """Return the word centered on a point, in a box of that size before turning."""
    place = Affine.move(x, y) @ Affine.rotate(90 * quarters)
    runs = _fitted(_FOLD_WORD, text.TextLine(0.0, fonts.CAP_HEIGHT * _SIZE / 2, "middle", _SIZE))
    box = place.box(Rect(-size.width / 2, -size.height / 2, size.width, size.height))
    return MarginItem(_moved(runs, place), box)


# --- strips and lines -----------------------------------------------------------------------------------------------


def _strips(grid: Grid, free: Sequence[Rect] = (), *, on_back: bool = False) -> tuple[_Strip | None, ...]:
    """Return the strips above, below, left and right of the cards, along the paper's edge; None for one too thin."""
    cards, options, within = _printed(grid, on_back=on_back), grid.options, grid.room(on_back=on_back)
    beside_cards = _WITHOUT_MARKS if options.crop_marks is Crop.OFF else options.mark_offset + options.mark_length
    if options.ruler:
        beside_cards = max(beside_cards, _WITHOUT_MARKS + _CHECK_DEPTH)
    above, below, left, right = (
        min(room - beside_cards - _CLEARANCE, _MAX_DEPTH)
        for room in (
            cards.y - within.y,
            within.bottom - cards.bottom,
            cards.x - within.x,
            within.right - cards.right,
        )
    )
    return (
        _strip(Rect(within.x, within.y, within.width, above), 0, free),
        _strip(Rect(within.x, within.bottom - below, within.width, below), 0, free),
        # Turned to be read from the right, so that its head points to the cards' middle.
        _strip(Rect(within.x, within.y, left, within.height), 3, free),
        _strip(Rect(within.right - right, within.y, right, within.height), 1, free),
    )


def _printed(grid: Grid, *, on_back: bool = False) -> Rect:
    """Return the box around all cards of a side and their bleed."""
    first, last = grid.blocks[0], grid.blocks[-1]
    around = Rect(first.x, first.y, last.right - first.x, last.bottom - first.y)
    return (grid.flip_axis.box(around) if on_back else around).outset(grid.options.most_bleed)


def _strip(box: Rect, quarters: int, free: Sequence[Rect]) -> _Strip | None:
    """Return a strip, cut to its longest part outside the boxes to be kept free; None if it is too thin."""
    if min(box.width, box.height) < _MIN_DEPTH:
        return None
    for other in free:
        if _overlap(box, other):
            box = _longer_part(box, other.shared(box), vertical=bool(quarters % 2))
    return _Strip(box, quarters)


def _longer_part(box: Rect, without: Rect, *, vertical: bool) -> Rect:
    """Return the longer part of a strip that a box cuts in two."""
    if vertical:
        high = Rect(box.x, box.y, box.width, without.y - box.y)
        low = Rect(box.x, without.bottom, box.width, box.bottom - without.bottom)
        return max(high, low, key=lambda part: part.height)
    left = Rect(box.x, box.y, without.x - box.x, box.height)
    right = Rect(without.right, box.y, box.right - without.right, box.height)
    return max(left, right, key=lambda part: part.width)


def _shortened(words: str, line: text.TextLine) -> tuple[TextRun, ...]:
    """Set words on a line, smaller or with their head cut; () if not even their tail fits."""
    line = line._replace(smallest=line.size * _SMALLEST)
    if runs := _fitted(words, line):
        return runs
    parts = words.split(_BETWEEN)
    head, tail = _BETWEEN.join(parts[:-2]) or words, parts[-2:] if len(parts) > 2 else []

    def cut(kept: int) -> str:
        return _BETWEEN.join((head[:kept].rstrip(_BETWEEN) + "…", *tail))

    # Longer heads never fit if shorter ones do not: found by bisection.
    fitting = bisect_left(range(1, len(head)), True, key=lambda kept: not _fitted(cut(kept), line))
    return _fitted(cut(fitting), line) if fitting else ()


def _fitted(words: str, line: text.TextLine) -> tuple[TextRun, ...]:
    fitted = text.fit_line(((words, _TYPE),), line)
    return fitted.runs if isinstance(fitted, text.FittedLine) else ()


def _moved(runs: Sequence[TextRun], place: Affine) -> tuple[TextRun, ...]:
    return tuple(run.taken(place) for run in runs)
