"""Margin items: a ruler and a shorter one, the slug that names the sheet, and the word at the fold.

They stand in the margins, outside cards, bleed and crop marks, and 5 mm from the paper's edge, where home printers do
not print. An item without room is left out. The shorter ruler, the check, stands close to a card near the middle of an
edge: there it is on the paper even if A4 is printed on Letter or the other way round, scaled or cut off, when the ruler
may be lost.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.geometry import Affine, Rect, Size
from render.base.sizes import PAPERS
from render.scene import outlines as shapes
from render.scene.items import Item, Path, TextRun
from render.sheets.imposition import Grid
from render.sheets.options import MIN_MARGIN, Backs, Crop
from render.text import fitting as text
from render.text import fonts
from render.text.line_breaking import TextStyle

_RULER = 100.0  # mm: long enough to show 1 %, short enough for the side of any paper that holds a grid of cards
_RULER_LABEL = "100 mm: measure this line; if it is not 100 mm long, print at 100 % (actual size)"

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
_OTHER = {
    PAPERS[one]: PAPERS[other] for pair in (("a4", "letter"), ("a3", "tabloid")) for one, other in (pair, pair[::-1])
}  # the paper that may be in the printer instead of the sheet's


class MarginItem(Struct, frozen=True):
    """A margin item, and the box that it takes."""

    items: tuple[Item, ...]
    box: Rect


class _Strip(Struct, frozen=True):
    """Free room along a side of the paper; print in it is turned clockwise by `quarters` quarter turns."""

    box: Rect
    quarters: int = 0

    @property
    def length(self) -> float:
        return self.box.height if self.quarters % 2 else self.box.width

    @property
    def depth(self) -> float:
        return self.box.width if self.quarters % 2 else self.box.height

    def holding(self, runs: Sequence[TextRun], bars: Sequence[Rect] = ()) -> MarginItem:
        """Return words and bars, placed by length and depth of the strip, as the item that takes all of it."""
        box = self.box
        corner = {0: (box.x, box.y), 1: (box.right, box.y), 3: (box.x, box.bottom)}[self.quarters]
        place = Affine.move(*corner) @ Affine.rotate(90 * self.quarters)
        outlines = tuple(outline for bar in bars for outline in shapes.rect_of(bar))
        lines = (Path(shapes.move_outlines(outlines, place), _BLACK),) if outlines else ()
        return MarginItem((*lines, *(run.taken(place) for run in runs)), box)


def ruler(grid: Grid, free: Sequence[Rect] = ()) -> MarginItem | None:
    """Return a ruler of exactly 100 mm between the outer edges of its end ticks, with its label; None without room.

    It stands below the cards or on their right, outside the boxes to be kept `free`.
    """
    _, low, _, right = _strips(grid, tuple(free))
    strip = next((strip for strip in (low, right) if strip and strip.length >= _RULER), None)
    if strip is None:
        return None
    left, top = (strip.length - _RULER) / 2, (strip.depth - _MIN_DEPTH) / 2
    bars = [Rect(left, top, _RULER, _LINE)]
    for tick in range(11):
        # The first tick begins at 0, the last ends at 100 mm, the others are centered.
        inward = {0: 0.0, 10: _LINE}.get(tick, _LINE / 2)
        bars.append(Rect(left + tick * _RULER / 10 - inward, top, _LINE, 1.2 if tick % 5 == 0 else 0.8))
    line = text.TextLine(strip.length / 2, top + 2.75, align="middle", size=_LABEL_SIZE, width=_RULER, narrowest=0.7)
    return strip.holding(text.set_line(_RULER_LABEL, _TYPE, line), bars)


def slug(grid: Grid, words: str, free: Sequence[Rect] = (), *, on_back: bool = False) -> MarginItem | None:
    """Return a line of small print above the cards or on their left: set, edition, sheet and side; None without room.

    Words that are too long are set smaller, then cut before their last two parts, which name the sheet.
    """
    high, _, left, _ = _strips(grid, tuple(free), on_back=on_back)
    for strip in filter(None, (high, left)):
        smallest = _SIZE * _SMALLEST
        line = text.TextLine(strip.length / 2, strip.depth / 2 + 0.75, "middle", _SIZE, strip.length, smallest=smallest)
        if runs := text.set_line(words, _TYPE, line) or _shortened(words, line):
            return strip.holding(runs)
    return None


def _shortened(words: str, line: text.TextLine) -> tuple[TextRun, ...]:
    """Set words on a line with their head cut; () if not even their tail fits."""
    parts = words.split(_BETWEEN)
    head, tail = (_BETWEEN.join(parts[:-2]), parts[-2:]) if len(parts) > 2 else (words, [])

    def cut(kept: int) -> tuple[TextRun, ...]:
        return text.set_line(_BETWEEN.join((head[:kept].rstrip(_BETWEEN) + "…", *tail)), _TYPE, line)

    # Longer heads never fit if shorter ones do not: found by bisection.
    fitting = bisect_left(range(1, len(head)), True, key=lambda kept: not cut(kept))
    return cut(fitting) if fitting else ()


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
        # Between a strip and the cards, at the upper or left end of the fold.
        cards, strips = _printed(grid), _strips(grid)
        strip, end = (strips[0], cards.y) if vertical else (strips[2], cards.x)
        start = grid.options.white_edge + (strip.depth if strip else 0.0)
        taken = height if vertical else width
        if end - start < taken:
            return ()
        along, quarters = max((start + end) / 2, end - taken), 0
    runs = text.set_line(_FOLD_WORD, _TYPE, text.TextLine(0.0, fonts.CAP_HEIGHT * _SIZE / 2, "middle", _SIZE))
    items = []
    for at in (along, (grid.paper.height if vertical else grid.paper.width) - along):
        place = Affine.move(*((fold, at) if vertical else (at, fold))) @ Affine.rotate(90 * quarters)
        box = place.box(Rect(-width / 2, -height / 2, width, height))
        items.append(MarginItem(tuple(run.taken(place) for run in runs), box))
    return tuple(items)


@cached(8)  # all sheets of a job have the same
def _strips(grid: Grid, free: tuple[Rect, ...] = (), *, on_back: bool = False) -> tuple[_Strip | None, ...]:
    """Return the strips above, below, left and right of the cards, along the paper's edge; None for one too thin.

    Each is cut to its longest part outside the boxes to be kept `free`.
    """
    cards, options, within = _printed(grid, on_back=on_back), grid.options, grid.room(on_back=on_back)
    beside_cards = _WITHOUT_MARKS if options.crop_marks is Crop.OFF else options.mark_offset + options.mark_length
    if options.ruler:
        beside_cards = max(beside_cards, _WITHOUT_MARKS + _CHECK_DEPTH)
    rooms = cards.y - within.y, within.bottom - cards.bottom, cards.x - within.x, within.right - cards.right
    above, below, left, right = (min(room - beside_cards - _CLEARANCE, _MAX_DEPTH) for room in rooms)
    return tuple(
        _Strip(_longest_part(box, free, vertical=bool(quarters % 2)), quarters)
        if min(box.width, box.height) >= _MIN_DEPTH
        else None
        for box, quarters in (
            (Rect(within.x, within.y, within.width, above), 0),
            (Rect(within.x, within.bottom - below, within.width, below), 0),
            # Turned to be read from the right, so that its head points to the cards' middle.
            (Rect(within.x, within.y, left, within.height), 3),
            (Rect(within.right - right, within.y, right, within.height), 1),
        )
    )


def _longest_part(box: Rect, free: Sequence[Rect], *, vertical: bool) -> Rect:
    for other in free:
        if not box.overlaps(other):
            continue
        if vertical:
            after = Rect(box.x, other.bottom, box.width, box.bottom - other.bottom)
            box = max(replace(box, height=other.y - box.y), after, key=lambda part: part.height)
        else:
            after = Rect(other.right, box.y, box.right - other.right, box.height)
            box = max(replace(box, width=other.x - box.x), after, key=lambda part: part.width)
    return box


def _printed(grid: Grid, *, on_back: bool = False) -> Rect:
    """Return the box around all cards of a side and their bleed."""
    first, last = grid.blocks[0], grid.blocks[-1]
    around = Rect(first.x, first.y, last.right - first.x, last.bottom - first.y)
    return (grid.flip_axis.box(around) if on_back else around).outset(grid.options.most_bleed)


# --- the check ------------------------------------------------------------------------------------------------------


def check(grid: Grid, free: Sequence[Rect] = ()) -> MarginItem | None:
    """Return a ruler of exactly 40 mm between the outer edges of its end ticks, labeled inside; None without room.

    It stands beside a card near the middle of an edge, outside the boxes to be kept `free`: where it is on the paper
    even if the sheet is printed on the other paper of its kind.
    """
    within = grid.room()
    for strip in sorted(_beside_cards(grid), key=lambda strip: -min(_left_on_the_other(strip.box, grid), MIN_MARGIN)):
        if not within.holds(strip.box) or any(strip.box.overlaps(other) for other in free):
            continue
        line = text.TextLine(CHECK / 2, _ASCENT * _LABEL_SIZE, "middle", _LABEL_SIZE)
        aside = (CHECK - fonts.width(_TYPE.face, CHECK_LABEL) * _LABEL_SIZE) / 2 - _AROUND_THE_WORD
        middle = (_CHECK_DEPTH - _LINE) / 2
        bars = (
            Rect(0.0, 0.0, _LINE, _CHECK_DEPTH),
            Rect(CHECK - _LINE, 0.0, _LINE, _CHECK_DEPTH),
            Rect(0.0, middle, aside, _LINE),
            Rect(CHECK - aside, middle, aside, _LINE),
        )
        return strip.holding(text.set_line(CHECK_LABEL, _TYPE, line), bars)
    return None


def _beside_cards(grid: Grid) -> list[_Strip]:
    """Return places for the check: beside each card at an edge of the block, those nearest the paper's middle first."""
    cards, (middle_x, middle_y) = _printed(grid).outset(_WITHOUT_MARKS), grid.paper.rect.center
    boxes = [*grid.slots, *(grid.flip_axis.box(slot) for slot in grid.slots if grid.options.backs is Backs.FOLD)]

    def centered(spans: set[tuple[float, float]], middle: float) -> list[float]:
        starts = [(start + end - CHECK) / 2 for start, end in spans if end - start >= CHECK + 2 * _FROM_CUTS]
        return sorted(starts, key=lambda start: (abs(start + CHECK / 2 - middle), start))

    rows = centered({(box.y, box.bottom) for box in boxes}, middle_y)
    columns = centered({(box.x, box.right) for box in boxes}, middle_x)
    sides, ends = ((cards.x - _CHECK_DEPTH, 3), (cards.right, 1)), (cards.bottom, cards.y - _CHECK_DEPTH)
    vertical = [_Strip(Rect(x, y, _CHECK_DEPTH, CHECK), quarters) for x, quarters in sides for y in rows]
    horizontal = [_Strip(Rect(x, y, CHECK, _CHECK_DEPTH)) for y in ends for x in columns]
    return [*vertical, *horizontal] if grid.paper.height >= grid.paper.width else [*horizontal, *vertical]


def _left_on_the_other(box: Rect, grid: Grid) -> float:
    """Return how far a box keeps from the edges of the other paper, in the worst way of printing on it unscaled.

    Printers put a page that is too large or too small in the middle of the paper, or in its upper or lower left corner.
    """
    paper = grid.paper
    stands = paper.height >= paper.width
    other = _OTHER.get(paper if stands else Size(paper.height, paper.width))
    if other is None:
        return MIN_MARGIN
    size = other if stands else Size(other.height, other.width)
    wider, higher = size.width - paper.width, size.height - paper.height
    return min(
        min(box.x + dx, box.y + dy, size.width - dx - box.right, size.height - dy - box.bottom)
        for dx, dy in ((wider / 2, higher / 2), (0.0, 0.0), (0.0, higher))
    )
